"""Stiffness at a place: the derivative of its force, that of an elastic catenary, one for all formulations."""

import math

import numpy as np
import pytest

from fairlead.formulations.contract import UnsupportedSystem
from fairlead.model import System, load_text
from fairlead.simulate.inputs import InputError
from fairlead.statics import solve

FORMULATIONS = ["lumped", "bars"]


def moored(formulation, current=(0.4, 0.2, 0.0), ei=0.0, elements=10, joint="ball", turn=0.0, body="kind: prescribed"):
    """Three chains on the seabed that hold a body by its corners; all of it turned about the vertical by `turn`."""
    c, s = math.cos(turn), math.sin(turn)

    def at(x, y):
        return f"[{c * x - s * y}, {s * x + c * y}]"

    flow = [c * current[0] - s * current[1], s * current[0] + c * current[1], current[2]]
    cables = "\n".join(
        f"  {k}: {{type: chain, length: 150, elements: {elements}, start: {k.upper()}, "
        f"end: {{point: hull.{k}, joint: {joint}}}}}"
        for k in "abc"
    )
    return load_text(f"""
environment: {{seabed: {{depth: 60}}, current: [{{z: 0, velocity: {flow}}}]}}
types: {{chain: {{diameter: 0.06, density: 7800, axial_stiffness: 5.0e7, bending_stiffness: {ei}}}}}
bodies:
  hull: {{{body}, position: [0, 0, -1], orientation_deg: [0, 0, {math.degrees(turn)}],
    attachments: {{a: [5, 0, -2], b: [-3, 4, -2], c: [-3, -4, -2]}}}}
points:
  A: {{kind: anchor, position: {at(130, 0)}}}
  B: {{kind: anchor, position: {at(-65, 112)}}}
  C: {{kind: anchor, position: {at(-65, -112)}}}
cables:
{cables}
simulation: {{duration: 10, step: 0.05, formulation: {formulation}}}
""")


def wrench(rest):
    """Forces and moments of all cables on the body, about its origin."""
    middle, total = np.array(rest.outputs["hull.position"]), np.zeros(6)
    for name in rest.system.cables:
        force = np.array(rest.outputs[f"{name}.force_end"])
        total[:3] += force
        total[3:] += np.cross(np.array(rest.outputs[f"{name}.position"])[-1] - middle, force)
    return total


@pytest.fixture(scope="module", params=FORMULATIONS)
def in_current(request):
    """A bed, a current and bending all at once; joints without moments, so that end forces are all there is."""
    return solve(moored(request.param, ei=2e4))


def test_it_is_the_change_of_force_between_moved_equilibria(in_current):
    step = 0.01
    stiffness = in_current.stiffness("hull")
    for direction in range(6):
        move = np.zeros(6)
        move[direction] = step if direction < 3 else 0.1 * step
        start = np.array([0.0, 0, -1, 0, 0, 0])
        ahead, behind = (wrench(in_current.at({"hull": tuple(start + way * move)})) for way in (1, -1))
        expected = -(ahead - behind) / (2 * move[direction])
        assert stiffness[:, direction] == pytest.approx(expected, abs=2e-5 * np.abs(expected).max())


def test_one_cable_end_of_a_body_alone(in_current):
    """Moved alone, a place on a body feels its own cable; together the cables are what the body feels."""
    ends = [in_current.stiffness(f"hull.{k}") for k in "abc"]
    assert sum(ends) == pytest.approx(in_current.stiffness("hull")[:3, :3], rel=1e-6, abs=1e-3)


def test_without_current_it_is_symmetric_but_for_the_moment_it_is_held_with():
    """Moments about axes that stay: ∂M_i/∂θ_j − ∂M_j/∂θ_i is the moment itself (forces that follow have no energy)."""
    for formulation in FORMULATIONS:
        system = moored(formulation, current=(0.0, 0.0, 0.0), ei=2e4)
        rest = solve(system.with_values({"bodies.hull.orientation_deg": [5, 3, 8]}))
        stiffness, (x, y, z) = rest.stiffness("hull"), wrench(rest)[3:]
        skewed = np.zeros((6, 6))
        skewed[3:, 3:] = [[0, -z, y], [z, 0, -x], [-y, x, 0]]
        assert np.abs(skewed).max() > 1e-3 * np.abs(stiffness).max()
        assert stiffness - stiffness.T == pytest.approx(skewed, abs=1e-7 * np.abs(stiffness).max())


