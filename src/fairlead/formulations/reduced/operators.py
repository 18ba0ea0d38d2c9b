"""One cable's constant matrices on any set of shapes: strain, bending, mass, weight, and places along it.

Two elements have a strain that is quadratic in the places of the nodes: the cubic `spline` with its mean Green strain,
and the `straight` one (lumped masses with Green strain, Escalante et al., Eqs. 5-9). With shapes Z (node, 3, m) the
mean square slope of element e is zᵀE_e z, so that its strain is (zᵀE_e z − 1)/2. The last number of z is 1: where an
end is clamped, its direction adds to the curvatures of the last shape.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fairlead.algebra.cubic_spline import OTHER, OWN, Curve, end_tangent
from fairlead.model import CableType, System

Floats = NDArray[np.float64]
Element = Literal["spline", "straight"]


@dataclass(frozen=True)
class CableOperators:
    """One cable.

    element   `spline` or `straight`
    lengths   (element,) m
    kinds     the type of each element
    lumped    whether mass and weight sit in the nodes
    gravity   m/s²
    clamps    whether its start and its end are clamped, and the directions there, (2, 3)
    """

    element: Element
    lengths: Floats
    kinds: tuple[CableType, ...]
    lumped: bool
    gravity: float
    clamps: tuple[bool, bool] = (False, False)
    directions: Floats = field(default_factory=lambda: np.zeros((2, 3)))

    @classmethod
    def of(cls, system: System, name: str, element: Element, nodes: Floats) -> CableOperators:
        """Of a cable of a system; `nodes` (node, 3) are its first shape, along which clamps point by themselves."""
        cable = system.cables[name]
        segments = cable.segments(system)
        lumped = element == "straight" or system.simulation.spline.mass == "lumped"
        kinds = tuple(system.types[segment.type_name] for segment in segments)
        lengths = np.array([segment.length for segment in segments])
        ends, clamps = (cable.start, cable.end), (cable.start.joint == "clamp", cable.end.joint == "clamp")
        first, last = end_tangent(nodes, lengths), -end_tangent(nodes[::-1], lengths[::-1])
        given = [own if end.direction is None else end.direction for end, own in zip(ends, (first, last), strict=True)]
        directions = np.array([np.array(way) / np.linalg.norm(way) for way in given])
        return cls(element, lengths, kinds, lumped, system.environment.gravity, clamps, directions)

    @cached_property
    def curve(self) -> Curve:
        """The curve through the nodes."""
        return Curve(self.lengths, self.clamps if self.element == "spline" else (False, False))

    @property
    def along(self) -> Floats:
        """Places of the nodes along the cable, from 0 to 1."""
        arc = np.concatenate(([0.0], np.cumsum(self.lengths)))
        return np.asarray(arc / arc[-1])

    @cached_property
    def slopes(self) -> Floats:
        """(element, node): slopes of the elements per place of the nodes, 1/m."""
        n = len(self.lengths)
        return np.asarray((np.eye(n, n + 1, 1) - np.eye(n, n + 1)) / self.lengths[:, None])

    @cached_property
    def curvatures(self) -> Floats:
        """(node, node): r″ at the nodes per place of the nodes, 1/m²; nothing for straight elements."""
        n = len(self.lengths) + 1
        return self.curve.bending() if self.element == "spline" else np.zeros((n, n))

    @cached_property
    def turned(self) -> Floats:
        """(node, 3): r″ at the nodes that clamps give of themselves, 1/m."""
        if self.element == "straight" or not any(self.clamps):
            return np.zeros((len(self.lengths) + 1, 3))
        return self.curve.turned(*self.directions)

    @property
    def stiffnesses(self) -> Floats:
        """√(EA h) of the elements, (element,): a strain times it, squared and halved, is the energy it stores."""
        return np.asarray(np.sqrt(self.lengths * np.array([kind.ea for kind in self.kinds])))

    def bent(self, shapes: Floats) -> Floats:
        """Curvatures (node, 3, m) of shapes (node, 3, m)."""
        bent = _on(self.curvatures, shapes)
        bent[:, :, -1] += self.turned
        return bent

    def strain_forms(self, shapes: Floats) -> Floats:
        """E (element, m, m) of shapes (node, 3, m)."""
        d, bent = _on(self.slopes, shapes), self.bent(shapes)
        first, last, square = bent[:-1], bent[1:], (self.lengths**2)[:, None, None]
        forms = np.matmul(d.transpose(0, 2, 1), d)
        if self.element == "straight":
            return np.asarray(forms)
        forms += square * OWN * (_squares(first) + _squares(last))
        mixed = np.matmul(first.transpose(0, 2, 1), last)
        return np.asarray(forms + square * OTHER * (mixed + mixed.transpose(0, 2, 1)))

    def strains(self, places: Floats) -> Floats:
        """Strain of every element, (sample, element), of places (sample, node, 3) m."""
        d = np.einsum("en,tni->tei", self.slopes, places)
        squares = np.einsum("tei,tei->te", d, d)
        if self.element == "spline":
            bent = np.einsum("nm,tmi->tni", self.curvatures, places) + self.turned
            own = np.einsum("tni,tni->tn", bent, bent)
            other = np.einsum("tni,tni->tn", bent[:, :-1], bent[:, 1:])
            squares = squares + self.lengths**2 * (OWN * (own[:, :-1] + own[:, 1:]) + 2.0 * OTHER * other)
        return np.asarray(0.5 * (squares - 1.0))

    def strain_gradients(self, weights: Floats, places: Floats) -> Floats:
        """Gradient (sample, node, 3) of Σ_e weights_e e_e at places (sample, node, 3)."""
        d = np.einsum("en,tni->tei", self.slopes, places)
        pull = np.einsum("e,tei,en->tni", weights, d, self.slopes, optimize=True)
        if self.element == "straight":
            return np.asarray(pull)
        bent = np.einsum("nm,tmi->tni", self.curvatures, places) + self.turned
        onto, heavy = np.zeros_like(bent), (weights * self.lengths**2)[:, None]
        onto[:, :-1] += heavy * (OWN * bent[:, :-1] + OTHER * bent[:, 1:])
        onto[:, 1:] += heavy * (OWN * bent[:, 1:] + OTHER * bent[:, :-1])
        return np.asarray(pull + np.einsum("nm,tni->tmi", self.curvatures, onto))

    def bending_form(self, shapes: Floats, damping: bool = False) -> Floats:
        """(m, m): EI ∫ r″·r″ as a form of z; with `damping` EI times the damping time of each element."""
        if self.element == "straight":
            return np.zeros((shapes.shape[2], shapes.shape[2]))
        share = np.zeros((len(self.lengths) + 1,) * 2)
        for e, (length, kind) in enumerate(zip(self.lengths, self.kinds, strict=True)):
            stiff = kind.ei * (kind.damping_bending if damping else 1.0)
            share[e : e + 2, e : e + 2] += stiff * length * np.array([[1 / 3, 1 / 6], [1 / 6, 1 / 3]])
        bent = self.bent(shapes)
        return np.asarray(np.einsum("niz,nm,miw->zw", bent, share, bent, optimize=True))

    def mass(self) -> Floats:
        """(node, node) kg, the same along x, y and z."""
        return self.curve.mass(np.array([kind.mass_per_metre for kind in self.kinds]), self.lumped)

    def weight_form(self, shapes: Floats) -> Floats:
        """(m,): weight as a gradient by z, N."""
        heavy = np.array([kind.mass_per_metre for kind in self.kinds]) * self.gravity
        return np.asarray((self.curve.load_shares(self.lumped) @ heavy) @ shapes[:, 2])

    def at(self, arc: float, shapes: Floats) -> tuple[int, Floats, Floats, Floats]:
        """Element, and place, slope and curvature (3, m) each of z, `arc` m from the start."""
        ends = np.cumsum(self.lengths)
        e = min(int(np.searchsorted(ends, arc)), len(ends) - 1)
        h = self.lengths[e]
        u = (arc - ends[e]) / h + 1.0
        f = 1.0 - u
        pair = self.curvatures[e : e + 2]
        first, last = np.tensordot(pair, shapes, axes=(1, 0))
        first[:, -1] += self.turned[e]
        last[:, -1] += self.turned[e + 1]
        place = f * shapes[e] + u * shapes[e + 1] + h * h / 6.0 * ((f**3 - f) * first + (u**3 - u) * last)
        slope = (shapes[e + 1] - shapes[e]) / h
        slope = slope + h / 6.0 * ((1.0 - 3.0 * f * f) * first + (3.0 * u * u - 1.0) * last)
        return e, np.asarray(place), np.asarray(slope), np.asarray(f * first + u * last)


def _on(matrix: Floats, shapes: Floats) -> Floats:
    return np.asarray(np.tensordot(matrix, shapes, axes=(1, 0)))


def _squares(part: Floats) -> Floats:
    return np.asarray(np.matmul(part.transpose(0, 2, 1), part))


def gauss_points(count: int, length: float) -> tuple[Floats, Floats]:
    """Places (count,) m and weights (count,) m of Gauss's rule over the whole cable."""
    places, weights = np.polynomial.legendre.leggauss(count)
    return 0.5 * length * (places + 1.0), 0.5 * length * weights
