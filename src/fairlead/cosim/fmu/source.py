"""The compiled system as C: `model.c`, which `native/model.h` describes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from fairlead.formulations.bars import arrays
from fairlead.formulations.bars.compiled_bars import CompiledBars
from fairlead.formulations.bars.step import HUB_RANGE, RANGE, SINGULAR, STRAIN
from fairlead.formulations.contract import Failure
from fairlead.simulate import health

from .variables import INPUT_LIMIT, Variable

JUNCTION_FAULTS = (SINGULAR, HUB_RANGE)
_PER_LINE = 6


@dataclass(frozen=True)
class Content:
    """All that is compiled into an FMU."""

    compiled: CompiledBars
    state: np.ndarray
    """At the start, (state,)."""
    step: float
    """Longest step, s."""
    variables: tuple[Variable, ...]
    """In the order of their value references, from 1 on; reference 0 is the time."""
    token: str
    fingerprint: int
    """64 bits that tell states of this FMU from those of others."""


def model_source(content: Content) -> str:
    """The text of `model.c`."""
    compiled = content.compiled
    sizes = {
        "state": content.state, "inputs": compiled.initial_inputs(), "ints": compiled.ints, "reals": compiled.reals,
        "work": compiled.work, "row": compiled.shape.empty_row(),
    }  # fmt: skip
    return "\n".join(
        [
            "/* The compiled system; written by Fairlead, not by hand. */",
            '#include <math.h>\n#include "model.h"',
            f"const char *const model_token = {_text(content.token)};",
            f"const uint64_t model_fingerprint = {content.fingerprint:#x}u;",
            f"const double model_step = {_real(content.step)};",
            f"const int64_t model_kind = {compiled.kind};",
            *(f"const int64_t model_n_{name} = {len(values)};" for name, values in sizes.items()),
            _array("int64_t", "ints", map(str, compiled.ints.tolist())),
            _array("double", "reals", map(_real, compiled.reals.tolist())),
            _array("double", "state", map(_real, content.state.tolist())),
            *_variables(content.variables),
            *_inputs(content),
            *_faults(compiled),
        ]
    )


def _variables(variables: Sequence[Variable]) -> list[str]:
    records, columns = ['{"time", TIME, 0, 1}'], [0]
    for v in variables:
        records.append(f"{{{_text(v.name)}, {v.causality.upper()}, {len(columns)}, {len(v.columns)}}}")
        columns += v.columns
    return [
        f"const int64_t model_n_variables = {len(records)};",
        _array("model_variable", "variables", records),
        _array("int64_t", "columns", map(str, columns)),
    ]


def _inputs(content: Content) -> list[str]:
    places = sorted(content.compiled.inputs.values(), key=lambda place: place.start)
    starts = np.zeros(len(content.compiled.initial_inputs()))
    for v in content.variables:
        if v.causality == "input":
            starts[list(v.columns)] = v.start
    return [
        _array("double", "starts", map(_real, starts.tolist())),
        f"const int64_t model_n_groups = {len(places)};",
        _array("int64_t", "groups", (str(k) for k in [*(place.start for place in places), len(starts)])),
        f"const double model_input_limit = {_real(INPUT_LIMIT)};",
    ]


def _faults(compiled: CompiledBars) -> list[str]:
    """What the statuses of the kernel mean, in the words of the formulation, and names for the places of faults."""
    model = arrays.model_of(compiled.ints, compiled.reals)
    y = compiled.initial_state()
    statuses = range(1, 1 + max(RANGE, SINGULAR, HUB_RANGE, STRAIN))
    junctions = [name for name, point in compiled.system.points.items() if point.kind == "free"]

    def meanings(t: float) -> list[str]:
        # the words depend on the status and on whether it is the first step, not on the place
        possible = {s for s in statuses if junctions or s not in JUNCTION_FAULTS}
        return ["{0}", *(_fault(compiled.failure(s, t, y)) if s in possible else "{0}" for s in statuses)]

    cables = [
        f"{{{_text(name)}, {row[arrays.CABLE_COUNT]}, {row[arrays.CABLE_REVERSED]}}}"
        for name, row in zip(compiled.shape.cables, model.cables, strict=True)
    ]
    blocks = [f"{{{_text(b.name)}, {b.start}, {b.stop}}}" for b in compiled.layout.blocks]
    unknown = Failure(0.0, "", "a number is no longer finite", health.CAUSE, health.CURE)
    compiled.work[:3] = 0.0
    return [
        f"const int64_t model_n_faults = {1 + len(statuses)};",
        _array("model_fault", "faults", meanings(1.0)),
        _array("model_fault", "first_faults", meanings(0.0)),
        f"const model_fault model_not_finite = {_fault(unknown)};",
        f"const int64_t model_junction_faults = {sum(1 << s for s in JUNCTION_FAULTS)};",
        _array("model_cable", "cables", cables),
        _array("char *const", "junctions", map(_text, junctions)),
        f"const int64_t model_n_blocks = {len(blocks)};",
        _array("model_block", "blocks", blocks),
    ]


def _fault(failure: Failure) -> str:
    return f"{{{_text(failure.what)}, {_text(failure.cause)}, {_text(failure.cure)}}}"


def _array(kind: str, name: str, items: Iterable[str]) -> str:
    """A C array; an empty one gets one zero, since C has no empty arrays."""
    values = list(items) or ["0"]
    lines = [", ".join(values[k : k + _PER_LINE]) for k in range(0, len(values), _PER_LINE)]
    return f"const {kind} model_{name}[] = {{\n    " + ",\n    ".join(lines) + "};"


def _real(value: float) -> str:
    """A double, to the last bit."""
    if math.isfinite(value):
        return value.hex()
    return "NAN" if math.isnan(value) else ("INFINITY" if value > 0 else "-INFINITY")


def _text(value: str) -> str:
    """A C string, in UTF-8; bytes beyond ASCII as octal, which ends after three digits whatever follows."""
    plain = (chr(b) if 32 <= b < 127 and b not in b'"\\?' else f"\\{b:03o}" for b in value.encode())
    return f'"{"".join(plain)}"'
