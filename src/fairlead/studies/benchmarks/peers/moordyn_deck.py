"""The sinking-cables case as MoorDyn reads it: input file, current profile, and the state it starts from.

Two 500 m cables hang from A and B and meet in a free massless point M at the surface. EI = 0, constant drag
coefficients (MoorDyn has no Reynolds law), added mass 1 in both directions, a frictionless undamped elastic bed.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from scipy.optimize import brentq

HALF_SPAN, LENGTH, SEGMENTS = 375.0, 500.0, 50  # m, m, segments a cable
DIAMETER, DENSITY, EA = 0.044, 1100.0, 1.8246e8  # m, kg/m3, N
WATER, GRAVITY, DEPTH = 1025.0, 9.81, 200.0  # kg/m3, m/s2, m
SURFACE_CURRENT = 0.5  # m/s along x at z = 0, falling linearly to nothing on the bed
DRAG_NORMAL, DRAG_AXIAL, ADDED_MASS = 1.2, 0.01, 1.0  # reference areas d L and pi d L; both directions
BED_STIFFNESS = 1e4 / (DIAMETER * 5.0)  # Pa/m: 1e4 N/m on each half of a 10 m segment
AREA = np.pi * DIAMETER**2 / 4


@dataclass(frozen=True)
class Setting:
    """A time scheme by MoorDyn's name, its step [s], and the damping ratio of one segment."""

    scheme: str
    step: float
    damping: float


def start_shape(segments: int) -> np.ndarray:
    """Nodes (segments + 1, 3) [m] from A to M: the discrete catenary, each segment stretched by its own static tension.

    Starting in equilibrium favours MoorDyn: from unstretched segments it must also survive the axial ringing.
    """
    length = LENGTH / segments
    weight = AREA * length * (DENSITY - WATER) * GRAVITY
    rank = np.arange(segments) - (segments - 1) / 2

    def steps(slope: float) -> np.ndarray:
        direction = np.column_stack([np.ones(segments), slope * rank])
        tension = weight / slope * np.hypot(1.0, slope * rank)
        stretched: np.ndarray = direction * (length * (1 + tension / EA) / np.hypot(1.0, slope * rank))[:, None]
        return stretched

    slope = brentq(lambda a: steps(a)[:, 0].sum() - HALF_SPAN, 1e-6, 1e3, xtol=1e-15, rtol=1e-15)
    nodes = np.zeros((segments + 1, 3))
    nodes[1:, 1:] = np.cumsum(steps(slope), axis=0)
    nodes[:, 1] -= HALF_SPAN
    nodes[-1] = 0.0
    return nodes


def input_text(setting: Setting, segments: int, current: bool) -> str:
    """The MoorDyn v2 input file. TmaxIC 0: it must not look for an equilibrium before we set the state."""
    rule = "-" * 20
    return f"""{rule} MoorDyn Input File {rule}
Two cables sinking
{rule} LINE TYPES {rule}
TypeName Diam Mass/m EA BA/-zeta EI Cd Ca CdAx CaAx
(name) (m) (kg/m) (N) (N-s/-) (N-m^2) (-) (-) (-) (-)
cable {DIAMETER} {AREA * DENSITY!r} {EA!r} {-setting.damping!r} 0 {DRAG_NORMAL} {ADDED_MASS} {DRAG_AXIAL} {ADDED_MASS}
{rule} POINTS {rule}
ID Attachment X Y Z Mass Volume CdA Ca
(#) (word/ID) (m) (m) (m) (kg) (m^3) (m^2) (-)
1 Fixed 0 {-HALF_SPAN} 0 0 0 0 0
2 Fixed 0 {HALF_SPAN} 0 0 0 0 0
3 Free 0 0 0 0 0 0 0
{rule} LINES {rule}
ID LineType AttachA AttachB UnstrLen NumSegs LineOutputs
(#) (name) (ID) (ID) (m) (-) (-)
1 cable 1 3 {LENGTH} {segments} -
2 cable 2 3 {LENGTH} {segments} -
{rule} OPTIONS {rule}
0 writeLog
{setting.step!r} dtM
{setting.scheme} tScheme
{GRAVITY} g
{WATER} rho
{DEPTH} WtrDpth
{BED_STIFFNESS!r} kBot
0 cBot
0 WaveKin
{int(current)} Currents
0 TmaxIC
1 disableOutput
{rule} END {rule}
"""


CURRENT_PROFILE = f"""{"-" * 20} MoorDyn steady currents File {"-" * 20}
Read from the folder of the input file under the fixed name current_profile.txt
z (m), ux (m/s), uy (m/s), uz (m/s)
{-DEPTH} 0 0 0
0 {SURFACE_CURRENT} 0 0
"""


def package() -> ModuleType:
    """MoorDyn's Python module."""
    try:
        moordyn = importlib.import_module("moordyn")
    except ImportError as missing:
        raise ImportError(
            "the comparison needs the MoorDyn package, which is not installed: pip install 'fairlead[bench]'"
        ) from missing
    return moordyn


def started(moordyn: ModuleType, folder: Path, setting: Setting, segments: int, current: bool) -> Any:
    """A MoorDyn system at rest in `start_shape`, put there through its own state file."""
    deck, state = folder / "sinking.txt", folder / "state"
    deck.write_text(input_text(setting, segments, current))
    (folder / "current_profile.txt").write_text(CURRENT_PROFILE)
    system = moordyn.Create(str(deck))
    if not system or moordyn.Init_NoIC(system, [], []) != 0:
        raise RuntimeError(f"MoorDyn did not accept {setting} with {segments} segments a cable")
    moordyn.SaveState(system, str(state))
    data = state.read_bytes()
    # Last in the file, for each line: two counts, then position and velocity of every inner node.
    head, inner = 9, segments - 1
    values = np.frombuffer(data, dtype="<f8", offset=head).copy()
    lines = values[values.size - 2 * (2 + 6 * inner) :].reshape(2, -1)
    for line, side in zip(lines, (1.0, -1.0), strict=True):
        line[2:].reshape(inner, 6)[:] = 0.0
        line[2:].reshape(inner, 6)[:, :3] = start_shape(segments)[1:-1] * [1.0, side, 1.0]
    state.write_bytes(data[:head] + values.tobytes())
    moordyn.LoadState(system, str(state))
    return system


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """MoorDyn writes to the process's stdout and stderr from C++, where Python's redirection does not reach."""
    sys.stdout.flush()
    sys.stderr.flush()
    kept = [os.dup(1), os.dup(2)]
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        yield
    finally:
        for descriptor, copy in zip((1, 2), kept, strict=True):
            os.dup2(copy, descriptor)
            os.close(copy)
        os.close(nowhere)
