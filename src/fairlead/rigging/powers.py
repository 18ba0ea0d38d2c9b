"""For integrators of ẏ = f(t, y): works are integrated along as powers; bodies turn."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel


@kernel
def take_powers(before, ledger, rate):
    """What was booked since the works of the ledger were `before` is the power; the ledger itself stays as it was."""
    rate.drag, rate.damping = ledger.drag - before[0], ledger.damping - before[1]
    rate.friction, rate.drives = ledger.friction - before[2], ledger.drives - before[3]
    ledger.drag, ledger.damping, ledger.friction, ledger.drives = before


@kernel
def turning_rate(q, w):
    """q̇ = ½ q∘(0, w) of a body that turns with w, in its own axes."""
    return (
        0.5 * (-q[1] * w[0] - q[2] * w[1] - q[3] * w[2]), 0.5 * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]),
        0.5 * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]), 0.5 * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]),
    )  # fmt: skip
