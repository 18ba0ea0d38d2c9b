"""Pictures of the live twins among the examples: what the sea does, what the twin makes of it, and what the file alone
would have said."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from fairlead.studies import twin_front_end, twin_mooring, twin_tow
from fairlead.twin import Twin
from fairlead.view.style import PALETTE, in_house_style

SEA, TWIN, FILE = PALETTE[5], PALETTE[1], PALETTE[6]
BAND = 1.6449
"""Standard deviations either side of the mean that hold 90 of a hundred."""


@in_house_style
def tow() -> Figure:
    """From above and from the side after ten minutes, and how far off hidden places are over time."""
    sea = twin_tow.Sea(twin_tow.Scenario(11, duration=900.0))
    twin = Twin(twin_tow.twin_file(), twin_tow.system())
    alone = Twin(twin_tow.twin_file(method="none", parameters={}, members=1), twin_tow.system())
    arcs = np.array(twin.shape.arc_length[0])
    times, off, spread = [], [], []
    shapes: dict[str, np.ndarray] = {}
    for now, file in zip(twin_tow.follow(twin, sea), twin_tow.follow(alone, sea), strict=True):
        mean, sd = twin_tow.hidden(now, arcs)
        known = np.array([sea.at(now.time, arc) for arc in twin_tow.HIDDEN])
        times.append(now.time)
        off.append(np.linalg.norm(mean - known, axis=1))
        spread.append(np.linalg.norm(sd, axis=1))
        if now.time == 600.0:
            stern = sea.nodes[600][0]
            shapes = {"the sea": sea.nodes[600] - stern, "the file alone": file.mean["tow.position"] - stern,
                      "the twin": now.mean["tow.position"] - stern}  # fmt: skip
    figure = Figure(figsize=(12.0, 6.4), layout="constrained")
    panels = figure.subplot_mosaic([["above", "over"], ["side", "over"]])
    above, side, over = (panels[name] for name in ("above", "side", "over"))
    for words, nodes in shapes.items():
        look = {"the sea": {"color": SEA, "lw": 5, "alpha": 0.6}, "the twin": {"color": TWIN, "lw": 1.4},
                "the file alone": {"color": FILE, "lw": 1.2, "ls": "--"}}[words]  # fmt: skip
        above.plot(nodes[:, 0], nodes[:, 1], label=words, **look)
        side.plot(nodes[:, 0], nodes[:, 2], label=words, **look)
    above.set(title="From above, after ten minutes", xlabel="behind the stern (m)", ylabel="to port (m)")
    side.set(title="From the side", xlabel="behind the stern (m)", ylabel="height (m)")
    above.legend()
    for k, arc in enumerate(twin_tow.HIDDEN):
        over.plot(times, np.array(off)[:, k], color=PALETTE[k], lw=1.2, label=f"at {arc:g} m")
    over.fill_between(times, 0.0, BAND * np.array(spread).max(axis=1), color=PALETTE[5], alpha=0.3, lw=0,
                      label="what the twin thinks possible (90 %)")  # fmt: skip
    over.set(title="How far off places are that no sensor sees", xlabel="time (s)", ylabel="distance (m)", ylim=(0, 10))
    over.legend()
    return figure


@in_house_style
def mooring() -> Figure:
    """The anchor as it is found, and the tension of the last half minute."""
    scenario, found = twin_mooring.Scenario(1), []
    truth = list(scenario.sea(300.0))
    pulls = twin_mooring.follow(
        Twin(twin_mooring.twin_file(), twin_mooring.system()), truth, scenario.seed,
        lambda now: found.append((now.time, now.parameters["anchor"].mean, now.parameters["anchor"].sd)),
    )  # fmt: skip
    heard = np.array([(t, p) for t, _, p in twin_mooring.heard(truth, scenario.seed) if p is not None])
    times, mean, sd = np.array(found).T
    figure = Figure(figsize=(12.0, 4.6), layout="constrained")
    anchor, tension = figure.subplots(1, 2)
    anchor.axhline(scenario.nearer, color=SEA, lw=5, alpha=0.6, label="the sea")
    anchor.plot(times, mean, color=TWIN, label="the twin")
    anchor.fill_between(times, mean - BAND * sd, mean + BAND * sd, color=TWIN, alpha=0.2, lw=0, label="90 %")
    anchor.axhline(0.0, color=FILE, lw=1.2, ls="--", label="the file")
    anchor.set(title="The anchor is nearer than the file has it", xlabel="time (s)", ylabel="nearer by (m)")
    anchor.legend()
    t, twins, true = np.array([row for row in pulls if row[0] > 260.0]).T
    heard_at, cell = heard[(heard[:, 0] >= t[0]) & (heard[:, 0] <= t[-1])].T
    tension.plot(t, true / 1e3, color=SEA, lw=5, alpha=0.6, label="the sea")
    tension.plot(heard_at, cell / 1e3, ".", color=FILE, ms=4, label="the load cell")
    tension.plot(t, twins / 1e3, color=TWIN, lw=1.4, label="the twin")
    tension.set(title="Tension at the fairlead", xlabel="time (s)", ylabel="tension (kN)")
    tension.legend()
    return figure


@in_house_style
def front_end() -> Figure:
    """The side from above, the heads of it enlarged, and winch tensions over time."""
    study = twin_front_end
    twin, sea, pulls, true = Twin(study.twin_file(), study.system()), study.Sea(), [], []

    def kept(now: Any, seen: Any) -> None:
        pulls.append([float(np.linalg.norm(now.mean[f"{name}.force_start"])) for name in study.WINCHES])
        true.append([float(np.linalg.norm(seen[f"{name}.force_start"])) for name in study.WINCHES])
        last.update(now=now, seen=seen)

    last: dict[str, Any] = {}
    study.follow(twin, sea, 400, 1, kept)
    figure = Figure(figsize=(12.0, 6.2), layout="constrained")
    above, over = figure.subplots(1, 2)
    for cable in twin.shape.cables:
        for out, colour, width in ((last["seen"], SEA, 4.0), (last["now"].mean, TWIN, 1.0)):
            nodes = out[f"{cable}.position"]
            above.plot(nodes[:, 1], nodes[:, 0], color=colour, lw=width)
    heads = np.array([last["now"].mean[f"{name}.position"] for name in study.HEADS])
    above.plot(heads[:, 1], heads[:, 0], "o", color=TWIN, ms=5, label="heads, which nobody measures")
    above.invert_xaxis()
    above.set(title="From above: the sea (broad) and the twin (thin)", xlabel="to port (m)", ylabel="ahead (m)")
    above.legend(loc="lower left")
    times = 10.0 * np.arange(1, len(pulls) + 1)
    off = 100.0 * (np.array(pulls) / np.array(true) - 1.0)
    for k, name in enumerate(study.WINCHES):
        last_one = name == study.WINCHES[-1]
        words = "wide tow" if last_one else "lead-ins" if k == 0 else None
        over.plot(times, off[:, k], color=PALETTE[2] if last_one else PALETTE[0], lw=1.2, label=words)
    over.axhspan(-3.0, 3.0, color=SEA, alpha=0.25, lw=0, label="biases of the load cells")
    over.set(title="Winch tensions of the twin, off by", xlabel="time (s)", ylabel="difference (%)", ylim=(-30, 30))
    first, k = off[:, -1].max(), int(off[:, -1].argmax())
    over.annotate(f"wide tow at {times[k]:.0f} s: {first:.0f} % off,\nbefore anything is compared", (times[k], 30.0),
                  (80.0, 25.0), va="center", arrowprops={"arrowstyle": "->", "color": PALETTE[2]})  # fmt: skip
    over.legend(loc="lower right")
    return figure
