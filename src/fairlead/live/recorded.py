"""What of an estimate is recorded and drawn over time: the mean of the members as a result of the usual kind, with the
parameters and the bands of all that has a limit beside it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairlead import __version__
from fairlead.results import Extra
from fairlead.twin import Estimate, Twin
from fairlead.twin.quantities import between
from fairlead.twin.sensors import force_share

MOST_TRENDS = 8
"""Plots beside the picture."""
SHARE = 0.9
"""Of what is possible, within the bands that are drawn."""


class Recorded:
    """Rows and trends of one twin.

    ``shape`` is that of the rows: the twin's own and further columns; ``metadata`` the attributes of its files.
    """

    def __init__(self, twin: Twin):
        self._own, limits, self._sensors = twin.shape, twin.limits, list(twin.sensors.values())
        names = list(dict.fromkeys(limit.watched.name for limit in limits))
        self._watched = {limit.watched.name: limit.watched for limit in limits}
        for cable in self._own.cables:
            if len(names) >= 2:
                break
            names += [name for name in (f"{cable}.tension",) if name not in names and name in twin.watched]
        self._watched |= {name: twin.watched[name] for name in names if name not in self._watched}
        self._names = names
        self._parameters = tuple(twin.estimate.parameters)
        extras = [Extra(f"estimated.{name}", twin.estimate.parameters[name].unit) for name in self._parameters]
        extras += [Extra(f"estimated.{name}.sd", twin.estimate.parameters[name].unit) for name in self._parameters]
        extras += [Extra(f"{name}.{part}", self._watched[name].unit) for name in names for part in ("mean", "sd")]
        known = {extra.name for extra in self._own.extras}
        self._kept = [extra.name not in known for extra in extras]
        self.shape = replace(
            self._own, extras=(*self._own.extras, *(e for e, keep in zip(extras, self._kept, strict=True) if keep))
        )
        self.trends: list[dict[str, Any]] = [
            {
                "name": name,
                "label": name.replace(".", ": ").replace("_", " "),
                "unit": self._watched[name].unit,
                "limits": [{"value": limit.bound, "name": "limit"} for limit in limits if limit.watched.name == name],
            }
            for name in names[:MOST_TRENDS]
        ]
        system = twin.system
        self.metadata: dict[str, object] = {
            "title": twin.file.twin or system.title or "Live twin",
            "formulation": twin.fleet.compiled.formulation,
            "fairlead_version": __version__,
            "settings": system.model_dump_json(),
            "input_file": system.source.text if system.source is not None else "",
        }

    def values(self, estimate: Estimate) -> dict[str, tuple[float, float]]:
        """By name of what is drawn over time: mean, and standard deviation with what biases of load cells may do."""
        found, share = {}, force_share(self._sensors, estimate.mean.row)
        for name in self._names:
            values = self._watched[name].of(estimate.rows)
            mean, sd = float(values.mean()), float(values.std(ddof=1)) if len(values) > 1 else 0.0
            found[name] = (mean, float(np.hypot(sd, share * mean)) if self._watched[name].unit == "N" else sd)
        return found

    def bands(self, estimate: Estimate) -> dict[str, tuple[float, float, float]]:
        """The same as mean and bounds of 90 %."""
        found = {}
        for name, (mean, sd) in self.values(estimate).items():
            low, high = between(np.array(mean), np.array(sd), SHARE, self._watched[name].positive)
            found[name] = (mean, float(low), float(high))
        return found

    def row(self, estimate: Estimate) -> NDArray[np.float64]:
        """What is recorded of an estimate. Extremes between samples are each member's own, and left out."""
        own = estimate.mean.row.copy()
        own[self._own.extremes.start :] = np.nan
        parameters = [estimate.parameters[name] for name in self._parameters]
        numbers = [p.mean for p in parameters] + [p.sd for p in parameters]
        numbers += [number for pair in self.values(estimate).values() for number in pair]
        more = np.array(numbers)[np.array(self._kept, dtype=bool)] if numbers else np.empty(0)
        at = self._own.extra_block.stop
        return np.concatenate([own[:at], more, own[at:]])
