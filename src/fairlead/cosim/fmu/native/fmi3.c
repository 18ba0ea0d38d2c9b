/* The face of an instance towards FMI 3.0 for co-simulation. Every function of the standard is there. */
#include "fmi3.h"

#include <stdlib.h>
#include <string.h>

#include "instance.h"

#define EXPORT __attribute__((visibility("default")))
#define SELF ((instance *)c)
#define EXPECT(modes) \
    if (instance_expect(SELF, modes, __func__) != OK) return fmi3Error
#define REFERENCES const fmi3ValueReference vr[], size_t n

static const int READABLE = INITIALISING | STEPPING | TERMINATED | FAILED;
static const int SETTABLE = INSTANTIATED | INITIALISING | STEPPING;

typedef struct {
    fmi3InstanceEnvironment environment;
    fmi3LogMessageCallback log;
} connection;

static void report(const instance *self, enum status status, const char *category, const char *text) {
    const connection *host = self->host;
    if (host->log) host->log(host->environment, (fmi3Status)status, category, text);
}

EXPORT const char *fmi3GetVersion(void) {
    return "3.0";
}

/* Faults are always reported, and there is nothing else to log. */
EXPORT fmi3Status fmi3SetDebugLogging(fmi3Instance c, fmi3Boolean on, size_t n, const fmi3String categories[]) {
    (void)on, (void)n, (void)categories;
    EXPECT(ANY_MODE);
    return fmi3OK;
}

EXPORT fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                                                fmi3Boolean visible, fmi3Boolean logging, fmi3Boolean event_mode,
                                                fmi3Boolean early_return, const fmi3ValueReference intermediate[],
                                                size_t n_intermediate, fmi3InstanceEnvironment environment,
                                                fmi3LogMessageCallback log, fmi3IntermediateUpdateCallback update) {
    (void)resources, (void)visible, (void)logging, (void)early_return, (void)intermediate, (void)update;
    connection *host = malloc(sizeof *host);
    if (!host) return NULL;
    *host = (connection){environment, log};
    instance *self = instance_new(name, token, host, report);
    if (!self) {
        free(host);
        return NULL;
    }
    if (!event_mode && n_intermediate == 0) return self;
    instance_refuse(self, __func__, "this FMU has no event mode and no intermediate variables");
    instance_free(self); /* and `host` with it */
    return NULL;
}

static fmi3Instance refuse_interface(fmi3InstanceEnvironment environment, fmi3LogMessageCallback log) {
    if (log) log(environment, fmi3Error, "logStatusError", "this FMU serves co-simulation only");
    return NULL;
}

EXPORT fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources,
                                                 fmi3Boolean visible, fmi3Boolean logging,
                                                 fmi3InstanceEnvironment environment, fmi3LogMessageCallback log) {
    (void)name, (void)token, (void)resources, (void)visible, (void)logging;
    return refuse_interface(environment, log);
}

EXPORT fmi3Instance fmi3InstantiateScheduledExecution(fmi3String name, fmi3String token, fmi3String resources,
                                                      fmi3Boolean visible, fmi3Boolean logging,
                                                      fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
                                                      fmi3ClockUpdateCallback clock, fmi3LockPreemptionCallback lock,
                                                      fmi3UnlockPreemptionCallback unlock) {
    (void)name, (void)token, (void)resources, (void)visible, (void)logging, (void)clock, (void)lock, (void)unlock;
    return refuse_interface(environment, log);
}

EXPORT void fmi3FreeInstance(fmi3Instance c) {
    instance_free(SELF);
}

EXPORT fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean tolerance_defined, fmi3Float64 tolerance,
                                              fmi3Float64 start, fmi3Boolean stop_defined, fmi3Float64 stop) {
    (void)tolerance_defined, (void)tolerance;
    EXPECT(INSTANTIATED);
    if (instance_set_times(SELF, __func__, start, stop_defined, stop) != OK) return fmi3Error;
    SELF->mode = INITIALISING;
    return fmi3OK;
}

EXPORT fmi3Status fmi3ExitInitializationMode(fmi3Instance c) {
    EXPECT(INITIALISING);
    return (fmi3Status)instance_begin(SELF, __func__);
}

EXPORT fmi3Status fmi3Terminate(fmi3Instance c) {
    EXPECT(STEPPING);
    SELF->mode = TERMINATED;
    return fmi3OK;
}

