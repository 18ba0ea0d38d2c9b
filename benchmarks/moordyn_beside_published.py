"""MoorDyn beside the series of `fairlead verify orcaflex_chains lowe_and_langley`: how far off it is from them.

The same chain, bed and jumper as in those checks, as MoorDyn reads them: it has one diameter, on which it takes drag
(along the cable on π d), and friction that grows with the speed of sliding. Run with `pip install 'fairlead[bench]'`:

    python benchmarks/moordyn_beside_published.py
"""

from __future__ import annotations

import tempfile
from importlib.metadata import version
from pathlib import Path

import numpy as np

from fairlead.studies.benchmarks.peers.moordyn_deck import package, silence
from fairlead.studies.verification.checks import lowe_and_langley, orcaflex_chains

STEP = 0.0025  # s between places of the moved end
CHAIN = """chain
---- LINE TYPES ----
Name Diam Mass/m EA BA/-zeta EI Cd Ca CdAx CaAx
(-) (m) (kg/m) (N) (N-s/-) (N-m^2) (-) (-) (-) (-)
chain {diameter} {mass} {stiffness} -1.0 0 {normal} 1.0 {axial} 0.5
---- POINTS ----
ID Type X Y Z Mass Volume CdA Ca
(#) (-) (m) (m) (m) (kg) (m^3) (m^2) (-)
1 Fixed {reach} 0 {bottom} 0 0 0 0
2 Coupled 0 0 0 0 0 0 0
---- LINES ----
ID LineType AttachA AttachB UnstrLen NumSegs LineOutputs
(#) (name) (#) (#) (m) (-) (-)
1 chain 1 2 {length} {elements} -
---- OPTIONS ----
0 writeLog
0.001 dtM
1.0e5 kBot
1.0e4 cBot
9.81 g
1025.0 WtrDnsty
{depth} WtrDpth
1.0 dtIC
200.0 TmaxIC
4.0 CdScaleIC
1.0e-3 threshIC
0.5 FrictionCoefficient
---- END ----
"""
JUMPER = """jumper
---- LINE TYPES ----
Name Diam Mass/m EA BA/-zeta EI Cd Ca CdAx CaAx
(-) (m) (kg/m) (N) (N-s/-) (N-m^2) (-) (-) (-) (-)
pipe 0.396 165.0 500.0e6 -0.5 120.8e3 1.0 1.0 0.0 0.0
---- POINTS ----
ID Type X Y Z Mass Volume CdA Ca
(#) (-) (m) (m) (m) (kg) (m^3) (m^2) (-)
1 Fixed -100 0 -55 0 0 0 0
2 Coupled 0 0 -5 0 0 0 0
---- LINES ----
ID LineType AttachA AttachB UnstrLen NumSegs LineOutputs
(#) (name) (#) (#) (m) (-) (-)
1 pipe 1 2 170 68 -
---- OPTIONS ----
0 writeLog
0.001 dtM
9.807 g
1000.0 WtrDnsty
100 WtrDpth
1.0 dtIC
200.0 TmaxIC
4.0 CdScaleIC
1.0e-3 threshIC
---- END ----
"""


def moved(deck: str, home: np.ndarray, amplitude: np.ndarray, period: float, duration: float) -> np.ndarray:
    """Rows of time, s, and force of the line on its ends A and B, kN; the motion is faded in over a period."""
    moordyn = package()
    found = []

    def place(t: float) -> np.ndarray:
        part = min(t / period, 1.0)
        return home + part**3 * (10.0 - 15.0 * part + 6.0 * part**2) * np.sin(2.0 * np.pi * t / period) * amplitude

    with tempfile.TemporaryDirectory() as folder, silence():
        file = Path(folder) / "deck.txt"
        file.write_text(deck)
        system = moordyn.Create(str(file))
        moordyn.Init(system, home.tolist(), [0.0, 0.0, 0.0])
        line = moordyn.GetLine(system, 1)
        last = moordyn.GetLineN(line)
        for k in range(round(duration / STEP)):
            t = k * STEP
            found.append([t, *(np.linalg.norm(moordyn.GetLineNodeForce(line, node)) / 1e3 for node in (0, last))])
            moordyn.Step(system, place(t).tolist(), ((place(t + STEP) - place(t)) / STEP).tolist(), t, STEP)
        moordyn.Close(system)
    return np.array(found)


def told(name: str, ours: np.ndarray, kept: tuple[float, ...]) -> None:
    reference = np.array(kept)
    off = np.sqrt(np.mean((ours - reference) ** 2)) / reference.mean()
    print(f"{name}: rms {100 * off:.2f} % of the mean, largest {ours.max():.1f} for {reference.max():.1f} kN")


def chains() -> None:
    one = orcaflex_chains
    weight = (one.MASS - one.WATER * np.pi / 4.0 * one.DIAMETER**2) * one.GRAVITY
    for mooring, amplitude, theirs in one.SERIES:
        deck = CHAIN.format(
            diameter=one.DIAMETER, mass=one.MASS, stiffness=one.AXIAL_STIFFNESS, reach=mooring.reach,
            normal=2.4 * one.BAR / one.DIAMETER, axial=1.15 * one.BAR / (np.pi * one.DIAMETER),
            bottom=-mooring.depth, length=mooring.length, elements=mooring.elements,
            depth=mooring.depth - weight / (one.BED * one.DIAMETER),
        )  # fmt: skip
        run = moved(deck, np.zeros(3), np.array([0.0, 0.0, amplitude]), one.PERIOD, one.PERIODS * one.PERIOD)
        times = (one.PERIODS - 1) * one.PERIOD - one.LATE + 0.5 * np.arange(20)
        for column, place in ((2, one.AT_FAIRLEAD), (1, one.AT_ANCHOR)):
            name = f"chain in {mooring.depth:g} m, moved by {amplitude:g} m, {place}"
            told(name, np.interp(times, run[:, 0], run[:, column]), theirs[place])


def jumpers() -> None:
    one = lowe_and_langley
    for way, (name, kept) in enumerate(one.SERIES.items()):
        amplitude = np.array([one.AMPLITUDE if way == axis else 0.0 for axis in range(3)])
        run = moved(JUMPER, np.array([0.0, 0.0, -5.0]), amplitude, one.PERIOD, 2.0 * one.PERIOD)
        times = one.PERIOD + 1.5 * np.arange(len(kept))
        told(f"jumper moved {name}", np.interp(times, run[:, 0], run[:, 2]), kept)


if __name__ == "__main__":
    print(f"MoorDyn {version('moordyn')}")
    chains()
    jumpers()
