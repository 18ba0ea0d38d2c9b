"""A MoorDyn file as a native library with MoorDyn's own calls: `fairlead library lines.txt -o libmoordyn.so`.

The library runs without Python and without MoorDyn. It is made of what FMUs are made of (`fairlead.cosim.fmu`): the
compiled kernel, the compiled system as C arrays and the code around them; and of `native/`, which leads the ends that
a host moves and answers its questions. The system is compiled in: a host that names another file is refused.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fairlead.algebra.newton import Scale
from fairlead.cosim.fmu import kernel, link
from fairlead.cosim.fmu.packing import exportable, identity_of, told, wanted_targets
from fairlead.cosim.fmu.parameters import Parameters
from fairlead.cosim.fmu.source import Content, array, model_source, real, text
from fairlead.cosim.fmu.start import Start
from fairlead.exchange.moordyn.deck import Line as DeckLine
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.formulations.first_state import Still
from fairlead.formulations.given_water import GivenWater
from fairlead.formulations.kernel_compiled import KernelCompiled
from fairlead.model import ModelError, System
from fairlead.results.observation import END_FORCE_END, END_FORCE_START, NODE_COLUMNS
from fairlead.results.places import Patient, replace_file
from fairlead.rigging.states import numbers_of
from fairlead.statics.relaxation import Relaxation

from .constants import ERRCODE_INVALID_INPUT_FILE, ERRCODE_NON_IMPLEMENTED, MoorDynError
from .instance import MoorDyn, Piece
from .things import Body, Line, Point
from .water import water_of

NATIVE = Path(__file__).parent / "native"
SOURCES = ("moordyn2.c", "host.c", "lines.c", "water.c")
BEGINNING = (
    "controls", "ledger", "adaptive_step", "water_work", "pto_work", "extremes", "previous", "hub_previous", "history",
)  # fmt: skip
"""Parts of the state that belong to the beginning of a run and not to the shape of the lines."""
NOBODY, FREE = -1, -2
LONGER = 1.0625
"""Times its length or stiffness a line is given, to see which constants go with it."""


@dataclass(frozen=True)
class Library:
    """What was made."""

    path: Path
    target: str
    degrees_of_freedom: int
    """Numbers in x, v and f."""
    lines: int
    step: float
    """Longest step, s."""
    warnings: tuple[str, ...]


def build(file: str | Path | MoorDyn, path: str | Path, target: str | None = None) -> Library:
    """Make a library of a MoorDyn file, or of what it was read to; target: the machine it shall run on, by default this
    one."""
    (machine,) = wanted_targets([target or link.host()])
    system = file if isinstance(file, MoorDyn) else MoorDyn(str(file))
    if not Path(system.file).is_file():
        what = "a library is made of a file, which its host names: write the text to one, and name that"
        raise MoorDynError(ERRCODE_INVALID_INPUT_FILE, f"{system.file}: {what}")
    system.init(at := _at(system), np.zeros_like(at))
    simulation = system.simulation
    compiled = exportable(simulation)
    if compiled.formulation != "lumped":
        what = f"a library is made of 'lumped', not of '{compiled.formulation}'"
        raise MoorDynError(ERRCODE_NON_IMPLEMENTED, f"{system.file}: {what}")
    step, ours = simulation.system.simulation.step, told(compiled)
    token, fingerprint = identity_of(compiled, simulation.state, Parameters(), (), "moordyn")
    start = _resting(compiled, simulation.state)
    content = Content(compiled, ours, simulation.state, start, Parameters(), step, (), token, fingerprint)
    model = "\n".join([model_source(content), '#include "host.h"', *_tables(system, at, Path(system.file), Path(path))])
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        source, made = folder / "model.c", folder / "made"
        source.write_text(model, encoding="ascii")
        objects = []
        for number, code in enumerate(kernel.objects(machine, ours.entry)):
            objects.append(folder / f"{number}.o")
            objects[-1].write_bytes(code)
        link.library([NATIVE / name for name in SOURCES], machine, source, "kernel.c", objects, made)

        def write(out: Patient) -> None:
            out.write(made.read_bytes())

        replace_file(Path(path), write)
    warnings = tuple(simulation.warnings)
    return Library(Path(path), machine, system.coupling.size, len(system.deck.lines), step, warnings)


def _at(system: MoorDyn) -> np.ndarray:
    """x as the file has it."""
    return np.concatenate([np.zeros(0), *(carrier.at[: carrier.size] for carrier in system.coupling.carriers)])


def _resting(compiled: KernelCompiled, state: np.ndarray) -> Start:
    """How the lines come to rest elsewhere: let go without waves and friction, and without drag where nothing flows.

    Drag grows with the square of the velocity: what moves slowly would creep, and never be stopped at its fastest.
    """
    ints, reals = compiled.ints.copy(), compiled.reals.copy()
    calm = compiled.schema.tables(ints, reals, state.copy(), compiled.work.copy())
    calm.sea.bed_friction = calm.sea.waves = calm.sea.gusts = 0.0
    calm.settings.theta, calm.settings.second_order = 1.0, 0.0
    if not (compiled.system.environment.current or compiled.system.environment.current_field):
        calm.element.drag_normal = calm.element.drag_axial = calm.lump.drag = 0.0
    tables = compiled.tables(state)
    moves = np.concatenate([numbers_of(tables, name, "position") for name in ("node", "hub_state")])
    moving = (("node", "velocity"), ("hub_state", "velocity"), ("hub_state", "spin"))
    rates = [numbers_of(tables, *place) for place in moving]
    kept = tuple((b.start, b.stop) for b in compiled.layout.blocks if b.name in BEGINNING and b.stop > b.start)
    linear = compiled.linearised(0.0)
    step = compiled.system.simulation.step
    if linear.size:  # else all ends of one-segment lines are held, and nothing has to come to rest
        step = float(Relaxation(linear, state, Scale.of(linear, state)).h)
    return Start(still=Still(ints, reals, compiled.kind, moves, np.concatenate(rates), kept), step=step)


# ---- the tables that `native/host.h` describes


def _tables(system: MoorDyn, at: np.ndarray, file: Path, path: Path) -> list[str]:
    carriers = list(system.coupling.carriers)
    ends, pulls = _ends(system)
    points, line_ends = _points(system)
    lines, scaled = _lines(system)
    first, rows = 0, []
    for carrier in carriers:
        rows.append(f"{{{carrier.first}, {carrier.size}, {first}, {len(carrier.ends)}}}")
        first += len(carrier.ends)
    lists = {
        "host_carrier": ("carriers", rows),
        "host_end": ("ends", ends),
        "host_line": ("lines", lines),
        "host_point": ("points", points),
        "host_body": ("bodies", [_body(system, Body(system, row)) for row in system.deck.bodies.values()]),
    }
    return [
        f"const char *const host_command = {text(f'fairlead library {file.name} -o {path.name}')};",
        f"const uint64_t host_deck = {_hash(file):#x}u;",
        f"const int64_t host_n_x = {system.coupling.size};",
        f"const int64_t host_water_since = {_water_since(system)};",
        array("double", "at", map(real, at.tolist()), prefix="host"),
        array("int64_t", "pulls", map(str, pulls), prefix="host"),
        array("host_scale", "scaled", scaled, "{0}", prefix="host"),
        array("host_line_end", "line_ends", line_ends, "{0}", prefix="host"),
        *(f"const int64_t host_n_{name} = {len(items)};" for name, items in lists.values()),
        *(array(kind, name, items, "{0}", prefix="host") for kind, (name, items) in lists.items()),
    ]


def _hash(file: Path) -> int:
    """FNV-1a of all bytes but carriage returns, as `native/host.c` has it."""
    found = 0xCBF29CE484222325
    for byte in file.read_bytes().replace(b"\r", b""):
        found = ((found ^ byte) * 0x100000001B3) & (2**64 - 1)
    return found


def _ends(system: MoorDyn) -> tuple[list[str], list[int]]:
    led = system.led
    rows: list[str] = []
    pulls: list[int] = []
    if led is None:
        return [], []
    arms = [arm for carrier in system.coupling.carriers for arm in carrier.ends.values()]
    paths, (positions, velocities) = led.paths_in_constants, led.places_in_state
    for k, arm in enumerate(arms):
        places = f"{paths[k]}, {positions[k][0]}, {velocities[k][0]}, {len(pulls)}, {len(led.columns[k])}"
        rows.append(f"{{{_row(arm)}, {_row(led.bases[k])}, {places}}}")
        pulls += led.columns[k]
    return rows, pulls


def _lines(system: MoorDyn) -> tuple[list[str], list[str]]:
    """The lines, and the constants that their lengths and stiffnesses change."""
    rows: list[str] = []
    scaled: list[str] = []
    for row in system.deck.lines.values():
        ranges = []
        for powers in (_powers_of_length(system, row.id), _powers_of_stiffness(system, row)):
            ranges += [len(scaled), len(powers)]
            scaled += [f"{{{place}, {power}}}" for place, power in powers]
        rows.append(_line(system, Line(system, row), ranges))
    return rows, scaled


def _powers_of_length(system: MoorDyn, line: str) -> list[tuple[int, int]]:
    """Which constants go with which power of a line's length."""
    try:
        return _powers(system, system.with_length(line, LONGER * system.deck.lines[line].length))
    except (ModelError, UnsupportedSystem):
        return []


