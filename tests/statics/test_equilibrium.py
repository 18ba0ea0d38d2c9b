"""Static equilibrium: it is one, a run that starts from it stays there, and where there is none the error says so."""

import numpy as np
import pytest

from fairlead.simulate import Simulation
from fairlead.statics import StaticsError, settle, solve
from statics import systems


@pytest.fixture(scope="module", params=systems.EVERYDAY)
def rest(request):
    return solve(systems.EVERYDAY[request.param]())


def wet_weight(system):
    """Weight less buoyancy of all there is, fully under water, N."""
    rho, g = system.environment.water_density, system.environment.gravity
    total = 0.0
    for cable in system.cables.values():
        for segment in cable.segments(system):
            kind = system.types[segment.type_name]
            total += (kind.mass_per_metre - rho * kind.area) * segment.length * g
        total += sum((item.mass - rho * item.volume) * g for item in cable.attachments)
    for point in system.points.values():
        if point.kind == "free":
            total += (point.mass - rho * point.volume) * g
    return total


def test_forces_balance_to_a_millionth_of_the_weight(rest):
    assert rest.report.relative < 1e-6
    assert rest.report.stable


def test_a_run_from_it_stays_there(rest):
    """Five seconds later every node is where it was, and every tension what it was."""
    compiled, y = rest.compiled, rest.y.copy()
    inputs = compiled.initial_inputs()
    assert compiled.advance(0.0, y, 500, 0.01, inputs, "semi_implicit") is None
    row = compiled.shape.empty_row()
    compiled.observe(5.0, y, inputs, 0.01, row)
    nodes = compiled.shape.node_block
    before, after = rest.outputs.row[nodes].reshape(-1, 13), row[nodes].reshape(-1, 13)
    assert np.abs(after[:, :3] - before[:, :3]).max() < 1e-6
    assert np.abs(after[:, 6] - before[:, 6]).max() < 1e-5 * rest.report.weight


def test_tension_starts_without_a_jump(rest):
    """The first observation has the joint forces of the state itself, whatever the step it is made with."""
    compiled = rest.compiled
    rows = [compiled.shape.empty_row() for _ in range(2)]
    for h, row in zip((1e-3, 0.5), rows, strict=True):
        compiled.observe(0.0, rest.y, compiled.initial_inputs(), h, row)
    ends = compiled.shape.end_block
    assert np.abs(rows[0][ends] - rows[1][ends]).max() < 1e-3 * rest.report.weight


@pytest.mark.parametrize(
    "described", [systems.stiff_catenary(), systems.single_bar(), systems.taut_line(), systems.ring_net(flow=(0, 0, 0))]
)
def test_supports_carry_the_weight(described):
    """Fixed points carry all the weight in still water, and no cable's ends are mixed up."""
    rest = solve(described)
    total = np.zeros(3)
    for cable_name, cable in rest.system.cables.items():
        for end in ("start", "end"):
            if rest.system.points[getattr(cable, end).point].kind == "fixed":
                total += rest.outputs[f"{cable_name}.force_{end}"]
    assert -total[2] == pytest.approx(wet_weight(rest.system), rel=1e-6)


def test_current_pushes_downstream():
    rest = solve(systems.moored_buoy())
    x, y, z = rest.outputs["buoy.position"]
    assert x > 1.0
    assert abs(y) < 1e-6
    assert abs(z) < 0.62  # afloat: within its radius of the surface
    assert rest.outputs["line.force_start"][0] > 100.0  # and the anchor is pulled along


def test_buoyant_cable_rises_and_leans_with_the_current():
    nodes = np.array(solve(systems.buoyant_arch()).outputs["line.position"])
    assert nodes[15, 2] > -60.0
    assert nodes[15, 1] > 1.0


def test_first_shape_already_in_equilibrium():
    """A weightless cable without load stays as it was laid."""
    rest = solve(
        systems.system(
            environment={"water_density": 0.0, "gravity": 0.0},
            types={"wire": systems.wire()},
            points={"A": systems.fixed(0, 0, 0), "B": systems.free(10, 0, 0)},
            cables={"line": systems.cable("wire", 10.0, 4, "A", "B")},
        )
    )
    assert rest.report.rung == "first shape"


def test_hanging_line_needs_only_newton():
    report = solve(systems.stiff_catenary()).report
    assert (report.rung, report.steps) == ("newton", 0)
    assert report.iterations < 10


def test_standing_chain_falls_over():
    """Straight up is an equilibrium too, but an unstable one: the ladder goes on to the chain that hangs."""
    rest = solve(systems.standing_chain())
    assert rest.report.rung == "relaxation"
    assert rest.outputs["tip.position"] == pytest.approx([0, 0, -10], abs=1e-3)


def test_sinking_pair_lands():
    rest = solve(systems.sinking_pair())
    assert rest.outputs["M.position"][2] == pytest.approx(-200.0, abs=0.05)
    assert np.array(rest.outputs["left.position"])[:, 0].max() > 20.0


