/* Constants and first state of an instance, from its parameters.

   As long as every parameter has its start value, both are the compiled-in ones, to the last bit. When one has changed,
   the constants follow by the operations by which the formulation makes them, recorded when the FMU was made, and the
   first state is made anew: the cables are laid again (`hang.c`), or, where the run starts from rest, let go in the
   compiled-in shape and stopped until they rest. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hang.h"
#include "instance.h"
#include "kernel.h"
#include "model.h"

enum { STEPS_A_LOOK = 5, LOOKS_A_WINDOW = 100, MOST_WINDOWS = 400, MOST_LOOKS = 4000 };
static const double PAST_PEAK = 0.9; /* motion is stopped when its energy has fallen to this part of its peak */
static const double AT_REST = 1e-9;  /* m and rad: nothing moves further than this in a window of looks */
static const double SHORTEST = 1e-6, LONGEST = 1e4; /* steps, in parts of the first one */
static const double FAR = 10.0;      /* m and rad: no look may move anything so far */

static double made(int64_t operation, double a, double b) {
    switch (operation) {
    case ADD: return a + b;
    case SUBTRACT: return a - b;
    case MULTIPLY: return a * b;
    case POWER: return pow(a, b);
    case SIZE: return fabs(a);
    case LARGER: return fmax(a, b);
    default: return a / b; /* QUOTIENT by zero: infinity */
    }
}

static int holds(const model_condition *c, const double *v) {
    double a = v[c->left], b = v[c->right];
    return c->comparison == LESS ? a < b : c->comparison == AT_MOST ? a <= b : a == b;
}

static int changed(const instance *self, int64_t parameter) {
    return self->p[parameter] != model_parameters[parameter].start;
}

static int any_changed(const instance *self) {
    int any = 0;
    for (int64_t k = 0; k < model_n_parameters; k++) any |= changed(self, k);
    return any;
}

/* The constants that go with the parameters; 0 when these would make another system. */
int start_constants(instance *self) {
    memcpy(self->ints, model_ints, sizeof(int64_t) * (size_t)model_n_ints);
    memcpy(self->reals, model_reals, sizeof(double) * (size_t)model_n_constants);
    if (!any_changed(self)) return 1;
    double *v = malloc(sizeof(double) * (size_t)(model_n_values + 1));
    if (!v) return 0;
    memcpy(v, model_values, sizeof(double) * (size_t)model_n_values);
    memcpy(v, self->p, sizeof(double) * (size_t)model_n_parameters);
    for (const model_operation *o = model_operations; o < model_operations + model_n_operations; o++)
        v[o->result] = made(o->operation, v[o->left], v[o->right]);
    int same = 1;
    for (const model_condition *c = model_conditions; c < model_conditions + model_n_conditions; c++)
        same &= holds(c, v) == (c->holds != 0);
    for (const model_found *f = model_founds; same && f < model_founds + model_n_founds; f++)
        self->reals[f->place] = v[f->value];
    free(v);
    return same;
}

/* --- the cables laid again -------------------------------------------------------------------------------------- */
typedef double quaternion[4];

static double normalise(double *x, int n) {
    double size = 0.0;
    for (int k = 0; k < n; k++) size += x[k] * x[k];
    size = sqrt(size);
    for (int k = 0; k < n; k++) x[k] /= size;
    return size;
}

static void multiply(const double *p, const double *q, double *out) {
    quaternion r = {p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
                    p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
                    p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
                    p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]};
    memcpy(out, r, sizeof r);
}

/* Frame whose z axis is the unit vector t, turned the shortest way. */
static void from_axis(const double *t, double *q) {
    double s = 1.0 + t[2];
    if (s < 1e-9) s = 0.0, q[0] = q[2] = q[3] = 0.0, q[1] = 1.0;
    else q[0] = s, q[1] = -t[1], q[2] = t[0], q[3] = 0.0;
    normalise(q, 4);
}

