"""One FMU in a co-simulation, whoever made it, driven through FMPy: FMI 2.0 and 3.0 in the same words."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fairlead.model import ModelError, System, load_text
from fairlead.model.problems import suggestion

from .archive import unpack
from .errors import CosimError, CosimStopped

AXES = "xyz"
REAL = ("Real", "Float64")
CURE = "install it: pip install 'fairlead[cosim]'"
SYSTEM = "resources/system.yaml"
"""Where an FMU of Fairlead keeps the system it was made from."""


@dataclass(frozen=True)
class Port:
    """A value to be read or written: some numbers of some variables of an FMU."""

    name: str
    causality: str
    unit: str
    shape: tuple[int, ...]
    numbers: tuple[tuple[int, int], ...]
    """(value reference, place in that variable) of each number."""


class Slave:
    """An instance of an FMU. `log` holds what it said."""

    def __init__(self, name: str, path: Path):
        try:
            import fmpy
            from fmpy import fmi2, fmi3
        except ImportError:
            raise CosimError(f"a co-simulation needs FMPy, which is not installed; {CURE}") from None

        self.name, self.path, self.log = name, path, list[str]()
        self._folder = tempfile.mkdtemp()
        try:
            self._open(fmpy, fmi2, fmi3)
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise

    def _open(self, fmpy: Any, fmi2: Any, fmi3: Any) -> None:
        name, path = self.name, self.path
        try:
            unpack(path, Path(self._folder))
        except CosimError as error:
            raise CosimError(f"fmus.{name}: {path} is no FMU that can be read: {error}") from None
        try:
            self._description = fmpy.read_model_description(self._folder)
        except Exception as error:
            raise CosimError(f"fmus.{name}: {path} is no FMU that can be read: {error}") from None
        self._version = self._description.fmiVersion
        if self._description.coSimulation is None or self._version not in ("2.0", "3.0"):
            raise CosimError(f"fmus.{name}: {path} offers no co-simulation by FMI 2.0 or 3.0; export it again with it")
        self._two = self._version == "2.0"
        self._variables = {v.name: v for v in self._description.modelVariables}
        self._sizes = {v.name: self._size(v) for v in self._description.modelVariables}
        kind: Any = fmi2.FMU2Slave if self._two else fmi3.FMU3Slave
        try:
            self._fmu = kind(
                guid=self._description.guid, unzipDirectory=self._folder, instanceName=name,
                modelIdentifier=self._description.coSimulation.modelIdentifier,
            )  # fmt: skip
            self._instantiate(fmi2)
        except Exception as error:
            raise CosimError(f"fmus.{name}: {path} does not run on this machine: {self._told(error)}") from None

    def _instantiate(self, fmi2: Any) -> None:
        if self._two:
            self._keep = fmi2.fmi2CallbackLoggerTYPE(lambda env, name, status, kind, text: self._hear(text))
            self._fmu.instantiate(callbacks=fmi2.fmi2CallbackFunctions(logger=self._keep))
        else:
            self._fmu.instantiate(logMessage=lambda env, status, kind, text: self._hear(text))

    def _hear(self, text: bytes) -> None:
        self.log.append(text.decode(errors="replace"))

    def _told(self, error: Exception) -> str:
        return self.log[-1] if self.log else str(error)

    def _size(self, v: Any) -> int:
        sizes = []
        for d in v.dimensions or ():
            length = d.start if d.start is not None else getattr(d.variable, "start", None)
            sizes.append(int(length) if length is not None else 1)
        return int(np.prod(sizes)) if sizes else 1

    @property
    def system(self) -> System | None:
        """The system it was made from, where Fairlead made it."""
        if not str(self._description.generationTool or "").startswith("Fairlead"):
            return None
        try:
            return load_text((Path(self._folder) / SYSTEM).read_text(encoding="utf-8"), SYSTEM)
        except (OSError, UnicodeDecodeError, ModelError):
            return None  # signals, or a system of another version

    # --- what there is -----------------------------------------------------------------------------------------------
    @property
    def outputs(self) -> list[str]:
        """Names of all real outputs; vectors that FMI 2 has taken apart are one."""
        found = [v.name for v in self._variables.values() if v.causality == "output" and v.type in REAL]
        return list(dict.fromkeys(self._whole(name) for name in found))

    def _whole(self, name: str) -> str:
        stem, dot, axis = name.rpartition(".")
        return stem if dot and axis in AXES and all(f"{stem}.{a}" in self._variables for a in AXES) else name

    def port(self, name: str) -> Port:
        """What `name` stands for: a variable, one number of it (`B.position.y`), or three that make a vector."""
        stem, dot, axis = name.rpartition(".")
        if name in self._variables:
            v = self._real(name)
            shape = tuple(int(d.start) for d in v.dimensions or () if d.start is not None)
            return self._port(name, v, shape, tuple((v.valueReference, k) for k in range(self._sizes[name])))
        if all(f"{name}.{a}" in self._variables for a in AXES):
            parts = [self._real(f"{name}.{a}") for a in AXES]
            return self._port(name, parts[0], (3,), tuple((v.valueReference, 0) for v in parts))
        if dot and axis in AXES and self._sizes.get(stem) == 3:
            v = self._real(stem)
            return self._port(name, v, (), ((v.valueReference, AXES.index(axis)),))
        known = list(dict.fromkeys([*self._variables, *map(self._whole, self._variables)]))
        raise CosimError(f"'{self.name}' has no variable '{name}'; {suggestion(name, known)}")

    def _real(self, name: str) -> Any:
        v = self._variables[name]
        if v.type not in REAL:
            raise CosimError(f"'{self.name}.{name}' is of type {v.type}, and only real numbers are exchanged")
        return v

    def _port(self, name: str, v: Any, shape: tuple[int, ...], numbers: tuple[tuple[int, int], ...]) -> Port:
        unit = v.unit or (v.declaredType.unit if v.declaredType is not None else None) or ""
        return Port(name, str(v.causality), str(unit), shape, numbers)

    # --- what it does ------------------------------------------------------------------------------------------------
    def set_start(self, name: str, value: Any) -> None:
        """A parameter or input before the run, of any type."""
        v = self._variables.get(name)
        try:
            if v is not None and v.type not in REAL:
                fmpy_set = getattr(self._fmu, f"set{v.type}", None)
                if fmpy_set is None:
                    raise CosimError(f"values of type {v.type} cannot be set")
                fmpy_set([v.valueReference], [value])
                return
            port = self.port(name)
            Writer(self, [port]).write(np.ravel(np.asarray(value, dtype=float)))
        except CosimError as error:
            raise CosimError(f"fmus.{self.name}.start.{name}: {error}") from None
        except Exception as error:
            raise CosimError(f"fmus.{self.name}.start.{name}: {self._told(error)}") from None

    def enter(self, stop: float) -> None:
        """Into initialisation mode."""
        self._try("initialise", self._enter, stop)

    def _enter(self, stop: float) -> None:
        if self._two:
            self._fmu.setupExperiment(startTime=0.0, stopTime=stop)
            self._fmu.enterInitializationMode()
        else:
            self._fmu.enterInitializationMode(startTime=0.0, stopTime=stop)

    def begin(self) -> None:
        """Out of it, to the first step."""
        self._try("initialise", self._fmu.exitInitializationMode)

    def step(self, t: float, dt: float) -> None:
        """From t to t + dt [s]. FMPy hands over to C without Python's lock, so that threads run side by side."""
        self._try(
            f"step from t = {t:.9g} s", lambda: self._fmu.doStep(currentCommunicationPoint=t, communicationStepSize=dt)
        )

    def read(self, references: list[int], count: int) -> np.ndarray:
        """The numbers of variables by reference, one after the other."""
        if self._two:
            return np.array(self._try("be read", self._fmu.getReal, references))
        return np.array(self._try("be read", self._fmu.getFloat64, references, count))

    def write(self, references: list[int], values: list[float]) -> None:
        """All numbers of variables by reference."""
        self._try("take its inputs", self._fmu.setReal if self._two else self._fmu.setFloat64, references, values)

    def size(self, reference: int) -> int:
        """Numbers of the variable with that reference."""
        return next(self._sizes[v.name] for v in self._variables.values() if v.valueReference == reference)

    def starts(self, reference: int) -> list[float]:
        """Start values of the variable with that reference."""
        v = next(v for v in self._variables.values() if v.valueReference == reference)
        numbers = [float(x) for x in str(v.start).split()] if v.start is not None else []
        size = self._sizes[v.name]
        return numbers * size if len(numbers) == 1 else (numbers or [0.0] * size)

    def _try(self, what: str, call: Any, *arguments: Any) -> Any:
        heard = len(self.log)
        try:
            return call(*arguments)
        except Exception as error:
            said = "; ".join(self.log[heard:]) or str(error)
            raise CosimStopped(f"'{self.name}' could not {what}: {said}") from None

    def close(self) -> None:
        """Free the instance and what was unpacked."""
        import contextlib

        with contextlib.suppress(Exception):
            self._fmu.terminate()
        with contextlib.suppress(Exception):
            self._fmu.freeInstance()
        shutil.rmtree(self._folder, ignore_errors=True)


