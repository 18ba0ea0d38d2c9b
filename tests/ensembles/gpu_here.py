"""The GPU of this machine, for tests that need one."""

from __future__ import annotations

import pytest

from fairlead.ensembles.gpu import Gpu, NoGpu


def gpu_here() -> Gpu:
    """A test that asks for it is left out, and says why, where there is none or nothing that drives it."""
    try:
        return Gpu()
    except NoGpu as error:
        pytest.skip(str(error))
