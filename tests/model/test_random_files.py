"""Whatever is in a file, it either loads or raises a model error."""

from __future__ import annotations

import contextlib
import copy
import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from fairlead.model import ModelError, Problem, System, load, load_text, warnings
from fairlead.model.reader import read

from .files import EVERYTHING, SINKING, SPREAD

FEW = settings(max_examples=60, deadline=None)
MANY = settings(max_examples=90, deadline=None)

PLAIN = [read(SINKING).data, read(EVERYTHING).data, read(SPREAD).data]

odd_numbers = st.sampled_from([0, -1, 1, 1e300, -1e300, 1e-300, 5e-324, 10**400, 2**63, 0.1, True])
odd_texts = st.sampled_from(
    [
        "",
        "A",
        "M",
        "wire",
        "5 kN",
        "-3 m",
        "nan",
        "inf m",
        "1e999 m",
        "reynolds",
        "\x00",
        "é",
        "a.b",
        "vessel.tip",
        "ring",
        "lead_in",
        "free",
    ]
)
not_finite = st.sampled_from([float("nan"), float("inf"), float("-inf")])
leaves = st.none() | odd_numbers | odd_texts | not_finite | st.text(max_size=5) | st.floats() | st.integers()
anything = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=8,
)


def accept_or_refuse(data: Any) -> None:
    """Builds a system and looks at it; a model error with at least one problem is the only other way out."""
    system = refused = None
    try:
        system = System.model_validate(data)
    except ModelError as error:
        refused = error
    if system is not None:
        warnings(system)
        assert load_text(system.to_yaml()) == system
    else:
        assert refused is not None
        assert refused.problems
        assert str(refused)


def places(data: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) in nested data."""
    keys = list(data) if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else []
    found = [(data, key) for key in keys]
    for key in keys:
        found += places(data[key])
    return found


@MANY
@given(st.data())
def test_changed_values_are_accepted_or_refused(data: st.DataObject) -> None:
    model = copy.deepcopy(data.draw(st.sampled_from(PLAIN)))
    for _ in range(data.draw(st.integers(1, 4))):
        inside = places(model)
        if not inside:
            break
        container, key = inside[data.draw(st.integers(0, len(inside) - 1))]
        change = data.draw(st.sampled_from(["replace", "remove", "rename", "copy"]))
        if change == "replace":
            container[key] = data.draw(anything)
        elif change == "remove":
            del container[key]
        elif change == "rename" and isinstance(container, dict):
            container[data.draw(st.text(max_size=6))] = container.pop(key)
        else:
            other, other_key = inside[data.draw(st.integers(0, len(inside) - 1))]
            container[key] = copy.deepcopy(other[other_key])
    accept_or_refuse(model)


@FEW
@given(anything)
def test_any_data_is_refused_with_a_model_error(data: Any) -> None:
    accept_or_refuse(data)


@FEW
@given(st.dictionaries(st.sampled_from(list(System.model_fields)), anything))
def test_sections_of_anything_are_refused_with_a_model_error(data: Any) -> None:
    accept_or_refuse(data)


def load_or_refuse(text: str) -> None:
    problems: tuple[Problem, ...] | None = None
    try:
        load_text(text, "random.yaml")
    except ModelError as error:
        problems = error.problems
    assert problems is None or len(problems) > 0
    assert all(problem.file == "random.yaml" for problem in problems or ())


@FEW
@given(st.text(max_size=60) | st.text("{}[]:,-?&*!|>'\"%@`# \n\tab01<~\\", max_size=40))
def test_any_text_is_refused_with_a_model_error(text: str) -> None:
    load_or_refuse(text)


@FEW
@given(st.data())
def test_a_damaged_file_is_accepted_or_refused(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from([SINKING, EVERYTHING, SPREAD, json.dumps(PLAIN[1], indent="\t")]))
    start = data.draw(st.integers(0, len(text)))
    stop = min(len(text), start + data.draw(st.integers(0, 30)))
    load_or_refuse(text[:start] + data.draw(st.text(max_size=8)) + text[stop:])


@settings(max_examples=30, deadline=None)
@given(st.binary(max_size=80), st.integers(0, len(SINKING)))
def test_any_bytes_are_accepted_or_refused(tmp_path_factory: Any, junk: bytes, place: int) -> None:
    path = tmp_path_factory.getbasetemp() / "random_bytes.yaml"
    path.write_bytes(SINKING.encode()[:place] + junk + SINKING.encode()[place:])
    with contextlib.suppress(ModelError):
        load(path)
