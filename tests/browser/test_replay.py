"""The replay page in a real browser: it shows the result, moves, answers, and runs nothing that a file brings along."""

from __future__ import annotations

import json

import numpy as np
import pytest
from view.spreads import lowered_load, towed_spread
from view.systems import straight_cables

from .pictures import colours, differing, pixels
from .replays import settle, state

HOSTILE = '</script><script>window.stolen=1</script><img src=x onerror="window.stolen=2">\'"`${1} ünïçødé 缆 \u2028'
SMALL = (500, 300, 1.0, False)  # where the size is not what is looked at


@pytest.fixture
def show(replays):
    """`show({"name": dataset}, "#t=3")` opens a new page and waits until it is drawn."""
    return replays.open


@pytest.fixture
def show_load(replays):
    """`show_load("#t=3")` shows the lowered load as its page opens."""
    return lambda fragment="": replays.again("load", lambda: {"load": lowered_load()}, fragment)


def test_the_picture_is_not_blank_and_nothing_complains(show_load):
    page = show_load("#theme=light&t=40")
    assert state(page)["webgl"]
    shot = page.screenshot()
    assert colours(shot) > 60
    assert pixels(shot).std() > 15
    # the wire in the middle, near 50 kN of 0 to 60: orange, which nothing else there is
    red, green, blue = np.moveaxis(pixels(shot)[150:300, 440:560], -1, 0)
    assert ((red > 200) & (green > 110) & (green < 190) & (blue < 90)).sum() > 100
    assert page.complaints == []
    assert [url for url in page.requests if not url.startswith(("data:", "file:", "blob:"))] == []
    assert len([url for url in page.requests if url.startswith("file:")]) == 1, "the page is one file"


def test_nodes_stand_where_the_result_has_them(show_load):
    load = lowered_load()
    page = show_load("#t=47")
    shown = np.array(page.run("fairlead.positions()")).reshape(-1, 3)
    true = load["position"].sel(time=47.0).values[0]
    out = np.isfinite(true[:, 0])
    assert 0 < out.sum() < len(out), "part of the wire is on the drum"
    assert np.abs(shown[out] - true[out]).max() < 0.01


def test_play_moves_the_cables_until_the_end(show_load):
    page = show_load("#theme=light")
    before, first = np.array(page.run("fairlead.positions()")), page.screenshot()
    page.run("document.getElementById('play').click()")
    page.wait("fairlead.state().time > 10")
    assert state(page)["playing"]
    page.run("document.getElementById('play').click()")
    assert not state(page)["playing"]
    settle(page)
    assert np.abs(np.array(page.run("fairlead.positions()")) - before).max() > 5.0
    assert differing(first, page.screenshot()) > 0.002
    page.run("(s => { s.value = '200'; s.dispatchEvent(new Event('change')) })(document.getElementById('speed'))")
    page.run("document.getElementById('play').click()")
    page.wait("fairlead.state().time === 120 && !fairlead.state().playing")


def test_no_frame_is_asked_for_where_nothing_changes(show_load):
    """A page that is looked at and not touched costs nothing; one that plays asks for every frame."""
    count = """new Promise((done) => {
      const own = window.requestAnimationFrame;
      let asked = 0;
      window.requestAnimationFrame = (act) => { asked++; return own(act); };
      own(() => own(() => own(() => { window.requestAnimationFrame = own; done(asked); })));
    })"""
    page = show_load()
    settle(page)
    assert page.run(count) == 0
    page.run("fairlead.play(true)")
    assert page.run(count) >= 2
    page.run("fairlead.play(false)")
    settle(page)
    assert page.run(count) == 0


def test_a_pause_is_not_made_up_for_when_the_film_goes_on(show_load):
    """The clock of the film stands while nothing is drawn: it goes on by the time since then, not since the rest."""
    page = show_load()
    film, passed = page.run(
        """new Promise((done) => setTimeout(() => {
          const began = performance.now();
          fairlead.play(true);
          const look = (now) => done([1000 * fairlead.state().time / fairlead.state().speed, now - began]);
          requestAnimationFrame(() => requestAnimationFrame(look));
        }, 400))"""
    )
    page.run("fairlead.play(false)")
    assert 0 < film < passed + 200, "ms, of a rest of 400"


