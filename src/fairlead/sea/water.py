"""The sea as one compiled function: `fluid(t, x, y, z, sea)`.

`sea` is one flat float64 array (see `pack`), so that every load sees the water through the same call, whatever
is in it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from fairlead.algebra.compiled import inlined, kernel
from fairlead.algebra.lanes import all_lanes, any_lane, common, where
from fairlead.algebra.recorded import numbers
from fairlead.algebra.relief import Relief
from fairlead.algebra.small import add, add_scaled, subtract, vector_of
from fairlead.model import Environment
from fairlead.sea.grids import NODE, carried, field_rows, survey_rows, surveyed
from fairlead.sea.waves import growth, wave_columns, wave_elevation, wave_flow, wave_flows, wave_surface

(
    DENSITY, GRAVITY, VISCOSITY, BED_PRESENT, BED_X, BED_Y, BED_Z, BED_HEIGHT, BED_SLOPE_X, BED_SLOPE_Y, BED_FRICTION,
    CURRENT_COUNT, WAVE_FIRST, WAVE_COUNT, WAVE_RAMP, WAVE_DEPTH, WAVE_STRETCHING, WIND_X, WIND_Y, WIND_Z, GUST_FIRST,
    GUST_COUNT, SURVEY_FIRST, SURVEY_COLUMNS, SURVEY_ROWS, STIRRED, FIELD_FIRST, FIELD_TIMES, FIELD_COLUMNS, FIELD_ROWS,
    FIELD_LEVELS,
) = range(31)  # fmt: skip
CURRENT_FIRST = 31

STRUCTURE = (
    BED_PRESENT, CURRENT_COUNT, WAVE_FIRST, WAVE_COUNT, WAVE_RAMP, WAVE_DEPTH, WAVE_STRETCHING, SURVEY_FIRST,
    SURVEY_COLUMNS, SURVEY_ROWS, STIRRED, FIELD_FIRST, FIELD_TIMES, FIELD_COLUMNS, FIELD_ROWS, FIELD_LEVELS,
)  # fmt: skip
"""Numbers that decide what is computed: alike in all members of a pack."""

WHEELER, VERTICAL, UNSTRETCHED = range(3)
_STRETCHINGS = {"wheeler": WHEELER, "vertical": VERTICAL, "none": UNSTRETCHED}


def pack(environment: Environment) -> np.ndarray:
    """Flat array of the sea: density, gravity, viscosity, seabed plane, friction, wind, then (z, vx, vy, vz) of the
    current, the regular waves, column by column, (t, factor) of the gusts, and the grids of seabed and current.

    The seabed is the plane z = BED_HEIGHT + slope·(x, y), with the unit upward normal n, or as it was surveyed; see
    `bed_at`. The water is `stirred` where it moves otherwise than by its height alone.
    """
    bed = environment.seabed
    slope, height = (0.0, 0.0), -np.inf
    if bed is not None:
        slope, height = (float(bed.slope[0]), float(bed.slope[1])), -bed.depth
    normal = np.array([-slope[0], -slope[1], 1.0])
    normal /= np.linalg.norm(normal)
    table = environment.current_table
    waves = wave_columns(environment)
    ramp, stretching = 0.0, WHEELER
    if environment.waves is not None:
        ramp, stretching = environment.waves.ramp, _STRETCHINGS[environment.waves.stretching]
    wind = environment.wind
    gusts = () if wind is None else wind.gusts
    survey = None if bed is None or bed.bathymetry is None else bed.bathymetry.relief
    field = environment.current_field
    rows = [number for z, velocity in table for number in (z, *velocity)]
    blown = [number for row in gusts for number in row]
    tables: list[Any] = [rows, waves.ravel(), blown, survey_rows(survey), field_rows(field)]
    _, wave_first, gust_first, survey_first, field_first = CURRENT_FIRST + np.cumsum([0, *map(len, tables[:-1])])
    head = [
        environment.water_density, environment.gravity, environment.viscosity,
        float(bed is not None), *normal, height, *slope, bed.friction if bed is not None else 0.0, float(len(table)),
        float(wave_first), float(waves.shape[1]), ramp, environment.depth,
        float(stretching), *((0.0, 0.0, 0.0) if wind is None else wind.vector), float(gust_first), float(len(gusts)),
        float(survey_first), *((0.0, 0.0) if survey is None else map(float, survey.nodes.shape[:2])),
        float(waves.shape[1] > 0 or field is not None), float(field_first),
        *((0.0,) * 4 if field is None else map(float, field.counts)),
    ]  # fmt: skip
    return numbers([*head, *(number for part in tables for number in part)])


@inlined
def current(z, sea):
    """Velocity of the current at height z: linear between the given heights, constant beyond them."""
    count = int(common(sea[CURRENT_COUNT]))
    if count == 0:
        return (0.0, 0.0, 0.0)
    flow = vector_of(sea, CURRENT_FIRST + 1)
    for i in range(CURRENT_FIRST, CURRENT_FIRST + 4 * (count - 1), 4):
        higher = z > sea[i]
        if not any_lane(higher):
            break
        below, above = vector_of(sea, i + 1), vector_of(sea, i + 5)
        flow = where(z >= sea[i + 4], above, flow)
        between = higher & (z < sea[i + 4])
        if any_lane(between):
            f = (z - sea[i]) / (sea[i + 4] - sea[i])
            flow = where(between, add_scaled(below, f, subtract(above, below)), flow)
    return flow


@inlined
def stream(t, x, y, z, sea):
    """Velocity (3) and local acceleration (3) of the current, by its height and as it is over time and place."""
    flow, push = current(z, sea), (0.0, 0.0, 0.0)
    times = int(common(sea[FIELD_TIMES]))
    if times == 0:
        return flow, push
    columns, rows, levels = sea[FIELD_COLUMNS], sea[FIELD_ROWS], sea[FIELD_LEVELS]
    more, push = carried(
        t, x, y, z, int(common(sea[FIELD_FIRST])), times, int(common(columns)), int(common(rows)), int(common(levels)),
        sea,
    )  # fmt: skip
    return add(flow, more), push


@kernel
def elevation(t, x, y, sea):
    """Height of the water surface above its mean level [m]."""
    count = int(common(sea[WAVE_COUNT]))
    if count == 0:
        return 0.0
    share, _ = growth(t, common(sea[WAVE_RAMP]))
    return share * wave_elevation(t, x, y, int(common(sea[WAVE_FIRST])), count, sea)


@kernel
def surface(t, x, y, sea):
    """Surface above a place: height η [m], its rate ∂η/∂t [m/s] and its slopes ∂η/∂x and ∂η/∂y."""
    count = int(common(sea[WAVE_COUNT]))
    if count == 0:
        return 0.0, 0.0, 0.0, 0.0
    share, rate = growth(t, common(sea[WAVE_RAMP]))
    height, rise, slope_x, slope_y = wave_surface(t, x, y, int(common(sea[WAVE_FIRST])), count, sea)
    return share * height, share * rise + rate * height, share * slope_x, share * slope_y


@kernel
def surface_rise(t, p, v, sea):
    """Rate at which the surface rises above a place p that moves with v: ∂η/∂t + v·∇η [m/s].

    A body of buoyancy B has the potential of its depth z − η; of B ż the force takes part, B η̇ the waves give.
    """
    _, rise, slope_x, slope_y = surface(t, p[0], p[1], sea)
    return rise + v[0] * slope_x + v[1] * slope_y


@kernel
def stretched(z, height, sea):
    """Level z' at which linear waves are read at a height z under a surface of `height` η; above 0 where there is none.

    Wheeler: (z − η) h/(h + η), at most 0. Vertical: z, at most 0. Without stretching: z itself, and no waves above 0.
    """
    depth, stretching = common(sea[WAVE_DEPTH]), common(sea[WAVE_STRETCHING])
    level = z
    if stretching == WHEELER:
        level = z - height if math.isinf(depth) else (z - height) * depth / (depth + height)
    if stretching != UNSTRETCHED:
        level = min(level, 0.0)
    return max(level, -depth)


@inlined
def with_waves(flow, push, moving, dry, share, rate):
    """Velocity and acceleration of the current with those of the waves, which have grown to a `share`, where the water
    is not `dry` of them. Neither changes the other."""
    still = (0.0, 0.0, 0.0)
    v, a = where(dry, (still, still), moving)
    return (
        (flow[0] + share * v[0], flow[1] + share * v[1], flow[2] + share * v[2]),
        (
            push[0] + share * a[0] + rate * v[0],
            push[1] + share * a[1] + rate * v[1],
            push[2] + share * a[2] + rate * v[2],
        ),
    )


@kernel
def flow_below(t, x, y, z, height, sea):
    """Velocity (3) and local acceleration (3) of the water at a place, the surface above it being at `height` η.

    Waves are superposed on the current; neither changes the other.
    """
    flow, push = stream(t, x, y, z, sea)
    count = int(common(sea[WAVE_COUNT]))
    if count == 0:
        return flow, push
    level = stretched(z, height, sea)
    dry = level > 0.0
    if all_lanes(dry):
        return flow, push
    share, rate = growth(t, common(sea[WAVE_RAMP]))
    moving = wave_flow(t, x, y, level, int(common(sea[WAVE_FIRST])), count, sea)
    return with_waves(flow, push, moving, dry, share, rate)


@kernel
def flows_below(t, p, height1, q, height2, sea):
    """`flow_below` of two places, which a GPU takes together."""
    one, two = stream(t, p[0], p[1], p[2], sea), stream(t, q[0], q[1], q[2], sea)
    count = int(common(sea[WAVE_COUNT]))
    if count == 0:
        return one, two
    level1, level2 = stretched(p[2], height1, sea), stretched(q[2], height2, sea)
    dry1, dry2 = level1 > 0.0, level2 > 0.0
    if all_lanes(dry1 & dry2):
        return one, two
    share, rate = growth(t, common(sea[WAVE_RAMP]))
    moving1, moving2 = wave_flows(t, p, min(level1, 0.0), q, min(level2, 0.0), int(common(sea[WAVE_FIRST])), count, sea)
    one = with_waves(one[0], one[1], moving1, dry1, share, rate)
    return one, with_waves(two[0], two[1], moving2, dry2, share, rate)


@inlined
def water_at(t, x, y, z, height, felt, sea):
    """Velocity (3) and local acceleration (3) of the water, below a surface at `height` where waves are felt."""
    if not any_lane(felt):
        return stream(t, x, y, z, sea)
    flow, push = flow_below(t, x, y, z, height, sea)
    if not all_lanes(felt):
        flow, push = where(felt, (flow, push), stream(t, x, y, z, sea))
    return flow, push


@inlined
def waters_at(t, p, height1, q, height2, felt, sea):
    """The same at two places, of which either both or none feel waves."""
    one, two = flows_below(t, p, height1, q, height2, sea)
    if not all_lanes(felt):
        one = where(felt, one, stream(t, p[0], p[1], p[2], sea))
        two = where(felt, two, stream(t, q[0], q[1], q[2], sea))
    return one, two


@kernel
def fluid(t, x, y, z, sea):
    """Water at a place: velocity (3), local acceleration (3), surface elevation [m], density [kg/m³]."""
    height = elevation(t, x, y, sea)
    velocity, acceleration = flow_below(t, x, y, z, height, sea)
    return velocity, acceleration, height, sea[DENSITY]


@inlined
def bed_at(x, y, sea):
    """The seabed seen from above: its height [m] and its upward unit normal (3). A height of −∞ where there is none."""
    columns = int(common(sea[SURVEY_COLUMNS]))
    if columns > 0:
        return surveyed(x, y, int(common(sea[SURVEY_FIRST])), columns, int(common(sea[SURVEY_ROWS])), sea)
    return sea[BED_HEIGHT] + sea[BED_SLOPE_X] * x + sea[BED_SLOPE_Y] * y, (sea[BED_X], sea[BED_Y], sea[BED_Z])


def bed_below(places: np.ndarray, sea: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """`bed_at` of places (..., 3): heights (...) and normals (..., 3)."""
    x, y = places[..., 0], places[..., 1]
    first, n, m = (int(sea[k]) for k in (SURVEY_FIRST, SURVEY_COLUMNS, SURVEY_ROWS))
    if n == 0:
        normals = np.broadcast_to(sea[BED_X : BED_Z + 1], places.shape)
        return sea[BED_HEIGHT] + sea[BED_SLOPE_X] * x + sea[BED_SLOPE_Y] * y, normals
    along, across, nodes = np.split(sea[first : first + n + m + NODE * n * m], [n, n + m])
    height, by_x, by_y = Relief(along, across, nodes.reshape(n, m, NODE)).at(x, y)
    normals = np.stack([-by_x, -by_y, np.ones_like(height)], axis=-1)
    return height, normals / np.linalg.norm(normals, axis=-1, keepdims=True)


def bed_gaps(places: np.ndarray, radius: np.ndarray | float, sea: np.ndarray) -> np.ndarray:
    """Clearances of places (..., 3) with these radii above the seabed, along its normal [m]; see `bed_gap`."""
    height, normal = bed_below(places, sea)
    return np.asarray(normal[..., 2] * (places[..., 2] - height) - radius)


@inlined
def bed_normal(p, sea):
    """Upward unit normal of the seabed below a place (3)."""
    return bed_at(p[0], p[1], sea)[1]


@inlined
def bed_clearance(p, sea):
    """Height of a place above the seabed [m]; infinite where there is none."""
    return p[2] - bed_at(p[0], p[1], sea)[0]


@inlined
def bed_gap(p, radius, sea):
    """Clearance of a point's lower side above the seabed, along its normal [m]."""
    height, n = bed_at(p[0], p[1], sea)
    return n[2] * (p[2] - height) - radius
