/* See `host.h`. Function by function this follows `fairlead/compat/moordyn`: coupling and instance. */
#include "host.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

static const char *const USUAL_FILE = "Mooring/lines.txt";
static const double SAME_PLACE = 1e-9;    /* m and rad: there is no need to look for the equilibrium anew */
static const double PART_OF_SEGMENT = 0.2; /* by which an end is moved at once on its way to where a run begins */
static const double MOST_MOVES = 1e5;
static const uint64_t MARK = 0x6d6f6f7266616972u; /* "moorfair" */

/* --- messages ------------------------------------------------------------------------------------------------------ */
int host_say(const host *h, int level, int code, const char *format, ...) {
    char text[1200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!h || level >= h->terminal) fprintf(level >= LEVEL_WARNING ? stderr : stdout, "fairlead: %s\n", text);
    if (h && h->log && level >= h->level) fprintf(h->log, "%s\n", text), fflush(h->log);
    return code;
}

static void report(const instance *self, enum status status, const char *category, const char *text) {
    (void)category;
    host_say(*(host *const *)self->host, status == WARNING ? LEVEL_WARNING : LEVEL_ERROR, 0, "%s", text);
}

/* --- the file it was made from --------------------------------------------------------------------------------------- */
/* FNV-1a of all bytes but carriage returns; 0 when the file cannot be read. */
static uint64_t hash_of(const char *file) {
    FILE *f = fopen(file, "rb");
    if (!f) return 0;
    uint64_t hash = 0xcbf29ce484222325u;
    for (int c; (c = fgetc(f)) != EOF;)
        if (c != '\r') hash = (hash ^ (uint64_t)c) * 0x100000001b3u;
    fclose(f);
    return hash;
}

static int is_the_file(const char *file) {
    if (!file || !*file) file = USUAL_FILE;
    uint64_t hash = hash_of(file);
    if (hash == host_deck) return 1;
    if (!hash) host_say(NULL, LEVEL_ERROR, 0, "%s cannot be read", file);
    else host_say(NULL, LEVEL_ERROR, 0, "%s is not the file this library was made from. What to do: %s", file, host_command);
    return 0;
}

/* --- life -------------------------------------------------------------------------------------------------------------- */
static thing *things(host *h, int64_t n) {
    thing *all = calloc((size_t)n + 1, sizeof(thing));
    for (int64_t k = 0; all && k < n; k++) all[k] = (thing){h, k};
    return all;
}

host *host_new(const char *file, int terminal) {
    if (!is_the_file(file)) return NULL;
    host *h = calloc(1, sizeof *h), **handed = malloc(sizeof *handed);
    if (!h || !handed) {
        free(h), free(handed);
        return NULL;
    }
    h->terminal = terminal, h->level = LEVEL_MESSAGE;
    *handed = h;
    h->self = instance_new("moordyn", model_token, handed, report);
    if (!h->self) free(handed);
    h->x = calloc((size_t)host_n_x + 1, sizeof(double));
    h->v = calloc((size_t)host_n_x + 1, sizeof(double));
    h->before = calloc((size_t)model_n_row + 1, sizeof(double));
    h->lengths = calloc((size_t)host_n_lines + 1, sizeof(double));
    h->stiffnesses = calloc((size_t)host_n_lines + 1, sizeof(double));
    h->lines = things(h, host_n_lines), h->points = things(h, host_n_points), h->bodies = things(h, host_n_bodies);
    if (!h->self || !h->x || !h->v || !h->before || !h->lengths || !h->stiffnesses || !h->lines || !h->points || !h->bodies) {
        host_say(h, LEVEL_ERROR, 0, "there is not enough memory");
        host_free(h);
        return NULL;
    }
    for (int64_t k = 0; k < host_n_lines; k++)
        h->lengths[k] = host_lines[k].length, h->stiffnesses[k] = host_lines[k].stiffness;
    memcpy(h->x, host_at, sizeof(double) * (size_t)host_n_x);
    return h;
}

void host_free(host *h) {
    if (!h) return;
    instance_free(h->self);
    if (h->log) fclose(h->log);
    free(h->x), free(h->v), free(h->before), free(h->lengths), free(h->stiffnesses);
    free(h->lines), free(h->points), free(h->bodies);
    free(h);
}

