"""How full the packs of a study are: scenarios run together only with others of their kind in the same batch."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from fairlead.algebra.lanes import WIDTH
from fairlead.ensembles.bench import Bench
from fairlead.ensembles.members import Member
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.model.problems import ModelError
from fairlead.statics import StaticsError

from .check import made
from .costs import STRUCTURE, Costs
from .order import MOST_IN_BATCH, in_order


@dataclass(frozen=True)
class Filling:
    """structures  of the first scenarios that are run, in their order: the values that have a structure of their own
    members        of one kind, different ones, as many as a pack holds; none where none of those tried can be built
    share          of those tried beside the first, that are of its kind
    """

    structures: tuple[Hashable, ...]
    members: tuple[Member, ...]
    share: float

    def fill(self, batch: int) -> float:
        """Scenarios in a pack of a batch of so many, on the average. Two values that have a structure of their own
        count as two structures; where they are drawn, some of them may be one, and packs fuller."""
        packs = 0.0
        counts = Counter(self.structures[:batch]).values()
        for count in counts:
            kind = 1.0 + (count - 1) * self.share
            packs += count / kind * math.ceil(kind / WIDTH)
        return sum(counts) / packs


def filling(costs: Costs) -> Filling:
    """Find out by building as many scenarios as a pack holds."""
    scenarios = costs.ready.scenarios
    own = [path for factor, kind in zip(scenarios.factors, costs.kinds, strict=True) if kind == STRUCTURE
           for path in factor.paths]  # fmt: skip
    numbers = np.arange(len(scenarios) if own else min(len(scenarios), MOST_IN_BATCH))
    first = [int(i) for i in in_order(costs, numbers)[:MOST_IN_BATCH]]
    values = [scenarios.values(i) for i in first]
    structures = tuple(json.dumps([of[path] for path in own], default=str) for of in values)
    most = Counter(structures).most_common(1)[0][0]
    bench, tried = Bench(), []
    for given, structure in zip(values, structures, strict=True):
        if structure != most:
            continue
        try:
            tried.append(Member.of(bench.simulation(made(costs.ready.system, given), costs.alike(given))))
        except (ModelError, StaticsError, UnsupportedSystem):
            continue
        if len(tried) == WIDTH:
            break
    members = tuple(member for member in tried if member.kind == tried[0].kind)
    return Filling(structures, members, (len(members) - 1) / (len(tried) - 1) if len(tried) > 1 else 1.0)
