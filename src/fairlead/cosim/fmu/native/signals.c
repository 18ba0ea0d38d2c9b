/* Signals of time in the place of a numerical kernel: constants, sines that begin at some moment, tables.

   Each number of the row has 4 ints (where its table begins in the reals, its rows, columns, and its column; no rows:
   no table) and 6 reals (base, amplitude, angular frequency, phase, begin, ramp), in this order from the start. */
#include <math.h>

#include "kernel.h"

enum { INTS = 4, REALS = 6 };

/* Linear between rows (t, value, ...), held beyond the ends. */
static double from_table(double t, const double *table, int64_t rows, int64_t columns, int64_t column) {
    const double *last = table + (rows - 1) * columns;
    if (t <= table[0]) return table[column];
    if (t >= last[0]) return last[column];
    while (t > table[columns]) table += columns;
    double f = (t - table[0]) / (table[columns] - table[0]);
    return table[column] + f * (table[columns + column] - table[column]);
}

static double signal(double t, const int64_t *ints, const double *reals, const double *all) {
    double value = reals[0], since = t - reals[4];
    if (since >= 0.0 && reals[1] != 0.0) {
        double s = reals[5] > 0.0 ? fmin(since / reals[5], 1.0) : 1.0;
        value += s * s * s * (10.0 + s * (6.0 * s - 15.0)) * reals[1] * sin(reals[2] * since + reals[3]);
    }
    if (ints[1] > 0) value += from_table(t, all + ints[0], ints[1], ints[2], ints[3]);
    return value;
}

int64_t kernel_run(double t, double *y, int64_t n_y, int64_t n, double h, const double *u, int64_t n_u, int64_t *ints,
                   int64_t n_ints, double *reals, int64_t n_reals, double *work, int64_t n_work, int64_t kind,
                   double *copy, double *row, int64_t n_row) {
    (void)y, (void)n_y, (void)u, (void)n_u, (void)n_ints, (void)n_reals, (void)work, (void)n_work, (void)kind, (void)copy;
    for (int64_t k = 0; k < n_row; k++) row[k] = signal(t + (double)n * h, ints + INTS * k, reals + REALS * k, reals);
    return KERNEL_OK;
}
