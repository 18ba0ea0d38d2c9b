"""Ropes as one element: creep, relaxation and loops of two springs by closed forms; curves; the stretch that stays."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from kernels.plain import plain

from fairlead.model import load_text
from fairlead.rigging import ropes
from fairlead.rigging.rope_rows import add_ropes
from fairlead.rigging.rows import Collected

EA, EA_D, C1, C2 = 100e6, 160e6, 4e9, 11e6
K1 = EA * EA_D / (EA_D - EA)
SPRINGS = f"axial_stiffness: {EA}, axial: {{dynamic_stiffness: {EA_D}, damping: {C1}, dynamic_damping: C2}}"
MEAN = f"axial_stiffness: {EA}, axial: {{dynamic_stiffness: {EA_D}, dynamic_per_tension: 20, damping: {C1}}}"
TABLE = "axial: {table: [[0, 0], [0.01, 0.3 MN], [0.02, 1.2 MN], [0.05, 6 MN]]}"
SYROPE = (
    "axial: {dynamic_stiffness: 153 MN, dynamic_per_tension: 23, damping: 5e9, dynamic_damping: 1e5, working_curves: "
    "{original_curve: [[0, 0], [0.01, 0.3 MN], [0.03, 1.2 MN], [0.08, 4 MN]], shape: SHAPE}}"
)
SHAPES = ("linear, k1: 0.2", "linear, k1: 60e6", "quadratic, k1: 0.2, k2: 0.6", "exponential, k1: 0.3, k2: 1.5")
CREEPING = [(SPRINGS, ""), (MEAN, ""), *((SYROPE, shape) for shape in SHAPES)]


class Rope:
    """One metre of a rope, stretched as told."""

    def __init__(self, law: str, shape: str = SHAPES[3], c2: float = C2) -> None:
        kind = law.replace("SHAPE", shape).replace("C2", str(c2))
        system = load_text(
            f"types: {{rope: {{diameter: 0.1, mass_per_length: 8, {kind}}}}}\n"
            "points: {a: {kind: fixed, position: [0, 0, 0]}, b: {kind: fixed, position: [5, 0, 0]}}\n"
            "cables: {line: {type: rope, length: 6, elements: 2, start: a, end: b}}\n"
            "simulation: {formulation: lumped, duration: 1, step: 0.1}",
            "rope.yaml",
        )
        parts = Collected()
        add_ropes(system, parts)
        self.row = SimpleNamespace(**parts.rope[0])
        self.sys = SimpleNamespace(corner=[SimpleNamespace(**corner) for corner in parts.corner])
        self.creep, self.held = SimpleNamespace(slow=0.0, most=0.0), SimpleNamespace(piece=0.0)
        self.strain = self.pull = self.lost = self.work = 0.0

    def __getattr__(self, name: str):
        kernel = plain(getattr(ropes, name))
        return lambda *numbers: kernel(self.row, *numbers, self.sys)

    def rest(self, tension: float) -> None:
        plain(ropes.come_to_rest)(self.row, tension, self.creep, self.sys)
        self.strain = self.rest_strain(tension, self.creep.most)[0]

    def energy(self) -> float:
        return self.rope_energy(self.strain, self.creep, False)

    def step(self, to: float, h: float) -> float:
        """One step to a strain, the tension of its middle."""
        straining, middle = (to - self.strain) / h, 0.5 * (to + self.strain)
        plain(ropes.take_up)(self.row, self.pull, h, self.creep, self.held, self.sys)
        tension = self.held.stiffness * (middle - self.held.offset) + self.held.damper * straining
        self.lost += plain(ropes.creep_on)(self.row, tension, straining, h, self.creep, self.held, self.sys)
        self.work += tension * (to - self.strain)
        self.strain, self.pull = to, tension
        return tension

    def load(self, tension: float, h: float) -> float:
        """One step under a given tension; the strain of its middle."""
        plain(ropes.take_up)(self.row, self.pull, h, self.creep, self.held, self.sys)
        held, before = self.held, self.strain
        middle = tension + held.stiffness * held.offset + 2.0 * held.damper / h * before
        middle /= held.stiffness + 2.0 * held.damper / h  # T = κ(m − ε₀) + v (m − before)/(h/2)
        self.step(2.0 * middle - before, h)
        return middle


def test_at_rest_two_springs_have_the_static_stiffness():
    """T = EA ε whatever the quick stiffness is, and the memory that goes with it carries the tension."""
    for law in (SPRINGS, MEAN):
        rope = Rope(law)
        rope.rest(3e6)
        assert rope.strain == pytest.approx(3e6 / EA, rel=1e-12)
        assert rope.slow_tension(rope.creep.slow, 0.0)[0] == pytest.approx(3e6, rel=1e-12)
        assert rope.step(rope.strain, 0.1) == pytest.approx(3e6, rel=1e-12)  # and stays there


@pytest.mark.parametrize(("law", "shape"), CREEPING)
def test_slow_tension_and_strain_are_inverse_and_their_slopes_too(law: str, shape: str) -> None:
    rope = Rope(law, shape)
    for mean in (1e4, 7e5, 1.9e6, 3e6):
        slow, give = rope.slow_strain(mean, 2e6)
        tension, slope = rope.slow_tension(slow, 2e6)
        assert (tension, slope * give) == pytest.approx((mean, 1.0), rel=1e-9)
        higher = rope.slow_strain(mean + 10.0, 2e6)[0]
        assert (higher - slow) / 10.0 == pytest.approx(give, rel=1e-3)


def test_a_sudden_strain_relaxes_from_the_quick_to_the_static_stiffness():
    """T(t) = ε₀[EA + (EA_d − EA) e^(−t/τ)], τ = c₁/(EA₁ + EA_d): the standard linear solid."""
    rope, strain, h = Rope(SPRINGS, c2=0.0), 0.01, 0.1
    tau = C1 / (K1 + EA_D)
    first = rope.step(strain, 1e-9)
    assert first == pytest.approx(0.5 * EA_D * strain, rel=1e-6)
    for k in range(300):
        tension, t = rope.step(strain, h), (k + 0.5) * h
        assert tension == pytest.approx(strain * (EA + (EA_D - EA) * np.exp(-t / tau)), rel=2e-5)


def test_a_sudden_load_creeps():
    """ε(t) = T[1/EA_d + (1/EA₁)(1 − e^(−t EA₁/c₁))]."""
    rope, load, h = Rope(SPRINGS, c2=0.0), 1e6, 0.2
    for k in range(300):
        middle, t = rope.load(load, h), (k + 0.5) * h
        assert middle == pytest.approx(load * (1 / EA_D + (1 - np.exp(-t * K1 / C1)) / K1), rel=1e-4)


@pytest.mark.parametrize("c2", [0.0, C2, 3e9])
@pytest.mark.parametrize("period", [10.0, 100.0, 1000.0])
def test_the_area_of_a_loop_is_pi_times_the_loss_modulus(c2: float, period: float) -> None:
    """Two Kelvin elements in series: E* = 1/(1/(EA₁ + iωc₁) + 1/(EA_d + iωc₂)); a cycle loses π Im(E*) ε₀²."""
    rope, amplitude, w, steps = Rope(SPRINGS, c2=c2), 1e-3, 2 * np.pi / period, 80
    h, cycles = period / steps, 2 + int(80 / period)
    modulus = 1.0 / (1.0 / (K1 + 1j * w * C1) + 1.0 / (EA_D + 1j * w * c2))
    pulls = []
    for k in range(cycles * steps):
        if k == (cycles - 1) * steps:
            lost, work = rope.lost, rope.work
        pulls.append(rope.step(amplitude * np.sin(w * h * (k + 1)), h))
    area = np.pi * modulus.imag * amplitude**2
    assert rope.work - work == pytest.approx(area, rel=2e-3)
    assert rope.lost - lost == pytest.approx(area, rel=2e-3)
    assert max(pulls[-steps:]) == pytest.approx(abs(modulus) * amplitude, rel=3e-3)


@pytest.mark.parametrize(("law", "shape"), CREEPING)
def test_work_is_kept_or_lost(law: str, shape: str) -> None:
    """∫T dε = change of the stored energy + loss, under a load that rises, swings and falls."""
    rope = Rope(law, shape)
    rope.rest(4e5)
    before, first, h = rope.energy(), rope.strain, 0.5
    for k in range(300):
        t = (k + 1) * h
        rope.step(first + 0.008 * np.sin(2 * np.pi * t / 200) + 0.001 * np.sin(2 * np.pi * t / 11), h)
    assert rope.lost > 0.0
    assert rope.energy() - before + rope.lost == pytest.approx(rope.work, abs=2e-3 * rope.lost)


@pytest.mark.parametrize("law", [SPRINGS, MEAN, SYROPE])
def test_no_step_is_too_large(law: str) -> None:
    """Held at a strain, the tension comes to the static one in steps of an hour as well, creep or none resolved."""
    rope = Rope(law)
    rope.rest(4e5)
    rope.step(rope.strain + 0.004, 1e-3)
    tensions = [rope.step(rope.strain, 3600.0) for _ in range(15)]
    rest = rope.rest_tension(rope.strain, rope.creep.most)[0]
    assert tensions[-1] == pytest.approx(rest, rel=1e-6)
    assert np.abs(np.array(tensions) / rest - 1.0).max() < 0.05


def test_a_table_is_followed_from_corner_to_corner():
    rope = Rope(TABLE)
    strains, tensions = np.array([0.0, 0.005, 0.01, 0.013, 0.02, 0.06]), [0, 0.15e6, 0.3e6, 0.57e6, 1.2e6, 7.6e6]
    for strain, tension in zip(strains, tensions, strict=True):
        assert rope.rest_tension(strain, 0.0)[0] == pytest.approx(tension)
        assert rope.rest_strain(tension, 0.0)[0] == pytest.approx(strain)
    grid = np.linspace(0.0, 0.03, 301)
    exact = np.trapezoid([rope.rest_tension(e, 0.0)[0] for e in grid], grid)
    assert rope.curve_energy(0.03) == pytest.approx(exact, rel=1e-6)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_worked_rope_keeps_its_stretch(shape: str) -> None:
    """Slowly loaded, new rope follows the original curve; unloaded and loaded again the working curve of the largest
    tension, which ends where nothing pulls any more at the strain that stays; beyond it goes on along the original."""
    rope, h = Rope(SYROPE, shape=shape), 60.0  # creep takes about 20 s here

    def pulled(strains: np.ndarray) -> np.ndarray:
        found = []
        for strain in strains:
            for _ in range(16):
                tension = rope.step(strain, h)
            found.append(tension)
        return np.array(found)

    corners = np.array([[0, 0], [0.01, 0.3e6], [0.03, 1.2e6], [0.08, 4e6]])
    up = np.linspace(0.002, 0.04, 12)
    assert pulled(up) == pytest.approx(np.interp(up, *corners.T), rel=1e-6)
    most = np.interp(0.04, *corners.T)
    assert rope.creep.most == pytest.approx(most, rel=1e-6)
    words = shape.replace(",", "").split()
    k1, k2 = float(words[2]), float(words[4]) if len(words) > 4 else 0.0
    low = 0.04 - most / k1 if k1 > 1 else k1 * 0.04
    x = np.array([0.9, 0.6, 0.3, 0.6, 0.9])
    part = {"linear": x, "quadratic": x * (k2 * x + 1 - k2)}.get(words[0])
    if part is None:
        part = (1 - np.exp(k2 * x)) / (1 - np.exp(k2))
    assert pulled(low + x * (0.04 - low)) == pytest.approx(most * part, rel=1e-5)
    assert rope.creep.most == pytest.approx(most, rel=1e-6)
    assert rope.rest_strain(0.0, most)[0] == pytest.approx(low)  # what stays
    assert pulled(np.array([0.05, 0.06])) == pytest.approx(np.interp([0.05, 0.06], *corners.T), rel=1e-6)
