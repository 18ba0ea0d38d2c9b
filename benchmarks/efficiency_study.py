"""The efficiency study of Skjong, Reite and Aarsæther (Table 3, Fig. 6): cost and deviation over alpha and epsilon.

The sinking cables are dropped in air for 50 s with an adaptive Runge-Kutta method of order two. What varies is not the
solver but the joints, so the "error" is the distance between two models: this run and the one with alpha = 1 and
epsilon = 1e-8, the reference of the paper. Cost is counted in evaluations of the right-hand side, which do not depend
on what else the machine does; CPU time stands beside it in the table.

The paper does not say whether one epsilon holds for every row of a joint (`--tuning literal`, the default, which is how
Table 3 reads) or whether all rows share one beta (`--tuning common_beta`); see `docs/theory/bars_and_the_paper.md`.

    python benchmarks/efficiency_study.py                      half a minute; writes build/efficiency_study/*
    python benchmarks/efficiency_study.py --quick              nine runs of 10 s
    python benchmarks/efficiency_study.py --tuning common_beta
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from cables_in_air import DURATION, tuned
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fairlead.view.style import in_house_style

ALPHAS = (1.0, 5.0, 10.0, 20.0, 30.0, 50.0)
EPSILONS = (1e-10, 1e-9, 1e-8, 1e-7)
REFERENCE = (1.0, 1e-8)


@dataclass(frozen=True)
class Outcome:
    """One run. RMS values are over all bars and samples against the reference; NaN where the run did not finish."""

    alpha: float
    epsilon: float
    evaluations: int
    cpu_seconds: float
    rms_position: float
    """m, nodes of both cables"""
    rms_state: float
    """the state vector of the bars as it is (m, 1, m/s, rad/s), as the paper has it"""
    junction_height: float
    """m, at the end"""


@dataclass(frozen=True)
class Track:
    """What a run left behind: nodes (sample, cable, node, 3) and states of the bars (sample, 13 n)."""

    nodes: np.ndarray
    states: np.ndarray
    evaluations: int
    cpu_seconds: float
    junction_height: float
    complete: bool


def follow(tuning: str, alpha: float, epsilon: float, duration: float) -> Track:
    """Run one combination and keep its path."""
    sim = tuned(tuning, alpha, epsilon, duration)
    sim.warm_up()
    bars = sim.compiled.layout["bars"]
    states = [sim.state[bars]]

    def look() -> bool:
        states.append(sim.state[bars])
        return False

    clock = time.process_time()
    result = sim.run(stop=look)
    states.append(sim.state[bars])
    return Track(
        nodes=result["position"].values,
        states=np.array(states[1:]),
        evaluations=3 * (sim.integrator.accepted + sim.integrator.rejected),
        cpu_seconds=time.process_time() - clock,
        junction_height=float(result["point_position"].sel(point="M", axis="z")[-1]),
        complete=result.attrs["status"] == "complete",
    )


def compared(track: Track, reference: Track, alpha: float, epsilon: float) -> Outcome:
    """The numbers of a run beside the reference."""

    def rms(one: np.ndarray, other: np.ndarray) -> float:
        return float(np.sqrt(np.nanmean((one - other) ** 2))) if track.complete else float("nan")

    return Outcome(
        alpha=alpha,
        epsilon=epsilon,
        evaluations=track.evaluations,
        cpu_seconds=round(track.cpu_seconds, 3),
        rms_position=rms(track.nodes, reference.nodes),
        rms_state=rms(track.states, reference.states),
        junction_height=track.junction_height,
    )


def study(tuning: str, alphas: tuple[float, ...], epsilons: tuple[float, ...], duration: float) -> list[Outcome]:
    """All combinations, one line of progress each."""
    print(f"tuning {tuning}: {len(alphas) * len(epsilons)} runs of {duration:g} s", file=sys.stderr)
    reference = follow(tuning, *REFERENCE, duration)
    if not reference.complete:
        sys.exit("the reference run did not finish: nothing can be compared with it")
    outcomes = []
    for epsilon in epsilons:
        for alpha in alphas:
            track = reference if (alpha, epsilon) == REFERENCE else follow(tuning, alpha, epsilon, duration)
            outcome = compared(track, reference, alpha, epsilon)
            outcomes.append(outcome)
            print(
                f"[{len(outcomes):2d}/{len(alphas) * len(epsilons)}] epsilon {epsilon:.0e}, alpha {alpha:4g}: "
                f"{outcome.evaluations:7d} evaluations, {outcome.cpu_seconds:6.2f} s, "
                f"rms {outcome.rms_position:7.3f} m, junction at {outcome.junction_height:8.2f} m",
                file=sys.stderr,
            )
    return outcomes


def lines(axes: Axes, outcomes: list[Outcome], quantity: str, label: str) -> None:
    """One line for each alpha over epsilon, dark for large alpha."""
    from matplotlib import colormaps

    alphas = sorted({outcome.alpha for outcome in outcomes})
    shades = colormaps["viridis_r"](np.linspace(0.1, 1.0, len(alphas)))
    for alpha, shade in zip(alphas, shades, strict=True):
        row = sorted((o for o in outcomes if o.alpha == alpha), key=lambda o: o.epsilon)
        values = np.array([getattr(o, quantity) for o in row], dtype=float)
        values[values == 0.0] = np.nan  # the reference itself, which a logarithmic axis cannot show
        axes.plot([o.epsilon for o in row], values, "o-", color=shade, label=f"{alpha:g}", markersize=4)
    axes.set(xscale="log", yscale="log", xlabel="epsilon", ylabel=label)


@in_house_style
def picture(outcomes: list[Outcome], tuning: str, duration: float, quantity: str, label: str, path: Path) -> None:
    """One of the two plots of Fig. 6."""
    figure = Figure(figsize=(7.5, 4.6), layout="constrained")
    axes = figure.subplots()
    lines(axes, outcomes, quantity, label)
    axes.set_title(f"Cables dropped in air, {duration:g} s, tuning {tuning}")
    axes.legend(title="alpha (1/s)", loc="center left", bbox_to_anchor=(1.0, 0.5))
    figure.savefig(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tuning", choices=["literal", "common_beta"], default="literal")
    parser.add_argument("--quick", action="store_true", help="fewer combinations and 10 s instead of 50 s")
    parser.add_argument(
        "-o", "--output", type=Path, default=Path("build/efficiency_study"), help="folder for table and plots"
    )
    options = parser.parse_args()
    alphas, epsilons, duration = ALPHAS, EPSILONS, DURATION
    if options.quick:
        alphas, epsilons, duration = (1.0, 10.0, 50.0), (1e-10, 1e-8, 1e-7), 10.0

    outcomes = study(options.tuning, alphas, epsilons, duration)
    options.output.mkdir(parents=True, exist_ok=True)
    table = options.output / f"{options.tuning}.csv"
    with table.open("w", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(asdict(outcomes[0])))
        writer.writeheader()
        writer.writerows(asdict(outcome) for outcome in outcomes)
    plots = {
        "cost": ("evaluations", "evaluations of the right-hand side"),
        "error": ("rms_position", "rms distance from epsilon 1e-8, alpha 1 (m)"),
    }
    print(table)
    for name, (quantity, label) in plots.items():
        path = options.output / f"{options.tuning}_{name}.png"
        picture(outcomes, options.tuning, duration, quantity, label, path)
        print(path)


if __name__ == "__main__":
    main()
