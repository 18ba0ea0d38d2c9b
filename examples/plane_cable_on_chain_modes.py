"""An elastic cable on the shapes of a rigid chain: what Figs. 2 to 4 of Escalante et al. (2013) show.

The motion of a chain of 40 rigid links gives the shapes; the cable of their Eq. 6, which stretches (2 rho Omega/K =
1.8e-7 s2/m2, as printed), moves in 1 to 4 of them along each axis. Slow (0.25 rad/s) it keeps its catenary shape; fast
(1.5 and 0.75 rad/s) it does not. The standard projection locks: the shapes left out stretch the cable, and more of them
do not help. With as many shapes of the tension (the two-field model) it follows.

    python plane_cable_on_chain_modes.py -o plane_cable_on_chain_modes.png
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import brentq

import fairlead as fl
from fairlead.model import System, load
from fairlead.reduction import ReductionError, compiled, galerkin, pod, snapshots
from fairlead.reduction.error import places_at
from fairlead.simulate import Simulation

CASE = Path(__file__).with_name("chain_of_links.yaml")
MOMENT = 2.0
"""s: when the shapes are compared."""
EVERY = 0.25
"""s between the shapes of a trajectory."""


def chain(duration: float, every: float, fast: bool) -> System:
    """The chain of 40 links, moved slowly as shipped, or fast."""
    data = load(CASE).model_dump(mode="json", exclude_unset=True)
    data["cables"]["chain"]["elements"] = 40
    data["simulation"] |= {"duration": duration, "output_every": every, "step": 0.005}
    if fast:
        across = {"amplitude": [3.0, 0.0, 0.0], "period": 2.0 * math.pi / 1.5, "phase_deg": 90.0, "ramp": 0.0}
        up = {"amplitude": [0.0, 0.0, 2.0], "period": 2.0 * math.pi / 0.75, "phase_deg": 90.0, "ramp": 0.0}
        data["points"]["B"]["motion"] = {"harmonics": [across, up]}
    return System.model_validate(data)


def shapes(run, system: System, modes: int, two_field: bool, times: np.ndarray) -> np.ndarray | None:
    """Places (time, node, 3) of the reduced cable with `modes` shapes an axis; None where it breaks down."""
    model = galerkin(run, modes, modes if two_field else None, enriched=False, by_axis=True)
    try:
        return places_at(compiled(system, model), times, 0.005)
    except ReductionError:
        return None


@fl.plot.house_style()
def main() -> None:
    """Run both chains, draw the shapes of both cables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", type=Path, default=Path("plane_cable_on_chain_modes.png"))
    arguments = parser.parse_args()
    slow, fast = chain(25.0, 0.5, False), chain(5.0, 0.05, True)
    slow_run, fast_run = Simulation(slow).run(), Simulation(fast).run()
    figure, axes = plt.subplots(2, 4, figsize=(15, 7.6), layout="constrained")
    basis = pod(snapshots(slow_run), 3, by_axis=True)
    for k in range(3):
        axes[0, 0].plot(47.0 * basis.along, basis.modes[:, 0, k], label=f"{k + 1}")
    axes[0, 0].set(title="Shapes of x (Fig. 2b)", xlabel="along the cable (m)", ylabel="shape of x")
    axes[0, 0].legend()
    tabulate(axes[0, 1], Simulation(load(CASE)).run())
    trace(axes[0, 2], slow_run, slow)
    draw(axes[0, 3], slow_run, slow, 4, "Slow, 4 an axis (Fig. 3b)")
    end = slow_run["position"].values[int(np.argmin(np.abs(slow_run["time"].values - MOMENT))), 0, -1]
    rest = catenary(end)
    axes[0, 3].plot(rest[:, 0], rest[:, 1], ":", color="#009E73", lw=2, label="catenary at rest")
    axes[0, 3].legend(fontsize=8, loc="lower center", bbox_to_anchor=(0.5, 1.12))
    for column in range(4):
        draw(axes[1, column], fast_run, fast, column + 1, f"Fast, {column + 1} an axis (Fig. 4)")
    words = f"Elastic cable on the shapes of a rigid chain, at {MOMENT:g} s"
    figure.suptitle(words, x=0.01, ha="left", fontweight="bold")
    figure.savefig(arguments.output, dpi=130)
    print(f"picture   {arguments.output}")


