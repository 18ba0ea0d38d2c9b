"""Slack cables in space on a few of their own shapes: what Figs. 6 to 10 of Escalante et al. (2013) show.

Example 1 moves a steel cable in its plane, Example 2 across it while its end is turned. Splines are held against masses
on springs (Fig. 6, Fig. 7c), their motion is shown (Figs. 7 and 9), and then the reduced models are: the middle of the
cable with 5 and 6 shapes (Fig. 8) and with 6 to 9 (Fig. 10), by the standard projection of the paper, which locks, and
by the two-field model, which does not.

    python slack_cables_on_their_modes.py -o slack_cables_on_their_modes.png
"""

from __future__ import annotations

import argparse
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import fairlead as fl
from fairlead.model import System, load
from fairlead.reduction import ReductionError, compiled, galerkin
from fairlead.reduction.error import difference, middles, places_at
from fairlead.simulate import Simulation

HERE = Path(__file__)
CASES = {1: HERE.with_name("spline_example_1.yaml"), 2: HERE.with_name("spline_example_2.yaml")}
SHOWN = 50.0
"""s: how long histories and trajectories are drawn."""
KINDS = (("standard", "#D55E00", "--"), ("two-field", "#009E73", "-"))


def example(number: int, elements: int = 32, springs: bool = False) -> System:
    """An example as shipped, with other numbers of elements, or as masses on springs, which do not bend."""
    data = load(CASES[number]).model_dump(mode="json", exclude_unset=True)
    data["cables"]["cable"]["elements"] = elements
    if springs:
        del data["types"]["steel"]["bending_stiffness"], data["simulation"]["spline"]
        data["points"]["B"]["cutoff"] = 1e4
        data["simulation"] |= {
            "formulation": "lumped", "start": "statics", "duration": SHOWN, "step": 0.0025,
            "lumped": {"strain": "green", "theta": 0.55},
        }  # fmt: skip
    return System.model_validate(data)


def places(run) -> np.ndarray:
    """Places (sample, node, 3) of the cable."""
    return run["position"].values[:, 0]


