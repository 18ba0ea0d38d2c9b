"""The cables of all FMUs of a co-simulation as one result, in the names of `fairlead run`.

FMUs of Fairlead carry the system they were made from. Where they show the positions along their cables, the result has
`position`, `tension_effective`, `force_end` and `point_position` as that of a run has, so that it can be plotted,
replayed and reported. A cable or point keeps its name, or gets that of its FMU before it where two have the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead import __version__
from fairlead.model import System
from fairlead.results import ObservationShape, build_dataset
from fairlead.results.observation import NODE_CONTACT_FORCE, NODE_TENSION, POINT_POSITION, POINT_VELOCITY
from fairlead.results.variables import NODE_FIELDS

if TYPE_CHECKING:
    import xarray as xr

REQUIRED = ("position", "velocity", "tension_effective", "contact_force", "force_end")
"""What a result of cables has even where nothing is known of it: NaN then."""


@dataclass(frozen=True)
class Owned:
    """A cable or a point of one FMU, its name in the result, and that of its outputs."""

    fmu: str
    name: str
    label: str

    def output(self, quantity: str) -> str:
        """Name of one of its outputs."""
        return f"{self.fmu}.{self.name}.{quantity}"


def gathered(result: xr.Dataset, systems: Mapping[str, System]) -> xr.Dataset:
    """`result` with the cables of the FMUs that are `systems`; as it is where none shows its shape.

    What stands along cables is then found under the names of `fairlead run` and no more as an output of its FMU.
    """
    cables = [
        Owned(fmu, name, label)
        for fmu, name, label in _labelled({fmu: tuple(system.cables) for fmu, system in systems.items()})
        if _along(result, f"{fmu}.{name}.position") is not None
    ]
    if not cables:
        return result
    points = list(_points(result, systems))
    shape = ObservationShape(
        cables=tuple(cable.label for cable in cables),
        nodes_per_cable=tuple(_nodes(result, cable) for cable in cables),
        points=tuple(point.label for point, _ in points),
        arc_length=tuple(_arc_length(systems[cable.fmu], cable.name, _nodes(result, cable)) for cable in cables),
    )
    rows = np.full((result.sizes["time"], shape.size), np.nan)
    used: list[str] = []
    for i, cable in enumerate(cables):
        used += _fill_cable(rows, shape, i, cable, result)
        if systems[cable.fmu].environment.seabed is None:
            shape.node_table(rows, i)[..., NODE_CONTACT_FORCE : NODE_CONTACT_FORCE + 3] = 0.0
    for point, (position, velocity) in points:
        place = shape.point(point.label)
        rows[:, place.start + POINT_POSITION : place.start + POINT_POSITION + 3] = position
        rows[:, place.start + POINT_VELOCITY : place.start + POINT_VELOCITY + 3] = velocity
    rows[:, shape.column("tension_max")] = _tension_max(result, systems, shape, rows)
    facts = {"fairlead_version": __version__, "formulation": _formulations(systems), "settings": _settings(systems)}
    standard = build_dataset(shape, result["time"].to_numpy(), rows, dict(result.attrs) | facts, energy=False)
    empty = [name for name, v in standard.data_vars.items() if name not in REQUIRED and bool(v.isnull().all())]
    rest = result.drop_vars(used)
    clashes = [name for name in rest.data_vars if name in standard]
    return standard.drop_vars(empty).merge(rest.drop_vars(clashes), combine_attrs="override")


def _tension_max(
    result: xr.Dataset, systems: Mapping[str, System], shape: ObservationShape, rows: np.ndarray
) -> np.ndarray:
    """Largest tension (time,) of all steps since the last sample, as the FMUs tell it; else that of the sample."""
    told = [f"{fmu}.tension_max" for fmu in systems]
    if all(name in result for name in told):
        return np.asarray(np.fmax.reduce([result[name].to_numpy() for name in told]))
    tensions = [shape.node_table(rows, i)[..., NODE_TENSION] for i in range(len(shape.cables))]
    with np.errstate(all="ignore"):
        return np.asarray(np.fmax.reduce([np.fmax.reduce(t, axis=1) for t in tensions]))


def _labelled(names: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[str, str, str]]:
    """(FMU, name, name in the result) of everything."""
    counts = Counter(name for own in names.values() for name in own)
    for fmu, own in names.items():
        for name in own:
            yield fmu, name, name if counts[name] == 1 else f"{fmu}.{name}"


def _along(result: xr.Dataset, output: str) -> np.ndarray | None:
    """An output along a cable, (time, node) or (time, node, 3); FMI 2 has it taken apart into nodes."""
    if output in result:
        return result[output].to_numpy()
    parts = _parts(result, output)
    return np.stack([result[name].to_numpy() for name in parts], axis=1) if parts else None


def _parts(result: xr.Dataset, output: str) -> list[str]:
    found: list[str] = []
    while f"{output}[{len(found)}]" in result:
        found.append(f"{output}[{len(found)}]")
    return found


def _nodes(result: xr.Dataset, cable: Owned) -> int:
    position = _along(result, cable.output("position"))
    return 0 if position is None else position.shape[1]


def _arc_length(system: System, name: str, nodes: int) -> tuple[float, ...]:
    lengths = [segment.length for segment in system.cables[name].segments(system)]
    if len(lengths) + 1 != nodes:
        return tuple(np.linspace(0.0, sum(lengths), nodes).tolist())
    return (0.0, *np.cumsum(lengths).tolist())


def _fill_cable(rows: np.ndarray, shape: ObservationShape, i: int, cable: Owned, result: xr.Dataset) -> list[str]:
    """What is shown of one cable into the rows; gives the outputs that are now there in full."""
    used: list[str] = []
    table = shape.node_table(rows, i)
    for field in NODE_FIELDS:
        output = cable.output(field.name)
        values = _along(result, output)
        if values is not None and values.shape[1] == table.shape[1]:
            table[..., field.column : field.column + field.width] = values.reshape(*table.shape[:2], field.width)
            used += [output] if output in result else _parts(result, output)
    ends = rows[:, shape.cable_ends(cable.label)]
    for end, place in (("force_start", slice(0, 3)), ("force_end", slice(3, 6))):
        if cable.output(end) in result:
            ends[:, place] = result[cable.output(end)].to_numpy()
    rows[:, shape.cable_ends(cable.label)] = ends
    return used


def _points(
    result: xr.Dataset, systems: Mapping[str, System]
) -> Iterator[tuple[Owned, tuple[np.ndarray | tuple[float, ...], np.ndarray | float]]]:
    """Points whose place is known: shown, or fixed by the file."""
    names = {fmu: (*system.points, *system.bodies) for fmu, system in systems.items()}
    for fmu, name, label in _labelled(names):
        point = Owned(fmu, name, label)
        outputs = [point.output(f"position{ending}") for ending in ("_reached", "")]
        shown = next((result[output].to_numpy() for output in outputs if output in result), None)
        described = systems[fmu].points.get(name)
        if shown is not None and shown.ndim == 2 and shown.shape[1] == 3:
            velocity = point.output("velocity")
            yield point, (shown, result[velocity].to_numpy() if velocity in result else np.nan)
        elif described is not None and described.kind == "fixed":
            yield point, (tuple(described.position), 0.0)


def _formulations(systems: Mapping[str, System]) -> str:
    return ", ".join(dict.fromkeys(system.simulation.formulation for system in systems.values()))


def _settings(systems: Mapping[str, System]) -> dict[str, Any]:
    """The systems as one description, as those who draw a result read it."""
    described = {fmu: system.to_dict() for fmu, system in systems.items()}
    first = next(iter(described.values()))
    together: dict[str, Any] = {"environment": first.get("environment", {}), "simulation": first.get("simulation", {})}
    for part in ("types", "points", "bodies", "cables"):
        own = {fmu: tuple(system.get(part, {})) for fmu, system in described.items()}
        together[part] = {label: described[fmu][part][name] for fmu, name, label in _labelled(own)}
    return together
