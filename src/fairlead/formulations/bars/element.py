"""One bar: its inertia, the loads on it and its contact with the seabed.

Local z runs along the bar. Unknowns are the *global* linear and the *body* angular acceleration, so a load at
offset o along the axis enters through U(o) = o·[−R₂, R₁, 0], the columns of R being R₁, R₂, t. `bar` is the row
of its constants.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import inlined, kernel
from fairlead.algebra.records import row_start
from fairlead.algebra.small import add, add_scaled, matvec, positive, transposed_matvec
from fairlead.loads.body import body_loads
from fairlead.loads.buoyancy import bar_height, submergence
from fairlead.loads.drag import NONE, secants
from fairlead.loads.seabed_contact import bed_push, remember_push
from fairlead.sea.water import BED_X, BED_Y, BED_Z, GRAVITY, WAVE_COUNT, flow_below, surface

GAUSS = 0.5 / math.sqrt(3.0)
"""Gauss points lie at ±GAUSS·L from the middle."""


@kernel
def end_offset_columns(o, R):
    """U(o) as nine numbers: the acceleration of a point at offset o is a + U(o)·α + centripetal."""
    return (-o * R[1], o * R[0], 0.0, -o * R[4], o * R[3], 0.0, -o * R[7], o * R[6], 0.0)


@kernel
def offset_torque(o, R, f):
    """U(o)ᵀ f: body torque of a global force f at offset o."""
    return (-o * (R[1] * f[0] + R[4] * f[1] + R[7] * f[2]), o * (R[0] * f[0] + R[3] * f[1] + R[6] * f[2]), 0.0)


@kernel
def axis_of(R):
    """Direction of the bar, start to end."""
    return (R[2], R[5], R[8])


@kernel
def axis_rate(R, w):
    """R(w × e_z): how fast the direction of the bar turns."""
    return (w[1] * R[0] - w[0] * R[1], w[1] * R[3] - w[0] * R[4], w[1] * R[6] - w[0] * R[7])


@kernel
def point_velocity(o, R, v, w):
    """Global velocity of the point at offset o: v + R(w × o e_z)."""
    x = o * w[1]
    y = -o * w[0]
    return (v[0] + x * R[0] + y * R[1], v[1] + x * R[3] + y * R[4], v[2] + x * R[6] + y * R[7])


@kernel
def centripetal(o, R, w):
    """R(w × (w × o e_z)): the part of that point's acceleration that is there without accelerations."""
    x = o * w[0] * w[2]
    y = o * w[1] * w[2]
    z = -o * (w[0] * w[0] + w[1] * w[1])
    return matvec(R, (x, y, z))