EXPORT fmi3Status fmi3Reset(fmi3Instance c) {
    return (fmi3Status)instance_reset(SELF);
}

EXPORT fmi3Status fmi3GetFloat64(fmi3Instance c, REFERENCES, fmi3Float64 values[], size_t n_values) {
    EXPECT(READABLE);
    return (fmi3Status)instance_get(SELF, __func__, vr, n, values, n_values);
}

EXPORT fmi3Status fmi3SetFloat64(fmi3Instance c, REFERENCES, const fmi3Float64 values[], size_t n_values) {
    EXPECT(SETTABLE);
    return (fmi3Status)instance_set(SELF, __func__, vr, n, values, n_values);
}

EXPORT fmi3Status fmi3GetFMUState(fmi3Instance c, fmi3FMUState *state) {
    EXPECT(ANY_MODE);
    return (fmi3Status)snapshot_take(SELF, __func__, (snapshot **)state);
}

EXPORT fmi3Status fmi3SetFMUState(fmi3Instance c, fmi3FMUState state) {
    EXPECT(ANY_MODE);
    return (fmi3Status)snapshot_restore(SELF, __func__, state);
}

EXPORT fmi3Status fmi3FreeFMUState(fmi3Instance c, fmi3FMUState *state) {
    EXPECT(ANY_MODE);
    if (state) {
        free(*state);
        *state = NULL;
    }
    return fmi3OK;
}

EXPORT fmi3Status fmi3SerializedFMUStateSize(fmi3Instance c, fmi3FMUState state, size_t *size) {
    (void)state;
    EXPECT(ANY_MODE);
    *size = snapshot_size();
    return fmi3OK;
}

EXPORT fmi3Status fmi3SerializeFMUState(fmi3Instance c, fmi3FMUState state, fmi3Byte bytes[], size_t size) {
    EXPECT(ANY_MODE);
    if (!state || size < snapshot_size())
        return (fmi3Status)instance_refuse(SELF, __func__, "too few bytes for a state");
    memcpy(bytes, state, snapshot_size());
    return fmi3OK;
}

EXPORT fmi3Status fmi3DeserializeFMUState(fmi3Instance c, const fmi3Byte bytes[], size_t size, fmi3FMUState *state) {
    EXPECT(ANY_MODE);
    return (fmi3Status)snapshot_read(SELF, __func__, bytes, size, (snapshot **)state);
}

EXPORT fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 point, fmi3Float64 length, fmi3Boolean no_set_state_before,
                             fmi3Boolean *event, fmi3Boolean *terminate, fmi3Boolean *early, fmi3Float64 *reached) {
    (void)no_set_state_before;
    EXPECT(STEPPING);
    enum status status = instance_step(SELF, __func__, point, length);
    if (event) *event = false;
    if (terminate) *terminate = false;
    if (early) *early = false;
    if (reached) *reached = SELF->time;
    return (fmi3Status)status;
}

