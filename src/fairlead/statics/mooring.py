"""What the lines of a floater do at its place of rest: their pull and their stiffness, the floater held there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fairlead.model import FloatingBody, System
from fairlead.model.bodies import rotation_matrix

from .solution import Equilibrium, solve

CARRIES = ("bars", "lumped")


@dataclass(frozen=True)
class Mooring:
    """Lines on a floater, about its reference point and in its own axes."""

    pull: np.ndarray
    """(6,) on the floater, N and N m."""
    stiffness: np.ndarray
    """(6, 6), slowly, all that is free following, with short elements at touchdowns."""


def moorings(system: System, refine: bool = True) -> dict[str, Mooring]:
    """Lines of every floater at rest, the other floaters held as well; of one without lines, nothing.

    refine: whether elements at touchdowns are divided until the stiffness is that of the lines.
    """
    floaters = {name: body for name, body in system.bodies.items() if isinstance(body, FloatingBody)}
    rest = solve(as_held(system)) if system.cables else None
    return {name: _mooring(system, rest, name, body, refine) for name, body in floaters.items()}


def as_held(system: System) -> System:
    """The system with its floaters held where they rest, for a formulation that gives stiffnesses."""
    data = system.model_dump(mode="json", exclude_unset=True)
    held = {end.point.partition(".")[0] for cable in system.cables.values() for end in (cable.start, cable.end)}
    for name, body in system.bodies.items():
        if isinstance(body, FloatingBody) and name not in held:
            del data["bodies"][name]
        elif isinstance(body, FloatingBody):
            kept = {"position": list(body.position), "orientation_deg": list(body.orientation_deg)}
            attachments = {one: list(place) for one, place in body.attachments.items()}
            data["bodies"][name] = {"kind": "prescribed", **kept, "attachments": attachments}
    data.pop("ptos", None)
    data.get("environment", {}).pop("waves", None)
    if system.simulation.formulation not in CARRIES:
        data["simulation"]["formulation"] = "lumped"
    return System.model_validate(data, context={"source": system.source})


def _mooring(system: System, rest: Equilibrium | None, name: str, body: FloatingBody, refine: bool) -> Mooring:
    pull, stiffness = np.zeros(6), np.zeros((6, 6))
    if rest is not None and name in rest.system.bodies:
        turn = np.array(rotation_matrix(body.orientation_deg))
        both = np.zeros((6, 6))
        both[:3, :3] = both[3:, 3:] = turn.T
        total = np.zeros(6)
        for cable_name, cable in system.cables.items():
            for side, end in (("start", cable.start), ("end", cable.end)):
                owner, _, attachment = end.point.partition(".")
                if owner != name:
                    continue
                force = np.asarray(rest.outputs[f"{cable_name}.force_{side}"])
                lever = turn @ np.array(body.attachments[attachment] if attachment else (0.0, 0.0, 0.0))
                total += [*force, *np.cross(lever, force)]
        held = rest.refined(name).held.stiffness if refine else rest.stiffness(name)
        pull, stiffness = both @ total, both @ held @ both.T
    if body.mooring is not None:
        pull = pull + np.array(body.mooring.preload)
        stiffness = stiffness + np.array(body.mooring.matrix)
    return Mooring(pull, stiffness)
