"""The live page in a real browser: it shows every frame, comes back when the line is cut, scrubs, and says what is not
live."""

from __future__ import annotations

import json
import threading
import time

import numpy as np
import pytest
from live.clients import TOKENS, Sea, served

from .pictures import colours, differing

SMALL = (780, 540)  # every frame is drawn by software: no larger than needed
ALARM = {"name": "tension of tow above 5 kN", "level": "red", "since": 3.0, "value": 4.9e3, "limit": 5e3, "unit": "N",
         "probability": 0.63, "ahead": 42.0, "acknowledged": False}  # fmt: skip
STATE = {
    "health": {"state": "inconsistent", "reason": "t200 is far from what is expected", "members": 30},
    "sensors": [
        {"name": "gps", "age": 0.4, "silent": False},
        {"name": "t200", "age": 73.0, "silent": True},
        *({"name": f"buoy_{k}.position", "age": 0.7, "silent": False} for k in (1, 2, 3)),
        {"name": "buoy_4.position", "age": 0.7, "silent": False, "fault": "has said the same 9 times"},
    ],
    "margin": 34.0,
    "late": 0.0,
    "parameters": [
        {"label": "drag across cable, factor", "unit": "1", "mean": 1.12, "sd": 0.08, "words": ""},
        {
            "label": "current to the north at 140 m depth",
            "unit": "m/s",
            "mean": 0.1,
            "sd": 0.2,
            "words": "not seen by these sensors",
        },
    ],
}


