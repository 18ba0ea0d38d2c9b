"""A system at rest: from its description to its equilibrium and the numbers people ask of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead import __version__, model
from fairlead.exchange.opening import open_model
from fairlead.formulations.contract import Failure, movable
from fairlead.hydro import compile_in_water
from fairlead.results import Recorder, build_dataset
from fairlead.results.on_bed import lying_parts, touching
from fairlead.results.peaks import Along
from fairlead.results.shown import Shown
from fairlead.rigging.first_velocity import steady_tow
from fairlead.shape.layout import first_geometry
from fairlead.simulate.drives import checked_numbers
from fairlead.simulate.inputs import InputError, Inputs
from fairlead.simulate.outputs import Outputs
from fairlead.words import force, number, percentage

from .equilibrium import settle, towed
from .moving import moved
from .report import Report, StaticsError

if TYPE_CHECKING:
    import xarray as xr

    from fairlead.formulations.contract import Compiled, Linearised, Movable
    from fairlead.model import System

    from .refinement import Refined
    from .stiffness import Held


@dataclass(frozen=True)
class Equilibrium:
    """A system at rest.

    compiled  the compiled system; y: its state (state,); u: its inputs (inputs,); report: how the equilibrium was
    found; notes: what a user should know, in the order it was found; outputs: what is seen of it, by name
    (`outputs["line.tension_effective"]`)
    """

    compiled: Compiled
    y: np.ndarray
    u: np.ndarray
    report: Report
    notes: tuple[str, ...]
    outputs: Outputs
    _before: Equilibrium | None = field(default=None, repr=False, compare=False)
    """The equilibrium that this one was moved from."""

    @property
    def system(self) -> System:
        """What is at rest."""
        return self.compiled.system

    def stiffness(self, place: str) -> np.ndarray:
        """Stiffness at a point or at a place on a body (3, 3) [N/m], or of a body (6, 6) [N/m, N, N m].

        Minus the change of the forces and moments on it, in global axes about it, when it is slowly moved and turned
        and all that is free follows; what else is prescribed stays where it is. It is that of the elements: of a line
        that touches down `refined` gives that of the line.
        """
        from .stiffness import border_stiffness

        still = self._still
        if still is not None:
            with self.compiled.turn:
                still.command(self.u)
                found = border_stiffness(still, self.y, place)
            if found is not None:
                return found
        return self.held(place).stiffness

    @cached_property
    def _still(self) -> Movable | None:
        """The system held still in compiled code; one for this equilibrium and all that follow from it."""
        return self._before._still if self._before is not None else self._held_still()

    @cached_property
    def _witness(self) -> Movable | None:
        """Another one, which only evaluates forces in the states that the first has found."""
        return self._before._witness if self._before is not None else self._held_still()

    def _held_still(self) -> Movable | None:
        with towed(self.compiled):
            return movable(self.compiled.linearised(0.0, self.u))

    def held(self, place: str) -> Held:
        """How a place is held: its stiffness, principal stiffnesses and, where its mass is known, natural periods."""
        from .stiffness import held

        with towed(self.compiled):
            return held(self.system, self.compiled.linearised(0.0, self.u), self.y, place)

    def refined(self, place: str) -> Refined:
        """How a place is held when the elements of all lines that touch down are short enough, and the error left.

        `stiffness` and `held` are those of the elements in the file, of which few make a touchdown too soft or too
        stiff by a fifth.
        """
        from .refinement import refined

        return refined(self, place)

    def like(self, system: System) -> Equilibrium:
        """The equilibrium of another system under the inputs of this one."""
        rest = solve(system)
        return rest if np.array_equal(self.u, rest.u, equal_nan=True) else rest._under(self.u)

    def at(self, places: Mapping[str, Sequence[float]]) -> Equilibrium:
        """The equilibrium with points and bodies elsewhere, the rest of the system as it is.

            eq = fl.statics("mooring.yaml")
            pull = [eq.at({"platform": (x, 0, 0)}).outputs["line.force_end"] for x in offsets]

        A place is given by where it is [m], a body also with its roll, pitch and yaw behind [rad]; other inputs of the
        system by their names (`tug.force`). What a motion or an input moves goes on from this equilibrium and takes
        milliseconds, a fixed point is compiled anew.
        """
        values: dict[str, Any] = {}
        u, inputs = self.u.copy(), self.compiled.inputs
        for name, value in places.items():
            for part, numbers in _inputs_of(name, value, self.system, inputs):
                if part in inputs:
                    u[inputs[part]] = checked_numbers(part, inputs[part], numbers)
                else:
                    values[f"points.{name}.position"] = [float(number) for number in numbers]
        if values:
            elsewhere = solve(self.system.with_values(values))
            return elsewhere if np.array_equal(u, self.u, equal_nan=True) else elsewhere._under(u)
        return self._under(u)

    def _under(self, u: np.ndarray) -> Equilibrium:
        """The equilibrium under other inputs."""
        still, witness = self._still, self._witness
        with self.compiled.turn:
            found = None if still is None or witness is None else moved(self.compiled, still, witness, self.y, u)
            y, report = found or settle(self.compiled, self.y, u)
        kept = tuple(note for note in self.notes if note not in self.report.notes)
        if witness is not None:
            witness.command(u)
        seen = _seen(self.compiled, y, u, report, (*kept, *report.notes), witness)
        return replace(seen, _before=self._before or self)

    def __repr__(self) -> str:
        return self._shown().text()

    def _repr_html_(self) -> str:
        return self._shown().html()

    def _shown(self) -> Shown:
        facts = f"at rest by {self.report}, formulation {self.compiled.formulation}"
        return Shown(self.system.title or "A system at rest", facts, cable_rows(self.summary()), self.notes)

    def dataset(self) -> xr.Dataset:
        """The equilibrium as a result of one sample, to be drawn and read like that of a run."""
        times, rows = np.array([self.outputs.time]), self.outputs.row[np.newaxis]
        return build_dataset(self.compiled.shape, times, rows, self._metadata(), energy=False)

    def save(self, path: str | Path) -> None:
        """Write the equilibrium as a result file of one sample."""
        recorder = Recorder(path, self.compiled.shape, self._metadata(), energy=False, expected_samples=1)
        recorder.append(self.outputs.time, self.outputs.row)
        recorder.close()

    def _metadata(self) -> dict[str, object]:
        system = self.system
        return {
            "title": system.title,
            "description": system.description,
            "formulation": self.compiled.formulation,
            "integrator": f"statics: {self.report}",
            "fairlead_version": __version__,
            "input_file": system.source.text if system.source is not None else "",
            "settings": system.model_dump_json(),
            "warnings": list(self.notes),
            "status": "complete",
        }

    def summary(self) -> dict[str, Any]:
        """End tensions, touchdown, lowest point and how it was found, as plain values in SI units ready for JSON."""
        cables = {name: self._cable(name) for name in self.compiled.shape.cables}
        owners = {**self.system.points, **self.system.bodies}
        free = [name for name, owner in owners.items() if owner.is_free]
        return {
            "title": self.system.title,
            "formulation": self.compiled.formulation,
            "rung": self.report.rung,
            "iterations": self.report.iterations,
            "relaxation_steps": self.report.steps,
            "residual": self.report.residual,
            "residual_relative": self.report.relative,
            "worst": self.report.worst,
            "stable": self.report.stable,
            "tension_max": max(
                (c["tension_max"] for c in cables.values()), key=lambda extreme: float(extreme["value"]), default=None
            ),
            "cables": cables,
            "points": {name: _vector(self.outputs[f"{name}.position"]) for name in free},
            "warnings": list(self.notes),
        }

    def _along(self, name: str) -> Along:
        """Places along a cable; of line on a drum at its start from where it leaves the drum."""
        shape, winch = self.compiled.shape, self.system.cables[name].winch
        out, length = None, f"{name}.winch.length"
        if winch is not None and winch.end == "start" and length in self.outputs.names:
            out = np.array([self.outputs[length]])
        return Along(np.array(shape.arc_length[shape.cables.index(name)]), out, np.zeros(1))

    def _cable(self, name: str) -> dict[str, Any]:
        along = self._along(name)
        arc = along.widest
        places = np.asarray(self.outputs[f"{name}.position"])
        tension = np.asarray(self.outputs[f"{name}.tension_effective"])
        cable = self.system.cables[name]
        noise = 1e-10 * self.report.weight

        def at(node: int) -> dict[str, Any]:
            where = {"arc_length": float(arc[node]), "from": along.origin}
            return {"cable": name, **where, "position": _vector(places[node])}

        def between(node: int, other: int) -> dict[str, Any]:
            where = {"arc_length": float(arc[node] + arc[other]) / 2.0, "from": along.origin}
            return {"cable": name, **where, "position": _vector(0.5 * (places[node] + places[other]))}

        touches = touching(places, np.asarray(self.outputs[f"{name}.contact_force"]))
        highest, lowest = int(np.nanargmax(tension)), int(np.nanargmin(places[:, 2]))
        return {
            "start": {"point": cable.start.point} | _pull(self.outputs[f"{name}.force_start"], noise),
            "end": {"point": cable.end.point} | _pull(self.outputs[f"{name}.force_end"], noise),
            "tension_max": {"value": float(tension[highest])} | at(highest),
            "lowest": at(lowest),
            "grounded": [
                {"from": part.start, "to": part.stop, "touchdowns": [between(*nodes) for nodes in part.rises]}
                for part in lying_parts(arc, touches)
            ],
        }


def solve(system: System | str | Path) -> Equilibrium:
    """The static equilibrium of a system, or of the file that describes one; `StaticsError` when there is none."""
    return _seen(*settled(open_model(system, motion=False)[0] if isinstance(system, str | Path) else system))


def settled(system: System) -> tuple[Compiled, np.ndarray, np.ndarray, Report, tuple[str, ...]]:
    """The compiled system, its state at rest, the inputs there, how it was found and notes; nothing is observed yet."""
    geometry = first_geometry(system)
    compiled = compile_in_water(system, geometry)
    inputs = Inputs(compiled)
    inputs.at(0.0)
    y, report = settle(compiled, compiled.initial_state(), inputs.u)
    notes = (*map(str, model.warnings(system)), *geometry.notes, *report.notes)
    return compiled, y, inputs.u.copy(), report, notes


def _seen(
    compiled: Compiled,
    y: np.ndarray,
    u: np.ndarray,
    report: Report,
    notes: tuple[str, ...],
    still: Linearised | None = None,
) -> Equilibrium:
    """An equilibrium with what is seen of it; winches stand still.

    Motions are stopped where they are at the start, unless all is in a steady tow: what is seen never depends on the
    time step. still: the system held still, where there is one already.
    """
    row = compiled.shape.empty_row()
    at_rest = u.copy()
    for name, place in compiled.inputs.items():
        if name.endswith(".winch.rate"):
            at_rest[place] = 0.0
    if still is None and compiled.system.hydro is None:
        with towed(compiled):
            still = compiled.linearised(0.0, u)
    resting = y
    if still is not None and steady_tow(compiled.system) is None and not getattr(compiled, "starts_at_rest", True):
        resting = still.placed(y)
    with compiled.turn, getattr(still, "standing", nullcontext)():
        compiled.look(0.0, resting, at_rest, compiled.system.simulation.step, row)
    outputs = Outputs(0.0, row, compiled.shape)
    if not np.isfinite(row[compiled.shape.end_block]).all():
        raise StaticsError(_torn(compiled, outputs))
    return Equilibrium(compiled, y, u, report, notes, outputs)


def _torn(compiled: Compiled, outputs: Outputs) -> Failure:
    """What is wrong with a shape at rest in which no formulation can tell the forces."""
    worst, strain = "the system", 0.0
    for name, arc in zip(compiled.shape.cables, compiled.shape.arc_length, strict=True):
        places = np.asarray(outputs[f"{name}.position"])
        strains = np.linalg.norm(np.diff(places, axis=0), axis=1) / np.diff(arc) - 1.0
        if len(strains) and np.nanmax(strains) > strain:
            strain = float(np.nanmax(strains))
            worst = f"cable '{name}', element {int(np.nanargmax(strains)) + 1} of {len(strains)}"
    return Failure(
        0.0, worst, f"at rest it is stretched by {percentage(strain)}, beyond what a cable's law is made for",
        "the cable is shorter than it has to reach, or too soft for what hangs on it",
        "make it longer, or check its axial_stiffness",
    )  # fmt: skip


def _inputs_of(
    name: str, value: Sequence[float], system: System, inputs: Mapping[str, slice]
) -> list[tuple[str, Sequence[float]]]:
    """The inputs that bring what `name` stands for to `value`; the place itself where it is compiled."""
    if name in inputs:
        return [(name, value)]
    place = system.place(name)
    if place.is_free:
        raise InputError(f"'{name}' is free and goes where the forces take it; make it controlled, or give it a load")
    if place.attachment is not None:
        raise InputError(f"'{name}' is a place on a body; move '{place.owner_name}'")
    if len(value) not in ((3, 6) if place.on_body else (3,)):
        size = "3 numbers, or 6 with roll, pitch and yaw" if place.on_body else "3 numbers"
        raise InputError(f"the place of '{name}' is given by {size}, not {len(value)}")
    found = [(f"{name}.position", value[:3])]
    return [*found, (f"{name}.rotation", value[3:])] if len(value) == 6 else found


def _pull(force: np.ndarray | float, noise: float) -> dict[str, Any]:
    """The force of a cable on its support: size, angle above the horizontal and heading from x towards y.

    Components below `noise` [N] are rounding: a force of nothing else has no direction.
    """
    x, y, z = (float(component) if abs(component) > noise else 0.0 for component in np.asarray(force))
    tension = float(np.linalg.norm([x, y, z]))
    return {
        "tension": tension,
        "angle_deg": float(np.degrees(np.arctan2(z, np.hypot(x, y)))) if tension else None,
        "heading_deg": float(np.degrees(np.arctan2(y, x))) if tension else None,
        "force": [x, y, z],
    }


def _vector(values: np.ndarray | float) -> list[float]:
    return [float(value) for value in np.asarray(values)]


def cable_rows(numbers: dict[str, Any]) -> list[list[str]]:
    """The cables of a summary as rows of a table, its titles first: their pull on their ends, the most loaded first."""
    rows = [["cable", "largest tension", "start at", "pull", "angle", "end at", "pull", "angle", "on the seabed"]]
    for name, cable in sorted(numbers["cables"].items(), key=lambda item: -float(item[1]["tension_max"]["value"])):
        row = [name, force(cable["tension_max"]["value"])]
        for pull in (cable["start"], cable["end"]):
            angle = pull["angle_deg"]
            row += [pull["point"], force(pull["tension"]), "" if angle is None else f"{angle:.1f} deg"]
        lying = sum(run["to"] - run["from"] for run in cable["grounded"])
        rows.append([*row, f"{number(lying)} m" if lying else ""])
    return rows
