"""What is seen of floaters by coefficients and power take-offs: motions, forces by where they come from, energies."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.small import add, cross, dot, matvec, symvec

from .cummins import from_rest, level, prepare_floaters, press_floaters, radiate, see_floaters
from .floater_waves import raise_waves
from .ptos import pto_energy, pto_law, see_pto


@kernel
def floater_energies(hubs, sys):
    """Kinetic energy with added mass, potential of weight and buoyancy, and what moorings and take-offs store [J].

    Leaves motions and speeds of the state in `freedom`.
    """
    see_floaters(hubs, 0.0, sys)
    kinetic, gravity, elastic = 0.0, 0.0, 0.0
    for k in range(sys.floaters):
        hull, hub = sys.hull[k], hubs[sys.floater[k].hub]
        R, w, m = rotation(hub.turn), hub.spin, hull.mass
        swing = matvec(R, cross(w, hull.centre))
        kinetic += 0.5 * m * dot(hub.velocity, hub.velocity) + m * dot(hub.velocity, swing)
        kinetic += 0.5 * dot(w, symvec(hull.inertia, w))
        gravity += m * sys.sea.gravity * add(hub.position, matvec(R, hull.centre))[2]
        for i in range(6):
            moved, held = sys.freedom[6 * k + i].motion, from_rest(k, i, sys)
            gravity -= sys.constant[6 * k + i].number * moved
            elastic -= sys.preload[6 * k + i].number * held
            for j in range(6):
                at = 36 * k + 6 * i + j
                gravity += 0.5 * sys.restoring[at].number * moved * sys.freedom[6 * k + j].motion
                elastic += 0.5 * sys.holding[at].number * held * from_rest(k, j, sys)
    for b in range(sys.water_blocks):
        of = sys.water_block[b]
        for i in range(6):
            for j in range(6):
                part = sys.added[36 * b + 6 * i + j].number * sys.freedom[6 * of.row + i].speed
                kinetic += (0.5 if b < sys.floaters else 1.0) * part * sys.freedom[6 * of.column + j].speed
    for i in range(sys.ptos):
        see_pto(i, 0.0, hubs, sys)
        elastic += pto_energy(i, sys)
    return kinetic, gravity, elastic


@kernel
def see_forces(t, hubs, sys):
    """Forces on the freedoms of all floaters, and of take-offs, at t, where the hubs stand: those of a step are of its
    middle. To be called after the solve, when a step is only looked at, since it scratches what is prepared."""
    prepare_floaters(sys.scheme.step, 0.0, sys)
    raise_waves(t, hubs, sys)
    press_floaters(t, 0.0, hubs, sys)
    radiate(sys)
    for i in range(sys.ptos):
        see_pto(i, 0.0, hubs, sys)
        force, _, damping, _ = pto_law(i, sys)
        now = sys.pto_now[i]
        now.force, now.power = force, damping * now.rate * now.rate


@kernel
def moor_floater(k, force, moment, sys):
    """Add what cables pull floater k with, force and moment about its reference point (global), to its mooring."""
    now = sys.hull_now[k]
    f, m = level(now.cosine, now.sine, force), level(now.cosine, now.sine, moment)
    for i in range(3):
        sys.freedom[6 * k + i].mooring += f[i]
        sys.freedom[6 * k + 3 + i].mooring += m[i]


@kernel
def put_floaters(out, at, works, sys):
    """Motions and works of all floaters, then strokes, forces, powers and energies of all take-offs."""
    for k in range(sys.floaters):
        work = works.water_work[k]
        for i in range(3):
            out[at + i] = sys.freedom[6 * k + i].motion if sys.hull[k].turns > 0.0 else from_rest(k, i, sys)
        out[at + 3], out[at + 4], out[at + 5], out[at + 6] = work.waves, work.drift, work.radiation, work.viscous
        at += 7
    for i in range(sys.ptos):
        now = sys.pto_now[i]
        out[at], out[at + 1], out[at + 2], out[at + 3] = now.stroke, now.force, now.power, works.pto_work[i].taken
        at += 4
    return at


@kernel
def put_floater_forces(out, at, sys):
    """Forces and moments on all floaters, by where they come from, in the order of `FORCES`."""
    for k in range(sys.floaters):
        for i in range(6):
            row = sys.freedom[6 * k + i]
            out[at + i], out[at + 6 + i], out[at + 12 + i] = row.hydrostatic, row.radiation, row.excitation
            out[at + 18 + i], out[at + 24 + i], out[at + 30 + i] = row.drift, row.viscous, row.current
            out[at + 36 + i], out[at + 42 + i], out[at + 48 + i] = row.wind, row.thrust, row.mooring
        at += 54
    return at