/* `frame`, whose z axis is a, turned the shortest way until it is b. */
static void turn(const double *a, const double *b, const double *frame, double *out) {
    double c = 1.0 + a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    quaternion by = {c, a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    if (c < 1e-9) { /* a hairpin: half a turn about the frame's own x axis */
        const double *q = frame;
        by[0] = 0.0;
        by[1] = 1.0 - 2.0 * (q[2] * q[2] + q[3] * q[3]);
        by[2] = 2.0 * (q[1] * q[2] + q[0] * q[3]);
        by[3] = 2.0 * (q[1] * q[3] - q[0] * q[2]);
    }
    normalise(by, 4);
    multiply(by, frame, out);
    normalise(out, 4);
}

static void clamp(instance *self, const model_shape *shape, int side, const double *tangent, const double *frame) {
    double *out = &self->reals[shape->clamps[side]], goal[3];
    memcpy(goal, shape->directions[side], sizeof goal);
    if (goal[0] == 0.0 && goal[1] == 0.0 && goal[2] == 0.0) {
        memcpy(out, frame, sizeof(quaternion));
        return;
    }
    normalise(goal, 3);
    if (1.0 + tangent[0] * goal[0] + tangent[1] * goal[1] + tangent[2] * goal[2] < 1e-9) from_axis(goal, out);
    else turn(tangent, goal, frame, out);
}

/* Bars, joint forces and clamps of one cable from its nodes and tensions, in the order in which it is stored. */
static void take_shape(instance *self, const model_shape *shape, const double *nodes, const double *tensions) {
    int64_t n = shape->elements;
    double before[3] = {0.0, 0.0, 0.0}, tangent[3], last_pull[3] = {0.0, 0.0, 0.0};
    quaternion frame = {1.0, 0.0, 0.0, 0.0};
    for (int64_t i = 0; i <= n; i++) {
        double pull[3];
        memcpy(pull, last_pull, sizeof pull);
        if (i < n) {
            int64_t element = shape->reversed ? n - 1 - i : i;
            const double *from = &nodes[3 * (shape->reversed ? n - i : i)];
            const double *to = &nodes[3 * (shape->reversed ? n - 1 - i : i + 1)];
            double *bar = &self->y[shape->bodies + i * shape->stride];
            for (int k = 0; k < 3; k++) tangent[k] = to[k] - from[k], bar[k] = 0.5 * (to[k] + from[k]);
            normalise(tangent, 3);
            if (i == 0) from_axis(tangent, frame);
            else turn(before, tangent, frame, frame);
            memcpy(&bar[3], frame, sizeof frame);
            if (i == 0) clamp(self, shape, 0, tangent, frame);
            if (i == n - 1) clamp(self, shape, 1, tangent, frame);
            for (int k = 0; k < 3; k++) pull[k] = tensions[element] * tangent[k];
            memcpy(before, tangent, sizeof before);
        }
        for (int k = 0; k < 3; k++)
            self->y[shape->multipliers + 3 * i + k] = 0.5 * ((i == 0 ? pull[k] : last_pull[k]) + pull[k]);
        memcpy(last_pull, pull, sizeof pull);
    }
}

static enum status lay(instance *self, const char *function) {
    for (const model_shape *shape = model_shapes; shape < model_shapes + model_n_shapes; shape++) {
        size_t n = (size_t)shape->elements;
        const double *c = &self->reals[shape->first];
        hang_cable cable = {.n = (int)n, .lengths = c, .diameters = c + n, .dry = c + 2 * n, .wet = c + 3 * n,
                            .stiffness = c + 4 * n, .node_dry = c + 5 * n, .node_wet = c + 6 * n + 1,
                            .contact_radius = c[7 * n + 2], .start = shape->start, .end = shape->end,
                            .has_bed = (int)model_has_bed, .bed_level = self->reals[model_n_constants - 1],
                            .bed_slope = {model_bed_slope[0], model_bed_slope[1]}};
        double *nodes = calloc(4 * n + 3, sizeof(double));
        if (!nodes) return instance_say(self, FATAL, "not enough memory");
        const char *fault = hang_in_sea(&cable, nodes, nodes + 3 * n + 3);
        if (!fault) take_shape(self, shape, nodes, nodes + 3 * n + 3);
        free(nodes);
        if (fault)
            return instance_say(self, ERROR, "%s: with these parameters cable '%s' cannot be laid here: %s. What to do: "
                                "put the values into the file and make the FMU anew.", function, shape->name, fault);
    }
    return OK;
}

/* --- let go until it rests ---------------------------------------------------------------------------------------- */
static double energy_of(const double *y) {
    double sum = 0.0;
    for (int64_t k = 0; k < model_n_rates; k++) sum += y[model_rates[k]] * y[model_rates[k]];
    return sum;
}

static void stop(double *y) {
    for (int64_t k = 0; k < model_n_rates; k++) y[model_rates[k]] = 0.0;
}

/* How far anything is from where it was; velocities do not count. */
static double moved(const double *y, const double *before) {
    double furthest = 0.0;
    for (int64_t k = 0; k < model_n_moves; k++)
        furthest = fmax(furthest, fabs(y[model_moves[k]] - before[model_moves[k]]));
    return furthest;
}

/* `steps` of h with time standing still, in place; the sum of squares of velocities then, infinite where it went wrong. */
static double let_go(instance *self, double *y, int64_t steps, double h, int64_t *ints, double *reals, const double *u) {
    memcpy(ints, model_still_ints, sizeof(int64_t) * (size_t)model_n_ints);
    memcpy(reals, self->reals, sizeof(double) * (size_t)model_n_constants);
    for (int64_t k = 0; k < model_n_stills; k++) reals[model_stills[k].place] = model_stills[k].value;
    int64_t outcome = kernel_run(0.0, y, model_n_state, steps, h, u, model_n_inputs, ints, model_n_ints, reals,
                                 model_n_reals, self->work, model_n_work, model_still_kind, self->copy, self->row, 0);
    double energy = outcome == KERNEL_OK ? energy_of(y) : INFINITY;
    return isfinite(energy) ? energy : INFINITY;
}

/* Stopped whenever it is fastest, until it rests. */
static int relaxed(instance *self, double *y, double *good, double *before, int64_t *ints, double *reals, const double *u) {
    size_t size = sizeof(double) * (size_t)model_n_state;
    double h = model_relaxation_step, peak = 0.0;
    for (int window = 0; window < MOST_WINDOWS; window++) {
        memcpy(before, y, size);
        for (int look = 0; look < LOOKS_A_WINDOW; look++) {
            double energy = let_go(self, y, STEPS_A_LOOK, h, ints, reals, u);
            if (!isfinite(energy)) { /* too long a step */
                h *= 0.5, peak = 0.0;
                if (h < SHORTEST * model_relaxation_step) return 0;
                memcpy(y, good, size);
            } else if (energy < PAST_PEAK * peak) {
                peak = 0.0;
                stop(y);
                memcpy(good, y, size);
            } else {
                peak = fmax(peak, energy);
            }
        }
        if (moved(y, before) < AT_REST) return 1;
    }
    return 0;
}

/* By steps that grow: the longer a step of an implicit scheme, the nearer it is to one of Newton's method. */
static int driven(instance *self, double *y, double *good, double *before, int64_t *ints, double *reals, const double *u) {
    size_t size = sizeof(double) * (size_t)model_n_state;
    double h = model_relaxation_step, longest = LONGEST * h;
    for (int look = 0; look < MOST_LOOKS; look++) {
        memcpy(before, y, size);
        double energy = let_go(self, y, STEPS_A_LOOK, h, ints, reals, u);
        if (!isfinite(energy) || moved(y, before) > FAR) {
            h *= 0.5;
            if (h < SHORTEST * model_relaxation_step) return 0;
            memcpy(y, good, size);
            continue;
        }
        stop(y);
        memcpy(good, y, size);
        if (h > 10.0 * model_relaxation_step && moved(y, before) < AT_REST) return 1;
        h = fmin(1.5 * h, longest);
    }
    return 0;
}

enum status start_relax(instance *self, const char *function, enum settling settling) {
    size_t size = sizeof(double) * (size_t)model_n_state;
    int64_t *ints = malloc(sizeof(int64_t) * (size_t)(model_n_ints + 1));
    double *reals = malloc(sizeof(double) * (size_t)(model_n_constants + 1));
    double *u = malloc(sizeof(double) * (size_t)(model_n_inputs + 1));
    double *good = malloc(size), *before = malloc(size), *y = self->next;
    enum status status = ERROR;
    if (!ints || !reals || !u || !good || !before) {
        status = instance_say(self, FATAL, "not enough memory");
        goto done;
    }
    for (int64_t k = 0; k < model_n_inputs; k++) u[k] = NAN;
    memcpy(y, self->y, size);
    stop(y);
    memcpy(good, y, size);
    if ((settling == RELAXED ? relaxed : driven)(self, y, good, before, ints, reals, u)) status = OK;
    if (status == OK) {
        stop(y);
        for (int64_t k = 0; k < model_n_kept; k += 2)
            memcpy(&y[model_kept[k]], &self->y[model_kept[k]],
                   sizeof(double) * (size_t)(model_kept[k + 1] - model_kept[k]));
        memcpy(self->y, y, size);
    } else {
        instance_say(self, ERROR, "%s: with these values the system does not come to rest. What to do: put them into "
                     "the file, look at its statics and make this library anew.", function);
    }
done:
    free(ints), free(reals), free(u), free(good), free(before);
    return status;
}

void start_again(instance *self, const double *numbers) {
    memcpy(self->numbers, numbers, sizeof(double) * instance_size());
    start_constants(self);
    int shapes = 0;
    for (int64_t k = 0; k < model_n_parameters; k++) shapes |= changed(self, k) && model_parameters[k].shapes;
    if (!shapes || model_n_shapes == 0 || self->unsettled) return;
    lay(self, __func__); /* for the frames of the clamps; it went well before */
    memcpy(self->numbers, numbers, sizeof(double) * instance_size());
}

enum status start_settle(instance *self, const char *function) {
    int shapes = 0;
    for (int64_t k = 0; k < model_n_parameters; k++) shapes |= changed(self, k) && model_parameters[k].shapes;
    memcpy(self->y, model_state, sizeof(double) * (size_t)model_n_state);
    self->seen = 0;
    enum status status = OK;
    if (!start_constants(self))
        status = instance_say(self, ERROR, "%s: with these parameters the system would be made of other parts. What to "
                              "do: put the values into the file and make the FMU anew.", function);
    if (status == OK && shapes && model_n_shapes > 0) status = lay(self, function);
    if (status == OK && any_changed(self) && model_start == START_RELAXED) {
        memcpy(self->y, model_state, sizeof(double) * (size_t)model_n_state);
        status = start_relax(self, function, RELAXED);
    }
    self->unsettled = status != OK;
    return status;
}
