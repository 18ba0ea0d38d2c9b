"""Bodies at points, rings and rigid bodies have the properties their shapes and numbers imply."""

from __future__ import annotations

import math

import pytest

from fairlead.model import (
    Box,
    Cylinder,
    FreeBody,
    FreePoint,
    HybridPoint,
    ModelError,
    PassivePoint,
    PrescribedBody,
    Shape,
    SlidingPoint,
    Sphere,
    System,
    counts,
    load_text,
    warnings,
)
from fairlead.model.bodies import rotation_matrix
from fairlead.model.needs import FEATURES, needs

from .files import SINKING, SPREAD

SPREAD_SYSTEM = load_text(SPREAD)


def passive(**shape: object) -> PassivePoint:
    return PassivePoint(position=(0, 0, 0), mass=600, shape=shape)


def test_a_sphere_has_the_volume_area_and_inertia_of_a_sphere() -> None:
    ball = passive(sphere={"diameter": 2})
    assert ball.volume == pytest.approx(4 / 3 * math.pi)
    assert ball.drag_area == pytest.approx(0.5 * math.pi)
    assert ball.added_mass == pytest.approx(0.5 * 1025 * 4 / 3 * math.pi)
    assert ball.inertia == pytest.approx(0.4 * 600 * 1**2)
    assert (ball.height, ball.profile) == (2, "sphere")


def test_a_cylinder_and_a_box_show_a_quarter_of_their_surface() -> None:
    spar = passive(cylinder={"diameter": 1, "height": 3})
    assert spar.volume == pytest.approx(0.75 * math.pi)
    assert spar.drag_area == pytest.approx((math.pi * 3 + 2 * math.pi / 4) / 4)
    assert spar.added_mass == pytest.approx(1025 * 0.75 * math.pi)
    assert spar.inertia == pytest.approx(600 * (0.5**2 / 2 + 2 * (3 * 0.5**2 + 3**2) / 12) / 3)
    assert (spar.height, spar.profile) == (3, "linear")
    pontoon = passive(box={"length": 4, "width": 2, "height": 1})
    assert pontoon.volume == 8
    assert pontoon.drag_area == pytest.approx((8 + 4 + 2) * 2 / 4)
    assert pontoon.inertia == pytest.approx(600 * ((4 + 1) + (16 + 1) + (16 + 4)) / 12 / 3)
    assert (pontoon.height, pontoon.profile) == (1, "linear")


def test_a_cube_and_a_cylinder_as_high_as_wide_tend_to_the_sphere() -> None:
    """All convex bodies around a sphere show more than it and turn harder; the mean area of a cube is 1.5 sides^2."""
    ball, can, cube = (Shape(sphere=Sphere(diameter=1)), Shape(cylinder=Cylinder(diameter=1, height=1)),
                       Shape(box=Box(length=1, width=1, height=1)))  # fmt: skip
    for quantity in ("volume", "mean_area", "gyration"):
        assert getattr(ball, quantity) < getattr(can, quantity) < getattr(cube, quantity)
    assert cube.mean_area == 1.5


def test_the_water_of_the_system_gives_the_added_mass() -> None:
    fresh = load_text(SPREAD.replace("types:", "environment: {water_density: 1000}\ntypes:", 1))
    air = load_text(SPREAD.replace("types:", "environment: {water_density: 0}\ntypes:", 1))
    ball = SPREAD_SYSTEM.points["float"]
    assert isinstance(ball, PassivePoint)
    assert fresh.points["float"].added_mass == pytest.approx(ball.added_mass / 1.025)  # type: ignore[union-attr]
    assert air.points["float"].added_mass == 0  # type: ignore[union-attr]
    assert fresh.points["float"] == ball
    assert ball == PassivePoint(position=(-90, 10, 0), mass=2000, shape={"sphere": {"diameter": 2}})
    assert ball != passive(sphere={"diameter": 2})


def test_a_hybrid_point_is_damped_critically_unless_told_otherwise() -> None:
    given = {"position": (0, 0, 0), "mass": 600, "shape": {"sphere": {"diameter": 2}}, "stiffness": 1e3,
             "force_max": 1e4, "tension_max": 5e4}  # fmt: skip
    point = HybridPoint(**given)
    assert point.damping is None
    assert point.damper == pytest.approx(2 * math.sqrt(1e3 * (600 + point.added_mass)))
    assert HybridPoint(**given, damping=5).damper == 5
    assert point.is_free
    assert point.is_commanded


def test_which_points_move_freely_and_which_follow_a_command() -> None:
    points = {**SPREAD_SYSTEM.points, **load_text(SINKING).points}
    assert {p.kind for p in points.values() if p.is_free} == {"free", "passive", "hybrid", "sliding"}
    assert {p.kind for p in points.values() if p.is_commanded} == {"controlled", "hybrid"}


