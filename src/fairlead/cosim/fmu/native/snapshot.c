/* The whole memory of an instance in one block: kept, copied, sent, restored. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "instance.h"
#include "model.h"

static const uint64_t MARK = 0x6661697273746174u; /* "fairstat" */

struct snapshot {
    uint64_t mark, model;
    int64_t mode, seen, unsettled;
    double time, stop;
    double numbers[];
};

static size_t bytes_of_numbers(void) {
    return sizeof(double) * instance_size();
}

size_t snapshot_size(void) {
    return sizeof(snapshot) + bytes_of_numbers();
}

static snapshot *room(instance *self, snapshot **taken) {
    if (!*taken) *taken = malloc(snapshot_size());
    if (!*taken) instance_say(self, FATAL, "not enough memory");
    return *taken;
}

enum status snapshot_take(instance *self, const char *function, snapshot **taken) {
    if (!taken) return instance_refuse(self, function, "no place for the state");
    snapshot *kept = room(self, taken);
    if (!kept) return FATAL;
    kept->mark = MARK;
    kept->model = model_fingerprint;
    kept->mode = self->mode;
    kept->seen = self->seen;
    kept->unsettled = self->unsettled;
    kept->time = self->time;
    kept->stop = self->stop;
    memcpy(kept->numbers, self->numbers, bytes_of_numbers());
    return OK;
}

enum status snapshot_restore(instance *self, const char *function, const snapshot *taken) {
    if (!taken || taken->mark != MARK || taken->model != model_fingerprint)
        return instance_refuse(self, function, "not a state of this model");
    self->mode = (enum mode)taken->mode;
    self->seen = (int)taken->seen;
    self->unsettled = (int)taken->unsettled;
    self->time = taken->time;
    self->stop = taken->stop;
    start_again(self, taken->numbers);
    return OK;
}

/* Why these cannot be the numbers of a state, or NULL: what came as bytes may be damaged or made up, and the kernel takes
   counts and indices from it. */
static const char *implausible(const snapshot *kept) {
    const double *u = kept->numbers, *p = u + model_n_inputs, *y = p + model_n_parameters;
    int64_t mode = kept->mode;
    if (mode != INSTANTIATED && mode != INITIALISING && mode != STEPPING && mode != TERMINATED && mode != FAILED)
        return "its mode is none of the standard's";
    if (!isfinite(kept->time) || isnan(kept->stop)) return "its time is no number";
    if ((kept->seen & ~1) || (kept->unsettled & ~1)) return "its flags are neither 0 nor 1";
    for (int64_t k = 0; k < model_n_inputs; k++)
        if (!isnan(u[k]) && !(fabs(u[k]) <= model_input_limit)) return "an input is out of range";
    for (int64_t k = 0; k < model_n_parameters; k++)
        if (!(p[k] >= model_parameters[k].low && p[k] <= model_parameters[k].high)) return "a parameter is out of range";
    for (int64_t k = 0; k < model_n_state; k++)
        if (!isfinite(y[k])) return "a number of the state is not finite";
    for (int64_t k = 0; k < model_n_bounds; k++) {
        const model_bound *b = &model_bounds[k];
        double count = b->count >= 0 ? y[b->count] : 0.0, value = y[b->place];
        if (!(value >= b->low + b->low_slope * count && value <= b->high + b->high_slope * count) ||
            (b->whole && value != floor(value)))
            return "a count, an index or a length in it is out of range";
    }
    for (int64_t k = 0; k < model_n_units; k++) {
        const model_unit *unit = &model_units[k];
        double square = 0.0;
        for (int64_t i = 0; i < unit->width; i++) square += y[unit->place + i] * y[unit->place + i];
        if (!(fabs(square - 1.0) <= 2.0 * model_unit_tolerance) && !(unit->or_zero && square == 0.0))
            return "a direction in it is not of unit length";
    }
    return NULL;
}

enum status snapshot_read(instance *self, const char *function, const void *bytes, size_t size, snapshot **taken) {
    uint64_t head[2];
    if (!taken || !bytes || size != snapshot_size())
        return instance_say(self, ERROR, "%s: a state of this model has %zu bytes, not %zu", function, snapshot_size(),
                            size);
    memcpy(head, bytes, sizeof head);
    if (head[0] != MARK || head[1] != model_fingerprint)
        return instance_refuse(self, function, "these are not the bytes of a state of this model");
    snapshot *read = NULL;
    if (!room(self, &read)) return FATAL;
    memcpy(read, bytes, size);
    const char *reason = implausible(read);
    if (reason) {
        free(read);
        return instance_say(self, ERROR, "%s: these bytes are no state of this model: %s", function, reason);
    }
    if (*taken) {
        memcpy(*taken, read, size);
        free(read);
    } else {
        *taken = read;
    }
    return OK;
}
