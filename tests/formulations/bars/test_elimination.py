"""The algebra of the sweep on its own: closed forms of the gains, one bar against its full matrix, and pinned cables in
the form of cables with rotation rows."""

from types import SimpleNamespace

import numpy as np
import pytest
from kernels.plain import plain

from fairlead.formulations.bars import elimination as by
from fairlead.formulations.bars.joint import turn_of_first, turn_of_second
from fairlead.formulations.bars.run import run, run_joined, run_rigged
from fairlead.model import load_text
from fairlead.simulate import Simulation

RNG = np.random.default_rng(11)
NET = """
environment:
  current: [{z: 0, velocity: [0.4, 0.2, 0]}, {z: -20, velocity: [0, 0, 0]}]
  seabed: {depth: 10, stiffness: 1e5, damping: 1e3, friction: 0.5}
types:
  rope: {diameter: 0.05, mass_per_length: 9, axial_stiffness: 1 MN, drag: reynolds, damping_time: 0.01}
  chain: {diameter: 0.08, mass_per_length: 30, axial_stiffness: 9 MN, drag: {normal: 1.2, axial: 0.3}}
points:
  A: {kind: fixed, position: [0, 0, -9.96]}
  B: {kind: controlled, position: [34, 0, -2], motion: {harmonic: {amplitude: [0.5, 0.3, 0.4], period: 2}}}
  H: {kind: free, position: [12, 0, -9.8], mass: 50, volume: 0.01}
  K: {kind: free, position: [24, 1, -8], mass: 20, volume: 0.05}
cables:
  lower: {type: chain, length: 12.5, elements: 5, start: A, end: H}
  middle: {type: rope, length: 13.5, elements: 4, start: H, end: K, attachments: [{at: 4, mass: 5, volume: 0.008}]}
  upper: {type: rope, length: 12, elements: 4, start: K, end: B}
simulation: {formulation: bars, start: catenary, duration: 2, step: 0.02}
"""
LINE = (
    NET.partition("  H: {kind")[0]
    + """
cables:
  line: {type: chain, length: 37, elements: 13, start: A, end: B, attachments: [{at: 20, mass: 5, volume: 0.008}]}
simulation: {formulation: bars, start: catenary, duration: 2, step: 0.02}
"""
)


def full(s):
    """A symmetric matrix of six numbers."""
    return np.array([[s[0], s[1], s[2]], [s[1], s[3], s[4]], [s[2], s[4], s[5]]])


def six(m):
    return tuple(m[np.triu_indices(3)])


@pytest.mark.parametrize("swing", [False, True])
def test_closed_forms_of_the_gains_of_rotation_rows(swing: bool) -> None:
    for _ in range(20):
        q = RNG.normal(size=4)
        q /= np.linalg.norm(q)
        bend, twist = RNG.uniform(0.1, 9.0, 2)
        relative = (*q, 0.0, 0.0)
        if swing:
            angle = RNG.uniform(-3, 3)
            relative, twist = (abs(q[0]), q[1], q[2], 0.0, np.cos(angle), np.sin(angle)), 0.0
        one, two = (np.reshape(plain(turn)(relative), (3, 3)) for turn in (turn_of_first, turn_of_second))
        gains = np.diag([bend, bend, twist])
        assert full(plain(by.gain_first)(bend, twist, relative)) == pytest.approx(one.T @ gains @ one, abs=2e-14)
        assert full(plain(by.gain_second)(bend, twist, relative)) == pytest.approx(two.T @ gains @ two, abs=2e-14)
        both = np.transpose(plain(by.gain_both)(bend, twist, relative))
        assert both == pytest.approx(one.T @ gains @ two, abs=2e-14)


@pytest.mark.parametrize("whole", [None, True])
def test_an_eliminated_bar_moves_as_its_full_matrix_says(whole: bool | None) -> None:
    size = 6 if whole else 5
    root = RNG.normal(size=(6, 6))
    D = root @ root.T + np.eye(6)
    if not whole:
        D[5], D[:, 5], D[5, 5] = 0.0, 0.0, 1.0
    load, more = RNG.normal(size=(2, 6))
    A, B, C = D[:3, :3], D[:3, 3:], D[3:, 3:]
    kept = SimpleNamespace()
    if whole:
        found = plain(by.eliminate_rotary)(six(A), *B.T, six(C), load[:3], load[3:])
        plain(by.keep_rotary)(kept, *found)
    else:
        found = plain(by.eliminate_pinned)(six(A), *B.T[:2], (C[0, 0], C[0, 1], C[1, 1]), load[:3], load[3:])
        plain(by.keep_pinned)(kept, True, *found)
        x, turn = plain(by.free_accelerations)(kept, np.add(kept.force, more[:3]))
        pushed = load + np.concatenate([more[:3], np.zeros(3)])
        assert [*x, *turn][:size] == pytest.approx(np.linalg.solve(D, pushed)[:size])
    mobility = np.linalg.inv(D)[:3, :3]
    assert full(kept.mobility) == pytest.approx(mobility)
    assert full(plain(by.hand_over)(3.0, kept.mobility)) == pytest.approx(3.0 * np.eye(3) - 9.0 * mobility)
    force = np.add(kept.force, more[:3])
    x, turn = plain(by.accelerations)(whole, kept, force, more[3:], plain(by.kept_spin)(whole, kept))
    assert [*x, *turn][:size] == pytest.approx(np.linalg.solve(D, load + more)[:size])


def test_a_weight_and_a_force_at_a_lever() -> None:
    axes = np.linalg.qr(RNG.normal(size=(3, 3)))[0]
    one, two = axes[:, 0], axes[:, 1]
    P = np.column_stack([-two, one])
    root, lever, force = RNG.normal(size=(3, 3)), -1.7, RNG.normal(size=3)
    W = root @ root.T
    b_x, b_y, c = plain(by.levered)(six(W), lever, one, two)
    assert np.column_stack([b_x, b_y]) == pytest.approx(lever * W @ P)
    assert [[c[0], c[1]], [c[1], c[2]]] == pytest.approx(lever**2 * P.T @ W @ P)
    assert plain(by.lever_torque)(lever, one, two, force)[:2] == pytest.approx(lever * P.T @ force)


@pytest.mark.parametrize(("text", "entries"), [(NET, (run_joined, run_rigged)), (LINE, (run, run_joined))])
def test_pinned_cables_move_alike_in_all_forms(text, entries) -> None:
    """With friction, an attachment and joints that only pull; with hubs coupled through a cable, and without any."""
    simulation = Simulation(load_text(text, "net.yaml"))
    compiled, u = simulation.compiled, simulation._inputs.u
    assert compiled.entry is entries[0]
    ends = []
    for entry in entries:
        compiled.entry, y = entry, simulation.state
        assert compiled.advance(0.0, y, 60, 0.02, u, "semi_implicit") is None
        ends.append(compiled.tables(y))
    lean, other = ends
    assert lean.contact.normal_force.max() > 100.0
    assert np.abs(lean.bar_state.velocity).max() > 0.1
    assert lean.bar_state.position == pytest.approx(other.bar_state.position, abs=1e-8)
    assert lean.multipliers.force == pytest.approx(other.multipliers.force, rel=1e-6, abs=1e-3)
    assert lean.ledger.damping == pytest.approx(other.ledger.damping, rel=1e-8)
