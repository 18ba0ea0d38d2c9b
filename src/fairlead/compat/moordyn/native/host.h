/* The system as a host of MoorDyn's sees it: what it moves, lines, points and bodies. The tables stand in `model.c`,
   behind those that `model.h` describes. */
#ifndef FAIRLEAD_HOST_H
#define FAIRLEAD_HOST_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "instance.h"

/* A coupled body or rod (6 numbers of x: place, then angles in rad) or point (3), and the cable ends that go with it. */
typedef struct {
    int64_t first, size, first_end, n_ends;
} host_carrier;

/* An end that the host leads: its arm in the carrier's frame and place in the file; where the two rows of its path
   begin in the constants, its position and velocity in the state, and the forces on it in `host_pulls`. */
typedef struct {
    double arm[3], base[3];
    int64_t path, position, velocity, first_pull, n_pulls;
} host_end;

/* A line from end A to end B: where its node 0 stands in the row and how far on the next, the forces on what holds its
   ends (-1 between two lines of one cable), where the constants have the times at which the ends let go (-1 likewise),
   the constants that its length changes in `host_scaled`, those that its axial stiffness changes there too, where the constants have the water's velocity and behind it
   its acceleration at node 0 and how far on at the next, whether it is a rope, and what its tension follows from. */
typedef struct {
    int64_t id, segments, node, stride, force[2], release[2], first_scaled, n_scaled, first_stiff, n_stiff, water, water_stride,
        rope;
    double length, stiffness, damping, damping_power, mass; /* damping goes with that power of the length */
} host_line;

/* A constant that goes with a power of the length of a line, or of its axial stiffness. */
typedef struct {
    int64_t place, power;
} host_scale;

typedef struct {
    int64_t line, end;
} host_line_end;

/* A point: where lines end at it, the carrier that moves it (-1: none), or else its place. */
typedef struct {
    int64_t id, kind, first_end, n_ends, carrier;
    double place[3];
} host_point;

/* A body: the carrier that it is (-1: it stands at `place`; -2: it moves by itself). */
typedef struct {
    int64_t id, kind, carrier;
    double place[6];
} host_body;

extern const char *const host_command; /* that makes this library */
extern const uint64_t host_deck;       /* of the file it was made from (`host_hash`) */
extern const int64_t host_water_since; /* where the constants have the time of the water's motion; -1: not the host's */
extern const int64_t host_n_x, host_n_carriers, host_n_ends, host_n_lines, host_n_points, host_n_bodies;
extern const double host_at[];         /* x in the file: where the compiled-in state is at rest */
extern const host_carrier host_carriers[];
extern const host_end host_ends[];
extern const int64_t host_pulls[];
extern const host_scale host_scaled[];
extern const host_line host_lines[];
extern const host_line_end host_line_ends[];
extern const host_point host_points[];
extern const host_body host_bodies[];

/* MoorDyn's numbers. */
enum {
    SUCCESS = 0, INVALID_INPUT_FILE = -1, INVALID_OUTPUT_FILE = -2, INVALID_INPUT = -3, NOT_A_NUMBER = -4,
    NO_MEMORY = -5, INVALID_VALUE = -6, NOT_IMPLEMENTED = -7
};
enum { LEVEL_DEBUG = 0, LEVEL_MESSAGE = 1, LEVEL_WARNING = 2, LEVEL_ERROR = 3, LEVEL_NONE = 4096 };

typedef struct host host;

/* Something of a system, as it is handed out. */
typedef struct {
    host *of;
    int64_t number;
} thing;

struct host {
    instance *self;
    double *x, *v, *before; /* of the host at the latest call; the row before the latest step */
    double since;           /* length of the latest step, s */
    double *lengths;        /* of the lines, unstretched, m */
    double *stiffnesses;    /* axial, of the lines, N */
    int terminal, level;    /* from which level on messages go to the terminal and to the log */
    FILE *log;
    thing *lines, *points, *bodies;
    int at_rest;
};

host *host_new(const char *file, int terminal);
void host_free(host *h);
int host_say(const host *h, int level, int code, const char *format, ...) __attribute__((format(printf, 4, 5)));

int host_start(host *h, const double *x, const double *v, int at_rest);
/* On by dt from `time`, which goes on with it; f are the forces then. */
int host_step(host *h, const double *x, const double *v, double *f, double *time, double dt);
/* Give a line another unstretched length, shared by all its segments. */
int host_set_length(host *h, int64_t line, double length);
/* Give a line another axial stiffness, N; its damping BA stays. */
int host_set_stiffness(host *h, int64_t line, double stiffness);
/* Let an end of a line, A (0) or B (1), go at once. */
int host_break(host *h, int64_t line, int end);
/* The row that shows the system now, or NULL with a line in the log. */
const double *host_row(host *h);
/* The same for places, which are known before Init: those in the file, the lines at rest between them. */
const double *host_places(host *h);
/* The whole memory as bytes, a multiple of 8 of them. */
size_t host_bytes(void);
int host_keep(host *h, void *bytes);
int host_restore(host *h, const void *bytes, size_t size);

#endif
