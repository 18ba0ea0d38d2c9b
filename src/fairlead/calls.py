"""What a script or a notebook does in one call: a system from a file, rest, modes, a page to look at, a report, a film.

Everything here stands on the folders that do the work, takes a file's path wherever it takes what was read from it,
and is offered as `fairlead.load`, `fairlead.statics`, `fairlead.modes`, `fairlead.floater`, `fairlead.view`,
`fairlead.report` and `fairlead.film`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

__all__ = ["film", "floater", "load", "modes", "report", "statics", "view"]

if TYPE_CHECKING:
    import xarray as xr

    from fairlead.exchange.moordyn.line_types import Columns
    from fairlead.exchange.moordyn.rows import Vector
    from fairlead.model import System
    from fairlead.pages import Page
    from fairlead.statics import Equilibrium, Modes
    from fairlead.studies.floater import FloaterReport


def load(
    path: str | Path,
    set: Mapping[str, Any] | None = None,
    *,
    partial: bool = False,
    columns: Columns = "auto",
    turbines: Mapping[int, Vector] | None = None,
) -> System:
    """The system that a file describes: one of ours (YAML, JSON), of MoorDyn's or of MoorPy's. Raises `ModelError` with
    every mistake in it, each with its line, and with what of another program's file is not carried here.

    `set` changes values by their paths, as `System.with_values` does: `load("line.yaml", set={"simulation.step": 1})`.
    Of another program's file, `partial=True` takes what there is, though something is missing; `columns` and `turbines`
    are as in `fairlead.exchange.Reading`.
    """
    from fairlead.exchange import Reading, open_model

    return open_model(path, set, reading=Reading(columns, turbines or {}, partial))[0]


def statics(system: System | str | Path) -> Equilibrium:
    """The static equilibrium of a system, or of the file that describes one. Raises `StaticsError` where there is none.

    rest = fl.statics("mooring.yaml")
    rest.outputs["line.tension_effective"], rest.summary(), rest.dataset()
    """
    from fairlead.statics import solve

    return solve(system)


def modes(system: System | Equilibrium | str | Path, count: int = 10) -> Modes:
    """The `count` slowest natural modes of a system, or of a file's, about its static equilibrium."""
    from fairlead.statics import Equilibrium, natural_modes

    rest = system if isinstance(system, Equilibrium) else statics(system)
    return natural_modes(rest.compiled, rest.y, count)


def floater(file: System | str | Path, heading: float | None = None, **options: Any) -> list[FloaterReport]:
    """What coefficients say of the floaters of a system, or of a file of coefficients: one report for each water.

        report, = fl.floater("platform.yaml")
        report.moored_modes, report.findings, report.summary(), report.dataset()

    `heading` is the direction the waves run towards [rad]; options are those of `fairlead.floaters.read`.
    """
    from fairlead.studies.floater import of_file, of_system

    if isinstance(file, str | Path) and Path(file).suffix.lower() not in (".yaml", ".yml", ".json"):
        return [of_file(file, heading or 0.0, **options)]
    return of_system(file, heading)


def view(*results: xr.Dataset | str | Path, path: str | Path | None = None) -> Page:
    """The page that replays one result in 3D, or several over one another.

    In a notebook it shows itself; elsewhere it opens in the browser. With a `path` it is only written there.
    """
    from fairlead.pages import Page
    from fairlead.view.replay import open_results, replay_page

    if results and all(isinstance(result, str | Path) for result in results):
        found: Mapping[str, xr.Dataset] = open_results([Path(str(result)) for result in results])
    else:
        found = _named([_result(result) for result in results])
    return Page(replay_page(found), height=640).to(path)


def report(
    result: xr.Dataset | str | Path,
    path: str | Path | None = None,
    *,
    tension_max: float | None = None,
    tension_min: float | None = None,
    landing_speed: float | None = None,
) -> Page:
    """A report of a result as one page, held against limits (N, m/s) where they are given.

    In a notebook it shows itself; elsewhere it opens in the browser. With a `path` (.html or .pdf) it is only written.
    """
    from fairlead.pages import Page
    from fairlead.view.report import Limits, report_page

    return Page(report_page(_result(result), Limits(tension_max, tension_min, landing_speed)), height=800).to(path)


def film(result: xr.Dataset | str | Path, path: str | Path, **options: Any) -> Path:
    """A film of a result, .mp4 or .gif; options are those of `fairlead.view.film.film`: view, colour, speed, size …"""
    from fairlead.view.film import film as write_film

    return write_film(_result(result), path, **options)


def _result(result: xr.Dataset | str | Path) -> xr.Dataset:
    from fairlead.results import open_result

    return open_result(result) if isinstance(result, str | Path) else result


def _named(results: list[xr.Dataset]) -> dict[str, xr.Dataset]:
    """Results by what tells them apart: their formulations, else their titles, else their numbers."""
    for key in ("formulation", "title"):
        names = [str(result.attrs.get(key, "")) for result in results]
        if len(set(names)) == len(names):
            return dict(zip(names, results, strict=True))
    return {f"run {number}": result for number, result in enumerate(results, 1)}
