"""The report: it answers the questions, against limits, and runs nothing that a file brings along."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest

from fairlead import view
from fairlead.model.settings import SimulationSettings
from fairlead.results import ResultError, summarise
from fairlead.view.lift import crossings
from fairlead.view.report import Limits, checks, lifts, report_page
from fairlead.view.report import pdf as printing
from fairlead.view.report.inputs import input_summary, simulation_settings
from fairlead.view.report.words import plain

from .spreads import lowered_load, towed_spread
from .systems import straight_cables

HOSTILE = "</title><script>stolen()</script> & \"quoted\" 'single' ünïçødé 缆"


@pytest.fixture
def without_figures(monkeypatch):
    """They take most of the time, and have tests of their own."""
    monkeypatch.setattr("fairlead.view.report.report.FIGURES", ())


def verdicts(dataset, limits: Limits | None = None) -> dict[str, tuple[str, str]]:
    found = checks(dataset, summarise(dataset), lifts(dataset), limits or Limits())
    return {check.name: (check.verdict, check.answer) for check in found}


class Texts(HTMLParser):
    """Collects tags and texts, as a browser would."""

    def __init__(self, page: str):
        super().__init__()
        self.tags: list[str] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        self.text += data


def test_a_lift_is_read_from_the_result():
    (lift,) = lifts(lowered_load())
    assert (lift.cable, lift.load) == ("wire", "load")
    assert lift.landing is not None
    assert lift.landing.value == pytest.approx(1.0), "it is lowered at 1 m/s"
    assert lift.landing.time == 91.0
    assert lift.tension_max.value == pytest.approx(float(lowered_load()["tension_effective"].max()))
    assert lift.tension_min.value > 4e4, "what the wire carries after landing does not count"
    assert 4.9e4 < lift.tension_mean < 5.5e4
    assert lift.slack == ()
    assert lift.snap is None


def test_slack_and_the_snap_after_it_are_found():
    load = lowered_load()
    tension = load["tension_effective"].values
    active = np.isfinite(tension)
    tension[40:43] = np.where(active[40:43], 0.0, np.nan)
    tension[44] = np.where(active[44], 9e4, np.nan)
    (lift,) = lifts(load)
    assert lift.slack == ((40.0, 42.0),)
    assert lift.snap is not None
    assert (lift.snap.value, lift.snap.time) == (9e4, 44.0)
    found = verdicts(load)
    assert found["Slack in wire"] == ("bad", "1 spell, from 40 s on, the longest 2 s")
    assert found["Snap in wire"][0] == "bad"
    assert "90 kN at 44 s" in found["Snap in wire"][1]


def test_a_load_that_stops_above_the_bed_does_not_land():
    load = lowered_load()
    load["contact_force"].values[:] = 0.0
    load.attrs["settings"] = load.attrs["settings"].replace('"depth": 100.0', '"depth": 150.0')
    (lift,) = lifts(load)
    assert lift.landing is None


def test_a_load_that_stands_just_above_the_bed_has_landed():
    """A body has a height: the end of its wire never touches the bed."""
    load = lowered_load()
    load["contact_force"].values[:] = 0.0
    load.attrs["settings"] = load.attrs["settings"].replace('"depth": 100.0', '"depth": 102.0')
    (lift,) = lifts(load)
    assert lift.landing is not None
    assert lift.landing.time == pytest.approx(90.0, abs=1.0)
    assert lift.landing.value == pytest.approx(1.0)


def test_limits_decide():
    load = lowered_load()
    free = verdicts(load)
    assert free["Largest tension"][0] == "open"
    assert free["Landing of load"][0] == "open"
    strict = verdicts(load, Limits(tension_max=6e4, tension_min=1e4, landing_speed=0.5))
    assert [strict[name][0] for name in ("Largest tension", "Least tension", "Landing of load")] == ["bad"] * 3
    kind = verdicts(load, Limits(tension_max=7e4, tension_min=1e3, landing_speed=2.0))
    assert [kind[name][0] for name in ("Largest tension", "Least tension", "Landing of load")] == ["good"] * 3
    assert "% of 70 kN" in kind["Largest tension"][1]


def test_checks_see_what_went_wrong(dataset):
    assert verdicts(dataset)["Energy balance"][0] == "good"
    wrong = dataset.copy(deep=True)
    wrong.attrs["status"] = "stopped: cable left, element 3: not finite"
    wrong.attrs["warnings"] = "first\nsecond"
    wrong["tension_effective"].values[-1, 0, :3] = np.inf
    wrong["work_drag"].values[:] *= 2.0
    found = verdicts(wrong)
    assert found["Run"] == ("bad", "stopped: cable left, element 3: not finite")
    assert found["Numbers"][0] == "bad"
    assert found["Energy balance"][0] == "bad"
    assert found["Warnings"] == ("look", "2 given while it ran, listed below")


def test_compression_and_coarse_samples_are_worth_a_look():
    t = np.arange(200.0)
    dataset = straight_cables([((0, 0, 0), (9, 0, -9))], samples=200)
    dataset["tension_effective"].values[:] = 1000.0
    assert verdicts(dataset)["Slack"][0] == "good"
    assert verdicts(dataset)["Sampling"][0] == "good"
    dataset["tension_effective"].values[:, 0, 0] += 10.0 * np.cos(np.pi * 0.9 * t)
    dataset["tension_effective"].values[50, 0, 1] = -300.0
    found = verdicts(dataset)
    assert found["Sampling"][0] == "look"
    assert found["Sampling"][1].endswith("use an output_every of 2.5 s"), "no step is known"
    assert found["Slack"] == ("look", "-300 N of compression in cable_0 at 500 s")


@pytest.mark.parametrize(
    ("period", "step", "every"),
    [
        (None, 0.4, 2.4), (None, 1 / 30, 2.5), (None, 5.0, 5.0), (None, 10.0, 2.5),
        (40.0, 0.3, 2.1), (40.0, 5.0, 5.0), (40.0, 10.0, 1.25),
    ],
)  # fmt: skip
def test_finer_samples_are_told_as_the_file_takes_them(period, step, every):
    """Samples every 10 s; a quarter of that, or a twentieth of a period, need not be whole steps."""
    known = {"step": step, "output_every": 10.0, "duration": 2010.0 if step == 0.3 else 2000.0}
    dataset = straight_cables([((0, 0, 0), (9, 0, -9))], samples=200, settings={"simulation": known})
    if period is None:
        dataset["tension_effective"].values[:, 0, 0] += 10.0 * np.cos(np.pi * 0.9 * np.arange(200.0))
    else:
        dataset = dataset.assign_attrs(shortest_period=period)
    told = verdicts(dataset)["Sampling"][1]
    found = float(told.rpartition("output_every of ")[2].removesuffix(" s"))
    assert found == pytest.approx(every)
    assert ("use a step and" in told) == (step == 10.0)
    taken = {"step": min(step, found), "output_every": found, "duration": known["duration"]}
    assert not list(SimulationSettings(**taken).relations())


def test_whole_numbers_are_told_in_all_their_digits():
    assert plain(12345678) == "12,345,678"
    assert plain(np.int64(4294967295)) == "4,294,967,295"
    assert plain([12345678, 0.5]) == "[12345678, 0.5]"
    assert plain(12345678.0) == "12,345,700"


def test_what_little_rings_at_the_quiet_end_of_a_cable_is_no_matter():
    """100 N that a vessel works it with at one end, slowly; 1 N at the other, faster than samples show."""
    t = np.arange(200.0)
    dataset = straight_cables([((0, 0, 0), (9, 0, -9))], samples=200)
    dataset["tension_effective"].values[:] = 1000.0
    dataset["tension_effective"].values[:, 0, 0] += 100.0 * np.cos(0.1 * np.pi * t)
    dataset["tension_effective"].values[:, 0, -1] += np.cos(np.pi * 0.9 * t)
    assert verdicts(dataset)["Sampling"][0] == "good"


def test_the_page_tells_settings_of_the_formulation_that_ran_and_of_no_other():
    chosen = {"formulation": "lumped", "step": 0.01, "lumped": {"theta": 0.5}, "bars": {"alpha": 50}, "tether": {}}
    dataset = straight_cables([((0, 0, 0), (9, 0, -9))]).assign_attrs(settings=json.dumps({"simulation": chosen}))
    page = simulation_settings(dataset)
    assert "theta 0.5" in page
    assert "alpha" not in page
    assert "tether" not in page


def test_numbers_of_the_file_have_no_powers_of_ten():
    kinds = {"types": {"wire": {"diameter": 0.0416, "axial_stiffness": 1.09242e8, "breaking_load": 1.71163e6}}}
    page = input_summary(straight_cables([((0, 0, 0), (9, 0, -9))]).assign_attrs(settings=json.dumps(kinds)))
    assert "109,242,000" in page
    assert "1,711,630" in page
    assert "e+0" not in page


@pytest.mark.usefixtures("without_figures")
def test_the_rest_of_a_difference_is_nothing():
    """A least tension of 2e-10 N where the largest is 1 kN: a last digit, and no number to write down."""
    dataset = straight_cables([((0, 0, 0), (9, 0, -9))], samples=50)
    dataset["tension_effective"].values[:] = 1000.0
    dataset["tension_effective"].values[20, 0, 0] = 2e-10
    dataset["tension_effective_min"].values[:] = dataset["tension_effective"].values
    dataset["tension_effective_max"].values[:] = dataset["tension_effective"].values
    page = report_page(dataset)
    assert not re.search(r"\de-\d", page.partition("Statistics at the ends")[2].partition("What was run")[0])


def test_the_page_holds_all_parts_and_no_other_file():
    load = lowered_load()
    before = load.copy(deep=True)
    page = report_page(load, Limits(tension_max=8e4))
    assert load.identical(before)
    read = Texts(page)
    heads = re.findall(r"<h2>(.*?)</h2>", page)
    tensions = "Tension in the cables"
    assert heads == ["Checks", "The lift", "Events", tensions, "Figures", "What was run", "How it was run"]
    assert read.tags.count("img") == page.count('src="data:image/') == 7
    assert re.findall(r'(?:src|href)="(?!data:)', page) == []
    assert "1 m/s" in read.text
    assert "all good</b><span>10 made</span>" in page
    assert len(page) < 5_000_000, "fit for an e-mail"


@pytest.mark.usefixtures("without_figures")
def test_a_mooring_has_no_lift(dataset):
    page = report_page(dataset)
    assert "The lift" not in page
    with pytest.raises(ResultError, match="no cable on a winch"):
        view.lift(dataset)


@pytest.mark.usefixtures("without_figures")
def test_the_input_is_shown_as_it_was(dataset):
    told = dataset.copy()
    told.attrs["input_file"] = "# <b>my</b> file\ntitle: x\n"
    told.attrs["settings"] = json.dumps(
        {"types": {"wire": {"diameter": 0.05}}, "simulation": {"step": 0.01, "bars": {"theta": 1.0}}}
    )
    page = report_page(told)
    assert "# &lt;b&gt;my&lt;/b&gt; file" in page
    assert '<td data-head="name">wire</td><td data-head="diameter">0.05</td>' in page
    assert '<td data-head="setting">step</td><td data-head="value">0.01</td>' in page


def test_the_sea_is_told_with_its_units_and_without_what_is_not_there(dataset):
    told = dataset.copy()
    told.attrs["settings"] = json.dumps({"environment": {"water_density": 1025.0, "waves": None, "wind": {}}})
    page = input_summary(told)
    assert "SI units (kg, m, s, N)" in page
    assert "water density" in page
    assert "waves" not in page
    assert "wind" not in page


def test_hostile_texts_are_shown_and_run_nothing():
    hostile = straight_cables([((0, 0, 0), (9, 0, -9))], names=[HOSTILE], points=[HOSTILE], title=HOSTILE, samples=20)
    settings = {"types": {HOSTILE: {"note": HOSTILE}}, "environment": {HOSTILE: HOSTILE}, "simulation": {"x": HOSTILE}}
    hostile.attrs |= {"settings": json.dumps(settings), "status": HOSTILE, "warnings": HOSTILE, "description": HOSTILE}
    page = report_page(hostile)
    read = Texts(page)
    assert "script" not in read.tags
    assert read.text.count(HOSTILE) >= 8


def test_a_result_that_tells_little_still_has_a_report():
    bare = straight_cables([((0, 0, 0), (9, 0, -9))], samples=1)
    for name in ("energy_kinetic", "work_drag"):
        bare = bare.drop_vars(name)
    bare.attrs.clear()
    assert "Untitled run" in report_page(bare)


@pytest.mark.usefixtures("without_figures")
def test_a_large_spread_is_cut_to_the_most_loaded():
    page = report_page(towed_spread(cables=60, nodes=5, samples=31))
    assert "… and 20 cables with smaller tensions." in page


def test_crossings_of_the_surface_lie_between_samples():
    assert crossings(np.array([0.0, 1.0, 2.0]), np.array([3.0, -1.0, -2.0])) == [0.75]


def test_without_a_browser_pdf_is_refused_with_the_cure(tmp_path, monkeypatch):
    monkeypatch.setattr(printing.shutil, "which", lambda name: None)
    with pytest.raises(ResultError, match=r"needs Chromium or Chrome.*\.html"):
        printing.print_pdf("<p>text</p>", tmp_path / "a.pdf")


def test_a_peak_between_the_samples_passes_a_limit(dataset):
    peak = dataset.copy(deep=True)
    largest = float(dataset["tension_effective"].max())
    assert verdicts(peak, Limits(tension_max=1.5 * largest))["Largest tension"][0] == "good"
    peak["tension_effective_max"].values[3, 0, 2] = 2.0 * largest
    assert verdicts(peak, Limits(tension_max=1.5 * largest))["Largest tension"][0] == "bad"
    assert float(view.tension_statistics(peak)["max"].max()) <= 2.0 * largest


def test_samples_are_compared_with_the_periods_of_the_file(dataset):
    interval = float(np.median(np.diff(dataset["time"].values)))
    for share, verdict in ((1.5, "bad"), (4.0, "look"), (40.0, "good")):
        known = dataset.assign_attrs(shortest_period=share * interval, shortest_period_of="environment.waves")
        found = verdicts(known)["Sampling"]
        assert found[0] == verdict
        assert ("environment.waves" in found[1]) == (verdict != "good")


@pytest.mark.usefixtures("without_figures")
def test_what_types_can_bear_is_answered():
    """A cable of 1 kN and its type of 800 N: it would have broken; one bent to half of what it may is bad as well."""
    kinds = {"rope": {"breaking_load": 800.0, "minimum_bend_radius": 2.0}, "wire": {"breaking_load": 4e3}}
    settings = {"types": kinds, "cables": {"thin": {"type": "rope"}, "thick": {"type": "wire"}}}
    line = ((0.0, 0.0, 0.0), (30.0, 0.0, 0.0))
    result = straight_cables([line, line], names=["thin", "thick"], settings=settings)
    assert verdicts(result)["Breaking load"] == ("bad", "at most 125 % of the 800 N of thin")
    assert "Bend radius" not in verdicts(result), "nothing was recorded of it"
    result["curvature_max"].values[1:, 0] = 1.0
    assert verdicts(result)["Bend radius"] == ("bad", "at least 1 m in thin, 2 m is allowed")
    text = Texts(report_page(result)).text
    assert "of breaking load" in text
    assert "125 %" in text
    assert "25 %" in text
    plain = straight_cables([line], names=["thin"])
    assert "Breaking load" not in verdicts(plain)
    assert "of breaking load" not in Texts(report_page(plain)).text


def test_bodies_and_response_operators_stand_upright():
    """A body has a dozen keys: one row each, bodies beside each other; a response operator is a table of periods."""
    load = lowered_load()
    settings = json.loads(load.attrs["settings"])
    row = {"period": 8.0, "heave": [0.9, -12.0], "pitch": [1.5, 88.0]}
    settings["bodies"] = {
        "ship": {"kind": "prescribed", "motion": {"raos": [{"heading_deg": 180.0, "table": [row]}]}},
        **{f"column {k}": {"kind": "free", "mass": 1e5 + k, "inertia": [1e7, 2e7, 3e7], "drag_area": [60.0, 60.0, 10.0],
                           "added_mass": [1e5, 1e5, 1e4], "attachments": {"top": [0.0, 0.0, 12.5]}} for k in range(4)},
    }  # fmt: skip
    load.attrs["settings"] = json.dumps(settings)
    page = input_summary(load)
    assert "<th>column 0</th><th>column 1</th>" in page
    assert 'data-head="column 2">100,002<' in page
    assert "[10000000, 20000000, 30000000]" in page, "where commas part numbers they part no digits"
    assert "amplitude per metre" in page
    assert '<td data-head="period">8 s</td>' in page
    assert ">0.9 ∠ -12°<" in page
