"""`fairlead live`: a twin that runs beside the real thing."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import exits

if TYPE_CHECKING:
    from fairlead.live.station import Station

BETWEEN_LINES = 10.0  # s, where nobody watches the terminal


@click.command(
    short_help="A live twin: measurements in, shapes and tensions out, on a page.",
    epilog="""\b
Examples:
  fairlead live twin.yaml --check                       find the mistakes of its file and its system
  fairlead live twin.yaml                               listen, estimate, record; the page is at 127.0.0.1:8765
  fairlead live twin.yaml --bind 0.0.0.0 --token-file tokens     for a tablet on the bridge, too
  fairlead live twin.yaml --replay log --speed 10       what was heard, again, ten times as fast
  fairlead live twin.yaml --join day.nc                 all that was recorded, as one result

\b
The page is for this machine alone unless --bind names an address; then it needs a token, which is part of the address
that is printed. Nothing is ever sent to any equipment. Ctrl-C ends the twin cleanly; started again within ten minutes
it goes on from where it was, also after a crash.

"""
    + exits.EPILOG,
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--check", is_flag=True, help="Only check the file, its system and its inputs.")
@click.option("--replay", type=click.Path(path_type=Path), help="Repeat what this folder has on record.")
@click.option("--speed", type=float, help="Of a replay, times real time. [default: as fast as it goes]")
@click.option("--bind", help="Address to serve at: others than this machine's own need --token-file.")
@click.option("--token-file", type=click.Path(path_type=Path), help="File of tokens; made where there is none.")
@click.option("--no-page", is_flag=True, help="Serve frames and messages only.")
@click.option("--fresh", is_flag=True, help="Begin anew though there is a checkpoint.")
@click.option("--join", type=click.Path(path_type=Path), help="Write what is recorded as one result, and end.")
@click.option("-q", "--quiet", is_flag=True, help="No lines of state.")
@click.pass_context
def command(ctx: click.Context, /, file: Path, check: bool, join: Path | None, quiet: bool, **how: Any) -> None:
    """Run the twin that FILE describes: inputs, estimation, look-ahead, alarms, page and record."""
    speed, replay = how["speed"], how["replay"]
    if speed is not None and (replay is None or not 0.0 < speed < float("inf")):
        raise click.UsageError("--speed is a positive number and belongs to --replay")
    if join is not None:
        _join(file, join)
        return
    station = _station(file, None if check or quiet else partial(click.echo, err=True), **how)
    if check:
        for line in described(station):
            click.echo(line)
        return
    ctx.exit(asyncio.run(_run(station, quiet)))


def _station(
    file: Path, tell: Callable[[str], None] | None, *, replay: Path | None, speed: float | None, bind: str | None,
    token_file: Path | None, no_page: bool, fresh: bool,
) -> Station:  # fmt: skip
    from .main import WrongInput

    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
        import websockets  # noqa: F401
    except ImportError as error:
        needs = f"fairlead live needs {error.name}, which is not installed: pip install 'fairlead[live]'"
        raise WrongInput(needs) from None
    from fairlead.live.inputs.transports import MissingExtra
    from fairlead.live.server.guard import Tokens
    from fairlead.live.station import Station

    try:
        tokens = None if token_file is None else Tokens.kept(token_file)
        return Station(file, bind=bind, tokens=tokens, page=not no_page, replay=replay, speed=speed, fresh=fresh,
                       tell=tell)  # fmt: skip
    except MissingExtra as error:
        raise WrongInput(str(error)) from None
    except (ValueError, OSError) as error:
        if type(error) in (ValueError, PermissionError, FileNotFoundError, IsADirectoryError):
            raise WrongInput(str(error)) from None
        raise


def described(station: Station) -> list[str]:
    """What a twin's file asks for, in a few lines."""
    file = station.file
    estimate = file.estimate
    record = "nothing" if file.record is None else f"{file.record.folder}, every {file.record.every:g} s"
    return [
        f"system            {file.system}, {station.twin.shape.node_count} nodes",
        f"inputs            {', '.join(f'{name} ({one.kind})' for name, one in file.inputs.items()) or 'none'}",
        f"drives            {', '.join(file.drive) or 'none'}",
        f"sensors           {', '.join(file.sensors) or 'none'}",
        f"estimate          {estimate.method}, {estimate.members} members: {', '.join(estimate.parameters) or 'none'}",
        f"limits            {len(file.limits)}",
        f"server            {station.guard.bind}:{station.guard.port}",
        f"record            {record}",
    ]


async def _run(station: Station, quiet: bool) -> int:
    loop, asked = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError, ValueError):
            loop.add_signal_handler(number, asked.set)
    for note in station.notes:
        click.echo(note, err=True)
    try:
        async with station.open() as address:
            click.echo(address)
            over = asyncio.create_task(station.until_over())
            ended, telling = asyncio.create_task(asked.wait()), asyncio.create_task(_tell(station, quiet))
            await asyncio.wait({over, ended}, return_when=asyncio.FIRST_COMPLETED)
            for task in (ended, telling):
                task.cancel()
            if over.done():
                over.result()
            else:
                over.cancel()
    except OSError as error:
        from .main import WrongInput

        where = f"{station.guard.bind}:{station.guard.port}"
        raise WrongInput(f"cannot serve at {where} ({error.strerror or error}); choose another server.port") from None
    return exits.INTERRUPTED if asked.is_set() else exits.OK


async def _tell(station: Station, quiet: bool) -> None:
    """A line that is written over where somebody watches, and one now and then where not."""
    watched = sys.stderr.isatty()
    last = -float("inf")
    while not quiet:
        await asyncio.sleep(1.0)
        if watched:
            click.echo(f"\r\x1b[K{station.state[:200]}", nl=False, err=True)
        elif time.monotonic() - last >= BETWEEN_LINES:
            last = time.monotonic()
            click.echo(station.state, err=True)


def _join(file: Path, output: Path) -> None:
    from fairlead.live.recording.joined import join
    from fairlead.twin import load_twin

    from .main import WrongInput

    record = load_twin(file).record
    if record is None:
        raise WrongInput(f"{file}: records nothing; add record: {{folder: log}}")
    samples = join(file.parent / record.folder, output)
    click.echo(f"{output}: {samples} samples")
