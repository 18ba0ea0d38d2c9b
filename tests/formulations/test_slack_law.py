"""Which cables only pull: by default those without bending stiffness, in every formulation; else what the file says."""

import pytest

import fairlead as fl
from fairlead.formulations.bars.rows import joint_rows
from fairlead.formulations.bars.rows import only_pulls as bars_only_pull
from fairlead.formulations.tether.build import tension_only


def line(bending: float = 0.0, **simulation: object) -> fl.System:
    return fl.System.model_validate(
        {
            "types": {
                "rope": {"diameter": 0.02, "density": 1100, "axial_stiffness": 1e5},
                "rod": {"diameter": 0.02, "density": 1100, "axial_stiffness": 1e5, "bending_stiffness": bending},
            },
            "points": {
                "A": {"kind": "fixed", "position": [0, 0, -5]},
                "B": {"kind": "fixed", "position": [9, 0, -5]},
            },
            "cables": {"line": {"type": "rod", "length": 10, "elements": 4, "start": "A", "end": "B"}},
            "simulation": {"duration": 1, "step": 0.01, **simulation},
        }
    )


@pytest.mark.parametrize(
    ("bending", "simulation", "expected"),
    [
        (0.0, {}, True),
        (5.0, {}, False),
        (5.0, {"bars": {"compression": "none"}}, True),
        (0.0, {"bars": {"compression": "carried"}}, False),
        (0.0, {"bars": {"tuning": "literal", "compression": "none"}}, False),
        (0.0, {"integrator": "rk4"}, False),
        (0.0, {"integrator": "explicit_euler"}, False),
        (0.0, {"integrator": "rk4", "bars": {"compression": "none"}}, True),
    ],
)
def test_bars(bending, simulation, expected):
    system = line(bending, **simulation)
    assert bars_only_pull(system.types["rod"], system) is expected


def test_a_joint_of_bars_belongs_to_the_bar_behind_it():
    """A rope that goes over into a rod: its own joints only pull, the rod's push as well."""
    system = line(5.0)
    kinds = [system.types[name] for name in ("rope", "rope", "rod")]
    one_way = [row["one_way"] for row in joint_rows(kinds, [2.0, 2.0, 2.0], system, {})]
    assert one_way == [1.0, 1.0, 1.0, 0.0]


@pytest.mark.parametrize(
    ("bending", "tether", "expected"),
    [
        (0.0, {}, True),
        (5.0, {}, False),
        (5.0, {"tension_only": True}, True),
        (0.0, {"tension_only": False}, False),
        (0.0, {"mode": "paper"}, False),
        (0.0, {"aim": "length"}, False),
    ],
)
def test_tether(bending, tether, expected):
    assert tension_only(line(bending, tether=tether)) is expected