@pytest.mark.parametrize("point", [p for p in SPREAD_SYSTEM.points.values() if p.is_free] + [FreePoint(volume=2)])
def test_all_points_that_move_freely_tell_the_same_numbers(point: FreePoint) -> None:
    for quantity in ("mass", "volume", "drag_area", "added_mass", "inertia", "height"):
        assert getattr(point, quantity) >= 0
    assert point.profile in ("linear", "sphere")


def test_a_free_point_and_a_ring_submerge_over_the_sphere_of_their_volume() -> None:
    assert FreePoint(volume=math.pi / 6 * 8).height == pytest.approx(2)
    assert FreePoint().height == 0.1
    ring = SlidingPoint(cable="a", at=1, volume=math.pi / 6)
    assert ring.height == pytest.approx(1)
    assert ring.position is None


def test_the_rotation_of_a_body_is_roll_then_pitch_then_yaw() -> None:
    def turned(angles: tuple[float, float, float], vector: tuple[float, float, float]) -> list[float]:
        return [sum(row[k] * vector[k] for k in range(3)) for row in rotation_matrix(angles)]

    assert turned((90, 0, 0), (0, 1, 0)) == pytest.approx([0, 0, 1])  # roll lifts the port side
    assert turned((0, 90, 0), (1, 0, 0)) == pytest.approx([0, 0, -1])  # pitch lowers the bow
    assert turned((0, 0, 90), (1, 0, 0)) == pytest.approx([0, 1, 0])  # yaw turns to the west
    # First roll (y to z), then pitch (z to x), then yaw (x to y).
    assert turned((90, 90, 90), (0, 1, 0)) == pytest.approx([0, 1, 0])


def test_a_place_is_a_point_a_body_or_an_attachment() -> None:
    arm = SPREAD_SYSTEM.place("deflector.arm")
    assert (arm.owner_name, arm.attachment, arm.on_body, arm.is_free) == ("deflector", "arm", True, True)
    c, s = math.cos(math.radians(30)), math.sin(math.radians(30))
    assert arm.position == pytest.approx((-60 + 1.5 * c, 80 + 1.5 * s, -5))
    assert arm.offset == (1.5, 0, 0)
    assert SPREAD_SYSTEM.place("deflector").position == (-60, 80, -5)
    point = SPREAD_SYSTEM.place("float")
    assert (point.owner, point.on_body, point.position) == (SPREAD_SYSTEM.points["float"], False, (-90, 10, 0))
    assert SPREAD_SYSTEM.place("ring").position is None
    assert not SPREAD_SYSTEM.place("vessel.tip").is_free
    with pytest.raises(ModelError, match=r"there is no place 'deflector.am'; did you mean 'deflector.arm'"):
        SPREAD_SYSTEM.place("deflector.am")


def test_places_at_the_start_include_the_motion() -> None:
    tug = PrescribedBody(position=(1, 2, 3), orientation_deg=(0, 0, 60), attachments={"hook": (2, 0, 0)},
                         motion={"table": [[-10, 0, 0, 0, 0, 0, 0], [10, 2, 4, 6, 0, 0, 60]]})  # fmt: skip
    assert tug.start_position == pytest.approx((2, 4, 6))
    assert tug.start_angles_deg == pytest.approx((0, 0, 90))
    assert tug.place((2, 0, 0)) == pytest.approx((2, 6, 6))
    wave = {"amplitude": [0, 0, 2], "rotation_deg": [10, 0, 0], "period": 8, "phase_deg": 30, "rotation_phase_deg": 90,
            "ramp": 0}  # fmt: skip
    ship = PrescribedBody(position=(0, 0, 0), motion={"harmonic": wave})
    assert ship.start_position == pytest.approx((0, 0, 1))
    assert ship.start_angles_deg == pytest.approx((10, 0, 0))
    assert PrescribedBody(position=(0, 0, 0), motion={"harmonic": {**wave, "ramp": 5}}).start_position == (0, 0, 0)
    moved = load_text(SINKING.replace("position: [0, -375, 0]", "position: [0, -375, 0], "
                                      "motion: {table: [[-1, 0, 0, 0], [1, 0, 2, 0]]}"))  # fmt: skip
    assert moved.place("A").position == pytest.approx((0, -374, 0))


def test_a_body_submerges_over_the_sphere_of_its_volume_unless_told_otherwise() -> None:
    body = FreeBody(position=(0, 0, 0), mass=1, inertia=(1, 1, 1), volume=math.pi / 6)
    assert body.height == pytest.approx(1)
    assert FreeBody(position=(0, 0, 0), mass=1, inertia=(1, 1, 1)).height == 0.1
    assert FreeBody(position=(0, 0, 0), mass=1, inertia=(1, 1, 1), height=3).height == 3


