"""Scenarios: what a design makes of what varies, and that more of them keep the old ones."""

from __future__ import annotations

import numpy as np
import pytest

VARIED = "environment.waves.significant_height: [1, 2 m]\n  environment.waves.seed: {seeds: 2}"
DRAWN = "types.chain.drag.normal: {normal: [1.2, 0.1], truncate: [1.1, 1.6]}\n  environment.waves.seed: {seeds: 2}"
LEVELS = "environment.waves.direction_deg: [0, 45, 90]\n  environment.waves.seed: {seeds: 2}"


def values(study) -> list[dict]:
    return [study.values(i) for i in range(len(study))]


def test_a_product_has_every_combination_and_more_seeds_come_behind(study):
    few, many = study({VARIED: LEVELS}), study({VARIED: LEVELS.replace("seeds: 2", "seeds: 3")}, "many")
    assert len({tuple(row.values()) for row in values(few)}) == 6
    assert values(many)[:6] == values(few)
    assert {row["environment.waves.seed"] for row in values(many)[6:]} == {3}


@pytest.mark.parametrize("design", ["sample", "sobol"])
def test_more_scenarios_keep_the_old_ones(study, design):
    few = study({VARIED: DRAWN, "seed: 7": f"seed: 7\ndesign: {{{design}: 5}}"})
    many = study({VARIED: DRAWN, "seed: 7": f"seed: 7\ndesign: {{{design}: 12}}"}, "many")
    other = study({VARIED: DRAWN, "seed: 7": f"seed: 8\ndesign: {{{design}: 5}}"}, "other")
    assert values(many)[:5] == values(few)
    assert values(other) != values(few)
    assert len({row["environment.waves.seed"] for row in values(many)}) == 12


def test_a_distribution_has_its_own_quantiles(study):
    """Mean ± 1.96 σ hold 95 % of a normal one; cut at mean − σ, it begins there and its median moves up."""
    free = study({VARIED: DRAWN.replace(", truncate: [1.1, 1.6]", "")}).ready.scenarios.factors[0].distribution
    assert [free.at(u) for u in (0.025, 0.5, 0.975)] == pytest.approx([1.2 - 0.19600, 1.2, 1.2 + 0.19600], abs=1e-5)
    cut = study({VARIED: DRAWN}, "cut").ready.scenarios.factors[0].distribution
    assert cut.at(0.0) == pytest.approx(1.1)
    below = 0.15865525393145707  # Φ(−1); above 1.6, four σ away, lies next to nothing
    assert cut.at(0.5) == pytest.approx(1.2 + 0.1 * 0.2004, abs=1e-4)
    assert cut.at((0.5 - below) / (1 - below)) == pytest.approx(1.2, abs=1e-5)


def test_a_latin_hypercube_has_one_scenario_in_every_part_of_each_factor(study):
    made = study({VARIED: "types.chain.drag.normal: {uniform: [1, 2]}\n  environment.waves.gamma: {uniform: [2, 4]}",
                  "seed: 7": "design: {latin: 10}"})  # fmt: skip
    for path, low, width in (("types.chain.drag.normal", 1.0, 0.1), ("environment.waves.gamma", 2.0, 0.2)):
        parts = sorted(int((row[path] - low) / width) for row in values(made))
        assert parts == list(range(10))


def test_a_vector_goes_along_the_line_between_two(study):
    made = study({VARIED: "points.top.position: {uniform: [[0, 0, -1], [2, 4, -1]]}", "seed: 7": "design: {sample: 5}"})
    rows = np.array([row["points.top.position"] for row in values(made)])
    assert rows[:, 1] == pytest.approx(2 * rows[:, 0])
    assert (rows[:, 2] == -1).all()


def test_a_scatter_diagram_weighs_a_product_and_is_drawn_by_weight_in_a_sample(study, folder):
    (folder / "scatter.csv").write_text("significant_height,peak_period,hours\n1,6,30\n2,8 s,10\n5,9,0\n")
    scatter = "environment.waves: {scatter: scatter.csv, columns: [significant_height, peak_period], weight: hours}"
    product = study({VARIED: scatter})
    assert [product.ready.scenarios.weight(i) for i in range(len(product))] == [30, 10]
    drawn = study({VARIED: scatter, "seed: 7": "design: {sobol: 64}"}, "drawn")
    heights = [row["environment.waves.significant_height"] for row in values(drawn)]
    assert heights.count(1) == 48
    assert heights.count(2) == 16
    assert {drawn.ready.scenarios.weight(i) for i in range(64)} == {1.0}


def test_a_saltelli_design_changes_one_factor_at_a_time(study):
    made = study({VARIED: "types.chain.drag.normal: {uniform: [1, 2]}\n  environment.waves.gamma: {uniform: [2, 4]}",
                  "seed: 7": "design: {saltelli: 4}"})  # fmt: skip
    assert len(made) == 16
    a, first, second, b = (np.array(list(row.values())) for row in values(made)[:4])
    assert first[0] == b[0]
    assert first[1] == a[1]
    assert second[0] == a[0]
    assert second[1] == b[1]
