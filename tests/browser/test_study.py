"""The page of a study in a real browser."""

from __future__ import annotations

from study.test_page import result

from fairlead.view.study import study_page

from .pictures import colours


def test_the_page_draws_every_scenario_and_a_click_leads_to_its_replay(browser, tmp_path):
    page = tmp_path / "study.html"
    page.write_text(study_page(result(), {5: "histories/scenario_000005.html"}), encoding="utf-8")
    browser.resize(1100, 900)
    browser.open(page)
    browser.wait("placed.length === 5")  # the one that failed has no place
    assert colours(browser.screenshot()) > 20
    assert browser.run("selects[0].selectedOptions[0].text") == "seed of waves"
    assert browser.run("selects[1].selectedOptions[0].text") == "line: largest tension at top [N]"
    assert browser.run("document.documentElement.scrollWidth <= 1100")
    click = """(() => {
        const box = scatter.getBoundingClientRect(), [x, y] = placed.find(place => place[2] === %d);
        scatter.dispatchEvent(new MouseEvent("click", {clientX: box.left + x, clientY: box.top + y}));
        return document.getElementById("one").innerText;
    })()"""
    assert "scenario 5" in browser.run(click % 5)
    assert browser.run("document.querySelector('#one a').href").endswith("histories/scenario_000005.html")
    assert "no replay is kept" in browser.run(click % 1)
    browser.run("ranges.set(0, [0, 1]), drawAll()")
    assert browser.run("[...Array(n).keys()].filter(passes).length") == 2
    assert browser.complaints == []
    browser.resize(390, 844, 2.0, mobile=True)
    assert browser.run("document.documentElement.scrollWidth <= 390")
