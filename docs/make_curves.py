"""Draw curves from the kept records of `fairlead verify`: the submerged sphere against its multipole solution."""

from __future__ import annotations

import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from make_pictures import shrink

from fairlead.view import house_style
from fairlead.view.style import PALETTE

DOCS = Path(__file__).resolve().parent
KINDS = {
    "added mass": ("hydro_sphere_coefficients", "added mass over mass", 1.0),
    "damping": ("hydro_sphere_coefficients", "damping (kN s/m)", 1e3),
    "force": ("hydro_sphere_coefficients", "force (kN per m of wave)", 1e3),
    "heave per metre": ("hydro_sphere_response", "heave (m per m of wave)", 1.0),
}


@house_style()
def main() -> None:
    """One picture with a panel for each coefficient, computed (dots) over exact (line)."""
    records = json.loads((DOCS / "validation.json").read_text(encoding="utf-8"))
    figure, panels = plt.subplots(1, 4, figsize=(12, 4.0), layout="constrained")
    figure.suptitle("A sphere under water: coefficients and heave in waves", x=0.01, ha="left", fontweight="bold")
    for axes, (kind, (check, label, unit)) in zip(panels, KINDS.items(), strict=True):
        rows = []
        for record in records[check]:
            found = re.search(r"([\d.]+) rad/s, (.*)", record["name"])
            if found and found[2].startswith(kind):
                rows.append((float(found[1]), record["reference"] / unit, record["value"] / unit))
        frequency, exact, computed = zip(*sorted(rows), strict=True)
        axes.plot(frequency, exact, color=PALETTE[0], label="multipole solution")
        axes.plot(frequency, computed, "o", color=PALETTE[1], mfc="none", label="fairlead")
        axes.set(xlabel="frequency (rad/s)", ylabel=label)
        axes.set_ylim(0.0, 1.08 * max(*exact, *computed))
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    with TemporaryDirectory() as folder:
        figure.savefig(Path(folder) / "curves.png", dpi=110)
        shrink(Path(folder) / "curves.png", "hydro_sphere")


if __name__ == "__main__":
    main()
