"""The `hydro` section of a file: what is understood, and what is refused, with place and cure."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from fairlead.formulations.contract import UnsupportedSystem
from fairlead.hydro import compile_hulls
from fairlead.hydro.compiled_hydro import CompiledHydro
from fairlead.model import ModelError, System
from fairlead.shape.layout import first_geometry

PERIOD = 6.283185307
BUOY: dict[str, Any] = {
    "environment": {"seabed": {"depth": 20}, "waves": {"kind": "regular", "height": 0.25, "period": PERIOD}},
    "types": {},
    "points": {},
    "bodies": {"buoy": {"kind": "free", "position": [0, 0, -7], "mass": 184084.24, "inertia": [9e5, 9e5, 9e5]}},
    "cables": {},
    "hydro": {
        "mode": "linear",
        "hulls": {"buoy": {"sphere": {"diameter": 7}, "panel_size": 1.4, "locked": ["sway", "roll", "yaw"]}},
        "springs": [{"body": "buoy", "anchor": [0, 0, -20], "stiffness": 3e5, "damping": 5e4}],
        "surface": {"columns": 16, "outer": 12},
    },
    "simulation": {"start": "catenary", "formulation": "multibody", "duration": PERIOD, "step": PERIOD / 40},
}
FLOATER: dict[str, Any] = copy.deepcopy(BUOY)
FLOATER["bodies"]["buoy"] |= {"position": [0, 0, 0], "mass": 8000}
FLOATER["hydro"]["hulls"]["buoy"] = {"cylinder": {"diameter": 2, "height": 5}, "panel_size": 0.8}
FLOATER["hydro"]["springs"] = []


def changed(base: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """The description with values at dotted places (`__` for a dot) replaced."""
    data = copy.deepcopy(base)
    for path, value in changes.items():
        *outer, last = path.split("__")
        part = data
        for name in outer:
            part = part.setdefault(name, {})
        part[last] = value
    return data


def compiled(data: dict[str, Any]) -> CompiledHydro:
    system = System(**data)
    return compile_hulls(system, first_geometry(system))


def test_a_system_may_be_a_hull_and_nothing_else() -> None:
    system = System(**BUOY)
    assert system.hydro is not None
    assert System(**system.to_dict()) == system


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"hydro__hulls": {"boy": {"sphere": {"diameter": 7}}}}, r"there is no body 'boy'.*did you mean 'buoy'"),
        ({"hydro__hulls": {}}, "there is no hull"),
        ({"hydro__hulls__buoy": {}}, "needs one of 'sphere'"),
        ({"hydro__hulls__buoy__locked": ["heave", "heave"]}, "named twice"),
        ({"bodies__buoy__volume": 100}, "'volume' would count twice"),
        ({"bodies__buoy__added_mass": [1, 1, 1]}, "'added_mass' would count twice"),
        ({"bodies__buoy__position": [0, 0, -18]}, r"into the seabed at z = -20 m.*raise the body"),
        ({"environment__current": [{"z": 0, "velocity": [1, 0, 0]}]}, "hulls know no current"),
        ({"bodies__buoy__wind": {"area": 10}}, "know no wind yet"),
        ({"environment__seabed__slope": [0.1, 0]}, "level seabed"),
        ({"environment__waves__height": 9}, "break above 8.2"),
        ({"hydro__springs": [{"body": "buoy", "dof": "heave"}]}, "neither stiffness nor damping"),
        ({"hydro__springs": [{"body": "buoy", "stiffness": 1}]}, "needs one of 'dof' and 'anchor'"),
        ({"hydro__surface": {"radius": 10, "damping_from": 20}}, "not inside the disc of 10 m"),
        ({"hydro__hulls__buoy": {"panel_size": 1}}, "needs one of 'sphere'"),
        ({"hydro__hulls__buoy": {"sphere": {"diameter": "x"}}}, "diameter"),
        ({"hydro__hulls__buoy": {"sphere": {}}}, "'diameter' is missing"),
        ({"hydro__hulls__buoy": {"profile": []}}, "two rows"),
        ({"hydro__hulls__buoy": {"profile": [[1, -1], [2, -2]]}}, "z must rise from row to row"),
    ],
)  # fmt: skip
def test_mistakes_are_named_with_their_cure(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError, match=f"(?s){message}"):
        System(**changed(BUOY, **changes))


@pytest.mark.parametrize(
    ("base", "changes", "message"),
    [
        (BUOY, {"simulation__step": PERIOD / 2}, r"simulation.step: 3.14159 s is above the bound .* smaller step"),
        (BUOY, {"bodies__buoy__position": [0, 0, -3.4]}, "a floating sphere needs its middle near the surface"),
        (FLOATER, {"bodies__buoy__position": [0, 0, 4], "hydro__hulls__buoy__through_surface": False},
         "the hull is out of the water"),
        (BUOY, {"hydro__surface__centre": [100, 0]}, r"bodies.buoy: stands 100 m from the middle .* absorbing zone"),
        (BUOY, {"hydro__surface__radius": 5}, r"use a larger hydro.surface.radius"),
        (BUOY, {"hydro__hulls__buoy__panel_size": 100}, "panels of 100 m are too large .* use 3.1 m at the most"),
        (FLOATER, {"bodies__buoy__orientation_deg": [0, 95, 0]}, "does not float as it starts.*orientation_deg"),
        (BUOY, {"hydro__springs": [{"body": "buoy", "anchor": [0, 0, -7], "stiffness": 1}]}, "pull in no direction"),
        (BUOY, {"hydro__theory": "stokes5"}, "has no meaning in mode 'linear'"),
        (BUOY, {"simulation__integrator": "semi_implicit"}, "stepped by rk4"),
        (BUOY, {"hydro__symmetry": True, "environment__waves__direction_deg": 30}, "waves do not run along x"),
        (FLOATER, {"bodies__buoy__position": [0, 0, -3]}, "its top is at z = -0.5 m, under water"),
        (FLOATER, {"hydro__hulls__buoy": {"mesh": {"file": "no.stl"}}}, "no such mesh file"),
    ],
)  # fmt: skip
def test_what_cannot_be_run_is_refused(base: dict[str, Any], changes: dict[str, Any], message: str) -> None:
    with pytest.raises(UnsupportedSystem, match=message):
        compiled(changed(base, **changes))


def test_an_open_mesh_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "open.obj"
    path.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n")
    with pytest.raises(UnsupportedSystem, match=r"hydro.hulls.buoy.mesh.file: .*open.obj: the mesh is open: 3 edges"):
        compiled(changed(BUOY, hydro__hulls__buoy={"mesh": {"file": str(path)}}))


def test_symmetry_is_used_only_where_all_lies_in_the_plane() -> None:
    assert compiled(BUOY).basin.symmetric
    assert not compiled(changed(BUOY, environment__waves__direction_deg=20)).basin.symmetric
    assert not compiled(changed(BUOY, hydro__symmetry=False)).basin.symmetric
    beside = changed(BUOY)
    beside["hydro"]["springs"][0]["anchor"] = [0, 3, -20]
    assert not compiled(beside).basin.symmetric


def test_other_commands_say_that_they_know_no_hulls() -> None:
    from fairlead.formulations import compile_system as compile_formulation

    system = System(**BUOY)
    with pytest.raises(UnsupportedSystem, match="hydro needs hulls whose water is solved for"):
        compile_formulation(system, first_geometry(system))
