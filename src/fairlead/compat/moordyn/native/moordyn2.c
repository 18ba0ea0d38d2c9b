/* The calls of MoorDyn's C library, version 2. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "model.h"

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

#define NEEDS(pointer) \
    if (!(pointer)) return INVALID_VALUE

/* --- the system ------------------------------------------------------------------------------------------------------- */
EXPORT host *MoorDyn_Create(const char *file) {
    return host_new(file, LEVEL_WARNING);
}

EXPORT int MoorDyn_NCoupledDOF(host *h, unsigned int *n) {
    NEEDS(h && n);
    *n = (unsigned int)host_n_x;
    return SUCCESS;
}

EXPORT int MoorDyn_Init(host *h, const double *x, const double *v) {
    NEEDS(h);
    return host_start(h, x, v, 1);
}

EXPORT int MoorDyn_Init_NoIC(host *h, const double *x, const double *v) {
    NEEDS(h);
    return host_start(h, x, v, 0);
}

EXPORT int MoorDyn_Step(host *h, const double *x, const double *v, double *f, double *t, double *dt) {
    NEEDS(h && t && dt);
    return host_step(h, x, v, f, t, *dt);
}

EXPORT int MoorDyn_Close(host *h) {
    NEEDS(h);
    host_free(h);
    return SUCCESS;
}

/* --- messages and settings ---------------------------------------------------------------------------------------------- */
EXPORT int MoorDyn_SetVerbosity(host *h, int level) {
    NEEDS(h);
    h->terminal = level;
    return SUCCESS;
}

EXPORT int MoorDyn_SetLogLevel(host *h, int level) {
    NEEDS(h);
    h->level = level;
    return SUCCESS;
}

EXPORT int MoorDyn_SetLogFile(host *h, const char *path) {
    NEEDS(h && path);
    FILE *log = fopen(path, "w");
    if (!log) return host_say(h, LEVEL_ERROR, INVALID_OUTPUT_FILE, "%s cannot be written", path);
    if (h->log) fclose(h->log);
    h->log = log;
    return SUCCESS;
}

EXPORT int MoorDyn_Log(host *h, int level, const char *text) {
    NEEDS(h && text);
    return host_say(h, level, SUCCESS, "%s", text);
}

EXPORT int MoorDyn_GetDt(host *h, double *dt) {
    NEEDS(h && dt);
    *dt = h->self->longest;
    return SUCCESS;
}

EXPORT int MoorDyn_SetDt(host *h, double dt) {
    NEEDS(h);
    if (!isfinite(dt) || dt <= 0.0)
        return host_say(h, LEVEL_ERROR, INVALID_VALUE, "a time step must be positive, not %g", dt);
    h->self->longest = dt;
    return SUCCESS;
}

/* --- states ---------------------------------------------------------------------------------------------------------------- */
EXPORT int MoorDyn_Serialize(host *h, size_t *size, uint64_t *data) {
    NEEDS(h && (size || data));
    if (size) *size = host_bytes();
    return data ? host_keep(h, data) : SUCCESS;
}

EXPORT int MoorDyn_Deserialize(host *h, const uint64_t *data) {
    NEEDS(h && data);
    return host_restore(h, data, host_bytes());
}

EXPORT int MoorDyn_Save(host *h, const char *path) {
    NEEDS(h && path);
    unsigned char *bytes = malloc(host_bytes());
    NEEDS(bytes);
    int code = host_keep(h, bytes);
    if (code == SUCCESS) {
        FILE *f = fopen(path, "wb");
        size_t written = f ? fwrite(bytes, 1, host_bytes(), f) : 0;
        if ((f && fclose(f)) || written != host_bytes())
            code = host_say(h, LEVEL_ERROR, INVALID_OUTPUT_FILE, "%s cannot be written", path);
    }
    free(bytes);
    return code;
}

EXPORT int MoorDyn_Load(host *h, const char *path) {
    NEEDS(h && path);
    FILE *f = fopen(path, "rb");
    if (!f) return host_say(h, LEVEL_ERROR, INVALID_INPUT_FILE, "%s cannot be read", path);
    unsigned char *bytes = malloc(host_bytes());
    size_t size = bytes ? fread(bytes, 1, host_bytes(), f) : 0;
    fclose(f);
    int code = bytes ? host_restore(h, bytes, size) : NO_MEMORY;
    free(bytes);
    return code;
}

EXPORT int MoorDyn_SaveState(host *h, const char *path) {
    return MoorDyn_Save(h, path);
}

EXPORT int MoorDyn_LoadState(host *h, const char *path) {
    return MoorDyn_Load(h, path);
}

