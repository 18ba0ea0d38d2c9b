/* The whole memory of an instance in one block: kept, copied, sent, restored. */
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

enum status snapshot_read(instance *self, const char *function, const void *bytes, size_t size, snapshot **taken) {
    uint64_t head[2];
    if (!taken || !bytes || size != snapshot_size())
        return instance_say(self, ERROR, "%s: a state of this model has %zu bytes, not %zu", function, snapshot_size(),
                            size);
    memcpy(head, bytes, sizeof head);
    if (head[0] != MARK || head[1] != model_fingerprint)
        return instance_refuse(self, function, "these are not the bytes of a state of this model");
    if (!room(self, taken)) return FATAL;
    memcpy(*taken, bytes, size);
    return OK;
}
