"""The JSON Schema of a model file, for editors that complete and check while one types."""

from __future__ import annotations

from typing import Any

from fairlead.model.system import System

SCHEMA_ID = "urn:fairlead:schema:model-file"
"""By this an editor or a store of schemas knows it, wherever its file lies."""


def json_schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of a model file, under a name that stays (`SCHEMA_ID`).

    Each quantity carries its `unit`; text with a unit is allowed for it.
    """
    schema = System.model_json_schema(mode="validation")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": SCHEMA_ID,
        **schema,
        "title": "Fairlead model file",
    }
