"""Draw curves from the kept records of `fairlead verify`: the submerged sphere against its multipole solution."""

from __future__ import annotations

import json
import re
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

from fairlead.view.style import PALETTE

DOCS = Path(__file__).resolve().parent
KINDS = {
    "added mass": ("hydro_sphere_coefficients", "added mass over mass"),
    "damping": ("hydro_sphere_coefficients", "damping (N s/m)"),
    "force": ("hydro_sphere_coefficients", "force (N per m of wave)"),
    "heave per metre": ("hydro_sphere_response", "heave (m per m of wave)"),
}


def main() -> None:
    """One picture with a panel for each coefficient, computed (dots) over exact (line)."""
    records = json.loads((DOCS / "validation.json").read_text(encoding="utf-8"))
    figure, panels = plt.subplots(1, 4, figsize=(12, 3.2), layout="constrained")
    for axes, (kind, (check, label)) in zip(panels, KINDS.items(), strict=True):
        rows = []
        for record in records[check]:
            found = re.search(r"([\d.]+) rad/s, (.*)", record["name"])
            if found and found[2].startswith(kind):
                rows.append((float(found[1]), record["reference"], record["value"]))
        frequency, exact, computed = zip(*sorted(rows), strict=True)
        axes.plot(frequency, exact, color=PALETTE[0], label="multipole solution")
        axes.plot(frequency, computed, "o", color=PALETTE[1], mfc="none", label="fairlead")
        axes.set(xlabel="frequency (rad/s)", title=label, ylim=(0, None))
        axes.grid(alpha=0.3)
    panels[0].legend(loc="lower left", frameon=False)
    figure.savefig(DOCS / "images" / "hydro_sphere.png", dpi=110)
    print("docs/images/hydro_sphere.png")


if __name__ == "__main__":
    main()
