/* A host that calls MoorDyn's library as WEC-Sim does: loaded by its name, version 1, one system.

   host LIBRARY FILE STEPS DT x0 ... xn-1 v0 ... vn-1: the coupled things go along x + v t; prints the forces of each step. */
#include <stdio.h>
#include <stdlib.h>

#if defined(_WIN32)
#include <windows.h>
#define dlopen(name, how) ((void *)LoadLibraryA(name))
#define dlsym(library, name) ((void *)GetProcAddress((HMODULE)(library), name))
#define dlerror() "the library cannot be loaded"
#else
#include <dlfcn.h>
#endif

typedef int init_call(double *, double *, const char *);
typedef int step_call(double *, double *, double *, double *, double *);
typedef int close_call(void);
typedef void console_call(int);
typedef double fairlead_call(int);

static void *symbol(void *library, const char *name) {
    void *found = dlsym(library, name);
    if (!found) fprintf(stderr, "no %s\n", name), exit(3);
    return found;
}

int main(int argc, char **argv) {
    void *library = argc > 4 ? dlopen(argv[1], RTLD_NOW) : NULL;
    if (!library) return fprintf(stderr, "%s\n", dlerror()), 2;
    int steps = atoi(argv[3]), n = (argc - 5) / 2;
    double dt = atof(argv[4]), x[64], start[64], v[64], f[64];
    for (int k = 0; k < n; k++) x[k] = start[k] = atof(argv[5 + k]), v[k] = atof(argv[5 + n + k]);
    ((console_call *)symbol(library, "SetDisableConsole"))(1);
    int code = ((init_call *)symbol(library, "MoorDynInit"))(x, v, argv[2]);
    if (code) return printf("%d\n", code), 0;
    step_call *step = (step_call *)symbol(library, "MoorDynStep");
    fairlead_call *tension = (fairlead_call *)symbol(library, "GetFairTen");
    for (int i = 0; i < steps; i++) {
        double t = i * dt;
        for (int k = 0; k < n; k++) x[k] = start[k] + t * v[k];
        if ((code = step(x, v, f, &t, &dt))) return printf("%d\n", code), 0;
        for (int k = 0; k < n; k++) printf("%.17g ", f[k]);
        printf("%.17g\n", tension(1));
    }
    return ((close_call *)symbol(library, "MoorDynClose"))();
}