/* What the capability flags of the model description deny. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define ABSENT(name, ...)                                                                              \
    EXPORT fmi3Status name(fmi3Instance c, __VA_ARGS__) {                                              \
        return (fmi3Status)instance_refuse(SELF, __func__, "this FMU does not offer this function");   \
    }
#define ABSENT_MODE(name)                                                                              \
    EXPORT fmi3Status name(fmi3Instance c) {                                                           \
        return (fmi3Status)instance_refuse(SELF, __func__, "this FMU does not offer this function");   \
    }
#define ABSENT_TYPE(type, value_type)                                                                                  \
    EXPORT fmi3Status fmi3Get##type(fmi3Instance c, REFERENCES, value_type values[], size_t n_values) {                \
        return n == 0 ? fmi3OK : (fmi3Status)instance_refuse(SELF, __func__, "all variables are Float64");             \
    }                                                                                                                  \
    EXPORT fmi3Status fmi3Set##type(fmi3Instance c, REFERENCES, const value_type values[], size_t n_values) {          \
        return n == 0 ? fmi3OK : (fmi3Status)instance_refuse(SELF, __func__, "all variables are Float64");             \
    }
ABSENT_TYPE(Float32, fmi3Float32)
ABSENT_TYPE(Int8, fmi3Int8)
ABSENT_TYPE(UInt8, fmi3UInt8)
ABSENT_TYPE(Int16, fmi3Int16)
ABSENT_TYPE(UInt16, fmi3UInt16)
ABSENT_TYPE(Int32, fmi3Int32)
ABSENT_TYPE(UInt32, fmi3UInt32)
ABSENT_TYPE(Int64, fmi3Int64)
ABSENT_TYPE(UInt64, fmi3UInt64)
ABSENT_TYPE(Boolean, fmi3Boolean)
ABSENT_TYPE(String, fmi3String)
ABSENT(fmi3GetBinary, REFERENCES, size_t sizes[], fmi3Binary values[], size_t n_values)
ABSENT(fmi3SetBinary, REFERENCES, const size_t sizes[], const fmi3Binary values[], size_t n_values)
ABSENT(fmi3GetClock, REFERENCES, fmi3Clock values[])
ABSENT(fmi3SetClock, REFERENCES, const fmi3Clock values[])
ABSENT(fmi3GetNumberOfVariableDependencies, fmi3ValueReference vr, size_t *n)
ABSENT(fmi3GetVariableDependencies, fmi3ValueReference of, size_t of_elements[], fmi3ValueReference by[],
       size_t by_elements[], fmi3DependencyKind kinds[], size_t n)
ABSENT(fmi3GetDirectionalDerivative, REFERENCES, const fmi3ValueReference by[], size_t n_by, const fmi3Float64 seed[],
       size_t n_seed, fmi3Float64 sensitivity[], size_t n_sensitivity)
ABSENT(fmi3GetAdjointDerivative, REFERENCES, const fmi3ValueReference by[], size_t n_by, const fmi3Float64 seed[],
       size_t n_seed, fmi3Float64 sensitivity[], size_t n_sensitivity)
ABSENT(fmi3GetOutputDerivatives, REFERENCES, const fmi3Int32 orders[], fmi3Float64 values[], size_t n_values)
ABSENT(fmi3GetIntervalDecimal, REFERENCES, fmi3Float64 intervals[], fmi3IntervalQualifier qualifiers[])
ABSENT(fmi3GetIntervalFraction, REFERENCES, fmi3UInt64 counters[], fmi3UInt64 resolutions[],
       fmi3IntervalQualifier qualifiers[])
ABSENT(fmi3GetShiftDecimal, REFERENCES, fmi3Float64 shifts[])
ABSENT(fmi3GetShiftFraction, REFERENCES, fmi3UInt64 counters[], fmi3UInt64 resolutions[])
ABSENT(fmi3SetIntervalDecimal, REFERENCES, const fmi3Float64 intervals[])
ABSENT(fmi3SetIntervalFraction, REFERENCES, const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])
ABSENT(fmi3SetShiftDecimal, REFERENCES, const fmi3Float64 shifts[])
ABSENT(fmi3SetShiftFraction, REFERENCES, const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])
ABSENT(fmi3UpdateDiscreteStates, fmi3Boolean *needed, fmi3Boolean *terminate, fmi3Boolean *nominals,
       fmi3Boolean *values, fmi3Boolean *next_event_defined, fmi3Float64 *next_event)
ABSENT(fmi3CompletedIntegratorStep, fmi3Boolean no_set_state_before, fmi3Boolean *event, fmi3Boolean *terminate)
ABSENT(fmi3SetTime, fmi3Float64 time)
ABSENT(fmi3SetContinuousStates, const fmi3Float64 x[], size_t n)
ABSENT(fmi3GetContinuousStateDerivatives, fmi3Float64 derivatives[], size_t n)
ABSENT(fmi3GetEventIndicators, fmi3Float64 indicators[], size_t n)
ABSENT(fmi3GetContinuousStates, fmi3Float64 x[], size_t n)
ABSENT(fmi3GetNominalsOfContinuousStates, fmi3Float64 nominals[], size_t n)
ABSENT(fmi3GetNumberOfEventIndicators, size_t *n)
ABSENT(fmi3GetNumberOfContinuousStates, size_t *n)
ABSENT(fmi3ActivateModelPartition, fmi3ValueReference clock, fmi3Float64 time)
ABSENT_MODE(fmi3EnterEventMode)
ABSENT_MODE(fmi3EnterStepMode)
ABSENT_MODE(fmi3EnterContinuousTimeMode)
ABSENT_MODE(fmi3EnterConfigurationMode)
ABSENT_MODE(fmi3ExitConfigurationMode)
ABSENT_MODE(fmi3EvaluateDiscreteStates)
