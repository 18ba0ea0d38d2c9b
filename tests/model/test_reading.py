"""Reading files: YAML 1.2 and JSON, places of values, and limits."""

from __future__ import annotations

import json
import time
from itertools import pairwise
from pathlib import Path

import pytest

from fairlead.model import ModelError, load, load_text
from fairlead.model.reader import MOST_CHARACTERS, read

from .files import EVERYTHING, SINKING


def test_the_sinking_cables_load() -> None:
    system = load_text(SINKING)
    assert list(system.cables) == ["left", "right"]
    assert system.types["wire"].diameter == 0.044
    assert system.environment.seabed is not None
    assert system.environment.seabed.stiffness == 1e4
    assert system.cables["left"].start.point == "A"
    assert system.cables["left"].start.joint == "ball"


def test_units_are_turned_into_si() -> None:
    system = load_text(EVERYTHING)
    assert system.environment.water_density == 1025.0
    assert system.types["chain"].axial_stiffness == 3e8
    assert system.types["chain"].damping_bending == 0.02
    assert system.simulation.duration == 120.0
    assert system.loads[0].force == (1000.0, 0.0, 0.0)


def test_a_system_knows_its_file(tmp_path: Path) -> None:
    path = tmp_path / "sinking.yaml"
    path.write_text(SINKING)
    system = load(path)
    assert system.source is not None
    assert system.source.path == str(path)
    assert system.source.text == SINKING
    assert system.source.locate("cables.left.length") == (17, 31)
    assert system.source.locate("cables.left") == (17, 3)
    assert system.source.locate("environment.current[1].z") == (7, 11)
    assert system.source.locate("simulation.start") == (19, 1)
    problem = system.problem("cables.left", "is blue", "paint it")
    assert str(problem) == f"{path}:17:3: cables.left: is blue; paint it"


def test_json_is_read_with_places_too() -> None:
    text = json.dumps(read(EVERYTHING).data, indent="\t")
    assert load_text(text) == load_text(EVERYTHING)
    with pytest.raises(ModelError) as caught:
        load_text(text.replace('"elements": 8', '"elements": 0'), "f.json")
    assert "cables.hawser.elements: must be at least 1" in str(caught.value)
    assert caught.value.problems[0].line == text[: text.index('"elements": 8')].count("\n") + 1


def test_scalars_follow_yaml_1_2() -> None:
    text = "[1e9, 1.5e-3, .5, 5., 0o17, 0x1F, no, yes, 012, 1_000, true, null, ~, '5', \"x\\ty\", 2001-01-01, +3]"
    values = read(text).data
    assert values == [
        1e9,
        1.5e-3,
        0.5,
        5.0,
        15,
        31,
        "no",
        "yes",
        12,
        "1_000",
        True,
        None,
        None,
        "5",
        "x\ty",
        "2001-01-01",
        3,
    ]


def test_aliases_and_merge_keys_are_written_out() -> None:
    text = SINKING.replace("wire: {", "wire: &wire {").replace(
        "points:", "  thick: {<<: *wire, diameter: 0.05}\npoints:"
    )
    system = load_text(text)
    assert system.types["thick"].diameter == 0.05
    assert system.types["thick"].density == 1100
    with pytest.raises(ModelError, match=r"types\.thick\.diameter: must be above 0"):
        load_text(text.replace("diameter: 0.05}", "diameter: 0}"))
    with pytest.raises(ModelError, match="can only take in a mapping"):
        load_text(text.replace("<<: *wire", "<<: 5"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "f: is empty; describe types, points, cables and simulation"),
        ("# nothing\n", "f: is empty;"),
        ("- 1", "f:1:1: must be a mapping with types, points, cables and simulation, not a list of 1;"),
        ("just text", "f:1:1: must be a mapping with types, points, cables and simulation, not 'just text';"),
        ("a: [1, 2", "f:1:9: not valid YAML: while parsing a flow sequence"),
        ("a:\n\t- b", "f:2:1: not valid YAML: while scanning for the next token; found character '\\t' that cannot "
                      "start any token; indent with spaces, not tabs"),
        ("a: b: c", "not valid YAML: mapping values are not allowed here; check the indentation, or put text"),
        ("a: 1\n---\nb: 1", "f:2:1: holds more than one document; keep one and remove '---'"),
        ("a: !!python/object/apply:os.system [ls]",
         "f:1:4: tags such as 'tag:yaml.org,2002:python/object/apply...' have no"),
        ("a: !thing {}", "f:1:4: tags such as '!thing' have no meaning here; remove the tag"),
        ("a: *b", "f:1:4: refers to 'b', which is not there; mark a value above with &b"),
        ("a: &a [*a]", "refers to 'a', which is not there"),
        ("? [a]\n: b", "f:1:3: a key must be plain text; put it in quotes"),
        ("a: \x01", "f:1:4: holds a character that text cannot have, number 0x1; remove it"),
        ("[" * 100_000, "f:1:41: nested deeper than 40 levels; a model needs about six"),
        ("x" * (MOST_CHARACTERS + 1), "f: the file has 5000001 characters, more than 5000000;"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_model_says_why(text: str, expected: str) -> None:
    with pytest.raises(ModelError) as caught:
        load_text(text, "f")
    assert expected in str(caught.value)


def test_an_alias_bomb_is_refused_at_once() -> None:
    letters = "abcdefghij"
    bomb = "a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n"
    for before, letter in pairwise(letters):
        bomb += f"{letter}: &{letter} [{', '.join(['*' + before] * 10)}]\n"
    began = time.perf_counter()
    with pytest.raises(ModelError, match="holds more than 200000 values"):
        load_text(bomb)
    assert time.perf_counter() - began < 5


def test_a_file_that_is_not_there_names_the_nearest(tmp_path: Path) -> None:
    (tmp_path / "sinking_cables.yaml").write_text(SINKING)
    with pytest.raises(ModelError) as caught:
        load(tmp_path / "sinking_cable.yaml")
    assert "there is no such file; did you mean" in str(caught.value)
    assert "sinking_cables.yaml" in caught.value.problems[0].hint
    with pytest.raises(ModelError, match="is a folder, not a model file"):
        load(tmp_path)
    with pytest.raises(ModelError, match="there is no such file"):
        load(tmp_path / "no" / "where.yaml")
    with pytest.raises(ModelError, match="cannot be opened"):
        load("null\0byte")


def test_a_file_in_another_encoding_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "latin.yaml"
    path.write_bytes(b"title: good\ndescription: caf\xe9\n")
    with pytest.raises(ModelError) as caught:
        load(path)
    assert f"{path}:2:17: is not UTF-8 text; save it as plain text in UTF-8" in str(caught.value)


def test_a_byte_order_mark_and_other_line_ends_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "windows.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + SINKING.replace("\n", "\r\n").encode())
    assert load(path) == load_text(SINKING)
