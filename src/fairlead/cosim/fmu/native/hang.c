/* See `hang.h`. Function by function this follows `fairlead/shape`: bracket, closure, chain, catenary, rest, immersed. */
#include "hang.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double STRAIGHT = 1e-12, CLOSED = 1e-13, CLEAR = -1e-9, EPS = 2.2e-16, TAUT = 0.98;
static const char *const NO_MEMORY = "there is not enough memory";
static const char *const FOLDED = "it hangs folded, with no pull along the horizontal";
static const char *const SLACK_ON_BED = "it lies slack on the seabed";
static const char *const FLOATS = "it floats";
static const char *const SQUEEZED = "one of its elements is too long to fit between its ends";
static const char *const NOT_CLOSED = "its equilibrium was not found";

/* --- bracket ------------------------------------------------------------------------------------------------- */
typedef double scalar(double x, void *context);

static double root(scalar *f, void *context, double low, double high) {
    double a = low, fa = f(a, context), b = high, fb = f(b, context), c, fc, t = 0.5, best = b;
    if (fa == 0.0 || fb == 0.0 || (fa > 0.0) == (fb > 0.0)) return fabs(fa) <= fabs(fb) ? a : b;
    for (int k = 0; k < 200; k++) {
        double x = a + t * (b - a), fx = f(x, context);
        if ((fx > 0.0) == (fa > 0.0)) {
            c = a, fc = fa, a = x, fa = fx;
        } else {
            c = b, fc = fb, b = a, fb = fa, a = x, fa = fx;
        }
        double least = fabs(fa) < fabs(fb) ? fa : fb;
        best = fabs(fa) < fabs(fb) ? a : b;
        double tolerance = 2.0 * EPS * fabs(best), width = fabs(b - a);
        if (least == 0.0 || width <= 2.0 * tolerance) return best;
        double xi = (a - b) / (c - b), phi = (fa - fb) / (fc - fb);
        if (phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi)
            t = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb);
        else
            t = 0.5;
        double margin = tolerance / width;
        t = fmin(fmax(t, margin), 1.0 - margin);
    }
    return best;
}

typedef struct {
    scalar *f;
    void *context;
} in_logarithm;

static double of_logarithm(double x, void *context) {
    const in_logarithm *inner = context;
    return inner->f(exp(x), inner->context);
}

/* Root x > 0 of a function that grows with x, within nine decades of the guess; -1 if there is none. */
static double positive_root(scalar *f, void *context, double guess) {
    double low = guess, high = guess, at_guess = f(guess, context);
    if (at_guess > 0.0) {
        while (!(f(low, context) < 0.0)) {
            high = low, low *= 0.1;
            if (low < guess * 1e-9) return -1.0;
        }
    } else if (at_guess <= 0.0) {
        while (!(f(high, context) > 0.0)) {
            low = high, high *= 10.0;
            if (high > guess * 1e9) return -1.0;
        }
    } else {
        return -1.0;
    }
    in_logarithm inner = {f, context};
    return exp(root(of_logarithm, &inner, log(low), log(high)));
}

/* --- the chain that is asked for -------------------------------------------------------------------------------- */
typedef struct {
    int n;
    const double *start, *end, *lengths, *stiffness;
    double *weights, *node_weights, *loads; /* loads c: weight between the start and the middle of each element */
    double outward[2], span, rise, length, chord;
    double *offsets, *sides, *directions; /* (n), (n), (n, 2): horizontal and up */
    double *give; /* (n): strain of each element under a unit of the forces in which its offsets are counted */
    double *v, *strain;
} chain;

static void set_loads(chain *c) {
    double passed = 0.0, nodes = 0.0;
    for (int i = 0; i < c->n; i++) {
        passed += c->weights[i];
        nodes += c->node_weights[i];
        c->loads[i] = passed - 0.5 * c->weights[i] + nodes - c->node_weights[0];
    }
}

/* Nodes and tensions of the chain with `directions` under the force (outward, up) on its start support; `contact` is
   the push of the bed on the nodes, upwards, or NULL. */
