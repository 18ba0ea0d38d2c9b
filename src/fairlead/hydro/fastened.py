"""Cables of any formulation on hulls: a mechanism that carries them, and the two in turns.

A system of cables is compiled by its own formulation; its ends on hulls are led (`formulations.led_ends`). What an end
pulls in a small step depends on the very acceleration that it gives the hull: p = p₀ − K (a − a₀), and the hulls'
equations are solved with K on the side of their masses. In each small step of the mechanism

1. the pulls of the step before give accelerations a₀ of the ends, and the cables p₀ of this step along these paths;
2. with K the hulls' equations give a₁ and the pull p = p₀ − K (a₁ − a₀), under which the hulls make their step;
3. the cables make theirs with the ends where the hulls have gone, in place and velocity, and pull with p₁;
4. what p₁ differs from p, were the cables not quite linear, the hulls get in the next step.

So a hull may be as light as the chain at its fairlead, the end is where its hull is, and the impulse that the hull
takes is the one that the cables give.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from .mechanism import Mechanism, Motion
from .panels import Floats
from .subcycling import WaterForce, settle, solved, substep, with_water
from .vectors import skew, skews

NUMBERS = 15
"""Numbers that are kept of an end: p + K a (3), K (3, 3), and the impulse that its hull is still to get (3)."""


@dataclass(frozen=True)
class Fastening:
    """Where an end of a cable is fastened: to which hull, and where in its body's frame (3,), m."""

    hull: int
    place: Floats


@dataclass(frozen=True)
class Ends:
    """Where all fastened ends are and how they move: their accelerations are `still` + J x."""

    places: Floats
    velocities: Floats
    still: Floats
    """Accelerations when all of x are zero (ends, 3), m/s²."""
    jacobian: Floats
    """∂a/∂x (ends, 3, n)."""

    def accelerations(self, x: Floats) -> Floats:
        """Of the ends (ends, 3) under the accelerations x of the mechanism."""
        return np.asarray(self.still + self.jacobian @ x)

    def resisted(self, H: Floats, force: Floats, pulls: Floats, K: Floats) -> tuple[Floats, Floats]:
        """H and force of a mechanism whose ends pull with `pulls` − K a."""
        flat = self.jacobian.reshape(3 * len(pulls), len(force))
        left = pulls - np.einsum("eij,ej->ei", K, self.still)
        return H + flat.T @ (K @ self.jacobian).reshape(flat.shape), force + flat.T @ left.ravel()


class Cables(Protocol):
    """Cables some of whose ends are led; see `formulations.led_ends.LedEnds`, whose part this is."""

    n_states: int

    @property
    def looks_ahead(self) -> bool:
        """Whether the pull of a step, however long, is known without making it."""

    def initial_state(self) -> Floats:
        """State at the start (n_states,)."""

    def prescribe(self, t: float, h: float, x: Floats, v: Floats, a: Floats) -> None:
        """Lead the ends over the step h from t along x + v s + ½a s²."""

    def lead(self, t: float, h: float, x: Floats, v: Floats, x1: Floats, v1: Floats) -> None:
        """Lead them between places and velocities at its start and its end."""

    def pull(self, t: float, y: Floats, h: float) -> Floats:
        """Mean force on the points over that step; y is left as it is."""

    def advance(self, t: float, y: Floats, h: float) -> Floats:
        """The same, the step made in place."""

    def impedance(self, t: float, y: Floats, h: float, x: Floats, v: Floats, a: Floats) -> tuple[Floats, Floats]:
        """K and p₀ of that step along x + v s + ½a s²."""


class Pulled:
    """A mechanism at whose hulls ends pull with constant forces (ends, 3); see `Mechanism`."""

    def __init__(self, mechanism: Mechanism, fastened: Fastened, pulls: Floats) -> None:
        self._mechanism, self._fastened, self._pulls = mechanism, fastened, pulls
        self.n_states, self.n_accelerations = mechanism.n_states, mechanism.n_accelerations
        self.initial_state, self.motions = mechanism.initial_state, mechanism.motions
        self.rates, self.inputs = mechanism.rates, mechanism.inputs

    def equations(self, t: float, y: Floats) -> tuple[Floats, Floats]:
        """See `Mechanism`."""
        H, force = self._mechanism.equations(t, y)
        return H, force + self._fastened.on_hulls(self.motions(t, y), self._pulls)


