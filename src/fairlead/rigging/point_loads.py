"""Forces and torques on points and bodies: those of the file, and those that are set live.

A load with a name is an input: `name.force`, and `name.torque` where what it acts on turns. `load` is a row with
`LOAD`, `push` one with `PUSH`. Live numbers are written into `live`, scratch of the system, when a call begins
(`take_loads`); so no kernel between needs to know of inputs.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add, cross, scale, transposed_matvec, vector_of
from fairlead.loads.signals import load_factor
from fairlead.model import PointLoad, System
from fairlead.model.places import Place

from .rows import Row

LOAD = "first rows input turn"
"""Rows of its table of factors (0: always 1); where its force and its torque stand among the inputs, −1 for none."""
PUSH = "force:3 torque:3 offset:3"
"""Of the file; where on its body the force acts."""
LIVE = "force:3 torque:3 forced turned"
"""What is set live, and 1 where it is."""


def load_rows(
    system: System, owner: Callable[[Place, str], Row | None], turns: Callable[[Place, str], bool],
    samples: list[float], inputs: dict[str, slice],
) -> tuple[list[Row], list[Row]]:  # fmt: skip
    """Rows of `LOAD` and `PUSH` of all loads that act on something free (on a held point its support carries them).

    owner    what else stands in the row of a load at a place of this name, None where its support carries it
    turns    whether what is there turns, so that a torque acts on it
    samples  takes the tables of factors; inputs: takes the live inputs of loads with a name, behind those there are
    """
    loads: list[Row] = []
    pushes: list[Row] = []
    top = max((place.stop for place in inputs.values()), default=0)
    for load in (*system.loads, *live_floaters(system)):
        place = system.place(load.point)
        own = owner(place, load.point)
        if own is None:
            continue
        table = load.table or ()
        row = {**own, "first": len(samples), "rows": len(table), "input": -1, "turn": -1}
        samples += [number for line in table for number in line]
        for field, what in (("input", "force"), ("turn", "torque")):
            if load.name is not None and (field == "input" or turns(place, load.point)):
                row[field], inputs[f"{load.name}.{what}"] = top, slice(top, top + 3)
                top += 3
        loads.append(row)
        pushes.append({"force": load.force, "torque": load.torque, "offset": place.offset})
    return loads, pushes


def live_floaters(system: System) -> list[PointLoad]:
    """A load of nothing at the reference point of each floater by coefficients, to be set live."""
    return [PointLoad(point=name, name=name) for name, body in system.bodies.items() if body.kind == "floating"]


@kernel
def given(u, at):
    """Three numbers of the inputs and whether they are given; none where `at` is negative."""
    if at < 0:
        return (0.0, 0.0, 0.0), 0.0
    vector = vector_of(u, at)
    return vector, 0.0 if math.isnan(vector[0] + vector[1] + vector[2]) else 1.0


@kernel
def take_loads(u, sys):
    """Live inputs of the loads: so at the beginning of every call."""
    for i in range(sys.loads):
        load, live = sys.load[i], sys.live[i]
        live.force, live.forced = given(u, load.input)
        live.torque, live.turned = given(u, load.turn)


@kernel
def about_centre(force, torque, offset, R):
    """Torque (body axes) about the centre of a body turned by R: its own, and that of a force (global) at an offset."""
    return add(transposed_matvec(R, torque), cross(offset, transposed_matvec(R, force)))


@kernel
def load_at(t, load, push, live, samples, reals):
    """Force and torque (global) of a load: live inputs where they are given, else the file's times its factor."""
    f = load_factor(t, load, samples, reals)
    force, torque = scale(f, push.force), scale(f, push.torque)
    if live.forced > 0.5:
        force = live.force
    if live.turned > 0.5:
        torque = live.torque
    return force, torque


@kernel
def load_of(t, i, sys):
    """That of load i, in a system whose tables are `load`, `push`, `live` and `sample`."""
    return load_at(t, sys.load[i], sys.push[i], sys.live[i], sys.sample.start, sys.reals)


@kernel
def thrust(t, which, R, sys):
    """Force (global) and torque about its centre (body axes) of all loads that are `on` a body turned by R."""
    force, torque = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for i in range(sys.loads):
        if sys.load[i].on == which:
            push, twist = load_of(t, i, sys)
            force = add(force, push)
            torque = add(torque, about_centre(push, twist, sys.push[i].offset, R))
    return force, torque


@kernel
def load_now(t, load, push, u, samples, reals):
    """The same where the inputs are at hand."""
    f = load_factor(t, load, samples, reals)
    force, torque = scale(f, push.force), scale(f, push.torque)
    pushed, forced = given(u, load.input)
    twisted, turned = given(u, load.turn)
    return pushed if forced > 0.5 else force, twisted if turned > 0.5 else torque
