"""The JSON Schema of a model file, for editors that complete and check while one types."""

from __future__ import annotations

from typing import Any

from fairlead.model.system import System


def json_schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of a model file. Each quantity carries its `unit`; text with a unit is allowed for it."""
    schema = System.model_json_schema(mode="validation")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "title": "Fairlead model file",
    }
