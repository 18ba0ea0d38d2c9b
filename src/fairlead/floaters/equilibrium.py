"""Whether a floater rests where its coefficients say: weight, lines and buoyancy close, and it stands upright."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from fairlead.words import number

from .checks import Finding
from .frequency import weight_stiffness

CLOSE, OPEN = 0.002, 0.02
"""Weight and buoyancy apart, over the buoyancy: a warning above the one, an error above the other."""
LEVEL, TRIMMED = 0.2, 2.0
"""Trim in degrees likewise."""


@dataclass(frozen=True)
class AtRest:
    """One floater at rest, about its reference point, in its own axes."""

    name: str
    mass: float
    centre_of_mass: np.ndarray
    """(3,)."""
    volume: float
    centre_of_buoyancy: np.ndarray
    """(3,)."""
    density: float
    gravity: float
    buoyancy_stiffness: np.ndarray
    """(6, 6) of buoyancy alone."""
    has_weight: bool
    """Whether the weight's share was taken off what the file says."""
    pull: np.ndarray
    """(6,) of the lines on it, N and N m."""
    mooring: np.ndarray
    """(6, 6) of the lines."""

    @property
    def weight(self) -> float:
        return self.mass * self.gravity

    @property
    def stiffness(self) -> np.ndarray:
        """(6, 6) of buoyancy, weight and lines."""
        return np.asarray(self.buoyancy_stiffness + weight_stiffness(self.weight, self.centre_of_mass) + self.mooring)

    @property
    def rest(self) -> np.ndarray:
        """Force and moment (6,) that are left over: nothing where it rests."""
        lift = self.density * self.gravity * self.volume
        (x, y, _), (xb, yb, _) = self.centre_of_mass, self.centre_of_buoyancy
        W = self.weight
        own = np.array([0.0, 0.0, lift - W, lift * yb - W * y, W * x - lift * xb, 0.0])
        return np.asarray(own + self.pull)


def closing(floater: AtRest) -> Iterator[Finding]:
    """Findings about its equilibrium."""
    yield from standing(floater)
    if not np.isfinite(floater.volume):
        text = f"nothing says how much water '{floater.name}' displaces"
        floats = (floater.weight - floater.pull[2]) / (floater.density * floater.gravity)
        yield Finding("error", "equilibrium", text, f"give 'volume'; with its lines {number(floats, 6)} m^3 float it")
        return
    lift = floater.density * floater.gravity * floater.volume
    left, C = floater.rest, floater.stiffness
    share = abs(left[2]) / lift
    if share > CLOSE and C[2, 2] > 0.0:
        way = f"{'rise' if left[2] > 0 else 'sink'} by {abs(left[2]) / C[2, 2]:.2g} m"
        text = (
            f"'{floater.name}' would {way}: weight {number(floater.weight / 1e6, 4)} MN + lines "
            f"{number(-floater.pull[2] / 1e6, 3)} MN against buoyancy {number(lift / 1e6, 4)} MN"
        )
        floats = (floater.weight - floater.pull[2]) / (floater.density * floater.gravity)
        ballast = left[2] / floater.gravity / 1e3
        cure = f"ballast {number(ballast, 3)} t, or 'volume: {floats:.6g}'"
        yield Finding("error" if share > OPEN else "warning", "equilibrium", text, cure)
    for axis, name in ((3, "heel"), (4, "trim")):
        if C[axis, axis] <= 0.0:
            continue
        angle = float(np.degrees(left[axis] / C[axis, axis]))
        if abs(angle) > LEVEL:
            text = f"'{floater.name}' would {name} by {angle:.2g} deg: {number(left[axis] / 1e6, 3)} MN m are left over"
            arm = left[axis] / lift
            key, at = ("y", floater.centre_of_buoyancy[1] - arm) if axis == 3 else (
                "x", floater.centre_of_buoyancy[0] + arm,
            )  # fmt: skip
            cure = f"move ballast, or check 'centre_of_mass' and 'centre_of_buoyancy' ({key} = {at:.4g} m closes it)"
            yield Finding("error" if abs(angle) > TRIMMED else "warning", "equilibrium", text, cure)


def standing(floater: AtRest) -> Iterator[Finding]:
    """Whether it stands upright, and if not whether the weight was counted twice or never."""
    share = weight_stiffness(floater.weight, floater.centre_of_mass)
    for axis, name in ((3, "roll"), (4, "pitch")):
        stiffness = float(floater.stiffness[axis, axis])
        if stiffness > 0.0:
            continue
        # what it would be, had the file's stiffness been taken the other way
        other = stiffness - share[axis, axis] if not floater.has_weight else stiffness + share[axis, axis]
        cure = "check its centre of mass and its stiffness"
        if other > 1e-3 * abs(share[axis, axis]):
            asked = "false" if floater.has_weight else "true"
            cure = f"is the weight counted twice or never? with 'stiffness: {{includes_weight: {asked}}}' it floats"
        total = f"{number(stiffness, 3)} N m/rad"
        text = f"'{floater.name}' capsizes: with weight and lines its {name} stiffness is {total}"
        yield Finding("error", "stability", text, cure)
