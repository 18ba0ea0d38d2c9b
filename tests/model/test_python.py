"""Systems built, changed and written from Python."""

from __future__ import annotations

import math
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from fairlead.model import (
    Cable,
    CableType,
    ControlledPoint,
    Environment,
    FixedPoint,
    FreePoint,
    ModelError,
    Motion,
    PrescribedBody,
    Seabed,
    Segment,
    SimulationSettings,
    System,
    counts,
    load,
    load_text,
)
from fairlead.model.part import Part
from fairlead.model.settings import Tolerance

from .files import EVERYTHING, SINKING, SPREAD


def parts_of(part: type[Part]) -> list[type[Part]]:
    return [found for kind in part.__subclasses__() for found in (kind, *parts_of(kind))]


def test_what_a_file_leaves_unsaid_is_what_its_part_would_be_when_checked():
    unsaid = [field.default for kind in parts_of(Part) for field in kind.model_fields.values()]
    unsaid = [part for part in unsaid if isinstance(part, Part)]
    assert {Environment, Tolerance} < {type(part) for part in unsaid}
    for part in unsaid:
        given = {name: getattr(part, name) for name in part.model_fields_set}
        checked = type(part)(**given)
        assert checked == part
        assert checked.model_dump_json(exclude_unset=True) == part.model_dump_json(exclude_unset=True)


def a_system(**changes: object) -> System:
    parts: dict[str, object] = {
        "types": {"rope": CableType(diameter="20 mm", mass_per_length=0.5, axial_stiffness="1 MN")},
        "points": {"top": FixedPoint(position=(0, 0, 0)), "tip": FreePoint()},
        "cables": {"rope": {"type": "rope", "length": 10, "elements": 4, "start": "top", "end": "tip"}},
        "simulation": {"duration": 10, "step": 0.01},
    }
    return System.model_validate({**parts, **changes})


def test_a_system_is_built_from_parts() -> None:
    system = a_system()
    assert isinstance(system.cables["rope"], Cable)
    assert system.environment == Environment()
    assert system.source is None
    same = System(types=system.types, points=system.points, cables=system.cables, simulation=system.simulation)
    assert same == system


def test_mistakes_in_python_are_model_errors_too() -> None:
    with pytest.raises(ModelError) as caught:
        CableType(diameter=-1, density=1, youngs_modulus=1)
    assert str(caught.value) == "diameter: must be above 0 m, not -1 m"
    with pytest.raises(ModelError) as caught:
        a_system(points={"top": FixedPoint(position=(0, 0, 0))})
    assert str(caught.value) == "cables.rope.end: there is no point 'tip'; did you mean 'top'?"
    with pytest.raises(ModelError) as caught:
        System()
    assert "'types' is missing" in str(caught.value)
    with pytest.raises(ModelError):
        System.model_validate(None)
    with pytest.raises(ModelError):
        System.model_validate({1: 2})


def test_a_model_error_can_be_sent_to_another_process() -> None:
    with pytest.raises(ModelError) as caught:
        CableType(diameter=-1)
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.problems == caught.value.problems


def test_arrays_are_taken_as_lists() -> None:
    point = FixedPoint(position=np.array([1, 2, 3]))
    assert point.position == (1.0, 2.0, 3.0)
    assert Motion(table=np.zeros((1, 4))).table == ((0.0, 0.0, 0.0, 0.0),)
    assert FreePoint(mass=np.float32(2.0)).mass == 2.0


def test_arrays_are_taken_where_the_default_is_a_row() -> None:
    assert Seabed.model_validate({"depth": 100, "slope": np.array([0.0, 0.1])}).slope == (0.0, 0.1)
    assert Seabed(depth=100, slope=np.zeros(2)).slope == (0.0, 0.0)
    box = PrescribedBody(position=np.zeros(3), orientation_deg=np.array([0.0, 10.0, 0.0]))
    assert box.orientation_deg == (0.0, 10.0, 0.0)


def test_an_array_that_is_the_default_may_stand_beside_what_excludes_the_key() -> None:
    """As a list may: results hold all values of a system, and are read again."""
    beside = {"bathymetry": {"x": [0, 1], "y": [0, 1], "depth": [[9, 9], [9, 9]]}}
    assert Seabed.model_validate({**beside, "slope": np.zeros(2)}).slope == (0.0, 0.0)
    with pytest.raises(ModelError, match="slope: cannot stand beside 'bathymetry'"):
        Seabed.model_validate({**beside, "slope": np.array([0.0, 0.1])})


