"""Compiles what the tests need of a formulation: `python tests/first_compilation.py bars`, or of all: a number instead
of a name says by how many processes.

The entries of a formulation share most of their kernels, which one process compiles once and two processes twice. So
each formulation is compiled by one process before the tests begin, and their processes fetch it from the disk. That
process goes on to another: kernels that know no formulation (sea, loads, algebra) it has already.
"""

from __future__ import annotations

import os
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

LINE = """
types: {rope: {diameter: 0.1, density: 2000, axial_stiffness: 1 MN}}
points: {A: {kind: fixed, position: [0, 0, 0]}, B: {kind: fixed, position: [1.5, 0, 0]}}
cables: {line: {type: rope, length: 2, elements: 2, start: A, end: B}}
simulation: {duration: 1, step: 0.01}
"""
BENT = LINE.replace("axial_stiffness: 1 MN", "axial_stiffness: 1 MN, bending_stiffness: 100")
ROPE = LINE.replace("axial_stiffness: 1 MN", "axial: {table: [[0, 0], [0.05, 40000], [0.1, 100000]]}")
MOTION = "{harmonic: {amplitude: [0.1, 0, 0.1], period: 1}}"
MOVED = LINE.replace("B: {kind: fixed,", f"B: {{kind: controlled, motion: {MOTION},")
HANGING = LINE.replace("{kind: fixed, position: [1.5, 0, 0]}", "{kind: free}")
JOINED = LINE.replace("{kind: fixed, position: [1.5, 0, 0]}", "{kind: free, mass: 10}")
WINCH = HANGING.replace("end: B}", "end: B, winch: {end: start, rate: 0.1}}")
SHEDDING = LINE.replace("axial_stiffness: 1 MN", "axial_stiffness: 1 MN, vortices: {lift: 1}")
RING_AND_WINCH = """
types: {rope: {diameter: 0.1, density: 2000, axial_stiffness: 1 MN}}
points:
  A: {kind: fixed, position: [0, 0, 0]}
  B: {kind: fixed, position: [1.5, 0, 0]}
  R: {kind: sliding, cable: line, at: 1}
  E: {kind: free}
cables:
  line: {type: rope, length: 2, elements: 2, start: A, end: B, winch: {end: start, rate: 0.1}}
  drop: {type: rope, length: 2, elements: 2, start: R, end: E}
simulation: {duration: 1, step: 0.01}
"""
AFLOAT = """
environment: {seabed: {depth: 40}, waves: {kind: regular, height: 0.1, period: 4}}
types: {}
points: {}
cables: {}
bodies: {pot: {kind: free, position: [0, 0, -0.5], mass: 19300, inertia: [1.5e5, 1.5e5, 2e5]}}
hydro:
  mode: linear
  hulls: {pot: {cylinder: {diameter: 4, height: 3}, centre: [0, 0, 0.5], panel_size: 1.6, locked: [pitch]}}
  surface: {radius: 20, outer: 8}
simulation: {formulation: multibody, start: catenary, duration: 0.15, step: 0.15}
"""
FLOATING = """
environment: {seabed: {depth: 60}, waves: {kind: regular, height: 1, period: 7}}
types: {rope: {diameter: 0.1, density: 2000, axial_stiffness: 1 MN}}
points: {A: {kind: anchor, position: [60, 0]}}
bodies:
  ball:
    kind: floating
    position: [0, 0, 0]
    mass: 268344
    inertia: [1e6, 1e6, 1e6]
    centre_of_mass: [0, 0, -2]
    coefficients: ball
    volume: 261.8
    attachments: {side: [5, 0, 0]}
cables: {line: {type: rope, length: 90, elements: 2, start: A, end: ball.side}}
simulation: {formulation: bars, start: catenary, bars: {wave_reach: 0}, duration: 1, step: 0.1}
"""
SYSTEMS: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "bars": [
        (LINE, {}),
        (JOINED, {}),
        (BENT, {}),
        (RING_AND_WINCH, {}),
        (ROPE, {}),
        *((LINE, {"integrator": name}) for name in ("rk2", "rk4")),
    ],
    "multibody": [(HANGING, {}), (HANGING, {"integrator": "rk4"})],
    "lumped": [(LINE, {}), (WINCH, {}), (SHEDDING, {}), (LINE, {"integrator": "rk4"})],
    "links": [(LINE, {}), (HANGING, {}), (HANGING, {"links__mode": "paper"}), (LINE, {"integrator": "rk4"})],
    "spline": [(MOVED, {"output_every": 0.05})],
    "tether": [(LINE, {})],
    "chain": [(LINE, {})],
}
"""What is compiled for each, the dearest first: no process is left with a long one at the end."""


