"""First geometry of whole systems."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairlead.model import System, load_text
from fairlead.shape import first_geometry

from .equilibrium import length_error

TYPES = """
types:
  wire: {diameter: 0.044, density: 1100, youngs_modulus: 120e9}
  rope: {diameter: 0.05, density: 950, youngs_modulus: 1e9}
  neutral: {diameter: 0.05, density: 1025, youngs_modulus: 1e9}
simulation: {duration: 1, step: 0.01}
"""
WIRE = (1100 - 1025) * np.pi * 0.044**2 / 4 * 9.81  # N/m in water
ROPE = (1025 - 950) * np.pi * 0.05**2 / 4 * 9.81  # N/m of lift


def geometry(text):
    system = load_text(TYPES + text, "test.yaml")
    found = first_geometry(system)
    for name, cable in system.cables.items():
        shape = found.cables[name]
        assert np.array_equal(shape.nodes[0], found.points[cable.start.point])
        assert np.array_equal(shape.nodes[-1], found.points[cable.end.point])
        if shape.state != "squeezed":
            segments = cable.segments(system)
            stretched = np.array([s.length for s in segments]) * (1.0 + shape.strain)
            assert length_error(shape.nodes, stretched) < 1e-12
            if shape.balanced and shape.tensions.min() >= 0.0:
                stiffness = np.array([system.types[s.type_name].ea for s in segments])
                assert np.allclose(shape.strain, shape.tensions / stiffness, rtol=1e-6, atol=1e-15) or (
                    shape.state == "straight" and not shape.strain.any()
                )
    return found


def hung_from(z, kind, depth, length=100, more=""):
    """The loose end of a cable from (1, 2, z)."""
    return geometry(f"""
environment: {{seabed: {{depth: {depth}}}{more}}}
points: {{A: {{kind: fixed, position: [1, 2, {z}]}}, F: {{kind: free}}}}
cables: {{c: {{type: {kind}, length: {length}, elements: 20, start: A, end: F}}}}
""")


def test_the_sinking_cables_start_as_two_catenaries():
    found = geometry("""
environment: {seabed: {depth: 200}}
points:
  A: {kind: controlled, position: [0, -375, 0]}
  B: {kind: controlled, position: [0, 375, 0]}
  M: {kind: free, position: [0, 0, 0]}
cables:
  left: {type: wire, length: 500, elements: 50, start: A, end: M}
  right: {type: wire, length: 500, elements: 50, start: M, end: B}
""")
    # from an independent computation of the same discrete catenary
    expected = [(0, -317.60, -81.60), (0, -187.50, -147.20), (0, -57.40, -81.60)]
    assert np.abs(found.nodes["left"][[10, 25, 40]] - expected).max() < 0.01
    assert np.abs(found.nodes["right"][::-1] * (1, -1, 1) - found.nodes["left"]).max() < 1e-9
    assert found.notes == ()


def test_a_junction_without_position_comes_to_rest_between_its_cables():
    found = geometry("""
points: {A: {kind: fixed, position: [0, -375, 0]}, B: {kind: fixed, position: [0, 375, 0]}, M: {kind: free}}
cables:
  left: {type: wire, length: 500, elements: 50, start: A, end: M}
  right: {type: wire, length: 500, elements: 50, start: M, end: B}