def test_parts_cannot_be_changed() -> None:
    system = load_text(SINKING)
    with pytest.raises(AttributeError, match=r"'length' of a Cable cannot be set.*with_values"):
        system.cables["left"].length = 3.0  # type: ignore[misc]


def test_values_are_changed_by_their_paths_in_a_validated_copy() -> None:
    system = load_text(SINKING)
    changed = system.with_values({"cables.left.length": 380, "points.A.position[2]": -5, "environment.seabed": None})
    assert changed.cables["left"].length == 380.0
    assert changed.points["A"].position[2] == -5.0
    assert changed.environment.seabed is None
    assert system.cables["left"].length != 380.0
    assert changed.source is system.source
    assert system.with_values({}) == system
    whole = system.with_values({"environment.seabed": Seabed(depth=90)})
    assert whole.environment.seabed == Seabed(depth=90)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"cables.left.lenght": 3}, "did you mean 'length'?"),
        ({"cables.lefd.length": 3}, "'cables' has no 'lefd'; did you mean 'left'?"),
        ({"cables.left.length": "3 kg"}, "length"),
        ({"simulation..step": 3}, "is not a path to a value; write it as simulation.step"),
        ({"points.A.position[3]": 3}, "holds 3 entries"),
    ],
)
def test_a_path_that_leads_nowhere_is_told_as_in_a_file(values: dict[str, object], sentence: str) -> None:
    with pytest.raises(ModelError) as caught:
        load_text(SINKING).with_values(values)
    assert sentence in str(caught.value)


def test_every_wrong_path_is_named_at_once(tmp_path: Path) -> None:
    file = tmp_path / "case.yaml"
    file.write_text(SINKING)
    assert load(file, set={"simulation.duration": 7}).simulation.duration == 7.0
    with pytest.raises(ModelError) as caught:
        load(file, set={"cables.a.length": 3, "points.b.position": [0, 0, 0], "cables.b.length": 3})
    assert len(caught.value.problems) == 3


def test_properties_of_a_type() -> None:
    area = math.pi * 0.25**2 / 4
    by_density = CableType(diameter=0.25, density=2000, youngs_modulus=1e9)
    assert by_density.area == pytest.approx(area)
    assert by_density.mass_per_metre == pytest.approx(2000 * area)
    assert by_density.ea == pytest.approx(1e9 * area)
    assert by_density.contact_diameter == by_density.contact_diameter_or_default == 0.25
    by_mass = CableType(diameter=0.25, mass_per_length=7, axial_stiffness=5, bending_stiffness=3, torsional_stiffness=4)
    assert (by_mass.mass_per_metre, by_mass.ea, by_mass.ei, by_mass.gj) == (7, 5, 3, 4)
    assert by_mass.mean_density == pytest.approx(7 / area)
    assert by_mass.weight_in_water(Environment(water_density=0, gravity=10)) == 70
    assert by_mass.weight_in_water(Environment()) < 0
    damped = CableType(diameter=1, density=1, youngs_modulus=1, damping_time={"bending": "20 ms"})
    assert (damped.damping_axial(2.0), damped.damping_bending, damped.damping_torsion) == (0, 0.02, 0)


def test_current_flows_towards_its_direction_and_is_sorted_by_depth() -> None:
    sea = Environment.model_validate(
        {"current": [{"z": 0, "speed": 2, "direction_deg": 90}, {"z": -10, "velocity": [1, 0, 0]}]}
    )
    (deep, deep_velocity), (top, top_velocity) = sea.current_table
    assert (deep, top) == (-10, 0)
    assert deep_velocity == (1, 0, 0)
    assert top_velocity == pytest.approx((0, 2, 0))


def test_the_seabed_rises_along_its_slope() -> None:
    sea = Environment.model_validate({"seabed": {"depth": 100, "slope": [0.1, 0.2], "stiffness": 7}})
    assert sea.seabed is not None
    assert sea.seabed.level(10, 20) == pytest.approx(-95)
    assert sea.seabed.friction_stiffness == 7