/* --- lengths, stiffnesses, and ends that let go ---------------------------------------------------------------------------- */
/* Constants times a ratio to the power of each. */
static void scale(host *h, const host_scale *first, int64_t count, double ratio) {
    for (const host_scale *s = first; s < first + count; s++) h->self->reals[s->place] *= pow(ratio, (double)s->power);
}

/* The constants of a line as a length and its stiffness make them. */
static void scale_line(host *h, int64_t number, double length) {
    const host_line *line = &host_lines[number];
    const host_scale *long_ = host_scaled + line->first_scaled, *stiff = host_scaled + line->first_stiff;
    for (const host_scale *s = long_; s < long_ + line->n_scaled; s++) h->self->reals[s->place] = model_reals[s->place];
    for (const host_scale *s = stiff; s < stiff + line->n_stiff; s++) h->self->reals[s->place] = model_reals[s->place];
    scale(h, long_, line->n_scaled, length / line->length);
    scale(h, stiff, line->n_stiff, h->stiffnesses[number] / line->stiffness);
    h->self->seen = 0;
}

int host_set_stiffness(host *h, int64_t number, double stiffness) {
    const host_line *line = &host_lines[number];
    if (line->rope)
        return host_say(h, LEVEL_ERROR, INVALID_VALUE, "line %lld has no constant stiffness to set", (long long)line->id);
    if (!isfinite(stiffness) || stiffness <= 0.0)
        return host_say(h, LEVEL_ERROR, INVALID_VALUE, "line %lld: a stiffness must be positive, not %g", (long long)line->id, stiffness);
    if (stiffness != h->stiffnesses[number] && !line->n_stiff)
        return host_say(h, LEVEL_ERROR, NOT_IMPLEMENTED, "the stiffness of line %lld was compiled in. What to do: put %g N "
                        "into the file, then %s", (long long)line->id, stiffness, host_command);
    h->stiffnesses[number] = stiffness;
    scale_line(h, number, h->lengths[number]);
    return SUCCESS;
}

int host_set_length(host *h, int64_t number, double length) {
    const host_line *line = &host_lines[number];
    if (!isfinite(length) || length <= 0.0)
        return host_say(h, LEVEL_ERROR, INVALID_VALUE, "line %lld: a length must be positive, not %g", (long long)line->id, length);
    if (length != h->lengths[number] && !line->n_scaled)
        return host_say(h, LEVEL_ERROR, NOT_IMPLEMENTED, "the length of line %lld was compiled in. What to do: put %g m "
                        "into the file, then %s", (long long)line->id, length, host_command);
    h->lengths[number] = length;
    scale_line(h, number, length);
    return SUCCESS;
}

int host_break(host *h, int64_t number, int end) {
    const host_line *line = &host_lines[number];
    if (line->release[end] < 0)
        return host_say(h, LEVEL_ERROR, INVALID_VALUE, "line %lld goes on at that end: it cannot be let go there", (long long)line->id);
    h->self->reals[line->release[end]] = h->self->time;
    return SUCCESS;
}

/* --- what the host moves ------------------------------------------------------------------------------------------------ */
/* R = Rx(roll) Ry(pitch) Rz(yaw) applied to an arm. */
static void turned(const double *angles, const double *arm, double *out) {
    double cr = cos(angles[0]), sr = sin(angles[0]), cp = cos(angles[1]), sp = sin(angles[1]), cy = cos(angles[2]),
           sy = sin(angles[2]);
    double x = cy * arm[0] - sy * arm[1], y = sy * arm[0] + cy * arm[1], z = arm[2];
    double px = cp * x + sp * z, pz = -sp * x + cp * z;
    out[0] = px, out[1] = cr * y - sr * pz, out[2] = sr * y + cr * pz;
}