def test_seabed_carries_what_lies_on_it():
    """The bed pushes up with the weight of what lies there; nothing hangs from it and nothing sinks in."""
    rest = solve(systems.mooring())
    contact = np.array(rest.outputs["line.contact_force"])
    nodes = np.array(rest.outputs["line.position"])
    assert (contact[:, 2] >= 0.0).all()
    assert np.abs(contact[:, :2]).max() == 0.0
    assert (contact[nodes[:, 2] > -99.5] == 0.0).all()
    lying = nodes[:, 2] < -99.94
    kind = rest.system.types["chain"]
    weight = (kind.mass_per_metre - 1025.0 * kind.area) * 9.81 * 6.0
    assert np.median(contact[lying, 2]) == pytest.approx(weight, rel=1e-3)


def test_friction_starts_unstrained_and_holds_nothing():
    """Statics knows no friction, so a rough bed gives the same shape; its memory is anchored there, ready to hold."""
    smooth, rough = solve(systems.mooring()), solve(systems.mooring(friction=0.6))
    assert np.array_equal(smooth.outputs["line.position"], rough.outputs["line.position"])
    memory = rough.y[rough.compiled.layout["contact"]].reshape(-1, 2, 4)
    pressing = memory[..., 3] > 0.0
    assert pressing.any()
    assert not pressing.all()


def test_sloping_bed():
    """On a smooth slope the line slides down until it is held: the lowest line is not the straight one."""
    rest = solve(systems.mooring(slope=(0.1, 0.05)))
    assert rest.report.relative < 1e-6
    assert np.array(rest.outputs["line.position"])[25, 1] < -0.01


def test_published_tunings_have_their_own_equilibrium():
    """The paper's stiffness has no 1/L; a run with its tuning starts without a jump all the same."""
    rest = solve(systems.mooring().with_settings(bars__tuning="literal"))
    y = rest.y.copy()
    assert rest.compiled.advance(0.0, y, 20, 0.01, rest.compiled.initial_inputs(), "semi_implicit") is None
    bars = rest.compiled.layout["bar_state"]
    assert np.abs(y[bars] - rest.y[bars]).max() < 1e-6


def test_points_stand_where_they_are_told_to():
    """By the file's motion at that moment, or by an input."""
    rest = solve(systems.moving_end())
    assert rest.outputs["B.position"] == pytest.approx([65, 3, 0])
    assert np.array(rest.outputs["line.position"])[-1] == pytest.approx([65, 3, 0])
    inputs = rest.compiled.initial_inputs()
    inputs[rest.compiled.inputs["B.position"]] = 50.0, 0.0, -1.0
    y, _ = settle(rest.compiled, rest.compiled.initial_state(), inputs)
    assert y[rest.compiled.layout["controls"]][:3] == pytest.approx([50, 0, -1])
    later, _ = settle(rest.compiled, rest.compiled.initial_state(), t=10.0)
    assert later[rest.compiled.layout["controls"]][:3] == pytest.approx([60, 0, 0])


def test_the_given_state_is_left_alone():
    rest = solve(systems.single_bar())
    y = rest.compiled.initial_state()
    kept = y.copy()
    settle(rest.compiled, y)
    assert np.array_equal(y, kept)


def test_the_same_twice():
    first, second = solve(systems.standing_chain()), solve(systems.standing_chain())
    assert np.array_equal(first.y, second.y)


def test_nothing_holds_it():
    """A free cable in bottomless water: the error names the place, the cause and a cure."""
    lost = systems.system(
        types={"wire": systems.wire()},
        points={"A": systems.free(0, 0, -10), "B": systems.free(20, 0, -10)},
        cables={"drifter": systems.cable("wire", 20.0, 4, "A", "B")},
    )
    with pytest.raises(StaticsError) as caught:
        solve(lost)
    assert "drifter" in caught.value.failure.place
    assert "nothing holds" in caught.value.failure.cause


def test_a_torque_nobody_takes_up():
    """On a free point between ball joints a torque turns the point and no more; the cables do not feel it."""
    twisted = systems.ring_net().model_dump(exclude_unset=True)
    plain = solve(systems.system(**twisted))
    twisted["loads"] = [{"point": "Q0", "torque": [10.0, 0.0, 5.0]}]
    assert solve(systems.system(**twisted)).report.relative < 1e-6
    assert plain.report.relative < 1e-6


def test_simulation_starts_from_statics():
    """`start: statics` in the file: the run begins at rest, where `solve` says."""
    described = systems.mooring().with_settings(start="statics", duration=1.0)
    simulation = Simulation(described)
    before = np.array(simulation.outputs()["line.position"])
    assert before == pytest.approx(np.array(solve(described).outputs["line.position"]), abs=1e-9)
    after = np.array(simulation.step(1.0)["line.position"])
    assert np.abs(after - before).max() < 1e-6


@pytest.mark.parametrize(("formulation", "reach"), [("bars", 25.0), ("lumped", 45.0)])
def test_a_cable_that_has_to_reach_far_more_than_its_length_is_refused(formulation, reach):
    """No law of a cable goes that far: forces that cannot be told must not be NaN in an answer."""
    line = {"type": "wire", "length": 10.0, "elements": 4, "start": "A", "end": "B", "allow_stretch": True}
    described = systems.system(
        types={"wire": systems.wire()},
        points={"A": systems.fixed(0, 0, -5), "B": systems.fixed(reach, 0, -5)},
        cables={"line": line},
        simulation={"duration": 1.0, "step": 0.01, "formulation": formulation},
    )
    with pytest.raises(StaticsError, match=r"element \d of 4: at rest it is stretched by [13]\d\d %"):
        solve(described)
