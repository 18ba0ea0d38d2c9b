"""Line types by name: numbers that a second source gives as well."""

from __future__ import annotations

import math

import pytest

from fairlead.model import CableType, ModelError, load_text
from fairlead.model.catalogue import CATALOGUE

CHAIN = {"catalogue": "chain_studless", "grade": "R4", "nominal_diameter": "185 mm"}
FILE = """
types: {chain: {catalogue: chain_studless, nominal_diameter: 0.1, drag: {normal: 1.2, axial: 0.1}}}
points: {A: {kind: fixed, position: [0, 0, 0]}, B: {kind: fixed, position: [9, 0, 0]}}
cables: {line: {type: chain, length: 10, elements: 5, start: A, end: B}}
simulation: {duration: 1, step: 0.1}
"""


def test_a_studless_chain_of_185_mm_and_grade_r4():
    chain = CableType.model_validate(CHAIN)
    assert chain.mass_per_metre == pytest.approx(685, rel=0.01)
    assert chain.diameter == pytest.approx(0.333)
    assert chain.breaking_load == pytest.approx(27.4e6, rel=1e-3)
    # DNV-OS-E301: E = (5.45 - 0.0025 d) 1e10 Pa with d in mm, on both bars of a link
    assert chain.ea == pytest.approx(2 * math.pi / 4 * 0.185**2 * (5.45 - 0.0025 * 185) * 1e10)


def test_the_volume_is_that_of_steel():
    """Mass over volume: what a chain is made of, though both come from different fits."""
    for name in ("chain_studless", "chain_studlink"):
        chain = CableType.model_validate(CHAIN | {"catalogue": name})
        assert chain.mean_density == pytest.approx(7850, rel=0.01)


@pytest.mark.parametrize(("name", "density"), [("polyester", 1380), ("nylon", 1140), ("hmpe", 975)])
def test_ropes_are_as_dense_as_their_fibre(name, density):
    assert CableType.model_validate({"catalogue": name, "nominal_diameter": 0.2}).mean_density == pytest.approx(
        density, rel=0.02
    )


def test_chains_break_where_makers_tables_say():
    """Tables by DNV-OS-E302: bar, mm; R3, R3S, R4, kN."""
    for d, *loads in ((34, 1065, 1189, 1308), (50, 2230, 2490, 2740), (64, 3552, 3966, 4364)):
        for grade, load in zip(("R3", "R3S", "R4"), loads, strict=True):
            chain = CableType.model_validate(CHAIN | {"grade": grade, "nominal_diameter": f"{d} mm"})
            assert chain.breaking_load == pytest.approx(load * 1e3, abs=1e3)


@pytest.mark.parametrize(
    ("name", "grade", "d", "key", "known", "within"),
    [
        ("chain_studless", "R4", 0.05, "ea", 0.854e11, 0.03),  # OrcaFlex, Chain
        ("chain_studlink", "R4", 0.1, "ea", math.pi / 2 * 5.6e10, 0.001),  # DNV-OS-E301
        ("wire_six_strand", None, 0.05, "breaking_load", 0.356 * 1770e6, 0.01),  # EN 12385-4, 6x36 IWRC
        ("wire_six_strand", None, 0.05, "mass_per_metre", 4.09e3, 0.03),
        ("wire_spiral_strand", None, 0.1, "ea", math.pi / 4 * 1.13e11, 0.1),  # DNV-OS-E301
        ("wire_spiral_strand", None, 0.08, "mass_per_metre", 31.7 / 0.08**2, 0.09),  # bare bridge strand, grade 1770
        ("wire_spiral_strand", None, 0.1, "breaking_load", 10585e3 / 0.1**2, 0.04),  # the same
        ("hmpe", None, 0.004, "mass_per_metre", 724 * math.pi / 4, 0.15),  # Fechner et al., 2015, 4 mm
        ("hmpe", None, 0.004, "ea", 614600 / 0.004**2, 0.18),  # the same
        ("nylon", None, 0.048, "breaking_load", 50e3 * 9.81 / 0.048**2, 0.03),  # a maker's
    ],
)
def test_a_second_source_says_about_the_same(name, grade, d, key, known, within):
    kind = CableType.model_validate({"catalogue": name, "nominal_diameter": d} | ({"grade": grade} if grade else {}))
    assert getattr(kind, key) == pytest.approx(known * d**2, rel=within)