static void cross(const double *a, const double *b, double *out) {
    out[0] = a[1] * b[2] - a[2] * b[1], out[1] = a[2] * b[0] - a[0] * b[2], out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Arm, place and velocity of an end of a carrier, `ahead` seconds along x + v s. */
static void end_of(const host_carrier *c, const host_end *e, const double *x, const double *v, double ahead, double *arm,
                   double *place, double *velocity) {
    double angles[3] = {0.0, 0.0, 0.0}, swept[3] = {0.0, 0.0, 0.0};
    x += c->first, v += c->first;
    memcpy(arm, e->arm, 3 * sizeof(double));
    if (c->size == 6) {
        for (int k = 0; k < 3; k++) angles[k] = x[3 + k] + ahead * v[3 + k];
        turned(angles, e->arm, arm);
        cross(v + 3, arm, swept);
    }
    for (int k = 0; k < 3; k++) {
        place[k] = x[k] + ahead * v[k] + (c->size == 6 ? arm[k] : 0.0);
        velocity[k] = v[k] + swept[k];
    }
}

/* Lead all ends over the step h from t along x + v s, from where they are at t. */
static void lead(host *h, const double *x, const double *v, double t, double step) {
    for (const host_carrier *c = host_carriers; c < host_carriers + host_n_carriers; c++)
        for (const host_end *e = host_ends + c->first_end; e < host_ends + c->first_end + c->n_ends; e++) {
            double arm[3], x0[3], v0[3], x1[3], v1[3], *path = &h->self->reals[e->path];
            end_of(c, e, x, v, 0.0, arm, x0, v0);
            end_of(c, e, x, v, step, arm, x1, v1);
            for (int row = 0; row < 2; row++) {
                double s = row ? 3.0 * step : -step;
                path[7 * row] = t + s;
                for (int k = 0; k < 3; k++) {
                    double mean = (x1[k] - x0[k]) / step, a = (6.0 * mean - 4.0 * v0[k] - 2.0 * v1[k]) / step;
                    double jerk = 6.0 * (v0[k] + v1[k] - 2.0 * mean) / (step * step);
                    path[7 * row + 1 + k] = x0[k] + s * (v0[k] + s * (a / 2.0 + s * jerk / 6.0)) - e->base[k];
                    path[7 * row + 4 + k] = v0[k] + s * (a + s * jerk / 2.0);
                }
            }
            memcpy(&h->self->y[e->position], x0, sizeof x0);
            memcpy(&h->self->y[e->velocity], v0, sizeof v0);
        }
    h->self->seen = 0;
}

/* Force, and moment about its origin, on each carrier. */
static void forces(const host *h, const double *row, double *f) {
    memset(f, 0, sizeof(double) * (size_t)host_n_x);
    for (const host_carrier *c = host_carriers; c < host_carriers + host_n_carriers; c++)
        for (const host_end *e = host_ends + c->first_end; e < host_ends + c->first_end + c->n_ends; e++) {
            double arm[3], place[3], velocity[3], pull[3] = {0.0, 0.0, 0.0}, moment[3];
            end_of(c, e, h->x, h->v, 0.0, arm, place, velocity);
            for (const int64_t *p = host_pulls + e->first_pull; p < host_pulls + e->first_pull + e->n_pulls; p++)
                for (int k = 0; k < 3; k++) pull[k] += row[*p + k];
            cross(arm, pull, moment);
            for (int k = 0; k < 3; k++) {
                f[c->first + k] += pull[k];
                if (c->size == 6) f[c->first + 3 + k] += moment[k];
            }
        }
}

static int all_finite(const double *x) {
    for (int64_t k = 0; k < host_n_x; k++)
        if (!isfinite(x[k])) return 0;
    return 1;
}

/* --- beginning ------------------------------------------------------------------------------------------------------------- */
/* From rest in the file's places to rest at x: the ends are walked there, a fraction of a segment at once, and the lines
   with them from the file's lengths to those that were set. */
static int walk(host *h, const double *x) {
    double furthest = 0.0, shortest = INFINITY, *way = calloc(2 * (size_t)host_n_x + 1, sizeof(double));
    if (!way) return host_say(h, LEVEL_ERROR, NO_MEMORY, "there is not enough memory");
    double *still = way + host_n_x;
    for (const host_line *line = host_lines; line < host_lines + host_n_lines; line++) {
        double wanted = h->lengths[line - host_lines];
        shortest = fmin(shortest, fmin(wanted, line->length) / (double)line->segments);
        furthest = fmax(furthest, fabs(wanted - line->length));
    }
    for (const host_carrier *c = host_carriers; c < host_carriers + host_n_carriers; c++)
        for (const host_end *e = host_ends + c->first_end; e < host_ends + c->first_end + c->n_ends; e++) {
            double arm[3], from[3], to[3], v[3], far = 0.0, *none = still;
            end_of(c, e, host_at, none, 0.0, arm, from, v);
            end_of(c, e, x, none, 0.0, arm, to, v);
            for (int k = 0; k < 3; k++) far += (to[k] - from[k]) * (to[k] - from[k]);
            furthest = fmax(furthest, sqrt(far));
        }
    double moves = fmax(1.0, ceil(furthest / (PART_OF_SEGMENT * shortest)));
    int code = SUCCESS;
    if (moves > MOST_MOVES)
        code = host_say(h, LEVEL_ERROR, INVALID_VALUE, "ends or lengths begin %.3g m from where the file has them: put "
                        "them into the file and make the library anew: %s", furthest, host_command);
    for (double move = 1.0; code == SUCCESS && move <= moves; move++) {
        for (int64_t k = 0; k < host_n_lines; k++)
            scale_line(h, k, host_lines[k].length + move / moves * (h->lengths[k] - host_lines[k].length));
        for (int64_t k = 0; k < host_n_x; k++) way[k] = host_at[k] + move / moves * (x[k] - host_at[k]);
        lead(h, way, still, 0.0, model_step);
        if (start_relax(h->self, "Init", DRIVEN) != OK)
            code = host_say(h, LEVEL_ERROR, NOT_A_NUMBER, "the lines do not come to rest with the ends at x");
    }
    free(way);
    return code;
}

int host_start(host *h, const double *x, const double *v, int at_rest) {
    if (host_n_x && (!x || !v)) return host_say(h, LEVEL_ERROR, INVALID_INPUT, "Init: x and v are needed");
    if (!all_finite(x) || !all_finite(v)) return host_say(h, LEVEL_ERROR, INVALID_VALUE, "Init: x and v must be finite");
    instance_reset(h->self);
    double off = 0.0;
    for (int64_t k = 0; k < host_n_lines; k++) {
        off = fmax(off, fabs(h->lengths[k] - host_lines[k].length));
        off = fmax(off, fabs(h->stiffnesses[k] / host_lines[k].stiffness - 1.0));
    }
    for (int64_t k = 0; k < host_n_x; k++) off = fmax(off, fabs(x[k] - host_at[k]));
    if (at_rest && off > SAME_PLACE) {
        int code = walk(h, x);
        if (code != SUCCESS) return code;
    }
    for (int64_t k = 0; k < host_n_lines; k++) scale_line(h, k, h->lengths[k]);
    lead(h, x, v, 0.0, model_step);
    memcpy(h->x, x, sizeof(double) * (size_t)host_n_x);
    memcpy(h->v, v, sizeof(double) * (size_t)host_n_x);
    h->since = 0.0, h->at_rest = 1;
    h->self->mode = STEPPING;
    return SUCCESS;
}

/* --- going on ----------------------------------------------------------------------------------------------------------------- */
const double *host_places(host *h) { return instance_see(h->self) == OK ? h->self->row : NULL; }

const double *host_row(host *h) {
    if (!h->at_rest) {
        host_say(h, LEVEL_ERROR, 0, "the system is not at rest yet: call Init first");
        return NULL;
    }
    return host_places(h);
}

int host_step(host *h, const double *x, const double *v, double *f, double *time, double dt) {
    double t = *time;
    if (host_n_x && (!x || !v || !f)) return host_say(h, LEVEL_ERROR, INVALID_INPUT, "Step: x, v and f are needed");
    if (!all_finite(x) || !all_finite(v) || !isfinite(t) || !isfinite(dt) || dt < 0.0)
        return host_say(h, LEVEL_ERROR, INVALID_VALUE, "Step: x, v, t and dt must be finite and dt not negative");
    if (!host_row(h)) return INVALID_VALUE;
    instance *self = h->self;
    memcpy(h->before, self->row, sizeof(double) * (size_t)model_n_row);
    lead(h, x, v, t, dt > 0.0 ? dt : h->self->longest);
    self->time = t;
    if (dt > 0.0 && instance_step(self, "Step", t, dt) != OK) return NOT_A_NUMBER;
    for (int64_t k = 0; k < host_n_x; k++) h->x[k] = x[k] + dt * v[k], h->v[k] = v[k];
    if (dt > 0.0) h->since = dt;
    const double *row = host_row(h);
    if (!row) return NOT_A_NUMBER;
    forces(h, row, f);
    *time = t + dt;
    return SUCCESS;
}

/* --- keeping ------------------------------------------------------------------------------------------------------------------ */
/* What calls have changed of the constants, which a snapshot of the state leaves out: of each line its length and when
   its ends are let go. */
#define KEPT_OF_LINE 3

static void keep_lines(const host *h, double *out) {
    for (int64_t k = 0; k < host_n_lines; k++) {
        out[KEPT_OF_LINE * k] = h->lengths[k];
        for (int end = 0; end < 2; end++) {
            int64_t at = host_lines[k].release[end];
            out[KEPT_OF_LINE * k + 1 + end] = at < 0 ? 0.0 : h->self->reals[at];
        }
    }
}

static void restore_lines(host *h, const double *in) {
    for (int64_t k = 0; k < host_n_lines; k++) {
        h->lengths[k] = in[KEPT_OF_LINE * k];
        scale_line(h, k, h->lengths[k]);
        for (int end = 0; end < 2; end++) {
            int64_t at = host_lines[k].release[end];
            if (at >= 0) h->self->reals[at] = in[KEPT_OF_LINE * k + 1 + end];
        }
    }
}

static size_t bytes_of_lines(void) { return sizeof(double) * KEPT_OF_LINE * (size_t)host_n_lines; }

size_t host_bytes(void) {
    size_t own = sizeof(uint64_t) * 2 + sizeof(double) * (1 + 2 * (size_t)host_n_x) + bytes_of_lines();
    return (own + snapshot_size() + 7) / 8 * 8;
}

static uint64_t sum_of(const unsigned char *bytes, size_t n) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t k = 0; k < n; k++) hash = (hash ^ bytes[k]) * 0x100000001b3u;
    return hash;
}

