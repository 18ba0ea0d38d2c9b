"""A slack cable on a plane: legs that hang from its ends, the rest laid on the plane.

The plane is the seabed, or the surface of the sea for a cable that floats. Where the cable is pulled along the plane
its legs are catenaries that touch down tangentially and the grounded part is straight, with one horizontal force H
throughout, as if friction held its weight on a slope. Where there is more cable than that, H = 0: the legs are upright
and the grounded part lies on the plane as an arc.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairlead.shape.arc import arc_directions, arc_exists
from fairlead.shape.bracket import positive_root, root
from fairlead.shape.chain import UPWARD, Chain, Hang, in_plane, pointing
from fairlead.shape.plane import Plane

Floats = NDArray[np.float64]
ROUNDS = 4  # how often the stretch of an upright leg is found anew, where it decides how many elements stand upright


@dataclass(frozen=True)
class Leg:
    """One end of the cable and all its elements, counted from that end inwards, as seen with the plane below.

    lengths: (n,) unstretched [m]; compliance: 1/EA (n,) [1/N]; loads: (n,) weight from the end to the middle of each
    element, towards the plane [N]; height: of the end, measured vertically from the plane [m]; side: +1 above the
    plane, -1 below it, where the leg is its mirror image; slope: of the plane towards the end; buried: whether the end
    is inside the ground, so that the leg climbs straight out of it.
    """

    lengths: Floats
    compliance: Floats
    loads: Floats
    height: float
    side: float
    slope: float
    buried: bool

    def stretched(self, horizontal: float, v: Floats) -> Floats:
        """Lengths (n,) [m] of the elements under the pull H and the vertical forces v (n,) [N] in their middles."""
        return np.asarray(self.lengths * (1.0 + self.compliance * np.hypot(horizontal, v)))

    def upright(self) -> tuple[int, float, Floats]:
        """How many elements stand upright when nothing pulls, the height that is left for the next one [m], and the
        lengths (n,) of the elements [m], those upright stretched by what hangs from them."""
        reach = np.cumsum(self.lengths)
        lengths = self.lengths
        for _ in range(ROUNDS):
            count = int(np.searchsorted(reach, self.height, side="right"))
            hanging = np.zeros_like(lengths)
            if not self.buried and count < len(lengths):
                hanging[:count] = self.loads[count] - self.loads[:count]
            before, lengths = lengths, self.stretched(0.0, hanging)
            reach = np.cumsum(lengths)
            if np.array_equal(before, lengths):
                break
        return count, self.height - (float(reach[count - 1]) if count else 0.0), lengths

    def directions(self, horizontal: float) -> tuple[Floats, Floats] | None:
        """Directions (n, 2) of the elements, outward and up, and their vertical forces v (n,) [N] under the pull H.

        An element points along (H, v) with v = max(slope H, P - load), P being the force at the end that makes the
        leg as high as it must be; on the ground v = slope H. None where the leg is too short.
        """
        ground = self.slope * horizontal
        if self.buried:
            return self._climbing(ground, horizontal), np.full_like(self.loads, ground)
        if self.height <= 0.0:
            return pointing(horizontal, np.full_like(self.loads, ground)), np.full_like(self.loads, ground)

        def too_high(pull: float) -> float:
            v = np.maximum(ground, pull - self.loads)
            tension = np.hypot(horizontal, v)
            lengths = self.lengths * (1.0 + self.compliance * tension)
            return float(lengths @ ((v - ground) / tension)) - self.height

        low = ground + float(self.loads[0])
        step = horizontal + float(self.loads[0])
        while too_high(low + step) < 0.0:
            step *= 2.0
            if step > 1e12 * (horizontal + float(self.loads[-1])):
                return None
        v = np.maximum(ground, root(too_high, low, low + step) - self.loads)
        return pointing(horizontal, v), v

    def _climbing(self, ground: float, horizontal: float) -> Floats:
        lengths = self.stretched(horizontal, np.full_like(self.loads, ground))
        reach = np.cumsum(lengths)
        count = int(np.searchsorted(reach, self.height, side="right"))
        left = self.height - (float(reach[count - 1]) if count else 0.0)
        flat = float(np.arctan(self.slope))
        angles = np.full(len(lengths), flat)
        angles[:count] = 0.5 * np.pi
        if count < len(angles):
            angles[count] = flat + np.arcsin(min(1.0, left * np.cos(flat) / lengths[count]))
        return np.column_stack((np.cos(angles), np.sin(angles)))


def legs_of(chain: Chain, plane: Plane, from_start: Floats, from_end: Floats, ground: bool) -> tuple[Leg, Leg]:
    """The legs at the start and at the end.

    from_start, from_end: (n,) weight of each element towards the plane in the medium of that leg [N], positive;
    ground: whether the far side of the plane is solid, so that an end there is buried.
    """
    n = len(chain.lengths)
    climb = plane.slope_along(chain.outward)
    legs = []
    for point, order, weights, slope in (
        (chain.start, slice(None), from_start, -climb),
        (chain.end, slice(None, None, -1), from_end, climb),
    ):
        height = float(plane.height(point))
        side = 1.0 if height >= 0.0 else -1.0
        passed = np.concatenate(([0.0], np.abs(chain.node_weights[1:n][order])))
        loads = np.cumsum(weights[order]) - 0.5 * weights[order] + np.cumsum(passed)
        legs.append(
            Leg(
                chain.lengths[order], chain.compliance[order], loads, abs(height), side, side * slope,
                ground and side < 0.0,
            )
        )  # fmt: skip
    return legs[0], legs[1]


def lay(chain: Chain, plane: Plane, first: Leg, last: Leg) -> Hang | None:
    """The cable on the plane, or None where it cannot touch it with these legs."""
    slack = _lay_slack(chain, plane, first, last)
    return slack if slack is not None else _lay_pulled(chain, plane, first, last)


def _lay_pulled(chain: Chain, plane: Plane, first: Leg, last: Leg) -> Hang | None:
    across = chain.end - chain.start
    span = float(np.hypot(across[0], across[1]))
    along = plane.along(chain.outward)
    level = float(along @ chain.outward)
    n = len(chain.lengths)

    def too_far(horizontal: float) -> float:
        flat = first.stretched(horizontal, np.full(n, horizontal * float(along @ UPWARD) / level))
        reach = float(flat.sum()) * level - span
        for leg, lying in ((first, flat), (last, flat[::-1])):
            found = leg.directions(horizontal)
            if found is None:
                return float("nan")
            reach += float(leg.stretched(horizontal, found[1]) @ found[0][:, 0] - lying.sum() * level)
        return reach

    weight = max(float(first.loads[-1]), float(last.loads[-1]))
    horizontal = positive_root(too_far, 0.1 * weight)
    if horizontal is None:
        return None
    head, tail = first.directions(horizontal), last.directions(horizontal)
    if head is None or tail is None:
        return None
    flat = np.array([level, float(along @ UPWARD)])
    off_start, off_end = _lifted(head[0], first), _lifted(tail[0], last)[::-1]
    if np.any(off_start & off_end):
        return None
    directions = np.tile(flat, (n, 1))
    v = np.full(n, horizontal * flat[1] / flat[0])
    directions[off_start] = (head[0] * (1.0, -first.side))[off_start]
    v[off_start] = -first.side * head[1][off_start]
    directions[off_end] = (tail[0] * (1.0, last.side))[::-1][off_end]
    v[off_end] = last.side * tail[1][::-1][off_end]
    strain = chain.compliance * np.hypot(horizontal, v)
    return resting(chain, in_plane(directions, chain.outward), v, horizontal, strain, _exact(plane, first, last))


def _lifted(directions: Floats, leg: Leg) -> NDArray[np.bool_]:
    """Which elements of a leg, from its end inwards, are clear of the plane at their outer end."""
    return directions[:, 1] - leg.slope * directions[:, 0] > 1e-15


def _lay_slack(chain: Chain, plane: Plane, first: Leg, last: Leg) -> Hang | None:
    """No pull: upright legs, and between their feet an arc on the plane; None where the cable is too short for that.

    The foot of a leg is the element that leans from its lowest upright node to the plane; seen along the normal it is
    one more side of the arc, shortened.
    """
    n = len(chain.lengths)
    (head, head_left, from_start), (tail, tail_left, from_end) = first.upright(), last.upright()
    if head + tail + 2 > n:
        return None
    normal = plane.normal
    top = chain.start - first.side * float(from_start[:head].sum()) * UPWARD
    bottom = chain.end - last.side * float(from_end[:tail].sum()) * UPWARD
    lengths = chain.lengths[head : n - tail]
    drops = np.zeros(len(lengths))
    drops[0] = first.side * head_left * normal[2]
    drops[-1] = last.side * tail_left * normal[2]
    sides = np.sqrt(np.maximum(lengths**2 - drops**2, 0.0))
    chord = bottom - top
    chord = chord - (chord @ normal) * normal
    distance = float(np.linalg.norm(chord))
    straight = abs(distance - sides.sum()) <= 1e-12 * chain.length  # a loose end laid out to its full length
    if not straight and not arc_exists(sides, distance):
        return None
    along = chord / distance if distance > 1e-12 * chain.length else plane.along(chain.outward)
    flat = sides[:, None] * (np.array([[1.0, 0.0]]) if straight else arc_directions(sides, distance))
    drops[0] = -drops[0]
    steps = flat[:, :1] * along + flat[:, 1:] * np.cross(normal, along) + drops[:, None] * normal
    directions = np.zeros((n, 3))
    directions[:head] = -first.side * UPWARD
    directions[n - tail :] = last.side * UPWARD
    directions[head : n - tail] = steps / lengths[:, None]
    v = np.zeros(n)
    if not first.buried:
        v[:head] = first.side * (first.loads[:head] - first.loads[head])
    if not last.buried:
        v[n - tail :] = (last.side * (last.loads[tail] - last.loads[:tail]))[::-1]
    strain = chain.compliance * np.abs(v)
    return resting(chain, directions, v, 0.0, strain, _exact(plane, first, last))


def _exact(plane: Plane, first: Leg, last: Leg) -> bool:
    """Whether the construction is an equilibrium without friction: not on a slope, not with an end in the ground."""
    return not any(plane.slope) and not any(leg.buried and leg.height > 0.0 for leg in (first, last))


def resting(chain: Chain, directions: Floats, v: Floats, horizontal: float, strain: Floats, balanced: bool) -> Hang:
    """The shape, given the vertical force v (n,) in the middle of each element and its strain (n,); the plane carries
    what is missing."""
    loads = chain.loads
    contact = np.zeros(len(v) + 1)
    contact[1:-1] = np.diff(loads) - np.diff(v)
    force = horizontal * chain.outward + (v[0] - loads[0]) * UPWARD
    return chain.laid(directions, force, contact, strain, state="resting", balanced=balanced)
