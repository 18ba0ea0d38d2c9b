"""A digital twin of a mooring line, fed with measured positions.

There is no sea in this script: a finely resolved run of `hanging_mooring.yaml` plays the real mooring. Its fairlead is
"measured" twice a second by a receiver that is 2 cm off at random and tells of it 0.2 s late; for four seconds it says
nothing. The twin sees only that. It smooths the positions, which costs it another second and a half, moves its own
fairlead along them and reads the tension, which no instrument measures.

    python digital_twin.py                         90 s, writes digital_twin.png
    python digital_twin.py --duration 40 -o short.png
"""

from __future__ import annotations

import argparse
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import fairlead as fl

CASE = Path(__file__).with_name("hanging_mooring.yaml")
REST = np.array([365.0, 0.0, -10.0])  # m, the fairlead
EVERY, LATE, NOISE = 0.5, 0.2, 0.02  # s, s, m: the receiver
SILENT = (60.0, 64.0)  # s
WINDOW, ENOUGH, RETURN = 7, 6, 2.0  # measurements, measurements, s: the smoother
BEHIND = EVERY * (WINDOW // 2)  # s: the middle of the window
State = tuple[np.ndarray, np.ndarray]  # place (m) and speed (m/s)
WAVES = ((1.2, 0.5, 9.0, 0.0), (0.8, 0.4, 12.5, 1.0), (0.4, 0.3, 7.0, 2.5))  # surge (m), heave (m), period (s), phase


def vessel(t: float) -> np.ndarray:
    """Where the fairlead really is, m."""
    place = REST.copy()
    for surge, heave, period, phase in WAVES:
        angle = 2.0 * np.pi * t / period + phase
        place += min(t / 20.0, 1.0) * np.array([surge * np.sin(angle), 0.0, heave * np.cos(angle)])
    return place


def measurements(duration: float) -> Iterator[tuple[float, np.ndarray | None]]:
    """What the receiver says, LATE after each of these times: the position then; None while it is silent."""
    noise = np.random.default_rng(1)
    for k in range(1, round(duration / EVERY) + 1):
        place = vessel(k * EVERY) + noise.normal(0.0, NOISE, 3)
        yield k * EVERY, None if SILENT[0] <= k * EVERY < SILENT[1] else place


class Smoother:
    """Place and speed in the middle of the last few measurements: of the parabola that fits them best.

    Where too few were heard the place is held. When the receiver speaks again, what the twin was `away` fades from its
    command, so that the chain gets no jolt.
    """

    def __init__(self) -> None:
        start = -EVERY * np.arange(WINDOW, 0, -1)
        self.heard: deque[tuple[float, np.ndarray | None]] = deque(((t, REST) for t in start), maxlen=WINDOW)
        self.place, self.away, self.lost = REST, np.zeros(3), False

    def update(self, time: float, measured: np.ndarray | None) -> State:
        """Take the measurement of a time, or go on without one; place and speed half a window before it."""
        self.heard.append((time, measured))
        middle = self.heard[WINDOW // 2][0]
        known = [(t - middle, place) for t, place in self.heard if place is not None]
        self.away = self.away * np.exp(-EVERY / RETURN)
        if len(known) < ENOUGH:
            self.lost = True
            return self.place, np.zeros(3)
        _, speed, place = np.polyfit([t for t, _ in known], [p for _, p in known], 2)
        if self.lost:
            self.away, self.lost = self.place - place, False
        self.place = place + self.away
        return self.place, speed - self.away / RETURN


def between(before: State, after: State, part: float) -> np.ndarray:
    """The cubic from one place and speed to the next. A stair or a bent line would jerk the chain: a jump of 0.1 m/s in
    the speed of its end is a shock of 0.1 sqrt(EA m) = 25 kN."""
    a, b, one = part, 1.0 - part, EVERY
    return (
        b * b * (1 + 2 * a) * before[0] + a * a * (1 + 2 * b) * after[0] + a * b * one * (b * before[1] - a * after[1])
    )


def twin(duration: float, substeps: int = 25) -> dict[str, np.ndarray]:
    """Run the twin: times, where it believes the fairlead was, the tension there, and what each update took, s."""
    simulation = fl.Simulation(CASE, start="statics", step=EVERY / substeps)
    simulation.warm_up()
    smoother, before = Smoother(), (REST, np.zeros(3))
    rows, costs = [], []
    for now, measured in measurements(duration):
        began = time.process_time()
        after = smoother.update(now, measured)
        if now > BEHIND:
            for k in range(1, substeps + 1):
                out = simulation.step(EVERY / substeps, {"fairlead.position": between(before, after, k / substeps)})
            costs.append(time.process_time() - began)
            rows.append((simulation.time, *after[0], np.linalg.norm(out["chain.force_end"])))
        before = after
    table = np.array(rows)
    return {"time": table[:, 0], "place": table[:, 1:4], "tension": table[:, 4], "cost": np.array(costs)}


def truth(duration: float) -> dict[str, np.ndarray]:
    """The real mooring: a run with a fine step that follows the vessel at every step."""
    result = fl.Simulation(CASE, step=0.02, output_every=0.1, duration=duration).run(
        inputs={"fairlead.position": vessel}
    )
    pull = result["force_end"].sel(cable="chain", end="end").values
    return {"time": result["time"].values, "tension": np.linalg.norm(pull, axis=1)}


def error(found: dict[str, np.ndarray], known: dict[str, np.ndarray], listening: bool) -> float:
    """Difference in tension after the first 20 s, rms as a part of the mean; while it listens, or in the silence."""
    silent = (found["time"] > SILENT[0] - BEHIND) & (found["time"] < SILENT[1] + BEHIND + 3.0 * RETURN)
    chosen = (found["time"] > 20.0) & (silent != listening)
    exact = np.interp(found["time"][chosen], known["time"], known["tension"])
    return float(np.sqrt(np.mean((found["tension"][chosen] - exact) ** 2)) / exact.mean()) if chosen.any() else 0.0


@fl.plot.house_style()
def draw(found: dict[str, np.ndarray], known: dict[str, np.ndarray], path: Path) -> None:
    """The positions, the tension and what it cost, one below the other."""
    figure, (places, tension, cost) = plt.subplots(
        3, 1, figsize=(10, 7.6), sharex=True, layout="constrained", height_ratios=(1, 1.4, 0.7)
    )
    fine = np.arange(0.0, found["time"][-1], 0.1)
    places.plot(fine, [vessel(t)[0] - REST[0] for t in fine], color="#56B4E9", lw=3, alpha=0.6, label="where it is")
    heard = [(now, place[0] - REST[0]) for now, place in measurements(found["time"][-1]) if place is not None]
    places.plot(*zip(*heard, strict=True), ".", color="#4d4d4d", ms=4, label="measured")
    places.plot(found["time"], found["place"][:, 0] - REST[0], color="#D55E00", lw=1.2, label="what the twin believes")
    places.set_ylabel("surge (m)")
    tension.plot(known["time"], known["tension"] / 1e3, color="#56B4E9", lw=3, alpha=0.6, label="in the mooring")
    tension.plot(found["time"], found["tension"] / 1e3, color="#D55E00", lw=1.2, label="in the twin")
    tension.set_ylabel("tension at the fairlead (kN)")
    cost.plot(found["time"], 1e3 * found["cost"], ".", color="#0072B2", ms=4, label="CPU time of an update")
    cost.axhline(1e3 * EVERY, color="#D55E00", lw=1.2, label="time to the next one")
    cost.set_yscale("log")
    cost.set_ylabel("time (ms)")
    cost.set_xlabel("time (s)")
    for axes in (places, tension, cost):
        axes.axvspan(*SILENT, color="#4d4d4d", alpha=0.12, lw=0)
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    places.set_title("A twin of a mooring line; grey: no measurements")
    figure.align_ylabels()
    figure.savefig(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--duration", type=float, default=90.0, help="s")
    parser.add_argument("-o", "--output", type=Path, default=Path("digital_twin.png"))
    given = parser.parse_args()
    found, known = twin(given.duration), truth(given.duration)
    print(f"tension while it listens: {100 * error(found, known, True):.1f} % of the mean off (rms)")
    print(f"through the silence:      {100 * error(found, known, False):.1f} %")
    cost = 1e3 * float(np.median(found["cost"]))
    print(f"an update of {EVERY:g} s takes {cost:.2g} ms of CPU: {1e3 * EVERY / cost:.0f} times faster than real time")
    draw(found, known, given.output)
    print(given.output)


if __name__ == "__main__":
    main()