static void laid(const chain *c, double h, double up, const double *contact, double *nodes, double *tensions) {
    double gap[3], along = 0.0, lift = 0.0;
    memcpy(nodes, c->start, 3 * sizeof(double));
    for (int i = 0; i < c->n; i++) {
        const double *d = &c->directions[2 * i];
        double step[3] = {d[0] * c->outward[0], d[0] * c->outward[1], d[1]};
        double length = c->lengths[i] * (1.0 + c->strain[i]);
        for (int k = 0; k < 3; k++) nodes[3 * i + 3 + k] = nodes[3 * i + k] + length * step[k];
        if (contact) lift += contact[i];
        tensions[i] = h * d[0] + (up + c->loads[i] - lift) * d[1];
    }
    for (int k = 0; k < 3; k++) gap[k] = c->end[k] - nodes[3 * c->n + k];
    for (int i = 0; i < c->n; i++) { /* rounding error only: spread, so that no joint shows it */
        along += c->lengths[i];
        for (int k = 0; k < 3; k++) nodes[3 * i + 3 + k] += along / c->length * gap[k];
    }
    memcpy(&nodes[3 * c->n], c->end, 3 * sizeof(double));
}

/* --- closure: the force that makes a chain reach from one end to the other --------------------------------------- */
static double gap_of(const chain *c, const double *force, double x, double z, double *gap, double *hessian) {
    double gx = 0.0, gz = 0.0, hxx = 0.0, hzz = 0.0, hxz = 0.0;
    for (int i = 0; i < c->n; i++) {
        double up = force[1] + c->offsets[i], size = hypot(force[0], up), dx = force[0] / size, dz = up / size;
        double turn = c->sides[i] / size, spring = c->sides[i] * c->give[i], length = c->sides[i] + spring * size;
        gx += length * dx, gz += length * dz;
        hxx += turn * dz * dz + spring, hzz += turn * dx * dx + spring, hxz -= turn * dx * dz;
    }
    gap[0] = gx - x, gap[1] = gz - z;
    hessian[0] = hxx, hessian[1] = hzz, hessian[2] = hxz;
    return hypot(gap[0], gap[1]);
}

static int newton(const chain *c, double x, double z, double *force) {
    double gap[2], hessian[3], trial[2], trial_gap[2], trial_hessian[3];
    double error = gap_of(c, force, x, z, gap, hessian);
    for (int k = 0; k < 60 && error > 1e-16; k++) {
        double determinant = hessian[0] * hessian[1] - hessian[2] * hessian[2];
        if (!(determinant > 0.0)) break;
        double sx = (hessian[2] * gap[1] - hessian[1] * gap[0]) / determinant;
        double sz = (hessian[2] * gap[0] - hessian[0] * gap[1]) / determinant;
        double factor = 1.0, trial_error = INFINITY;
        if (force[0] + sx < 0.1 * force[0]) factor = 0.9 * force[0] / -sx;
        int better = 0;
        for (int j = 0; j < 40 && !better; j++) {
            trial[0] = force[0] + factor * sx, trial[1] = force[1] + factor * sz;
            trial_error = gap_of(c, trial, x, z, trial_gap, trial_hessian);
            better = trial_error < (1.0 - 0.1 * factor) * error;
            if (!better) factor *= 0.5;
        }
        if (!better) break;
        memcpy(force, trial, sizeof trial);
        memcpy(gap, trial_gap, sizeof gap);
        memcpy(hessian, trial_hessian, sizeof hessian);
        error = trial_error;
    }
    return error <= CLOSED;
}

typedef struct {
    double give, sag, chord;
} string;

static double too_long(double tension, void *context) {
    const string *s = context;
    return 1.0 + s->give * tension - s->sag / (tension * tension) - s->chord;
}