def compile_all(processes: int) -> None:
    """Compile the formulations of which nothing is on the disk; what fails here fails, and is told, in its tests."""
    from fairlead.algebra.compiled import is_compiled

    missing = [name for name in SYSTEMS if not is_compiled(name)]
    if "bars" in missing:
        print("compiling the kernels (once, about two minutes)", flush=True)
    if missing:
        with ProcessPoolExecutor(processes, get_context("spawn"), initializer=be_silent) as pool:
            waiting = {name: pool.submit(compile_formulation, name) for name in missing}
        for name, task in waiting.items():
            if (error := task.exception()) is not None:
                print(f"{name} was not compiled beforehand: {error}", file=sys.stderr)


def be_silent() -> None:
    """Let this process print nothing."""
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115  as long as the process lives


def compile_formulation(name: str, shipped: bool = False) -> None:
    """All that `SYSTEMS` lists for it, in this process; of what studies run, only `shipped` wheels have all kinds."""
    import numpy as np

    from fairlead.ensembles.lone import LoneMember
    from fairlead.ensembles.members import Member
    from fairlead.ensembles.packs import PackedMembers
    from fairlead.ensembles.together import sampled_together
    from fairlead.model import load_text
    from fairlead.reduction import compiled, reduce
    from fairlead.simulate import Simulation
    from fairlead.statics import natural_modes, solve

    for text, settings in SYSTEMS[name]:
        simulation = Simulation(load_text(text, f"{name}.yaml"), formulation=name, **settings)
        simulation.warm_up()
        if text is LINE and not settings and name in ("bars", "lumped"):  # goes on from one equilibrium to the next
            moved = load_text(MOVED, f"{name}.yaml").with_settings(formulation=name)
            rest = solve(moved).at({"B": (1.6, 0.0, 0.0)})
            rest.stiffness("B")
            rest.held("B")
        if name in ("bars", "lumped") and not settings and (text is LINE or shipped):  # in packs and one by one
            companies = {PackedMembers: simulation.compiled.pack, LoneMember: simulation.compiled.lone}
            for company in (company for company, entry in companies.items() if entry is not None):
                sampled_together([Member.of(simulation)], [], 0.0, company)
        if text is JOINED and not shipped:  # held against its steps by a test
            from kernels.phases import by_phases

            one, passes = simulation.compiled, np.zeros(2, dtype=np.int64)
            y, u = one.initial_state(), one.initial_inputs()
            by_phases(0.0, y, 0, 0.01, u, one.ints, one.reals, one.work, one.kind, passes)
        if text is HANGING and not settings:
            rest = solve(load_text(HANGING, f"{name}.yaml").with_settings(formulation=name))
            natural_modes(rest.compiled, rest.y, count=1)
            if name == "multibody":  # asked for by hulls
                simulation.compiled.mass_and_bias(0.0, simulation.state, simulation.compiled.initial_inputs())
                Simulation(load_text(AFLOAT, "afloat.yaml")).run()
                if not shipped:  # for tests of trees alone
                    compile_trees()
        if name == "spline":  # what is reduced needs a run that moves
            system = simulation.compiled.system
            Simulation.of(compiled(system, reduce(simulation.run(), modes=2, tension_modes=1))).warm_up()


def compile_trees() -> None:
    """What multibody's way through a tree is measured and tested by, in this process."""
    from fairlead.studies.benchmarks.random_trees import random_state, random_tree

    model = random_tree(0, 1)
    y = random_state(model, 0)
    for method in ("articulated", "composite"):
        model.accelerations(y, method=method)
    model.mass_and_bias(y)
    model.motions(y)
    model.run(y, 0.01, 0)


def compile_floating() -> None:
    """Packs of floaters by coefficients in bars, in this process: for wheels, tests wait for it by themselves."""
    import numpy as np

    from fairlead.ensembles.members import Member
    from fairlead.ensembles.packs import PackedMembers
    from fairlead.ensembles.together import sampled_together
    from fairlead.floaters.hemisphere import hemisphere
    from fairlead.floaters.writing import write_wamit
    from fairlead.model import load
    from fairlead.simulate import Simulation

    with TemporaryDirectory() as folder:
        write_wamit(Path(folder) / "ball", hemisphere(5.0, np.linspace(0.15, 6.0, 40), np.radians([0.0, 90.0, 180.0])))
        (Path(folder) / "ball.yaml").write_text(FLOATING)
        simulation = Simulation(load(Path(folder) / "ball.yaml"))
    sampled_together([Member.of(simulation)], [], 0.0, PackedMembers)


if __name__ == "__main__":
    if sys.argv[1].isdigit():
        compile_all(int(sys.argv[1]))
    else:
        compile_formulation(sys.argv[1], shipped=True)
        if sys.argv[1] == "bars":
            compile_floating()
