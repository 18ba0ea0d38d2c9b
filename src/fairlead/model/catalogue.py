"""Chains, wires and ropes by what they are called: mass, volume, stiffness, strength, drag and added mass.

All follow from the nominal diameter d (of the bar of a chain, of the outside of a rope as it is sold), in m. Drag is
given on d in the sources; here it is turned onto the diameter of the displaced volume, which the model has, and axial
drag is on the projected area d times length, without the π of the skin.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

GRADES = {"R3": 2.23e4, "R3S": 2.49e4, "R4": 2.74e4, "R4S": 3.04e4, "R5": 3.20e4}
"""Grades of chain: c in the breaking load c d² (44 - 80 d) MN, kN/m²."""
MODULUS = {"R3": (5.40, 4.0), "R3S": (5.40, 4.0), "R4": (5.45, 2.5), "R4S": (5.45, 2.5), "R5": (6.00, 3.3)}
"""Of studless chain, E = (a - b d) 1e10 Pa on both bars of a link; R3S and R4S as R3 and R4, for which it is given."""
_CHAIN = (
    "breaking load: IACS UR W22; makers' tables by DNV-OS-E302, the same to a kN",
    "mass, volume: OrcaFlex documentation, Chain; MoorPy MoorProps_default.yaml, the same within 0.5 %",
    "drag, added mass: DNV-OS-E301, Bureau Veritas NR 493; OrcaFlex documentation, Chain, the same",
)
_ROPE_LOADS = (
    "drag: DNV-OS-E301; Dewey, Marine Models 1 (1999), 1.3, 19 % below",
    "added mass: Bureau Veritas NR 493, by MoorPy; no other was found",
)
_HARBOUR = "harbour ropes, by OrcaFlex documentation, Rope/Wire, and makers:"


@dataclass(frozen=True)
class Entry:
    """One kind of line. Functions take d in m and, for chains, the grade; ropes have a dynamic stiffness (a + b x) MBL.

    mass: of a metre over d², kg/m³; volume: diameter of the displaced volume over d; drag, added: normal and axial.
    """

    title: str
    mass: float
    volume: float
    breaking_load: Callable[[float, str], float]
    stiffness: Callable[[float, str], float]
    drag: tuple[float, float]
    added: tuple[float, float]
    sources: tuple[str, ...]
    dynamic: tuple[float, float] | None = None
    graded: bool = False

    def values(self, d: float, grade: str, corrosion: float, mean_load: float | None) -> dict[str, Any]:
        """Keys of a cable type. Corrosion takes from the strength alone; with a mean load the stiffness is dynamic."""
        strength = self.breaking_load(d - corrosion, grade)
        stiffness = self.stiffness(d, grade)
        if mean_load is not None and self.dynamic is not None:
            base, slope = self.dynamic
            stiffness = (base + slope * mean_load) * self.breaking_load(d, grade)
        normal, axial = (coefficient / self.volume for coefficient in self.drag)
        return {
            "diameter": self.volume * d,
            "mass_per_length": self.mass * d**2,
            "axial_stiffness": stiffness,
            "drag": {"normal": normal, "axial": axial, "axial_area": "projected"},
            "added_mass": {"normal": self.added[0], "axial": self.added[1]},
            "breaking_load": strength,
        }


def _chain_strength(d: float, grade: str) -> float:
    return GRADES[grade] * d**2 * (44.0 - 80.0 * d) * 1e3


def _studless_stiffness(d: float, grade: str) -> float:
    a, b = MODULUS[grade]
    return 0.5 * math.pi * d**2 * (a - b * d) * 1e10


def _rope(
    title: str, mass: float, volume: float, strength: tuple[float, float], static: float, dynamic: tuple[float, float],
    second: tuple[str, ...],
) -> Entry:  # fmt: skip
    """A rope of fibre: breaking load s₂ d² + s₃ d³, static stiffness in breaking loads; what second sources say."""

    def breaking(d: float, _: str) -> float:
        return strength[0] * d**2 + strength[1] * d**3

    first = "mass, strength, stiffness: MoorPy MoorProps_default.yaml"
    return Entry(
        title, mass, volume, breaking, lambda d, grade: static * breaking(d, grade), (1.6, 0.0), (1.1, 0.15),
        (first, *second, *_ROPE_LOADS), dynamic,
    )  # fmt: skip


CATALOGUE = {
    "chain_studless": Entry(
        "studless chain", 19.9e3, 1.80, _chain_strength, _studless_stiffness, (2.4, 1.15), (1.0, 0.5),
        (*_CHAIN, "stiffness: DNV-OS-E301; OrcaFlex documentation, Chain, 0.854e11 d²: R4 +0.2 % thin, -8 % at 185 mm"),
        graded=True,
    ),
    "chain_studlink": Entry(
        "stud-link chain", 21.9e3, 1.89, _chain_strength, lambda d, _: 0.88e11 * d**2, (2.6, 1.4), (1.0, 0.5),
        (*_CHAIN, "stiffness: DNV-OS-E301 and MoorPy; OrcaFlex documentation, Chain, 1.01e11 d², 15 % above"),
        graded=True,
    ),
    "wire_six_strand": Entry(
        "six-strand wire rope", 3.99e3, 0.80, lambda d, _: 633e6 * d**2, lambda d, _: 0.404e11 * d**2, (1.8, 0.0),
        (1.0, 0.0),
        (
            "mass, volume, strength: OrcaFlex documentation, Rope/Wire; EN 12385-4, 6x36 IWRC 1770, +2.5 % and -0.5 %",
            "stiffness: OrcaFlex documentation, Rope/Wire; DNV-OS-E301, 7.0e10 Pa on the nominal area, 36 % above",
            "drag: DNV-OS-E301; Dewey, Marine Models 1 (1999), 1.3, 28 % below",
        ),
    ),
    "wire_spiral_strand": Entry(
        "sheathed spiral strand", 5.293e3, 1.18, lambda d, _: 1022e6 * d**2, lambda d, _: 0.971e11 * d**2, (1.2, 0.0),
        (1.0, 0.0),
        (
            "mass, volume: MoorPy MoorProps_default.yaml; bare bridge strand (no source to cite), 6 to 9 % below",
            "strength: MoorPy; bridge strand, 1770 MPa on the metal (no source to cite), 0 to 4 % above",
            "stiffness: MoorPy; DNV-OS-E301, 1.13e11 Pa on the nominal area, 9 % below",
            "drag: DNV-OS-E301; MoorPy, the same; Dewey, Marine Models 1 (1999), 1.3, 8 % above",
        ),
    ),
    "polyester": _rope(
        "polyester rope", 679.0, 0.79, (308e6, 0.0), 14.0, (11.6, 40.0),
        (f"{_HARBOUR} 610 to 798 d² kg/m, 170e6 to 175e6 d² N", "static stiffness: OrcaFlex 6.4 breaking loads"),
    ),
    "nylon": _rope(
        "nylon rope", 585.0, 0.81, (207e6, 230e6), 5.0, (2.08, 39.0),
        (f"{_HARBOUR} 648 to 716 d² kg/m, 139e6 wet to 213e6 d² N", "static stiffness: OrcaFlex 0.7 breaking loads"),
    ),
    "hmpe": _rope(
        "HMPE rope", 496.0, 0.80, (580e6, 651e6), 56.0, (59.0, 54.0),
        (
            "volume: a maker's density of the fibre, 980 kg/m³, the same within 1 %",
            "mass, stiffness: Fechner et al., Renewable Energy 83 (2015), tether of 4 mm, 15 % and 18 % above",
            "strength: a bare braid of 4 mm, 2.3 times as much: take the maker's number",
        ),
    ),
}  # fmt: skip
"""Kinds of line by name; `docs/catalogue.md` holds each number against its second source."""
