"""A host for the tests: one set of words for FMI 2.0 and 3.0, and everything the FMU says is kept."""

from __future__ import annotations

import shutil
from pathlib import Path

import fmpy
import numpy as np
from fmpy.fmi1 import FMICallException
from fmpy.fmi2 import FMU2Slave, fmi2CallbackFunctions, fmi2CallbackLoggerTYPE
from fmpy.fmi3 import FMU3Slave

Refused = FMICallException


class Host:
    """One instance of an FMU."""

    def __init__(self, path: Path):
        self.description = fmpy.read_model_description(str(path))
        self.references = {v.name: v.valueReference for v in self.description.modelVariables}
        self.sizes = {
            v.name: int(np.prod([int(d.start) for d in v.dimensions])) for v in self.description.modelVariables
        }
        self.folder = fmpy.extract(str(path))
        self.log: list[str] = []
        self.two = self.description.fmiVersion == "2.0"
        self.fmu = (FMU2Slave if self.two else FMU3Slave)(
            guid=self.description.guid, unzipDirectory=self.folder, instanceName="one",
            modelIdentifier=self.description.coSimulation.modelIdentifier,
        )  # fmt: skip
        self.instantiate()

    def instantiate(self) -> None:
        if self.two:
            # a C function with more arguments than it is declared with: the text is the last one Python sees
            self._keep = fmi2CallbackLoggerTYPE(
                lambda env, name, status, category, text: self.log.append(text.decode())
            )
            self.fmu.instantiate(callbacks=fmi2CallbackFunctions(logger=self._keep))
        else:
            self.fmu.instantiate(logMessage=lambda env, status, category, text: self.log.append(text.decode()))

    def start(self, stop: float | None = None, begin: float = 0.0) -> Host:
        """Through initialisation to the first step."""
        self.enter(stop, begin)
        self.fmu.exitInitializationMode()
        return self

    def enter(self, stop: float | None = None, begin: float = 0.0) -> None:
        if self.two:
            self.fmu.setupExperiment(startTime=begin, stopTime=stop)
            self.fmu.enterInitializationMode()
        else:
            self.fmu.enterInitializationMode(startTime=begin, stopTime=stop)

    def step(self, t: float, dt: float) -> None:
        self.fmu.doStep(currentCommunicationPoint=t, communicationStepSize=dt)

    def names(self, name: str) -> list[str]:
        """The variables that make up an array."""
        if not self.two or name in self.references:
            return [name]
        return [v for v in self.references if v.startswith((f"{name}.", f"{name}["))]

    def __getitem__(self, name: str) -> np.ndarray:
        references = [self.references[v] for v in self.names(name)]
        if self.two:
            return np.array(self.fmu.getReal(references))
        return np.array(self.fmu.getFloat64(references, nValues=self.sizes.get(name, 1)))

    def __setitem__(self, name: str, values: object) -> None:
        references = [self.references[v] for v in self.names(name)]
        (self.fmu.setReal if self.two else self.fmu.setFloat64)(references, [float(x) for x in np.ravel(values)])

    def state(self) -> object:
        return self.fmu.getFMUstate() if self.two else self.fmu.getFMUState()

    def restore(self, state: object) -> None:
        self.fmu.setFMUstate(state) if self.two else self.fmu.setFMUState(state)

    def forget(self, state: object) -> None:
        self.fmu.freeFMUstate(state) if self.two else self.fmu.freeFMUState(state)

    def to_bytes(self, state: object) -> bytes:
        return bytes(self.fmu.serializeFMUstate(state) if self.two else self.fmu.serializeFMUState(state))

    def from_bytes(self, content: bytes) -> object:
        return self.fmu.deSerializeFMUstate(content) if self.two else self.fmu.deserializeFMUState(content)

    def close(self) -> None:
        self.fmu.freeInstance()
        shutil.rmtree(self.folder, ignore_errors=True)


def run_by_fmpy(path: Path, stop_time: float) -> np.ndarray:
    """What FMPy's own master records.

    It is handed the instance: of FMI 3.0 FMUs FMPy's look at the platform knows no Linux but that of x86-64.
    """
    description, folder = fmpy.read_model_description(str(path)), fmpy.extract(str(path))
    try:
        instance = fmpy.instantiate_fmu(folder, description, "CoSimulation")
        found = fmpy.simulate_fmu(
            folder, model_description=description, fmu_instance=instance, fmi_type="CoSimulation", stop_time=stop_time
        )
        instance.freeInstance()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return found