""")
    left, right = found.cables["left"], found.cables["right"]
    assert np.abs(left.force_end + right.force_start).max() < 0.02 * left.horizontal
    assert found.points["M"] == pytest.approx((0, 0, -294.4), abs=1)
    assert "point 'M' has no position: placed at" in found.notes[0]


def test_a_sinking_loose_end_hangs_straight_down():
    found = hung_from(-50, "wire", 300)
    longer = WIRE * 100**2 / 2 / (120e9 * np.pi * 0.044**2 / 4)  # w L^2/(2 EA)
    assert found.points["F"] == pytest.approx((1, 2, -150 - longer), abs=1e-9)
    assert found.cables["c"].vertical_start == pytest.approx(-100 * WIRE, rel=1e-9)
    assert np.abs(found.cables["c"].force_end).max() < 1e-6


def test_a_loose_end_that_reaches_the_bed_is_laid_out_on_it():
    found = hung_from(0, "wire", 60)
    assert found.points["F"][2] == pytest.approx(-60 + 0.022, abs=1e-9)
    assert 39 < found.points["F"][0] < 43
    down_current = hung_from(0, "wire", 60, more=", current: [{z: 0, velocity: [0, -1, 0]}]")
    assert down_current.points["F"][0] == pytest.approx(1)
    assert down_current.points["F"][1] < -37
    field = ", current_field: {t: [0, 9], velocity: [[0, -1, 0], [0, 0, 0]]}"
    assert hung_from(0, "wire", 60, more=field).points["F"] == pytest.approx(down_current.points["F"])


def test_a_buoyant_loose_end_rises_and_stays_in_the_water():
    deep = hung_from(-150, "rope", 300)
    longer = ROPE * 100**2 / 2 / (1e9 * np.pi * 0.05**2 / 4)
    assert deep.points["F"] == pytest.approx((1, 2, -50 + longer), abs=1e-9)
    shallow = hung_from(-50, "rope", 300)
    nodes = shallow.nodes["c"]
    assert abs(shallow.points["F"][2]) < 0.05
    assert shallow.points["F"][0] > 45
    assert nodes[:, 2].max() < 0.05


def test_a_floating_rope_from_a_ship_hangs_to_the_surface_and_lies_on_it():
    nodes = hung_from(20, "rope", 300).nodes["c"]
    assert nodes[:, 2].min() > -0.05
    assert np.abs(nodes[5:, 2]).max() < 0.05


def test_a_slack_floating_rope_between_two_depths_lies_on_the_surface_in_between():
    found = geometry("""
points: {A: {kind: fixed, position: [0, 0, -10]}, B: {kind: fixed, position: [60, 0, -20]}}
cables: {c: {type: rope, length: 80, elements: 80, start: A, end: B}}
""")
    z = found.nodes["c"][:, 2]
    assert z.max() < 0.05
    assert (z > -0.05).sum() > 5
    assert found.cables["c"].vertical_start > 10 * ROPE


def test_a_wire_into_the_water_weighs_more_above_the_surface():
    found = geometry("""
points: {A: {kind: fixed, position: [0, 0, 20]}, B: {kind: fixed, position: [30, 0, -60]}}
cables: {c: {type: wire, length: 100, elements: 200, start: A, end: B}}
""")
    shape = found.cables["c"]
    assert shape.balanced
    dry = 1100 * np.pi * 0.044**2 / 4 * 9.81
    z = shape.nodes[:, 2]
    in_air = 0.5 * (z[:-1] > 0).sum()
    weight = dry * in_air + WIRE * (100 - in_air)
    assert -(shape.vertical_start + shape.vertical_end) == pytest.approx(weight, abs=0.5 * dry)


def test_a_float_holds_its_anchor_line_up():
    found = geometry("""
environment: {seabed: {depth: 100}}
points: {A: {kind: fixed, position: [1, 2, -100]}, F: {kind: free, mass: 100, volume: 2}}
cables: {c: {type: wire, length: 80, elements: 20, start: A, end: F}}
""")
    assert found.points["F"] == pytest.approx((1, 2, -20), abs=1e-6)


def test_a_buoy_with_line_to_spare_floats_above_its_anchor():
    found = geometry("""
environment: {seabed: {depth: 100}}
points: {A: {kind: fixed, position: [1, 2, -100]}, F: {kind: free, mass: 100, volume: 2}}
cables: {c: {type: wire, length: 120, elements: 20, start: A, end: F}}
""")
    assert found.points["F"] == pytest.approx((1, 2, 0), abs=0.2)
    assert found.nodes["c"][1:, 2].min() > -100


def test_three_moorings_hold_a_buoy_in_their_middle():
    found = geometry("""
environment: {seabed: {depth: 100}}
points:
  A: {kind: fixed, position: [200, 0, -100]}
  B: {kind: fixed, position: [-100, 173.20508, -100]}
  C: {kind: fixed, position: [-100, -173.20508, -100]}
  F: {kind: free, mass: 1000, volume: 20}
