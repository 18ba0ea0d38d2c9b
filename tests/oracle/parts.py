"""What a system of bars is made of: bodies, joints, contacts and the sea around them."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from oracle.joint_gains import Gains
from oracle.quaternions import IDENTITY

UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class Drag:
    """Coefficients (Cn, Ct) from (normal speed, whole speed) m/s; `axial_perimeter` is pi·d or d, m."""

    coefficients: Callable[[float, float], tuple[float, float]]
    axial_perimeter: float


def constant_coefficients(normal, axial):
    """Drag coefficients that do not depend on the speed."""
    return lambda speed_normal, speed: (normal, axial)


def reynolds_coefficients(diameter, viscosity):
    """Cn of the normal and Ct of the whole Reynolds number (form of Choo and Casarella).

    Below Re = 1 the normal force is linear in the speed, Cn = 10/Re; Ct is held below Re = 0.1.
    """

    def coefficients(speed_normal, speed):
        normal = max(speed_normal * diameter / viscosity, 1e-30)
        whole = max(speed * diameter / viscosity, 0.1)
        if normal >= 30.0:
            Cn = 1.1 + 4.0 * normal**-0.5
        else:
            Cn = 1.45 + 8.55 * normal**-0.9 if normal >= 1.0 else 10.0 / normal
        return Cn, 1.1 * whole**-0.5 + 0.168 * whole ** (-1.0 / 3.0)

    return coefficients


@dataclass(frozen=True)
class FreePoint:
    """A point that moves: mass kg, isotropic inertia kg m², volume m³, drag area Cd·A m², added mass kg."""

    mass: float = 0.0
    inertia: float = 0.0
    volume: float = 0.0
    drag_area: float = 0.0
    added_mass: float = 0.0


@dataclass(frozen=True)
class Bar:
    """A rigid round bar: length, diameter m; mass kg; added-mass coefficients normal and axial.

    `lumps` are small bodies clamped onto its axis, each (offset from the middle m, what it is).
    """

    length: float
    diameter: float
    mass: float
    added_normal: float = 0.0
    added_axial: float = 0.0
    drag: Drag | None = None
    lumps: tuple[tuple[float, FreePoint], ...] = ()

    @property
    def volume(self):
        """m³"""
        return 0.25 * np.pi * self.diameter**2 * self.length

    @property
    def inertia(self):
        """Of the dry bar about its centre, (3, 3) in its own axes, kg m²."""
        across = self.mass * (self.diameter**2 / 16.0 + self.length**2 / 12.0)
        return np.diag([across, across, self.mass * self.diameter**2 / 8.0])


@dataclass(frozen=True)
class PrescribedPoint:
    """A fixed or controlled point: its motion is given."""


@dataclass(frozen=True)
class PositionJoint:
    """C = x_B - x_A; each end is (body, offset along the body's local z, m). λ acts on A, -λ on B (global, N).

    One that only pulls has a `host`, the body along whose axis the other's end slides where they overlap: the rows
    across it are then where that end is, and slide with it by the way it has within the step. A `loose` one has no row
    along it. In the second-order step one that is caught takes the gains `late`, and `bar` is the bar along which its
    tension is told.
    """

    A: tuple[int, float]
    B: tuple[int, float]
    gains: Gains
    host: int | None = None
    loose: bool = False
    late: Gains | None = None
    bar: int | None = None


@dataclass(frozen=True)
class RotationJoint:
    """C = 2u of (q₁∘rest)⁻¹∘q₂ = (s, u), in the frame of body 1 turned by the constant quaternion `rest`.

    A joint without torsion remembers C̈ in the axes of body 1, or `from_second` in those of body 2.
    """

    body_1: int
    body_2: int
    gains: Gains
    rest: np.ndarray = field(default_factory=IDENTITY.copy)
    from_second: bool = False


@dataclass(frozen=True)
class Friction:
    """Coulomb's µ and the gains (3 equal rows) of the shear spring that carries it until it slips."""

    mu: float
    gains: Gains


@dataclass(frozen=True)
class Contact:
    """A bar's end or a point on the bed: (body, offset), radius m kept from the bed, gains of the one row; friction."""

    end: tuple[int, float]
    radius: float
    gains: Gains
    friction: Friction | None = None


@dataclass(frozen=True)
class Sea:
    """Water and bed. `current(z)` -> (3,) m/s; the bed is the plane through `bed_point` with unit `bed_normal`."""

    water_density: float = 0.0
    gravity: float = 9.81
    current: Callable[[float], np.ndarray] = lambda z: np.zeros(3)
    bed_point: np.ndarray = field(default_factory=lambda: np.array([0.0, 0.0, -1e9]))
    bed_normal: np.ndarray = field(default_factory=UP.copy)
