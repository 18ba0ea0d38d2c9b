"""Mistakes between floaters by coefficients and the rest of a system that no coefficient is needed to see."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fairlead.model.floaters import FloatingBody
from fairlead.model.problems import Mistake, suggestion

if TYPE_CHECKING:
    from fairlead.model.system import System


def floater_checks(system: System) -> Iterator[Mistake]:
    """Floaters without a sea, with forces that nothing exerts; power take-offs between what cannot carry them."""
    environment = system.environment
    floaters = {name for name, body in (system.bodies or {}).items() if isinstance(body, FloatingBody)}
    for name in floaters:
        body = system.bodies[name]
        assert isinstance(body, FloatingBody)
        if environment is None:
            continue
        if environment.water_density == 0 or environment.gravity == 0:
            cure = "give the environment its water_density and gravity"
            yield Mistake(("bodies", name), "nothing floats without water and gravity", cure, True)
        if system.simulation is not None and any(body.displaced) and not system.simulation.from_first_shape:
            message = "a run that begins in equilibrium moves it to rest first"
            yield Mistake(("bodies", name, "displaced"), message, "set 'simulation: {start: catenary}'")
        if abs(body.displaced[5]) > 15.0 and not body.follow_yaw:
            message = f"{body.displaced[5]:g} deg of yaw is far from the axes of the coefficients"
            yield Mistake(("bodies", name, "displaced"), message, "set 'follow_yaw: true'")
        blown = [key for key in ("wind", "thrust") if getattr(body, key) is not None]
        by_table = body.thrust is not None and body.thrust.table is not None
        if environment.wind is None and ("wind" in blown or by_table):
            key = "wind" if "wind" in blown else "thrust"
            yield Mistake(("bodies", name, key), "there is no wind", "add 'environment: wind:', or remove it", True)
        if body.current is not None and not (environment.current or environment.current_field):
            yield Mistake(("bodies", name, "current"), "there is no current", "add 'environment: current:'", True)
        hulls = system.hydro.hulls if system.hydro is not None else None
        if hulls and name in hulls:
            message = "its water is given by coefficients, and solved for as well"
            yield Mistake(("hydro", "hulls", name), message, "keep one of the two: 'kind: free', or no hull", True)
    if system.points is None or system.bodies is None:
        return
    for name, pto in (system.ptos or {}).items():
        where = ("ptos", name, "between")
        for index, end in enumerate(pto.between or ()):
            fixed = end in system.points and system.points[end].kind in ("fixed", "anchor")
            if end not in floaters and not fixed:
                known = [*floaters, *(n for n, point in system.points.items() if point.kind in ("fixed", "anchor"))]
                message = f"'{end}' is neither a floating body nor a fixed point"
                yield Mistake((*where, index), message, suggestion(end, known))
        if pto.between is not None and pto.between[0] not in floaters and pto.between[0] in system.points:
            yield Mistake((*where, 0), "the first must be a floating body: 'at' and 'axis' are its own", "swap them")
