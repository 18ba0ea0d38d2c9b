"""The documentation builds without a warning, and says what the program says."""

from __future__ import annotations

import inspect
import json
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import fairlead
from fairlead.cli.main import COMMANDS
from fairlead.model import System, json_schema
from fairlead.model.schema import SCHEMA_ID
from fairlead.studies import verification

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
sys.path.insert(0, str(DOCS))  # what builds the documentation is no part of the program
api_pages, check_links, example_pages = map(import_module, ("api_pages", "check_links", "example_pages"))


@pytest.fixture(scope="module")
def html(tmp_path_factory) -> Path:
    """The built pages."""
    folder = tmp_path_factory.mktemp("docs")
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-W",
        "--keep-going",
        "-q",
        "-t",
        "navigation_once",
        "-d",
        folder / "doctrees",
        DOCS,
        folder / "html",
    ]
    outcome = subprocess.run([str(part) for part in command], capture_output=True, text=True, cwd=ROOT)
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    assert "WARNING" not in outcome.stderr
    return folder / "html"


def test_every_page_is_built(html):
    pages = {path.relative_to(DOCS).with_suffix("") for path in DOCS.rglob("*.md") if "_build" not in path.parts}
    built = {path.relative_to(html).with_suffix("") for path in html.rglob("*.html")}
    assert pages <= built


def test_the_state_shown_is_the_one_declared(html):
    """Every part of the state vector of a formulation, from the tables that its kernels read and write."""
    marker = re.compile(r"generated: state_(\w+)")
    pages = {path: marker.findall(path.read_text(encoding="utf-8")) for path in DOCS.rglob("*.md")}
    shown = {name: path for path, names in pages.items() for name in names}
    assert {"chain", "links", "tether"} <= set(shown)
    for name, path in shown.items():
        text = (html / path.relative_to(DOCS).with_suffix(".html")).read_text(encoding="utf-8")
        schema = import_module(f"fairlead.formulations.{name}.schema").SCHEMA
        parts = [table.name for table in schema.table.values() if table.place == "y"]
        assert [part for part in parts if f">{part}<" not in text] == []


def test_the_file_reference_comes_from_the_schema(html):
    text = (html / "model_file.html").read_text(encoding="utf-8")
    for key in System.model_fields:
        assert key in text
    assert "generated:" not in text


def test_the_schema_is_published_beside_the_pages_under_its_name(html):
    published = json.loads((html / "fairlead.schema.json").read_text(encoding="utf-8"))
    assert published["$id"] == SCHEMA_ID == "urn:fairlead:schema:model-file", "it stays"
    assert published == json_schema()


def test_every_command_is_described(html):
    text = (html / "command_line.html").read_text(encoding="utf-8")
    for command in COMMANDS:
        assert f"Usage: fairlead {command}" in text


def test_every_example_has_a_page_with_its_picture_its_file_what_to_see_and_its_number(html):
    assert not example_pages.missing(), "give it an entry in docs/examples.toml"
    gallery = (html / "gallery.html").read_text(encoding="utf-8")
    for example in example_pages.entries():
        page = (html / "examples" / f"{example.name}.html").read_text(encoding="utf-8")
        assert f'href="examples/{example.name}.html"' in gallery
        shown = [image for image in example.images if f"_images/{image.name}" in page]
        assert shown, f"run: python docs/make_pictures.py {example.name}"
        for source in example.sources:
            assert f"examples/{source.relative_to(example_pages.EXAMPLES)}" in page
        title, _, seen = example_pages.words(example)
        assert title
        assert len(seen) > 40, f"{example.name}: say what to see, in the file after 'What to look at:' or in the table"
        numbers = example_pages.records_of(example)
        assert numbers, f"{example.name}: no record of {example.proof}; run `make validation`"
        for check, record in numbers:
            assert record["passed"]
            assert f"validation.html#{check}" in page or f"validation.html#{check.replace('_', '-')}" in page


def test_every_check_that_an_example_leans_on_exists():
    for example in example_pages.entries():
        assert set(example.proof) <= set(verification.names()), example.name


def test_pictures_are_small():
    sizes = {path.name: path.stat().st_size for path in (DOCS / "images").iterdir()}
    assert max(sizes.values()) < 300_000
    assert sum(sizes.values()) < 5_000_000


