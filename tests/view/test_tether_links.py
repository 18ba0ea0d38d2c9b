"""The paper's diagnostics of a tether as a picture, for results that hold them and no others."""

from __future__ import annotations

import pytest

from fairlead import view
from fairlead.results import ResultError
from fairlead.simulate import simulate
from fairlead.studies.verification.checks.tether_catenary import tether


def test_a_tether_gets_its_own_picture(tmp_path):
    system = tether(14, away=4.0, mode="paper", proportional=200.0, derivative=20.0, integral=50.0)
    result = simulate(system, duration=2.0, output_every=0.1)
    written = view.save_all(result, tmp_path)
    assert written["tether_links"].stat().st_size > 1000
    figure = view.tether_links(result)
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert [n for n in range(3, 8) if any(f"(Fig. {n})" in title for title in titles)] == [3, 4, 5, 6, 7]
    lengths = figure.axes[0].lines
    assert len(lengths) == 14 + 2, "each link, their mean and the target"


def test_other_results_do_not(dataset):
    assert "tether_links" not in view.figures(dataset, None)
    with pytest.raises(ResultError, match="link_length_mean"):
        view.figures(dataset, ["tether_links"])
