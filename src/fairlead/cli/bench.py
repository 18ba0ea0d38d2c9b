"""`fairlead bench`: measure speed and cost on this machine."""

from __future__ import annotations

import click

from . import exits
from .json_output import echo_json
from .known_names import completed_by, measurements
from .tables import Column, Table, number


@click.command(
    short_help="Measure speed and cost on this machine.",
    epilog="""\b
Examples:
  fairlead bench                 all measurements, as a table
  fairlead bench start_up        one of them
  fairlead bench --json > today.json

\b
Other programs are measured in the same run where they are installed (pip install 'fairlead[bench]').

"""
    + exits.EPILOG,
)
@click.argument("names", nargs=-1, shell_complete=completed_by(measurements))
@click.option("--list", "only_list", is_flag=True, help="List the measurements and make none.")
@click.option("--json", "as_json", is_flag=True, help="Print the records as JSON.")
def command(names: tuple[str, ...], only_list: bool, as_json: bool) -> None:
    """Make the measurements NAMES (all when none is named) and print one record each.

    A record gives what is measured, the value and its unit, the peer it stands beside, the peer's value and the ratio
    of the two. Measure on an idle machine.
    """
    from fairlead.studies import benchmarks

    if only_list:
        for name, title in benchmarks.names().items():
            click.echo(f"{name:<32}  {title}")
        return
    found = benchmarks.run(*names)
    records = []
    table = Table(
        Column("measurement", 48),
        Column("value", 10),
        Column("unit", 8),
        Column("peer", 28),
        Column("its value", 10),
        Column("ratio", 8),
    )
    if not as_json:
        click.echo(table.head())
    for record in found:
        records.append(record)
        if isinstance(record, benchmarks.Skipped):
            click.echo(f"{record.name}: not measured: {record.why}", err=as_json)
        elif not as_json:
            peer = (record.peer, number(record.peer_value, 4), number(record.ratio, 3))
            click.echo(table.row(record.name, number(record.value, 4), record.unit, *peer))
    if as_json:
        echo_json([record.as_dict() for record in records])
