/* A heavy body pulled by two forces, as a co-simulation FMU that Fairlead had no part in: written against the headers
   of the standard. m dv/dt = F_a + F_b - m g e_z, symplectic Euler in small steps under held forces. */
#include <stdlib.h>

#include "fmi2Functions.h"

enum { TIME, MASS, FORCE_A, FORCE_B = FORCE_A + 3, POSITION = FORCE_B + 3, N = POSITION + 3 };

typedef struct {
    double value[N], speed[3];
} body;

#define SELF ((body *)c)

const char *fmi2GetTypesPlatform(void) { return fmi2TypesPlatform; }
const char *fmi2GetVersion(void) { return fmi2Version; }
fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t n, const fmi2String names[]) { return fmi2OK; }

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String place,
                              const fmi2CallbackFunctions *functions, fmi2Boolean visible, fmi2Boolean logging) {
    body *c = calloc(1, sizeof *c);
    c->value[MASS] = 2000.0;
    return c;
}

void fmi2FreeInstance(fmi2Component c) { free(c); }
fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean defined, fmi2Real tolerance, fmi2Real start,
                               fmi2Boolean stop_defined, fmi2Real stop) { return fmi2OK; }
fmi2Status fmi2EnterInitializationMode(fmi2Component c) { return fmi2OK; }
fmi2Status fmi2ExitInitializationMode(fmi2Component c) { return fmi2OK; }
fmi2Status fmi2Terminate(fmi2Component c) { return fmi2OK; }
fmi2Status fmi2Reset(fmi2Component c) { return fmi2OK; }

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Real value[]) {
    for (size_t k = 0; k < n; k++) value[k] = SELF->value[vr[k]];
    return fmi2OK;
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Real value[]) {
    for (size_t k = 0; k < n; k++) SELF->value[vr[k]] = value[k];
    return fmi2OK;
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real dt, fmi2Boolean keep) {
    double *v = SELF->value, h = dt / 20.0;
    for (int i = 0; i < 20; i++)
        for (int k = 0; k < 3; k++) {
            SELF->speed[k] += h * ((v[FORCE_A + k] + v[FORCE_B + k]) / v[MASS] - (k == 2 ? 9.81 : 0.0));
            v[POSITION + k] += h * SELF->speed[k];
        }
    v[TIME] = t + dt;
    return fmi2OK;
}

/* What it does not offer. */
#define ABSENT(name, ...) fmi2Status name(fmi2Component c, __VA_ARGS__) { return fmi2Error; }
fmi2Status fmi2CancelStep(fmi2Component c) { return fmi2Error; }
ABSENT(fmi2GetInteger, const fmi2ValueReference vr[], size_t n, fmi2Integer v[])
ABSENT(fmi2GetBoolean, const fmi2ValueReference vr[], size_t n, fmi2Boolean v[])
ABSENT(fmi2GetString, const fmi2ValueReference vr[], size_t n, fmi2String v[])
ABSENT(fmi2SetInteger, const fmi2ValueReference vr[], size_t n, const fmi2Integer v[])
ABSENT(fmi2SetBoolean, const fmi2ValueReference vr[], size_t n, const fmi2Boolean v[])
ABSENT(fmi2SetString, const fmi2ValueReference vr[], size_t n, const fmi2String v[])
ABSENT(fmi2GetFMUstate, fmi2FMUstate *s)
ABSENT(fmi2SetFMUstate, fmi2FMUstate s)
ABSENT(fmi2FreeFMUstate, fmi2FMUstate *s)
ABSENT(fmi2SerializedFMUstateSize, fmi2FMUstate s, size_t *n)
ABSENT(fmi2SerializeFMUstate, fmi2FMUstate s, fmi2Byte b[], size_t n)
ABSENT(fmi2DeSerializeFMUstate, const fmi2Byte b[], size_t n, fmi2FMUstate *s)
ABSENT(fmi2GetDirectionalDerivative, const fmi2ValueReference u[], size_t n, const fmi2ValueReference k[], size_t m,
       const fmi2Real dk[], fmi2Real du[])
ABSENT(fmi2SetRealInputDerivatives, const fmi2ValueReference vr[], size_t n, const fmi2Integer o[], const fmi2Real v[])
ABSENT(fmi2GetRealOutputDerivatives, const fmi2ValueReference vr[], size_t n, const fmi2Integer o[], fmi2Real v[])
ABSENT(fmi2GetStatus, const fmi2StatusKind s, fmi2Status *v)
ABSENT(fmi2GetRealStatus, const fmi2StatusKind s, fmi2Real *v)
ABSENT(fmi2GetIntegerStatus, const fmi2StatusKind s, fmi2Integer *v)
ABSENT(fmi2GetBooleanStatus, const fmi2StatusKind s, fmi2Boolean *v)
ABSENT(fmi2GetStringStatus, const fmi2StatusKind s, fmi2String *v)