def test_a_click_on_a_cable_shows_its_plots_and_one_beside_it_closes_them(show_load):
    page = show_load("#theme=light&t=60")
    assert not state(page)["panel"]
    page.click(*page.run("fairlead.whereIs('wire')"))
    settle(page)
    assert state(page)["cable"] == "wire"
    assert state(page)["panel"]
    assert page.run("document.querySelector('[data-part=\"name\"]').textContent") == "wire"
    facts = page.run("document.querySelector('[data-part=\"facts\"]').textContent")
    load = lowered_load()
    assert f"{float(load['tension_effective'].max()) / 1e3:.4g} kN" in facts
    for part in ("along", "history", "other"):
        ink = page.run(
            f"""(() => {{ const c = document.querySelector('[data-part="{part}"]');
            const data = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
            return data.filter((v, i) => i % 4 === 3 && v > 0).length / (c.width * c.height); }})()"""
        )
        assert ink > 0.02, part
    page.click(60, 300)
    settle(page)
    assert not state(page)["panel"]


def test_a_click_in_the_plot_over_time_goes_there(show_load):
    page = show_load("#t=0&cable=wire")
    settle(page)
    left, top, wide, tall = page.run(
        "(r => [r.left, r.top, r.width, r.height])"
        "(document.querySelector('[data-part=history]').getBoundingClientRect())"
    )
    page.click(left + 0.6 * wide, top + 0.5 * tall)
    settle(page)
    assert 50.0 < state(page)["time"] < 90.0


def test_keys_do_what_the_help_says(show_load):
    page = show_load("#theme=light")
    page.press(" ")
    page.wait("fairlead.state().playing && fairlead.state().time > 1")
    page.press(" ")
    assert not state(page)["playing"]
    page.press("End")
    assert state(page)["time"] == 120.0
    page.press("ArrowLeft")
    assert 80.0 < state(page)["time"] < 120.0
    page.press("Home")
    assert state(page)["time"] == 0.0
    for key, view in (("2", "side"), ("3", "top"), ("1", "space")):
        page.press(key)
        assert state(page)["view"] == view
    page.press("]")
    assert state(page)["cable"] == "wire"
    page.press("Escape")
    assert state(page)["cable"] is None
    page.press("c")
    assert state(page)["field"] == "curvature"
    page.press("d")
    assert page.run("document.documentElement.dataset.theme") == "dark"
    page.press("?")
    assert not page.run("document.getElementById('help').hidden")
    assert "within 2 mm" in page.run("document.getElementById('accuracy').textContent")
    page.press("Escape")
    assert page.run("document.getElementById('help').hidden")
    speed = state(page)["speed"]
    page.press("+")
    assert state(page)["speed"] > speed
    assert page.complaints == []


def test_every_view_and_colour_draws_another_picture(show_load):
    page = show_load("#theme=light&t=50")
    first = page.screenshot()
    for act in ("fairlead.setView('side')", "fairlead.setView('top')", "fairlead.setColour('speed')"):
        page.run(act)
        settle(page)
        now = page.screenshot()
        assert differing(first, now) > 0.0003, act
        first = now


def test_a_phone_sees_the_scene_and_the_player(show_load):
    page = show_load("#theme=light&t=40")
    page.resize(390, 780, 2.0, mobile=True)
    settle(page)
    assert page.run("document.documentElement.scrollWidth <= 390 && document.documentElement.scrollHeight <= 780")
    x, y = page.run("fairlead.whereIs('wire')")
    assert page.run(f"document.elementFromPoint({x}, {y}).id") == "scene", "nothing covers the cable"
    page.run("document.getElementById('menu').click()")
    tools = "getComputedStyle(document.getElementById('tools')).display"
    assert page.run(tools) == "flex"
    page.run("document.getElementById('menu').click()")
    assert page.run(tools) == "none"


def test_waves_move_the_surface_and_still_water_stands(show, show_load):
    changes = []
    address = "#theme=light&t=95&names=0"
    for shown in (lambda: show_load(address), lambda: show({"load": lowered_load(waves=False)}, address)):
        page = shown()
        before = page.screenshot()
        page.run("fairlead.seek(97)")
        settle(page)
        changes.append(differing(before, page.screenshot()))
    assert changes[0] > 4.0 * max(changes[1], 1e-4)


