/* Life of an instance: made, initialised, stepped, looked at, freed. See `instance.h`. */
#include "instance.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"
#include "model.h"

static const double ROUNDING = 1e-6; /* part of a step that is put down to rounding of decimal numbers */
static const double SAME = 1e-9;     /* relative difference up to which a step is the file's */
static const double MOST_STEPS = 1e9;

enum status instance_say(const instance *self, enum status status, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    /* FMI 2 hosts read the text as a printf format */
    for (char *c = text; *c; c++)
        if (*c == '%') *c = '/';
    if (self->report) self->report(self, status, status == WARNING ? "logStatusWarning" : "logStatusError", text);
    return status;
}

enum status instance_refuse(const instance *self, const char *function, const char *reason) {
    return self ? instance_say(self, ERROR, "%s: %s", function, reason) : ERROR;
}

static const char *mode_name(enum mode mode) {
    switch (mode) {
    case INSTANTIATED: return "before initialisation";
    case INITIALISING: return "in initialisation mode";
    case STEPPING: return "between steps";
    case TERMINATED: return "after termination";
    default: return "after a failed step; restore a state, reset or free the instance";
    }
}

enum status instance_expect(instance *self, int modes, const char *function) {
    if (!self) return ERROR;
    if (self->mode & modes) return OK;
    return instance_say(self, ERROR, "%s: not allowed %s", function, mode_name(self->mode));
}

size_t instance_size(void) {
    return (size_t)(model_n_inputs + model_n_parameters + model_n_state + model_n_row);
}

static void begin(instance *self) {
    self->mode = INSTANTIATED;
    self->time = 0.0;
    self->stop = INFINITY;
    self->seen = 0;
    for (int64_t k = 0; k < model_n_inputs; k++) self->u[k] = NAN; /* not a number: follow the file */
    for (int64_t k = 0; k < model_n_parameters; k++) self->p[k] = model_parameters[k].start;
    self->unsettled = 0;
    memcpy(self->y, model_state, sizeof(double) * (size_t)model_n_state);
    start_constants(self);
}

instance *instance_new(const char *name, const char *token, void *host, reporter *report) {
    instance *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    self->host = host;
    self->report = report;
    self->longest = model_step;
    self->name = strdup(name && *name ? name : "unnamed");
    if (!token || strcmp(token, model_token)) {
        instance_say(self, ERROR, "the library belongs to another model description: its token is %s, not %s",
                     model_token, token ? token : "none");
        self->host = NULL; /* still the caller's */
        instance_free(self);
        return NULL;
    }
    self->numbers = calloc(instance_size() + 1, sizeof(double));
    self->ints = calloc((size_t)model_n_ints + 1, sizeof(int64_t));
    self->reals = calloc((size_t)model_n_constants + 1, sizeof(double));
    self->work = calloc((size_t)model_n_work + 1, sizeof(double));
    self->next = calloc((size_t)model_n_state + 1, sizeof(double));
    self->copy = calloc((size_t)model_n_state + 1, sizeof(double));
    if (!self->name || !self->numbers || !self->ints || !self->reals || !self->work || !self->next || !self->copy) {
        instance_say(self, FATAL, "not enough memory");
        self->host = NULL;
        instance_free(self);
        return NULL;
    }
    self->u = self->numbers;
    self->p = self->u + model_n_inputs;
    self->y = self->p + model_n_parameters;
    self->row = self->y + model_n_state;
    begin(self);
    return self;
}

void instance_free(instance *self) {
    if (!self) return;
    free(self->host);
    free(self->name);
    free(self->numbers);
    free(self->ints);
    free(self->reals);
    free(self->work);
    free(self->next);
    free(self->copy);
    free(self);
}

enum status instance_reset(instance *self) {
    if (!self) return ERROR;
    begin(self);
    return OK;
}

enum status instance_set_times(instance *self, const char *function, double start, int stop_defined, double stop) {
    if (!isfinite(start) || (stop_defined && !(stop >= start)))
        return instance_say(self, ERROR, "%s: from %g s to %g s is no time span", function, start, stop);
    self->time = start;
    self->stop = stop_defined ? stop : INFINITY;
    self->seen = 0;
    return OK;
}

/* What the bed carries at anchors is no pull on them: F + (max(0, V - N) - V) n, V of the force and N of the push on the
   node beside it along the bed's normal n. Extremes of the pull are those of the tension at the anchor. */
static void take_off_the_bed(instance *self) {
    double *row = self->row;
    for (const model_anchor *a = model_anchors; a < model_anchors + model_n_anchors; a++) {
        const double *n = a->normal;
        double *f = row + a->force, *p = row + a->push;
        double along = f[0] * n[0] + f[1] * n[1] + f[2] * n[2], push = p[0] * n[0] + p[1] * n[1] + p[2] * n[2];
        double change = (along > push ? along - push : 0.0) - along;
        for (int k = 0; k < 3; k++) f[k] += change * n[k];
        for (int k = 0; k < 2; k++) row[a->least_force + k] = fabs(row[a->least_tension + k]);
    }
}