@pytest.mark.parametrize(
    ("name", "times"),
    [("wire_six_strand", 1.385), ("wire_spiral_strand", 0.923), ("polyester", 1.231), ("hmpe", 1.231)],
)
def test_drag_beside_that_of_oceanographers(name, times):
    """1.3 for wire, jacketed wire and ropes of fibre: Dewey, Marine Models 1 (1999)."""
    kind = CableType.model_validate({"catalogue": name, "nominal_diameter": 0.02})
    assert kind.drag.normal * kind.diameter / 0.02 == pytest.approx(1.3 * times, rel=1e-3)


def test_drag_is_the_force_on_the_nominal_diameter_and_axial_drag_has_no_pi():
    chain = CableType.model_validate(CHAIN)
    assert chain.drag.normal * chain.diameter == pytest.approx(2.4 * 0.185)
    assert chain.drag.axial * chain.diameter == pytest.approx(1.15 * 0.185)
    assert chain.drag.axial_area == "projected"


def test_corrosion_takes_from_the_strength_alone():
    new, worn = (CableType.model_validate(CHAIN | {"corrosion": c}) for c in (0, "8 mm"))
    assert worn.breaking_load == pytest.approx(2.74e4 * 0.177**2 * (44 - 80 * 0.177) * 1e3)
    assert (worn.mass_per_metre, worn.ea) == (new.mass_per_metre, new.ea)


def test_ropes_are_stiffer_the_more_they_are_loaded():
    rope = {"catalogue": "polyester", "nominal_diameter": 0.2}
    static, low, high = (CableType.model_validate(rope | more) for more in ({}, {"mean_load": 0.1}, {"mean_load": 0.3}))
    assert static.ea == pytest.approx(14 * static.breaking_load)
    assert low.ea == pytest.approx((11.6 + 4) * low.breaking_load)
    assert high.ea - low.ea == pytest.approx(40 * 0.2 * low.breaking_load)


def test_explicit_keys_win_and_the_rest_follows_another_diameter():
    system = load_text(FILE)
    assert system.types["chain"].drag.normal == 1.2
    other = system.with_values({"types.chain.nominal_diameter": 0.05})
    assert other.types["chain"].diameter == pytest.approx(0.09)
    assert other.types["chain"].drag.normal == 1.2
    assert load_text(other.to_yaml()) == other
    dense = CableType.model_validate(CHAIN | {"density": 7000, "youngs_modulus": 1e9})
    assert (dense.mean_density, dense.mass_per_length, dense.axial_stiffness) == (7000, None, None)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"nominal_diameter": None}, "'nominal_diameter' is missing beside 'catalogue'"),
        ({"nominal_diameter": "185 kg"}, "nominal_diameter: "),
        ({"nominal_diameter": 185}, "beyond the chains that are made"),
        ({"catalogue": "chain_stud"}, "catalogue: must be chain_studless"),
        ({"grade": "R6"}, "grade: must be R3"),
        ({"corrosion": 0.2}, "leaves nothing of the nominal diameter"),
        ({"mean_load": 0.2}, "has no meaning for a studless chain"),
        ({"catalogue": None}, "has no meaning without 'catalogue'"),
    ],
)
def test_mistakes_are_told_once(change, message):
    with pytest.raises(ModelError) as caught:
        CableType.model_validate(CHAIN | change)
    assert message in str(caught.value)
    if change.get("catalogue", "") is not None:
        assert len(caught.value.problems) == 1


def test_every_entry_names_two_sources():
    assert all(len(entry.sources) > 1 for entry in CATALOGUE.values())
