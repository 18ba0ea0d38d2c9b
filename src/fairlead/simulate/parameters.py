"""Physical properties of a system that are set while it is simulated, and a record of when."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairlead.algebra.recorded import Player
from fairlead.formulations.contract import Compiled, UnsupportedSystem
from fairlead.formulations.kernel_compiled import KernelCompiled
from fairlead.formulations.property_tape import NotRecorded, PropertyTape, agree
from fairlead.model import System
from fairlead.model.candidates import Candidate, candidates
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
    """The values of environment and cable types that may be set while a system runs.

    The first time a value is set the formulation builds its constants anew. From then on they follow from the record of
    how it does that (`PropertyTape`), where the two have agreed.
    """

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled
        self._unread: dict[str, Any] = {}
        """What is set and not yet in the compiled system's description, which takes longer to make than constants."""
        self._tape: PropertyTape | None = None
        self._player: Player | None = None
        self._proven: dict[str, tuple[Candidate, range]] = {}
        """By path: values for which tape and formulation have agreed, and their places in the tape."""
        self._recorded = False
        """Whether it was tried to make a tape."""
        self.changes: list[Change] = []
        """What was set, in order."""

    @property
    def system(self) -> System:
        """The system as it is at present."""
        if self._unread:
            self._compiled.system = self._compiled.system.with_values(self._unread)
            self._unread = {}
        return self._compiled.system

    def read(self) -> dict[str, float | tuple[float, ...]]:
        """Every value that may be set, by path."""
        return {
            c.path: c.values if c.shape else c.values[0]
            for c in candidates(self.system, structural=True)
            if c.path.rpartition(".")[2] not in STARTING
        }

    def set(self, time: float, values: Mapping[str, Any]) -> None:
        """Set values from `time` on, all or none, and keep a record of it."""
        self.apply(values)
        self.changes.append(Change(time, {path: _plain(value) for path, value in values.items()}))

    def apply(self, values: Mapping[str, Any]) -> bool:
        """Set values, all or none; whether the constants are all that changed."""
        if not hasattr(values, "items"):
            raise ParameterError(
                f"parameters are given by path, as {{'types.wire.drag.normal': 1.3}}, not as {values!r:.60}"
            )
        values = {path: _plain(value) for path, value in values.items()}
        return self._quickly(values) or self._build(values)

    def _quickly(self, values: Mapping[str, Any]) -> bool:
        """By the tape; False, and nothing set, where that is not to be relied on."""
        places: list[int] = []
        numbers: list[float] = []
        for path, value in values.items():
            candidate, place = self._proven.get(path, (None, range(0)))
            row = value if isinstance(value, list) else [value]
            if candidate is None or len(row) != len(place) or isinstance(value, list) != bool(candidate.shape):
                return False
            if not all(isinstance(x, float) and candidate.low <= x <= candidate.high for x in row):
                return False
            places += place
            numbers += row
        if self._player is None or not self._player.play(places, numbers):
            return False
        with self._compiled.turn:
            which, what = self._player.following(places)
            self._compiled.reals[which] = what
        self._unread |= values
        return True

    def _build(self, values: Mapping[str, Any]) -> bool:
        """By the formulation, and look whether the tape says the same; whether constants are all that changed."""
        known = self.read()
        for path in values:
            if path not in known:
                raise ParameterError(self._refusal(path, known))
        compiled = self._compiled
        try:
            with compiled.turn:
                if not self._recorded and isinstance(compiled, KernelCompiled) and compiled.exports:
                    self._recorded = True
                    with suppress(NotRecorded):
                        self._tape = PropertyTape.of(compiled)
                whole = compiled.take_properties(self.system.with_values(values))
        except UnsupportedSystem as error:
            names = " and ".join(f"'{path}'" for path in values)
            raise ParameterError(f"{names} cannot be set now: {error}") from None
        self._prove(values, whole)
        return whole

    def _prove(self, values: Mapping[str, Any], whole: bool) -> None:
        """What was built against what the tape has for it; `whole`: the constants are all that changed."""
        if self._tape is None:
            return
        player, places, at = Player(self._tape.tape), {}, 0
        present = {c.path: c for c in candidates(self.system)}
        numbers: list[float] = []
        for c in self._tape.candidates:
            places[c.path] = (c, range(at, at + len(c.values)))
            at += len(c.values)
            numbers += present[c.path].values
        agreed = player.play(range(at), numbers)
        if agreed:
            constants = self._tape.constants.copy()
            which, what = player.following(range(at))
            constants[which] = what
            agreed = agree(constants, self._compiled.reals)
        self._player = player if agreed else None
        if agreed and whole:
            self._proven |= {path: places[path] for path in values if path in places}
        elif not agreed:
            self._proven = {}

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
    if isinstance(value, np.ndarray | np.number) and value.dtype.kind == "f":
        return value.tolist()
    if np.ndim(value) == 0:
        return float(value)
    return [_plain(x) for x in value]
