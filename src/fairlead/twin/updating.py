"""Members that are corrected by what is measured: predictions are kept, compared with readings, and all is mixed."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from functools import cached_property

import numpy as np

from fairlead.ensembles.fleet import Fleet

from .file import EstimateChoice
from .filters import apart, inflated, mixed, relaxed, shared, softened, transform
from .innovations import MOST, Innovations
from .sensors import STRANGEST, Sensor, judge
from .sources import LONGEST_DELAY
from .stamps import Stamps
from .unknowns import Unknowns

MEMORY = 0.9
"""What is left of the weight of earlier deviations in the measure of consistency, at each update."""
REMEMBERED = 4.0
"""Updates by which an estimate is told, by and large. What a sensor is off for good is the same in all their readings,
so its variance in each is taken for as many times as large: so many updates together then tell no more than it allows.
Members of a parameter that does not wander go on to agree with more of them; what is told of tensions and places is
widened by all of the bias, and that no number of readings takes away."""
FINEST = 0.1
"""Share of what a sensor may be off to which at best it tells what its readings differ by: no model does it better."""
STRANGER = 0.2
"""Weight of a reading in the measure of how strange its sensor is."""
DOUBTED = 2.0
"""Factor on the variance of a reading from which on it counts as doubted."""
RELAXED = 0.1
"""Share of their deviations from the mean that members keep through an update."""
TRENDING, SIGNIFICANT = 0.85, 9.0
"""What is left at the next update of the sum of a parameter's corrections; and the square of that sum over what chance
makes of it from which on the parameter wanders faster than the file says."""
HASTY = 0.2
"""Share of its standard deviation at first by which a parameter wanders at most in an update, where the members were
made to differ more since the filter was too sure of itself."""
FADED = 0.2
"""Share of its standard deviation at first to which a parameter's comes back where a sensor has fallen silent."""
SHAKEN, SHAKING = 2.6, 0.3
"""Time for which members shake after an update that mixed states, s, and the most of the time to the next: what they
predict of forces then is the mix and not the sea."""
CONTACTS = frozenset({"contact", "grip"})
"""Blocks of points on the seabed: where friction is anchored (3) and the normal force. A mix may be negative where some
members press and others do not, and would be taken for an end that an anchor holds: such a point does not press."""
SINCE, OF_SHED = 4, 7
"""Of the numbers of a wake that sheds vortices the time since its element was seen last: 0 where it was not, as after a
mix, which changes velocities at once; how it accelerates is to be seen again."""
WALK, PERTURB, REPLACE, LOOK, SWAY, STOP = 1, 2, 3, 4, 5, 6
"""What random numbers are drawn for; with the seed and the number of the tick they are the same in every run."""