/* --- things by number, from 1 on ----------------------------------------------------------------------------------------------- */
#define THINGS(noun, list)                                                                                             \
    EXPORT int MoorDyn_GetNumber##noun##s(host *h, unsigned int *n) {                                                  \
        NEEDS(h && n);                                                                                                 \
        *n = (unsigned int)host_n_##list;                                                                              \
        return SUCCESS;                                                                                                \
    }                                                                                                                  \
    EXPORT thing *MoorDyn_Get##noun(host *h, unsigned int k) {                                                         \
        if (h && k >= 1 && k <= (unsigned int)host_n_##list) return &h->list[k - 1];                                   \
        host_say(h, LEVEL_ERROR, 0, "there is no " #noun " %u; they are 1 to %lld", k, (long long)host_n_##list);      \
        return NULL;                                                                                                   \
    }                                                                                                                  \
    EXPORT int MoorDyn_Get##noun##ID(thing *it, int *id) {                                                             \
        NEEDS(it && id);                                                                                               \
        *id = (int)host_##list[it->number].id;                                                                         \
        return SUCCESS;                                                                                                \
    }
THINGS(Point, points)
THINGS(Line, lines)

EXPORT int MoorDyn_GetNumberBodies(host *h, unsigned int *n) {
    NEEDS(h && n);
    *n = (unsigned int)host_n_bodies;
    return SUCCESS;
}

EXPORT thing *MoorDyn_GetBody(host *h, unsigned int k) {
    if (h && k >= 1 && k <= (unsigned int)host_n_bodies) return &h->bodies[k - 1];
    host_say(h, LEVEL_ERROR, 0, "there is no body %u; they are 1 to %lld", k, (long long)host_n_bodies);
    return NULL;
}

EXPORT int MoorDyn_GetBodyID(thing *body, int *id) {
    NEEDS(body && id);
    *id = (int)host_bodies[body->number].id;
    return SUCCESS;
}

EXPORT int MoorDyn_GetBodyType(thing *body, int *kind) {
    NEEDS(body && kind);
    *kind = (int)host_bodies[body->number].kind;
    return SUCCESS;
}

EXPORT int MoorDyn_GetBodyState(thing *body, double r[6], double rd[6]) {
    NEEDS(body && r && rd);
    const host_body *b = &host_bodies[body->number];
    const host *h = body->of;
    if (b->carrier == -2)
        return host_say(h, LEVEL_ERROR, NOT_IMPLEMENTED, "body %lld moves by itself, and its state is not shown by this "
                        "library", (long long)b->id);
    int64_t first = b->carrier >= 0 ? host_carriers[b->carrier].first : 0;
    for (int k = 0; k < 6; k++) {
        r[k] = b->carrier >= 0 ? h->x[first + k] : b->place[k];
        rd[k] = b->carrier >= 0 ? h->v[first + k] : 0.0;
    }
    return SUCCESS;
}

EXPORT int MoorDyn_GetPointType(thing *point, int *kind) {
    NEEDS(point && kind);
    *kind = (int)host_points[point->number].kind;
    return SUCCESS;
}

EXPORT int MoorDyn_GetPointPos(thing *point, double out[3]) {
    NEEDS(point && out);
    return point_seen(point->of, point->number, POSITION, out);
}

EXPORT int MoorDyn_GetPointVel(thing *point, double out[3]) {
    NEEDS(point && out);
    return point_seen(point->of, point->number, VELOCITY, out);
}

EXPORT int MoorDyn_GetPointForce(thing *point, double out[3]) {
    NEEDS(point && out);
    return point_force(point->of, point->number, out);
}

EXPORT int MoorDyn_GetPointNAttached(thing *point, unsigned int *n) {
    NEEDS(point && n);
    *n = (unsigned int)host_points[point->number].n_ends;
    return SUCCESS;
}

EXPORT int MoorDyn_GetPointAttached(thing *point, unsigned int k, thing **line, int *end) {
    NEEDS(point && line && end);
    const host_point *p = &host_points[point->number];
    NEEDS(k < (unsigned int)p->n_ends);
    *line = &point->of->lines[host_line_ends[p->first_end + k].line];
    *end = (int)host_line_ends[p->first_end + k].end;
    return SUCCESS;
}

/* --- lines ------------------------------------------------------------------------------------------------------------------------ */
EXPORT int MoorDyn_GetLineN(thing *line, unsigned int *n) {
    NEEDS(line && n);
    *n = (unsigned int)host_lines[line->number].segments;
    return SUCCESS;
}

EXPORT int MoorDyn_GetLineNumberNodes(thing *line, unsigned int *n) {
    NEEDS(line && n);
    *n = (unsigned int)host_lines[line->number].segments + 1;
    return SUCCESS;
}

EXPORT int MoorDyn_GetLineUnstretchedLength(thing *line, double *length) {
    NEEDS(line && length);
    *length = line->of->lengths[line->number];
    return SUCCESS;
}

EXPORT int MoorDyn_SetLineUnstretchedLength(thing *line, double length) {
    NEEDS(line);
    return host_set_length(line->of, line->number, length);
}

EXPORT int MoorDyn_IsLineConstantEA(thing *line, int *constant) {
    NEEDS(line && constant);
    *constant = !host_lines[line->number].rope;
    return SUCCESS;
}

EXPORT int MoorDyn_GetLineConstantEA(thing *line, double *stiffness) {
    NEEDS(line && stiffness && !host_lines[line->number].rope);
    *stiffness = line->of->stiffnesses[line->number];
    return SUCCESS;
}

