"""The functions of MoorDyn's Python module, by its names: a script changes its import and no more.

Functions that only act return 0; what cannot be done raises `MoorDynError`, a RuntimeError with MoorDyn's `code`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from fairlead.results.errors import ResultError
from fairlead.results.places import Patient, replace_file

from .constants import (
    ERRCODE_INVALID_INPUT_FILE,
    ERRCODE_INVALID_OUTPUT_FILE,
    ERRCODE_INVALID_VALUE,
    ERRCODE_NON_IMPLEMENTED,
    MoorDynError,
)  # fmt: skip
from .instance import MoorDyn, entry
from .things import Body, Line, Point, Rod
from .vtk import vtk_files
from .water import water_of

# ---- the system


def Create(filepath: str = "") -> MoorDyn:
    """Read a MoorDyn file, by default Mooring/lines.txt. Nothing is written."""
    return MoorDyn(str(filepath))


def NCoupledDOF(instance: MoorDyn) -> int:
    """Numbers in x, v and f: 6 a coupled body or rod, 3 a coupled point."""
    return instance.coupling.size


def Init(instance: MoorDyn, x: Sequence[float], v: Sequence[float]) -> int:
    """Come to rest with what is coupled at x."""
    instance.init(x, v)
    return 0


def Init_NoIC(instance: MoorDyn, x: Sequence[float], v: Sequence[float]) -> int:
    """The same without looking for the equilibrium: for a state that is loaded next."""
    instance.init(x, v, at_rest=False)
    return 0


def Step(instance: MoorDyn, x: Sequence[float], v: Sequence[float], t: float, dt: float) -> list[float]:
    """Move on from t by dt, what is coupled going along x + v s; the forces on it at t + dt. dt = 0 asks for forces."""
    return instance.step(x, v, t, dt)


def Close(instance: MoorDyn) -> int:
    """Let go of the system."""
    instance.close()
    return 0


# ---- messages and settings


def SetVerbosity(instance: MoorDyn, verbosity: int) -> int:
    """From which level on messages go to the terminal."""
    instance.messages.terminal = int(verbosity)
    return 0


def SetLogFile(instance: MoorDyn, filepath: str) -> int:
    """Have messages written to a file as well."""
    instance.messages.to_file(str(filepath))
    return 0


def SetLogLevel(instance: MoorDyn, verbosity: int) -> int:
    """From which level on messages go to the file."""
    instance.messages.level = int(verbosity)
    return 0


def Log(instance: MoorDyn, level: int, msg: str) -> int:
    """A message of the host's."""
    instance.messages.tell(int(level), str(msg))
    return 0


def GetDt(instance: MoorDyn) -> float:
    """Longest step, s."""
    if instance.dt is not None:
        return instance.dt
    return float(instance.simulation.system.simulation.step)


def SetDt(instance: MoorDyn, dt: float) -> None:
    """Longest step, s, from the next `Init` on: ours may be far longer than MoorDyn's."""
    if not (math.isfinite(dt) and dt > 0.0):
        raise MoorDynError(ERRCODE_INVALID_VALUE, f"a time step must be positive, not {dt!r}")
    instance.dt = float(dt)


def GetCFL(instance: MoorDyn) -> float:
    """The number that was set, 0.5 before; it has no effect here: steps are implicit."""
    return instance.cfl


def SetCFL(instance: MoorDyn, cfl: float) -> None:
    """Kept, without effect."""
    instance.cfl = float(cfl)


def GetTimeScheme(instance: MoorDyn) -> str:
    """The name that was set; it has no effect here."""
    return instance.scheme


def SetTimeScheme(instance: MoorDyn, name: str) -> None:
    """Kept, without effect."""
    instance.scheme = str(name)


# ---- water whose motion the host gives


def ExternalWaveKinInit(instance: MoorDyn) -> int:
    """Begin with it, after `Init`, where the file says WaveKin 1."""
    water_of(instance)
    return 0


def ExternalWaveKinGetN(instance: MoorDyn) -> int:
    """At how many places the motion of the water is asked for."""
    return water_of(instance).count


def ExternalWaveKinGetCoordinates(instance: MoorDyn) -> list[list[float]]:
    """Where: nodes of lines and of rods, points, the ground and bodies, (n, 3) m."""
    return water_of(instance).places().tolist()  # type: ignore[no-any-return]


def ExternalWaveKinSet(instance: MoorDyn, u: Sequence[Any], a: Sequence[Any], t: float) -> int:
    """Velocity and acceleration of the water there at t, (n, 3) each; it goes on as u + a s until it is set again."""
    water_of(instance).give(u, a, t)
    return 0


