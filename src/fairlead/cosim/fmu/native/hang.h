/* The first shape of a cable between two points: a chain of rigid bars at rest under its weight.

   The same constructions, in the same order and to the same rounding as `fairlead.shape`, for cables that hang freely,
   touch down on the seabed under a pull, are straight or stretched. What else a cable can do (float on the surface,
   fold, lie slack on the bed) is said and refused. */
#ifndef FAIRLEAD_HANG_H
#define FAIRLEAD_HANG_H

#include <stddef.h>

/* One cable: `n` elements; arrays of n, but node weights of n + 1. Lengths in m, forces in N. */
typedef struct {
    int n;
    const double *lengths, *diameters, *dry, *wet, *stiffness; /* weights in air and in water; EA */
    const double *node_dry, *node_wet;
    double contact_radius;
    const double *start, *end; /* (3) */
    int has_bed;
    double bed_level, bed_slope[2]; /* z = level + slope . (x, y) */
} hang_cable;

/* Fills nodes (n + 1, 3) and tensions (n). NULL when it is done, else why it cannot be. */
const char *hang_in_sea(const hang_cable *cable, double *nodes, double *tensions);

#endif
