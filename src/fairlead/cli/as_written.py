"""Results that another program has changed: what then goes wrong is told of the file, not of Fairlead."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import click

from .models import MODELS

DATA_ERRORS = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


@contextlib.contextmanager
def as_written(*paths: Path) -> Iterator[None]:
    """Around all that is made of results: of a file that no run sealed, a failure is that of its contents.

    What a run writes is sealed and checked when it is read, so that a failure there is a fault of the program and shows
    its traceback.
    """
    import numpy as np

    try:
        with np.errstate(over="ignore", invalid="ignore"):  # a run that went wrong may end in any number
            yield
    except (click.ClickException, click.Abort, click.exceptions.Exit):
        raise
    except DATA_ERRORS as error:
        from fairlead.results import ResultError, is_sealed

        from .main import is_users

        results = [path for path in paths if path.suffix.lower() not in MODELS]
        changed = [] if is_users(error) else [path for path in results if not is_sealed(path)]
        if not changed:
            raise
        text = " ".join(str(error).split())
        raise ResultError(
            f"{changed[0]}: this cannot be made of it ({type(error).__name__}: {text[:120]}): another program has "
            "written or changed the file; take it as its run wrote it, or run its input file again"
        ) from error
