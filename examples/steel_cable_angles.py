"""Pictures of a run of links: twist, elevation and azimuth of every link, and the path of the end mass.

    fairlead run examples/steel_cable_in_air.yaml -o steel_cable_in_air.nc
    python examples/steel_cable_angles.py steel_cable_in_air.nc

They show what Figs. 5 and 6 of "Dynamic modeling of cables with underwater applications" (COBEM 2013) show. Any run
whose result holds the angles will do: mode `paper` always, otherwise with `report_angles: true`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import xarray as xr
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

import fairlead as fl

TWIST_SHOWN = 0.3  # s: twist rings fast and is gone soon


@fl.plot.house_style()
def angle_figures(result: xr.Dataset, end: str = "load") -> tuple[Figure, Figure]:
    """Twist of every link; and elevation, azimuth and the path of the point `end`."""
    time = result["time"].values
    links = [name.removeprefix("twist_") for name in result.data_vars if str(name).startswith("twist_")]
    early = time <= TWIST_SHOWN
    title = str(result.attrs["title"])
    twist, axes = plt.subplots(len(links), 1, sharex=True, figsize=(9, 1.6 + 1.5 * len(links)), layout="constrained")
    twist.suptitle(title, x=0.01, ha="left", fontweight="bold")
    for link, axis in zip(links, axes, strict=True):
        axis.plot(time[early], result[f"twist_{link}"].values[early])
        axis.set_ylabel(f"twist of link {link} (rad)")
    axes[-1].set_xlabel("time (s)")
    axes[0].set_title("Twist of every link, which rings and dies away")
    swing = plt.figure(figsize=(12, 1.2 + 2 * len(links)), layout="constrained")
    swing.suptitle(title, x=0.01, ha="left", fontweight="bold")
    grid = swing.add_gridspec(len(links), 3, width_ratios=(1, 1, 1.3))
    for row, link in enumerate(links):
        for column, name in enumerate(("elevation", "azimuth")):
            axis = swing.add_subplot(grid[row, column])
            axis.plot(time, result[f"{name}_{link}"].values)
            axis.set_ylabel(f"{name} {link} (rad)")
            if row == 0:
                axis.set_title(f"{name.capitalize()} of every link")
            if row == len(links) - 1:
                axis.set_xlabel("time (s)")
    path = swing.add_subplot(grid[:, 2], projection="3d")
    path.plot(*result["point_position"].sel(point=end).values.T)
    path.set(xlabel="x (m)", ylabel="y (m)", zlabel="z (m)", title="Path of the end mass")
    path.set_box_aspect(None, zoom=0.66)  # leaves room for the names of the axes
    for locate in (path.xaxis, path.yaxis, path.zaxis):
        locate.set_major_locator(MaxNLocator(3))
    path.tick_params(axis="z", pad=16)  # minus signs stand clear of the axis
    path.xaxis.labelpad, path.yaxis.labelpad, path.zaxis.labelpad = 8, 12, 28
    return twist, swing


if __name__ == "__main__":
    for name in sys.argv[1:]:
        stem = Path(name).stem
        for figure, what in zip(angle_figures(fl.open_result(name)), ("twist", "swing"), strict=True):
            figure.savefig(f"{stem}-{what}.png", dpi=150)
