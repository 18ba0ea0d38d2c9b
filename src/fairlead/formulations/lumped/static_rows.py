"""The rows of all nodes and hubs at rest: what statics and modes need beside the springs."""

from __future__ import annotations

from fairlead.algebra.compiled import entry

from .arrays import N_CABLES, N_HUBS
from .assembly import assemble
from .hubs import begin
from .scheme import PLAIN, set_scheme


@entry
def static_rows(t, y, u, ints, reals, work):
    """Leave in `work` each node's mass (D, A) and force (R), and each hub's own mass and force. `y` is scratched."""
    set_scheme(PLAIN, 0.0, ints, reals, work)
    if ints[N_HUBS] > 0:
        begin(t, u, ints, reals, y, work)
    for c in range(ints[N_CABLES]):
        assemble(c, t, True, ints, reals, y, work)
