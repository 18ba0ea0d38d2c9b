"""MoorDyn's tensions of the compared periods, kept beside the decks for machines without it.

`python -m fairlead.studies.moordyn_decks.kept` writes them again with the MoorDyn that is installed.
"""

from __future__ import annotations

from importlib.metadata import version

import numpy as np

from .cases import CASES, Case
from .there import tensions


def read(case: Case) -> tuple[np.ndarray, str]:
    """Tensions (samples of the compared periods, channels), N, and which program they are of."""
    path = case.path.with_suffix(".csv")
    program = path.read_text(encoding="utf-8").splitlines()[0].lstrip("# ")
    return np.loadtxt(path, delimiter=",", comments="#", skiprows=2, ndmin=2)[:, 1:], program


def main() -> None:
    program = f"MoorDyn {version('moordyn')}"
    for case in CASES:
        table = np.column_stack([case.times, tensions(case)[0]])[case.judged]
        head = f"# {program}\n" + ",".join(["time [s]", *(f"{name} [N]" for name in case.channels)])
        rows = "\n".join(",".join(f"{value:.6g}" for value in row) for row in table)
        case.path.with_suffix(".csv").write_text(f"{head}\n{rows}\n", encoding="utf-8")
        print(case.name)


if __name__ == "__main__":
    main()
