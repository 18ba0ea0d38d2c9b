"""The rows of all nodes and hubs at rest: what statics and modes need beside the springs."""

from __future__ import annotations

from fairlead.algebra.compiled import entry
from fairlead.rigging.joints import is_held, load_spring
from fairlead.rigging.ropes import come_to_rest, slope_now
from fairlead.rigging.settling import place_all

from .assembly import assemble
from .hubs import begin
from .joined import put_side, see_bonds
from .schema import system
from .scheme import PLAIN, set_scheme
from .tangent import pull_of


@entry
def static_rows(t, y, u, ints, reals, work):
    """Leave in `work` each node's mass (D, A) and force (r), and each hub's own mass and force. `y` is scratched."""
    sys = system(ints, reals, y, work)
    set_scheme(PLAIN, 0.0, sys)
    if sys.hubs > 0:
        begin(t, u, sys)
    for c in range(sys.cables):
        assemble(c, t, True, sys)


@entry
def rest_pulls(span, y, ints, reals, work, tension, slope, quick):
    """Tension [N] of all elements at the lengths `span`, its slope [N/m] under slow loads and under quick ones."""
    sys = system(ints, reals, y, work)
    at = 0
    for c in range(sys.cables):
        for e in range(sys.cable[c].first, sys.cable[c].first + sys.cable[c].count):
            element = sys.element[e]
            tension[at], slope[at], _ = pull_of(e, span[at], sys)
            quick[at] = slope[at]
            if element.rope >= 0.0 and slope[at] > 0.0:
                strain = span[at] / element.length - 1.0
                quick[at] = slope_now(sys.rope[int(element.rope)], strain, sys.creep[e], sys) / element.length
            at += 1


@entry
def rest_memory(tension, y, ints, reals, work):
    """Give ropes the memory of having been under these tensions for long, in place."""
    sys = system(ints, reals, y, work)
    for e in range(sys.creeping):
        element = sys.element[e]
        if element.rope >= 0.0:
            come_to_rest(sys.rope[int(element.rope)], tension[e], sys.creep[e], sys)


@entry
def rest_bonds(y, ints, reals, work, value, rows, force):
    """Where all bonds of joints are (n,), their rows over the hubs' freedoms (n, 6 hubs), and the force of those that
    spring (n,), in a state at rest."""
    sys = system(ints, reals, y, work)
    place_all(sys)
    see_bonds(False, sys.bond_row, sys)
    size, at = 6 * sys.hubs, sys.bond_answer.start
    for i in range(sys.bonds):
        row, bond = sys.bond_row[i], sys.bond[i]
        joint = sys.body_joint[bond.joint]
        for k in range(size):
            sys.work[at + k] = 0.0
        put_side(joint.parent, -1.0, row.line, row.one, at, sys)
        put_side(joint.child, 1.0, row.line, row.two, at, sys)
        for k in range(size):
            rows[i, k] = sys.work[at + k]
        value[i] = row.value
        if not is_held(bond.form):
            row.rate = 0.0
            load_spring(bond.form, sys.body_joint_law[bond.joint], row, 0.0)
            force[i] = -row.push
