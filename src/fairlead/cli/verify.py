"""`fairlead verify`: check the program against closed forms, published numbers and other tools."""

from __future__ import annotations

import sys

import click

from . import exits
from .json_output import echo_json
from .known_names import checks, completed_by
from .tables import Column, Table, number


@click.command(
    short_help="Check the program against known answers.",
    epilog="""\b
Examples:
  fairlead verify                       all checks, as a table
  fairlead verify discrete_catenary     one of them
  fairlead verify --json | jq 'map(select(.passed | not))'

"""
    + exits.EPILOG,
)
@click.argument("names", nargs=-1, shell_complete=completed_by(checks))
@click.option("--list", "only_list", is_flag=True, help="List the checks and run none.")
@click.option("--json", "as_json", is_flag=True, help="Print the records as JSON.")
def command(names: tuple[str, ...], only_list: bool, as_json: bool) -> None:
    """Run the checks NAMES (all when none is named) and print one record a comparison.

    A record gives what is compared, the source of the reference, the value, the reference, the error, its bound and
    whether it passed. Errors are relative unless the name of the comparison says otherwise.
    """
    from fairlead.studies import verification

    if only_list:
        for name, title in verification.names().items():
            click.echo(f"{name:<32}  {title}")
        return
    found = verification.run(*names)
    records = []
    table = Table(
        Column("check", 58),
        Column("value", 12),
        Column("reference", 12),
        Column("error", 9),
        Column("bound", 9),
        Column("", 6),
    )
    if not as_json:
        click.echo(table.head())
    for record in found:
        records.append(record)
        if record.trouble:
            click.echo(f"{record.name}: {record.trouble}", err=True)
        if not as_json:
            passed = "ok" if record.passed else "FAILED"
            numbers = number(record.value, 6), number(record.reference, 6)
            errors = number(record.error, 2), number(record.bound, 2)
            click.echo(table.row(record.name, *numbers, *errors, passed))
    failed = sum(not record.passed for record in records)
    if as_json:
        echo_json([record.as_dict() for record in records])
    else:
        click.echo(f"{len(records)} comparisons, {failed or 'none'} failed")
    sys.exit(exits.CHECKS_FAILED if failed else exits.OK)