class Fastened:
    """The fastenings of all ends, hull by hull."""

    def __init__(self, fastenings: Sequence[Fastening]) -> None:
        self.fastenings = list(fastenings)
        self.count = len(self.fastenings)
        which = np.array([fastening.hull for fastening in self.fastenings], dtype=int)
        places = np.array([fastening.place for fastening in self.fastenings], dtype=float).reshape(-1, 3)
        hulls = np.unique(which).tolist()
        self._parts = [(hull, np.flatnonzero(which == hull), places[which == hull]) for hull in hulls]

    def ends(self, motions: Sequence[Motion], n: int) -> Ends:
        """Of hulls that move so, with n accelerations of the mechanism."""
        x, v, a, J = *np.zeros((3, self.count, 3)), np.zeros((self.count, 3, n))
        for hull, numbers, places in self._parts:
            motion = motions[hull]
            arms = places @ motion.rotation.T
            levers = skews(arms)
            spin = skew(motion.spin)
            x[numbers] = motion.place + arms
            v[numbers] = motion.velocity + arms @ spin.T
            a[numbers] = motion.drift[:3] - levers @ motion.drift[3:] + arms @ (spin @ spin).T
            J[numbers] = motion.jacobian[:3] - levers @ motion.jacobian[3:]
        return Ends(x, v, a, J)

    def on_hulls(self, motions: Sequence[Motion], pulls: Floats) -> Floats:
        """Forces (n,) on the accelerations of a mechanism that the pulls (ends, 3) at its hulls are."""
        force: Floats | float = 0.0
        for hull, numbers, places in self._parts:
            motion = motions[hull]
            turning = (places @ motion.rotation.T).T @ pulls[numbers]  # Σ r pᵀ, whose skew part is Σ r × p
            moment = [turning[1, 2] - turning[2, 1], turning[2, 0] - turning[0, 2], turning[0, 1] - turning[1, 0]]
            force = force + motion.jacobian.T @ np.concatenate([pulls[numbers].sum(axis=0), moment])
        return np.asarray(force)


