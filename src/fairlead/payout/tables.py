"""Fields of the records of a winch's controller (`payout.control`), for the tables of formulations."""

from __future__ import annotations

CONTROLLER = "kind goal gain speed_max acceleration_max lag"
"""What drives it."""
CONTROLLER_STATE = "driven reading"
"""What that keeps in the state."""
