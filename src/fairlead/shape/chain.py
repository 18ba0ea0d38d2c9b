"""A cable as a chain of bars: what is asked for (`Chain`), what comes back (`Hang`), and how it hangs freely."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairlead.shape.closure import close_chain

Floats = NDArray[np.float64]
State = Literal["hanging", "resting", "straight", "stretched", "squeezed"]
UPWARD = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class Hang:
    """A cable in its first shape.

    nodes: (n+1, 3) [m]; tensions: (n,) in the middle of each element, along it [N], negative where a bar takes thrust;
    force_start, force_end: (3,) of the cable on its supports, attachments at the ends included [N]; strain: (n,) [-],
    zero for rigid bars unless stretched or squeezed; state: how it lies; balanced: whether each bar is in exact
    equilibrium under its weight; note: what a user must know, or "".
    """

    nodes: Floats
    tensions: Floats
    force_start: Floats
    force_end: Floats
    strain: Floats
    state: State
    balanced: bool
    note: str = ""

    @property
    def taut(self) -> bool:
        """Whether the cable is stretched between its ends."""
        return self.state == "stretched"

    @property
    def horizontal(self) -> float:
        """Horizontal pull H at the start [N]."""
        return float(np.hypot(self.force_start[0], self.force_start[1]))

    @property
    def vertical_start(self) -> float:
        """Vertical force on the start support [N], negative where the cable hangs from it."""
        return float(self.force_start[2])

    @property
    def vertical_end(self) -> float:
        """Vertical force on the end support [N], negative where the cable hangs from it."""
        return float(self.force_end[2])


@dataclass(frozen=True)
class Chain:
    """What `hang` was asked for, as checked arrays; `outward` (3,) is the horizontal direction of the chord, and
    `compliance` (n,) 1/EA of the elements [1/N], zero where they do not stretch."""

    start: Floats
    end: Floats
    lengths: Floats
    weights: Floats
    node_weights: Floats
    outward: Floats
    compliance: Floats

    @classmethod
    def between(
        cls,
        start: ArrayLike,
        end: ArrayLike,
        lengths: ArrayLike,
        weights: ArrayLike,
        node_weights: ArrayLike | None,
        axial_stiffness: ArrayLike | None = None,
    ) -> "Chain":
        """Check shapes and signs; for a vertical chord the cable's plane is the one that contains x."""
        a, b = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
        sides, loads = np.atleast_1d(np.asarray(lengths, dtype=float)), np.atleast_1d(np.asarray(weights, dtype=float))
        extra = np.zeros(len(sides) + 1) if node_weights is None else np.asarray(node_weights, dtype=float)
        if a.shape != (3,) or b.shape != (3,) or loads.shape != sides.shape or extra.shape != (len(sides) + 1,):
            raise ValueError("hang: ends need shape (3,), lengths and weights (n,), node_weights (n+1,)")
        if len(sides) == 0 or not (sides > 0.0).all():
            raise ValueError("hang: a cable needs at least one element, and every length must be positive")
        if not all(np.isfinite(values).all() for values in (a, b, sides, loads, extra)):
            raise ValueError("hang: positions, lengths and weights must be finite numbers")
        across = np.array([b[0] - a[0], b[1] - a[1], 0.0])
        span = np.hypot(across[0], across[1])
        outward = across / span if span > 0.0 else np.array([1.0, 0.0, 0.0])
        give = np.zeros_like(sides)
        if axial_stiffness is not None:
            give = 1.0 / np.broadcast_to(np.asarray(axial_stiffness, dtype=float), sides.shape)
        return cls(a, b, sides, loads, extra, outward, give)

    @property
    def elastic(self) -> bool:
        """Whether all elements stretch."""
        return bool((self.compliance > 0.0).all())

    @property
    def length(self) -> float:
        """Unstretched length [m]."""
        return float(self.lengths.sum())

    @property
    def chord(self) -> float:
        """Distance of the ends [m]."""
        return float(np.linalg.norm(self.end - self.start))

    @property
    def loads(self) -> Floats:
        """c (n,): weight between the start support and the middle of each element [N]."""
        return np.asarray(
            np.cumsum(self.weights) - 0.5 * self.weights + np.cumsum(self.node_weights[:-1]) - self.node_weights[0]
        )

    def laid(
        self,
        directions: Floats,
        force: Floats,
        contact: Floats | None = None,
        strain: Floats | None = None,
        *,
        state: State,
        balanced: bool,
        note: str = "",
    ) -> Hang:
        """The shape with unit `directions` (n, 3) and `force` (3,) on the start support before its own attachment.

        contact: (n+1,) force of a plane on the nodes, upwards [N], for the force on the other end; strain: (n,), none
        when left out.
        """
        stretched = np.zeros(len(self.lengths)) if strain is None else strain
        steps = (self.lengths * (1.0 + stretched))[:, None] * directions
        nodes = np.vstack((self.start, self.start + np.cumsum(steps, axis=0)))
        along = np.concatenate(([0.0], np.cumsum(self.lengths) / self.length))
        nodes += along[:, None] * (self.end - nodes[-1])  # rounding error only: spread, so that no joint shows it
        nodes[-1] = self.end
        lift = np.zeros(len(nodes)) if contact is None else contact
        inner = force + np.outer(self.loads - np.cumsum(lift)[:-1], UPWARD)
        last = force + (self.weights.sum() + self.node_weights[1:].sum() - lift.sum()) * UPWARD
        return Hang(
            nodes=nodes,
            tensions=np.einsum("ij,ij->i", inner, directions),
            force_start=force - self.node_weights[0] * UPWARD,
            force_end=-last,
            strain=stretched,
            state=state,
            balanced=balanced,
            note=note,
        )


def hang_freely(chain: Chain) -> Hang:
    """The discrete catenary of a slack cable that touches nothing."""
    across = chain.end - chain.start
    span = float(np.hypot(across[0], across[1]))
    closed = close_chain(chain.lengths, chain.loads, chain.compliance, span, float(across[2]))
    directions, force = in_plane(closed.directions, chain.outward), in_plane(closed.force, chain.outward)
    return chain.laid(directions, force, strain=closed.strain, state="hanging", balanced=closed.balanced)


def pointing(horizontal: float, v: Floats) -> Floats:
    """Unit vectors (n, 2) along the forces with one horizontal part H and vertical parts v (n,) [N]."""
    size = np.hypot(horizontal, v)
    return np.column_stack((horizontal / size, v / size))


def in_plane(vectors: Floats, outward: Floats) -> Floats:
    """(..., 3) from components (..., 2) along `outward` and up."""
    return np.asarray(vectors[..., :1] * outward + vectors[..., 1:] * UPWARD)