def test_a_turned_system_has_a_turned_stiffness():
    angle = 0.7
    c, s = np.cos(angle), np.sin(angle)
    Q = np.kron(np.eye(2), [[c, -s, 0], [s, c, 0], [0, 0, 1]])
    for formulation in FORMULATIONS:
        straight, turned = (solve(moored(formulation, ei=2e4, turn=a)).stiffness("hull") for a in (0.0, angle))
        assert turned == pytest.approx(Q @ straight @ Q.T, abs=1e-7 * np.abs(straight).max())


def test_formulations_agree_with_clamps_and_bending():
    """Moments of clamps count for turns: two discretisations that come together as the elements shrink."""
    apart = []
    for elements in (10, 20):
        one, other = (
            solve(moored(f, ei=2e6, joint="clamp", elements=elements)).stiffness("hull") for f in FORMULATIONS
        )
        scale = np.sqrt(np.outer(np.diag(one), np.diag(one)))
        apart.append(np.abs((one - other) / scale).max())
    assert max(apart) < 1e-3


def hung(formulation, elements, **end):
    """An elastic cable between two points, all of it free of the bed."""
    ship = {"kind": "controlled", "position": [150.0, 0.0, 0.0]} | end
    return load_text(f"""
environment: {{water_density: 0.0}}
types: {{rope: {{diameter: 0.1, density: 4000, axial_stiffness: 2.0e6}}}}
points: {{anchor: {{kind: fixed, position: [0, 0, -100]}}, ship: {ship}}}
cables: {{line: {{type: rope, length: 200, elements: {elements}, start: anchor, end: ship}}}}
simulation: {{duration: 10, step: 0.05, formulation: {formulation}}}
""")


def catenary_flexibility(H, V, w, L, EA):
    """Change of the end's place (x, z) with the force (H, V) on it, of the elastic catenary (Irvine 1981)."""
    up, down = V / H, (V - w * L) / H
    asinh, root = np.arcsinh(up) - np.arcsinh(down), (np.hypot(1, up), np.hypot(1, down))
    xh = L / EA + asinh / w - (up / root[0] - down / root[1]) / w
    xv = (1 / root[0] - 1 / root[1]) / w
    zv = L / EA + (up / root[0] - down / root[1]) / w
    return np.array([[xh, xv], [xv, zv]])


def catenary_pull(rest, w, L, EA):
    """The force (H, V) that holds its end, by Newton's method from that of the elements."""
    H, _, V = -np.array(rest.outputs["line.force_end"])
    for _ in range(8):
        up, down = V / H, (V - w * L) / H
        x = H * L / EA + H / w * (np.arcsinh(up) - np.arcsinh(down))
        z = V * L / EA - w * L**2 / (2 * EA) + H / w * (np.hypot(1, up) - np.hypot(1, down))
        H, V = np.array([H, V]) + np.linalg.solve(catenary_flexibility(H, V, w, L, EA), [150.0 - x, 100.0 - z])
    return H, V


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_an_elastic_catenary(formulation):
    """In its plane the inverse of the flexibility, across it the horizontal pull over the span; of second order."""
    errors = []
    for elements in (20, 40):
        rest = solve(hung(formulation, elements))
        stiffness = rest.stiffness("ship")
        weight = 4000 * np.pi / 4 * 0.1**2 * 9.81
        H, V = catenary_pull(rest, weight, 200.0, 2e6)
        plane = np.linalg.inv(catenary_flexibility(H, V, weight, 200.0, 2e6))
        expected = np.array([[plane[0, 0], 0, plane[0, 1]], [0, H / 150.0, 0], [plane[1, 0], 0, plane[1, 1]]])
        errors.append(np.abs(stiffness - expected).max() / expected.max())
    assert errors[1] < 1e-3
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.3)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_free_body_moves_under_a_force_as_its_stiffness_says(formulation):
    """And so do its places; the period is that of its mass and of the cables that follow it."""
    free = "kind: free, mass: 5.0e4, inertia: [8.0e5, 8.0e5, 8.0e5], volume: 65, metacentric_height: [2, 2]"
    system = moored(formulation, body=free)
    rest = solve(system)
    stiffness, force = rest.stiffness("hull"), np.array([20.0, 30.0, 10.0])
    pushed = solve(system.with_values({"loads": [{"point": "hull.a", "force": list(force)}]}))
    lever = np.array(rest.outputs["a.position"])[-1] - np.array(rest.outputs["hull.position"])
    moved = np.linalg.solve(stiffness, np.concatenate([force, np.cross(lever, force)]))
    found = np.array(pushed.outputs["hull.position"]) - np.array(rest.outputs["hull.position"])
    assert found == pytest.approx(moved[:3], rel=5e-3, abs=5e-3 * np.abs(moved[:3]).max())
    corner = np.array(pushed.outputs["a.position"])[-1] - np.array(rest.outputs["a.position"])[-1]
    assert rest.stiffness("hull.a") @ corner == pytest.approx(force, rel=1e-2, abs=0.3)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_weight_on_a_rope_bounces_with_its_period(formulation):
    """A light rope straight down: EA/L against the mass along it, the weight over the length across."""
    ship = {"kind": "free", "position": [0.0, 0.0, -10.0], "mass": 1e4}
    text = hung(formulation, 4, **ship).with_values(
        {"points.anchor.position": [0, 0, 0], "cables.line.length": 10.0, "types.rope.density": 1.0}
    )
    held = solve(text).held("ship")
    length = 10.0 + 1e4 * 9.81 / 2e6 * 10.0
    expected = [2 * np.pi * np.sqrt(length / 9.81)] * 2 + [2 * np.pi * np.sqrt(1e4 / 2e5)]
    assert held.periods() == pytest.approx(expected, rel=1e-3)
    values, directions = held.principal()
    assert values[-1] == pytest.approx(2e5, rel=1e-3)
    assert np.abs(directions[-1]) == pytest.approx([0, 0, 1], abs=1e-6)


