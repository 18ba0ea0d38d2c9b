"""A MoorDyn system that Fairlead moves: the deck, the simulation behind it, and its things by number."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from fairlead.exchange.encoding import text_of
from fairlead.exchange.moordyn.convert import convert
from fairlead.exchange.moordyn.deck import Deck, Line, Point, read_deck
from fairlead.exchange.moordyn.numerals import number
from fairlead.exchange.moordyn.opening import checked
from fairlead.exchange.moordyn.runs import runs
from fairlead.exchange.notes import Note, Notes
from fairlead.exchange.opening import Reading
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.formulations.led_ends import LedEnds
from fairlead.model import CableType, ModelError, System
from fairlead.rigging.states import numbers_of
from fairlead.simulate import Outputs, Simulation, SimulationError
from fairlead.statics import StaticsError

from .constants import (
    ERRCODE_INVALID_INPUT,
    ERRCODE_INVALID_INPUT_FILE,
    ERRCODE_INVALID_VALUE,
    ERRCODE_NAN_ERROR,
    ERRCODE_NON_IMPLEMENTED,
    ERRCODE_UNHANDLED_ERROR,
    LEVEL_ERR,
    LEVEL_MSG,
    LEVEL_WRN,
    MoorDynError,
)  # fmt: skip
from .coupling import Coupling
from .messages import Messages

USUAL_FILE = "Mooring/lines.txt"
MAGIC = b"fairlead moordyn state 1\n"
WATER_OF_THE_HOST = 1.0
"""The option WaveKin of a file that leaves the motion of the water to its host."""


class LaidOut(Protocol):
    """What a host gave, to be written again where steps read it."""

    def lay_out(self) -> None: ...


@dataclass(frozen=True)
class Piece:
    """A line of the file as part of a cable: nodes from `first` on, against the cable's own direction or not."""

    cable: str
    first: int
    count: int
    turned: bool

    def node(self, i: int) -> int:
        """Node of the cable that is node i of the line."""
        return self.first + (self.count - i if self.turned else i)