@inlined
def bar_loads(t, bar, p, R, v, w, h, sys):
    """Inertia and loads of one bar.

    Returns
    -------
    across, along : effective mass normal to and along the axis [kg], with added mass and, times h, the drag secant
    coupling      : κ of the linear–angular block κ·[−R₂, R₁, 0] [kg m]
    jx, jz        : effective moments of inertia about the transverse axes and the axis [kg m²]
    force, torque : global [N], body [N m]
    power         : of the water on the bar [W]: drag, and what the turn of unequal added masses takes or gives

    Added mass acts on the true acceleration (Morison form). The gyroscopic torque −w × (J w) turns (w_x, w_y) about
    the axis; over a step it is taken as that turn (Cayley form), not as its tangent, which would gain energy with
    every step of a bar spinning about its axis. Weight acts at the middle, buoyancy where its potential wants it: at
    −(L/2)(1−σ)·t_z L/H, H = √((t_z L)² + d²), nearly the middle of the submerged part. Drag is taken at two Gauss
    points, and so is what the acceleration a of the water under waves carries along: σ(ρV + A) a. An attachment (lump)
    is a point mass on the axis. The turn of a bar with unequal added masses changes the water's kinetic energy by
    −(A_n − A_t) v_z (v_x w_y − v_y w_x) a second beyond the work of its forces, wetting more of it (σ̇) by ½σ̇·vᵀAv, and
    a surface that rises above it (η̇) the potential of its buoyancy B by σB η̇.
    """
    sea = sys.reals
    length = bar.length
    height = bar_height(R[8] * length, bar.diameter)
    level, rise, slope_x, slope_y = surface(t, p[0], p[1], sea)
    rise += v[0] * slope_x + v[1] * slope_y
    sigma = submergence(p[2] - level, height)
    mass = bar.mass
    across = mass + sigma * bar.added_normal
    along = mass + sigma * bar.added_axial
    jx = bar.inertia + sigma * bar.inertia_added
    jz = bar.spin_inertia
    coupling = 0.0
    half_turn = 0.5 * h * (1.0 - jz / jx) * w[2]
    gyro = (jx - jz) * w[2] / (1.0 + half_turn * half_turn)
    torque = (gyro * (w[1] - half_turn * w[0]), -gyro * (w[0] + half_turn * w[1]), 0.0)
    lift = sigma * bar.buoyancy
    force = (0.0, 0.0, lift - bar.weight)
    if 0.0 < sigma < 1.0:
        o = -0.5 * length * (1.0 - sigma) * R[8] * length / height
        torque = (torque[0] - o * R[7] * lift, torque[1] + o * R[6] * lift, 0.0)

    v_local = transposed_matvec(R, v)
    turning = v_local[2] * (v_local[0] * w[1] - v_local[1] * w[0])
    power = lift * rise - sigma * (bar.added_normal - bar.added_axial) * turning
    if 0.0 < sigma < 1.0:
        wetting = (0.5 - sigma) * R[8] * length * length * (w[1] * R[6] - w[0] * R[7]) / height - v[2] + rise
        wetting /= height
        moved = bar.added_normal * (v_local[0] * v_local[0] + v_local[1] * v_local[1])
        moved += bar.added_axial * v_local[2] * v_local[2]
        moved += bar.inertia_added * (w[0] * w[0] + w[1] * w[1])
        power += 0.5 * wetting * moved
    if sigma > 0.0 and (bar.drag_law != NONE or sea[WAVE_COUNT] > 0.0):
        o = GAUSS * length
        law, reynolds = bar.drag_law, bar.reynolds
        displaced = bar.buoyancy / sea[GRAVITY] if sea[WAVE_COUNT] > 0.0 else 0.0
        carried_n = 0.5 * sigma * (displaced + bar.added_normal)
        carried_t = 0.5 * sigma * (displaced + bar.added_axial)
        fx, fy, fz, tx, ty = 0.0, 0.0, 0.0, 0.0, 0.0
        for _ in range(2):
            o = -o
            dx, dy = o * R[2], o * R[5]
            above = level + dx * slope_x + dy * slope_y
            flow, push = flow_below(t, p[0] + dx, p[1] + dy, p[2] + o * R[8], above, sea)
            flow = transposed_matvec(R, flow)
            push = transposed_matvec(R, push)
            vx = v_local[0] + o * w[1]
            vy = v_local[1] - o * w[0]
            vz = v_local[2]
            ux = vx - flow[0]
            uy = vy - flow[1]
            uz = vz - flow[2]
            cn, ct = secants(law, sigma * bar.drag_normal, sigma * bar.drag_axial, reynolds, ux * ux + uy * uy, uz)
            gx = carried_n * push[0] - cn * ux
            gy = carried_n * push[1] - cn * uy
            gz = carried_t * push[2] - ct * uz
            fx += gx
            fy += gy
            fz += gz
            tx -= o * gy
            ty += o * gx
            power += gx * vx + gy * vy + gz * vz
            across += h * cn
            along += h * ct
            coupling += h * cn * o
            jx += h * cn * o * o
        force = (
            force[0] + R[0] * fx + R[1] * fy + R[2] * fz,
            force[1] + R[3] * fx + R[4] * fy + R[5] * fz,
            force[2] + R[6] * fx + R[7] * fy + R[8] * fz,
        )
        torque = (torque[0] + tx, torque[1] + ty, 0.0)

    first = int(bar.lump_first)
    for k in range(first, first + int(bar.lump_count)):
        lump = sys.lump[k]
        o = lump.offset
        inertia, drag, f, lump_power = body_loads(
            t, add_scaled(p, o, axis_of(R)), point_velocity(o, R, v, w), lump.mass,
            lump.added, lump.buoyancy, lump.drag, lump.height,
            sea,
        )  # fmt: skip
        f = add_scaled(f, -inertia, centripetal(o, R, w))
        power += lump_power
        force = add(force, f)
        torque = add(torque, offset_torque(o, R, f))
        inertia += h * drag
        across += inertia
        along += inertia
        coupling += inertia * o
        jx += inertia * o * o
    return across, along, coupling, jx, jz, force, torque, power


@kernel
def bed_normal(sys):
    """Normal of the seabed."""
    return (sys.reals[BED_X], sys.reals[BED_Y], sys.reals[BED_Z])


@inlined
def bed_contact(bar, place, velocity, memory, sys):
    """Contact of one bar end with the seabed.

    Returns
    -------
    active    : whether the normal row acts
    G, bias   : of the normal row λ_n = G·C̈ + bias (λ_n < 0 pushes up along the bed's normal)
    shear     : G of the two tangential rows (0 while slipping)
    friction  : tangential force on the end, before the step's own change [N], global
    normal    : the seabed's normal

    The law is that of `fairlead.loads.seabed_contact`; what pressed on the bed falls as it would in free water. An end
    that an anchor holds at the bed (a remembered force of HELD) is no contact.
    """
    n = bed_normal(sys)
    if memory.normal_force < 0.0:
        return False, 0.0, 0.0, 0.0, (0.0, 0.0, 0.0), n
    fall = n[2] * (bar.buoyancy - bar.weight) / (bar.mass + bar.added_normal)
    active, g, bias, shear, friction = bed_push(
        sys.reals, bar.radius, bar.bed_stiffness, bar.bed_damping, bar.bed_shear,
        -positive(-fall), place, velocity, sys.y, row_start(memory, sys.y), sys.scheme.step, sys.scheme.g_per_c,
        sys.scheme.g_per_k, sys.scheme.d_per_k,
    )  # fmt: skip
    return active, g, bias, shear, friction, n


@inlined
def remember_contact(bar, place, active, normal_force, memory, sys):
    """Return mapping after a step: keep the anchor within μN/k of the end; forget it at lift-off."""
    if memory.normal_force < 0.0:
        return
    remember_push(sys.reals, bar.bed_shear, place, active, normal_force, sys.y, row_start(memory, sys.y))