int host_keep(host *h, void *bytes) {
    if (!host_row(h)) return INVALID_VALUE;
    snapshot *taken = NULL;
    if (snapshot_take(h->self, "Save", &taken) != OK) return NO_MEMORY;
    unsigned char *out = bytes;
    size_t row = sizeof(double) * (size_t)host_n_x, lines = bytes_of_lines(), all = host_bytes();
    memset(out, 0, all);
    memcpy(out, &MARK, 8), memcpy(out + 16, &h->since, 8);
    memcpy(out + 24, h->x, row), memcpy(out + 24 + row, h->v, row);
    keep_lines(h, (double *)(out + 24 + 2 * row));
    memcpy(out + 24 + 2 * row + lines, taken, snapshot_size());
    uint64_t sum = sum_of(out + 16, all - 16);
    memcpy(out + 8, &sum, 8);
    free(taken);
    return SUCCESS;
}

int host_restore(host *h, const void *bytes, size_t size) {
    const unsigned char *in = bytes;
    uint64_t head[2];
    size_t row = sizeof(double) * (size_t)host_n_x, lines = bytes_of_lines(), all = host_bytes();
    if (!h->at_rest) return host_say(h, LEVEL_ERROR, INVALID_VALUE, "Load: call Init (or Init_NoIC) first");
    if (!bytes || size < all) return host_say(h, LEVEL_ERROR, INVALID_INPUT, "this is no state of this system");
    memcpy(head, in, sizeof head);
    if (head[0] != MARK || head[1] != sum_of(in + 16, all - 16))
        return host_say(h, LEVEL_ERROR, INVALID_INPUT, "this is the state of another system, or damaged");
    snapshot *read = NULL;
    if (snapshot_read(h->self, "Load", in + 24 + 2 * row + lines, snapshot_size(), &read) != OK) return INVALID_INPUT;
    enum status status = snapshot_restore(h->self, "Load", read);
    free(read);
    if (status != OK) return INVALID_INPUT;
    memcpy(&h->since, in + 16, 8);
    memcpy(h->x, in + 24, row), memcpy(h->v, in + 24 + row, row);
    int seen = h->self->seen;
    restore_lines(h, (const double *)(in + 24 + 2 * row));
    lead(h, h->x, h->v, h->self->time, h->since > 0.0 ? h->since : model_step);
    h->self->seen = seen; /* the row came with the state */
    return SUCCESS;
}