def test_segments_of_all_ways_to_divide_a_cable() -> None:
    system = load_text(EVERYTHING)
    line = system.cables["line"].segments(system)
    assert line[0] == Segment(5.0, "chain")
    assert line[-1] == Segment(5.0, "tail")
    assert len(line) == 24 == system.cables["line"].element_count
    assert sum(segment.length for segment in line) == pytest.approx(system.cables["line"].total_length) == 130
    assert system.cables["towline"].segments() == (Segment(5.0, "tail"),) * 4


def test_counts_are_those_of_the_paper() -> None:
    assert counts(load_text(SINKING)) == {"bars": 100, "points": 2, "junctions": 1, "cables": 2, "states": 1328}


@pytest.mark.parametrize(
    ("duration", "step", "output_every", "cures"),
    [
        (10, 3, 12, {"duration": "use 9 s", "output_every": "use 9 s or less"}),
        (10, 3, 10, {"duration": "use 9 s", "output_every": "use 9 s"}),
        (1, 3, None, {"duration": "use 3 s"}),
        (10, 3, 4, {"duration": "use 9 s", "output_every": "use 3 s"}),
        (2.1e6, 2, 1, {"output_every": "use 4 s or more"}),
    ],
)
def test_the_cures_for_times_that_do_not_fit_hold_together(
    duration: float, step: float, output_every: float | None, cures: dict[str, str]
) -> None:
    given = {"duration": duration, "step": step} | ({} if output_every is None else {"output_every": output_every})
    with pytest.raises(ModelError) as caught:
        SimulationSettings(**given)
    assert {problem.path: problem.hint for problem in caught.value.problems} == cures
    cured = {name: float(hint.split()[1]) for name, hint in cures.items()}
    assert SimulationSettings(**{**given, **cured}).duration == cured.get("duration", duration)


def test_output_every_defaults_to_a_two_hundredth_on_whole_steps() -> None:
    assert SimulationSettings(duration=1000, step=0.0125).output_every == 5.0
    assert SimulationSettings(duration=1, step=0.5).output_every == 0.5
    assert SimulationSettings(duration=33, step=0.1).output_every == pytest.approx(0.2)


def test_settings_are_changed_in_a_validated_copy() -> None:
    system = load_text(SINKING)
    changed = system.with_settings(
        step="100 ms", bars__tuning="literal", bars={"alpha": 10}, tolerance={"relative": 1e-3}
    )
    assert changed.simulation.step == 0.1
    assert changed.simulation.bars.tuning == "literal"
    assert changed.simulation.bars.alpha == 10
    assert changed.simulation.tolerance.relative == 1e-3
    assert changed.simulation.output_every == 1.0
    assert changed.with_settings(output_every=None).simulation.output_every == 5.0
    assert changed.source is system.source
    assert system.simulation.step == 0.0125
    with pytest.raises(ModelError, match=r"^simulation.bars.tunin: unknown key; did you mean 'tuning'\?$"):
        system.with_settings(bars__tunin="rule")
    with pytest.raises(ModelError, match=r"simulation\.step: holds no settings of its own"):
        system.with_settings(step__x=1)


@pytest.mark.parametrize("text", [SINKING, EVERYTHING, SPREAD])
def test_a_system_survives_being_written_down(text: str) -> None:
    system = load_text(text)
    assert load_text(system.to_yaml()) == system
    assert System.model_validate(system.to_dict()) == system
    assert System.model_validate(system.model_dump()) == system
    assert System.model_validate(system.model_dump(exclude_unset=True)) == system
    assert System.model_validate_json(system.model_dump_json()) == system
    assert pickle.loads(pickle.dumps(system)) == system


def test_points_made_in_python_keep_their_kind_when_written_down() -> None:
    system = a_system(
        points={"top": ControlledPoint(position=(0, 0, 0)), "tip": FreePoint()},
        title='odd: "text"\n\u2028 ünï\U0001f600 yes',
    )
    assert load_text(system.to_yaml()) == system
    assert a_system(title="null").to_yaml().startswith('title: "null"\n')


def test_importing_the_model_imports_no_heavy_library() -> None:
    code = "import sys, fairlead.model; print(*{'numba', 'numpy', 'xarray', 'scipy', 'matplotlib'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == ""