def _powers_of_stiffness(system: MoorDyn, line: DeckLine) -> list[tuple[int, int]]:
    """Which constants go with which power of a line's axial stiffness, its damping BA being the same."""
    stiffness = system.stiffness(line)
    if stiffness is None:
        return []
    try:
        return _powers(system, system.with_stiffness(line.id, LONGER * stiffness))
    except (ModelError, UnsupportedSystem):
        return []


def _powers(system: MoorDyn, changed: System) -> list[tuple[int, int]]:
    """Which constants go with which power of what is `LONGER` times as large in a changed system; none where not all
    that change do."""
    compiled: Any = system.simulation.compiled
    longer = compiled.rebuilt(changed)
    if not np.array_equal(longer.ints, compiled.ints) or len(longer.reals) != len(compiled.reals):
        return []
    places = np.flatnonzero(longer.reals != compiled.reals)
    with np.errstate(divide="ignore", invalid="ignore"):
        factors = longer.reals[places] / compiled.reals[places]
        powers = np.log(factors) / math.log(LONGER)
    if not np.isfinite(powers).all() or np.abs(powers - np.round(powers)).max(initial=0.0) > 1e-9:
        return []
    return [(int(place), round(power)) for place, power in zip(places, powers.tolist(), strict=True)]


def _line(system: MoorDyn, line: Line, scaled: list[int]) -> str:
    piece, shape = line.piece, system.simulation.compiled.shape
    first, ends = shape.cable_nodes(piece.cable).start, shape.cable_ends(piece.cable).start
    last = system.system.cables[piece.cable].element_count
    held = {0: ends + END_FORCE_START, last: ends + END_FORCE_END}
    forces = ", ".join(str(held.get(piece.node(node), -1)) for node in (0, piece.count))
    releases = ", ".join(str(system.release_of(line.row, side)) for side in (0, 1))
    stride = -NODE_COLUMNS if piece.turned else NODE_COLUMNS
    kind = system.kind(line.row)
    damping, longer = (kind.damping_axial(factor * line.segment_length) for factor in (1.0, LONGER))
    power = math.log(longer / damping) / math.log(LONGER) if damping > 0.0 else 0.0
    numbers = (line.length, kind.ea, damping, power, line.mass())
    places = f"{_number(line.row.id)}, {piece.count}, {first + NODE_COLUMNS * piece.node(0)}, {stride}"
    places += f", {{{forces}}}, {{{releases}}}, {', '.join(map(str, scaled))}, {_water(system, piece)}"
    places += f", {int(kind.axial is not None)}"
    return f"{{{places}, {', '.join(map(real, numbers))}}}"


