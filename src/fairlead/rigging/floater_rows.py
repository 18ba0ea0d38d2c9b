"""From floaters by coefficients, as a system describes them, to the rows of their tables (`floater_tables`)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from fairlead.algebra import block_cholesky, quaternion
from fairlead.model import FloatingBody, ModelError, PowerTakeOff, Problem, System
from fairlead.model.bodies import rotation_matrix
from fairlead.results.observation import Extra, Field
from fairlead.rigging.floater_tables import FORCES
from fairlead.rigging.ptos import scaled
from fairlead.rigging.rows import Collected, Row
from fairlead.sea.waves import wave_columns

if TYPE_CHECKING:  # reading coefficients is loaded where there are floaters
    from fairlead.floaters.waters import Water

SLOW = 2.0 * math.pi * 0.03
"""rad/s: motions below it count as slow."""
TURN, TURN_STEP = math.radians(40.0), math.radians(5.0)
"""How far the axes of a floater may turn with its slow yaw, and at which steps its excitation is kept."""
LAGS_A_WAVE = 40
"""Ages at which the past of the water is kept, to the shortest period of its data; steps need no more than two each."""
MOST_LAGS = 4_000_000
FREEDOMS = ("surge", "sway", "heave", "roll", "pitch", "yaw")
_WORDS = {
    "hydrostatic": "buoyancy", "radiation": "the waves it makes", "excitation": "waves", "drift": "slow drift in waves",
    "viscous": "damping that is given", "current": "current", "wind": "wind", "thrust": "thrust",
    "mooring": "cables and mooring matrix",
}  # fmt: skip
_WORKS = {word: _WORDS[origin] for word, origin in (
    ("waves", "excitation"), ("drift", "drift"), ("radiation", "radiation"), ("viscous", "viscous"),
)}  # fmt: skip


@dataclass
class Floating:
    """All floaters of a system: their names, hubs and waters, and how they are joined in the hub system."""

    system: System
    hubs: Sequence[str]
    waters: tuple[Water, ...]
    axes: Mapping[str, float] = field(default_factory=dict)
    """By how much the axes of floaters are turned from their headings [rad], where they are."""
    names: tuple[str, ...] = field(init=False)

    @classmethod
    def of(cls, system: System, hubs: Sequence[str], axes: Mapping[str, float]) -> Self:
        """Those of a system, with their coefficients read and checked."""
        if not any(isinstance(body, FloatingBody) for body in system.bodies.values()):
            return cls(system, hubs, (), axes)
        from fairlead.floaters.waters import waters_of

        return cls(system, hubs, waters_of(system), axes)

    def __post_init__(self) -> None:
        self.names = tuple(name for water in self.waters for name in water.names)

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Pairs of floaters (later, earlier) between which the water has a block."""
        first, found = 0, []
        for water in self.waters:
            n = len(water.names)
            found += [(first + i, first + j) for i in range(n) for j in range(i)]
            first += n
        return found

    @property
    def edges(self) -> list[tuple[int, int]]:
        """Pairs of hubs that water or power take-offs couple."""
        joined = [tuple(self.names.index(name) for name in pto.between if name in self.names) for pto in self._ptos]
        pairs = [*self.pairs, *(pair for pair in joined if len(pair) == 2)]
        return [(self._hub(one), self._hub(other)) for one, other in pairs]

    @property
    def _ptos(self) -> list[PowerTakeOff]:
        return list(self.system.ptos.values())

    def _hub(self, floater: int) -> int:
        return self.hubs.index(self.names[floater])

    def body(self, name: str) -> FloatingBody:
        body = self.system.bodies[name]
        assert isinstance(body, FloatingBody)
        return body

    # --- rows ---------------------------------------------------------------------------------------------------------
    def collect(self, rows: Collected, plan: block_cholesky.Analysis) -> dict[str, int]:
        """Rows of all floater tables, with the slots of the hub system; counts that these do not tell."""
        waves = wave_columns(self.system.environment)
        first = 0
        between: list[float] = []
        for water in self.waters:
            self._add_memory(rows, water, first)
            for i in range(len(water.names)):
                self._add_hull(rows, water, i, first + i, waves)
                rows.added += _block(water.added, i, i)
                between += [number for j in range(i) for number in _block(water.added, i, j)]
            first += len(water.names)
        rows.added += between
        n = len(self.names)
        blocks = [*((i, i) for i in range(n)), *self.pairs]
        rows.water_block = [{"row": i, "column": j, **self._slot(plan, i, j)} for i, j in blocks]
        rows.afloat = [{"floater": self.names.index(name) if name in self.names else -1} for name in self.hubs]
        for pto in self._ptos:
            self._add_pto(rows, pto, plan)
        return {"wave_columns": waves.shape[1] if n else 0, **self._add_past(rows)}

    def _add_memory(self, rows: Collected, water: Water, first: int) -> None:
        """Poles and residues of one water, one state for each freedom that has a residue at a pole."""
        fit = water.fit
        if fit is None:
            return
        n = len(water.names)
        for pole, residue, factor in zip(fit.poles, fit.residues, fit.factor, strict=True):
            scale = np.abs(residue).max()
            acting = [j for j in range(6 * n) if scale > 0.0 and np.abs(residue[:, j]).max() > 1e-12 * scale]
            for j in acting:
                memory = len(rows.memory)
                rows.memory.append({"re": pole.real, "im": pole.imag})
                rows.memory_of.append({"freedom": 6 * first + j})
                for i in acting:
                    value, place = factor * residue[i, j], self._place(6 * first + i, 6 * first + j)
                    rows.residue.append({"re": value.real, "im": value.imag})
                    rows.residue_of.append({"freedom": 6 * first + i, "memory": memory, "place": place})

    def _add_past(self, rows: Collected) -> dict[str, int]:
        """Lags of the waters that are carried along by their past, age by age; counts of the tables."""
        waters = [(6 * sum(len(w.names) for w in self.waters[:n]), water.recall) for n, water in enumerate(self.waters)]
        recalled = [(first, one) for first, one in waters if one is not None]
        if not recalled:
            return {}
        step = float(self.system.simulation.step)
        spacing = max(0.5 * step, 2.0 * math.pi / (LAGS_A_WAVE * max(one.last for _, one in recalled)))
        longest = max(one.memory for _, one in recalled)
        ages = spacing * np.arange(math.ceil(longest / spacing) + 1)
        pairs = sum(len(one.pairs) for _, one in recalled)
        if pairs * len(ages) > MOST_LAGS:
            raise ModelError([self._too_long(longest, len(ages), pairs)])
        table = []
        for first, one in recalled:
            L = np.where(ages[:, None] <= one.memory, one.rise(ages), 0.0)
            area = np.concatenate([np.zeros_like(L[:1]), np.cumsum(0.5 * spacing * (L[1:] + L[:-1]), axis=0)])
            table.append(np.stack([L, area], axis=2))
            for i, j in one.pairs:
                rows.lag_of.append({
                    "freedom": first + i, "speed": first + j, "place": self._place(first + i, first + j)
                })  # fmt: skip
        whole = np.concatenate(table, axis=1)
        rows.lag = {"rise": whole[:, :, 0].ravel(), "area": whole[:, :, 1].ravel()}
        piece = max(step, spacing)
        rows.lag_grid.append({"spacing": spacing, "longest": ages[-1], "widest": piece})
        cells = 2 * math.ceil(ages[-1] / piece) + 3  # two pieces in a row are longer than one may be
        return {"lag_rows": len(ages), "past_cells": cells, "past_numbers": 6 * len(self.names) * cells}

    def _too_long(self, memory: float, ages: int, pairs: int) -> Problem:
        name = next(water.names[0] for water in self.waters if water.recall is not None)
        message = (
            f"a memory of {memory:g} s is {ages * pairs:,} numbers, {ages:,} for each of {pairs:,} pairs of motions, "
            f"and {MOST_LAGS:,} are the most"
        )
        cure = "shorten 'memory', set 'band' to the last frequency that matters, or use 'radiation: state_space'"
        return self.system.problem(f"bodies.{name}.radiation", message, cure)

    def _place(self, i: int, j: int) -> int:
        """Where the number between two freedoms stands in the blocks of the water, −1 where that is its transpose's."""
        total, (row, column) = len(self.names), (i // 6, j // 6)
        block = row if row == column else total + self.pairs.index((row, column)) if row > column else -1
        return -1 if block < 0 else 36 * block + 6 * (i % 6) + j % 6

    def _add_hull(self, rows: Collected, water: Water, i: int, k: int, waves: np.ndarray) -> None:
        """One floater, number k of all and i in its water."""
        from .floater_sea import drift_terms, excitation_columns

        name, data = water.names[i], water.coefficients
        body, env = self.body(name), self.system.environment
        heading = math.radians(body.orientation_deg[2])
        axes = 0.0 if body.follow_yaw else self.axes.get(name, 0.0)
        turns = np.arange(-TURN, TURN + 0.5 * TURN_STEP, TURN_STEP) if body.follow_yaw else np.array([axes])
        excited = body.excitation.method != "none" and waves.shape[1] > 0 and data.has_excitation
        floater: Row = {
            "hub": self._hub(k), "headings": len(turns) if excited else 0, "excitation": len(rows.excitation),
        }  # fmt: skip
        if excited:
            for turn in turns:
                columns = self._asked(name, "coefficients", excitation_columns, data, i, waves, heading + turn)
                rows.excitation += list(columns.ravel())
        drift, method = water.drift.get(name), body.drift.method
        mean, terms = self._asked(name, "drift.file", drift_terms, drift, method, waves, heading + axes)
        floater |= {"drift_first": len(rows.drift), "drift_last": len(rows.drift) + len(terms)}
        for freedom, weight, column in terms:
            rows.drift_of.append({"freedom": 6 * k + freedom})
            rows.drift.append({"weight": weight})
            rows.drift_column += list(column.ravel())
        c = np.array(body.centre_of_mass)
        J = _inertia(body.inertia) + body.mass * (c @ c * np.eye(3) - np.outer(c, c))
        volume = self._volume(name, data.volume[i])
        at = data.centre_of_buoyancy[i] if body.centre_of_buoyancy is None else np.array(body.centre_of_buoyancy)
        at = np.where(np.isfinite(at), at, [*body.centre_of_mass[:2], 0.0])
        lift = env.water_density * env.gravity * volume
        hull: Row = {
            "mass": body.mass, "centre": body.centre_of_mass, "inertia": J[np.triu_indices(3)],
            "rest": body.position, "heading": heading, "rate": SLOW,
            "phase_follows": float(body.excitation.phase_at == "slow"), "turns": float(body.follow_yaw),
            "heading_step": TURN_STEP, "drift_mean": mean, "draught": min(0.0, body.position[2] + at[2]),
        }  # fmt: skip
        for key, stream, density in (
            ("current", body.current, env.water_density),
            ("wind", body.wind, env.wind.air_density if env.wind is not None else 0.0),
        ):
            if stream is not None:
                front, side = (0.5 * density * area for area in stream.area)
                hull["water_area" if key == "current" else "wind_area"] = (front, side, side * stream.length)
                floater |= {f"{key}_first": len(rows.stream), f"{key}_rows": len(stream.coefficients)}
                rows.stream += [{"at": math.radians(at), "x": x, "y": y, "n": n} for at, x, y, n in stream.coefficients]
        if body.thrust is not None:
            angle = math.radians(body.thrust.direction_deg)
            hull |= {"thrust_at": body.thrust.at, "thrust_ahead": (math.cos(angle), math.sin(angle), 0.0)}
            hull |= {"thrust": body.thrust.force or 0.0, "thrust_slope": body.thrust.damping}
            table = body.thrust.table or ()
            floater |= {"thrust_first": len(rows.stream), "thrust_rows": len(table)}
            rows.stream += [{"at": speed, "x": force} for speed, force in table]
        rows.floater.append(floater)
        rows.hull.append(hull)
        rows.constant += [0.0, 0.0, lift, lift * at[1], -lift * at[0], 0.0]
        mooring = body.mooring
        rows.preload += list(mooring.preload) if mooring is not None else [0.0] * 6
        rows.holding += list(np.ravel(mooring.matrix)) if mooring is not None else [0.0] * 36
        rows.restoring += _block(data.stiffness, i, i)
        rows.damping_linear += list(np.ravel(body.damping.linear)) if body.damping.linear else [0.0] * 36
        rows.damping_quadratic += list(body.damping.quadratic)

    def _asked(self, name: str, key: str, made: Callable[..., Any], *given: Any) -> Any:
        """What is made of coefficients; those that lack it are told of where the file names them."""
        from fairlead.floaters import CoefficientError

        try:
            return made(*given)
        except CoefficientError as reason:
            raise ModelError([self.system.problem(f"bodies.{name}.{key}", str(reason))]) from None

    def _volume(self, name: str, known: float) -> float:
        volume = self.body(name).volume
        if volume is not None:
            return volume
        if not math.isfinite(known):
            message, hint = "is missing, and the coefficients do not tell it", "give the volume it displaces at rest"
            raise ModelError([self.system.problem(f"bodies.{name}.volume", message, hint)])
        return known

    def _add_pto(self, rows: Collected, pto: PowerTakeOff, plan: block_cholesky.Analysis) -> None:
        first, second = pto.between
        one, body = self.names.index(first), self.body(first)
        turn = np.array(rotation_matrix(body.orientation_deg))
        place = np.array(body.position) + turn @ np.array(pto.at)
        other, start = -1, quaternion.from_matrix(turn.T)
        if second in self.names:
            other, far = self.names.index(second), self.body(second)
            theirs = np.array(rotation_matrix(far.orientation_deg))
            place, start = theirs.T @ (place - np.array(far.position)), quaternion.from_matrix(turn.T @ theirs)
        low, high = (-math.inf, math.inf) if pto.limits is None else pto.limits
        where = self._slot(plan, other, one) if other >= 0 else {}
        rows.pto.append({"one": one, "other": other, "rotary": pto.rotation, **where})
        rows.pto_law.append(
            {
                "at": pto.at, "other_at": place, "axis": scaled(pto.axis), "start": start, "stiffness": pto.stiffness,
                "damping": pto.damping, "force": pto.force, "low": low, "high": high,
                "stop_stiffness": pto.limit_stiffness, "stop_damping": pto.limit_damping,
            }
        )  # fmt: skip

    def _slot(self, plan: block_cholesky.Analysis, row: int, column: int) -> Row:
        one, two = self._hub(row), self._hub(column)
        turned = (one, two) not in plan.slots
        return {"slot": plan.slots[(two, one) if turned else (one, two)], "turned": turned}


def _block(matrix: np.ndarray, i: int, j: int) -> list[float]:
    return list(matrix[6 * i : 6 * i + 6, 6 * j : 6 * j + 6].ravel())


def _inertia(moments: Sequence[float]) -> np.ndarray:
    """Matrix of inertia from [Ixx, Iyy, Izz] and products [Ixy, Ixz, Iyz] = Σ m x y …"""
    xx, yy, zz, *products = moments
    xy, xz, yz = products or (0.0, 0.0, 0.0)
    return np.array([[xx, -xy, -xz], [-xy, yy, -yz], [-xz, -yz, zz]])


def floater_columns(names: Sequence[str], ptos: Sequence[str]) -> tuple[tuple[Extra, ...], tuple[Field, ...]]:
    """What is reported of floaters and take-offs, in the order of `put_floaters` and `put_floater_forces`."""
    found = []
    for name in names:
        for word in FREEDOMS[:3]:
            found.append(Extra(f"{name}.{word}", "m", f"{word} of the reference point of '{name}'"))
        for word, words in _WORKS.items():
            found.append(Extra(f"{name}.work_{word}", "J", f"work of {words} on '{name}'"))
    for name in ptos:
        found += [
            Extra(f"{name}.stroke", "m", f"coordinate of '{name}' (rad where it turns)"),
            Extra(f"{name}.pto_force", "N", f"force of '{name}' on the second body (N m where it turns)"),
            Extra(f"{name}.power", "W", f"power that '{name}' takes out"),
            Extra(f"{name}.energy", "J", f"energy that '{name}' has taken out"),
        ]
    forces = (
        Field(f"{name}.force_{force}", 6, "freedom", "N", f"force (N) and moment (N m) of {_WORDS[force]} on '{name}'")
        for name in names
        for force in FORCES.split()
    )
    return tuple(found), tuple(forces)
