/* The face of an instance towards FMI 2.0 for co-simulation. Every function of the standard is there. */
#include "fmi2.h"

#include <stdlib.h>
#include <string.h>

#include "instance.h"

#define EXPORT __attribute__((visibility("default")))
#define SELF ((instance *)c)
#define EXPECT(modes) \
    if (instance_expect(SELF, modes, __func__) != OK) return fmi2Error

static const int READABLE = INITIALISING | STEPPING | TERMINATED | FAILED;
static const int SETTABLE = INSTANTIATED | INITIALISING | STEPPING;

static void report(const instance *self, enum status status, const char *category, const char *text) {
    const fmi2CallbackFunctions *host = self->host;
    if (host->logger) host->logger(host->componentEnvironment, self->name, (fmi2Status)status, category, text);
}

EXPORT const char *fmi2GetTypesPlatform(void) {
    return "default";
}

EXPORT const char *fmi2GetVersion(void) {
    return "2.0";
}

/* Faults are always reported, and there is nothing else to log. */
EXPORT fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t n, const fmi2String categories[]) {
    (void)on, (void)n, (void)categories;
    EXPECT(ANY_MODE);
    return fmi2OK;
}

EXPORT fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                                     const fmi2CallbackFunctions *functions, fmi2Boolean visible, fmi2Boolean logging) {
    (void)resources, (void)visible, (void)logging;
    if (!functions) return NULL;
    fmi2CallbackFunctions *host = malloc(sizeof *host);
    if (!host) return NULL;
    *host = *functions;
    instance *self = instance_new(name, guid, host, report);
    if (self && type == fmi2CoSimulation) return self;
    if (self) {
        instance_refuse(self, __func__, "this FMU serves co-simulation, not model exchange");
        instance_free(self); /* and `host` with it */
    } else {
        free(host);
    }
    return NULL;
}

EXPORT void fmi2FreeInstance(fmi2Component c) {
    instance_free(SELF);
}

EXPORT fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean tolerance_defined, fmi2Real tolerance,
                                      fmi2Real start, fmi2Boolean stop_defined, fmi2Real stop) {
    (void)tolerance_defined, (void)tolerance;
    EXPECT(INSTANTIATED);
    return (fmi2Status)instance_set_times(SELF, __func__, start, stop_defined, stop);
}

EXPORT fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
    EXPECT(INSTANTIATED);
    SELF->mode = INITIALISING;
    return fmi2OK;
}

EXPORT fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
    EXPECT(INITIALISING);
    return (fmi2Status)instance_begin(SELF, __func__);
}

EXPORT fmi2Status fmi2Terminate(fmi2Component c) {
    EXPECT(STEPPING);
    SELF->mode = TERMINATED;
    return fmi2OK;
}

EXPORT fmi2Status fmi2Reset(fmi2Component c) {
    return (fmi2Status)instance_reset(SELF);
}

EXPORT fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Real values[]) {
    EXPECT(READABLE);
    return (fmi2Status)instance_get(SELF, __func__, vr, n, values, n);
}

EXPORT fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Real values[]) {
    EXPECT(SETTABLE);
    return (fmi2Status)instance_set(SELF, __func__, vr, n, values, n);
}

#define ABSENT_TYPE(type, value_type)                                                                                  \
    EXPORT fmi2Status fmi2Get##type(fmi2Component c, const fmi2ValueReference vr[], size_t n, value_type values[]) {   \
        (void)vr, (void)values;                                                                                        \
        return n == 0 ? fmi2OK : (fmi2Status)instance_refuse(SELF, __func__, "all variables are Real");                \
    }                                                                                                                  \
    EXPORT fmi2Status fmi2Set##type(fmi2Component c, const fmi2ValueReference vr[], size_t n,                          \
                                    const value_type values[]) {                                                       \
        (void)vr, (void)values;                                                                                        \
        return n == 0 ? fmi2OK : (fmi2Status)instance_refuse(SELF, __func__, "all variables are Real");                \
    }
ABSENT_TYPE(Integer, fmi2Integer)
ABSENT_TYPE(Boolean, fmi2Boolean)
ABSENT_TYPE(String, fmi2String)

EXPORT fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *state) {
    EXPECT(ANY_MODE);
    return (fmi2Status)snapshot_take(SELF, __func__, (snapshot **)state);
}