class Reader:
    """Reads ports of one FMU in one call."""

    def __init__(self, slave: Slave, ports: list[Port]):
        self._slave = slave
        self._references = list(dict.fromkeys(reference for port in ports for reference, _ in port.numbers))
        sizes = [slave.size(reference) for reference in self._references]
        self._count = sum(sizes)
        first = dict(zip(self._references, np.concatenate(([0], np.cumsum(sizes)))[:-1].tolist(), strict=True))
        self._places = np.array([first[r] + k for port in ports for r, k in port.numbers], dtype=np.int64)

    def read(self) -> np.ndarray:
        """The numbers of all ports, one after the other."""
        if not self._references:
            return np.empty(0)
        return self._slave.read(self._references, self._count)[self._places]


class Writer:
    """Writes ports of one FMU in one call; numbers of an array that no port names keep their start value."""

    def __init__(self, slave: Slave, ports: list[Port]):
        self._slave = slave
        self._references = list(dict.fromkeys(reference for port in ports for reference, _ in port.numbers))
        starts = [slave.starts(reference) for reference in self._references]
        first = dict(
            zip(self._references, np.concatenate(([0], np.cumsum([len(s) for s in starts])))[:-1].tolist(), strict=True)
        )
        self._buffer = np.array([number for start in starts for number in start])
        self._places = np.array([first[r] + k for port in ports for r, k in port.numbers], dtype=np.int64)

    def write(self, values: np.ndarray) -> None:
        """The numbers of all ports, one after the other."""
        if not self._references:
            return
        if len(values) != len(self._places):
            raise CosimError(f"takes {len(self._places)} numbers, not {len(values)}")
        self._buffer[self._places] = values
        self._slave.write(self._references, self._buffer.tolist())
