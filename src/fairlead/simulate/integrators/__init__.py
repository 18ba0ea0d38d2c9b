"""Integrators behind one interface. Adding one is adding its file and a line in `create`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fairlead.formulations.contract import Compiled

    from .contract import Integrator

NAMES = ("semi_implicit", "explicit_euler", "rk2", "rk4")


def create(name: str, compiled: Compiled, relative: float = 1e-5, absolute: float = 1e-5) -> Integrator:
    """The integrator of that name for a compiled system; the tolerances serve those that adapt their step.

    What the formulation carries out itself goes to it; the others act on its right-hand side. Each is imported, and
    its driver compiled, only when it is chosen.
    """
    from .contract import UnknownIntegrator

    if name in compiled.schemes:
        from .own import OwnScheme

        return OwnScheme(compiled, name)
    if name == "rk2":
        from .rk2 import RungeKutta2

        return RungeKutta2(compiled, relative, absolute)
    if name == "rk4":
        from .rk4 import RungeKutta4

        return RungeKutta4(compiled)
    available = [*compiled.schemes, *(("rk2", "rk4") if compiled.rhs is not None else ())]
    raise UnknownIntegrator(
        f"formulation '{compiled.formulation}' has no integrator '{name}'; there are: {', '.join(available)}"
    )