cables:
  a: {type: wire, length: 240, elements: 40, start: A, end: F}
  b: {type: wire, length: 240, elements: 40, start: B, end: F}
  c: {type: wire, length: 240, elements: 40, start: C, end: F}
""")
    assert found.points["F"] == pytest.approx((0, 0, 0), abs=0.1)


def test_a_bridle_hangs_symmetrically_with_its_load_below():
    found = geometry("""
points:
  A: {kind: fixed, position: [5, 0, 20]}
  B: {kind: fixed, position: [-5, 0, 20]}
  J: {kind: free}
  W: {kind: free, mass: 5000, volume: 1}
cables:
  a: {type: wire, length: 10, elements: 10, start: A, end: J}
  b: {type: wire, length: 10, elements: 10, start: B, end: J}
  c: {type: wire, length: 40, elements: 10, start: J, end: W}
""")
    below = 20 - np.sqrt(75)
    assert found.points["J"] == pytest.approx((0, 0, below), abs=1e-3)
    longer = 40 * found.cables["c"].strain.mean()
    assert found.points["W"] == pytest.approx((0, 0, below - 40 - longer), abs=1e-3)
    assert not any("stretched" in note for note in found.notes)


def test_a_load_pulls_a_neutral_line_straight():
    found = geometry("""
points: {A: {kind: fixed, position: [0, 0, -5]}, J: {kind: free}}
cables: {a: {type: neutral, length: 100, elements: 10, start: A, end: J}}
loads: [{point: J, force: [-600, 0, -800], table: [[0, 0.5], [10, 1]]}]
""")
    assert found.points["J"] == pytest.approx((-60, 0, -85), abs=0.01)


def test_a_stretched_cable_sags_and_is_named_with_its_tension():
    """Between level ends the stretch makes up for chord and sag: (T/EA) L = d - L + d (w d/T)^2/24, to first order."""
    found = geometry("""
points: {A: {kind: fixed, position: [0, 0, -10]}, B: {kind: fixed, position: [64.032, 0, -10]}}
cables: {g: {type: rope, length: 64, elements: 200, start: A, end: B, allow_stretch: true}}
""")
    stiffness, span = 1e9 * np.pi * 0.05**2 / 4, 64.032
    tension = found.tensions["g"]
    sag = span * (ROPE * span / tension.mean()) ** 2 / 24
    assert tension.mean() * 64 / stiffness == pytest.approx(0.032 + sag, rel=1e-3)
    assert found.nodes["g"][100, 2] == pytest.approx(-10 + ROPE * span**2 / 8 / tension.mean(), abs=1e-3)
    assert found.notes == (
        "note: cable 'g' is 64 m long and its ends are 64.032 m apart: stretched, strain "
        f"{100 * tension.max() / stiffness:.2g} %, tension {tension.max() / 1e3:.4g} kN",
    )


def test_a_controlled_point_starts_where_its_motion_does():
    found = geometry("""
points:
  A: {kind: controlled, position: [0, 0, 0], motion: {table: [[-1, 0, 0, 0], [1, 2, 0, 4]]}}
  B: {kind: controlled, position: [9, 0, 0],
      motion: {harmonic: {amplitude: [0, 1, 0], period: 5, phase_deg: 90, ramp: 0}}}
cables: {c: {type: wire, length: 20, elements: 10, start: A, end: B}}
""")
    assert found.points["A"] == pytest.approx((1, 0, 2))
    assert found.points["B"] == pytest.approx((9, 1, 0))


def test_sections_and_attachments_bend_the_cable():
    found = geometry("""
points: {A: {kind: fixed, position: [0, 0, -10]}, B: {kind: fixed, position: [80, 0, -10]}}
cables:
  c:
    sections: [{type: wire, length: 50, elements: 25}, {type: rope, length: 50, elements: 25}]
    start: A
    end: B
    attachments: [{at: 25.4, mass: 50, volume: 0.01}]
""")
    nodes = found.nodes["c"]
    assert np.argmin(nodes[:, 2]) == 13  # the clump weight hangs between nodes 12 and 13, nearer to the latter
    assert nodes[25:, 2].max() > -20


def test_loops_and_single_elements():
    found = geometry("""
