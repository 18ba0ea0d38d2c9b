"""An elastic cable on the shapes of a rigid chain: what Figs. 2 to 4 of Escalante et al. (2013) show.

The motion of a chain of 40 rigid links gives the shapes; the cable of their Eq. 6, which stretches, moves in 1 to 4 of
them along each axis. Slow (0.25 rad/s) it keeps its catenary shape; fast (1.5 and 0.75 rad/s) it does not. The standard
projection locks: the shapes left out stretch the cable, and more of them do not help. With as many shapes of the
tension (the two-field model) it follows.

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

from fairlead.model import System, load
from fairlead.reduction import ReductionError, compiled, galerkin, pod, snapshots
from fairlead.reduction.error import places_at
from fairlead.simulate import Simulation

CASE = Path(__file__).with_name("chain_of_links.yaml")
MOMENT = 2.0
"""s: when the shapes are compared."""


def chain(duration: float, every: float, fast: bool) -> System:
    """The chain of 40 links, moved slowly as shipped, or fast."""
    data = load(CASE).model_dump(mode="json", exclude_unset=True)
    data["cables"]["chain"]["elements"] = 40
    data["simulation"] |= {"duration": duration, "output_every": every, "step": 0.005}
    if fast:
        across = {"amplitude": [3.0, 0.0, 0.0], "period": 2.0 * math.pi / 1.5, "phase_deg": 90.0}
        up = {"amplitude": [0.0, 0.0, 2.0], "period": 2.0 * math.pi / 0.75, "phase_deg": 90.0}
        data["points"]["B"]["motion"] = {"harmonics": [across, up]}
    return System.model_validate(data)


def shape(run, system: System, modes: int, two_field: bool) -> np.ndarray | None:
    """Places (node, 3) of the reduced cable at MOMENT with `modes` shapes an axis; None where it breaks down."""
    model = galerkin(run, modes, modes if two_field else None, enriched=False, by_axis=True)
    try:
        return places_at(compiled(system, model), np.array([0.0, MOMENT]), 0.005)[-1]
    except ReductionError:
        return None


def main() -> None:
    """Run both chains, draw the shapes of both cables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", type=Path, default=Path("plane_cable_on_chain_modes.png"))
    arguments = parser.parse_args()
    slow, fast = chain(25.0, 0.5, False), chain(5.0, 0.05, True)
    slow_run, fast_run = Simulation(slow).run(), Simulation(fast).run()
    figure, axes = plt.subplots(2, 4, figsize=(15, 7), layout="constrained")
    basis = pod(snapshots(slow_run), 3, by_axis=True)
    for k in range(3):
        axes[0, 0].plot(47.0 * basis.along, basis.modes[:, 0, k], label=f"{k + 1}")
    axes[0, 0].set(title="shapes of x (Fig. 2)", xlabel="along the cable [m]")
    axes[0, 0].legend()
    axes[0, 1].semilogy(range(1, 11), basis.singular_values[:10], "o-")
    axes[0, 1].set(title="singular values [m] (Fig. 2)", xlabel="mode")
    for column, modes in ((2, 1), (3, 4)):
        draw(axes[0, column], slow_run, slow, modes, f"slow, {modes} an axis (Fig. 3)")
    for column in range(4):
        draw(axes[1, column], fast_run, fast, column + 1, f"fast, {column + 1} an axis (Fig. 4)")
    figure.suptitle(f"Elastic cable on the shapes of a rigid chain, at {MOMENT:g} s")
    figure.savefig(arguments.output, dpi=130)
    print(f"picture   {arguments.output}")


def draw(axis, run, system: System, modes: int, title: str) -> None:
    """The chain and both reduced cables; prints how far they are apart."""
    sample = int(np.argmin(np.abs(run["time"].values - MOMENT)))
    known = run["position"].values[sample, 0]
    axis.plot(known[:, 0], known[:, 2], "k", lw=3, alpha=0.3, label="rigid chain")
    for two_field, words, style in ((False, "standard", "--"), (True, "two-field", "-")):
        found = shape(run, system, modes, two_field)
        if found is None:
            print(f"{title}: {words} breaks down")
            continue
        off = float(np.linalg.norm(found - known, axis=1).max())
        print(f"{title}: {words} {off:.3f} m off")
        axis.plot(found[:, 0], found[:, 2], style, label=f"{words}, {off:.2f} m off")
    axis.set(title=title, xlabel="x [m]", ylabel="z [m]", aspect="equal")
    axis.legend(fontsize=8)


if __name__ == "__main__":
    main()