/* F of the continuous catenary of the same chord; near it, of a taut string that sags as a parabola. */
static void guess(const chain *c, double x, double z, double *force) {
    double weight = sqrt(12.0), u;
    x = fmax(x, 1e-9);
    string s = {0.0, 0.0, hypot(x, z)};
    for (int i = 0; i < c->n; i++) s.give += c->sides[i] * c->give[i];
    if (s.chord > TAUT) {
        s.sag = weight * x / s.chord * (weight * x / s.chord) / 24.0;
        double low = cbrt(s.sag / s.give), high = low + fmax(s.chord - 1.0, 0.0) / s.give;
        double tension = root(too_long, &s, 1e-3 * low, high + low);
        force[0] = tension * x / s.chord, force[1] = tension * z / s.chord;
        return;
    }
    double ratio = sqrt(fmax(1.0 - z * z, 1e-30)) / x;
    if (ratio < 3.0) {
        u = sqrt(6.0 * fmax(ratio - 1.0, 1e-30));
        u /= sqrt(1.0 + u * u / 20.0);
    } else {
        u = log(2.0 * ratio);
        u = log(2.0 * ratio * u);
    }
    force[0] = 0.5 * weight * x / u;
    force[1] = 0.5 * weight * z / tanh(u);
}

typedef struct {
    const chain *c;
    double x, z, horizontal, low, high;
} closing;

static double rise_gap(double v, void *context) {
    const closing *s = context;
    double sum = 0.0;
    for (int i = 0; i < s->c->n; i++) {
        double up = v + s->c->offsets[i];
        sum += s->c->sides[i] * (up / hypot(s->horizontal, up) + s->c->give[i] * up);
    }
    return sum - s->z;
}

static double vertical(closing *s) {
    double reach = s->horizontal + s->high - s->low, bottom = s->low - reach, top = s->high + reach;
    while (rise_gap(bottom, s) > 0.0) bottom -= reach, reach *= 4.0;
    while (rise_gap(top, s) < 0.0) top += reach, reach *= 4.0;
    return root(rise_gap, s, bottom, top);
}

static double span_gap(double logarithm, void *context) {
    closing *s = context;
    s->horizontal = exp(logarithm);
    double v = vertical(s), sum = 0.0;
    for (int i = 0; i < s->c->n; i++) {
        double size = hypot(s->horizontal, v + s->c->offsets[i]);
        sum += s->c->sides[i] * s->horizontal * (1.0 / size + s->c->give[i]);
    }
    return sum - s->x;
}

static void bracketed(const chain *c, double x, double z, double *force) {
    closing s = {c, x, z, 0.0, INFINITY, -INFINITY};
    for (int i = 0; i < c->n; i++) s.low = fmin(s.low, -c->offsets[i]), s.high = fmax(s.high, -c->offsets[i]);
    s.horizontal = exp(root(span_gap, &s, -46.0, 46.0));
    force[0] = s.horizontal;
    force[1] = vertical(&s);
}

/* Whether the force vanishes in a bar or a weightless run of bars: the chain then folds there. */
static int folds(const chain *c, double x, double z) {
    double before = 0.0, run, springs = 0.0, hung = 0.0;
    for (int i = 0; i < c->n; i++) springs += c->sides[i] * c->give[i], hung += c->sides[i] * c->give[i] * c->offsets[i];
    for (int i = 0; i < c->n; i = i + 0) { /* loads of a sinking or a floating chain come in order */
        int j = i;
        for (run = 0.0; j < c->n && c->offsets[j] == c->offsets[i]; j++) run += c->sides[j];
        double bridge = z - (1.0 - 2.0 * before - run);
        if (c->offsets[c->n - 1] < c->offsets[0]) bridge = z + (1.0 - 2.0 * before - run);
        bridge += c->offsets[i] * springs - hung;
        if (hypot(x, bridge) <= run) return 1;
        before += run;
        i = j;
    }
    return 0;
}

