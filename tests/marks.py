"""Which cases of a test wait for `make verify`: `["bars", *slowly("links", "lumped")]`."""

from __future__ import annotations

from typing import Any

import pytest


def slowly(*cases: Any) -> list[Any]:
    """Cases that `make verify` runs, and `make test` does not, which runs quicker ones of the same test. Whole tests
    that take long have `pytest.mark.slow` itself: some of what they tell is told by `make verify` alone."""
    return [pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow) for case in cases]
