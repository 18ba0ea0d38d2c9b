"""`fairlead` with the toy in place of the bars, for tests that stop, kill and resume real processes.

`TOY_PAUSE` is a time in s that each sample takes, so that there is something to interrupt; results are flushed often.
"""

from __future__ import annotations

import os
import sys
import time
from types import ModuleType

from simulate.toy import Toy

from fairlead.model.needs import FEATURES
from fairlead.results import recorder


class SlowToy(Toy):
    """A toy that takes its time."""

    def observe(self, t, y, u, h, out):
        time.sleep(float(os.environ.get("TOY_PAUSE", "0")))
        super().observe(t, y, u, h, out)


def main() -> None:
    stand_in = ModuleType("fairlead.formulations.bars")
    stand_in.compile_system = lambda system, geometry: SlowToy(system)
    stand_in.SUPPORTS = frozenset(FEATURES)
    sys.modules["fairlead.formulations.bars"] = stand_in
    recorder.SHORTEST_FLUSH_PERIOD = 0.05
    recorder.FLUSH_PERIOD_PER_WRITE = 0.0
    from fairlead.cli.main import main as command

    command()


if __name__ == "__main__":
    main()