class Twin(threading.Thread):
    """Shows a swinging cable at 25 frames a second, with trends, until it is stopped."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.sea, self.over, self.time = Sea(), False, 0.0
        for k in range(120):
            self.step(0.5 * k)
        self.sea.board.say("state", STATE)
        self.sea.board.say("alarms", [ALARM])
        self.start()

    def step(self, t: float) -> None:
        self.time = t
        self.sea.show(t, keep=True)
        mean = 4000.0 + 200.0 * np.sin(t)
        self.sea.board.say("trends", {"time": t, "values": {"tow.tension": [mean, mean - 300.0, mean + 300.0]}})

    def acknowledge(self, name: str) -> None:
        assert name == ALARM["name"]
        self.sea.board.say("alarms", [ALARM | {"acknowledged": True}])

    async def ask(self, question):
        times = [self.time + 10.0 * k for k in range(30)]
        bands = {key: [4500.0 + up] * 30 for key, up in (("mean", 0.0), ("low", -200.0), ("high", 200.0))}
        limits = [{"name": ALARM["name"], "probability": abs(question["turn"]) / 100.0}]
        return {"times": times, "values": {"tow.tension": bands}, "limits": limits}

    def run(self) -> None:
        while not self.over:
            time.sleep(0.04)
            self.step(self.time + 0.04)


@pytest.fixture(scope="module")
def page(browser):
    twin = Twin()
    with served(twin.sea.board, acknowledge=twin.acknowledge, ask=twin.ask) as (_, port):
        browser.resize(*SMALL)
        browser.visit(f"http://127.0.0.1:{port}/#sandbox={TOKENS.sandbox}")
        browser.wait("window.fairlead?.live && fairlead.live().frames > 0 && fairlead.state().drawn > 0")
        yield browser
        browser.leave()
        twin.over = True
        twin.join()


def live(page) -> dict:
    return json.loads(page.run("JSON.stringify({...fairlead.live(), ...fairlead.state()})"))


def text(page, name: str) -> str:
    return page.run(f"document.getElementById('{name}').textContent")


def test_a_hundred_frames_none_bad_and_nothing_complains(page):
    page.wait("fairlead.live().frames >= 100")
    now = live(page)
    assert now["bad"] == 0
    assert now["live"]
    assert now["webgl"]
    assert now["samples"] >= 60, "the past that was before we came, too"
    assert now["time"] == pytest.approx(now["span"][1])
    shot = page.screenshot()
    assert colours(shot) > 60
    drawn = now["drawn"]
    page.wait(f"fairlead.state().drawn > {drawn + 25}")
    assert differing(shot, page.screenshot()) > 0.001, "it moves"
    assert page.complaints == []
    assert all(url.startswith("http://127.0.0.1:") for url in page.requests if not url.startswith("data:"))
    assert not page.run("location.hash.includes('sandbox')"), "the token has left the address"


def test_the_cable_is_where_the_frame_has_it(page):
    shown = np.array(page.run("fairlead.positions()")).reshape(-1, 3)
    assert shown[:, 2] == pytest.approx(-0.5 * np.linspace(0.0, 100.0, 21), abs=1e-3)
    page.wait("Math.abs(fairlead.positions()[0] - 2 * fairlead.state().time) < 1")  # as soon as the frame is drawn


def test_the_line_tells_ages_filter_and_margin(page):
    assert "t200 73 s" in text(page, "sensors")
    assert page.run("document.querySelectorAll('#sensors [data-level=red]').length") == 1
    assert page.run("document.querySelector('#sensors [data-level=amber]').textContent") == "buoy_4.position 0.7 s"
    assert "buoy_1…3.position 0.7 s" in text(page, "sensors")
    assert "inconsistent: t200 is far from what is expected" in text(page, "filter")
    assert "34 × real time" in text(page, "margin")
    assert "current to the north at 140 m depthnot seen by these sensors" in text(page, "parameters").replace("\n", "")


def test_an_alarm_is_shown_until_it_is_acknowledged_and_then_as_seen(page):
    assert "63 % likely, in about 42 s" in text(page, "alarms")
    assert not page.run("document.querySelector('.alarm').classList.contains('seen')")
    page.run("document.querySelector('.alarm button').click()")
    page.wait("document.querySelector('.alarm.seen')")
    assert page.run("document.querySelectorAll('.alarm button').length") == 0


def test_scrubbing_back_freezes_and_frames_the_picture_and_live_brings_it_back(page):
    page.run("(s => { s.value = 20; s.dispatchEvent(new Event('input')) })(document.getElementById('time'))")
    page.wait("!fairlead.live().live && document.body.classList.contains('frozen')")
    before = live(page)
    page.wait(f"fairlead.live().frames > {before['frames'] + 10}")
    now = live(page)
    assert now["time"] == pytest.approx(20.0), "frames come in, the picture stays"
    assert page.run("getComputedStyle(document.getElementById('stage')).outlineStyle") == "solid"
    assert "NOT LIVE" in page.run("getComputedStyle(document.getElementById('stage'), '::before').content")
    page.wait("Math.abs(fairlead.positions()[0] - 40) < 0.1")  # drawn where it was then, as soon as it is drawn
    page.resize(1180, 820)  # a tablet
    page.wait("innerWidth === 1180")
    button = "document.getElementById('liveButton')"
    box = page.run(f"(r => [r.left, r.top, r.right, r.bottom])({button}.getBoundingClientRect())")
    assert 0 <= box[0] < box[2] <= 1180
    assert 0 <= box[1] < box[3] <= 820, "always in sight"
    page.click(0.5 * (box[0] + box[2]), 0.5 * (box[1] + box[3]))
    page.wait("fairlead.live().live && !document.body.classList.contains('frozen')")
    assert live(page)["time"] > 60.0
    page.resize(*SMALL)


def test_a_cut_line_is_said_and_mended(page):
    page.run("document.getElementById('liveButton').click()")
    before = live(page)["frames"]
    page.run("fairlead.drop()")
    page.wait("document.body.classList.contains('lost')")
    page.wait(f"fairlead.live().frames > {before + 3} && !document.body.classList.contains('lost')")
    assert live(page)["live"]


def test_a_what_if_is_marked_as_not_live(page):
    assert not page.run("document.getElementById('sandbox').hidden")
    page.run("(f => { f.turn.value = 40; f.requestSubmit() })(document.querySelector('#sandbox form'))")
    page.wait("document.body.classList.contains('asking')")
    assert "40 % likely" in text(page, "answer")
    assert "NOT LIVE" in text(page, "answer")
    assert "NOT LIVE" in page.run("getComputedStyle(document.getElementById('stage'), '::after').content")
    page.run("document.getElementById('sandboxClear').click()")
    page.wait("!document.body.classList.contains('asking')")


@pytest.mark.parametrize(("wide", "tall"), [(1180, 820), (820, 1180), (390, 844)])
def test_it_fits_a_tablet_and_a_phone(page, wide, tall):
    page.resize(wide, tall)
    page.wait(f"innerWidth === {wide}")
    assert page.run(f"document.documentElement.scrollWidth <= {wide}")
    for name in ("liveButton", "line", "stage", "alarms", "player"):
        left, top, right, bottom = page.run(
            f"(r => [r.left, r.top, r.right, r.bottom])(document.getElementById('{name}').getBoundingClientRect())"
        )
        assert left >= 0, name
        assert right <= wide, name
        assert top >= 0, name
        assert bottom <= tall, name
    assert page.run("document.getElementById('stage').clientHeight") > 0.3 * tall
    page.resize(*SMALL)
    assert page.complaints == []
