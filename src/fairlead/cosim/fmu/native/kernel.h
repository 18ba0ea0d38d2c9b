/* The numerical kernel, compiled by numba and emitted by LLVM. */
#ifndef FAIRLEAD_KERNEL_H
#define FAIRLEAD_KERNEL_H

#include <stdint.h>

enum { KERNEL_OK = 0, KERNEL_RAISED = -1 };

/* n steps of h from t in place; then, when n_row > 0, one observation of the state reached. Returns the kernel's
   status, or KERNEL_RAISED where the Python original would have raised an exception. `ints` and `reals` may be written
   to: the kernel keeps what lives in them, such as the part of a cable that is off its drum, and finds it from `y`. */
int64_t kernel_run(double t, double *y, int64_t n_y, int64_t n, double h, const double *u, int64_t n_u,
                   int64_t *ints, int64_t n_ints, double *reals, int64_t n_reals, double *work,
                   int64_t n_work, int64_t kind, double *copy, double *row, int64_t n_row);

#endif
