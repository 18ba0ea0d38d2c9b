"""A real browser without a window. Where there is none the tests are skipped, except in CI, where they fail."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from .chromium import Browser, find
from .replays import Replays

MISSING = "there is no Chromium on this machine; `make browser` installs Debian's"


@pytest.fixture(scope="package")  # closed when its tests are through: an idle one goes on computing
def browser() -> Iterator[Browser]:
    if find() is None:
        if os.environ.get("CI"):
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    with Browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def replays(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Replays]:
    yield Replays(browser, tmp_path_factory.mktemp("replays"))
    browser.leave()
