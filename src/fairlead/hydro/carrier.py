"""What the hulls' part asks of the formulation whose trees carry them; `multibody` answers."""

from __future__ import annotations

from typing import Protocol

from fairlead.formulations.contract import Compiled, Linearised

from .panels import Floats


class AtRest(Linearised, Protocol):
    """A tree held still, whose degrees of freedom x go with its speeds."""

    def number(self, speed: int) -> int:
        """Which degree of freedom goes with a speed."""

    def on_moves(self, y: Floats, joints: Floats) -> Floats:
        """Forces on all speeds (speeds,) as forces on x (size,)."""

    def by_moves(self, y: Floats, rows: Floats) -> Floats:
        """∂(anything)/∂(all speeds) (n, speeds) as ∂/∂x (n, size)."""


class Carrier(Protocol):
    """A compiled tree that carries hulls; its state is the formulation's own vector, u the inputs."""

    bodies: tuple[str, ...]
    """Names of the bodies with hulls."""
    speeds: slice
    """Where all speeds are in the state."""

    @property
    def compiled(self) -> Compiled:
        """The tree as any system."""

    def equations(self, t: float, y: Floats, u: Floats) -> tuple[Floats, ...]:
        """H, C and τ of H v̇ = τ − C + Jᵀ(forces on hulls), motions (hulls, 24) and Jacobians (hulls, 6, speeds).

        A motion: rotation (9), place, velocity, angular velocity and, of all that is not J v̇, acceleration (6).
        """

    def rates(self, t: float, y: Floats, u: Floats, accelerations: Floats, power: float) -> Floats:
        """Rates of the state with these accelerations (speeds,); power [W] of what acts from outside."""

    def booked(self, y: Floats, work: float) -> None:
        """Add work [J] from outside to the ledger of a state, in place."""

    def settle(self, t: float, y: Floats, u: Floats, h: float) -> int:
        """What is done after a step of h, in place. Returns a status."""

    def speeds_of(self, name: str) -> slice:
        """Which of all speeds are those of the joint a body hangs by."""

    def turn_of(self, name: str) -> slice:
        """Where the quaternion of a free body is in the state."""

    def linearised(self, t: float, u: Floats) -> AtRest:
        """The tree alone, held still at t."""

    def push(self, forces: Floats) -> None:
        """Let forces and torques (hulls, 6) act on the hulls, as loads of the file do."""

    def added_mass(self, name: str) -> Floats:
        """Of a hull by Morison's law, along and about its axes (6,), all of it wet."""

    def give_to_water(self, name: str, solved: bool) -> None:
        """Let Morison's law act on a hull, or not where the water is solved for."""