static const char *hang_freely(chain *c, double *nodes, double *tensions) {
    double x = c->span / c->length, z = c->rise / c->length, middle = 0.0, spread = 0.0, largest = 0.0, force[2];
    for (int i = 0; i < c->n; i++) {
        c->sides[i] = c->lengths[i] / c->length;
        middle += c->sides[i] * c->loads[i];
        largest = fmax(largest, fabs(c->loads[i]));
    }
    for (int i = 0; i < c->n; i++) spread += c->sides[i] * (c->loads[i] - middle) * (c->loads[i] - middle);
    double scale = sqrt(spread);
    if (scale <= 1e-14 * largest) return "it weighs nothing in the water";
    for (int i = 0; i < c->n; i++) {
        c->offsets[i] = (c->loads[i] - middle) / scale;
        c->give[i] = scale / c->stiffness[i];
    }
    int up = 1, down = 1;
    for (int i = 1; i < c->n; i++) up &= c->offsets[i] >= c->offsets[i - 1], down &= c->offsets[i] <= c->offsets[i - 1];
    if ((up || down) && folds(c, x, z)) return FOLDED;
    guess(c, x, z, force);
    if (!newton(c, x, z, force)) {
        bracketed(c, x, z, force);
        if (!newton(c, x, z, force)) return NOT_CLOSED;
    }
    for (int i = 0; i < c->n; i++) {
        double rise = force[1] + c->offsets[i], size = hypot(force[0], rise);
        c->directions[2 * i] = force[0] / size, c->directions[2 * i + 1] = rise / size;
        c->strain[i] = c->give[i] * size;
    }
    laid(c, scale * force[0], scale * force[1] - middle, NULL, nodes, tensions);
    return NULL;
}

/* --- rest: pulled along the seabed, the legs touch down ---------------------------------------------------------- */
typedef struct {
    int n;
    const double *lengths, *stiffness; /* in the order of the cable */
    int step;              /* +1 from the start inwards, -1 from the end */
    double *loads, *v, *directions;
    double height, side, slope, horizontal, ground;
    int buried;
} leg;

/* Length of element i under the pull of the leg and the vertical force v in its middle. */
static double length_of(const leg *l, int i, double v) {
    int k = l->step > 0 ? i : l->n - 1 - i;
    return l->lengths[k] * (1.0 + hypot(l->horizontal, v) / l->stiffness[k]);
}

static double too_high(double pull, void *context) {
    const leg *l = context;
    double sum = 0.0;
    for (int i = 0; i < l->n; i++) {
        double v = fmax(l->ground, pull - l->loads[i]);
        sum += length_of(l, i, v) * ((v - l->ground) / hypot(l->horizontal, v));
    }
    return sum - l->height;
}

/* A leg whose end is in the ground climbs straight out of it. */
static void climb_out(leg *l) {
    double flat = atan(l->slope), reach = 0.0;
    for (int i = 0; i < l->n; i++) {
        double length = length_of(l, i, l->ground), left = l->height - reach, angle = flat;
        if (reach + length <= l->height) angle = M_PI_2;
        else if (left >= 0.0) angle = flat + asin(fmin(1.0, left * cos(flat) / length));
        reach += length;
        l->directions[2 * i] = cos(angle), l->directions[2 * i + 1] = sin(angle), l->v[i] = l->ground;
    }
}

/* Directions (outward and up) of the elements and their vertical forces under the pull H; 0 where the leg is short. */
static int leg_directions(leg *l, double horizontal) {
    l->horizontal = horizontal;
    l->ground = l->slope * horizontal;
    if (l->buried) {
        climb_out(l);
        return 1;
    }
    double pull = -INFINITY;
    if (l->height > 0.0) {
        double low = l->ground + l->loads[0], step = horizontal + l->loads[0];
        while (too_high(low + step, l) < 0.0) {
            step *= 2.0;
            if (step > 1e12 * (horizontal + l->loads[l->n - 1])) return 0;
        }
        pull = root(too_high, l, low, low + step);
    }
    for (int i = 0; i < l->n; i++) {
        double v = fmax(l->ground, pull - l->loads[i]), size = hypot(horizontal, v);
        l->v[i] = v;
        l->directions[2 * i] = horizontal / size, l->directions[2 * i + 1] = v / size;
    }
    return 1;
}

typedef struct {
    leg *first, *last;
    double level, climb, span; /* of the bed along the cable: cosine and rise a metre */
} pulling;

static double too_far(double horizontal, void *context) {
    const pulling *p = context;
    double flat = 0.0, reach = -p->span;
    leg *legs[2] = {p->first, p->last};
    for (int k = 0; k < 2; k++) {
        leg *l = legs[k];
        if (!leg_directions(l, horizontal)) return NAN;
        for (int i = 0; i < l->n; i++) reach += length_of(l, i, l->v[i]) * l->directions[2 * i];
    }
    for (int i = 0; i < p->first->n; i++) flat += length_of(p->first, i, horizontal * p->climb);
    return reach - flat * p->level;
}

