/* What differs from one FMU to the next: the compiled system. `model.c` is written when the FMU is made. */
#ifndef FAIRLEAD_MODEL_H
#define FAIRLEAD_MODEL_H

#include <stdint.h>

enum variable_kind { TIME, INPUT, OUTPUT, PARAMETER };

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

/* Names of the parts of one place that the kernel can name in a fault, in `model_places`. */
typedef struct {
    int64_t first, count;
} model_place;

typedef struct {
    const char *name;
    int64_t start, stop;
} model_block;

/* An end that an anchor holds at the bed: where the row has the force on it, the bed's push on the node beside it, and
   the least of that force and of the tension there, the largest being next to it; the bed's normal. */
typedef struct {
    int64_t force, push, least_force, least_tension;
    double normal[3];
} model_anchor;

/* What the state must obey beside being finite: numbers between bounds, which may grow with a count in the state; and
   numbers whose squares add up to one, or to none where they are not in use. */
typedef struct {
    int64_t place, whole, count; /* count: -1 for none */
    double low, high, low_slope, high_slope;
} model_bound;

typedef struct {
    int64_t place, width, or_zero;
} model_unit;

/* A number that can be set before the run begins, and its bounds. */
typedef struct {
    double start, low, high;
    int64_t shapes; /* the first shape depends on it */
} model_parameter;

/* How constants follow from the parameters: the parameters, other numbers and results stand in one row of values, and
   each operation makes one more of two. A condition that does not come out as it did when the FMU was made would make
   another system. Operations and comparisons are those of `fairlead.algebra.recorded`. */
enum { ADD, SUBTRACT, MULTIPLY, DIVIDE, POWER, QUOTIENT, SIZE, LARGER };
enum { LESS, AT_MOST, EQUAL };

typedef struct {
    int64_t operation, left, right, result;
} model_operation;

typedef struct {
    int64_t comparison, left, right, holds;
} model_condition;

typedef struct {
    int64_t place, value; /* of the constants; of the values */
} model_found;

/* How a cable is laid when a parameter has changed, and where that goes in the state. Its constants, from `first` on:
   lengths, diameters, weights in air, in water, EA (n each), attachments in air, in water (n + 1 each), radius. */
typedef struct {
    const char *name;
    int64_t elements, reversed, first;
    double start[3], end[3];
    int64_t bodies, stride, multipliers; /* in the state, in the order it is stored; numbers an element */
    int64_t clamps[2];           /* where the frames of its end joints stand in the constants */
    double directions[2][3];     /* of its clamps; zero: as the cable lies */
} model_shape;

/* A constant that is another one while time stands still. */
typedef struct {
    int64_t place;
    double value;
} model_still;

enum start_kind { START_KEPT, START_HUNG, START_RELAXED };

extern const char *const model_token;  /* FMI 2: GUID, FMI 3: instantiation token */
extern const uint64_t model_fingerprint;
extern const double model_step;        /* longest step, s */
extern const int64_t model_kind;       /* integration scheme, as the kernel counts them */
extern const int64_t model_substeps;   /* steps of the kernel in each */

extern const int64_t model_n_state, model_n_inputs, model_n_ints, model_n_reals, model_n_work, model_n_row;
extern const int64_t model_ints[];
extern const int64_t model_n_constants; /* the kernel's reals, then what the first shape needs */
extern const double model_reals[];
extern const double model_state[];     /* at the start */

extern const int64_t model_node_first, model_node_stop, model_node_columns; /* nodes of all cables in the row */
extern const int64_t model_n_anchors;
extern const model_anchor model_anchors[];
extern const int64_t model_n_variables;
extern const model_variable model_variables[];
extern const int64_t model_columns[];  /* place of each number in the input vector or in the observation row */
extern const double model_starts[];    /* of the input vector */
extern const int64_t model_n_groups;
extern const int64_t model_groups[];   /* where each input begins in the input vector, and its end */
extern const double model_input_limit; /* inputs beyond +- this are refused */

extern const int64_t model_n_bounds, model_n_units;
extern const model_bound model_bounds[];
extern const model_unit model_units[];
extern const double model_unit_tolerance;

extern const int64_t model_n_parameters;
extern const model_parameter model_parameters[];
extern const int64_t model_n_values, model_n_operations, model_n_conditions, model_n_founds;
extern const double model_values[];    /* the parameters first */
extern const model_operation model_operations[];
extern const model_condition model_conditions[];
extern const model_found model_founds[];

extern const enum start_kind model_start;      /* what is done about the first state when a parameter has changed */
extern const int64_t model_n_shapes, model_has_bed;
extern const model_shape model_shapes[];
extern const double model_bed_slope[];
extern const double model_relaxation_step;     /* s */
extern const int64_t model_still_ints[];
extern const int64_t model_n_stills, model_n_moves, model_n_rates, model_n_kept;
extern const model_still model_stills[];
extern const int64_t model_still_kind;         /* integration scheme of relaxation */
extern const int64_t model_moves[];            /* where positions and quaternions stand in the state */
extern const int64_t model_rates[];            /* where velocities do */
extern const int64_t model_kept[];             /* pairs (start, stop) of the state that relaxation leaves alone */

extern const int64_t model_n_faults;
extern const model_fault model_faults[];       /* by status of the kernel */
extern const model_fault model_first_faults[]; /* the same in the first steps, of `model_first` s */
extern const double model_first;
extern const model_fault model_not_finite;
extern const int64_t model_fault_at;           /* where in `work` the kernel leaves time, place and part of a fault */
extern const int64_t model_fault_place[];      /* by status: the first of its places; last, where they end */
extern const model_place model_fault_parts[];
extern const char *const model_places[];       /* names of places and of their parts */
extern const int64_t model_n_blocks;
extern const model_block model_blocks[];       /* parts of the state */

#endif
