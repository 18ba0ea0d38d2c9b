"""The GPU of this machine, for tests that need one."""

from __future__ import annotations

import pytest

from fairlead.ensembles.gpu import Gpu, NoGpu, require_gpu


def gpu_here() -> Gpu | None:
    """None where there is none, or nothing that drives it, which then is told."""
    try:
        return Gpu()
    except NoGpu:
        with pytest.raises(NoGpu, match="numba-cuda"):
            require_gpu()
        return None
