"""The operable limit as a picture: the least pull of the wire over the speed of the winch and the height of the sea.

fairlead study run limit.yaml
python limit.py                      writes limit.png
"""

from __future__ import annotations

import argparse
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import xarray as xr

import fairlead as fl

HERE = Path(__file__).parent
SPEED, HEIGHT = "cables.wire.winch.table[1][1]", "environment.waves.significant_height"
SHARE = 0.1
"""Of the weight in water that the wire must carry at any time."""


def weight_in_water(system: fl.System) -> float:
    """Of the manifold, N."""
    body, sea = system.bodies["manifold"], system.environment
    return float((body.mass - sea.water_density * body.volume) * sea.gravity)


@fl.plot.house_style()
def picture(result: xr.Dataset, weight: float) -> plt.Figure:
    """Least pull as a share of the weight in water, and the line beyond which it is too little."""
    heights, speeds = np.unique(result[HEIGHT]), np.unique(result[SPEED])
    pull = np.array([
        [result["wire.tension@hook.min"].values[(result[HEIGHT] == h) & (result[SPEED] == v)].min() for v in speeds]
        for h in heights
    ]) / weight  # fmt: skip
    figure, axes = plt.subplots(figsize=(8, 4.6), layout="constrained")
    levels = np.linspace(-0.05, 0.85, 10)
    filled = axes.contourf(speeds, heights, np.clip(pull, levels[0], levels[-1]), levels, cmap="cividis")
    line = axes.contour(speeds, heights, pull, [SHARE], colors="#D55E00", linewidths=2.5)
    axes.clabel(line, fmt={SHARE: "the limit"})
    axes.plot(*np.meshgrid(speeds, heights), "k.", markersize=4, clip_on=False)
    figure.colorbar(filled, label="least pull of the wire / weight in water")
    axes.set(xlabel="speed of the winch (m/s)", ylabel="significant wave height (m)")
    axes.set_title("Where a manifold may go through the surface: below the line")
    return figure


def main() -> None:
    """Draw it from the result of the study."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", type=Path, default=Path("limit.png"))
    arguments = parser.parse_args()
    study = fl.Study(HERE / "limit.yaml")
    picture(study.result(), weight_in_water(study.ready.system)).savefig(arguments.output, dpi=150)
    print(f"picture  {arguments.output}")


if __name__ == "__main__":
    main()
