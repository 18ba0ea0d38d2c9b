"""What Python asks of the point masses at rest: commands and loads of the moment, lengths, memories of ropes, bonds."""

from __future__ import annotations

from fairlead.algebra.compiled import entry
from fairlead.rigging.joints import is_held, load_spring
from fairlead.rigging.ropes import come_to_rest
from fairlead.rigging.settling import place_all
from fairlead.rigging.stillness import put_signals

from .joined import put_side, see_bonds
from .schema import system
from .winch import unfold


@entry
def signals_at(t, u, y, ints, reals, work, commands, loads):
    """All commands (controlled, 3) and the forces and torques of all loads (loads, 6) at time t."""
    put_signals(t, u, system(ints, reals, y, work), commands, loads)


@entry
def unfolded(y, ints, reals, work):
    """Bring the arrays in accord with the lengths of the state `y`."""
    unfold(system(ints, reals, y, work))


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
