"""An underwater vehicle with dynamics of its own, on a tether that Fairlead computes.

The vehicle is a simulator of its own, as a robot simulator or a ROS 2 node would have it: six degrees of freedom with
added mass, drag, buoyancy, thrusters and an autopilot, integrated by itself at 100 Hz. It knows nothing of the tether
but a force. `Simulation.step` moves the end of the tether to where the vehicle is and gives that force back; that is
all the coupling there is. The pilot asks for a square round the garage of `rov_tether.yaml`, across the current.

    python vehicle_in_the_loop.py                        90 s, writes vehicle_in_the_loop.png
    python vehicle_in_the_loop.py --duration 20 -o short.png
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import fairlead as fl

CASE = Path(__file__).with_name("rov_tether.yaml")
DT = 0.01  # s
START = np.array([12.0, 0.0, -22.0])  # m, where the tether of the file ends
STERN = np.array([-0.5, 0.0, 0.1])  # m, from the centre of mass to the tether, in the vehicle's axes
SQUARE = ((20.0, 0.0, -24.0), (20.0, -8.0, -24.0), (10.0, -8.0, -21.0), (12.0, 0.0, -22.0))  # m: where the pilot goes
LEG = 20.0  # s for each corner
FLOW = np.array([0.075, 0.225, 0.0])  # m/s: the current at 20 m of that file


class Vehicle:
    """A rigid body in water: x m, v m/s in the world; R (3, 3) and w rad/s in its own axes: ahead, port, up."""

    mass, inertia = np.array([160.0, 190.0, 220.0]), np.array([9.0, 14.0, 15.0])  # kg, kg m², with added mass, by axis
    drag, spin_drag = np.array([110.0, 240.0, 300.0]), np.array([20.0, 40.0, 40.0])  # N s²/m², N m s²
    righting, weight = 90.0, -4.0  # N m/rad, N: buoyancy above the centre of mass; a little light
    most = 250.0  # N, of the thrusters along each axis

    def __init__(self, stern: np.ndarray) -> None:
        self.R, self.v, self.w = np.eye(3), np.zeros(3), np.zeros(3)
        self.x = stern - self.R @ STERN
        self.memory = np.zeros(3)  # of the autopilot, N

    @property
    def stern(self) -> np.ndarray:
        """Where the tether ends, m."""
        return self.x + self.R @ STERN

    def thrust(self, goal: np.ndarray, dt: float) -> tuple[np.ndarray, np.ndarray]:
        """The autopilot: force N and torque N m, in the axes of the vehicle, towards a place, its heading north."""
        miss = goal - self.x
        near = miss if np.linalg.norm(miss) < 2.0 else 2.0 * miss / np.linalg.norm(miss)
        self.memory = np.clip(self.memory + 4.0 * dt * near, -120.0, 120.0)
        force = self.R.T @ (60.0 * near - 150.0 * self.v + self.memory)
        heading = math.atan2(self.R[1, 0], self.R[0, 0])
        return np.clip(force, -self.most, self.most), np.array([0.0, 0.0, -40.0 * heading - 40.0 * self.w[2]])

    def step(self, dt: float, force: np.ndarray, torque: np.ndarray, pull: np.ndarray) -> None:
        """Newton and Euler, semi-implicit. `pull` (3) N is the tether's, in the world, at the stern."""
        own, u = self.R.T @ pull, self.R.T @ (self.v - FLOW)
        up = self.R.T @ np.array([0.0, 0.0, 1.0])
        push = force + own - self.drag * np.abs(u) * u - self.weight * up
        turn = torque + np.cross(STERN, own) - self.spin_drag * np.abs(self.w) * self.w
        turn += self.righting * np.cross([0.0, 0.0, 1.0], up) - np.cross(self.w, self.inertia * self.w)
        self.v = self.v + dt * (self.R @ (push / self.mass))
        self.w = self.w + dt * turn / self.inertia
        self.x = self.x + dt * self.v
        self.R = self.R @ rotation(dt * self.w)


def rotation(turn: np.ndarray) -> np.ndarray:
    """The matrix (3, 3) of a rotation vector, rad (Rodrigues)."""
    angle = float(np.linalg.norm(turn))
    a, b, c = turn
    S = np.array([[0.0, -c, b], [c, 0.0, -a], [-b, a, 0.0]])
    if angle < 1e-9:
        return np.eye(3) + S
    return np.eye(3) + math.sin(angle) / angle * S + (1.0 - math.cos(angle)) / angle**2 * S @ S


def sail(duration: float, tethered: bool = True) -> dict[str, np.ndarray]:
    """The loop: times, places of the vehicle and of the pilot's goal, pull of the tether, thrust; N, m, s."""
    system = fl.load(CASE, set={"points.vehicle.cutoff": 50})  # commands come every step: hardly any smoothing
    tether = fl.Simulation(system, formulation="lumped", step=DT)
    vehicle, pull, rows = Vehicle(START), np.zeros(3), []
    for k in range(round(duration / DT)):
        goal = np.array(SQUARE[min(int(k * DT / LEG), len(SQUARE) - 1)])
        force, torque = vehicle.thrust(goal, DT)
        vehicle.step(DT, force, torque, pull)
        if tethered:
            out = tether.step(DT, {"vehicle.position": vehicle.stern})
            pull = out["tether.force_end"].copy()
        rows.append((k * DT + DT, *vehicle.x, *goal, *pull, *(vehicle.R @ force), *vehicle.v))
    t, place, goal, pull, thrust, speed = np.split(np.array(rows), [1, 4, 7, 10, 13], axis=1)
    return {"time": t[:, 0], "place": place, "goal": goal, "pull": pull, "thrust": thrust, "speed": speed}


@fl.plot.house_style()
def draw(found: dict[str, np.ndarray], path: Path) -> None:
    """The track from above, and what the thrusters hold against the tether."""
    figure, (track, forces) = plt.subplots(1, 2, figsize=(12, 4.8), layout="constrained")
    track.plot(found["place"][:, 0], found["place"][:, 1], label="vehicle")
    track.plot(found["goal"][:, 0], found["goal"][:, 1], "k+", ms=10, label="where the pilot wants it")
    track.plot(0, 0, "s", color="#E69F00", label="garage")
    track.set(xlabel="x, north (m)", ylabel="y, west (m)", title="Track from above", aspect="equal")
    for name, words in (("thrust", "thrusters"), ("pull", "tether")):
        forces.plot(found["time"], np.linalg.norm(found[name], axis=1), label=words)
    forces.set(xlabel="time (s)", ylabel="force (N)", title="Thrust and pull of the tether")
    for axes, below in ((track, 0.27), (forces, 0.2)):
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, -below), ncols=3)
    figure.savefig(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--duration", type=float, default=90.0, help="s")
    parser.add_argument("-o", "--output", type=Path, default=Path("vehicle_in_the_loop.png"))
    options = parser.parse_args()
    found = sail(options.duration)
    draw(found, options.output)
    print(f"largest pull of the tether {np.linalg.norm(found['pull'], axis=1).max():.0f} N; {options.output}")


if __name__ == "__main__":
    main()