points: {J: {kind: fixed, position: [0, 0, -10]}, K: {kind: free}, L: {kind: free}}
cables:
  loop: {type: wire, length: 40, elements: 10, start: J, end: J}
  bar: {type: wire, length: 40, elements: 1, start: J, end: K}
  ring: {type: wire, length: 40, elements: 5, start: K, end: K}
  twin: {type: wire, length: 40, elements: 3, start: K, end: L}
  other: {type: wire, length: 40, elements: 4, start: L, end: K}
""")
    assert found.points["K"] == pytest.approx((0, 0, -50), abs=1e-3)
    assert found.points["L"][2] == pytest.approx(-90, abs=0.1)


def test_a_system_without_any_position_starts_at_the_origin():
    found = geometry("""
points: {J: {kind: free}, K: {kind: free}}
cables: {b: {type: wire, length: 40, elements: 10, start: J, end: K}}
""")
    assert found.points["J"] == pytest.approx((0, 0, 0))
    assert found.points["K"] == pytest.approx((0, 0, -40))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 2**32 - 1),
    free=st.integers(1, 5),
    loops=st.integers(0, 3),
    seabed=st.sampled_from(("", "seabed: {depth: 60}", "seabed: {depth: 60, slope: [0.1, -0.2]}", "water_density: 0")),
)
def test_random_trees_and_loops_are_laid_out_without_stretch(seed, free, loops, seabed):
    rng = np.random.default_rng(seed)
    kinds = ("wire", "rope", "neutral")
    text = [f"environment: {{{seabed}}}", "points:", "  P0: {kind: fixed, position: [0, 0, -20]}"]
    cables = ["cables:"]
    for k in range(1, free + 1):
        body = f", mass: {rng.uniform(0, 500):.3f}, volume: {rng.uniform(0, 0.5):.3f}" if rng.random() < 0.5 else ""
        text.append(f"  P{k}: {{kind: free{body}}}")
    ends = [(int(rng.integers(0, k)), k) for k in range(1, free + 1)]
    ends += [tuple(int(p) for p in rng.integers(0, free + 1, 2)) for _ in range(loops)]
    for k, (a, b) in enumerate(ends):
        n, length = int(rng.integers(4, 20)), rng.uniform(10, 60)
        cables.append(
            f"  c{k}: {{type: {kinds[rng.integers(3)]}, length: {length:.3f}, elements: {n}, start: P{a}, end: P{b}}}"
        )
    found = geometry("\n".join(text + cables) + "\n")
    for shape in found.cables.values():
        assert np.isfinite(shape.nodes).all()
        assert shape.state in ("hanging", "resting", "straight")


def _swing(start: str, tip: dict[str, object]) -> System:
    """A soft cable as long as its chord, 1 rad from the vertical."""
    return System.model_validate(
        {
            "environment": {"water_density": 0.0},
            "types": {"rope": {"diameter": 0.1, "mass_per_length": 12.0, "axial_stiffness": 1e5}},
            "points": {"top": {"kind": "fixed", "position": [0, 0, 0]}, "tip": {"position": [8, 0, -6], **tip}},
            "cables": {"rope": {"type": "rope", "length": 10.0, "elements": 5, "start": "top", "end": "tip"}},
            "simulation": {"start": start, "duration": 1.0, "step": 0.01},
        }
    )


def test_a_cable_that_is_let_go_has_no_tension_and_one_that_is_held_has():
    """Held as long as its chord it sags and is taut, T³ ≈ EA (w cos φ L)²/24; nothing holds a free tip."""
    held = first_geometry(_swing("catenary", {"kind": "fixed"})).cables["rope"]
    taut = (1e5 * (12.0 * 9.80665 * 0.8 * 10.0) ** 2 / 24) ** (1 / 3)
    assert held.tensions.mean() == pytest.approx(taut, rel=0.05)
    for start, tip in (("catenary", {"kind": "free", "mass": 5.0}), ("unstretched", {"kind": "fixed"})):
        laid = first_geometry(_swing(start, tip)).cables["rope"]
        assert np.linalg.norm(np.diff(laid.nodes, axis=0), axis=1) == pytest.approx(2.0, abs=1e-12)