static int64_t run(instance *self, double t, double *y, int64_t n, double h, int64_t n_row) {
    int64_t status =
        kernel_run(t, y, model_n_state, n * model_substeps, h / (double)model_substeps, self->u, model_n_inputs,
                   self->ints, model_n_ints, self->reals, model_n_reals, self->work, model_n_work, model_kind, self->copy, self->row, n_row);
    if (status == KERNEL_OK && n_row > 0) take_off_the_bed(self);
    return status;
}

static enum status explain(instance *self, double time, const char *place, const model_fault *fault) {
    return instance_say(self, ERROR, "t = %.6g s, %s: %s. Likely cause: %s. What to do: %s.", time, place, fault->what,
                        fault->cause, fault->cure);
}

/* The kernel leaves time, place and part of a fault in its scratch memory. */
static enum status explain_status(instance *self, int64_t status, double t) {
    if (status <= KERNEL_OK || status >= model_n_faults || !model_faults[status].what)
        return instance_say(self, ERROR, "t = %.6g s: the kernel failed with status %lld", t, (long long)status);
    const double *fault = &self->work[model_fault_at];
    int64_t first = model_fault_place[status], count = model_fault_place[status + 1] - first;
    int64_t place = (int64_t)fault[1], part = (int64_t)fault[2];
    const char *name = "unknown place";
    if (place >= 0 && place < count) {
        const model_place *here = &model_fault_parts[first + place];
        name = model_places[here->first + (part < 0 ? 0 : part < here->count ? part : here->count - 1)];
    }
    return explain(self, fault[0], name, fault[0] <= model_first ? &model_first_faults[status] : &model_faults[status]);
}

/* Nodes that are not there at present, being on a drum, are NaN in all their columns. */
static int on_a_drum(const instance *self, int64_t column) {
    if (column < model_node_first || column >= model_node_stop) return 0;
    const double *node = &self->row[column - (column - model_node_first) % model_node_columns];
    for (int64_t k = 0; k < model_node_columns; k++)
        if (!isnan(node[k])) return 0;
    return 1;
}

static enum status check_finite(instance *self, double t, const double *y) {
    char place[256];
    for (const model_block *b = model_blocks; b < model_blocks + model_n_blocks; b++)
        for (int64_t k = b->start; k < b->stop; k++)
            if (!isfinite(y[k])) {
                snprintf(place, sizeof place, "state '%s', number %lld of %lld", b->name, (long long)(k - b->start),
                         (long long)(b->stop - b->start));
                return explain(self, t, place, &model_not_finite);
            }
    for (int64_t v = 0; v < model_n_variables; v++)
        for (int64_t k = 0; model_variables[v].kind == OUTPUT && k < model_variables[v].count; k++) {
            int64_t column = model_columns[model_variables[v].first + k];
            if (!isfinite(self->row[column]) && !on_a_drum(self, column)) {
                snprintf(place, sizeof place, "output '%s'", model_variables[v].name);
                return explain(self, t, place, &model_not_finite);
            }
        }
    return OK;
}

static enum status see(instance *self, double t, double *y, double h) {
    int64_t status = run(self, t, y, 0, h, model_n_row);
    if (status != KERNEL_OK) return explain_status(self, status, t);
    enum status finite = check_finite(self, t, y);
    self->seen = finite == OK;
    return finite;
}

enum status instance_see(instance *self) {
    return self->seen ? OK : see(self, self->time, self->y, self->longest);
}

enum status instance_begin(instance *self, const char *function) {
    if (self->unsettled && start_settle(self, function) != OK) return ERROR;
    self->mode = STEPPING;
    return OK;
}

enum status instance_step(instance *self, const char *function, double point, double length) {
    if (!isfinite(point) || !isfinite(length) || length <= 0.0)
        return instance_say(self, ERROR, "%s: a step of %g s from %g s; its length must be positive and both finite",
                            function, length, point);
    if (fabs(point - self->time) > ROUNDING * self->longest)
        return instance_say(self, ERROR, "%s: a step from t = %.9g s, but the instance stands at t = %.9g s", function,
                            point, self->time);
    if (point + length > self->stop + ROUNDING * self->longest)
        return instance_say(self, ERROR, "%s: a step to t = %.9g s, beyond the stop time of %.9g s", function,
                            point + length, self->stop);
    double parts = fmax(1.0, ceil(length / self->longest - ROUNDING));
    if (parts > MOST_STEPS)
        return instance_say(self, ERROR, "%s: %g s are %.0f steps of at most %g s, more than %.0f in one call",
                            function, length, parts, self->longest, MOST_STEPS);
    double h = length / parts;
    /* hosts find the length as a difference of times: its rounding must not show in the numbers */
    if (fabs(h - self->longest) < SAME * self->longest) h = self->longest;
    memcpy(self->next, self->y, sizeof(double) * (size_t)model_n_state);
    /* steps and sight in one call: extremes are then those of these steps */
    int64_t status = run(self, point, self->next, (int64_t)parts, h, model_n_row);
    if (status != KERNEL_OK) {
        self->mode = FAILED;
        return explain_status(self, status, point);
    }
    if (check_finite(self, point + length, self->next) != OK) {
        self->mode = FAILED;
        return ERROR;
    }
    self->seen = 1;
    memcpy(self->y, self->next, sizeof(double) * (size_t)model_n_state);
    self->time = point + length;
    return OK;
}

