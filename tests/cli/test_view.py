"""`fairlead view`: a page from an empty folder, without a display, that leaves the result as it was."""

from __future__ import annotations

import subprocess
import sys
import webbrowser
from pathlib import Path

import pytest
import xarray as xr

RUN = ("--duration", "1", "--quiet")


@pytest.fixture
def result(fairlead, chain_file, toy_formulation) -> Path:
    fairlead("run", chain_file, *RUN)
    return Path("chain.nc")


def test_the_page_is_named_after_the_result_and_the_result_stays(fairlead, result, monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setattr(webbrowser, "open", lambda address: pytest.fail("there is no display"))
    before = result.read_bytes()
    done = fairlead("view", result)
    assert done.stdout == "chain.html\n"
    assert "no display here" in done.stderr
    assert result.read_bytes() == before
    page = Path("chain.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "http://" not in page.split('id="results-data"')[0].replace("http-equiv", "")
    assert page.count('src="') == 0, "nothing is fetched"


def test_it_opens_where_there_is_a_display_unless_told_not_to(fairlead, result, monkeypatch):
    opened = []
    monkeypatch.setenv("DISPLAY", ":1")
    monkeypatch.setattr(webbrowser, "open", lambda address: opened.append(address) or True)
    fairlead("view", result, "-o", "pages/a.html", "--no-open")
    assert opened == []
    Path("pages").mkdir()
    fairlead("view", result, "-o", "pages/b.html")
    assert opened == [Path("pages/b.html").resolve().as_uri()]


def test_several_results_and_a_comparison_share_a_page(fairlead, result):
    assert fairlead("view", result, result, "-o", "two.html", "--no-open").exit_code == 0
    assert '"name":"chain (2)"' in Path("two.html").read_text(encoding="utf-8")
    with xr.open_dataset(result, engine="h5netcdf") as run:
        both = xr.concat([run, run], dim="formulation").assign_coords(formulation=["bars", "lumped"])
        both.load().to_netcdf("both.nc", engine="h5netcdf")
    fairlead("view", "both.nc", "--no-open")
    page = Path("both.html").read_text(encoding="utf-8")
    assert '"name":"bars"' in page
    assert '"name":"lumped"' in page


def test_what_cannot_be_shown_gets_one_sentence(fairlead, result):
    whole = result.read_bytes()
    for name, data in {"cut.nc": whole[: len(whole) // 2], "empty.nc": b"", "foreign.nc": b"CDF\x01 and so on"}.items():
        Path(name).write_bytes(data)
        done = fairlead("view", name, "--no-open")
        assert done.exit_code == 2
        assert done.stderr.count("\n") == 1
        assert done.stderr.startswith(f"{name}: ")
        assert not Path(name).with_suffix(".html").exists()
    xr.Dataset({"temperature": ("time", [1.0, 2.0])}).to_netcdf("other.nc", engine="h5netcdf")
    assert "is not a result of Fairlead" in fairlead("view", "other.nc").stderr


def test_the_page_never_replaces_the_result(fairlead, result):
    before = result.read_bytes()
    done = fairlead("view", result, "-o", result)
    assert done.exit_code == 2
    assert "cannot be written over" in done.stderr
    assert result.read_bytes() == before
    Path("folder").write_text("a file")
    assert "there is no folder folder" in fairlead("view", result, "-o", "folder/page.html").stderr


def test_no_picture_library_is_loaded_for_a_page(result):
    code = (
        "import sys; from fairlead.view.replay import open_results, replay_page\n"
        f"replay_page(open_results([{str(result)!r}])); assert 'matplotlib' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
