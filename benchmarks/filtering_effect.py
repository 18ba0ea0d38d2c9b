"""The filtering effect of a small epsilon (Fig. 7 of Skjong, Reite and Aarsæther).

The sinking cables are dropped in air with two values of epsilon. The smaller it is, the more the joints resist every
motion, not only what they should: the cables come down slowly and smoothly, as if over-damped, and the junction does
not fall as it should. With the larger value they fall almost freely. The paper does not say which alpha its figure
has; with the 50 1/s of Table 2 neither case swings, with `--alpha 1` the larger epsilon does.

    python benchmarks/filtering_effect.py                      some seconds; writes build/filtering_effect/*
    python benchmarks/filtering_effect.py --epsilons 1e-10 1e-8 --alpha 1
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
import xarray as xr
from cables_in_air import DURATION, tuned
from matplotlib.figure import Figure

from fairlead.view.style import INK, PALETTE, in_house_style

SNAPSHOTS = (0.0, 5.0, 10.0, 20.0, 50.0)


def dropped(tuning: str, alpha: float, epsilon: float, duration: float) -> xr.Dataset:
    """The drop with one epsilon."""
    print(f"epsilon {epsilon:.0e} ...", end=" ", flush=True, file=sys.stderr)
    result = tuned(tuning, alpha, epsilon, duration).run()
    height = float(result["point_position"].sel(point="M", axis="z")[-1])
    print(f"junction at {height:.1f} m after {float(result.time[-1]):g} s", file=sys.stderr)
    return result


@in_house_style
def picture(results: dict[float, xr.Dataset], tuning: str, alpha: float, path: Path) -> None:
    """Shapes side by side, and the height of the junction over time below."""
    from matplotlib import colormaps

    figure = Figure(figsize=(11, 6.2), layout="constrained")
    grid = figure.add_gridspec(2, len(results), height_ratios=(1, 1))
    end = min(float(result.time[-1]) for result in results.values())
    times = [t for t in SNAPSHOTS if t <= end]
    shades = colormaps["viridis_r"](np.linspace(0.15, 1.0, len(times)))
    first = None
    for k, (epsilon, result) in enumerate(results.items()):
        axes = figure.add_subplot(grid[0, k], sharex=first, sharey=first)
        first = first or axes
        for t, shade in zip(times, shades, strict=True):
            now = result["position"].sel(time=t, method="nearest")
            for cable in now.cable.values:
                y, z = now.sel(cable=cable, axis="y"), now.sel(cable=cable, axis="z")
                label = f"{t:g} s" if cable == now.cable.values[0] else None
                axes.plot(y, z, color=shade, label=label)
        axes.set(title=f"epsilon = {epsilon:.0e}", xlabel="y, west (m)", ylabel="z, up (m)", aspect="equal")
        if k == len(results) - 1:
            axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    axes = figure.add_subplot(grid[1, :])
    for (epsilon, result), colour in zip(results.items(), PALETTE, strict=False):
        axes.plot(result.time, result["point_position"].sel(point="M", axis="z"), color=colour, label=f"{epsilon:.0e}")
    axes.set(title="Height of the junction", xlabel="time (s)", ylabel="z (m)")
    axes.legend(title="epsilon", loc="center left", bbox_to_anchor=(1.0, 0.5))
    heading = f"Cables dropped in air: tuning {tuning}, alpha = {alpha:g} 1/s"
    figure.suptitle(heading, x=0.01, ha="left", fontweight="bold", color=INK)
    figure.savefig(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--epsilons", type=float, nargs="+", default=[1e-10, 1e-7])
    parser.add_argument("--alpha", type=float, default=50.0, help="1/s, as in Table 2 [default: 50]")
    parser.add_argument("--tuning", choices=["literal", "common_beta"], default="literal")
    parser.add_argument("--quick", action="store_true", help="10 s instead of 50 s")
    parser.add_argument("-o", "--output", type=Path, default=Path("build/filtering_effect"), help="folder for the plot")
    options = parser.parse_args()
    duration = 10.0 if options.quick else DURATION

    results = {epsilon: dropped(options.tuning, options.alpha, epsilon, duration) for epsilon in options.epsilons}
    options.output.mkdir(parents=True, exist_ok=True)
    path = options.output / f"{options.tuning}.png"
    picture(results, options.tuning, options.alpha, path)
    print(path)


if __name__ == "__main__":
    main()