GetWaveKinCoordinates, SetWaveKin = ExternalWaveKinGetCoordinates, ExternalWaveKinSet


# ---- states


def Serialize(instance: MoorDyn) -> list[int]:
    """The state as numbers that `Deserialize` takes."""
    return np.frombuffer(instance.serialized(), dtype=np.uint64).tolist()  # type: ignore[no-any-return]


def Deserialize(instance: MoorDyn, data: Sequence[int]) -> None:
    """Go back to a state."""
    try:
        numbers = np.array(data, dtype=np.uint64)
    except (TypeError, ValueError, OverflowError):
        numbers = np.empty(0, dtype=np.uint64)
    instance.deserialize(numbers.tobytes())


def Save(instance: MoorDyn, filepath: str) -> None:
    """Write the state to a file."""
    _write(Path(filepath), instance.serialized())


def Load(instance: MoorDyn, filepath: str) -> None:
    """Go back to the state of a file."""
    try:
        data = Path(filepath).read_bytes()
    except OSError as error:
        raise MoorDynError(ERRCODE_INVALID_INPUT_FILE, f"{filepath}: {error.strerror or error}") from None
    instance.deserialize(data)


SaveState, LoadState = Save, Load


def SaveVTK(instance: MoorDyn, filename: str) -> int:
    """Lines as they are now, for ParaView (.vtp, .vtm or any name)."""
    lines = [Line(instance, row) for row in instance.deck.lines.values()]
    for path, data in vtk_files(Path(filename), [(line.places(), line.tensions()) for line in lines]):
        _write(path, data)
    return 0


# ---- things by number


def GetNumberBodies(instance: MoorDyn) -> int:
    return len(instance.deck.bodies)


def GetNumberRods(instance: MoorDyn) -> int:
    return len(instance.deck.rods)


def GetNumberPoints(instance: MoorDyn) -> int:
    return len(instance.deck.points)


def GetNumberLines(instance: MoorDyn) -> int:
    return len(instance.deck.lines)


def GetBody(instance: MoorDyn, body: int) -> Body:
    return Body(instance, entry(list(instance.deck.bodies.values()), body, "body"))


def GetRod(instance: MoorDyn, rod: int) -> Rod:
    return Rod(instance, entry(list(instance.deck.rods.values()), rod, "rod"))


def GetPoint(instance: MoorDyn, point: int) -> Point:
    return Point(instance, entry(list(instance.deck.points.values()), point, "point"))


def GetLine(instance: MoorDyn, line: int) -> Line:
    return Line(instance, entry(list(instance.deck.lines.values()), line, "line"))


def GetFASTtens(instance: MoorDyn, n_lines: int) -> tuple[list[float], list[float], list[float], list[float]]:
    """Horizontal and vertical tension at the fairleads (ends B), then at the anchors (ends A), of the first lines."""
    columns: tuple[list[float], list[float], list[float], list[float]] = ([], [], [], [])
    for number in range(1, int(n_lines) + 1):
        line = GetLine(instance, number)
        for k, end in ((0, 1), (2, 0)):
            x, y, z = line.end_force(end)
            columns[k].append(math.hypot(x, y))
            columns[k + 1].append(abs(float(z)))
    return columns


def BreakLine(instance: MoorDyn, point: int, line: int) -> None:
    """Let a line go from a point at once."""
    instance.break_line(GetPoint(instance, point).row, GetLine(instance, line).row)


# ---- bodies


def GetBodyID(instance: Body) -> int:
    return _number(instance.row.id)


def GetBodyType(instance: Body) -> int:
    return instance.kind


def GetBodyState(instance: Body) -> tuple[list[float], list[float]]:
    """Place and angles (rad), velocity and angular velocity."""
    place, velocity = instance.state()
    return place.tolist(), velocity.tolist()


def GetBodyPos(instance: Body) -> list[float]:
    return instance.state()[0][:3].tolist()  # type: ignore[no-any-return]


def GetBodyAngle(instance: Body) -> list[float]:
    return instance.state()[0][3:].tolist()  # type: ignore[no-any-return]


def GetBodyVel(instance: Body) -> list[float]:
    return instance.state()[1][:3].tolist()  # type: ignore[no-any-return]


def GetBodyAngVel(instance: Body) -> list[float]:
    return instance.state()[1][3:].tolist()  # type: ignore[no-any-return]


def GetBodyForce(instance: Body) -> list[float]:
    """Of all lines at the body, and their moment about its reference point."""
    return instance.force().tolist()  # type: ignore[no-any-return]


# ---- rods


def GetRodID(instance: Rod) -> int:
    return _number(instance.row.id)


def GetRodType(instance: Rod) -> int:
    return instance.kind


