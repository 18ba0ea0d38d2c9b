"""`fairlead study`: many runs of one system, as a study file describes them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import exits
from .groups import Group
from .json_output import echo_json
from .notes import warn

if TYPE_CHECKING:
    from fairlead.study import Study

_FILE = click.argument("file", type=click.Path(path_type=Path))
_FOLDER = click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="Folder of the study. [default: FILE's name with .study, here]",
)
_WORKERS = click.option("--workers", type=click.IntRange(1, 1024), help="Threads. [default: all processors]")
_CLUSTER = click.option(
    "--cluster",
    metavar="PLACE",
    help="Run on a cluster by Dask: tcp://HOST:PORT of its scheduler, local:4, or a file such as slurm.yaml.",
)
_JSON = click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
_QUIET = click.option("-q", "--quiet", is_flag=True, help="No progress and no summary; warnings still show.")


@click.group(
    cls=Group,
    short_help="Many runs of one system: sea states, seeds, lost lines, distributions.",
    epilog="""\b
Examples:
  fairlead study plan storm.yaml                 what would be run, what it costs and how long it takes
  fairlead study run storm.yaml                  runs it on all cores, into the folder storm.study
  fairlead study status storm.yaml               how far it is, from another terminal
  fairlead study report storm.yaml               the results on one page, in the browser
  fairlead study run storm.yaml --cluster local:4        by Dask; tcp://HOST:PORT and slurm.yaml for larger ones
  fairlead study resume storm.yaml               runs what is missing, after Ctrl-C, a crash, or with more scenarios

\b
A study file names a system, what varies in it, how that is combined, and what is kept of every run; the page
"Many runs" of the documentation shows it. Every finished batch is a file of its own: a kill at any time loses at most
the batches under way.

"""
    + exits.EPILOG,
)
def command() -> None:
    """Many runs of one system, as the study file FILE describes them."""


@command.command(short_help="What would be run, and what it takes.")
@_FILE
@_WORKERS
@_JSON
def plan(file: Path, workers: int | None, as_json: bool) -> None:
    """Check FILE and its system, and tell the number of scenarios, what each varied value costs, time and memory.

    A varied value costs least where it changes constants of the equations alone: such scenarios share one compiled
    system and one start. Others have a start (statics) of their own, or are built from the ground.
    """
    found = _study(file, None).plan(workers)
    if as_json:
        echo_json(found.plain())
    else:
        for line in found.lines():
            click.echo(line)


@command.command(short_help="Run all scenarios.")
@_FILE
@_FOLDER
@_WORKERS
@_CLUSTER
@_JSON
@_QUIET
@click.pass_context
def run(ctx: click.Context, /, file: Path, output: Path | None, **how: Any) -> None:
    """Run all scenarios of FILE. Ctrl-C ends it cleanly; `resume` goes on."""
    _carried_out(ctx, _study(file, output), resumed=False, **how)


@command.command(short_help="Run the scenarios that are missing.", params=[*run.params])
@click.pass_context
def resume(ctx: click.Context, /, file: Path, output: Path | None, **how: Any) -> None:
    """Run what is missing of a study that was begun; scenarios that were added to FILE are missing, too."""
    _carried_out(ctx, _study(file, output), resumed=True, **how)


@command.command(short_help="How far a study is.")
@_FILE
@_FOLDER
@_JSON
def status(file: Path, output: Path | None, as_json: bool) -> None:
    """How many scenarios of FILE are done, how many failed and why; may be asked while it runs."""
    study = _study(file, output)
    found = study.status()
    if as_json:
        echo_json(found)
        return
    click.echo(f"{found['done']:,} of {found['scenarios']:,} scenarios in {study.folder}, {found['failed']:,} failed")
    for i, why in found["failures"].items():
        click.echo(f"scenario {i}: {why}")
    warn(found["notes"])


@command.command(short_help="The results on one page.")
@_FILE
@_FOLDER
@click.option("--no-open", is_flag=True, help="Only write the page.")
def report(file: Path, output: Path | None, no_open: bool) -> None:
    """Write the page of the study in FILE, report.html in its folder, and open it.

    It shows every scenario as a point and as a line, and the distribution of every statistic. A click on a point shows
    its values, and its replay where its history is kept.
    """
    from .pages import offer

    study = _study(file, output)
    page = study.report()
    click.echo(f"{page.path}")
    if not no_open and page.path is not None:
        offer(page.path)


def _study(file: Path, output: Path | None) -> Study:
    from fairlead.study import Study

    return Study(file, folder=output)


def _carried_out(
    ctx: click.Context,
    study: Study,
    *,
    resumed: bool,
    workers: int | None,
    cluster: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    try:
        with study.engine(workers, cluster) as engine:
            if engine.name != "here" and not quiet:
                click.echo(engine.described(), err=True)
            result = study.run(progress=not quiet, resume=resumed, engine=engine)
    except KeyboardInterrupt:
        done = study.status()
        click.echo(
            f"stopped: interrupted; {done['done']:,} of {done['scenarios']:,} scenarios are in {study.folder}; "
            "`fairlead study resume` goes on",
            err=True,
        )
        ctx.exit(exits.INTERRUPTED)
    ended = str(result.attrs["status"])
    if as_json:
        echo_json(_numbers(study, result, ended))
    elif not quiet:
        for line in _lines(study, result, ended):
            click.echo(line)
    if _is_cut_short(ended):
        if quiet:
            click.echo(ended, err=True)
        ctx.exit(exits.STOPPED)


def _numbers(study: Study, result: Any, ended: str) -> dict[str, Any]:
    from fairlead.study.findings import extremes, worst_cases
    from fairlead.study.summary import summary

    found = {"status": ended, "folder": str(study.folder), **study.status(), "channels": summary(result)}
    return found | {"extremes": extremes(result), "worst_cases": worst_cases(result)}


def _lines(study: Study, result: Any, ended: str) -> list[str]:
    from fairlead.study.findings import extreme_lines
    from fairlead.study.summary import summary_lines

    found = study.status()
    head = f"{ended}: {found['done']:,} of {found['scenarios']:,} scenarios, {found['failed']:,} failed"
    failures = [f"scenario {i}: {why}" for i, why in list(found["failures"].items())[:3]]
    where = f"results in {study.folder}"
    if _is_cut_short(ended):
        where = f"what is done is kept in {study.folder}; `fairlead study resume` goes on"
    return [*summary_lines(result), *extreme_lines(result), "", head, *failures, where]


def _is_cut_short(ended: str) -> bool:
    """Whether a study ended before all was done and before enough was known."""
    return ended != "complete" and not ended.startswith("stopped: the estimates")