def test_every_public_name_is_described(html):
    for module in api_pages.MODULES:
        found = import_module(module)
        assert inspect.getdoc(found), module
        for name in api_pages.names_of(module):
            page = (html / "api" / f"{api_pages.home(module, name)}.html").read_text(encoding="utf-8")
            assert name in page
            value = getattr(found, name)
            if inspect.isclass(value) or inspect.isroutine(value):
                assert inspect.getdoc(value), f"{module}.{name} has no docstring"
    assert set(api_pages.names_of("fairlead")) == set(fairlead.__all__) - {"__version__"}


def test_docstrings_keep_their_columns_code_and_sizes():
    lines = [
        "A size |x|.",
        "",
        "view   space or side",
        "speed  times real",
        "       time",
        "",
        "    a = b",
        "",
        "Done.",
    ]
    assert api_pages.as_rst(lines) == [
        "A size \\|x\\|.", "", "* ``view``: space or side", "* ``speed``: times real", "  time", "",
        ".. code-block:: text", "", "       a = b", "", "Done.",
    ]  # fmt: skip


def test_equations_are_drawn_without_a_script(html):
    for page in (html / "theory").glob("*.html"):
        equations = re.findall(r"<math.*?</math>", page.read_text(encoding="utf-8"), re.DOTALL)
        assert equations, page.name
        assert not [equation for equation in equations if "\\" in equation], "TeX that was not understood"


def test_every_link_leads_somewhere(html):
    assert not [*check_links.broken(html), *check_links.broken_in_texts()]


@pytest.mark.parametrize(
    ("link", "trouble"),
    [
        ("there.html", "no such file"),
        ("#nowhere", "no anchor"),
        ("http://github.com/pradyunsg/furo", "no address"),
        ("https://example.org/x", "not on the list"),
    ],
)
def test_a_link_that_leads_nowhere_is_found(tmp_path, link, trouble):
    (tmp_path / "page.html").write_text(f'<h1 id="here"></h1><a href="#here"></a><a href="{link}"></a>')
    (found,) = check_links.broken(tmp_path)
    assert link in found
    assert trouble in found


def test_the_table_of_checks_is_complete():
    kept = json.loads((DOCS / "validation.json").read_text(encoding="utf-8"))
    assert set(kept) == set(verification.names()), "run `make validation`"
    assert all(record["passed"] for records in kept.values() for record in records)


def test_generated_pages_are_kept_as_text_and_current():
    """What the README links can be read in the repository; `python docs/generated_pages.py` writes it anew."""
    generated_pages = import_module("generated_pages")
    pages = generated_pages.pages()
    names = {path.stem for path in pages}
    assert {"api", "command_line", "gallery", "model_file", "results", "validation", "bars"} <= names
    for path in pages:
        text = path.read_text(encoding="utf-8")
        assert generated_pages.current(text) == text, f"{path.name} is out of date; run `make pages`"


def test_no_page_has_a_link_without_words_or_a_unit_without_backticks():
    for path in [*DOCS.glob("*.md"), *DOCS.glob("theory/*.md"), ROOT / "README.md"]:
        lines = path.read_text(encoding="utf-8").splitlines()
        assert not [line for line in lines if "[](" in line], f"{path.name}: plain text shows nothing of such a link"
        column = None
        for line in lines:
            cells = [cell.strip() for cell in line.strip().strip("|").replace("\\|", "").split("|")]
            if not line.startswith("|"):
                column = None
            elif "unit" in cells:
                column = cells.index("unit")
            elif column is not None and not set(cells[column]) <= set("-"):
                assert re.fullmatch(r"(?:`[^`]+`|–|, |each| )+", cells[column]), f"{path.name}: {line}"


@pytest.mark.parametrize(("name", "way"), [("floating_semi", "draw_model"), ("lowering_limit", "draw_by_commands")])
def test_pictures_of_a_study_are_its_scripts_where_it_has_one_and_else_those_of_its_model(name, way, monkeypatch):
    make_pictures = import_module("make_pictures")
    drawn = []
    for other in ("draw_model", "draw_by_commands", "draw_storms", "draw_script"):
        monkeypatch.setattr(make_pictures, other, lambda example, folder, other=other: drawn.append(other))
    make_pictures.draw_example(next(e for e in example_pages.entries() if e.name == name), Path())
    assert drawn == [way]
