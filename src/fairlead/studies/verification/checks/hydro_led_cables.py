"""Cables of every formulation led by a hull, against hull and cable solved as one tree by `multibody`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fairlead.model import System
from fairlead.simulate import Simulation
from fairlead.studies.verification.record import Record

from .shipped_examples import example

FORMULATIONS = ("lumped", "bars", "links", "tether", "spline")
STEPS, ELEMENTS = 200, 6


def moved(formulation: str) -> dict[str, np.ndarray]:
    """Way along x of floater and payload (m) in the first five periods of the floater of Guillaume et al., linear.

    The wire has six elements and some damping, so that what is left of its vibrations is the same for all.
    """
    data = example("floater_cable_payload").to_dict()
    data["hydro"]["mode"] = "linear"
    data["environment"]["waves"]["ramp"] = 4.0
    data["cables"]["wire"]["elements"] = ELEMENTS
    data["types"]["wire"]["damping_time"] = 2e-4
    data["simulation"].pop("multibody")
    data["simulation"] |= {"formulation": formulation, "duration": STEPS * data["simulation"]["step"]}
    if formulation == "tether":  # has no statics, and begins under the tension of its first shape
        data["simulation"]["start"] = "catenary"
    result = Simulation(System(**data)).run()
    x = result["point_position"].sel(axis="x")
    return {name: x.sel(point=name).values - float(x.sel(point=name)[0]) for name in ("floater", "payload")}


def check() -> Iterator[Record]:
    """Difference of the ways, root mean square, of the way."""
    one = moved("multibody")
    for formulation in FORMULATIONS:
        for name, way in moved(formulation).items():
            off = float(np.sqrt(np.mean((way - one[name]) ** 2) / np.mean(one[name] ** 2)))
            text = f"hydro, wire of {formulation} led by the floater, way of the {name}"
            yield Record.absolute(text, "floater and wire as one tree (multibody)", off, 0.0, 0.02)