static void make_leg(leg *l, const chain *c, int from_end, double height, double slope, double *memory) {
    int n = c->n;
    double passed = 0.0, weight = 0.0;
    *l = (leg){.n = n, .lengths = c->lengths, .stiffness = c->stiffness, .step = from_end ? -1 : 1, .height = fabs(height),
               .side = height >= 0.0 ? 1.0 : -1.0, .loads = memory, .v = memory + n, .directions = memory + 2 * n};
    l->slope = l->side * slope;
    l->buried = l->side < 0.0;
    for (int i = 0; i < n; i++) {
        double w = c->weights[from_end ? n - 1 - i : i];
        weight += w;
        if (i > 0) passed += fabs(c->node_weights[from_end ? n - i : i]);
        l->loads[i] = weight - 0.5 * w + passed;
    }
}

static double bed_height(const hang_cable *cable, double level, const double *p) {
    return p[2] - level - cable->bed_slope[0] * p[0] - cable->bed_slope[1] * p[1];
}

static double lowest(const hang_cable *cable, double level, int n, const double *nodes) {
    double least = INFINITY;
    for (int i = 1; i < n; i++) least = fmin(least, bed_height(cable, level, &nodes[3 * i]));
    return least;
}

static const char *touch_down(chain *c, const hang_cable *cable, double level, double *nodes, double *tensions) {
    int n = c->n;
    double *memory = calloc((size_t)n * 9 + 1, sizeof(double));
    if (!memory) return NO_MEMORY;
    const char *fault = NULL;
    double climb = cable->bed_slope[0] * c->outward[0] + cable->bed_slope[1] * c->outward[1];
    leg first, last;
    for (int i = 0; i < n && !fault; i++)
        if (!(c->weights[i] > 0.0) || (i > 0 && c->node_weights[i] < 0.0)) fault = "parts of it float over the seabed";
    make_leg(&first, c, 0, bed_height(cable, level, c->start), -climb, memory);
    make_leg(&last, c, 1, bed_height(cable, level, c->end), climb, memory + 4 * n);
    double flat = sqrt(1.0 + climb * climb), horizontal = -1.0, *contact = memory + 8 * n;
    pulling p = {&first, &last, 1.0 / flat, climb, c->span};
    if (!fault) {
        /* where there is more cable than upright legs and the straight way between them, nothing pulls */
        if (c->length * p.level - first.height - last.height > c->span + STRAIGHT * c->length && first.slope == 0.0)
            fault = SLACK_ON_BED;
        else
            horizontal = positive_root(too_far, &p, 0.1 * fmax(first.loads[n - 1], last.loads[n - 1]));
        if (!fault && (horizontal < 0.0 || !leg_directions(&first, horizontal) || !leg_directions(&last, horizontal)))
            fault = NOT_CLOSED;
    }
    for (int i = 0; i < n && !fault; i++) {
        int j = n - 1 - i;
        int off_start = first.directions[2 * i + 1] - first.slope * first.directions[2 * i] > 1e-15;
        int off_end = last.directions[2 * j + 1] - last.slope * last.directions[2 * j] > 1e-15;
        if (off_start && off_end) fault = NOT_CLOSED;
        double *d = &c->directions[2 * i];
        d[0] = 1.0 / flat, d[1] = climb / flat, c->v[i] = horizontal * climb;
        if (off_start) {
            d[0] = first.directions[2 * i], d[1] = -first.side * first.directions[2 * i + 1];
            c->v[i] = -first.side * first.v[i];
        } else if (off_end) {
            d[0] = last.directions[2 * j], d[1] = last.side * last.directions[2 * j + 1];
            c->v[i] = last.side * last.v[j];
        }
    }
    for (int i = 0; i < n && !fault; i++) c->strain[i] = hypot(horizontal, c->v[i]) / c->stiffness[i];
    if (!fault) {
        contact[0] = 0.0;
        for (int i = 1; i < n; i++) contact[i] = c->loads[i] - c->loads[i - 1] - (c->v[i] - c->v[i - 1]);
        laid(c, horizontal, c->v[0] - c->loads[0], contact, nodes, tensions);
        if (lowest(cable, level, n, nodes) < CLEAR) fault = "it cannot be laid clear of the seabed";
    }
    free(memory);
    return fault;
}

