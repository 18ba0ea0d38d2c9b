"""Coulomb friction on a block: stopping, sliding on a slope, held by a spring, pulled through a spring."""

import numpy as np


def stopping(velocity, mu, gravity=9.81):
    """Distance (m) and time (s) in which a sliding block comes to rest: v²/(2µg), v/(µg)."""
    return velocity**2 / (2.0 * mu * gravity), velocity / (mu * gravity)


def slope_distance(t, slope, mu, gravity=9.81):
    """Way (m) down a slope (rad) in t from rest: ½ g (sin - µ cos) t², none when tan(slope) ≤ µ."""
    return 0.5 * gravity * max(0.0, np.sin(slope) - mu * np.cos(slope)) * t**2


def spring_block_stops(amplitude, stiffness, friction):
    """Turning points (m) of a block on a spring let go at `amplitude`, up to where it sticks.

    While it moves the friction F is constant: a half swing about ±F/k, so each turn is 2F/k nearer to the middle and
    on the other side; it sticks as soon as k|x| ≤ F.
    """
    points = [float(amplitude)]
    while stiffness * abs(points[-1]) > friction:
        x = points[-1]
        points.append(-x + np.sign(x) * 2.0 * friction / stiffness)
    return np.array(points)


def spring_block_position(t, amplitude, mass, stiffness, friction):
    """Position (m) at t of that block: pieces of cosine about ±F/k, each lasting π√(m/k)."""
    omega = np.sqrt(stiffness / mass)
    points = spring_block_stops(amplitude, stiffness, friction)
    half = int(t * omega / np.pi)
    if half >= len(points) - 1:
        return points[-1]
    middle = np.sign(points[half]) * friction / stiffness
    return middle + (points[half] - middle) * np.cos(omega * t - half * np.pi)


def pulled_block_position(t, mass, stiffness, friction, speed):
    """Position (m) at t of a resting block pulled through a spring whose other end moves at `speed`: stick-slip.

    It sticks until the spring carries the friction, t₀ = F/(k V); then with τ = t - t₀ and equal static and sliding
    friction m ẍ = k (V τ - x): x = V τ - (V/ω) sin ωτ. The velocity V (1 - cos ωτ) returns to zero once a period but
    never reverses, where the spring again carries exactly F, so the motion goes on for ever.
    """
    omega = np.sqrt(stiffness / mass)
    tau = np.maximum(0.0, np.asarray(t) - friction / (stiffness * speed))
    return speed * (tau - np.sin(omega * tau) / omega)


def elastic_coulomb_force(path, stiffness, limit):
    """Force (N) against a contact moved along `path` (n,) m: elastic up to the limit µN, slipping beyond it.

    The return mapping of one direction: the spring follows the path until it carries the limit, then its foot slips
    so that it carries exactly the limit; it unloads elastically.
    """
    foot, forces = path[0], []
    for x in path:
        reach = limit / stiffness
        foot = min(max(foot, x - reach), x + reach)
        forces.append(stiffness * (x - foot))
    return np.array(forces)
