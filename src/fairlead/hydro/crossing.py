"""Hulls that cross the surface during a run: which of them are solved for, and what happens when that changes.

One boundary-value problem for each set of hulls that are solved for; all share the mesh of the surface, and so the
state. `passage` says how the others are carried, and what keeps the momentum.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from fairlead.results.observation import ENERGY_GRAVITY, ENERGY_KINETIC

from .panels import Floats
from .passage import RELEASE, Loads, Passing, taken_over

if TYPE_CHECKING:
    from .mechanism import Motion
    from .setup import Basin
    from .tree import TreeMechanism
    from .water import Water


class Crossing:
    """Water with more or fewer hulls in it."""

    solved: tuple[bool, ...]
    """Of all hulls: whether each is solved for now."""

    def __init__(self, mechanism: TreeMechanism, basin: Basin, passing: Sequence[Passing]) -> None:
        self.passing = tuple(passing)
        self._mechanism, self._basin = mechanism, basin
        self._waters: dict[tuple[bool, ...], Water] = {}
        self._morison = Loads(mechanism.carrier, self.passing)
        self._substeps = 0
        self.solve_for(self.at_start())

    @property
    def water(self) -> Water:
        """The water with those hulls in it that are solved for now."""
        return self._waters[self.solved]

    @property
    def substeps(self) -> int:
        """Steps of the mechanism in one of the water; 0: it takes part in the stages of the water's step."""
        return self._substeps

    @substeps.setter
    def substeps(self, count: int) -> None:
        self._substeps = count
        for water in self._waters.values():
            water.substeps = count

    def at_start(self) -> list[bool]:
        """Which of the passing hulls are deep enough at the start to be solved for."""
        return [self._depth(one, 0.0, self._basin.starts[one.number]) > one.clearance for one in self.passing]

    def _depth(self, one: Passing, t: float, motion: Motion) -> float:
        return one.depth(motion, lambda x, y: self._basin.wave.surface(t, x, y)[0])

    def solve_for(self, flags: Sequence[bool]) -> None:
        """Let these of the passing hulls be solved for, and Morison's law act on the others."""
        solved = [True] * len(self._basin.names)
        for one, flag in zip(self.passing, flags, strict=True):
            solved[one.number] = bool(flag)
        self.solved = tuple(solved)
        if self.solved not in self._waters:
            self._waters[self.solved] = self._basin.water(self.solved)
            self.water.substeps = self._substeps
        self._morison.act(flags)
        self._mechanism.forget()

    def cross(self, t: float, y: Floats, own: slice, flags: Sequence[bool]) -> list[bool]:
        """Take over hulls that have come under, and give back those that have come up: which are solved for then.

        y: the state of the water and of what it moves, whose part `own` is the tree's, changed in place.
        """
        now = [bool(flag) for flag in flags]
        motions = self._mechanism.motions(t, np.ascontiguousarray(y[own]))
        for k, one in enumerate(self.passing):
            enough = RELEASE * one.clearance if now[k] else one.clearance
            if (self._depth(one, t, motions[one.number]) > enough) != now[k]:
                after = [flag != (i == k) for i, flag in enumerate(now)]
                self._take_over(t, y, own, now, after)
                now = after
        return now

    def _take_over(self, t: float, y: Floats, own: slice, before: list[bool], after: list[bool]) -> None:
        """Solve for other hulls from now on, momentum kept; the tree's energy that goes with it is the water's."""
        tree = np.ascontiguousarray(y[own])
        L_before, energy = self._momentum(t, y, tree, before), self._energy(t, tree)
        self.solve_for(after)
        L_after = self._momentum(t, y, tree, after)
        kick = taken_over(t, tree, self._mechanism, L_before, L_after, self.water, y)
        self._mechanism.speeds_in(tree)[:] += kick
        self._mechanism.booked(tree, self._energy(t, tree) - energy)
        y[own] = tree

    def _momentum(self, t: float, y: Floats, tree: Floats, flags: Sequence[bool]) -> Floats:
        """Of the water about each hull (hulls, 6): solved for, or by Morison's law."""
        found = np.zeros((len(self.solved), 6))
        found[np.array(self.solved, dtype=bool)] = self.water.momentum(t, y)
        motions = self._mechanism.motions(t, tree)
        for k, one in enumerate(self.passing):
            if not flags[k]:
                motion = motions[one.number]
                place = motion.place + motion.rotation @ one.centre
                flow = self._basin.wave.flow(t, *place[:, None])["grad"][0]
                found[one.number] = self._morison.momentum(k, motion, flow)
        return found

    def _energy(self, t: float, tree: Floats) -> float:
        """Kinetic energy and potential of the tree, with the water that Morison's law counts with it, J."""
        compiled = self._mechanism.carrier.compiled
        row = compiled.shape.empty_row()
        compiled.observe(t, tree, self._mechanism.u, 0.0, row)
        totals = row[compiled.shape.total_block]
        return float(totals[ENERGY_KINETIC] + totals[ENERGY_GRAVITY])

    def add_morison(self, t: float, tree: Floats, flags: Sequence[bool], accelerations: Floats, forces: Floats) -> None:
        """Put what Morison's law does to hulls that are not solved for, but for drag, into `forces` (hulls, 6)."""
        pushed = []
        for solved in (flags, [True] * len(flags)):
            self._morison.act(solved)
            self._mechanism.forget()
            pushed.append(self._mechanism.lacking(t, tree, accelerations))
        self.solve_for(flags)
        self._mechanism.motions(t, tree)
        gone = [one.number for one, solved in zip(self.passing, flags, strict=True) if not solved]
        J = np.concatenate([self._mechanism.full_jacobians[k] for k in gone])
        forces[gone] = np.linalg.lstsq(J.T, pushed[1] - pushed[0], rcond=None)[0].reshape(-1, 6)
