"""What can go wrong once a simulation is under way."""

from __future__ import annotations

from fairlead.formulations.contract import Failure


class SimulationError(RuntimeError):
    """The simulation could not go on; `failure` says when, where, why and what to do."""

    def __init__(self, failure: Failure):
        super().__init__(str(failure))
        self.failure = failure
