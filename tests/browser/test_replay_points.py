"""What a reader of the replay page is told, on a desk and on a phone: one page of each kind, many questions."""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import pytest
from view.spreads import lowered_load, towed_spread

from .pictures import differing, pixels
from .replays import settle as drawn

SIZES = {"desktop": (1280, 800, 1.0, False), "phone": (390, 844, 2.0, True)}


def rich_load():
    """The lowered load on a wire of two types with limits, one of which floats; its load is a cylinder; one spike."""
    load = lowered_load()
    settings = json.loads(load.attrs["settings"])
    settings["types"] = {
        "steel": {"diameter": 0.05, "mass_per_length": 12.0, "breaking_load": 9e4, "minimum_bend_radius": 2.0},
        "foam": {"diameter": 0.3, "mass_per_length": 30.0},
    }
    settings["cables"]["wire"]["sections"] = [{"type": "steel", "length": 60.0}, {"type": "foam", "length": 40.0}]
    settings["cables"]["wire"]["attachments"].append({"at": 80.0, "volume": 2.0, "mass": 100.0})
    settings["bodies"]["load"]["shape"] = {"cylinder": {"diameter": 6.0, "height": 9.0}}
    load.attrs["settings"] = json.dumps(settings)
    load["tension_effective"].values[70, 0, -1] = 8e4
    return load


@pytest.fixture(scope="module", params=SIZES)
def page(replays, request):
    opened = replays.open({"load": rich_load()}, "#theme=light&t=60", SIZES[request.param])
    yield opened
    assert opened.complaints == []


def text(page, name: str) -> str:
    return page.run(f"document.getElementById('{name}').textContent")


def limit_pixels(page, plot: str) -> int:
    """How many pixels of a plot have the colour of limits, #b3261e."""
    return page.run(
        f"""(canvas => {{
          const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
          let count = 0;
          for (let i = 0; i < data.length; i += 4)
            if (data[i + 3] > 90 && Math.abs(data[i] - 179) < 30 && data[i + 1] < 90 && data[i + 2] < 90) count++;
          return count;
        }})(document.querySelector('canvas[data-part={plot}]'))"""
    )


def test_the_system_fills_the_picture_when_it_opens(page):
    left, top, right, bottom = page.run("fairlead.extent()")
    wide, tall = page.run("(stage => [stage.clientWidth, stage.clientHeight])(document.getElementById('stage'))")
    assert min(left, top) > 0
    assert right < wide
    assert bottom < tall
    page.run("fairlead.seek(120)")
    page.wait("fairlead.state().time === 120")
    drawn(page)
    left, top, right, bottom = page.run("fairlead.extent()")
    assert max((right - left) / wide, (bottom - top) / tall) > 0.55, "the load is down: that is as far as it reaches"
    assert bottom < tall
    page.run("fairlead.seek(60)")


def test_the_colour_bar_says_what_lies_beyond_it_and_the_true_extreme(page):
    assert text(page, "barMost") == "largest 80 kN"
    ends = page.run("[...document.querySelectorAll('#barTicks .beyond')].map(s => s.textContent)")
    assert len(ends) == 1
    assert ends[0].startswith("> ")
    assert 50 < float(ends[0][2:]) < 70
    labels = "[...document.querySelectorAll('#barTicks span')].map(s => s.getBoundingClientRect())"
    boxes = sorted(page.run(f"{labels}.map(r => [r.top, r.bottom])"))
    assert all(upper[1] <= lower[0] + 2 for upper, lower in pairwise(boxes)), "no label on another"
    assert page.run("document.getElementById('bar').getBoundingClientRect().right <= innerWidth")