def reduced_middle(run, number: int, modes: int, tension_modes: int | None) -> tuple[np.ndarray, float] | None:
    """The middle (sample, 3) of the reduced cable at the times of the run and its error; None where it breaks down."""
    model = galerkin(run, modes, tension_modes, enriched=False)
    try:
        found = places_at(compiled(example(number), model), run["time"].values)
    except ReductionError:
        return None
    return found[:, found.shape[1] // 2], difference(found, middles(run)).middle


def springs_beside_splines(figure, run) -> None:
    """Figs. 6 and 7: masses on springs beside splines, snapshots, and the way of the middle."""
    places_of = figure.add_gridspec(1, 5, width_ratios=(1.0, 1.0, 1.3, 0.9, 1.0))  # names of axes in space need room
    panels = [figure.add_subplot(place, projection="3d" if k == 2 else None) for k, place in enumerate(places_of)]
    for panel, elements in zip(panels[:2], (4, 32), strict=True):
        own = run if elements == 32 else Simulation(example(1, elements)).run()
        chain = Simulation(example(1, elements, springs=True)).run()
        panel.plot(own["time"], places(own)[:, elements // 2, 0], label="splines")
        panel.plot(chain["time"], places(chain)[:, elements // 2, 0], "--", label="masses on springs")
        panel.set(
            title=f"Fig. 6: {elements} elements", xlabel="time (s)", ylabel="x of the middle (m)", xlim=(0, SHOWN)
        )
        panel.margins(y=0.3)
        panel.legend(fontsize=7, loc="upper right")
    snapshots(panels[2], panels[3], run, "Fig. 7")
    across = np.sqrt(2.0) * places(run)[: round(SHOWN / 0.1), 16, 0]
    panels[4].plot(across, places(run)[: round(SHOWN / 0.1), 16, 2], label="splines")
    panels[4].plot(np.sqrt(2.0) * places(chain)[:, 16, 0], places(chain)[:, 16, 2], "--", lw=0.8, label="springs")
    panels[4].set(title="Fig. 7c: way of the middle", xlabel="along the plane (m)", ylabel="z (m)")
    panels[4].margins(y=0.3)
    panels[4].legend(fontsize=7, loc="upper right")


def roomy(panel) -> None:
    """Few numbers on the axes of a small panel in space, clear of one another and of the names."""
    panel.locator_params(nbins=3)
    panel.tick_params(axis="z", pad=5)
    panel.set_box_aspect(None, zoom=0.8)


def snapshots(space, plan, run, name: str) -> None:
    """Snapshots of the first 30 s in space and from above, and the way of the moved end."""
    taken = places(run)[:301:10]
    for shape in taken:
        space.plot(*shape.T, color="#0072B2", lw=0.5)
        plan.plot(shape[:, 0], shape[:, 1], color="#0072B2", lw=0.5)
    end = places(run)[:301, -1]
    space.plot(*end.T, color="#D55E00")
    plan.plot(end[:, 0], end[:, 1], color="#D55E00")
    roomy(space)
    space.set(title=f"{name}a: the first 30 s", xlabel="x (m)", ylabel="y (m)", zlabel="z (m)")
    plan.set(title=f"{name}b: from above", xlabel="x (m)", ylabel="y (m)", aspect="equal")


def histories(panels, run, number: int, modes: int, tension_modes: int, axes: tuple[int, ...], name: str) -> None:
    """Coordinates of the middle over time: the full run, the standard and the two-field model."""
    time, full = run["time"].values, places(run)[:, places(run).shape[1] // 2]
    for panel, axis in zip(panels, axes, strict=True):
        panel.plot(time, full[:, axis], color="#4d4d4d", lw=3, alpha=0.35, label="full run")
    for (kind, colour, line), count in zip(KINDS, (None, tension_modes), strict=True):
        found = reduced_middle(run, number, modes, count)
        if found is None:
            print(f"Example {number}, {modes} modes: {kind} breaks down")
            continue
        print(f"Example {number}, {modes} modes: {kind} {100.0 * found[1]:.2f} % off")
        for panel, axis in zip(panels, axes, strict=True):
            panel.plot(time, found[0][:, axis], line, color=colour, lw=1, label=f"{kind}, {100.0 * found[1]:.2g} % off")
    for panel, axis in zip(panels, axes, strict=True):
        low, high = full[:, axis].min(), full[:, axis].max()
        panel.set(title=f"{name}: {modes} shapes", xlabel="time (s)", ylabel=f"{'xyz'[axis]} of the middle (m)",
                  xlim=(0, SHOWN), ylim=(1.3 * low - 0.3 * high, 1.3 * high - 0.3 * low))  # fmt: skip
        panel.legend(fontsize=7, loc="upper right")


def ways(figure, run) -> None:
    """Fig. 9: snapshots of Example 2 and the way of its middle, in full and on nine shapes."""
    panels = [figure.add_subplot(1, 4, k, projection="3d" if k != 2 else None) for k in range(1, 5)]
    snapshots(panels[0], panels[1], run, "Fig. 9")
    samples = round(SHOWN / 0.1)
    full = places(run)[:samples, 16]
    for panel in panels[2:]:
        panel.plot(*full.T, lw=1, label="full run")
        panel.set(title="Fig. 9c: way of the middle", xlabel="x (m)", ylabel="y (m)", zlabel="z (m)")
    found = reduced_middle(run, 2, 9, 3)
    if found is not None:
        panels[3].plot(*found[0][:samples].T, "--", lw=1, label="nine shapes, two-field")
        panels[3].set(title="Fig. 9d: on nine shapes")
    panels[3].legend(fontsize=7, loc="upper left", bbox_to_anchor=(0.0, 0.0))
    for panel in panels[2:]:
        roomy(panel)


@fl.plot.house_style()
def main() -> None:
    """Run both examples, reduce them, draw."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", type=Path, default=Path("slack_cables_on_their_modes.png"))
    arguments = parser.parse_args()
    first, second = (Simulation(example(number)).run() for number in (1, 2))
    figure = plt.figure(figsize=(16, 15), layout="constrained")
    rows = figure.subfigures(4, 1)
    springs_beside_splines(rows[0], first)
    panels = rows[1].subplots(1, 4)
    histories(panels[:2], first, 1, 5, 3, (0, 2), "Fig. 8a")
    histories(panels[2:], first, 1, 6, 4, (0, 2), "Fig. 8b")
    ways(rows[2], second)
    for panel, modes in zip(rows[3].subplots(1, 4), (6, 7, 8, 9), strict=True):
        histories([panel], second, 2, modes, 3, (0,), "Fig. 10")
    figure.savefig(arguments.output, dpi=130)
    print(f"picture   {arguments.output}")


if __name__ == "__main__":
    main()
