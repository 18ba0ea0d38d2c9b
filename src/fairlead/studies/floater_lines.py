"""Lines of floaters in the frequency domain: their impedance, with drag linearised for the motions a sea causes.

Lines follow a floater with inertia: chains of a semi-submersible have a stiffness in surge of 71 kN/m at rest and of
−103 kN/m at 8 s. In an irregular sea drag is linearised with the standard deviations of the nodes' speeds in that sea;
else, at every frequency, with their amplitudes in a regular wave of the file's height, or of `AMPLITUDE`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from fairlead.floaters.frequency import Floater, responses, spectrum
from fairlead.model import JonswapWaves, System
from fairlead.model.bodies import rotation_matrix
from fairlead.statics import solve
from fairlead.statics.impedance import IRREGULAR, REGULAR, LineImpedance
from fairlead.statics.mooring import as_held

AMPLITUDE = 1.0
"""Of the regular waves that drag is linearised in where the file has neither height nor sea, m."""
FIRST_SPEED = 0.3
"""Of all nodes, before the first round, m/s."""
ROUNDS, CLOSE = 12, 0.01
"""Most rounds in which speeds and responses are brought to agree, and the relative change of speeds that ends them."""
GRID = 80
"""Frequencies over which the speeds in a sea are summed."""

Speeds = list[tuple[np.ndarray, np.ndarray]]
"""Of the strips of each floater's lines, across and along, m/s."""


class DynamicLines:
    """Lines of floaters that share a water; a function of ω [rad/s] that gives force over motion, (6N, 6N).

    floater   with all damping but that of the lines
    steady    (6N, 6N) what else holds the floaters: take-offs, and stiffnesses in place of lines
    omega     (n,) of the responses, for which it is to be used
    """

    def __init__(
        self, system: System, names: Sequence[str], floater: Floater, steady: np.ndarray, omega: np.ndarray,
        heading: float,
    ) -> None:  # fmt: skip
        self._floater, self._steady, self._heading = floater, steady, heading
        rest = solve(as_held(system).with_settings(formulation="lumped"))
        self._lines: dict[int, LineImpedance] = {}
        self._axes: dict[int, np.ndarray] = {}
        for i, name in enumerate(names):
            if name in rest.system.bodies:
                back = np.array(rotation_matrix(system.bodies[name].orientation_deg)).T
                self._lines[i] = LineImpedance(rest, name)
                self._axes[i] = np.kron(np.eye(2), back)
        self._known: dict[float, np.ndarray] = {}
        waves = system.environment.waves
        self._speeds = [(np.full(len(one.strips.normal), FIRST_SPEED),) * 2 for one in self._lines.values()]
        self._amplitude: float | None = None
        if isinstance(waves, JonswapWaves):
            self.words = "their drag linearised in the sea of the file"
            self._in_sea(waves, omega)
        else:
            self._amplitude = 0.5 * float(getattr(waves, "height", 0.0) or 2.0 * AMPLITUDE)
            self.words = f"their drag linearised in regular waves of {2.0 * self._amplitude:g} m height"

    def __call__(self, omega: float) -> np.ndarray:
        if omega not in self._known:
            if self._amplitude is not None:
                self._in_wave(omega, self._amplitude)
            self._known[omega] = self._at(omega)[0]
        return self._known[omega]

    def _at(self, omega: float) -> tuple[np.ndarray, Mapping[int, np.ndarray]]:
        """Force over motion in the floaters' axes, and how the lines of each follow its moves."""
        Z, shapes = self._steady.astype(complex), {}
        for (i, line), speeds in zip(self._lines.items(), self._speeds, strict=True):
            own, axes = slice(6 * i, 6 * i + 6), self._axes[i]
            found, shape = line.at(omega, speeds)
            Z[own, own] += axes @ found @ axes.T
            shapes[i] = shape @ axes.T
        return Z, shapes

    def _moves(self, omega: float) -> Speeds:
        """Of the strips of each floater's lines in a wave of unit amplitude, across and along, m/m."""
        Z, shapes = self._at(omega)
        motion = responses(self._floater, np.array([omega]), self._heading, Z)[0]
        return [line.moves(shapes[i] @ motion[6 * i : 6 * i + 6]) for i, line in self._lines.items()]

    def _in_sea(self, waves: JonswapWaves, omega: np.ndarray) -> None:
        """Speeds by the standard deviations in a sea: v̂² = (8/π) ∫ S ω² |x|² dω."""
        grid = np.linspace(omega[0], omega[-1], GRID)
        density = spectrum(grid, waves.significant_height, waves.peak_period, waves.gamma)
        share = density * grid**2 * np.gradient(grid)
        used = np.flatnonzero(share > 1e-6 * share.max(initial=0.0))
        for _ in range(ROUNDS):
            squares: Speeds = [(np.zeros_like(one), np.zeros_like(two)) for one, two in self._speeds]
            for k in used:
                for total, moves in zip(squares, self._moves(float(grid[k])), strict=True):
                    for part, move in zip(total, moves, strict=True):
                        part += share[k] * move**2
            if self._taken([(IRREGULAR * np.sqrt(one), IRREGULAR * np.sqrt(two)) for one, two in squares]):
                return

    def _in_wave(self, omega: float, amplitude: float) -> None:
        """Speeds by the amplitudes in a regular wave: v̂ = 8/(3π) ω |x| a."""
        by = REGULAR * omega * amplitude
        for _ in range(ROUNDS):
            if self._taken([(by * one, by * two) for one, two in self._moves(omega)]):
                return

    def _taken(self, speeds: Speeds) -> bool:
        """Take the mean of the speeds so far and new ones; whether they agree."""
        change = size = 0.0
        for old, new in zip(self._speeds, speeds, strict=True):
            for one, two in zip(old, new, strict=True):
                change, size = change + float(np.sum((one - two) ** 2)), size + float(np.sum(two**2))
        self._speeds = [
            (0.5 * (old[0] + new[0]), 0.5 * (old[1] + new[1])) for old, new in zip(self._speeds, speeds, strict=True)
        ]
        return change <= CLOSE**2 * size
