"""What an integrator is: many steps of a compiled system in one compiled call.

`rhs` and `settle` of every formulation share one signature each. The Runge-Kutta drivers take them as first-class
functions of exactly these types, so one driver serves all formulations and its machine code is found on disk again by
the next process (numba never finds it when a plain dispatcher is passed, because that type is tied to the object).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from fairlead.algebra.compiled import entry
from fairlead.formulations.contract import Compiled, Failure


def compile_driver(driver: Any, signature: str) -> Any:
    """Compile a driver for one signature (or take it from the disk) and for no other, when it is first needed.

    signature   types of its arguments: `int`, `real`, arrays `ints`, `reals`, `rows` and `block`, and the functions
                `rhs(t, y, u, ints, reals, work, dy) -> status`, `settle(t, y, u, h, ints, reals, work) -> status` and
                `run`, the entry of a formulation (see `KernelCompiled`)
    """
    from numba import types

    int_, real, ints, reals = types.int64, types.float64, types.int64[::1], types.float64[::1]
    known = {
        "int": int_, "real": real, "ints": ints, "reals": reals, "rows": types.float64[:, ::1],
        "rhs": types.FunctionType(int_(real, reals, reals, ints, reals, reals, reals)),
        "settle": types.FunctionType(int_(real, reals, reals, real, ints, reals, reals)),
        "run": types.FunctionType(int_(real, reals, int_, real, reals, ints, reals, reals, int_, reals, reals)),
        "block": types.float64[:, :, ::1],
    }  # fmt: skip
    dispatcher = driver.dispatcher
    if not dispatcher.signatures:
        dispatcher.compile(tuple(known[word] for word in signature.split()))
        dispatcher.disable_compile()
    return dispatcher


class UnknownIntegrator(ValueError):
    """No such integrator, or the formulation does not offer what it needs; the text says what there is."""


class Integrator(ABC):
    """Advances the state of one compiled system in time."""

    name: str

    def __init__(self, compiled: Compiled):
        self.compiled = compiled

    @abstractmethod
    def advance(self, t: float, y: np.ndarray, n: int, h: float, u: np.ndarray) -> Failure | None:
        """From time t over the interval n h, in place. Fixed-step integrators take n steps of h (s)."""

    def observation_step(self, h: float) -> float:
        """Step (s) with which joint forces are to be evaluated in an observation after steps of h."""
        return h


@entry
def no_settling(t, y, u, h, ints, reals, work):  # type: ignore[no-untyped-def]
    """For formulations that have nothing to put right after a step."""
    return 0


class RhsIntegrator(Integrator):
    """An integrator of dy/dt = rhs(t, y): joints are plain springs and dampers, as in the limit of a vanishing step."""

    def __init__(self, compiled: Compiled):
        super().__init__(compiled)
        if compiled.rhs is None:
            raise UnknownIntegrator(
                f"formulation '{compiled.formulation}' gives no right-hand side for integrator '{self.name}'; "
                f"choose one of its own: {', '.join(compiled.schemes)}"
            )
        rhs: Any = compiled.rhs
        settle: Any = compiled.settle or no_settling
        self._rhs, self._settle = rhs.dispatcher, settle.dispatcher

    def observation_step(self, h: float) -> float:
        return 0.0
