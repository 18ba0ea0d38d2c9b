"""Members on the GPU of this machine, where there is one, have the statistics of runs on a core."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from fairlead.ensembles.crowd import Crowd
from fairlead.ensembles.sampler import sampled
from fairlead.ensembles.together import sampled_together
from fairlead.model import load_text

from .gpu_here import gpu_here
from .test_packs import NET, alone, members, wanted

WAVES = "waves: {kind: jonswap, significant_height: 1, peak_period: 4, components: 12, ramp: 0.5}\n  seabed"


@pytest.mark.parametrize(("waves", "crowded"), [(False, False), (True, False), (True, True)])
@pytest.mark.parametrize("formulation", ["bars", "lumped"])
def test_members_have_the_statistics_of_a_core(formulation, waves, crowded, monkeypatch):
    """Chain on the bed, rope that goes slack and snaps, an attachment, free points; each in a current of its own, in
    still water and in waves that all share, also by the code of many members, which has fewer registers. Five leave the
    group of 32 unfilled. When rope that is slack now and again has its least tension, zero, the last digit decides:
    that is not compared."""
    gpu = gpu_here()
    if crowded:
        monkeypatch.setattr("fairlead.ensembles.gpu.AT_WORK", 0)
    text = NET.replace("formulation: bars", f"formulation: {formulation}")
    system = load_text(text.replace("seabed", WAVES) if waves else text)
    made, kept = members(system, 5), wanted(system, mean=True, std=True, largest=True)
    found = sampled_together(made, kept, 0.5, partial(Crowd, gpu=gpu))
    for member, row in zip(made, found, strict=True):
        assert row == pytest.approx(sampled(alone(member), kept, discard=0.5), rel=1e-7, abs=1e-7)
    assert len({np.asarray(row).tobytes() for row in found}) == len(made)
