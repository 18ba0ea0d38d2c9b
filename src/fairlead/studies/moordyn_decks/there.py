"""A deck run by MoorDyn, which is moved in steps of its host's as a coupled program would."""

from __future__ import annotations

import re
import tempfile
import time
from pathlib import Path

import numpy as np

from fairlead.exchange.moordyn.deck import read_deck
from fairlead.exchange.notes import Notes
from fairlead.studies.benchmarks.peers.moordyn_deck import package, silence

from .cases import SAMPLE, Case

HOST_STEP = 0.0025
"""s, within which MoorDyn has the ends go straight on."""


def tensions(
    case: Case, step: float | None = None, scheme: str | None = None, host_step: float = HOST_STEP
) -> tuple[np.ndarray, float]:
    """The case's channels (samples, channels), N, and the CPU time of the steps, s.

    The ends go from each place to the next with the mean velocity: with that of the start of a step they would jump at
    the end of each. step, scheme: dtM and tScheme instead of the deck's.
    """
    moordyn = package()
    text = case.path.read_text()
    if step is not None:
        text = re.sub(r"(?m)^\S+ dtM", f"{step!r} dtM", text)
    if scheme is not None:
        text = re.sub(r"(?m)^(\S+ dtM)", rf"\1\n{scheme} tScheme", text)
    deck = read_deck(text, case.path.name, Notes())
    coupled = [point for point in deck.points.values() if point.held.kind == "coupled"]
    home = np.array([point.position for point in coupled]).ravel()
    sway = np.array([case.amplitudes[int(point.id)] for point in coupled]).ravel()
    every = round(SAMPLE / host_step)
    found, spent = [], 0.0
    with tempfile.TemporaryDirectory() as folder, silence():
        file = Path(folder) / "deck.txt"
        file.write_text(text)
        system = moordyn.Create(str(file))
        moordyn.Init(system, home.tolist(), np.zeros_like(home).tolist())
        lines = [moordyn.GetLine(system, int(name[7:])) for name in case.channels]
        nodes = [
            (line, 0 if name.startswith("Anch") else moordyn.GetLineN(line))
            for name, line in zip(case.channels, lines, strict=True)
        ]

        def look() -> list[float]:
            return [float(np.linalg.norm(moordyn.GetLineNodeTen(line, node))) for line, node in nodes]

        found.append(look())
        for k in range(round(case.duration / host_step)):
            t = k * host_step
            place, after = (home + case.offset(s) * sway for s in (t, t + host_step))
            x, v = place.tolist(), ((after - place) / host_step).tolist()
            began = time.process_time()
            moordyn.Step(system, x, v, t, host_step)
            spent += time.process_time() - began
            if (k + 1) % every == 0:
                found.append(look())
        moordyn.Close(system)
    return np.array(found), spent