/* --- catenary: which construction ---------------------------------------------------------------------------------- */
static void on_chord(const chain *c, const double *stiffness, double tension, double *nodes, double *tensions) {
    double along = 0.0, direction[3];
    for (int k = 0; k < 3; k++) direction[k] = (c->end[k] - c->start[k]) / c->chord, nodes[k] = c->start[k];
    for (int i = 0; i < c->n; i++) {
        along += c->lengths[i] * (1.0 + (stiffness ? tension / stiffness[i] : 0.0));
        for (int k = 0; k < 3; k++) nodes[3 * i + 3 + k] = c->start[k] + along * direction[k];
        tensions[i] = tension;
    }
    memcpy(&nodes[3 * c->n], c->end, 3 * sizeof(double));
}

static void straight(const chain *c, double *nodes, double *tensions) {
    on_chord(c, NULL, 0.0, nodes, tensions);
    double z = (c->end[2] - c->start[2]) / c->chord, weight = 0.0, least = 0.0;
    if (hypot((c->end[0] - c->start[0]) / c->chord, (c->end[1] - c->start[1]) / c->chord) > STRAIGHT) return;
    for (int i = 0; i < c->n; i++) { /* upright: the least tension that leaves nothing slack */
        weight += c->weights[i] + c->node_weights[i + 1];
        least = fmin(least, c->loads[i] * z);
    }
    double pull = -fmin(least, weight * z);
    for (int i = 0; i < c->n; i++) tensions[i] = pull + c->loads[i] * z;
}

/* A taut upright cable, its tension as its weight has it; 0 where a part of it would go slack. */
static int plumb(const chain *c, double give, double *nodes, double *tensions) {
    double direction[3], hung = 0.0, along = 0.0;
    for (int k = 0; k < 3; k++) direction[k] = (c->end[k] - c->start[k]) / c->chord, nodes[k] = c->start[k];
    for (int i = 0; i < c->n; i++) hung += c->lengths[i] / c->stiffness[i] * c->loads[i] * direction[2];
    double pull = (c->chord - c->length - hung) / give;
    for (int i = 0; i < c->n; i++) {
        tensions[i] = pull + c->loads[i] * direction[2];
        if (tensions[i] < 0.0) return 0;
        along += c->lengths[i] * (1.0 + tensions[i] / c->stiffness[i]);
        for (int k = 0; k < 3; k++) nodes[3 * i + 3 + k] = c->start[k] + along * direction[k];
    }
    memcpy(&nodes[3 * c->n], c->end, 3 * sizeof(double));
    return 1;
}

static const char *hang(chain *c, const hang_cable *cable, double level, double *nodes, double *tensions) {
    double slack = c->length - c->chord, longest = 0.0, give = 0.0, heaviest = 0.0, stiffest = 0.0;
    for (int i = 0; i < c->n; i++) {
        longest = fmax(longest, c->lengths[i]), give += c->lengths[i] / c->stiffness[i];
        heaviest = fmax(heaviest, fmax(fabs(c->weights[i]), i > 0 ? fabs(c->node_weights[i]) : 0.0));
        stiffest = fmax(stiffest, c->stiffness[i]);
    }
    int upright = c->span <= STRAIGHT * c->chord, sags = !upright && heaviest > 0.1 * STRAIGHT * stiffest;
    set_loads(c);
    if (slack <= STRAIGHT * c->length && upright && plumb(c, give, nodes, tensions)) return NULL;
    if (slack < -STRAIGHT * c->length && !sags) {
        on_chord(c, c->stiffness, -slack / give, nodes, tensions);
        return NULL;
    }
    if (fabs(slack) <= STRAIGHT * c->length && !sags) {
        straight(c, nodes, tensions);
        return NULL;
    }
    if (slack > 0.0 && 2.0 * longest > c->length + c->chord) return SQUEEZED;
    const char *fault = hang_freely(c, nodes, tensions);
    int rests = cable->has_bed && c->n > 1;
    if (fault) return rests && fault == FOLDED ? SLACK_ON_BED : fault;
    if (!rests || lowest(cable, level, c->n, nodes) >= 0.0) return NULL;
    return touch_down(c, cable, level, nodes, tensions);
}

