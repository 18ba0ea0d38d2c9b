/* See `lines.h`. */
#include "lines.h"

#include <math.h>
#include <string.h>

static const double *node_of(const double *row, const host_line *line, int64_t node) {
    return row + line->node + node * line->stride;
}

static double distance(const double *a, const double *b, double *along) {
    double square = 0.0;
    for (int k = 0; k < 3; k++) along[k] = b[k] - a[k], square += along[k] * along[k];
    return sqrt(square);
}

static double length_of(const host *h, const host_line *line) {
    return h->lengths[line - host_lines];
}

/* Tension of segment s from A, N, and the unit vector along it; none where it is slack. What a rope carries is not in
   its strain alone: it is the mean of the tensions at both ends. */
static double segment(const host *h, const double *row, const host_line *line, int64_t s, double *along) {
    const double *a = node_of(row, line, s), *b = node_of(row, line, s + 1);
    double span = distance(a, b, along), length = length_of(h, line) / (double)line->segments, rate = 0.0;
    for (int k = 0; k < 3; k++) along[k] /= span, rate += (b[VELOCITY + k] - a[VELOCITY + k]) * along[k];
    if (line->rope) return fmax(0.0, 0.5 * (a[TENSION] + b[TENSION]));
    double strain = span / length - 1.0;
    double stiffness = h->stiffnesses[line - host_lines];
    double damping = line->stiffness * line->damping * pow(length_of(h, line) / line->length, line->damping_power);
    return strain > 0.0 ? fmax(0.0, stiffness * strain + damping * rate / length) : 0.0;
}

static int node_refused(host *h, const host_line *line, int64_t node) {
    if (node >= 0 && node <= line->segments) return 0;
    host_say(h, LEVEL_ERROR, 0, "line %lld has the nodes 0 to %lld, not %lld", (long long)line->id,
             (long long)line->segments, (long long)node);
    return 1;
}

int line_node(host *h, int64_t number, int64_t node, enum node_quantity what, double out[3]) {
    const host_line *line = &host_lines[number];
    const double *row = host_places(h);
    if (!row || node_refused(h, line, node)) return INVALID_VALUE;
    memcpy(out, node_of(row, line, node) + what, 3 * sizeof(double));
    return SUCCESS;
}

static void tension_at(const host *h, const double *row, const host_line *line, int64_t node, double *out) {
    int64_t first = node > 0 ? node - 1 : 0, last = node < line->segments ? node : line->segments - 1;
    double along[3];
    memset(out, 0, 3 * sizeof(double));
    for (int64_t s = first; s <= last; s++) {
        double tension = segment(h, row, line, s, along);
        for (int k = 0; k < 3; k++) out[k] += tension * along[k] / (double)(last - first + 1);
    }
}

int line_tension(host *h, int64_t number, int64_t node, double out[3]) {
    const double *row = host_row(h);
    if (!row || node_refused(h, &host_lines[number], node)) return INVALID_VALUE;
    tension_at(h, row, &host_lines[number], node, out);
    return SUCCESS;
}

int line_largest(host *h, int64_t number, int fairlead_only, double *out) {
    const host_line *line = &host_lines[number];
    const double *row = host_row(h);
    double along[3];
    if (!row) return INVALID_VALUE;
    *out = segment(h, row, line, line->segments - 1, along);
    for (int64_t s = 0; !fairlead_only && s < line->segments; s++) *out = fmax(*out, segment(h, row, line, s, along));
    return SUCCESS;
}

/* Force of the line on what holds its end A (0) or B (1); between lines of one cable, its tension. */
static void end_force(const host *h, const double *row, const host_line *line, int end, double *out) {
    if (line->force[end] >= 0) {
        memcpy(out, row + line->force[end], 3 * sizeof(double));
        return;
    }
    tension_at(h, row, line, end ? line->segments : 0, out);
    for (int k = 0; end && k < 3; k++) out[k] = -out[k];
}

int line_force(host *h, int64_t number, int64_t node, double out[3]) {
    const host_line *line = &host_lines[number];
    const double *row = host_row(h);
    if (!row || node_refused(h, line, node)) return INVALID_VALUE;
    if (node == 0 || node == line->segments) {
        end_force(h, row, line, node != 0, out);
        return SUCCESS;
    }
    const double *now = node_of(row, line, node), *then = node_of(h->before, line, node);
    for (int k = 0; k < 3; k++)
        out[k] = h->since > 0.0 ? length_of(h, line) / line->length * line->mass * (now[VELOCITY + k] - then[VELOCITY + k]) / h->since : 0.0;
    return SUCCESS;
}

int line_curvature(host *h, int64_t number, int64_t node, double *out) {
    const host_line *line = &host_lines[number];
    const double *row = host_row(h);
    double one[3], two[3], dot = 0.0;
    if (!row || node_refused(h, line, node)) return INVALID_VALUE;
    *out = 0.0;
    if (node == 0 || node == line->segments) return SUCCESS;
    double a = distance(node_of(row, line, node - 1), node_of(row, line, node), one);
    double b = distance(node_of(row, line, node), node_of(row, line, node + 1), two);
    for (int k = 0; k < 3; k++) dot += one[k] / a * two[k] / b;
    *out = 2.0 * (double)line->segments / length_of(h, line) * sqrt(fmax(0.0, 0.5 * (1.0 - dot)));
    return SUCCESS;
}

int point_seen(host *h, int64_t number, enum node_quantity what, double out[3]) {
    const host_point *point = &host_points[number];
    if (point->n_ends) {
        const host_line_end *end = &host_line_ends[point->first_end];
        return line_node(h, end->line, end->end ? host_lines[end->line].segments : 0, what, out);
    }
    const double *from = what == POSITION ? h->x : h->v, none[3] = {0.0, 0.0, 0.0};
    const double *fixed = what == POSITION ? point->place : none;
    memcpy(out, point->carrier >= 0 ? from + host_carriers[point->carrier].first : fixed, 3 * sizeof(double));
    return SUCCESS;
}

int point_force(host *h, int64_t number, double out[3]) {
    const host_point *point = &host_points[number];
    const double *row = host_row(h);
    double pull[3];
    if (!row) return INVALID_VALUE;
    memset(out, 0, 3 * sizeof(double));
    for (const host_line_end *e = host_line_ends + point->first_end; e < host_line_ends + point->first_end + point->n_ends; e++) {
        end_force(h, row, &host_lines[e->line], (int)e->end, pull);
        for (int k = 0; k < 3; k++) out[k] += pull[k];
    }
    return SUCCESS;
}

int fast_tensions(host *h, int64_t n, float *fair_h, float *fair_v, float *anchor_h, float *anchor_v) {
    const double *row = host_row(h);
    double pull[3];
    if (!row || n < 0 || n > host_n_lines) return INVALID_VALUE;
    for (int64_t k = 0; k < n; k++)
        for (int end = 0; end < 2; end++) {
            end_force(h, row, &host_lines[k], end, pull);
            (end ? fair_h : anchor_h)[k] = (float)hypot(pull[0], pull[1]);
            (end ? fair_v : anchor_v)[k] = (float)fabs(pull[2]);
        }
    return SUCCESS;
}
