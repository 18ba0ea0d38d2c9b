/* One running copy of the model, whatever the version of FMI it is spoken to in. */
#ifndef FAIRLEAD_INSTANCE_H
#define FAIRLEAD_INSTANCE_H

#include <stddef.h>
#include <stdint.h>

/* The first five values of fmi2Status and of fmi3Status. */
enum status { OK, WARNING, DISCARD, ERROR, FATAL };

enum mode { INSTANTIATED = 1, INITIALISING = 2, STEPPING = 4, TERMINATED = 8, FAILED = 16 };
enum { ANY_MODE = 31 };

typedef struct instance instance;

/* Hands one line of text to the host. */
typedef void reporter(const instance *self, enum status status, const char *category, const char *text);

struct instance {
    char *name;
    void *host; /* what the face of the FMI version needs to reach the host */
    reporter *report;
    enum mode mode;
    double time, stop; /* s; stop is infinite when the host gave none */
    double longest;    /* step, s */
    int seen;          /* the row shows the present state */
    int unsettled;     /* a parameter has changed since the first state was made */
    double *numbers;   /* inputs, parameters, state and row in one piece: with mode and time, all there is to remember */
    double *u, *p, *y, *row;
    int64_t *ints;     /* the kernel works in `ints` and `reals`; what lives in them it finds again from the state */
    double *reals, *work, *next, *copy;
};

instance *instance_new(const char *name, const char *token, void *host, reporter *report);
void instance_free(instance *self);
enum status instance_reset(instance *self);

/* ERROR, with a line in the log, unless the instance is in one of `modes`. */
enum status instance_expect(instance *self, int modes, const char *function);
enum status instance_refuse(const instance *self, const char *function, const char *reason);

enum status instance_set_times(instance *self, const char *function, double start, int stop_defined, double stop);
/* Out of initialisation mode, the first state made anew where a parameter has changed. */
enum status instance_begin(instance *self, const char *function);
enum status instance_step(instance *self, const char *function, double point, double length);
/* The row made to show the present state, where it does not yet. */
enum status instance_see(instance *self);
enum status instance_get(instance *self, const char *function, const uint32_t *references, size_t n, double *values,
                         size_t n_values);
enum status instance_set(instance *self, const char *function, const uint32_t *references, size_t n,
                         const double *values, size_t n_values);

/* Snapshots: one block of memory without pointers, so that its bytes may be kept in a file. */
typedef struct snapshot snapshot;
size_t snapshot_size(void);
enum status snapshot_take(instance *self, const char *function, snapshot **taken);
enum status snapshot_restore(instance *self, const char *function, const snapshot *taken);
enum status snapshot_read(instance *self, const char *function, const void *bytes, size_t size, snapshot **taken);

size_t instance_size(void); /* how many `numbers` there are */

/* Constants and first state from the parameters (`start.c`). */
int start_constants(instance *self); /* 0 when the parameters would make another system */
void start_again(instance *self, const double *numbers); /* `numbers` that an instance had, and constants to go with them */
enum status start_settle(instance *self, const char *function);
enum settling { RELAXED, DRIVEN };
/* From the present state to rest: let go and stopped whenever it is fastest, or driven by steps that grow. */
enum status start_relax(instance *self, const char *function, enum settling settling);

/* For the faces: say something, as printf does. */
enum status instance_say(const instance *self, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
