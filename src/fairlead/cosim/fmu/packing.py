"""An FMU from a system: everything put together in one zip file."""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

import numpy as np

from fairlead import __version__
from fairlead.algebra.compiled import source_fingerprint
from fairlead.formulations.bars.compiled_bars import CompiledBars
from fairlead.formulations.contract import Compiled
from fairlead.model import System
from fairlead.simulate import Simulation

from . import kernel, link
from .description import Header, model_description
from .errors import FmuError
from .source import Content, model_source
from .variables import Variable, inputs_of, outputs_of

VERSIONS = ("2.0", "3.0")
_EPOCH = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class Exported:
    """What was made."""

    path: Path
    version: str
    targets: tuple[str, ...]
    """Machines it runs on, as FMI 3 names them."""
    missing: tuple[str, ...]
    """Machines it could have been made for, had there been a linker for them."""
    variables: tuple[Variable, ...]
    warnings: tuple[str, ...]
    """What a user of the system should know."""


def default_outputs(compiled: Compiled) -> tuple[str, ...]:
    """Forces of all cables on their supports, and the largest tension."""
    forces = (f"{name}.force_{end}" for name in compiled.shape.cables for end in ("start", "end"))
    return (*forces, "tension_max")


def export(
    system: System | str | Path,
    path: str | Path,
    version: str = "3.0",
    *,
    outputs: Iterable[str] | None = None,
    targets: Sequence[str] | None = None,
    communication_step: float | None = None,
) -> Exported:
    """Write `system` (or the file that describes it) to `path` as an FMU for co-simulation that needs no Python.

    version             of FMI, "3.0" or "2.0"
    outputs             names as `Simulation.step` has them (`left.force_end`, `M.position`, `left.tension_effective`);
                        by default the forces of all cables on their supports and the largest tension
    targets             machines it shall run on, of `TARGETS`; by default all that can be linked for here
    communication_step  distance of communication points to suggest to the host (s); by default `output_every`

    Inputs are all of the system's (`B.position`); one that is never set follows the motion in the file. A step of the
    host is taken in equal steps no longer than `simulation.step`, as `Simulation.step` does. Under FMI 2.0 vectors are
    three variables (`B.position.x`), and where several targets are asked for, FMI 2.0 has a folder of its own only for
    x86-64: hosts look for others under the name FMI 3.0 gives them, if at all.
    """
    if version not in VERSIONS:
        raise FmuError(f"there is no FMI version {version!r} here; use one of {', '.join(VERSIONS)}")
    if communication_step is not None and not 0.0 < communication_step < np.inf:
        raise FmuError(f"communication_step must be a positive number of seconds, not {communication_step!r}")
    wanted = _targets(targets)
    simulation = Simulation(system)
    compiled = _exportable(simulation)
    variables = (
        *inputs_of(compiled, simulation.outputs().row),
        *outputs_of(compiled, default_outputs(compiled) if outputs is None else outputs),
    )
    if version == "2.0":
        variables = tuple(scalar for v in variables for scalar in v.scalars)
    settings, path = simulation.system.simulation, Path(path)
    digest = _digest(compiled, simulation.state, settings.step, variables, version)
    token = f"{{{UUID(bytes=digest[:16])}}}"
    header = Header(
        name=simulation.system.title or path.stem,
        identifier=_identifier(path.stem),
        token=token,
        description=simulation.system.description or simulation.system.title,
        tool=f"Fairlead {__version__}",
        duration=settings.duration,
        communication_step=settings.output_every if communication_step is None else communication_step,
    )
    content = Content(
        compiled, simulation.state, settings.step, variables, token, int.from_bytes(digest[16:24], "little")
    )
    files = {"modelDescription.xml": model_description(header, variables, version)}
    files |= _libraries(content, header.identifier, version, wanted)
    source = simulation.system.source
    if source is not None:
        files["resources/system.yaml"] = source.text.encode()
    _write(path, files)
    missing = tuple(name for name in kernel.TARGETS if name not in wanted) if targets is None else ()
    return Exported(path, version, wanted, missing, variables, tuple(simulation.warnings))


def _targets(names: Sequence[str] | None) -> tuple[str, ...]:
    every = tuple(kernel.TARGETS)
    if names is not None and not names:
        raise FmuError(f"name at least one target; there are {', '.join(every)}")
    for name in names or ():
        if name not in every:
            raise FmuError(f"there is no target '{name}'; there are {', '.join(every)}")
    wanted = link.linkable(every) if names is None else tuple(dict.fromkeys(names))
    if not wanted:
        raise FmuError(f"an FMU needs a linker, and this machine ({link.host()}) has no C compiler 'cc'; {link.CURE}")
    return wanted


def _exportable(simulation: Simulation) -> CompiledBars:
    compiled = simulation.compiled
    integrator = compiled.scheme
    if not isinstance(compiled, CompiledBars):
        raise FmuError(f"the formulation '{compiled.formulation}' cannot be an FMU; use simulation.formulation: bars")
    if integrator not in compiled.schemes:
        raise FmuError(f"the integrator '{integrator}' cannot be part of an FMU; use {' or '.join(compiled.schemes)}")
    return compiled


def _libraries(content: Content, identifier: str, version: str, targets: tuple[str, ...]) -> dict[str, bytes]:
    """Path in the FMU → shared library, for each target."""
    libraries = {}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        model = folder / "model.c"
        model.write_text(model_source(content), encoding="ascii")
        for target in targets:
            objects = []
            for number, code in enumerate(kernel.objects(target)):
                objects.append(folder / f"{target}_{number}.o")
                objects[-1].write_bytes(code)
            output = folder / f"{target}.so"
            link.library(version, target, model, objects, output)
            place = _folder(target, version, targets)
            libraries[f"binaries/{place}/{identifier}.so"] = output.read_bytes()
    return libraries


def _folder(target: str, version: str, targets: tuple[str, ...]) -> str:
    """FMI 2.0 knows `linux64` only: x86-64, or whatever else is the only one there."""
    if version == "2.0" and (target == "x86_64-linux" or "x86_64-linux" not in targets):
        return "linux64"
    return target


def _write(path: Path, files: dict[str, bytes]) -> None:
    """A zip file that depends on its content alone."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if name.endswith(".so") else 0o644) << 16
            archive.writestr(entry, content)


def _digest(
    compiled: CompiledBars, state: np.ndarray, step: float, variables: tuple[Variable, ...], version: str
) -> bytes:
    """Of all that decides what the FMU computes and shows."""
    digest = hashlib.sha256()
    shown = [(v.name, v.causality, v.columns) for v in variables]
    facts = [__version__, version, source_fingerprint("formulations/bars"), step, int(compiled.kind), shown]
    digest.update(json.dumps(facts).encode())
    for values in (compiled.ints, compiled.reals, state):
        digest.update(values.tobytes())
    return digest.digest()


def _identifier(stem: str) -> str:
    name = re.sub(r"\W", "_", stem, flags=re.ASCII)
    return name if re.match(r"[A-Za-z_]", name) else f"fmu_{name}"