def test_a_system_with_bodies_is_built_in_python_as_in_a_file() -> None:
    again = System(**{name: getattr(SPREAD_SYSTEM, name) for name in SPREAD_SYSTEM.model_fields_set})
    assert again == SPREAD_SYSTEM
    assert load_text(SPREAD_SYSTEM.to_yaml()) == SPREAD_SYSTEM
    assert "end: deflector.tail" in SPREAD_SYSTEM.to_yaml()


def test_rings_count_as_junctions_and_bodies_as_points_with_all_states() -> None:
    assert counts(SPREAD_SYSTEM) == {
        "bars": 64, "points": 4, "junctions": 1, "bodies": 3, "cables": 6, "states": 13 * (64 + 4 + 3) + 6,
    }  # fmt: skip


def test_the_needs_of_a_spread_are_named_where_they_are_asked() -> None:
    found = needs(SPREAD_SYSTEM)
    assert set(found) <= set(FEATURES)
    for feature, place in {
        "passive_points": "points.float",
        "hybrid_points": "points.driven",
        "sliding": "points.ring",
        "bodies": "bodies.deflector",
        "winch": "cables.lead_in.winch",
        "rescaling_winch": "cables.wide.winch.mode",
        "clamps": "cables.wide.start.joint",
    }.items():
        assert found[feature] == place
    assert not {"loops", "branches", "controlled_points"} & set(found)


def with_tie(start: str, end: str, length: float) -> str:
    """The spread with one more cable."""
    tie = f"  tie: {{type: rope, length: {length}, elements: 6, start: {start}, end: {end}}}\n"
    return SPREAD.replace("  tow: {", tie + "  tow: {")


def test_a_ring_and_a_body_close_a_loop() -> None:
    # ring on lead_in, spur to the deflector, tie to the float, where lead_in ends
    assert needs(load_text(with_tie("deflector.arm", "float", 200)))["loops"] == "points.ring"
    assert needs(load_text(with_tie("deflector.arm", "deflector.tail", 9)))["loops"] == "cables.tie"


def test_what_looks_wrong_with_bodies_points_and_winches_is_named() -> None:
    def found(old: str, new: str) -> str:
        assert old in SPREAD
        return "\n".join(map(str, warnings(load_text(SPREAD.replace(old, new, 1)))))

    assert "points.float: is heavier than lead: 477,500 kg/m^3" in found("mass: 2 t", "mass: 2000 t")
    assert "bodies.deflector: is heavier than lead" in found("volume: 3.8", "volume: 0.038")
    assert "bodies.tug.motion: moves at up to 50 m/s > 20 m/s" in found("[60, 5, 0", "[0.1, 5, 0")
    assert "bodies.vessel.motion: the filter lets only" in found(", cutoff: 5,", ", cutoff: 0.5, follow: filtered,")
    assert "points.driven.motion: moves at up to 50 m/s" in found("[100, 0, 5, 0]", "[0.1, 0, 5, 0]")
    assert "cables.wide.winch.rate: runs at up to 20 m/s > 10 m/s" in found("rate: -0.1", "rate: 20")
    assert "loads[0]: acts on 'vessel.tip', which is prescribed" in found(
        "point: float, force", "point: vessel.tip, force"
    )
    bed = found("types:", "environment: {seabed: {depth: 3}}\ntypes:")
    assert "bodies.deflector.position: has its origin 2 m below the seabed" in bed


def test_a_part_held_by_a_ring_or_a_hybrid_point_alone_does_not_drift() -> None:
    def drifting(text: str) -> list[str]:
        return [str(problem) for problem in warnings(load_text(text)) if "drifts freely" in str(problem)]

    assert not drifting(SPREAD)
    # The deflector hangs on the ring alone, which slides on a cable from a fixed point.
    start = SPREAD.index("  wide: {")
    text = SPREAD[:start] + SPREAD[SPREAD.index("  stern: {") :]
    assert not drifting(text)
    # The same from a free point: the hybrid point at the far end of the separation rope still holds it all.
    text = text.replace("winch: {kind: fixed, position", "winch: {kind: free, position")
    assert not drifting(text)
    # Without the rope to it, ring, deflector, lead-in and spur drift together.
    text = text.replace("start: float, end: driven}", "start: tug.hook, end: driven}").replace(
        "length: 60,", "length: 140,"
    )
    assert "cables.lead_in: drifts freely (with 1 more cables joined to it)" in "\n".join(drifting(text))
