"""JSON on stdout, and nothing else there."""

from __future__ import annotations

import json
import math
from typing import Any

import click


def echo_json(value: Any) -> None:
    """Print a value as JSON; numbers JSON does not know (NaN, infinity) become null."""
    click.echo(json.dumps(_plain(value), indent=2, ensure_ascii=False, allow_nan=False))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
