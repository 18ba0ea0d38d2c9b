"""How sure is the motion of a cable when the motion of its end is not? 2,000 runs of a reduced model.

A slack steel cable (Escalante et al., Example 1) is run in full once, for 60 s. On the shapes of that run, 2,000 cables
follow, each moved at its end with periods and amplitudes of its own: both waves are drawn from normal distributions,
8 % wide. The picture shows where the middle of the cable is with 90 % probability, and how the largest tension is
distributed.

    python uncertainty_quantification.py                      2,000 runs, writes uncertainty_quantification.png
    python uncertainty_quantification.py --count 50 -o few.png
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import fairlead as fl
from fairlead.model import System, load
from fairlead.reduction import realisations, reduce
from fairlead.simulate import Simulation

CASE = Path(__file__).with_name("spline_example_1.yaml")
WIDTH = 0.08


def drawn(base: dict, random: np.random.Generator) -> System:
    """The cable with other waves at its end: periods and amplitudes within a normal distribution."""
    point = base["points"]["B"]
    waves = []
    for wave in point["motion"]["harmonics"]:
        period, size = 1.0 + WIDTH * random.normal(size=2)
        waves.append(wave | {"period": wave["period"] * period, "amplitude": [size * a for a in wave["amplitude"]]})
    moved = point | {"motion": {"harmonics": waves}}
    return System.model_validate(base | {"points": base["points"] | {"B": moved}})


def main() -> None:
    """Train, draw, run, draw the picture."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=2000, help="number of realisations")
    parser.add_argument("-o", "--output", type=Path, default=Path("uncertainty_quantification.png"))
    arguments = parser.parse_args()
    system = load(CASE).with_settings(duration=60.0, output_every=0.5)
    began = time.perf_counter()
    full = Simulation(system.with_settings(output_every=0.1)).run()
    model = reduce(full, 9, 6)
    print(f"one full run and its reduction   {time.perf_counter() - began:.1f} s")
    print(f"error of the reduced model       {100 * model.notes['error']:.2f} % of the motion of the middle")
    base = system.model_dump(mode="json", exclude_unset=True)
    began = time.perf_counter()
    spread = realisations(model, lambda random: drawn(base, random), arguments.count, seed=2013)
    print(f"{arguments.count} reduced runs                {time.perf_counter() - began:.1f} s")
    most = spread["tension_max"].values / 1e3
    print(f"largest tension, 95 % of runs    below {np.nanquantile(most, 0.95):.2f} kN")
    picture(spread, most).savefig(arguments.output, dpi=150)
    print(f"picture                          {arguments.output}")


@fl.plot.house_style()
def picture(spread, most) -> plt.Figure:
    """The middle with 90 % probability, and the distribution of the largest tension."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.4), width_ratios=(2, 1), layout="constrained")
    low, mid, high = spread["middle_quantile"].sel(axis="z").values
    left.fill_between(spread["time"], low, high, alpha=0.3, label="90 % of the runs")
    left.plot(spread["time"], mid, label="median")
    left.set(xlabel="time (s)", ylabel="height of the middle (m)")
    left.set_title(f"{spread.sizes['realisation']} runs of a reduced model, their ends moved at random")
    left.margins(x=0.01)
    left.legend(loc="lower center", bbox_to_anchor=(0.5, -0.42), ncols=2)
    right.hist(most[np.isfinite(most)], bins=40, color="#0072B2", alpha=0.8)
    right.set(title="Largest tension of each", xlabel="largest tension (kN)", ylabel="runs")
    return figure


if __name__ == "__main__":
    main()
