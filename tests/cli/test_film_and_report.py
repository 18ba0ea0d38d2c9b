"""`fairlead film` and `fairlead report`: from an empty folder, without a display, the result left as it was."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def result(fairlead, chain_file, toy_formulation, monkeypatch) -> Path:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    fairlead("run", chain_file, "--duration", "1", "--quiet")
    return Path("chain.nc")


def test_a_film_is_written(fairlead, result):
    before = result.read_bytes()
    done = fairlead("film", result, "-o", "chain.gif", "--size", "200x140", "--rate", "4", "--view", "side")
    assert done.stdout == "chain.gif\n"
    assert Path("chain.gif").read_bytes().startswith(b"GIF8")
    assert result.read_bytes() == before
    assert fairlead("film", result, "--size", "200x140", "--rate", "4").stdout == "chain.mp4\n"
    assert Path("chain.mp4").stat().st_size > 1000


def test_wrong_wishes_for_a_film_get_one_sentence(fairlead, result):
    assert "not a size such as 1280x720" in fairlead("film", result, "--size", "large").stderr
    assert "written as .mp4 or .gif" in fairlead("film", result, "-o", "chain.avi").stderr
    Path("cut.nc").write_bytes(result.read_bytes()[:5000])
    done = fairlead("film", "cut.nc")
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
    assert not Path("cut.mp4").exists()


def test_a_report_is_written(fairlead, result, monkeypatch):
    before = result.read_bytes()
    done = fairlead("report", result, "--tension-max", "5 kN", "--no-open")
    assert done.stdout == "chain_report.html\n"
    assert "% of 5 kN" in Path("chain_report.html").read_text(encoding="utf-8")
    assert result.read_bytes() == before
    monkeypatch.setattr("fairlead.view.report.report.FIGURES", ())  # all were drawn in the first
    assert fairlead("report", result, "-o", "late.html", "--after", "0.5", "--no-open").exit_code == 0
    assert "0.5 s to 1 s" in Path("late.html").read_text(encoding="utf-8")
    assert "the result ends at 1 s" in fairlead("report", result, "--after", "7").stderr
    assert "no display here" in fairlead("report", result, "-o", "again.html").stderr


def test_wrong_wishes_for_a_report_get_one_sentence(fairlead, result, monkeypatch):
    monkeypatch.setattr("fairlead.view.report.report.FIGURES", ())  # refused when all is drawn
    assert "is not a number in N" in fairlead("report", result, "--tension-max", "5 kg").stderr
    assert "written as .html or .pdf" in fairlead("report", result, "-o", "chain.docx").stderr
    before = result.read_bytes()
    Path("chain.html").symlink_to(result)
    assert "cannot be written over the result" in fairlead("report", result, "-o", "chain.html").stderr
    assert result.read_bytes() == before
    assert fairlead("report", "nothing.nc").exit_code == 2
