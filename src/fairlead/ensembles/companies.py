"""Who runs members of one kind on a core: packs of eight, or one after the other where no pack carries them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from fairlead.algebra.lanes import WIDTH
from fairlead.formulations.contract import Failure
from fairlead.formulations.kernel_compiled import KernelCompiled
from fairlead.simulate.simulation import Simulation

from .lone import LoneMember
from .members import Member
from .packs import PackedMembers, why_not
from .together import sampled_together, why_unwatched
from .wanted import Wanted


class Companies:
    """On a core."""

    def most_of(self, member: Member) -> int:
        """How many of its kind are run at once."""
        return WIDTH if member.compiled.pack is not None else 1

    def take(self, simulation: Simulation, wanted: Sequence[Wanted]) -> bool:
        """Whether members of such a system are run here; others run as simulations of their own."""
        compiled = simulation.compiled
        if isinstance(compiled, KernelCompiled) and compiled.lone is not None:
            return why_unwatched(simulation, wanted) is None
        return why_not(simulation, wanted) is None

    def sampled(
        self, members: Sequence[Member], wanted: Sequence[Wanted], discard: float, stop: Callable[[], bool]
    ) -> list[np.ndarray | Failure]:
        """Up to `most_of` one kind; see `sampled_together`."""
        if members[0].compiled.pack is not None:
            return sampled_together(members, wanted, discard, PackedMembers, stop)
        return [sampled_together([member], wanted, discard, LoneMember, stop)[0] for member in members]
