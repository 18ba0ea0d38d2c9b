"""The rows of all nodes and hubs at rest: what statics and modes need beside the springs."""

from __future__ import annotations

from fairlead.algebra.compiled import entry

from .assembly import assemble
from .hubs import begin
from .schema import system
from .scheme import PLAIN, set_scheme


@entry
def static_rows(t, y, u, ints, reals, work):
    """Leave in `work` each node's mass (D, A) and force (r), and each hub's own mass and force. `y` is scratched."""
    sys = system(ints, reals, y, work)
    set_scheme(PLAIN, 0.0, sys)
    if sys.hubs > 0:
        begin(t, u, sys)
    for c in range(sys.cables):
        assemble(c, t, True, sys)