/* --- immersed: the right weight above and below the surface ------------------------------------------------------ */
/* Weights of the elements and attachments in this shape; returns the largest change, and mixes it in. */
static double reweigh(const hang_cable *cable, const double *nodes, double mix, double *weights, double *node_weights) {
    double change = 0.0;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i <= cable->n; i++) {
            double z = nodes[3 * i + 2], found = z <= 0.0 ? cable->node_wet[i] : cable->node_dry[i];
            if (pass == 0) change = fmax(change, fabs(found - node_weights[i]));
            else node_weights[i] += mix * (found - node_weights[i]);
            if (i == cable->n) break;
            double next = nodes[3 * i + 5], height = hypot(next - z, cable->diameters[i]);
            double submerged = fmin(fmax(0.5 - 0.5 * (z + next) / height, 0.0), 1.0);
            found = cable->dry[i] + submerged * (cable->wet[i] - cable->dry[i]);
            if (pass == 0) change = fmax(change, fabs(found - weights[i]));
            else weights[i] += mix * (found - weights[i]);
        }
    return change;
}

const char *hang_in_sea(const hang_cable *cable, double *nodes, double *tensions) {
    int n = cable->n, floats = 1;
    double heaviest = 0.0, along = 0.0;
    for (int i = 0; i <= n; i++) {
        floats &= cable->node_wet[i] <= 0.0 && (i == n || cable->wet[i] < 0.0);
        if (i < n) heaviest = fmax(heaviest, cable->dry[i]);
    }
    if (floats) return FLOATS;
    double *memory = calloc((size_t)n * 10 + 2, sizeof(double));
    if (!memory) return NO_MEMORY;
    chain c = {.n = n, .start = cable->start, .end = cable->end, .lengths = cable->lengths,
               .stiffness = cable->stiffness, .weights = memory,
               .node_weights = memory + n, .loads = memory + 2 * n + 1, .offsets = memory + 3 * n + 1,
               .sides = memory + 4 * n + 1, .directions = memory + 5 * n + 1, .v = memory + 7 * n + 1,
               .give = memory + 8 * n + 1, .strain = memory + 9 * n + 1};
    double across[3];
    for (int k = 0; k < 3; k++) across[k] = cable->end[k] - cable->start[k];
    c.span = hypot(across[0], across[1]), c.rise = across[2];
    c.chord = sqrt(across[0] * across[0] + across[1] * across[1] + across[2] * across[2]);
    c.outward[0] = c.span > 0.0 ? across[0] / c.span : 1.0;
    c.outward[1] = c.span > 0.0 ? across[1] / c.span : 0.0;
    for (int i = 0; i < n; i++) c.length += cable->lengths[i];
    for (int i = 0; i <= n; i++) {
        for (int k = 0; k < 3; k++) nodes[3 * i + k] = cable->start[k] + along / c.length * across[k];
        if (i < n) along += cable->lengths[i];
    }
    double slope = cable->bed_slope[0] * cable->bed_slope[0] + cable->bed_slope[1] * cable->bed_slope[1];
    double level = cable->bed_level + cable->contact_radius * sqrt(1.0 + slope);
    reweigh(cable, nodes, 1.0, c.weights, c.node_weights);
    const char *fault = NULL;
    for (int attempt = 0; attempt < 12 && !fault; attempt++) {
        fault = hang(&c, cable, level, nodes, tensions);
        /* a cable that surfaces by its own buoyancy would otherwise jump in and out of the water */
        if (!fault && reweigh(cable, nodes, attempt < 2 ? 1.0 : 0.5, c.weights, c.node_weights) <= 1e-6 * heaviest) break;
    }
    free(memory);
    return fault;
}