def test_sections_have_colours_and_a_legend_that_says_which_floats(page):
    assert page.run("document.getElementById('legendTypes').hidden")
    drawn(page, "fairlead.setColour('type')")
    assert text(page, "legendTypes") == "steelfoam (floats)"
    assert page.run("document.getElementById('bar').hidden")
    red, green, blue = np.moveaxis(pixels(page.screenshot()), -1, 0)
    assert ((blue - red > 60) & (blue > green + 30)).sum() > 40, "steel is blue"
    assert ((red - blue > 120) & (green - blue > 60)).sum() > 40, "foam is orange"
    drawn(page, "fairlead.setColour('tension')")
    for name in ("legendFloat", "legendWeight", "legendBed"):
        assert not page.run(f"document.getElementById('{name}').hidden"), name


def test_a_body_is_a_solid_of_its_shape(page):
    """A cylinder 6 m wide and 9 m tall, in the middle of the picture from the side: a patch taller than wide."""
    drawn(page, "fairlead.setColour('type'); fairlead.setView('side')")  # without the colour bar, which is purple too
    shot = pixels(page.screenshot()).astype(int)
    purple = (shot[..., 0] - shot[..., 1] > 25) & (shot[..., 2] - shot[..., 1] > 5) & (shot[..., 2] < 190)
    rows, columns = np.nonzero(purple)
    tall, wide = np.ptp(np.percentile(rows, [5, 95])), np.ptp(np.percentile(columns, [5, 95]))
    assert tall > 15
    assert 1.1 < tall / wide < 2.2
    drawn(page, "fairlead.setColour('tension'); fairlead.setView('space')")


def test_waves_move_the_sea(page):
    """What lies under it is seen through it: the colours of the wire above are those of its part in the water."""
    drawn(page, "fairlead.seek(95)")
    before = page.screenshot()
    drawn(page, "fairlead.seek(97)")
    assert differing(before, page.screenshot()) > 0.002
    drawn(page, "fairlead.seek(60)")


def test_limits_are_told_with_what_is_used_of_them(page):
    drawn(page, "fairlead.choose('wire')")
    facts = page.run("document.querySelector('[data-part=facts]').textContent")
    assert "at most 88.9 % of the breaking load of its weakest part" in facts
    for plot in ("along", "history"):
        assert limit_pixels(page, plot) > 20, "and drawn as a line"
    drawn(page, "fairlead.setColour('curvature')")
    assert "of the smallest bend radius" in page.run("document.querySelector('[data-part=facts]').textContent")
    drawn(page, "fairlead.setColour('tension')")
    assert page.run("document.documentElement.scrollWidth <= innerWidth")


def test_what_varies_is_offered_first_and_angles_are_in_degrees(page):
    offered = page.run("[...document.querySelector('[data-part=others]').options].map(o => o.value)")
    assert set(offered[:3]) == {"wire.winch.length", "load.roll", "load.yaw"}
    assert offered.index("load.yaw") < offered.index("load.roll"), "of angles that which varies most"
    assert offered.index("load.pitch") > 2, "it is zero all the time"
    drawn(page, "fairlead.choose(null)")


def test_an_angle_is_drawn_in_degrees(page):
    """The unit stands over its plot: ° where the file has radians."""
    drawn(page, "fairlead.choose('wire')")
    page.run(
        """(() => {
          const pen = CanvasRenderingContext2D.prototype, write = pen.fillText;
          window.said = [];
          pen.fillText = function (text, ...rest) { window.said.push(text); write.call(this, text, ...rest); };
          const others = document.querySelector('[data-part=others]');
          others.value = 'load.yaw';
          others.dispatchEvent(new Event('change'));
        })()"""
    )
    drawn(page)
    page.wait("window.said.some(text => text.includes('(°)'))")
    assert not page.run("window.said.some(text => text.includes('rad'))")
    drawn(page, "fairlead.choose(null)")


def test_a_long_name_over_a_plot_is_cut_by_dots_and_keeps_its_unit(page):
    drawn(page, "fairlead.choose('wire')")
    head = "document.querySelector('canvas[data-part=other]').ariaLabel"
    page.run("(others => { others.value = 'work_drives'; others.dispatchEvent(new Event('change')); })"
             "(document.querySelector('[data-part=others]'))")  # fmt: skip
    drawn(page, "")
    page.wait(f"{head}.startsWith('energy given')")
    assert page.run(head).endswith("… (J)")
    room = page.run("document.querySelector('canvas[data-part=other]').clientWidth")
    wide = f"(pen => {{ pen.font = '600 12.5px system-ui, sans-serif'; return pen.measureText({head}).width; }})"
    assert page.run(f"{wide}(document.createElement('canvas').getContext('2d'))") < room
    drawn(page, "fairlead.choose(null)")


