"""What a varied value costs: constants of the equations alone, a start of its own, or a structure of its own.

It is tried: the system is built with other values and held against the first scenario's. Where the compiled system has
the same shape, the same constants as `take_properties` gives it, and the same first state to the last bit, a scenario
can take over what another one has built. The waves of a sea that grows from nothing are such: at rest there are none.
Other values may matter for the start in one scenario and not in another (drag without a current), so they count as
constants only where nothing else has a start of its own.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairlead.formulations.contract import Compiled, UnsupportedSystem
from fairlead.model.problems import ModelError
from fairlead.results import ResultError
from fairlead.simulate.simulation import Simulation
from fairlead.statics import StaticsError

from .check import Ready, made
from .factors import Factor

CONSTANTS, START, STRUCTURE = "constants only", "a start of its own", "a structure of its own"
OF_THE_SEA = "environment.waves."
FEW = 5
TRIED = (0.05, 0.95)
"""Where in each factor it is tried."""


@dataclass(frozen=True)
class Costs:
    """Of every factor of a design, in its order."""

    ready: Ready
    kinds: tuple[str, ...]

    @property
    def are_shared(self) -> bool:
        """Whether scenarios can take over what others have built."""
        return CONSTANTS in self.kinds

    @property
    def have_one_start(self) -> bool:
        """Whether all scenarios do."""
        return set(self.kinds) <= {CONSTANTS}

    def constants(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Which of a scenario's values change constants of the equations alone, by path."""
        factors = zip(self.ready.scenarios.factors, self.kinds, strict=True)
        return {path: values[path] for factor, kind in factors if kind == CONSTANTS for path in factor.paths}

    def alike(self, values: Mapping[str, Any]) -> Hashable | None:
        """What a scenario of these values has in common with those whose start it shares; None where there is no such
        thing."""
        if not self.are_shared:
            return None
        factors = zip(self.ready.scenarios.factors, self.kinds, strict=True)
        own = [path for factor, kind in factors if kind != CONSTANTS for path in factor.paths]
        return json.dumps([values[path] for path in own], default=str)


def costs(ready: Ready) -> Costs:
    """Find out by building some scenarios; one that cannot be built is taken to need a start of its own."""
    factors = ready.scenarios.factors
    try:
        first = Simulation(ready.scenario(0))
    except (ModelError, StaticsError, UnsupportedSystem):
        return Costs(ready, (START,) * len(factors))
    kinds = [_kind(ready, first, place, factor) for place, factor in enumerate(factors)]
    if START in kinds:
        kinds = [START if kind == CONSTANTS and not _of_the_sea(factor) else kind
                 for kind, factor in zip(kinds, factors, strict=True)]  # fmt: skip
    return Costs(ready, tuple(kinds))


def first_ready(ready: Ready) -> Simulation:
    """The first scenario that can be made ready, of a few; `ResultError` where none can."""
    for i in range(min(FEW, len(ready.scenarios))):
        try:
            return Simulation(ready.scenario(i))
        except (ModelError, StaticsError, UnsupportedSystem) as error:
            why = str(error)
    raise ResultError(f"scenario {i} cannot be made ready, nor any before it: {why}")


def _of_the_sea(factor: Factor) -> bool:
    return all(path.startswith(OF_THE_SEA) and not path.endswith((".ramp", ".kind")) for path in factor.paths)


def _kind(ready: Ready, first: Simulation, place: int, factor: Factor) -> str:
    allowed = _of_the_sea(factor) or all(path in first.parameters for path in factor.paths)
    found = CONSTANTS if allowed else START
    base = ready.scenarios.values(0)
    for u in TRIED:
        values = ready.scenarios.changed(0, place, u)
        if values == base and len(factor.levels) > 1:
            values = base | dict(zip(factor.paths, factor.levels[-1], strict=True))
        try:
            other = Simulation(made(ready.system, values))
        except (ModelError, StaticsError, UnsupportedSystem):
            found = START
            continue
        if not _same_structure(first.compiled, other.compiled):
            return STRUCTURE
        if found == CONSTANTS and not _shares(first, other):
            found = START
    return found


def _same_structure(one: Compiled, other: Compiled) -> bool:
    return bool(
        one.layout == other.layout
        and one.shape == other.shape
        and np.array_equal(one.ints, other.ints)
        and len(one.reals) == len(other.reals)
    )


def _shares(first: Simulation, other: Simulation) -> bool:
    """Whether the first, given the other's properties, is the other to the last bit."""
    compiled, before = first.compiled, first.system
    try:
        compiled.take_properties(other.system)
    except UnsupportedSystem:
        return False
    same = _equal(compiled.reals, other.compiled.reals) and _equal(first.state, other.state)
    compiled.take_properties(before)
    return same


def _equal(one: Any, other: Any) -> bool:
    return bool(np.array_equal(one, other, equal_nan=True))
