"""Vortices behind a cable in an FMU and in a library with MoorDyn's calls: those of a run, without Python."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from compat.test_library import Calls
from compat.test_moordyn import AT_REST, DECK, STILL
from formulations.lumped.test_vortices import taut

import fairlead.compat.moordyn as moordyn
from fairlead.compat.moordyn.library import build
from fairlead.cosim import fmu
from fairlead.cosim.fmu import link
from fairlead.simulate import Simulation

from .host import Host

SAME = 1e-9
LIFT = "types.rope.vortices.lift"
CURRENT = "--- current ---\nz ux uy uz\n(m) (m/s) (m/s) (m/s)\n-300 0.0 0.6 0\n0 0.0 0.6 0\n"


def test_an_fmu_swings_as_a_run_does_and_takes_another_lift(tmp_path: Path) -> None:
    system = taut(0.5)
    shown = ("line.position", "line.force_end")
    made = fmu.export(system, tmp_path / "taut.fmu", outputs=shown, parameters=[LIFT], targets=[link.host()])
    ways = {}
    for lift in (None, 0.4):
        sim = Simulation(system if lift is None else system.with_values({LIFT: lift}))
        host, way = Host(made.path), []
        if lift is not None:
            host[LIFT] = lift
        host.start()
        for _ in range(40):
            host.step(sim.time, 0.25)
            seen = sim.step(0.25)
            for name in shown:
                expected = np.ravel(seen[name])
                assert np.abs(host[name] - expected).max() <= SAME * np.abs(expected).max(), (name, sim.time)
            way.append(np.ravel(seen["line.position"]))
        host.close()
        ways[lift] = np.array(way)
    assert np.ptp(ways[None], axis=0).max() > 0.02
    assert np.abs(ways[None] - ways[0.4]).max() > 0.005


def test_a_library_pushes_its_lines_as_the_module_does(tmp_path: Path) -> None:
    deck = tmp_path / "lines.txt"
    text = DECK.replace("1.2 1.0 0.1 0.0\n", "1.2 1.0 0.1 0.0 0.9\n")
    deck.write_text(text.replace("300    WtrDpth", "300 WtrDpth\n1 Currents"), encoding="utf-8")
    (tmp_path / "current_profile.txt").write_text(CURRENT, encoding="utf-8")
    calls = Calls(build(deck, tmp_path / "libmoordyn.so"), str(deck))
    assert calls.init(AT_REST) == 0
    module, forces = moordyn.Create(str(deck)), []
    moordyn.Init(module, AT_REST, STILL)
    for k in range(60):
        forces.append(moordyn.Step(module, AT_REST, STILL, 0.1 * k, 0.1))
        native = calls.step(AT_REST, STILL, 0.1 * k, 0.1)
        assert np.abs(native - forces[-1]).max() <= SAME * np.abs(forces[-1]).max()
    assert calls("Close") == 0
    assert np.ptp(forces, axis=0).max() > 10.0, "the lines are pushed"
