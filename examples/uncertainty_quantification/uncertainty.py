"""What the study comes to: what decides the largest tension, and how it is distributed.

fairlead study run uncertainty.yaml
python uncertainty.py                      writes uncertainty.png
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
from fairlead.study import weighted_quantile

HERE = Path(__file__).parent
AMPLITUDE, PERIOD = "points.B.motion.harmonics[0].amplitude", "points.B.motion.harmonics[1].period"
SHARE = 0.95


@fl.plot.house_style()
def picture(result: xr.Dataset) -> plt.Figure:
    """Largest tension over what was drawn, and its distribution with the value that 95 % stay below."""
    most = result["cable.tension.max"].values / 1e3
    bound = weighted_quantile(most, result["weight"].values, SHARE)
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.4), width_ratios=(2, 1), layout="constrained")
    size = np.hypot(result[f"{AMPLITUDE}[0]"], result[f"{AMPLITUDE}[1]"])
    drawn = left.scatter(result[PERIOD], most, c=size, s=12, cmap="cividis")
    figure.colorbar(drawn, label="amplitude to and fro (m)")
    left.set(xlabel="period up and down (s)", ylabel="largest tension (kN)")
    left.set_title(f"{np.isfinite(most).sum():,} runs of a reduced model, their ends moved at random")
    right.hist(most[np.isfinite(most)], bins=min(40, max(5, len(most) // 20)), color="#0072B2", alpha=0.8)
    right.axvline(bound, color="#D55E00", label=f"95 % below {bound:.2f} kN")
    right.set(title="How it is distributed", xlabel="largest tension (kN)", ylabel="runs")
    right.legend()
    return figure


def main() -> None:
    """Draw it from the result of the study."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", type=Path, default=Path("uncertainty.png"))
    arguments = parser.parse_args()
    picture(fl.Study(HERE / "uncertainty.yaml").result()).savefig(arguments.output, dpi=150)
    print(f"picture  {arguments.output}")


if __name__ == "__main__":
    main()