/* The variable of a reference, or NULL with a line in the log. */
static const model_variable *variable(instance *self, const char *function, uint32_t reference) {
    if ((int64_t)reference < model_n_variables) return &model_variables[reference];
    instance_say(self, ERROR, "%s: there is no variable with value reference %lu", function, (unsigned long)reference);
    return NULL;
}

static enum status count(instance *self, const char *function, const uint32_t *references, size_t n, size_t n_values) {
    size_t total = 0;
    for (size_t k = 0; k < n; k++) {
        const model_variable *v = variable(self, function, references[k]);
        if (!v) return ERROR;
        total += (size_t)v->count;
    }
    if (total == n_values) return OK;
    return instance_say(self, ERROR, "%s: these variables hold %zu numbers, not %zu", function, total, n_values);
}

enum status instance_get(instance *self, const char *function, const uint32_t *references, size_t n, double *values,
                         size_t n_values) {
    if (count(self, function, references, n, n_values) != OK) return ERROR;
    for (size_t k = 0; k < n; k++) {
        const model_variable *v = &model_variables[references[k]];
        const int64_t *columns = &model_columns[v->first];
        if (v->kind == OUTPUT && self->unsettled && start_settle(self, function) != OK) return ERROR;
        if (v->kind == OUTPUT && instance_see(self) != OK) return ERROR;
        for (int64_t i = 0; i < v->count; i++) {
            if (v->kind == TIME) *values++ = self->time;
            else if (v->kind == OUTPUT) *values++ = self->row[columns[i]];
            else if (v->kind == PARAMETER) *values++ = self->p[columns[i]];
            else *values++ = isnan(self->u[columns[i]]) ? model_starts[columns[i]] : self->u[columns[i]];
        }
    }
    return OK;
}

/* FMI 2 sets x, y and z one by one; what is left unset of an input then stays at its start value. */
static void complete_inputs(instance *self) {
    for (int64_t g = 0; g < model_n_groups; g++) {
        int set = 0;
        for (int64_t k = model_groups[g]; k < model_groups[g + 1]; k++) set |= !isnan(self->u[k]);
        for (int64_t k = model_groups[g]; set && k < model_groups[g + 1]; k++)
            if (isnan(self->u[k])) self->u[k] = model_starts[k];
    }
}

enum status instance_set(instance *self, const char *function, const uint32_t *references, size_t n,
                         const double *values, size_t n_values) {
    if (count(self, function, references, n, n_values) != OK) return ERROR;
    const double *value = values;
    for (size_t k = 0; k < n; k++) { /* look at all of them before the first is taken */
        const model_variable *v = &model_variables[references[k]];
        if (v->kind != INPUT && v->kind != PARAMETER)
            return instance_say(self, ERROR, "%s: '%s' is no input and no parameter", function, v->name);
        if (v->kind == PARAMETER && self->mode == STEPPING)
            return instance_say(self, ERROR, "%s: the parameter '%s' can be set before the first step only", function,
                                v->name);
        for (int64_t i = 0; i < v->count; i++, value++) {
            double low = -model_input_limit, high = model_input_limit;
            if (v->kind == PARAMETER) {
                low = model_parameters[model_columns[v->first + i]].low;
                high = model_parameters[model_columns[v->first + i]].high;
            }
            if (!isfinite(*value))
                return instance_say(self, ERROR, "%s: '%s' must be finite, not %g", function, v->name, *value);
            if (*value < low || *value > high)
                return instance_say(self, ERROR, "%s: '%s' must lie between %g and %g, not %g", function, v->name, low,
                                    high, *value);
        }
    }
    value = values;
    for (size_t k = 0; k < n; k++) {
        const model_variable *v = &model_variables[references[k]];
        for (int64_t i = 0; i < v->count; i++, value++) {
            double *place = v->kind == PARAMETER ? self->p : self->u;
            int64_t column = model_columns[v->first + i];
            if (v->kind == PARAMETER && place[column] != *value) self->unsettled = 1;
            place[column] = *value;
        }
    }
    complete_inputs(self);
    /* between steps, outputs belong to the point in time reached; in initialisation they follow the inputs */
    if (self->mode != STEPPING) self->seen = 0;
    return OK;
}
