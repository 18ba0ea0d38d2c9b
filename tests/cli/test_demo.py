"""`fairlead demo`: one page that leads to everything, three lines, no warning; what it proposes can be done."""

from __future__ import annotations

import re
import runpy
import shlex
import subprocess
import sys
import tomllib
from html import unescape
from pathlib import Path

import pytest
from click.testing import CliRunner

from fairlead.cli.demo import EXAMPLE, STEPS
from fairlead.cli.examples import files
from fairlead.cli.main import main
from fairlead.model import load


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """A short demo: its folder and what it said."""
    folder = tmp_path_factory.mktemp("demo") / "here"
    done = CliRunner().invoke(main, ["demo", "-o", str(folder), "--duration", "2", "--no-open"])
    assert done.exit_code == 0, done.output
    return folder, done


def test_it_says_in_three_lines_what_how_fast_and_where(demo):
    folder, done = demo
    what, fast, where = done.stdout.splitlines()
    assert "2 s of 3 cables in 90 elements" in what
    assert re.fullmatch(r"computed in [\d.]+ s, [\d.e+]+ times as fast as it happens", fast)
    assert where == f"look at {folder / 'index.html'}"
    assert done.stderr in ("", "compiling (once, about half a minute)\n")


def test_everything_the_page_leads_to_is_there(demo):
    page = (demo[0] / "index.html").read_text(encoding="utf-8")
    assert "@" not in re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)
    led = {name for name in re.findall(r'(?:href|src)="([^"#]*)', page) if name and not name.startswith("data:")}
    assert {"replay.html", "report.html", "geometry.png"} <= led
    for name in led:
        assert (demo[0] / name).stat().st_size > 1000, name


def test_what_it_proposes_are_commands_and_files_that_exist(demo):
    page = (demo[0] / "index.html").read_text(encoding="utf-8")
    shown = [shlex.split(unescape(line)) for line in re.findall(r"<pre>\$ (.*?)</pre>", page)]
    assert len(shown) == len(STEPS)
    for _, command, *words in shown:
        assert main.get_command(None, command) is not None
        options = {o for p in main.get_command(None, command).params for o in p.opts}
        assert {w for w in words if w.startswith("-")} <= options
        for word in words:
            assert not word.endswith(".nc") or "/" not in word or Path(word).exists()
    assert load(files()[EXAMPLE], set={"environment.waves.height": 4})


def test_a_folder_that_cannot_be_made_gets_one_sentence(tmp_path):
    (tmp_path / "file").write_text("x")
    done = CliRunner().invoke(main, ["demo", "-o", str(tmp_path / "file" / "demo")])
    assert done.exit_code == 2
    assert "cannot make this folder" in done.stderr


def test_kernels_are_compiled_with_nothing_installed_but_what_they_are_made_by():
    """`make demo` compiles while pip still fetches the rest."""
    root = Path(__file__).parents[2]
    first = runpy.run_path(str(root / "packaging" / "first_needs.py"))["first_needs"]()
    with (root / "pyproject.toml").open("rb") as file:
        later = [words for words in tomllib.load(file)["project"]["dependencies"] if words not in first]
    assert len(first) == 5
    assert len(later) > 4
    names = [re.split("[<>=]", words)[0] for words in later]
    code = f"""
import sys
for name in {names}: sys.modules[name] = None
from fairlead.cli.compiling import find_rest, take_a_step
from fairlead.model import load
system = load({str(files()[EXAMPLE])!r})
take_a_step(system)
find_rest(system)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
