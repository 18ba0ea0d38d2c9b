/* What differs from one FMU to the next: the compiled system. `model.c` is written when the FMU is made. */
#ifndef FAIRLEAD_MODEL_H
#define FAIRLEAD_MODEL_H

#include <stdint.h>

enum variable_kind { TIME, INPUT, OUTPUT };

/* The value reference of a variable is its place in `model_variables`. */
typedef struct {
    const char *name;
    enum variable_kind kind;
    int64_t first; /* of its numbers in `model_columns` */
    int64_t count;
} model_variable;

/* What a fault of the kernel means: its kind, its likely cause and what to do. */
typedef struct {
    const char *what, *cause, *cure;
} model_fault;

typedef struct {
    const char *name;
    int64_t elements;
    int64_t reversed; /* stored against the direction of the file */
} model_cable;

typedef struct {
    const char *name;
    int64_t start, stop;
} model_block;

extern const char *const model_token;  /* FMI 2: GUID, FMI 3: instantiation token */
extern const uint64_t model_fingerprint;
extern const double model_step;        /* longest step, s */
extern const int64_t model_kind;       /* integration scheme, as the kernel counts them */

extern const int64_t model_n_state, model_n_inputs, model_n_ints, model_n_reals, model_n_work, model_n_row;
extern const int64_t model_ints[];
extern const double model_reals[];
extern const double model_state[];     /* at the start */

extern const int64_t model_n_variables;
extern const model_variable model_variables[];
extern const int64_t model_columns[];  /* place of each number in the input vector or in the observation row */
extern const double model_starts[];    /* of the input vector */
extern const int64_t model_n_groups;
extern const int64_t model_groups[];   /* where each input begins in the input vector, and its end */
extern const double model_input_limit; /* inputs beyond +- this are refused */

extern const int64_t model_n_faults;
extern const model_fault model_faults[];       /* by status of the kernel */
extern const model_fault model_first_faults[]; /* the same in the very first step */
extern const model_fault model_not_finite;
extern const int64_t model_junction_faults;    /* bit s set: status s happens at a free point, not in a cable */
extern const model_cable model_cables[];
extern const char *const model_junctions[];
extern const int64_t model_n_blocks;
extern const model_block model_blocks[];       /* parts of the state */

#endif