EXPORT int MoorDyn_SetLineConstantEA(thing *line, double stiffness) {
    NEEDS(line);
    return host_set_stiffness(line->of, line->number, stiffness);
}

EXPORT int MoorDyn_BreakLine(host *h, unsigned int point, unsigned int line) {
    NEEDS(h && point >= 1 && point <= (unsigned int)host_n_points && line >= 1 && line <= (unsigned int)host_n_lines);
    if (!host_row(h)) return INVALID_VALUE;
    const host_point *p = &host_points[point - 1];
    for (const host_line_end *e = host_line_ends + p->first_end; e < host_line_ends + p->first_end + p->n_ends; e++)
        if (e->line == (int64_t)line - 1) return host_break(h, e->line, (int)e->end);
    return host_say(h, LEVEL_ERROR, INVALID_VALUE, "line %u does not end at point %u", line, point);
}

EXPORT int MoorDyn_GetLineNodePos(thing *line, unsigned int node, double out[3]) {
    NEEDS(line && out);
    return line_node(line->of, line->number, node, POSITION, out);
}

EXPORT int MoorDyn_GetLineNodeVel(thing *line, unsigned int node, double out[3]) {
    NEEDS(line && out);
    return line_node(line->of, line->number, node, VELOCITY, out);
}

EXPORT int MoorDyn_GetLineNodeForce(thing *line, unsigned int node, double out[3]) {
    NEEDS(line && out);
    return line_force(line->of, line->number, node, out);
}

EXPORT int MoorDyn_GetLineNodeTen(thing *line, unsigned int node, double out[3]) {
    NEEDS(line && out);
    return line_tension(line->of, line->number, node, out);
}

EXPORT int MoorDyn_GetLineNodeCurv(thing *line, unsigned int node, double *out) {
    NEEDS(line && out);
    return line_curvature(line->of, line->number, node, out);
}

EXPORT int MoorDyn_GetLineFairTen(thing *line, double *out) {
    NEEDS(line && out);
    return line_largest(line->of, line->number, 1, out);
}

EXPORT int MoorDyn_GetLineMaxTen(thing *line, double *out) {
    NEEDS(line && out);
    return line_largest(line->of, line->number, 0, out);
}

EXPORT int MoorDyn_GetFASTtens(host *h, const int *n, float fair_h[], float fair_v[], float anchor_h[], float anchor_v[]) {
    NEEDS(h && n && fair_h && fair_v && anchor_h && anchor_v);
    return fast_tensions(h, *n, fair_h, fair_v, anchor_h, anchor_v);
}

/* --- version 1: one system for the whole process ----------------------------------------------------------------------------------- */
static host *only;
static int console = LEVEL_WARNING;

EXPORT void SetDisableConsole(int disabled) {
    console = disabled ? LEVEL_NONE : LEVEL_WARNING;
    if (only) only->terminal = console;
}

EXPORT int MoorDynClose(void) {
    host_free(only);
    only = NULL;
    return SUCCESS;
}

EXPORT int MoorDynInit(double x[], double v[], const char *file) {
    MoorDynClose();
    only = host_new(file, console);
    if (!only) return INVALID_INPUT_FILE;
    return host_start(only, x, v, 1);
}

EXPORT int MoorDynStep(double x[], double v[], double f[], double *t, double *dt) {
    NEEDS(only && t && dt);
    return host_step(only, x, v, f, t, *dt);
}

EXPORT double GetFairTen(int line) {
    double found = -1.0;
    if (only && line >= 1 && line <= host_n_lines) line_largest(only, line - 1, 1, &found);
    return found;
}

EXPORT int GetFASTtens(int *n, float fair_h[], float fair_v[], float anchor_h[], float anchor_v[]) {
    NEEDS(only && n);
    return fast_tensions(only, *n, fair_h, fair_v, anchor_h, anchor_v);
}

EXPORT int GetNodePos(int line, int node, double pos[3]) {
    NEEDS(only && pos && line >= 1 && line <= host_n_lines);
    return line_node(only, line - 1, node, POSITION, pos);
}

EXPORT int GetPointPos(int point, double pos[3]) {
    NEEDS(only && pos && point >= 1 && point <= host_n_points);
    return point_seen(only, point - 1, POSITION, pos);
}

EXPORT int GetPointForce(int point, double force[3]) {
    NEEDS(only && force && point >= 1 && point <= host_n_points);
    return point_force(only, point - 1, force);
}

/* The library writes no files of its own. */
EXPORT int AllOutput(double t, double dt) {
    (void)t, (void)dt;
    return SUCCESS;
}

EXPORT int LinesInit(double x[], double v[]) {
    return MoorDynInit(x, v, NULL);
}

EXPORT int LinesCalc(double x[], double v[], double f[], double *t, double *dt) {
    return MoorDynStep(x, v, f, t, dt);
}

EXPORT int LinesClose(void) {
    return MoorDynClose();
}