class WithCables:
    """A mechanism whose hulls carry cables, the two in turns in every small step; see the head of the file.

    A small step must be short against the bounce of what hangs on the cables (a tenth of its period); the cables' own
    shorter vibrations are their formulation's affair. State: the mechanism's, the cables', and of each end `NUMBERS`.
    """

    def __init__(self, mechanism: Mechanism, cables: Cables, fastenings: Sequence[Fastening], step: float) -> None:
        """step: length of a small step, for the first of them, s."""
        self.mechanism, self.cables, self.fastened, self.step = mechanism, cables, Fastened(fastenings), step
        self.n_accelerations = mechanism.n_accelerations
        own, hung = mechanism.n_states, cables.n_states
        last = own + hung + NUMBERS * self.fastened.count
        self.parts = slice(0, own), slice(own, own + hung), slice(own + hung, last)
        """Where the mechanism's state, the cables' and the ends' are."""
        self.n_states = last

    @property
    def fastenings(self) -> list[Fastening]:
        """Of all ends."""
        return self.fastened.fastenings

    def initial_state(self) -> Floats:
        """See `Mechanism`."""
        y = np.zeros(self.n_states)
        y[self.parts[0]], y[self.parts[1]] = self.mechanism.initial_state(), self.cables.initial_state()
        self.hang_up(0.0, y)
        return y

    def hang_up(self, t: float, y: Floats) -> None:
        """Let the cables of a state at rest pull at the hulls, in place."""
        ends, nothing = self.ends(t, y), np.zeros((self.fastened.count, 3))
        K, pulls = self.cables.impedance(t, self._hung(y), self.step, ends.places, ends.velocities, nothing)
        self._keep(y, pulls, K, nothing)

    def _hung(self, y: Floats) -> Floats:
        """The cables' state, a copy."""
        return y[self.parts[1]].copy()

    def _keep(self, y: Floats, pulls: Floats, K: Floats, owed: Floats) -> None:
        """Put `NUMBERS` of all ends into a state."""
        y[self.parts[2]] = np.concatenate([pulls, K.reshape(-1, 9), owed], axis=1).ravel()

    def kept(self, y: Floats) -> tuple[Floats, Floats, Floats]:
        """p + K a (ends, 3) [N], K (ends, 3, 3) [kg] and impulses still to come (ends, 3) [N s] of a state."""
        rows = y[self.parts[2]].reshape(-1, NUMBERS)
        return rows[:, :3], rows[:, 3:12].reshape(-1, 3, 3), rows[:, 12:]

    def motions(self, t: float, y: Floats) -> list[Motion]:
        """See `Mechanism`."""
        return self.mechanism.motions(t, y[self.parts[0]])

    def ends(self, t: float, y: Floats) -> Ends:
        """Where the ends are and how they move."""
        return self.fastened.ends(self.motions(t, y), self.n_accelerations)

    def equations(self, t: float, y: Floats) -> tuple[Floats, Floats]:
        """With the pulls p + K a₁ − K a of the cables, a₁ that of the step before."""
        pulls, K, _ = self.kept(y)
        return self.ends(t, y).resisted(*self.mechanism.equations(t, y[self.parts[0]]), pulls, K)

    def rates(self, t: float, y: Floats, accelerations: Floats) -> Floats:
        """Of the mechanism; cables move in `glide` alone."""
        own = self.mechanism.rates(t, y[self.parts[0]], accelerations)
        return np.concatenate([own, np.zeros(self.n_states - len(own))])

    def inputs(self) -> Floats:
        """Of the mechanism; those of the cables act in `glide` alone."""
        return self.mechanism.inputs()

    def glide(self, t: float, y: Floats, dt: float, substeps: int, force: WaterForce) -> Floats:
        """Small steps of mechanism and cables in turn; K is that of the first of them."""
        h, cables = dt / substeps, self.cables
        own, hung = y[self.parts[0]].copy(), self._hung(y)
        pulls, K, owed = self.kept(y)
        ends = self.ends(t, y)
        for k in range(substeps):
            now = t + k * h
            own, given, a, K = self._hulls_moved(now, own, hung, h, ends, (pulls, K, owed), force, k == 0)
            settle(self.mechanism, now + h, own, h)
            after = self.fastened.ends(self.mechanism.motions(now + h, own), self.n_accelerations)
            cables.lead(now, h, ends.places, ends.velocities, after.places, after.velocities)
            p = cables.advance(now, hung, h)
            pulls, owed, ends = p + _times(K, a), h * (p - given), after
        found = np.concatenate([own, hung, np.zeros(NUMBERS * self.fastened.count)])
        self._keep(found, pulls, K, owed)
        return found

    def _hulls_moved(
        self,
        t: float,
        own: Floats,
        hung: Floats,
        h: float,
        ends: Ends,
        kept: tuple[Floats, Floats, Floats],
        force: WaterForce,
        ask: bool,
    ) -> tuple[Floats, Floats, Floats, Floats]:
        """The mechanism after one step h under the pulls of the cables, these pulls, the accelerations of the ends, K.

        ask: for K of this step; else that which is kept is near enough. What is owed comes on top of the pulls.
        """
        pulls, K, owed = kept
        H, known = with_water(self.mechanism, t, own, *force(t))
        a = ends.accelerations(solved(*ends.resisted(H, known, pulls, K)))
        if ask:
            K, p = self.cables.impedance(t, hung, h, ends.places, ends.velocities, a)
        else:
            self.cables.prescribe(t, h, ends.places, ends.velocities, a)
            p = self.cables.pull(t, hung, h)
        felt = p + _times(K, a)
        a = ends.accelerations(solved(*ends.resisted(H, known, felt + owed / h, K)))
        given = felt - _times(K, a)
        return substep(Pulled(self.mechanism, self.fastened, given + owed / h), t, own, h, force), given, a, K

    def foresee(self, t: float, y: Floats, dt: float, substeps: int, force: WaterForce) -> Floats:
        """The hulls as they will be at t + dt, the cables as they are: one step under the mean pulls over all of dt.

        It tells the water where the hulls will be. Cables that do not look ahead have to go along.
        """
        if not self.cables.looks_ahead:
            return self.glide(t, y, dt, substeps, force)
        after = y.copy()
        own, hung = y[self.parts[0]].copy(), self._hung(y)
        after[self.parts[0]], *_ = self._hulls_moved(t, own, hung, dt, self.ends(t, y), self.kept(y), force, True)
        settle(self.mechanism, t + dt, after[self.parts[0]], dt)
        return after


def _times(K: Floats, a: Floats) -> Floats:
    """K a of all ends (ends, 3)."""
    return np.asarray(np.einsum("eij,ej->ei", K, a))
