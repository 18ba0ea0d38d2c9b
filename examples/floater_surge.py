"""The surge of a floater alone and with a payload on its cable, over one another: Fig. 13 of Guillaume et al.

    fairlead run examples/floater_cable_payload.yaml -o floater_cable_payload.nc
    fairlead run examples/floater_alone.yaml -o floater_alone.nc
    python examples/floater_surge.py floater_cable_payload.nc floater_alone.nc

The floater alone is as heavy as floater, cable and payload together. Where its result is left out, it is run. The
swinging payload takes a third off the surge at this frequency; the frequency stays that of the waves.
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import xarray as xr
from matplotlib.figure import Figure

import fairlead as fl

PERIOD, AMPLITUDE = 2.0010144, 0.05  # s, m: of the waves
BEAT = 6
"""Periods at the end over which the amplitudes are taken: the beat that the growing wave leaves."""


def surge(result: xr.Dataset) -> tuple[np.ndarray, np.ndarray]:
    """Times (s) and surge of the floater (m)."""
    place = result["point_position"].sel(point="floater", axis="x").values
    return result["time"].values, place - place[0]


def amplitude(time: np.ndarray, x: np.ndarray) -> float:
    """First harmonic of the last periods, m."""
    last = time > time[-1] - BEAT * PERIOD * (1 - 1e-9)
    wave = np.exp(2j * np.pi * time[last] / PERIOD)
    return float(2.0 * abs((x[last] * wave).mean()))


@fl.plot.house_style()
def surge_figure(carried: xr.Dataset, alone: xr.Dataset) -> Figure:
    """Both motions over time."""
    figure, axis = plt.subplots(figsize=(9, 4), layout="constrained")
    both = ((alone, "#D55E00", "cylinder alone"), (carried, "#0072B2", "with cable and payload"))
    for result, colour, words in both:
        time, x = surge(result)
        share = amplitude(time, x) / AMPLITUDE
        axis.plot(time, 1e3 * x, color=colour, lw=1.4, label=f"{words}: {share:.2f} m per metre of wave")
        print(f"{words}: {share:.3f} m per metre of wave")
    axis.set(xlabel="time (s)", ylabel="surge (mm)", title="Surge of the floater (Guillaume et al., Fig. 13)")
    axis.margins(x=0.01)
    figure.legend(loc="outside lower center", ncols=2)
    return figure


def main() -> None:
    """Draw the two results, or the first beside a run of `floater_alone.yaml`."""
    carried = fl.open_result(sys.argv[1])
    given = sys.argv[2] if len(sys.argv) > 2 else None
    alone = fl.open_result(given) if given else fl.simulate(Path(__file__).with_name("floater_alone.yaml"))
    path = Path(f"{Path(sys.argv[1]).stem}-surge.png")
    surge_figure(carried, alone).savefig(path, dpi=130)
    print(path)


if __name__ == "__main__":
    main()
