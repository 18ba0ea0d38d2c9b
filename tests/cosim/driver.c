/* A host in C, linked with the sources of an FMU: `leak N` makes and frees N instances, with calls that are refused
   among them; `run N DT` takes N steps and prints every output with all its digits. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"
#if FMI == 2
#include "fmi2Functions.h"
#define CALL(name) fmi2##name
typedef fmi2Component handle;
typedef fmi2FMUstate state;
typedef fmi2ValueReference reference;
#define OK fmi2OK
#define ERROR fmi2Error
#define GetFMUState GetFMUstate
#define SetFMUState SetFMUstate
#define FreeFMUState FreeFMUstate
#else
#include "fmi3Functions.h"
#define CALL(name) fmi3##name
typedef fmi3Instance handle;
typedef fmi3FMUState state;
typedef fmi3ValueReference reference;
#define OK fmi3OK
#define ERROR fmi3Error
#endif
#define NAME2(a, b) a##b
#define NAME(a, b) NAME2(a, b)
#if FMI == 2
#define F(name) NAME(fmi2, name)
#else
#define F(name) NAME(fmi3, name)
#endif
#ifdef __GLIBC__
#include <malloc.h>
#endif

static int faults, messages;

#define EXPECT(call, status)                                            \
    if ((call) != (status)) {                                           \
        fprintf(stderr, "line %d: %s is not " #status "\n", __LINE__, #call); \
        faults++;                                                       \
    }

#if FMI == 2
static void hear(fmi2ComponentEnvironment e, fmi2String n, fmi2Status s, fmi2String c, fmi2String text, ...) {
    messages += text && *text;
}
static fmi2CallbackFunctions functions = {hear, calloc, free, NULL, NULL};
static handle make(const char *token) {
    return fmi2Instantiate("one", fmi2CoSimulation, token, "", &functions, 0, 0);
}
static int enter(handle h) {
    int status = fmi2SetupExperiment(h, 0, 0.0, 0.0, 0, 0.0);
    return status == OK ? (int)fmi2EnterInitializationMode(h) : status;
}
static int get(handle h, reference r, double *x, size_t n) { return fmi2GetReal(h, &r, 1, x); }
static int set(handle h, reference r, const double *x, size_t n) { return fmi2SetReal(h, &r, 1, x); }
static int step(handle h, double t, double dt) { return fmi2DoStep(h, t, dt, 1); }
#else
static void hear(fmi3InstanceEnvironment e, fmi3Status s, fmi3String c, fmi3String text) { messages += text && *text; }
static handle make(const char *token) {
    return fmi3InstantiateCoSimulation("one", token, "", 0, 0, 0, 0, NULL, 0, NULL, hear, NULL);
}
static int enter(handle h) { return fmi3EnterInitializationMode(h, 0, 0.0, 0.0, 0, 0.0); }
static int get(handle h, reference r, double *x, size_t n) { return fmi3GetFloat64(h, &r, 1, x, n); }
static int set(handle h, reference r, const double *x, size_t n) { return fmi3SetFloat64(h, &r, 1, x, n); }
static int step(handle h, double t, double dt) {
    fmi3Boolean a, b, c;
    double reached;
    return fmi3DoStep(h, t, dt, 1, &a, &b, &c, &reached);
}
#endif

static reference first_of(enum variable_kind kind) {
    reference r = 0;
    while (model_variables[r].kind != kind) r++;
    return r;
}

/* Everything that must be refused, and that the instance goes on all the same. */
static void misuse(handle h) {
    double bad[3] = {NAN, 0.0, 0.0}, far[3] = {1e12, 0.0, 0.0}, seen[3];
    reference input = first_of(INPUT), output = first_of(OUTPUT), none = 100000;
    size_t n_in = (size_t)model_variables[input].count, n_out = (size_t)model_variables[output].count;
    EXPECT(step(h, 0.0, 0.1), ERROR);
    EXPECT(F(ExitInitializationMode)(h), ERROR);
    EXPECT(enter(h), OK);
    EXPECT(set(h, input, bad, n_in), ERROR);
    EXPECT(set(h, input, far, n_in), ERROR);
    EXPECT(set(h, output, seen, n_out), ERROR);
    EXPECT(get(h, none, seen, 1), ERROR);
    EXPECT(F(ExitInitializationMode)(h), OK);
    EXPECT(step(h, 0.0, 0.1), OK);
    EXPECT(step(h, 0.0, 0.1), ERROR);
    EXPECT(step(h, 0.1, -0.1), ERROR);
    EXPECT(step(h, 0.1, NAN), ERROR);
    EXPECT(step(h, 0.1, 1e12), ERROR);
    state kept = NULL;
    EXPECT(F(GetFMUState)(h, &kept), OK);
    EXPECT(step(h, 0.1, 0.1), OK);
    EXPECT(F(SetFMUState)(h, kept), OK);
    EXPECT(F(FreeFMUState)(h, &kept), OK);
    EXPECT(step(h, 0.1, 0.1), OK);
    EXPECT(F(Terminate)(h), OK);
    EXPECT(step(h, 0.2, 0.1), ERROR);
}

/* A parameter changed, so that constants and first state are made anew. */
static void settle(handle h) {
    for (reference r = 0; r < model_n_variables; r++)
        if (model_variables[r].kind == PARAMETER && model_variables[r].count == 1) {
            double value = 1.01 * model_parameters[model_columns[model_variables[r].first]].start;
            if (value != 0.0) EXPECT(set(h, r, &value, 1), OK);
        }
    EXPECT(enter(h), OK);
    EXPECT(F(ExitInitializationMode)(h), OK);
    EXPECT(step(h, 0.0, 0.05), OK);
}

static int leak(int count) {
    size_t before = 0, after = 0;
    EXPECT(make("{another}") == NULL, 1);
    for (int k = -100; k < count; k++) { /* the first hundred fill the shelves of malloc */
#ifdef __GLIBC__
        struct mallinfo used = mallinfo();
        if (k == 0) before = used.uordblks + used.hblkhd;
#endif
        handle h = make(model_token);
        if ((k + 100) % 50 == 0) misuse(h);
        else if ((k + 100) % 50 == 1) settle(h);
        F(FreeInstance)(h);
    }
#ifdef __GLIBC__
    struct mallinfo used = mallinfo();
    after = used.uordblks + used.hblkhd;
#endif
    printf("%ld\n", (long)after - (long)before);
    if (messages == 0) faults++;
    return faults;
}

static int run(int steps, double dt) {
    handle h = make(model_token);
    EXPECT(enter(h), OK);
    EXPECT(F(ExitInitializationMode)(h), OK);
    for (int k = 0; k < steps; k++) EXPECT(step(h, k * dt, dt), OK);
    for (reference r = 0; r < model_n_variables; r++) {
        size_t n = (size_t)model_variables[r].count;
        double *x = calloc(n, sizeof *x);
        EXPECT(get(h, r, x, n), OK);
        printf("%s", model_variables[r].name);
        for (size_t k = 0; k < n; k++) printf(" %.17g", x[k]);
        printf("\n");
        free(x);
    }
    F(FreeInstance)(h);
    return faults;
}

int main(int argc, char **argv) {
    if (argc == 3 && !strcmp(argv[1], "leak")) return leak(atoi(argv[2]));
    if (argc == 4 && !strcmp(argv[1], "run")) return run(atoi(argv[2]), atof(argv[3]));
    return 2;
}
