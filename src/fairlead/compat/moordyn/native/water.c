/* Water whose motion the host gives, WaveKin 1: nodes of all lines, points, the ground (at the origin) and bodies are
   asked for, in MoorDyn's order; lines are what feels it. See `fairlead/compat/moordyn/water.py`. */
#include <math.h>
#include <string.h>

#include "lines.h"

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

static int64_t places(void) {
    int64_t n = host_n_points + 1 + host_n_bodies;
    for (const host_line *line = host_lines; line < host_lines + host_n_lines; line++) n += line->segments + 1;
    return n;
}

static int refused(host *h) {
    if (!h) return INVALID_VALUE;
    if (host_water_since < 0)
        return host_say(h, LEVEL_ERROR, INVALID_VALUE, "this library takes no motion of the water from its host. What to do: "
                        "say '1 WaveKin' in a file without rods, free bodies and floats, then %s", host_command);
    return host_row(h) ? SUCCESS : INVALID_VALUE;
}

EXPORT int MoorDyn_ExternalWaveKinGetN(host *h, unsigned int *n) {
    int code = refused(h);
    if (code == SUCCESS && n) *n = (unsigned int)places();
    return code;
}

EXPORT int MoorDyn_ExternalWaveKinInit(host *h, unsigned int *n) { return MoorDyn_ExternalWaveKinGetN(h, n); }

EXPORT int MoorDyn_ExternalWaveKinGetCoordinates(host *h, double *r) {
    int code = refused(h);
    if (code != SUCCESS || !r) return code != SUCCESS ? code : INVALID_VALUE;
    for (int64_t k = 0; k < host_n_lines; k++)
        for (int64_t node = 0; node <= host_lines[k].segments; node++, r += 3) line_node(h, k, node, POSITION, r);
    for (int64_t k = 0; k < host_n_points; k++, r += 3) point_seen(h, k, POSITION, r);
    memset(r, 0, 3 * sizeof(double)), r += 3;
    for (const host_body *b = host_bodies; b < host_bodies + host_n_bodies; b++, r += 3)
        memcpy(r, b->carrier >= 0 ? h->x + host_carriers[b->carrier].first : b->place, 3 * sizeof(double));
    return SUCCESS;
}

EXPORT int MoorDyn_ExternalWaveKinSet(host *h, const double *u, const double *a, double t) {
    int code = refused(h);
    if (code != SUCCESS || !u || !a) return code != SUCCESS ? code : INVALID_VALUE;
    int64_t numbers = 3 * places();
    for (int64_t k = 0; k < numbers; k++)
        if (!isfinite(u[k]) || !isfinite(a[k]) || !isfinite(t))
            return host_say(h, LEVEL_ERROR, INVALID_VALUE, "the motion of the water must be finite");
    for (const host_line *line = host_lines; line < host_lines + host_n_lines; line++)
        for (int64_t node = 0; node <= line->segments; node++, u += 3, a += 3) {
            double *at = &h->self->reals[line->water + node * line->water_stride];
            memcpy(at, u, 3 * sizeof(double)), memcpy(at + 3, a, 3 * sizeof(double));
        }
    h->self->reals[host_water_since] = t;
    h->self->seen = 0;
    return SUCCESS;
}