def GetRodN(instance: Rod) -> int:
    return instance.row.segments


def GetRodNumberNodes(instance: Rod) -> int:
    return instance.row.segments + 1


def GetRodNodePos(instance: Rod, i: int) -> list[float]:
    return instance.node(i).tolist()  # type: ignore[no-any-return]


# ---- points


def GetPointID(instance: Point) -> int:
    return _number(instance.row.id)


def GetPointType(instance: Point) -> int:
    return instance.kind


def GetPointPos(instance: Point) -> list[float]:
    return instance.position().tolist()  # type: ignore[no-any-return]


def GetPointVel(instance: Point) -> list[float]:
    return instance.velocity().tolist()  # type: ignore[no-any-return]


def GetPointForce(instance: Point) -> list[float]:
    """Of all lines that end there."""
    return instance.force().tolist()  # type: ignore[no-any-return]


def GetPointNAttached(instance: Point) -> int:
    return len(instance.lines())


def GetPointAttached(instance: Point, i: int) -> tuple[Line, int]:
    """Line i that ends there, and which end of it: ENDPOINT_A or ENDPOINT_B."""
    lines = instance.lines()
    if not 0 <= i < len(lines):
        raise MoorDynError(ERRCODE_INVALID_VALUE, f"point {instance.row.id} has {len(lines)} lines, counted from 0")
    return Line(instance.of, lines[i][0]), lines[i][1]


# ---- lines


def GetLineID(instance: Line) -> int:
    return _number(instance.row.id)


def GetLineN(instance: Line) -> int:
    """Segments."""
    return instance.row.segments


def GetLineNumberNodes(instance: Line) -> int:
    return instance.row.segments + 1


def GetLineUnstretchedLength(instance: Line) -> float:
    return instance.length


def SetLineUnstretchedLength(instance: Line, l: float) -> int:
    """Another unstretched length, shared by all segments."""
    instance.of.set_length(instance.row.id, float(l))
    return 0


def SetLineUnstretchedLengthVel(instance: Line, v: float) -> int:
    """Only 0 is taken: the length is set step by step with `SetLineUnstretchedLength`."""
    if v != 0.0:
        text = "a rate of length is not carried; call SetLineUnstretchedLength before each Step"
        raise MoorDynError(ERRCODE_NON_IMPLEMENTED, text)
    return 0


def IsLineConstantEA(instance: Line) -> bool:
    """Whether the tension of the line is in proportion to its strain."""
    return instance.of.stiffness(instance.row) is not None


def GetLineConstantEA(instance: Line) -> float:
    stiffness = instance.of.stiffness(instance.row)
    if stiffness is None:
        raise MoorDynError(ERRCODE_INVALID_VALUE, f"line {instance.row.id} has no constant stiffness")
    return stiffness


def SetLineConstantEA(instance: Line, ea: float) -> int:
    """Another axial stiffness of this line alone; before `Init` the one it comes to rest with."""
    instance.of.set_stiffness(instance.row, float(ea))
    return 0


def GetLineNodePos(instance: Line, i: int) -> list[float]:
    return instance.node("position", i).tolist()  # type: ignore[no-any-return]


def GetLineNodeVel(instance: Line, i: int) -> list[float]:
    return instance.node("velocity", i).tolist()  # type: ignore[no-any-return]


def GetLineNodeForce(instance: Line, i: int) -> list[float]:
    """On the support at an end; net force on a node inside."""
    return instance.force(i).tolist()  # type: ignore[no-any-return]


def GetLineNodeTen(instance: Line, i: int) -> list[float]:
    """Tension: of the last segment at an end, the mean of its two neighbours inside."""
    return instance.tension(i).tolist()  # type: ignore[no-any-return]


def GetLineNodeCurv(instance: Line, i: int) -> float:
    return instance.curvature(i)


def GetLineFairTen(instance: Line) -> float:
    """Tension of the last segment at end B, which is half a segment's weight below the pull on the fairlead."""
    return float(instance.tensions()[-1])


def GetLineMaxTen(instance: Line) -> float:
    """Of the segments, now."""
    return float(instance.tensions().max())


def GetLinePositions(instance: Line) -> np.ndarray:
    """All nodes from A to B, (nodes, 3): in one call, which MoorDyn has not."""
    return instance.places()


def _write(path: Path, data: bytes) -> None:
    def write(file: Patient) -> None:
        file.write(data)

    try:
        replace_file(path, write)
    except ResultError as error:
        raise MoorDynError(ERRCODE_INVALID_OUTPUT_FILE, str(error)) from None


def _number(text: str) -> int:
    return int(text) if text.isdigit() else 0