def test_moving_elsewhere_is_the_same_as_a_file_that_says_so():
    rest = solve(hung("lumped", 20))
    for place in ({"ship": (140.0, 20.0, 5.0)}, {"anchor": (10.0, 0.0, -90.0)}):
        name, position = next(iter(place.items()))
        told = solve(rest.system.with_values({f"points.{name}.position": list(position)}))
        moved = rest.at(place)
        assert np.array(moved.outputs["line.position"]) == pytest.approx(
            np.array(told.outputs["line.position"]), abs=1e-6
        )
        assert moved.outputs["ship.position"] == pytest.approx(np.array(told.outputs["ship.position"]))


def test_what_cannot_be_moved_says_what_to_do():
    rest = solve(hung("lumped", 20))
    with pytest.raises(InputError, match="3 numbers, not 2"):
        rest.at({"ship": (1.0, 2.0)})
    free = solve(hung("lumped", 4, kind="free", position=[150.0, 0.0, -150.0], mass=10.0))
    with pytest.raises(InputError, match=r"'ship' is free .* make it controlled"):
        free.at({"ship": (1.0, 2.0, 3.0)})


RAFT = {
    "environment": {"seabed": {"depth": 50}},
    "types": {"chain": {"catalogue": "chain_studless", "nominal_diameter": 0.06}},
    "points": {
        "west": {"kind": "fixed", "position": [-100, 30, -40]},
        "south": {"kind": "fixed", "position": [-100, -30, -40]},
        "east": {"kind": "fixed", "position": [100, 5, -40]},
    },
    "cables": {
        "one": {"type": "chain", "length": 99, "elements": 4, "start": "west", "end": "fore.bow"},
        "two": {"type": "chain", "length": 99, "elements": 4, "start": "south", "end": "fore.bow"},
        "three": {"type": "chain", "length": 95, "elements": 4, "start": "east", "end": "aft.stern"},
    },
    "bodies": {
        "fore": {"position": [-8, 0, 0], "attachments": {"bow": [-8, 0, -1], "hinge": [8, 0, 0]}},
        "aft": {"position": [8, 0, 0], "attachments": {"stern": [8, 0, -1], "hinge": [-8, 0, 0]}},
    },
    "joints": {"hinge": {"kind": "revolute", "parent": "fore.hinge", "child": "aft.hinge", "axis": [0, 1, 0]}},
    "simulation": {"formulation": "lumped", "duration": 1.0, "step": 0.1},
}  # fmt: skip
BARGE = {
    "kind": "free", "mass": 328e3, "inertia": [4e6, 9e6, 1.2e7], "floating": True,
    "shape": {"box": {"length": 16.0, "width": 10.0, "height": 4.0}},
}  # fmt: skip


