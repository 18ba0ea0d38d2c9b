"""Ends of cables at points that something else leads: told where they go, asked how they pull and what resists them.

What leads (a hull, a ship in another program) has equations of its own, in which the pulls stand, and the pulls depend
on how the ends accelerate. Three questions serve both sides:

- `prescribe`: the path of each end over the coming step, a cubic in time. It is followed exactly, in place, velocity
  and acceleration: it stands as a table of two rows in the place of the file's motion, which every formulation follows.
- `pull`: the mean force of the cables on each point over that step, the force that changes their momentum in it.
- `impedance`: how the pull of the coming step depends on the accelerations, p = p₀ − K (a − a₀). K [kg] holds the
  inertia, the damping and the stiffness of what hangs at the end, as the step takes them. The equations of a step that
  is linearly implicit are linear in a, so that three looks at them give K to the last digits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from fairlead.algebra.records import Y
from fairlead.loads.signals import MOTION_HEAD, MOTION_TABLE
from fairlead.model import ControlledPoint, System
from fairlead.model.motion import Motion
from fairlead.results.observation import END_FORCE_END, END_FORCE_START

from .contract import Compiled, Failure, UnsupportedSystem

Vector = tuple[float, float, float]
PUSH = 1.0
"""Additional acceleration of an end in the look at what resists it, m/s²."""
NO_MOTION = Motion(table=((0.0, 0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)))
"""What a led point has in its file: the two rows that its paths take the place of."""


def led_point(position: Vector, velocity: Vector, cutoff: float) -> ControlledPoint:
    """A point of a system that is to be led; cutoff [rad/s]: how fast it finds a path that it is off at first."""
    return ControlledPoint(position=position, velocity=velocity, cutoff=cutoff, motion=NO_MOTION)


class CableFailed(RuntimeError):
    """The cables could not go on; `failure` says where and why."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(str(failure))
        self.failure = failure


