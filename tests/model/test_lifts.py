"""What goes wrong with lifts is said in a sentence each: place, cause and cure."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from fairlead.formulations import compile_system
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.model import ModelError, System, warnings
from fairlead.shape.layout import first_geometry

LIFT: dict[str, Any] = {
    "title": "A lift",
    "environment": {"seabed": {"depth": 80}},
    "types": {"wire": {"diameter": 0.04, "mass_per_length": 6.0, "axial_stiffness": 5e7}},
    "points": {},
    "bodies": {
        "crane": {"kind": "prescribed", "position": [0, 0, 12], "attachments": {"tip": [20, 0, 8]}},
        "load": {"kind": "free", "position": [20, 0, -1], "mass": 5000.0, "inertia": [900, 900, 900], "volume": 2.0,
                 "attachments": {"eye": [0, 0, 1]}},
    },
    "cables": {
        "hoist": {"type": "wire", "length": 20.0, "elements": 5, "start": "crane.tip", "end": "load.eye",
                  "winch": {"end": "start", "rate": 0.5}},
    },
    "simulation": {"formulation": "multibody", "duration": 60, "step": 0.01},
}  # fmt: skip


def changed(**changes: Any) -> dict[str, Any]:
    """The lift with other values at places written as `bodies__load__mass`."""
    whole = copy.deepcopy(LIFT)
    for path, value in changes.items():
        *outer, last = path.split("__")
        inner = whole
        for name in outer:
            inner = inner[name]
        inner[last] = value
    return whole


def mistakes(**changes: Any) -> str:
    with pytest.raises(ModelError) as caught:
        System.model_validate(changed(**changes))
    return str(caught.value)


def test_the_lift_itself_is_sound():
    system = System.model_validate(LIFT)
    assert [str(problem) for problem in warnings(system)] == []
    compile_system(system, first_geometry(system))


def test_closed_loop_given_to_a_tree():
    whole = changed()
    whole["points"]["anchor"] = {"kind": "fixed", "position": [20, 0, -80]}
    whole["bodies"]["load"]["attachments"]["foot"] = [0, 0, -1]
    whole["cables"]["tail"] = {"type": "wire", "length": 90, "elements": 9, "start": "load.foot", "end": "anchor"}
    system = System.model_validate(whole)
    with pytest.raises(UnsupportedSystem) as caught:
        compile_system(system, first_geometry(system))
    text = str(caught.value)
    assert text.startswith("cables.tail: the formulation 'multibody' runs trees, and this closes a loop: ")
    assert text.endswith("leave one end free, or use formulation: bars or lumped")


def test_loop_of_joints_given_to_a_tree():
    whole = changed()
    for name, x in (("one", 24.0), ("two", 28.0)):
        whole["bodies"][name] = {"kind": "free", "position": [x, 0, 20], "mass": 10.0, "inertia": [1, 1, 1],
                                 "attachments": {"heel": [-4, 0, 0]}}  # fmt: skip
    whole["joints"] = {
        "first": {"kind": "spherical", "parent": "crane.tip", "child": "one.heel"},
        "second": {"kind": "spherical", "parent": "one", "child": "two.heel"},
        "third": {"kind": "spherical", "parent": "crane.tip", "child": "two"},
    }
    system = System.model_validate(whole)
    with pytest.raises(UnsupportedSystem, match=r"joints\.\w+: .*closes a loop.*use formulation: lumped"):
        compile_system(system, first_geometry(system))


@pytest.mark.parametrize(("side", "place", "told"), [
    ("parent", "crene", "there is no body or point 'crene'; did you mean 'crane'?"),
    ("child", "arn", "there is no body 'arn'; did you mean 'arm'?"),
    ("child", "arm.hel", "'arm' has no attachment 'hel'; known here: arm.heel"),
    ("child", "rail", "'rail' is a point: what hangs at a joint is a body, or an attachment of one; known here: "),
])  # fmt: skip
def test_a_joint_to_what_is_not_there(side, place, told):
    whole = changed()
    whole["points"]["rail"] = {"kind": "fixed", "position": [20, 0, 30]}
    whole["bodies"]["arm"] = {"kind": "free", "position": [24, 0, 20], "mass": 10.0, "inertia": [1, 1, 1],
                              "attachments": {"heel": [-4, 0, 0]}}  # fmt: skip
    whole["joints"] = {"elbow": {"kind": "spherical", "parent": "crane.tip", "child": "arm.heel"} | {side: place}}
    with pytest.raises(ModelError) as caught:
        System.model_validate(whole)
    assert f"joints.elbow.{side}: {told}" in str(caught.value)


@pytest.mark.parametrize("formulation", ["multibody", "bars"])
def test_a_moored_system_with_a_hinge_is_sent_to_point_masses(formulation):
    whole = changed(simulation__formulation=formulation)
    whole["points"]["anchor"] = {"kind": "fixed", "position": [20, 0, -80]}
    whole["bodies"]["load"]["attachments"]["foot"] = [0, 0, -1]
    whole["cables"]["tail"] = {"type": "wire", "length": 90, "elements": 9, "start": "load.foot", "end": "anchor"}
    whole["bodies"]["arm"] = {"kind": "free", "position": [24, 0, 20], "mass": 10.0, "inertia": [1, 1, 1],
                              "attachments": {"heel": [-4, 0, 0]}}  # fmt: skip
    whole["joints"] = {"elbow": {"kind": "spherical", "parent": "crane.tip", "child": "arm.heel"}}
    system = System.model_validate(whole)
    with pytest.raises(UnsupportedSystem) as caught:
        compile_system(system, first_geometry(system))
    assert str(caught.value).endswith("use formulation: lumped")
    compile_system(system, first_geometry(system), "lumped")


@pytest.mark.parametrize("mass", [0, -5.0])
def test_body_without_mass_at_the_tip(mass):
    found = mistakes(bodies__load__mass=mass)
    assert found == (
        f"bodies.load.mass: must be above 0 kg, not {mass:g} kg; no force can move a body without mass: give what it "
        "weighs, or leave it out and join its cable to its parent"
    )


def test_schedule_that_hauls_in_more_than_the_cable():
    found = mistakes(cables__hoist__winch__rate=-0.5)
    assert found == (
        "cables.hoist.winch.rate: hauls in past length_min, 4 m, at t = 32 s, and would reach -10 m; stop it by 32 s, "
        "use a rate of -0.2667 m/s, or make the cable longer"
    )


def test_crane_tip_below_the_seabed():
    found = mistakes(bodies__crane__position=[0, 0, -90.5])
    assert (
        "cables.hoist.winch.end: the winch at 'crane.tip' is 2.5 m below the seabed, which is at z = -80 m there; "
        "raise the body 'crane', or make the water deeper"
    ) in found


def test_payload_lighter_than_water():
    """A warning, since a buoy may be meant to float; with the weight in it, it is gone."""
    found = [str(problem) for problem in warnings(System.model_validate(changed(bodies__load__mass=1500.0)))]
    assert found == [
        "bodies.load: is lighter than water and will not sink on 'hoist': 1,500 kg < 2,050 kg = 1,025 kg/m^3 * 2 m^3; "
        "add more than 550 kg of ballast, check its volume, or say 'floating: true'"
    ]
    for meant in ({"bodies__load__floating": True}, {"bodies__load__mass": 2051.0}):
        assert not warnings(System.model_validate(changed(**{"bodies__load__mass": 1500.0, **meant})))
    titled = System.model_validate(changed(title="A lift of a float", bodies__load__mass=1500.0))
    assert len(warnings(titled)) == 1, "a word in a title silences nothing"


def test_wire_that_hangs_plumb_has_no_curvature():
    """A little slack over the load makes no bight; a real one is still pointed at."""
    assert not warnings(System.model_validate(changed(bodies__load__position=[20, 0, -0.5])))
    found = [str(problem) for problem in warnings(System.model_validate(changed(bodies__load__position=[20, 0, 10])))]
    assert any("elements are long for its curvature" in problem for problem in found)


CONTROL = {"kind": "constant_tension", "tension": "60 kN", "band": "5 kN", "speed_max": 1.5}


@pytest.mark.parametrize(
    ("winch", "expected"),
    [
        ({"control": CONTROL}, "cables.hoist.winch: the greatest length is not known: a controller decides"),
        ({"length_max": 90, "control": {**CONTROL, "tension": None}},
         "cables.hoist.winch.control: 'tension' is missing for a constant tension; add 'tension: 50 kN'"),
        ({"length_max": 90, "control": {**CONTROL, "band": 0}},
         "cables.hoist.winch.control.band: must be above 0 N, not 0 N"),
        ({"length_max": 90, "control": {**CONTROL, "kind": "heave_compensation"}},
         "cables.hoist.winch.control.tension: has no meaning for 'kind: heave_compensation'"),
        ({"length_max": 90, "control": {**CONTROL, "along": "wire"}},
         "cables.hoist.winch.control.along: has no meaning for 'kind: constant_tension'"),
        ({"length_max": 90, "rate": 2.0, "control": CONTROL},
         "cables.hoist.winch.rate: 2 m/s is more than control.speed_max, 1.5 m/s; use 1.5 m/s or less"),
        ({"length_max": 90, "control": {**CONTROL, "kind": "constant"}},
         "cables.hoist.winch.control.kind: must be constant_tension or heave_compensation, not 'constant'"),
    ],
)  # fmt: skip
def test_controllers_that_cannot_be(winch, expected):
    control = {name: value for name, value in winch["control"].items() if value is not None}
    assert expected in mistakes(cables__hoist__winch={"end": "start", **winch, "control": control})


def test_controller_needs_a_formulation_that_has_it():
    winch = {"end": "start", "length_max": 90, "control": CONTROL}
    system = System.model_validate(changed(cables__hoist__winch=winch))
    with pytest.raises(UnsupportedSystem, match=r"cables\.hoist\.winch\.control needs a winch with a controller"):
        compile_system(system, first_geometry(system), "tether")
