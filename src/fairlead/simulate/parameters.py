"""Physical properties of a system that are set while it is simulated, and a record of when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairlead.formulations.contract import Compiled, UnsupportedSystem
from fairlead.model import System
from fairlead.model.candidates import candidates
from fairlead.model.problems import suggestion

STARTING = {"depth", "slope", "z"}
"""Values of the environment that the first shape stands on."""


class ParameterError(ValueError):
    """A parameter that is not there, or cannot be changed while the simulation runs; the text says which and why."""


@dataclass(frozen=True)
class Change:
    """Values that hold from a time on."""

    time: float
    """s"""
    values: dict[str, Any]
    """By path."""


class Parameters:
    """The values of environment and cable types that may be set while a system runs."""

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled
        self.changes: list[Change] = []
        """What was set, in order."""

    def read(self) -> dict[str, float | tuple[float, ...]]:
        """Every value that may be set, by path."""
        return {
            c.path: c.values if c.shape else c.values[0]
            for c in candidates(self._compiled.system, structural=True)
            if c.path.rpartition(".")[2] not in STARTING
        }

    def set(self, time: float, values: Mapping[str, Any]) -> System:
        """Set values from `time` on, all or none; returns the system as it is then."""
        if not hasattr(values, "items"):
            raise ParameterError(
                f"parameters are given by path, as {{'types.wire.drag.normal': 1.3}}, not as {values!r:.60}"
            )
        values = {path: _plain(value) for path, value in values.items()}
        known = self.read()
        for path in values:
            if path not in known:
                raise ParameterError(self._refusal(path, known))
        try:
            with self._compiled.turn:
                self._compiled.take_properties(self._compiled.system.with_values(values))
        except UnsupportedSystem as error:
            names = " and ".join(f"'{path}'" for path in values)
            raise ParameterError(f"{names} cannot be set now: {error}") from None
        self.changes.append(Change(time, values))
        return self._compiled.system

    def _refusal(self, path: str, known: Mapping[str, object]) -> str:
        part, last = path.partition(".")[0], path.rpartition(".")[2]
        if last in STARTING and part == "environment":
            return f"'{path}' cannot be set while the system runs: its first shape stands on it; start a new simulation"
        if part in ("points", "cables", "bodies", "loads", "joints"):
            return (
                f"'{path}' cannot be set while the system runs: what it is made of, its lengths and where it starts "
                "stay as they are; move points and winches by inputs, or start a new simulation"
            )
        if part in ("simulation", "outputs", "inputs", "fmu", "hydro"):
            return f"'{path}' is no property of the environment or of a cable type; start a new simulation with it"
        return f"there is no parameter '{path}'; {suggestion(path, known)}"


def _plain(value: Any) -> Any:
    """A number, a text with a unit, or a list of these."""
    if isinstance(value, str):
        return value
    if np.ndim(value) == 0:
        return float(value)
    return [_plain(x) for x in value]