def tabulate(axis, run) -> None:
    """The first five singular values of x and of the paper's y, which is z here, of the chain of 20 links (Fig. 2c)."""
    taken = snapshots(run)
    motion = taken.matrix.reshape(-1, 3, len(taken.time))
    values = [np.linalg.svd(motion[:, axis_], compute_uv=False) for axis_ in (0, 2)]
    rows = [[f"{k + 1}", *(f"{column[k]:.4f}" for column in values)] for k in range(5)]
    rows.append(["all", *(f"{column.sum():.3f}" for column in values)])
    rows.append(["printed", "12.723", "47.029"])
    axis.axis("off")
    table = axis.table(rows, colLabels=["", "of x (m)", "of y (m)"], loc="center", cellLoc="center")
    table.scale(1.0, 1.7)
    axis.set_title("Singular values, 20 links (Fig. 2c)")
    print("sums of singular values: " + ", ".join(f"{column.sum():.3f}" for column in values))


def trace(axis, run, system: System) -> None:
    """Where the cable is in the first five seconds, with one shape an axis by the standard projection (Fig. 3a)."""
    times = np.arange(0.0, 5.0 + 1e-9, EVERY)
    found = shapes(run, system, 1, False, times)
    assert found is not None
    for k, places in enumerate(found):
        axis.plot(places[:, 0], places[:, 2], color=plt.cm.viridis(k / (len(found) - 1)), lw=1)
    axis.plot(found[:, -1, 0], found[:, -1, 2], color="#D55E00", lw=2, label="moved end")
    axis.set(title="Slow, 1 an axis, 0 to 5 s (Fig. 3a)", xlabel="x (m)", ylabel="z (m)", aspect="equal")
    axis.legend(fontsize=8, loc="upper left")
    known = run["position"].sel(time=times[np.isin(times, run["time"].values)]).values[:, 0]
    off = np.linalg.norm(found[np.isin(times, run["time"].values)] - known, axis=2).max()
    print(f"slow, 1 an axis (Fig. 3a): standard {off:.3f} m off")


def catenary(end: np.ndarray, length: float = 47.0) -> np.ndarray:
    """The inextensible catenary (place, 2) from the origin to `end` (3,): x and z, m."""
    span, rise = float(end[0]), float(end[2])
    parameter = brentq(lambda a: 2 * a * math.sinh(span / (2 * a)) - math.sqrt(length**2 - rise**2), 1.0, 1e4)
    lowest = span / 2 - parameter * math.atanh(rise / length)
    x = np.linspace(0.0, span, 100)
    z = parameter * (np.cosh((x - lowest) / parameter) - math.cosh(lowest / parameter))
    return np.column_stack([x, z])


def draw(axis, run, system: System, modes: int, title: str) -> None:
    """The chain and both reduced cables; prints how far they are apart."""
    sample = int(np.argmin(np.abs(run["time"].values - MOMENT)))
    known = run["position"].values[sample, 0]
    axis.plot(known[:, 0], known[:, 2], "k", lw=3, alpha=0.3, label="rigid chain")
    for two_field, words, style in ((False, "standard", "--"), (True, "two-field", "-")):
        places = shapes(run, system, modes, two_field, np.array([0.0, MOMENT]))
        if places is None:
            print(f"{title}: {words} breaks down")
            continue
        found = places[-1]
        off = float(np.linalg.norm(found - known, axis=1).max())
        print(f"{title}: {words} {off:.3f} m off")
        axis.plot(found[:, 0], found[:, 2], style, label=f"{words}, {off:.2f} m off")
    axis.set(title=title, xlabel="x (m)", ylabel="z (m)", aspect="equal")
    axis.legend(fontsize=8, loc="lower center", bbox_to_anchor=(0.5, 1.12))


if __name__ == "__main__":
    main()