EXPORT fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
    EXPECT(ANY_MODE);
    return (fmi2Status)snapshot_restore(SELF, __func__, state);
}

EXPORT fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *state) {
    EXPECT(ANY_MODE);
    if (state) {
        free(*state);
        *state = NULL;
    }
    return fmi2OK;
}

EXPORT fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t *size) {
    (void)state;
    EXPECT(ANY_MODE);
    *size = snapshot_size();
    return fmi2OK;
}

EXPORT fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size) {
    EXPECT(ANY_MODE);
    if (!state || size < snapshot_size())
        return (fmi2Status)instance_refuse(SELF, __func__, "too few bytes for a state");
    memcpy(bytes, state, snapshot_size());
    return fmi2OK;
}

EXPORT fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size, fmi2FMUstate *state) {
    EXPECT(ANY_MODE);
    return (fmi2Status)snapshot_read(SELF, __func__, bytes, size, (snapshot **)state);
}

EXPORT fmi2Status fmi2DoStep(fmi2Component c, fmi2Real point, fmi2Real length, fmi2Boolean no_set_state_before) {
    (void)no_set_state_before;
    EXPECT(STEPPING);
    return (fmi2Status)instance_step(SELF, __func__, point, length);
}

EXPORT fmi2Status fmi2CancelStep(fmi2Component c) {
    return (fmi2Status)instance_refuse(SELF, __func__, "a step is over when its call returns");
}

EXPORT fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Real *value) {
    EXPECT(ANY_MODE);
    if (kind != fmi2LastSuccessfulTime) return fmi2Discard;
    *value = SELF->time;
    return fmi2OK;
}

EXPORT fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean *value) {
    EXPECT(ANY_MODE);
    if (kind != fmi2Terminated) return fmi2Discard;
    *value = SELF->mode == TERMINATED;
    return fmi2OK;
}

#define NO_SUCH_STATUS(name, value_type)                                                       \
    EXPORT fmi2Status name(fmi2Component c, const fmi2StatusKind kind, value_type *value) {    \
        (void)c, (void)kind, (void)value;                                                      \
        return fmi2Discard;                                                                    \
    }
NO_SUCH_STATUS(fmi2GetStatus, fmi2Status)
NO_SUCH_STATUS(fmi2GetIntegerStatus, fmi2Integer)
NO_SUCH_STATUS(fmi2GetStringStatus, fmi2String)

/* What the capability flags of the model description deny, and all of model exchange. */
#define ABSENT(name, ...)                                                                              \
    EXPORT fmi2Status name(fmi2Component c, __VA_ARGS__) {                                             \
        return (fmi2Status)instance_refuse(SELF, __func__, "this FMU does not offer this function");   \
    }
#pragma GCC diagnostic ignored "-Wunused-parameter"
ABSENT(fmi2SetRealInputDerivatives, const fmi2ValueReference vr[], size_t n, const fmi2Integer order[],
       const fmi2Real v[])
ABSENT(fmi2GetRealOutputDerivatives, const fmi2ValueReference vr[], size_t n, const fmi2Integer order[], fmi2Real v[])
ABSENT(fmi2GetDirectionalDerivative, const fmi2ValueReference of[], size_t n_of, const fmi2ValueReference by[],
       size_t n_by, const fmi2Real d_by[], fmi2Real d_of[])
ABSENT(fmi2NewDiscreteStates, fmi2EventInfo *info)
ABSENT(fmi2CompletedIntegratorStep, fmi2Boolean no_set_state_before, fmi2Boolean *event, fmi2Boolean *terminate)
ABSENT(fmi2SetTime, fmi2Real time)
ABSENT(fmi2SetContinuousStates, const fmi2Real x[], size_t n)
ABSENT(fmi2GetDerivatives, fmi2Real derivatives[], size_t n)
ABSENT(fmi2GetEventIndicators, fmi2Real indicators[], size_t n)
ABSENT(fmi2GetContinuousStates, fmi2Real x[], size_t n)
ABSENT(fmi2GetNominalsOfContinuousStates, fmi2Real nominals[], size_t n)

#define ABSENT_MODE(name)                                                                              \
    EXPORT fmi2Status name(fmi2Component c) {                                                          \
        return (fmi2Status)instance_refuse(SELF, __func__, "this FMU does not offer this function");   \
    }
ABSENT_MODE(fmi2EnterEventMode)
ABSENT_MODE(fmi2EnterContinuousTimeMode)
