"""Many members of one compiled system: states, constants and inputs of their own, moved in one compiled call."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, cast

import numpy as np

from fairlead.algebra.compiled import Entry
from fairlead.formulations.contract import Failure, UnsupportedSystem
from fairlead.formulations.kernel_compiled import KernelCompiled
from fairlead.model import System
from fairlead.model.problems import suggestion
from fairlead.simulate.drives import InputError, count, place_of
from fairlead.simulate.integrators.contract import compile_driver
from fairlead.simulate.integrators.own import OwnScheme
from fairlead.simulate.outputs import channels
from fairlead.simulate.parameters import Parameters
from fairlead.simulate.ramps import ramp
from fairlead.simulate.schedule import split
from fairlead.simulate.simulation import Simulation

from .engine import cores
from .march import NO_NUMBER, SIGNATURE, Direct, march

WORTH_THREADS = 200_000
"""Numbers of state times steps above which threads are worth waking."""


class Fleet:
    """Members of one system, at one time.

    system   a `System`, or the path of a file that describes one
    members  how many; all start as a simulation of the system would
    threads  that share the members out among them; by default one a core, and none for a few members

        fleet = Fleet("tow.yaml", 30)
        fleet.set_parameters({"types.cable.drag.normal": 1.2 * factors})    # (30,)
        fleet.step(1.0, {"stern.position": (2.2, 0, 0)})                    # for all, or (30, 3)
        fleet.observe("tow.position")                                       # (30, node, 3)

    Every member moves to the same bits as a `Simulation` with its constants and inputs would. One that cannot go on
    stays where it was and is `lost` until its state is set anew.
    """

    def __init__(
        self,
        system: System | str | Path,
        members: int,
        formulation: str | None = None,
        *,
        threads: int | None = None,
        **settings: Any,
    ) -> None:
        self._take(Simulation(system, formulation, **settings), members, threads)

    @classmethod
    def of(cls, simulation: Simulation, members: int, threads: int | None = None) -> Fleet:
        """Members that all start as a simulation is now; it is not to be used any more."""
        fleet = cls.__new__(cls)
        fleet._take(simulation, members, threads)
        return fleet

    def _take(self, simulation: Simulation, members: int, threads: int | None) -> None:
        compiled = simulation.compiled
        if not isinstance(compiled, KernelCompiled) or not isinstance(simulation.integrator, OwnScheme):
            how = f"formulation '{compiled.formulation}' with integrator '{compiled.scheme}'"
            raise UnsupportedSystem(f"{how} has no members side by side; use bars with integrator: auto")
        if simulation.is_driven:
            raise UnsupportedSystem("inputs that the file drives are not known to members; give them to each step")
        if members < 1:
            raise ValueError(f"a fleet has one member at least, not {members}")
        self.compiled, self.simulation = compiled, simulation
        self.time = simulation.time
        """s."""
        self._step = simulation.system.simulation.step
        self.Y = np.tile(simulation.state, (members, 1))
        """(member, state), may be written between steps (see `layout`)."""
        self._reals = np.tile(compiled.reals, (members, 1))
        self.inputs = np.tile(simulation.commands, (members, 1))
        """(member, input): as they were set last; NaN where the file decides."""
        self.rows = np.full((members, compiled.shape.size), np.nan)
        """What was seen last of every member, (member, number)."""
        self.status = np.zeros(members, dtype=np.int64)
        self.P: dict[str, np.ndarray] = {}
        """What `set_parameters` has set, by path: (member,) or (member, number)."""
        self._parameters = Parameters(compiled)
        self._channels = channels(compiled.shape)
        self._kind = compiled.kinds.get(compiled.scheme, 0)
        self.threads = max(1, min(threads or cores(), members))
        self._benches = [
            (compiled.ints.copy(), compiled.work.copy(), np.empty(compiled.layout.size)) for _ in range(self.threads)
        ]
        self._pool = ThreadPoolExecutor(self.threads, "fairlead-fleet") if self.threads > 1 else None
        self._driver = compile_driver(march, SIGNATURE)
        self._entry = Direct(cast(Entry, compiled.entry), self._driver)
        self.look()

    @property
    def members(self) -> int:
        return len(self.Y)

    @property
    def lost(self) -> np.ndarray:
        """Members that could not go on, by number."""
        return np.flatnonzero(self.status)

    def copy(self, members: int | None = None) -> Fleet:
        """Another fleet of the same compiled system with the same (first) members, for a look ahead."""
        other = Fleet.__new__(Fleet)
        other.__dict__.update(self.__dict__)
        chosen = slice(members)
        for name in ("Y", "_reals", "inputs", "rows", "status"):
            setattr(other, name, getattr(self, name)[chosen].copy())
        other.P = {path: values[chosen].copy() for path, values in self.P.items()}
        other.threads = min(self.threads, other.members)
        return other

    def take_over(self, member: int, donor: int) -> None:
        """A member becomes a copy of another, and is lost no longer."""
        for rows in (self.Y, self._reals, self.inputs, self.rows, self.status, *self.P.values()):
            rows[member] = rows[donor]

    # --- constants ----------------------------------------------------------------------------------------------------
    def set_parameters(self, values: Mapping[str, Any], members: np.ndarray | None = None) -> None:
        """Set physical properties of some members, by default of all, all or none; see `Simulation.set_parameters`.

        values  by path: one for all, or one a member: (member,) or (member, number)
        """
        chosen = np.arange(self.members) if members is None else np.asarray(members)
        spread = {path: self._spread(path, value, len(chosen)) for path, value in values.items()}
        found = self._reals[chosen]
        with self.compiled.turn:
            for k in range(len(chosen)):
                if not self._parameters.apply({path: rows[k] for path, rows in spread.items()}):
                    names = " and ".join(f"'{path}'" for path in values)
                    raise UnsupportedSystem(f"{names}: members cannot have these of their own: not constants alone")
                found[k] = self.compiled.reals
        self._reals[chosen] = found
        for path, rows in spread.items():
            if path not in self.P:
                self.P[path] = np.tile(rows[:1], (self.members, *(1 for _ in rows.shape[1:])))
            self.P[path][chosen] = rows

    def _spread(self, path: str, value: Any, members: int) -> np.ndarray:
        """A value for each of so many members, (member,) or (member, number)."""
        given, one = np.asarray(value, dtype=np.float64), np.shape(self._known.get(path, value))
        if given.shape not in (one, (members, *one)):
            raise ValueError(f"'{path}' takes an array of shape {one} for all or {(members, *one)}, not {given.shape}")
        return np.array(np.broadcast_to(given, (members, *one)))

    @cached_property
    def _known(self) -> dict[str, Any]:
        """Every property that may be set, as it was first."""
        return self._parameters.read()

    # --- time ---------------------------------------------------------------------------------------------------------
    def set_inputs(self, values: Mapping[str, Any]) -> None:
        """Inputs from now on, for all, (size,), or of each, (member, size); None hands one back to the file."""
        for name, rows in self._checked(values).items():
            self.inputs[:, self.compiled.inputs[name]] = rows

    def _checked(self, values: Mapping[str, Any]) -> dict[str, np.ndarray]:
        found = {}
        for name, value in values.items():
            place = place_of(name, self.compiled.inputs)
            size = place.stop - place.start
            rows = np.full(size, np.nan) if value is None else np.atleast_1d(np.asarray(value, dtype=np.float64))
            if rows.shape not in ((size,), (self.members, size)):
                what = f"{count(size)} for all or a row of these for each member, not an array of shape {rows.shape}"
                raise InputError(f"input '{name}' takes {what}")
            if value is not None and not np.isfinite(rows).all():
                raise InputError(f"input '{name}' must be finite; None hands it back to the file")
            found[name] = np.broadcast_to(rows, (self.members, size))
        return found

    def step(
        self,
        dt: float,
        inputs: Mapping[str, Any] | None = None,
        *,
        speeds: Mapping[str, Any] | None = None,
        hold: bool = False,
        look: bool = True,
    ) -> np.ndarray:
        """Advance all by dt [s], inputs going from the last values to these; returns the members lost in it, by number.

        inputs, speeds, hold  as of `Simulation.step`, for all members or for each
        look                  whether `rows` are to be filled then
        """
        n, h = split(float(dt), self._step)
        before = self.inputs.copy()
        self.set_inputs(inputs or {})
        u = self._on_the_way(before, n, float(dt), None if hold else inputs, speeds)
        kept, known = self.Y.copy(), self.status.copy()
        self.begin_interval()
        self._march(self.time, n, h, u, self.rows if look else self.rows[:, :0])
        failed = np.flatnonzero(self.status != known)
        self.Y[failed] = kept[failed]
        self.time += dt
        return failed

    def begin_interval(self) -> None:
        """Forget the extremes of the steps so far."""
        extremes, layout = self.compiled.shape.extremes, self.compiled.layout
        for block in layout.blocks:
            if block.name == "extremes":
                part = extremes.reset_part
                self.Y[:, block.start : block.start + part] = extremes.fresh[:part]

    def _on_the_way(
        self,
        before: np.ndarray,
        n: int,
        length: float,
        given: Mapping[str, Any] | None,
        speeds: Mapping[str, Any] | None,
    ) -> np.ndarray:
        """Inputs of every step, or one row for all steps, (step or 1, member or 1, input)."""
        after = self.inputs
        beginning = (np.isnan(before) & ~np.isnan(after)).any()
        pairs = [pair for pair in (speeds or {}).values() if isinstance(pair, list | tuple | np.ndarray)]
        apart = any(np.ndim(rate) > 1 for pair in pairs for rate in pair)
        if not (beginning or apart) and _alike(before) and _alike(after):
            before, after = before[:1], after[:1]
        way = ramp(before, after, length, self.compiled.inputs, speeds, self._here) if n > 1 and given else None
        if way is None:
            return after[None].copy()
        u = np.repeat(after[None], n, axis=0)
        for k in range(n):
            way.write((k + 1) / n, u[k])
        return u

    def _here(self, name: str) -> np.ndarray | None:
        """Where a point is now whose position is an input, (member, 3)."""
        return self.observe(name).copy() if name.endswith(".position") and name in self._channels else None

    def look(self) -> None:
        """Fill `rows` with what is to be seen now."""
        _, h = split(self._step, self._step)
        self._march(self.time, 0, h, self.inputs[None].copy(), self.rows)

    def _march(self, t: float, n: int, h: float, u: np.ndarray, out: np.ndarray) -> None:
        compiled = self.compiled
        with compiled.turn:
            parts = compiled.parts(h, compiled.scheme)
            prepared = type(compiled).prepare is not KernelCompiled.prepare
            if prepared:
                compiled.prepare(h / parts)
            out[:] = np.nan

            def share(which: int, first: int, last: int) -> None:
                ints, work, copy = self._benches[which]
                if prepared:
                    work[:] = compiled.work
                self._driver(
                    self._entry, float(t), n, h, parts, self.Y, u, ints, self._reals, work, self._kind, copy,
                    out, self.status, first, last,
                )  # fmt: skip

            few = max(1, n) * self.Y.size < WORTH_THREADS
            if self._pool is None or few or self.members < 2 * self.threads:
                share(0, 0, self.members)
            else:
                bounds = np.linspace(0, self.members, self.threads + 1).astype(int).tolist()
                list(self._pool.map(share, range(self.threads), bounds[:-1], bounds[1:]))
            if out.shape[1]:
                for row in out:
                    compiled.take_off_bed(row)

    def failure(self, member: int) -> Failure:
        """Why a member was lost, as far as its status tells."""
        if self.status[member] == NO_NUMBER:
            what, cause, cure = "a number is no longer finite", "its motion grew without bound", "halve simulation.step"
        else:
            what, cause, cure = self.compiled.words(int(self.status[member]), self.time)
        return Failure(self.time, f"member {member}", what, cause, cure)

    def settle(self) -> None:
        """Every member to the equilibrium of its own constants and inputs, from where it is; where there is none it
        stays."""
        from fairlead.statics import StaticsError
        from fairlead.statics.equilibrium import settle

        compiled = self.compiled
        with compiled.turn:
            kept = compiled.reals.copy()
            for m in range(self.members):
                compiled.reals[:] = self._reals[m]
                with suppress(StaticsError):
                    self.Y[m] = settle(compiled, self.Y[m], self.inputs[m], self.time, quick=True)[0]
            compiled.reals[:] = kept
        self.begin_interval()

    # --- what is seen -------------------------------------------------------------------------------------------------
    @property
    def names(self) -> tuple[str, ...]:
        """Every output that `observe` knows."""
        return tuple(self._channels)

    def observe(self, name: str) -> np.ndarray:
        """An output of every member, as of the last step: (member,), (member, number), (member, node, …)."""
        try:
            start, stop, columns, column, width = self._channels[name]
        except KeyError:
            raise KeyError(f"there is no output '{name}'; {suggestion(name, self._channels)}") from None
        if stop == start + 1:
            return self.rows[:, start]
        part = self.rows[:, start:stop]
        if columns:
            table = part.reshape(self.members, -1, columns)
            return table[:, :, column] if width == 1 else table[:, :, column : column + width]
        return part


def _alike(rows: np.ndarray) -> bool:
    """Whether all rows are the same, to the bit: NaN too, which an input is that the file decides."""
    return rows[1:].tobytes() == rows[:-1].tobytes()
