"""The file reference and the JSON Schema follow the model."""

from __future__ import annotations

import json
import re

import pytest

from fairlead.model import System, json_schema, reference_markdown
from fairlead.model.part import Part
from fairlead.model.reference import SECTIONS
from fairlead.model.units import KINDS


@pytest.mark.parametrize("part", [part for _, _, part, _ in SECTIONS])
def test_every_key_is_described(part: type[Part]) -> None:
    for name, field in part.model_fields.items():
        assert field.description, f"{part.__name__}.{name}"
        assert not field.description.endswith("."), f"{part.__name__}.{name}"


def test_the_reference_has_every_key_and_every_link_leads_somewhere() -> None:
    page = reference_markdown()
    for _, _, part, _ in SECTIONS:
        for name in part.model_fields:
            assert f"| `{name}` |" in page
    headings = re.findall(r"^#+ (.+)$", page, re.MULTILINE)
    targets = [re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings]
    assert len(set(targets)) == len(targets)
    assert set(re.findall(r"\]\(#([a-z-]+)\)", page)) <= set(targets)
    assert "| `diameter` | number, above 0 | `m` | *required* | outer diameter" in page
    assert "| `start` | name or [end](#start-and-end) |  | *required* |" in page
    assert "| `joint` | `ball` or `clamp` |  | `ball` |" in page


def test_every_part_of_the_schema_is_in_the_reference() -> None:
    in_schema = set(json_schema()["$defs"])
    assert in_schema | {System.__name__} == {part.__name__ for _, _, part, _ in SECTIONS}


def test_the_schema_allows_numbers_and_text_with_a_unit() -> None:
    schema = json_schema()
    diameter = schema["$defs"]["CableType"]["properties"]["diameter"]
    assert diameter["unit"] == "m"
    assert diameter["description"].startswith("outer diameter")
    number, text = diameter["anyOf"]
    assert number == {"type": "number", "exclusiveMinimum": 0}
    assert text["type"] == "string"
    for example in ("44 mm", "0.044", "1e-3 m", "50 1/s"):
        assert re.search(text["pattern"], example)
    assert not re.search(text["pattern"], "thick")


def test_the_schema_takes_an_anchor_by_two_numbers_or_three_and_a_height_by_the_word_bed() -> None:
    definitions = json_schema()["$defs"]
    anchor, fixed = (definitions[name]["properties"]["position"] for name in ("AnchorPoint", "FixedPoint"))
    assert (anchor["minItems"], anchor["maxItems"], fixed["minItems"]) == (2, 3, 3)
    for place in (anchor, fixed):
        assert {"const": "bed"} in place["prefixItems"][2]["anyOf"]


def test_every_quantity_in_the_schema_has_a_known_unit() -> None:
    def units(node: object) -> list[str]:
        if isinstance(node, dict):
            own = [node["unit"]] if isinstance(node.get("unit"), str) else []
            return own + [unit for inner in node.values() for unit in units(inner)]
        return [unit for inner in node for unit in units(inner)] if isinstance(node, list) else []

    assert set(units(json_schema())) <= set(KINDS)


def test_the_schema_is_plain_json_and_closed_to_unknown_keys() -> None:
    schema = json.loads(json.dumps(json_schema()))
    assert schema["$schema"].endswith("2020-12/schema")
    assert schema["additionalProperties"] is False
    assert schema["required"] == ["types", "points", "cables", "simulation"]
    assert schema["$defs"]["FreePoint"]["required"] == ["kind"]
    shorthand, full = schema["$defs"]["End"]["anyOf"]
    assert shorthand["type"] == "string"
    assert full["additionalProperties"] is False