class LedEnds:
    """The led points of a compiled system; arrays of them are (ends, 3), in the order of `points`, in SI units."""

    def __init__(self, compiled: Compiled, points: Sequence[str]) -> None:
        """points: led points (see `led_point`) at which cables of the system end."""
        self.compiled, self.points = compiled, tuple(points)
        self.n_states = compiled.layout.size
        self.u = compiled.initial_inputs()
        """Inputs of the running simulation; those of the led points are written here."""
        self.led = [compiled.inputs[f"{point}.position"] for point in points]
        self._inputs = np.array([np.arange(part.start, part.stop) for part in self.led])
        self._numbers, self._tables = _two_rows(compiled, points, self._inputs[:, 0] // 3)
        self.bases = np.array([compiled.system.points[point].position for point in points], dtype=float)
        """Where the file has them; paths are counted from there."""
        self.columns = [_columns(compiled, point) for point in points]
        """Where an observation holds the forces of the cables on each."""
        self._columns = np.concatenate(self.columns)[:, None] + np.arange(3)
        self._of = np.repeat(np.eye(len(points)), [len(found) for found in self.columns], axis=1)
        self._rounds = list(_rounds(compiled.system, points))
        self._row = np.zeros(compiled.shape.size)

    def initial_state(self) -> np.ndarray:
        """The compiled system's."""
        return self.compiled.initial_state()

    # ---- where they go

    def hold(self, places: np.ndarray) -> None:
        """Let the ends stand at these places, for statics."""
        self.u[self._inputs] = places

    def prescribe(
        self, t: float, h: float, x: np.ndarray, v: np.ndarray, a: np.ndarray, jerk: np.ndarray | float = 0.0
    ) -> None:
        """Lead the ends over the step h from t along x + v s + ½a s² + ⅙j s³, s = 0 … h."""
        self.u[self._inputs] = np.nan
        rows = np.empty((len(x), 2, 7))
        for k, s in enumerate((-h, 3.0 * h)):  # forces at its end are those of the step after it
            rows[:, k, 0] = t + s
            rows[:, k, 1:4] = x + s * (v + s * (a / 2.0 + s * jerk / 6.0)) - self.bases
            rows[:, k, 4:] = v + s * (a + s * jerk / 2.0)
        self._numbers[self._tables] = rows

    def lead(self, t: float, h: float, x: np.ndarray, v: np.ndarray, x1: np.ndarray, v1: np.ndarray) -> None:
        """Lead the ends over the step h from t between places and velocities at its start and its end."""
        mean = (x1 - x) / h
        self.prescribe(t, h, x, v, (6.0 * mean - 4.0 * v - 2.0 * v1) / h, 6.0 * (v + v1 - 2.0 * mean) / h**2)

    def put(self, y: np.ndarray, x: np.ndarray, v: np.ndarray) -> None:
        """Have the ends at x with the velocities v in the state y at once, in place, wherever they were."""
        position, velocity = self.places_in_state
        y[position], y[velocity] = x, v

    @cached_property
    def places_in_state(self) -> tuple[np.ndarray, np.ndarray]:
        """Where positions and velocities of the ends stand in the state, (ends, 3) each."""
        tables = self.compiled.tables(np.arange(self.n_states, dtype=float))
        names, commands = tables.schema.table, self._inputs[:, 0] // 3
        kept = [n for n in ("controls", "control_state") if n in names and names[n].place == Y]
        if not kept:
            raise UnsupportedSystem(f"ends of '{self.compiled.formulation}' cannot jump; use 'lumped'")
        record = getattr(tables, kept[0])
        return record.position[commands].astype(int), record.velocity[commands].astype(int)

    @property
    def paths_in_constants(self) -> np.ndarray:
        """Where the two rows of each path begin among the constants, (ends,)."""
        off = (self._numbers.ctypes.data - self.compiled.reals.ctypes.data) // self._numbers.itemsize
        return np.asarray(off + self._tables[:, 0, 0])

    # ---- how they pull

    @property
    def looks_ahead(self) -> bool:
        """Whether the pull of a step, however long, is known without making it: it is one step of the kernel."""
        return self.compiled.end_forces == "coming" and self.compiled.substeps == 1

    def seen(self, t: float, y: np.ndarray, h: float) -> np.ndarray:
        """Forces on the points in the state at t, in steps of h, as they are observed."""
        self.compiled.observe(t, y, self.u, h, self._row)
        return np.asarray(self._of @ self._row[self._columns])

    def at_rest(self, t: float, y: np.ndarray, h: float) -> np.ndarray:
        """Forces on the points in a state at rest, whatever steps have led to it."""
        return self.seen(t, self.compiled.rested(y), h)

    def pull(self, t: float, y: np.ndarray, h: float) -> np.ndarray:
        """Mean force on the points over the step h from t along the paths prescribed; the state is left as it is."""
        if self.looks_ahead:
            return self.seen(t, self.compiled.unmade(y), h)
        return self.advance(t, y.copy(), h)

    def advance(self, t: float, y: np.ndarray, h: float) -> np.ndarray:
        """Make the step h from t along the paths prescribed, in place; the mean force on the points over it."""
        compiled, told = self.compiled, self.compiled.end_forces
        if told == "coming":
            parts = compiled.parts(h, compiled.scheme)
            pulls: list[np.ndarray] = []
            for k in range(parts):
                now = t + k * h / parts
                pulls.append(self.seen(now, compiled.unmade(y), h))
                self._made(compiled.advance_parts(now, y, 1, h / parts, self.u, compiled.scheme))
            return np.asarray(np.mean(pulls, axis=0))
        before = self.seen(t, y, h) if told != "latest" else None
        self._made(compiled.advance(t, y, 1, h, self.u, compiled.scheme))
        after = self.seen(t + h, y, h)
        return after if before is None else np.asarray(0.5 * (before + after))

    @staticmethod
    def _made(failure: Failure | None) -> None:
        """Raise where a step could not be made."""
        if failure is not None:
            raise CableFailed(failure)

    def impedance(
        self, t: float, y: np.ndarray, h: float, x: np.ndarray, v: np.ndarray, a: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """K (ends, 3, 3) [kg] and p₀ (ends, 3) [N] of the step h from t, with the ends on x + v s + ½a s².

        K is the symmetric part that resists. Ends that feel each other are pushed one after the other.
        """
        self.prescribe(t, h, x, v, a)
        pull, K = self.pull(t, y, h), np.zeros((len(x), 3, 3))
        for together in self._rounds:
            for axis in range(3):
                pushed = a.copy()
                pushed[together, axis] += PUSH
                self.prescribe(t, h, x, v, pushed)
                K[together, :, axis] = (pull - self.pull(t, y, h))[together] / PUSH
        sizes, axes = np.linalg.eigh(0.5 * (K + K.transpose(0, 2, 1)))
        self.prescribe(t, h, x, v, a)
        return np.einsum("eik,ek,ejk->eij", axes, np.maximum(sizes, 0.0), axes), pull


def _columns(compiled: Compiled, point: str) -> list[int]:
    """Where an observation holds the forces of the cables on a point."""
    found = [
        compiled.shape.cable_ends(name).start + column
        for name, cable in compiled.system.cables.items()
        for end, column in ((cable.start, END_FORCE_START), (cable.end, END_FORCE_END))
        if end.point == point
    ]
    if not found:
        raise ValueError(f"no cable ends at '{point}'; lead a controlled point that a cable starts or ends at")
    return found


def _two_rows(compiled: Compiled, points: Sequence[str], commands: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The numbers of all motions of a compiled system, and where among them the two rows of each led point stand.

    A row is (t, x, y, z, ẋ, ẏ, ż); commands: the numbers of the points' commands. The places are (points, 2, 7).
    """
    tables = compiled.tables(np.empty(0))
    names = tables.schema.table
    record = tables.control
    for point, kind, rows in zip(points, record.kind[commands], record.rows[commands], strict=True):
        if (kind, rows) != (MOTION_TABLE, 2):
            raise ValueError(f"'{point}' has a motion of its own; lead a point made by `led_point`")
    numbers = tables.block("sample" if "sample" in names else "signal").reshape(-1)
    first = record.first[commands][:, None]
    numbers[first + np.arange(MOTION_HEAD)] = 0.0
    return numbers, (first + MOTION_HEAD + np.arange(14)).reshape(-1, 2, 7)


def _rounds(system: System, points: Sequence[str]) -> Iterator[list[int]]:
    """The led points (their numbers) in rounds, in none of which two hang on each other by cables and free points."""
    groups: list[tuple[set[str], set[str]]] = []
    for cable in system.cables.values():
        ends = {cable.start.point, cable.end.point}
        led = ends & set(points)
        free = {end.partition(".")[0] for end in ends - led if system.place(end).is_free}
        for group in [other for other in groups if other[0] & free]:
            groups.remove(group)
            free, led = free | group[0], led | group[1]
        groups.append((free, led))
    left = list(points)
    while left:
        together: list[str] = []
        for point in left:
            if not any({point, other} <= led for _, led in groups for other in together):
                together.append(point)
        yield [points.index(point) for point in together]
        left = [point for point in left if point not in together]
