"""The part of a run that a picture or a report is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    import xarray as xr


def since(dataset: xr.Dataset, after: float | None) -> xr.Dataset:
    """The samples from ``after`` (s) on: what comes before may be how the run began, not what is asked."""
    if after is None:
        return dataset
    part = dataset.sel(time=dataset["time"] >= after)
    if not part.sizes["time"]:
        last = float(dataset["time"].values[-1])
        raise click.UsageError(f"--after {after:g}: the result ends at {last:g} s; give an earlier time")
    return part