class Updating:
    """The members, what each believes of the parameters, and what each predicted for readings that are yet to come.

    fleet   the members
    mixes   whether an update changes states, too
    """

    def __init__(
        self, fleet: Fleet, choice: EstimateChoice, unknowns: Unknowns, sensors: Mapping[str, Sensor], mixes: bool
    ) -> None:
        self.fleet, self.unknowns, self.sensors, self.mixes = fleet, unknowns, sensors, mixes
        self._choice = choice
        self.theta = unknowns.first(fleet.members, choice.seed)
        """(member, number)."""
        self.history: deque[tuple[float, np.ndarray]] = deque()
        """Times [s] and what every sensor would have said then, (member, number)."""
        self.updates, self.updated_at = 0, -np.inf
        self.mixed_at = deque[float]()
        """When states were mixed, as long ago as readings may still come from, s."""
        self.consistency = 1.0
        """Mean square of deviations of late over what it should be."""
        self.innovations = Innovations()
        self.corrected, self.expected = np.zeros(len(unknowns.numbers)), np.zeros(len(unknowns.numbers))
        """Sum of corrections of every parameter, older ones with less weight, and what its variance should be."""
        self.lost, self.losses = 0, deque[float]()
        self.open_loop = ""
        """Why the estimate is off, in a sentence; empty while it is not."""

    def begin(self, settle: bool = True) -> None:
        """Every member with its own parameters, in their equilibrium where the system starts in one."""
        self.spread()
        if settle and self.fleet.simulation.statics is not None and self.unknowns.numbers:
            self.fleet.settle()
        self.fleet.look()

    def spread(self) -> None:
        """Give every member its own parameters."""
        if self.unknowns.numbers:
            self.fleet.set_parameters(self.unknowns.paths(self.theta))
            self.fleet.set_inputs(self.unknowns.inputs(self.theta))

    # --- what sensors would say ---------------------------------------------------------------------------------------
    @property
    def begins(self) -> bool:
        """Whether there are sensors and nothing yet to compare their readings with, as where it began anew."""
        return bool(self.sensors) and not self.history

    def forget(self) -> None:
        """What earlier members predicted, and how well measurements agreed with them: others begin elsewhere."""
        self.history.clear()
        self.mixed_at.clear()
        self.consistency, self.innovations = 1.0, Innovations()
        self.corrected, self.expected = np.zeros_like(self.corrected), np.zeros_like(self.expected)
        for sensor in self.sensors.values():
            sensor.strangeness, sensor.odd, sensor.stamps = 1.0, False, Stamps()

    def remember(self, time: float) -> None:
        """What every sensor would say now, of every member."""
        if not self.sensors:
            return
        seen = np.concatenate([sensor.seen(self.fleet.rows) for sensor in self.sensors.values()], axis=1)
        self.history.append((time, np.ascontiguousarray(seen)))
        while self.history[0][0] < time - LONGEST_DELAY - 1.0:
            self.history.popleft()

    def predicted(self, stamp: float) -> np.ndarray:
        """What all sensors would have said at a time [s], (member, number)."""
        (t0, a), (t1, b) = self._around(stamp)
        s = float(np.clip((stamp - t0) / (t1 - t0), 0.0, 1.0)) if t1 > t0 else 0.0
        return np.asarray((1.0 - s) * a + s * b)

    def _rate(self, stamp: float) -> np.ndarray:
        """How fast what sensors say changed at a time [s], mean of the members, (number,) 1/s."""
        (t0, a), (t1, b) = self._around(stamp)
        return np.asarray((b - a).mean(axis=0) / (t1 - t0 if t1 > t0 else np.inf))

    def _around(self, stamp: float) -> tuple[tuple[float, np.ndarray], tuple[float, np.ndarray]]:
        """The predictions before and after a time [s]."""
        times = [time for time, _ in self.history]
        k = int(np.clip(np.searchsorted(times, stamp) - 1, 0, max(0, len(times) - 2)))
        return self.history[k], self.history[min(k + 1, len(times) - 1)]

    # --- members that are lost, and fewer of them ---------------------------------------------------------------------
    def replace(self, failed: np.ndarray, time: float, tick: int) -> None:
        """Members that could not go on become copies of others; too many, and the estimate is off."""
        fleet = self.fleet
        self.lost += len(failed)
        self.losses.extend([time] * len(failed))
        while self.losses and self.losses[0] < time - 60.0:
            self.losses.popleft()
        well = np.flatnonzero(fleet.status == 0)
        if len(self.losses) * 2 >= fleet.members and not self.open_loop:
            self.open_loop = f"{len(self.losses)} of {fleet.members} members could not go on within 60 s"
        if len(well):
            donors = np.random.default_rng([self._choice.seed, REPLACE, tick]).choice(well, len(failed))
            for m, donor in zip(failed, donors, strict=True):
                fleet.take_over(int(m), int(donor))
                self.theta[m] = self.theta[donor]
                for _, seen in self.history:
                    seen[m] = seen[donor]

    def thin(self, members: int) -> None:
        """Go on with the first so many members, about the mean of all."""
        if members >= self.fleet.members:
            return
        matrix = np.eye(self.fleet.members)[:, :members]
        matrix -= matrix.mean(axis=1, keepdims=True)
        self._mix(matrix)
        self.fleet = self.fleet.copy(members)
        self.spread()
        self.fleet.look()

    # --- the update ---------------------------------------------------------------------------------------------------
    def update(self, time: float, tick: int, elsewhere: float = -np.inf) -> bool:
        """Compare what was measured with what was predicted for these times, and correct the members; then wander.

        elsewhere  time [s] up to which members are known to have been elsewhere: what was measured by then is left out
        """
        choice = self._choice
        ready = [(k, stamp, value) for k, s in enumerate(self.sensors.values()) for stamp, value in s.due(time)]
        while self.mixed_at and self.mixed_at[0] < time - LONGEST_DELAY - SHAKEN:
            self.mixed_at.popleft()
        due = self._settled([one for one in ready if one[1] > elsewhere])
        silent = self.silent(time)
        for name in silent:
            self.innovations.forget(name)
            self.sensors[name].stamps = Stamps()
        on = choice.method != "none" and not self.open_loop and self.fleet.members > 1
        updated = bool(on and due)
        self._restless = 0.0
        if updated:
            updated = self._correct(due, [choice.seed, PERTURB, tick])
        if updated:
            self.updates += 1
            self.updated_at = time
            if self.mixes and self._one_frame:
                self.mixed_at.append(time)
        else:
            self.corrected, self.expected = TRENDING * self.corrected, TRENDING**2 * self.expected
        if on and self.unknowns.numbers:
            key = [choice.seed, WALK, tick]
            self.theta = self.unknowns.wandered(self.theta, choice.every, key, more=self._haste)
            if silent:
                self.theta = self.unknowns.at_least(self.theta, FADED)
            self.fleet.set_parameters(self.unknowns.paths(self.theta))
        return updated

    def _settled(self, due: list[tuple[int, float, np.ndarray]]) -> list[tuple[int, float, np.ndarray]]:
        """What is due without forces that were measured while members shook after an update, where there are others of
        the same sensor."""
        sensors, shaken = list(self.sensors.values()), min(SHAKEN, SHAKING * self._choice.every)
        still = [
            sensors[k].unit != "N" or not any(1e-6 < stamp - mixed < shaken for mixed in self.mixed_at)
            for k, stamp, _ in due
        ]
        others = {k for (k, _, _), calm in zip(due, still, strict=True) if calm}
        return [one for one, calm in zip(due, still, strict=True) if calm or one[0] not in others]

    def _correct(self, due: list[tuple[int, float, np.ndarray]], key: list[int]) -> bool:
        """False where there is nothing to learn from: all that was heard is of sensors that are stuck."""
        sensors = list(self.sensors.values())
        due, predicted = self._of_the_living(sorted(due, key=lambda one: (one[1], one[0], one[2].tolist())))
        if not due:
            return False
        groups = np.repeat(np.arange(len(due)), [len(value) for _, _, value in due])
        z, y = np.concatenate(predicted, axis=1), np.concatenate([v for _, _, v in due])
        means = [seen.mean(axis=0) for seen in predicted]
        told = list(zip([sensors[k] for k, _, _ in due], means, strict=True))
        noise = np.concatenate([sensor.noise.of(mean) for sensor, mean in told])
        bias = np.concatenate([sensor.bias.of(mean) for sensor, mean in told])
        sd = np.hypot(noise, bias)
        deviation, spread = y - z.mean(axis=0), z.std(axis=0, ddof=1)
        over = np.abs(deviation) / np.hypot(spread, sd)
        usual = self._hear(due, groups, deviation, spread, sd)
        softer = softened(sd**2, deviation, spread, groups, usual) / sd**2
        starts = np.cumsum([0, *(sensor.numbers for sensor in sensors)])
        for i, (k, stamp, _) in enumerate(due):
            mine, sensor = groups == i, sensors[k]
            if sensor.unit == "m":
                rate = self._rate(stamp)[starts[k] : starts[k + 1]]
                sensor.stamps.hear(rate, deviation[mine], np.hypot(spread, noise)[mine], bias[mine])
            square = float(np.mean(over[mine] ** 2))
            sensor.deviation = float(np.sqrt(square))
            sensor.strangeness += STRANGER * (min(square, STRANGEST) - sensor.strangeness)
            sensor.counts["doubted"] += bool((softer[mine] > DOUBTED).any())
        judge(sensors, self.innovations.sizes)
        softer *= np.array([STRANGEST**2 if sensors[k].odd else 1.0 for k, _, _ in due])[groups]
        mean_square = float(np.mean(np.minimum(over, 3.0) ** 2))
        self.consistency = MEMORY * self.consistency + (1.0 - MEMORY) * mean_square
        factor = self.innovations.widen(float(np.median(spread**2 / (spread**2 + sd**2))))
        own = np.concatenate([starts[k] + np.arange(len(value)) for k, _, value in due])
        least = np.maximum(noise, FINEST * sd)
        z, y, variance = shared(z, y, *apart(least**2, np.sqrt(REMEMBERED) * bias, softer, own), own)
        wide, before = inflated(z, variance, factor), self.theta.copy()
        z = mixed(z, wide)
        drawn = np.random.default_rng(key).standard_normal(z.shape) if self._choice.method == "enkf" else None
        self._mix(relaxed(wide @ transform(z, y, variance, drawn), RELAXED))
        self._restless = HASTY * float(np.sqrt((factor - 1.0) / (MOST - 1.0)))
        self.corrected = TRENDING * self.corrected + self.theta.mean(axis=0) - before.mean(axis=0)
        learnt = mixed(before, wide).var(axis=0, ddof=1) - self.theta.var(axis=0, ddof=1)
        self.expected = TRENDING**2 * self.expected + np.maximum(0.0, learnt)
        self.theta = self.unknowns.at_most(self.theta)
        return True

    def _hear(
        self, due: list[tuple[int, float, np.ndarray]], groups: np.ndarray, deviation: np.ndarray, spread: np.ndarray,
        noise: np.ndarray,
    ) -> float:  # fmt: skip
        """Learn from deviations how sure the filter may be of itself; how large their squares are of late."""
        for k, sensor in enumerate(self.sensors.values()):
            mine = np.isin(groups, [i for i, (of, _, _) in enumerate(due) if of == k])
            if sensor.repeats.stuck:
                self.innovations.forget(sensor.name)
                sensor.stamps = Stamps()
            elif mine.any():
                rows = [part[mine].reshape(-1, sensor.numbers) for part in (deviation, spread, noise)]
                self.innovations.hear(sensor.name, rows[0], rows[1].mean(axis=0), rows[2].mean(axis=0),
                                      sensor.unit == "m")  # fmt: skip
        self.innovations.odd = tuple(sensor.name for sensor in self.sensors.values() if sensor.odd)
        return self.innovations.size

    @property
    def _haste(self) -> np.ndarray:
        """What parameters wander beyond what the file says, standard deviation of an update: as fast as they were
        corrected of late, where that is no chance, and by a share of what they were uncertain at first where the filter
        was too sure of itself."""
        excess = np.maximum(0.0, self.corrected**2 - SIGNIFICANT * self.expected)
        return np.asarray(np.maximum((1.0 - TRENDING) * np.sqrt(excess), self._restless * self.unknowns.sd))

    _restless = 0.0
    """That share, by the latest update."""

    def silent(self, time: float) -> list[str]:
        """Sensors that were heard, and are no longer."""
        return [s.name for s in self.sensors.values() if -np.inf < s.last < time - s.silent_after]

    def _of_the_living(
        self, due: list[tuple[int, float, np.ndarray]]
    ) -> tuple[list[tuple[int, float, np.ndarray]], list[np.ndarray]]:
        """What is due and what members predicted of it, without the repeats of sensors that are stuck."""
        sensors = list(self.sensors.values())
        starts = np.cumsum([0, *(sensor.numbers for sensor in sensors)])
        predicted, runs, dead = [], dict[int, list[int]](), set[int]()
        for i, (k, stamp, value) in enumerate(due):
            seen, sensor = self.predicted(stamp)[:, starts[k] : starts[k + 1]], sensors[k]
            predicted.append(seen)
            mean = seen.mean(axis=0)
            noise = sensor.noise.of(mean)
            far = float(np.max(np.abs(value - mean) / np.hypot(seen.std(axis=0, ddof=1), noise)))
            stuck = sensor.repeats.hear(value, mean, noise, far, sensor.unit == "N")
            runs[k] = [*runs.get(k, []), i] if sensor.repeats.run or stuck else []
            dead.update(runs[k] if stuck else ())
        living = [i for i in range(len(due)) if i not in dead]
        return [due[i] for i in living], [predicted[i] for i in living]

    def _mix(self, matrix: np.ndarray) -> None:
        """Make new members of the old ones: parameters, states and what was predicted for readings yet to come."""
        members = matrix.shape[1]
        self.theta = mixed(self.theta, matrix)
        for k, (time, seen) in enumerate(self.history):
            self.history[k] = (time, mixed(seen, matrix))
        Y = self.fleet.Y
        if not self.mixes or not self._one_frame:
            return
        for block in self.fleet.compiled.layout.blocks:
            if block.name == "shed":
                Y[:members, block.slice][:, SINCE::OF_SHED] = 0.0
            if block.mix and block.stop > block.start:
                own, new = Y[:members, block.slice], mixed(Y[:, block.slice], matrix)
                if block.name in CONTACTS:
                    forces = new[:, 3::4]
                    np.maximum(forces, 0.0, out=forces, where=own[:, 3::4] >= 0.0)
                Y[:members, block.slice] = new
        for places, or_zero in self._units:
            parts = Y[:, places]
            size = np.linalg.norm(parts, axis=-1, keepdims=True)
            unused = or_zero[None, :, None] & (size == 0.0)
            Y[:, places] = np.where(unused, parts, parts / np.maximum(size, 1e-12))

    @property
    def _one_frame(self) -> bool:
        """Whether all members count the turns of an element from the same axes: where one has come near a singular turn
        and counts from others, its angles are not those of its neighbours, and no mean can be made of their shapes."""
        for block in self.fleet.compiled.layout.blocks:
            if block.name == "frame" and np.ptp(self.fleet.Y[:, block.slice], axis=0).max(initial=0.0) > 1e-9:
                return False
        return True

    @cached_property
    def _units(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Places of the unit vectors of a state (vector, number), and which of these may be zero."""
        units = self.fleet.compiled.state_rules().units
        return [
            (
                np.array([np.arange(u.place, u.place + width) for u in units if u.width == width]),
                np.array([u.or_zero for u in units if u.width == width]),
            )
            for width in sorted({u.width for u in units})
        ]