def test_a_hull_is_drawn_in_its_shape(show):
    """Half a pyramid of 30 m and its mirror image in the place of the box of 6 m: many more pixels of its colour."""

    def purple(page) -> int:
        red, green, blue = np.moveaxis(pixels(page.screenshot()).astype(int), -1, 0)
        return int(((red - green > 25) & (blue - green > 5)).sum())

    def alone(page, shown: int) -> int:
        """Purple pixels where one result of the page is shown."""
        for i in range(3):
            box = f"document.querySelectorAll('#results input')[{i}]"
            page.run(f"{box}.checked === {json.dumps(i == shown)} || {box}.click()")
        settle(page)
        return purple(page)

    corners = [[-15, 0, -15], [15, 0, -15], [15, 15, -15], [-15, 15, -15], [0, 0, 15]]
    panels = [[0, 3, 2, 1], [1, 2, 4, 4], [2, 3, 4, 4], [3, 0, 4, 4]]
    load, half, whole = lowered_load(), lowered_load(), lowered_load()
    for hull in (half, whole):
        hull.attrs["hydro_hulls"] = json.dumps({"load": {"vertices": corners, "quads": panels}})
    whole.attrs["hydro_symmetric"] = "yes"
    page = show({"box": load, "half": half, "whole": whole}, "#theme=light&t=40&colour=tension")
    seen = [alone(page, shown) for shown in range(3)]
    assert page.complaints == []
    assert 2 * seen[0] < seen[1] < 0.8 * seen[2]


def test_the_camera_follows_a_spread_that_sails_away(show):
    page = show({"spread": towed_spread(cables=3, nodes=11, samples=401)})
    assert state(page)["follow"]
    for time in (0.0, 400.0):
        page.run(f"fairlead.seek({time})")
        settle(page)
        x, y = page.run("fairlead.whereIs('streamer 2')")
        assert 0 < x < 1000
        assert 0 < y < 600


def test_several_results_lie_over_one_another(show):
    one, other = lowered_load(), lowered_load()
    other["position"].values[..., 0] += 15.0
    page = show({"bars": one, "lumped <b>": other}, "#theme=light&t=50")
    assert page.run("[...document.querySelectorAll('#results label')].map(l => l.textContent)") == [
        "bars",
        "lumped <b>",
    ]
    both = page.screenshot()
    page.run("document.querySelectorAll('#results input')[1].click()")
    settle(page)
    assert differing(both, page.screenshot()) > 0.001
    page.run("fairlead.choose('wire')")
    settle(page)
    assert page.complaints == []


def test_hostile_names_are_shown_as_text_and_run_nothing(show):
    dataset = straight_cables(
        [((0, 0, 0), (20, 0, -10)), ((0, 5, 0), (20, 5, -10))],
        names=[HOSTILE, "@DATA@ &lt;b&gt;"],
        points=[HOSTILE, "@MODULES@"],
        title=HOSTILE,
    )
    dataset.attrs["status"] = f"stopped: {HOSTILE}"
    page = show({HOSTILE: dataset, "plain": dataset}, "#cable=%40DATA%40%20%26lt%3Bb%26gt%3B")
    settle(page)
    assert page.run("document.getElementById('title').textContent") == HOSTILE
    assert HOSTILE in page.run("document.getElementById('status').textContent")
    assert page.run("document.querySelector('[data-part=\"name\"]').textContent") == "@DATA@ &lt;b&gt;"
    page.run(f"fairlead.choose({json.dumps(HOSTILE)})")
    settle(page)
    assert page.run("document.querySelector('[data-part=\"name\"]').textContent") == HOSTILE
    assert page.run("document.querySelectorAll('#labels span:not([hidden])').length") == 2
    assert page.run("window.stolen === undefined && document.images.length === 0")
    assert page.complaints == []


def test_one_sample_of_a_run_that_went_wrong_is_shown(show):
    dataset = straight_cables([((0, 0, 0), (20, 0, -10))], samples=1)
    dataset["tension_effective"].values[:] = np.nan
    page = show({"one": dataset}, size=SMALL)
    assert page.complaints == []
    nothing = straight_cables([((0, 0, 0), (20, 0, -10))], samples=3)
    nothing["position"].values[:] = np.inf
    nothing["point_position"].values[:] = np.nan
    assert show({"none": nothing}, size=SMALL).complaints == []


def test_a_large_spread_loads_and_plays_in_little_time_of_its_own(show, show_load):
    """CPU time of the page's thread, which no other load on the machine changes; drawing itself is the graphics card's.

    A page of 52 cables loads in less than 3 s and needs less than a sixtieth of a second for an image.
    """

    def busy() -> float:
        metrics = page.call("Performance.getMetrics")["metrics"]
        return next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")

    page = show_load()
    page.call("Performance.enable", timeDomain="threadTicks")
    before = busy()
    page = show({"spread": towed_spread(cables=52, nodes=21, samples=1000)}, size=SMALL)
    assert busy() - before < 3.0
    page.press(" ", "Space")
    page.wait("fairlead.state().playing")
    first, before = state(page)["drawn"], busy()
    page.wait(f"fairlead.state().drawn > {first} + 8", 120.0)
    images = state(page)["drawn"] - first
    assert (busy() - before) / images < 1.0 / 60.0
    page.call("Performance.disable")