class MoorDyn:
    """What `Create` gives. `simulation` is the fl.Simulation behind it, once `Init` has been called."""

    def __init__(self, file: str, reading: Reading | None = None, text: str | None = None) -> None:
        """Of a file, or of a text which messages call `file`; reading: how it is read, as every command has it."""
        reading = reading or Reading()
        self.file = file or USUAL_FILE
        self.messages = Messages()
        self._notes = Notes()
        try:
            given = text_of(self.file) if text is None else text
            self.deck: Deck = read_deck(given, self.file, self._notes, reading.columns)
            self._converted = convert(self.deck, self._notes, reading.turbines, Path(self.file).parent)
        except (ModelError, OSError) as error:
            raise MoorDynError(ERRCODE_INVALID_INPUT_FILE, str(error)) from error
        for cable in self._converted.data["cables"].values():
            cable["allow_stretch"] = True  # a host may hold its ends anywhere, and change its length
        self._partial = reading.partial
        bed = self.deck.options.get("seafloor")
        on_bed = "" if bed is None else f"option {bed.key}"
        self._require_files(note for note in self._notes if note.what == on_bed or note.turbine is not None)
        self.coupling = Coupling(self.deck, self._converted)
        if self.takes_water:
            self._converted.data["simulation"].setdefault("lumped", {})["given_water"] = True
            host = f"option {self.deck.options['waves'].key} "  # it gives the water, which is not missing
            self._notes = Notes(note for note in self._notes if not (note.spoils and note.what.startswith(host)))
        self.lengths: dict[str, float] = {}
        """Unstretched lengths that were set, m, by the numbers of the lines."""
        self._stiffnesses: dict[str, float] = {}
        """Axial stiffnesses that were set, N, by the numbers of the lines."""
        self._kinds: dict[str, CableType] = {}
        self._broken: dict[int, float] = {}
        """When lines were let go, s, by the places of these times in the constants."""
        self.pieces = _pieces(self.deck)
        """Parts of cables by the numbers of the file's lines."""
        self.dt: float | None = None
        self.cfl, self.scheme = 0.5, "RK2"
        self._sim: Simulation | None = None
        self._is_open = True

    def lacking(self) -> list[Note]:
        """What the file asks for and is not at hand, by which lines would move otherwise."""
        return self._notes.spoiling(motion=True)

    def _require_files(self, notes: Iterable[Note]) -> None:
        """Refuse where a side file is not there, as MoorDyn does: that of the seabed when the file is read, those of
        the water when it is to come to rest. Refuse too where nobody says where a turbine stands."""
        absent = [note for note in notes if note.lacks_a_file or note.turbine is not None]
        if absent and not self._partial:
            told = (f"{note.sentence(self.file)} is missing here" for note in absent)
            raise MoorDynError(ERRCODE_INVALID_INPUT_FILE, "\n".join(told))

    @property
    def takes_water(self) -> bool:
        """Whether the file leaves the motion of the water to its host."""
        option = self.deck.options.get("waves")
        return option is not None and option.value == WATER_OF_THE_HOST

    # ---- life

    def init(self, x: Any, v: Any, at_rest: bool = True) -> None:
        """Find the equilibrium with what the host holds at x, and move at v from then on."""
        row, speeds = self._row(x, "x"), self._row(v, "v")
        self._require_files(self.lacking())
        places, _ = self.coupling.ends(row, np.zeros_like(row))
        for name, place in zip(self.coupling.names, places.tolist(), strict=True):
            self._converted.data["points"][name]["position"] = place
        try:
            system = checked(self._converted, self.file, self._notes, self.deck.outputs).system
            if not at_rest:
                system = system.with_settings(start="catenary")
            if self.dt is not None:
                system = system.with_settings(step=self.dt)
            for line, stiffness in self._stiffnesses.items():
                system = self._stiffened(system, line, stiffness)
            self._sim = Simulation(system)
        except (ModelError, UnsupportedSystem, StaticsError) as error:
            raise MoorDynError(ERRCODE_INVALID_INPUT_FILE, str(error)) from error
        for note in self._notes:
            if note.kind == "doubtful":
                self.messages.tell(LEVEL_WRN, note.sentence(self.file))
        lacking = {str(note.warning(self.file)) for note in self.lacking()}  # shows on a terminal unless it is silenced
        for warning in self._sim.warnings:
            self.messages.tell(LEVEL_ERR if warning in lacking else LEVEL_WRN, warning)
        names = self.coupling.names
        self.led = LedEnds(self._sim.compiled, names) if names else None
        self._x, self._v, self._since = row, speeds, 0.0
        self.water: LaidOut | None = None
        self._out = self._sim.outputs()
        self._before: np.ndarray | None = None
        self._kinds.clear()
        self.lengths.clear()
        self._broken.clear()
        self.messages.tell(LEVEL_MSG, f"{self.file}: at rest, {len(self.deck.lines)} lines")

    def step(self, x: Any, v: Any, t: float, dt: float) -> list[float]:
        """Move on by dt from t, with what the host holds at x + v s; the forces on it then."""
        row, speeds = self._row(x, "x"), self._row(v, "v")
        sim = self.simulation
        if not (np.isfinite(t) and np.isfinite(dt) and dt >= 0.0):
            raise MoorDynError(ERRCODE_INVALID_VALUE, f"t and dt must be finite and dt not negative, not {t!r}, {dt!r}")
        before = self._out
        try:
            self._go_to(row, speeds, float(t), float(dt))
            self._out = sim.step(float(dt)) if dt > 0.0 else sim.outputs()
        except SimulationError as error:
            raise MoorDynError(ERRCODE_NAN_ERROR, str(error)) from error
        self._x, self._v = row + dt * speeds, speeds
        if dt > 0.0:
            self._before, self._since = before.row, float(dt)
        return self.coupling.forces(self._x, self.pulls()).tolist()  # type: ignore[no-any-return]

    def _go_to(self, x: np.ndarray, v: np.ndarray, t: float, dt: float) -> None:
        """Bring the led ends to where the host has them at t, and lay out their paths beyond t + dt."""
        sim = self.simulation
        places = velocities = np.empty((0, 3))
        if self.led is not None:
            places, velocities = self.coupling.ends(x, v)
            ahead = dt or sim.system.simulation.step
            after, speeds = self.coupling.ends(x + ahead * v, v)
            self.led.lead(t, ahead, places, velocities, after, speeds)
        sim.lead(t, self.led, places, velocities)
        if self.water is not None:
            self.water.lay_out()

    def close(self) -> None:
        self._is_open, self._sim, self.led = False, None, None
        self.messages.close()

    @property
    def has_begun(self) -> bool:
        """Whether it is at rest, or moves since; before, everything is where the file puts it."""
        return self._sim is not None

    @property
    def simulation(self) -> Simulation:
        if not self._is_open:
            raise MoorDynError(ERRCODE_INVALID_VALUE, f"{self.file}: the system was closed; Create it again")
        if self._sim is None:
            raise MoorDynError(
                ERRCODE_INVALID_VALUE, f"{self.file}: the system is not at rest yet; call Init(system, x, v) first"
            )
        return self._sim

    def _row(self, x: Any, what: str) -> np.ndarray:
        if not self._is_open:
            raise MoorDynError(ERRCODE_INVALID_VALUE, f"{self.file}: the system was closed; Create it again")
        return self.coupling.checked(x, what)

    # ---- what is seen

    @property
    def outputs(self) -> Outputs:
        """As of the end of the latest step."""
        self.simulation  # noqa: B018  says what is missing
        return self._out

    @property
    def system(self) -> System:
        return self.simulation.system

    def kind(self, line: Line) -> CableType:
        """The type of a line."""
        if line.id not in self._kinds:
            self._kinds[line.id] = self.system.types[self._type_name(self.system, line.id)]
        return self._kinds[line.id]

    def _type_name(self, system: System, line: str) -> str:
        piece = self.pieces[line]
        return system.cables[piece.cable].segments(system)[piece.first].type_name

    def pulls(self) -> dict[str, np.ndarray]:
        """Force of all cables on each place that one ends at, (3,) N."""
        out = self.outputs
        found: dict[str, np.ndarray] = {}
        for name, cable in self.system.cables.items():
            for end, key in ((cable.start, "force_start"), (cable.end, "force_end")):
                found[end.point] = found.get(end.point, np.zeros(3)) + out[f"{name}.{key}"]
        return found

    def host(self, name: str) -> tuple[np.ndarray, np.ndarray] | None:
        """Place and velocity (6,) of a coupled body or rod, or (3,) of a point; None for what is not coupled."""
        carrier = self.coupling.of(name)
        if carrier is None:
            return None
        part = slice(carrier.first, carrier.first + carrier.size)
        return self._x[part], self._v[part]

    def acceleration(self, piece: Piece, i: int) -> np.ndarray:
        """Mean acceleration of a node over the latest step, (3,) m/s²; none before the first."""
        if self._before is None or self._since == 0.0:
            return np.zeros(3)
        now = np.asarray(self.outputs[f"{piece.cable}.velocity"])
        start = self.simulation.compiled.shape.cable_nodes(piece.cable)
        before = self._before[start].reshape(len(now), -1)[:, 3:6]
        return np.asarray((now - before)[piece.node(i)] / self._since)

    # ---- what is kept and changed

    def serialized(self) -> bytes:
        """The whole state: time, what the host did, state vector, lengths that were set and lines that were let go."""
        sim = self.simulation
        head = {"fingerprint": sim.compiled.layout.fingerprint, "dof": self.coupling.size, "lengths": self.lengths}
        head |= {"time": sim.time, "since": self._since, "broken": self._broken}
        body = np.concatenate([sim.state, self._x, self._v]).tobytes()
        text = json.dumps(head | {"hash": hashlib.sha256(body).hexdigest()}).encode()
        padded = text + b" " * (-(len(text) + len(MAGIC) + 1) % 8) + b"\n"
        return MAGIC + padded + body

    def deserialize(self, data: bytes) -> None:
        """Go back to a state that `serialized` gave; anything else is refused."""
        sim, n = self.simulation, self.coupling.size
        try:
            if not data.startswith(MAGIC):
                raise ValueError
            text, _, body = data[len(MAGIC) :].partition(b"\n")
            head = json.loads(text)
            time, since = float(head["time"]), float(head["since"])
            numbers = np.frombuffer(body, dtype=float)
            lengths = {str(line): float(length) for line, length in head["lengths"].items()}
            broken = {int(place): float(let_go) for place, let_go in head.get("broken", {}).items()}
            sound = head["hash"] == hashlib.sha256(body).hexdigest() and int(head["dof"]) == n
        except (ValueError, KeyError, TypeError, AttributeError):
            raise MoorDynError(ERRCODE_INVALID_INPUT, "this is no state that Save or Serialize gave") from None
        y, x, v = np.split(numbers, [len(numbers) - 2 * n, len(numbers) - n])
        if not sound or head.get("fingerprint") != sim.compiled.layout.fingerprint:
            raise MoorDynError(ERRCODE_INVALID_INPUT, "this is the state of another system, or damaged")
        if broken != self._broken:
            self._broken = broken
            self._take(sim.system)
        for line in {*self.lengths, *lengths} & {*self.deck.lines}:
            self.set_length(line, lengths.get(line, self.deck.lines[line].length))
        try:
            sim.set_state(time, y)
        except ValueError as error:
            raise MoorDynError(ERRCODE_INVALID_INPUT, str(error)) from None
        self._x, self._v, self._since, self._before = x.copy(), v.copy(), since, None
        step = since or sim.system.simulation.step
        if self.led is not None:
            places, velocities = self.coupling.ends(self._x, self._v)
            self.led.prescribe(time, step, places, velocities, np.zeros_like(places))
        self._out = sim.outputs()

    def set_length(self, line: str, length: float) -> None:
        """Give a line another unstretched length, shared by all its elements."""
        if not (np.isfinite(length) and length > 0.0):
            raise MoorDynError(ERRCODE_INVALID_VALUE, f"line {line}: a length must be positive, not {length!r}")
        try:
            self._take(self.with_length(line, length))
        except (ModelError, UnsupportedSystem) as error:
            what = f"line {line} cannot be made {length:g} m long: {error}"
            raise MoorDynError(ERRCODE_NON_IMPLEMENTED, what) from None
        self.lengths[line] = float(length)

    def _take(self, system: System) -> None:
        """Go on with the constants of a system, and with the lines let go that were."""
        if not self.simulation.compiled.take_properties(system):
            raise UnsupportedSystem("more than constants would change")
        for place, time in self._broken.items():
            self.simulation.compiled.reals[place] = time

    def with_length(self, line: str, length: float) -> System:
        """The system as it runs with another unstretched length of a line."""
        piece, cable = self.pieces[line], self.system.cables[self.pieces[line].cable]
        part = f"sections[{_section(cable, piece)}].length" if cable.sections else "length"
        return self.simulation.system.with_values({f"cables.{piece.cable}.{part}": float(length)})

    def stiffness(self, line: Line) -> float | None:
        """Axial stiffness of a line, N; None where its tension is not in proportion to its strain."""
        if line.id in self._stiffnesses:
            return self._stiffnesses[line.id]
        return number(self.deck.types[line.type].ea)

    def set_stiffness(self, line: Line, stiffness: float) -> None:
        """Give a line another axial stiffness, and no other of its type; its damping BA stays."""
        if not (np.isfinite(stiffness) and stiffness > 0.0):
            what = f"line {line.id}: a stiffness must be positive, not {stiffness!r}"
            raise MoorDynError(ERRCODE_INVALID_VALUE, what)
        if self.stiffness(line) is None:
            what = f"line {line.id} is of the type {line.type}, whose EA is {self.deck.types[line.type].ea}"
            raise MoorDynError(ERRCODE_INVALID_VALUE, f"{what}: it has no constant stiffness to set")
        if self._sim is not None:
            try:
                self._take(self._stiffened(self.system, line.id, stiffness))
            except (ModelError, UnsupportedSystem) as error:
                what = f"line {line.id} cannot be given the stiffness {stiffness:g} N: {error}"
                raise MoorDynError(ERRCODE_NON_IMPLEMENTED, what) from None
            self._kinds.pop(line.id, None)
        self._stiffnesses[line.id] = stiffness

    def with_stiffness(self, line: str, stiffness: float) -> System:
        """The system as it runs with another axial stiffness of a line."""
        return self._stiffened(self.system, line, stiffness)

    def _stiffened(self, system: System, line: str, stiffness: float) -> System:
        """The system with another axial stiffness of a line, which then has a type of its own."""
        piece, before = self.pieces[line], self._type_name(system, line)
        cable, kind = system.cables[piece.cable], system.types[before]
        damping = kind.ea * kind.damping_axial(cable.segments(system)[piece.first].length)
        own = before if before.endswith(f"_of_line{line}") else f"{before}_of_line{line}"
        value = kind.model_dump(mode="json", exclude_unset=True) | {"axial_stiffness": stiffness}
        value.pop("damping_ratio", None)
        value["damping_time"] = value.get("damping_time", {}) | {"axial": damping / stiffness}
        part = f"sections[{_section(cable, piece)}].type" if cable.sections else "type"
        return system.with_values({f"types.{own}": value, f"cables.{piece.cable}.{part}": own})

    def break_line(self, point: Point, line: Line) -> None:
        """Let a line go from a point, at once."""
        compiled = self.simulation.compiled
        if compiled.formulation != "lumped":
            what = f"lines of the formulation '{compiled.formulation}' cannot be broken while they run"
            raise MoorDynError(ERRCODE_NON_IMPLEMENTED, f"{what}; give the file a section FAILURE")
        place = self.release_of(line, line.ends.index(point.id)) if point.id in line.ends else -1
        if place < 0:
            raise MoorDynError(ERRCODE_INVALID_VALUE, f"line {line.id} does not end at point {point.id}")
        compiled.reals[place] = self._broken[place] = self.simulation.time

    def release_of(self, line: Line, side: int) -> int:
        """Where the constants have the time at which an end of a line, A (0) or B (1), lets go; -1 where the cable that
        the line is a part of goes on."""
        piece, cable = self.pieces[line.id], self.system.cables[self.pieces[line.id].cable]
        at_start = side == (1 if piece.turned else 0)
        if not (piece.first == 0 if at_start else piece.first + piece.count == cable.element_count):
            return -1
        compiled, number = self.simulation.compiled, list(self.system.cables).index(piece.cable)
        tables = compiled.tables(self.simulation.state)
        last = at_start == bool(tables.cable.reversed[number])
        return int(numbers_of(tables, "end", "release_time").ravel()[2 * number + last])


def _section(cable: Any, piece: Piece) -> int:
    first = 0
    for k, stretch in enumerate(cable.stretches):
        if first == piece.first:
            return k
        first += stretch.element_count
    raise MoorDynError(ERRCODE_UNHANDLED_ERROR, "a line has no section of its own")


def _pieces(deck: Deck) -> dict[str, Piece]:
    found: dict[str, Piece] = {}
    for run in runs(deck):
        first = 0
        for line, turned in run.lines:
            found[line.id] = Piece(run.name, first, line.segments, turned)
            first += line.segments
    return found


def entry(things: Sequence[Any], number: Any, noun: str) -> Any:
    """The thing of a number, counted from 1."""
    if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or not 1 <= number <= len(things):
        raise MoorDynError(ERRCODE_INVALID_VALUE, f"there is no {noun} {number!r}; they are 1 to {len(things)}")
    return things[int(number) - 1]
