"""The report in a real browser, and printed."""

from __future__ import annotations

import json
import re

import pytest
from matplotlib.figure import Figure
from view.spreads import lowered_load

from fairlead.view.report import print_pdf, report_page
from fairlead.view.report.report import FIGURES

from .pictures import colours


@pytest.fixture(scope="module")
def report() -> str:
    return report_page(lowered_load())


def test_the_report_shows_its_figures_and_nothing_complains(browser, report, tmp_path):
    page = tmp_path / "report.html"
    page.write_text(report, encoding="utf-8")
    browser.resize(1000, 700)
    browser.open(page)
    browser.wait("[...document.images].every(image => image.complete)")
    assert browser.run("[...document.images].every(image => image.naturalWidth > 400)")
    assert browser.run("document.documentElement.scrollWidth <= 1000")
    assert colours(browser.screenshot()) > 20
    assert browser.complaints == []
    browser.resize(390, 844, 2.0, mobile=True)
    assert browser.run("document.documentElement.scrollWidth <= 390")
    # nothing is cut or scrolled sideways: every row of a table stands by itself, with the heads beside its cells
    assert browser.run("[...document.querySelectorAll('.wide')].every(wide => wide.scrollWidth <= wide.clientWidth)")
    assert browser.run("[...document.querySelectorAll('td')].every(td => td.getBoundingClientRect().right <= 390)")
    assert browser.run("getComputedStyle(document.querySelector('td[data-head]'), '::before').content") != "none"


def test_tables_of_bodies_and_of_responses_are_whole_on_a_phone(browser, tmp_path):
    load = lowered_load()
    settings = json.loads(load.attrs["settings"])
    row = {"period": 9.0, **{name: [0.5, 10.0] for name in ("surge", "sway", "heave", "roll", "pitch", "yaw")}}
    motion = {"raos": [{"heading_deg": 180.0, "table": [row, {**row, "period": 12.0}]}]}
    settings["bodies"] |= {f"ship_{k}": {"kind": "prescribed", "motion": motion} for k in range(6)}
    load.attrs["settings"] = json.dumps(settings)
    page = tmp_path / "report.html"
    page.write_text(report_page(load, drawn={kind: Figure() for kind in FIGURES}), encoding="utf-8")
    for wide, mobile in ((1000, False), (390, True)):
        browser.resize(wide, 844, 1.0, mobile=mobile)
        browser.open(page)
        assert "amplitude per metre" in browser.run("document.body.textContent")
        assert browser.run(f"document.documentElement.scrollWidth <= {wide}")
        cells = "[...document.querySelectorAll('td')].map(td => td.getBoundingClientRect().right)"
        assert max(browser.run(cells)) <= wide


def test_the_report_is_printed_as_pdf(browser, report, tmp_path):
    path = print_pdf(report, tmp_path / "report.pdf")
    data = path.read_bytes()
    assert data.startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b", data)) >= 3, "pages of A4"