def _water_since(system: MoorDyn) -> int:
    """Where the constants have the time of the water's motion that the host gives; -1 where it gives none."""
    if not system.takes_water or system.deck.rods:
        return -1
    try:
        water_of(system)
    except MoorDynError:
        return -1
    compiled: Any = system.simulation.compiled
    return int(numbers_of(compiled.tables(system.simulation.state), "settings", "given_since").ravel()[0])


def _water(system: MoorDyn, piece: Piece) -> str:
    """Where the constants have the water's motion at node 0 of a line, and how far on at the next."""
    if _water_since(system) < 0:
        return "-1, 0"
    compiled: Any = system.simulation.compiled
    nodes = GivenWater(compiled).places(piece.cable)
    velocity = numbers_of(compiled.tables(system.simulation.state), "given", "velocity").reshape(-1, 3)[nodes, 0]
    first, second = (int(velocity[piece.node(i)]) for i in (0, 1))
    return f"{first}, {second - first}"


def _points(system: MoorDyn) -> tuple[list[str], list[str]]:
    numbers = {line: k for k, line in enumerate(system.deck.lines)}
    rows: list[str] = []
    ends: list[str] = []
    for row in system.deck.points.values():
        point = Point(system, row)
        found = [f"{{{numbers[line.id]}, {end}}}" for line, end in point.lines()]
        where = f"{len(ends)}, {len(found)}, {_carrier(system, row.name)}"
        rows.append(f"{{{_number(row.id)}, {point.kind}, {where}, {_row(row.position)}}}")
        ends += found
    return rows, ends


def _body(system: MoorDyn, body: Body) -> str:
    name = f"body{body.row.id}"
    bodies = system.system.bodies
    carrier = FREE if name in bodies and bodies[name].is_free else _carrier(system, name)
    place = np.concatenate([body.row.position, np.radians(body.row.angles)])
    return f"{{{_number(body.row.id)}, {body.kind}, {carrier}, {_row(place)}}}"


def _carrier(system: MoorDyn, name: str) -> int:
    found = system.coupling.of(name)
    return NOBODY if found is None else system.coupling.carriers.index(found)


def _row(numbers: Iterable[float]) -> str:
    return f"{{{', '.join(real(float(x)) for x in numbers)}}}"


def _number(name: str) -> int:
    return int(name) if name.isdigit() else 0