def raft(**parts):
    """Two barges on a hinge, moored by three chains."""
    bodies = {name: BARGE | body for name, body in RAFT["bodies"].items()}
    return System.model_validate({**RAFT, "bodies": bodies, **parts})


def test_a_body_on_a_hinge_gives_way_to_a_force_by_its_stiffness():
    """With all that hangs on it and follows: from equilibria under a small force and the opposite one."""
    rest = solve(raft())
    stiffness = rest.stiffness("fore")
    assert np.abs(stiffness - stiffness.T).max() < 1e-6 * np.abs(stiffness).max()
    force = np.array([2e3, -1e3, 3e3])
    there, back = (
        np.asarray(solve(raft(loads=[{"point": "fore", "force": list(sign * force)}])).outputs["fore.position"])
        for sign in (1.0, -1.0)
    )
    assert 0.5 * (there - back) == pytest.approx(np.linalg.inv(stiffness)[:3, :3] @ force, rel=5e-3, abs=1e-5)
    assert len(rest.held("fore").periods()) == 6


@pytest.mark.parametrize("current", [None, (1.2, -0.9, 0.0)], ids=["still water", "drag that turns with the chains"])
def test_an_anchor_of_bodies_on_a_hinge_is_held_by_what_follows_it(current):
    """From equilibria with the anchor moved a little to either side, everything else following as the hinge lets it."""
    flow = {} if current is None else {"current": [{"z": 0.0, "velocity": list(current)}]}
    water = {"environment": RAFT["environment"] | flow}
    stiffness = solve(raft(**water)).stiffness("west")
    lopsided = np.abs(stiffness - stiffness.T).max() / np.abs(stiffness).max()
    assert lopsided < 1e-6 if current is None else lopsided > 1e-3

    def pull(move):
        place = np.array(RAFT["points"]["west"]["position"]) + move
        points = {**RAFT["points"], "west": {"kind": "fixed", "position": list(place)}}
        return np.asarray(solve(raft(points=points, **water)).outputs["one.force_start"])

    for move in 0.05 * np.eye(3):
        assert 0.5 * (pull(move) - pull(-move)) == pytest.approx(-stiffness @ move, rel=2e-4, abs=0.02)


def test_where_joints_leave_nothing_free_an_anchor_is_held_by_its_cable_alone():
    """One element from an anchor to a body welded to a dock: EA / l along it, tension / length across."""
    anchor, dock, length = np.array([-100.0, 30.0, -40.0]), np.array([-16.0, 0.0, -1.0]), 97.0
    points = {"west": {"kind": "fixed", "position": list(anchor)}, "dock": {"kind": "fixed", "position": list(dock)}}
    cable = {"type": "chain", "length": length, "elements": 1, "start": "west", "end": "fore.bow"}
    system = System.model_validate({
        **RAFT, "points": points, "cables": {"one": cable | {"allow_stretch": True}},
        "bodies": {"fore": BARGE | RAFT["bodies"]["fore"]},
        "joints": {"weld": {"kind": "fixed", "parent": "dock", "child": "fore.bow"}},
    })  # fmt: skip
    ea, span = system.types["chain"].ea, np.linalg.norm(dock - anchor)
    along, tension = (dock - anchor) / span, ea * (span / length - 1.0)
    expected = ea / length * np.outer(along, along) + tension / span * (np.eye(3) - np.outer(along, along))
    assert solve(system).stiffness("west") == pytest.approx(expected, rel=1e-6)


def test_where_joints_leave_no_stiffness_to_tell_it_is_said():
    pinned = raft(joints={**RAFT["joints"], "pin": {"kind": "spherical", "parent": "dock", "child": "fore.bow"}},
                  points={**RAFT["points"], "dock": {"kind": "fixed", "position": [-16, 0, -1]}})  # fmt: skip
    with pytest.raises(UnsupportedSystem, match="joints hold 'fore' fast in some direction"):
        solve(pinned).stiffness("fore")
    with pytest.raises(UnsupportedSystem, match="'dock', which is prescribed, is not offered where a joint is at it"):
        solve(pinned).stiffness("dock")
