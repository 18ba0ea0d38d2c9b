/* What is asked of lines and points: places, tensions, forces, as `fairlead/compat/moordyn/things.py` finds them. */
#ifndef FAIRLEAD_LINES_H
#define FAIRLEAD_LINES_H

#include "host.h"

enum node_quantity { POSITION = 0, VELOCITY = 3, TENSION = 6 };

/* Each returns SUCCESS or one of MoorDyn's codes, with a line in the log; numbers of things are counted from 0. */
int line_node(host *h, int64_t line, int64_t node, enum node_quantity what, double out[3]);
int line_tension(host *h, int64_t line, int64_t node, double out[3]);
int line_largest(host *h, int64_t line, int fairlead_only, double *out);
int line_force(host *h, int64_t line, int64_t node, double out[3]);
int line_curvature(host *h, int64_t line, int64_t node, double *out);
int point_seen(host *h, int64_t point, enum node_quantity what, double out[3]);
int point_force(host *h, int64_t point, double out[3]);
int fast_tensions(host *h, int64_t n, float *fair_h, float *fair_v, float *anchor_h, float *anchor_v);

#endif