@pytest.mark.parametrize("chosen", ["null", "'wire'"])
def test_nothing_that_lies_on_the_picture_covers_a_name(page, chosen):
    """The colour bar, the title and the legend, with the panel closed and open."""
    drawn(page, f"fairlead.choose({chosen}); fairlead.setView('side')")
    page.wait(f"fairlead.state().cable === {chosen}")
    boxes = """(query => [...document.querySelectorAll(query)].map(one => one.getBoundingClientRect())
        .map(box => [box.left, box.top, box.right, box.bottom]))"""
    names = page.run(f"{boxes}('#labels span:not([hidden])')")
    assert names
    for cover in page.run(f"{boxes}('#bar, #head, #legend')"):
        for name in names:
            apart = name[0] >= cover[2] or cover[0] >= name[2] or name[1] >= cover[3] or cover[1] >= name[3]
            assert apart, (name, cover)
    drawn(page, "fairlead.choose(null); fairlead.setView('space')")


def test_the_pace_of_the_film_is_told(page):
    page.run("fairlead.seek(0); fairlead.play(true)")
    page.wait("/^(only )?× [\\d.]+, [\\d.]+ images\\/s$/.test(document.getElementById('rate').textContent)", 60)
    pace = page.run("fairlead.state().pace")
    assert 0 < pace <= 1.01 * page.run("fairlead.state().speed")
    page.run("fairlead.play(false)")
    assert text(page, "rate") == ""


def test_a_dense_series_is_drawn_as_all_it_reaches(page):
    """20000 samples on 200 pixels, one of them a spike: it reaches the top, and what is drawn has no more than four
    corners a column."""
    corners, top = page.run(
        """import('fairlead/plots.js').then(({ Plot }) => {
          const canvas = document.body.appendChild(document.createElement('canvas'));
          canvas.style.cssText = 'position: fixed; left: 0; top: 0; width: 260px; height: 160px';
          const x = Array.from({ length: 20000 }, (_, i) => i), y = x.map((i) => (i === 7777 ? 10 : Math.sin(i)));
          const plot = new Plot(canvas), pen = canvas.getContext('2d'), lineTo = pen.lineTo.bind(pen);
          let count = 0;
          pen.lineTo = (a, b) => { count++; lineTo(a, b); };
          const lines = [{ name: 'y', x, y, colour: '#ff0000' }];
          plot.show({ title: '', xLabel: '', unit: '1', x: [0, 19999], lines });
          const data = pen.getImageData(0, 0, canvas.width, canvas.height).data;
          let first = Infinity;
          const red = (i) => data[i] > 200 && data[i + 1] < 90 && data[i + 3] > 90;
          for (let i = data.length - 4; i >= 0; i -= 4) if (red(i)) first = i / 4 / canvas.width / canvas.height;
          canvas.remove();
          return [count, first];
        })"""
    )
    assert corners < 4 * 260 + 60
    assert top < 0.3


@pytest.mark.parametrize("size", SIZES)
def test_a_flat_system_is_offered_its_heights(replays, size):
    flat = {"spread": towed_spread(cables=2, nodes=11, samples=21)}
    browser = replays.again("flat", lambda: flat, size=SIZES[size])
    assert browser.run("document.getElementById('offer').hidden") is False
    before = browser.run("fairlead.extent()")
    browser.run("document.getElementById('offer').click()")
    browser.wait("fairlead.state().stretch > 1")
    assert browser.run("document.getElementById('offer').hidden")
    drawn(browser)
    after = browser.run("fairlead.extent()")
    assert after[3] - after[1] > before[3] - before[1]
