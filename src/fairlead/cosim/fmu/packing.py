"""An FMU from a system: everything put together in one zip file."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

import numpy as np

from fairlead import __version__
from fairlead.algebra.compiled import source_fingerprint
from fairlead.formulations import EXPORTING
from fairlead.formulations.contract import Compiled, Exportable, UnsupportedSystem
from fairlead.formulations.kernel_compiled import KernelCompiled
from fairlead.model import FloatingBody, ModelError, System, load_text
from fairlead.model.responses import MOTIONS
from fairlead.simulate import Simulation

from . import kernel, link
from .description import Header, model_description
from .errors import FmuError
from .kernel import TARGETS
from .parameters import Parameters, parameters_of
from .source import Content, model_source
from .start import start_of
from .variables import Variable, inputs_of, outputs_of

VERSIONS = ("2.0", "3.0")
Objects = Callable[[str], tuple[bytes, ...]]
"""Name of a target → object files for it."""
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


def default_outputs(compiled: Compiled, version: str = "3.0") -> tuple[str, ...]:
    """Forces of all cables on their supports, where points are, motions of floaters, what power take-offs do, the
    largest tension, and shape, velocity, tension and contact along all cables; these last only where there are arrays
    (FMI 2.0 would have thousands of variables)."""
    seabed = compiled.system.environment.seabed is not None
    forces = (f"{name}.force_{end}" for name in compiled.shape.cables for end in ("start", "end"))
    fixed = {name for name, point in compiled.system.points.items() if point.kind == "fixed"}
    points = (f"{name}.position" for name in compiled.shape.points if name not in fixed)
    fields = ("position", "velocity", "tension_effective", *(("contact_force",) if seabed else ()))
    along = (f"{name}.{field}" for name in compiled.shape.cables for field in fields)
    bodies = compiled.system.bodies.items()
    afloat = (f"{name}.{motion}" for name, body in bodies if isinstance(body, FloatingBody) for motion in MOTIONS)
    taken = (f"{name}.{quantity}" for name in compiled.system.ptos for quantity in ("stroke", "pto_force", "power"))
    return (*forces, *points, *afloat, *taken, "tension_max", *(along if version == "3.0" else ()))


def export(
    system: System | str | Path,
    path: str | Path,
    version: str = "3.0",
    *,
    inputs: Iterable[str] | None = None,
    outputs: Iterable[str] | None = None,
    parameters: Iterable[str] | None = None,
    targets: Sequence[str] | None = None,
    communication_step: float | None = None,
) -> Exported:
    """Write `system` (or the file that describes it) to `path` as an FMU for co-simulation that needs no Python.

    version             of FMI, "3.0" or "2.0"
    inputs              names as `Simulation.step` takes them (`B.position`)
    outputs             names as `Simulation.step` has them (`left.force_end`, `M.position`, `left.tension_effective`)
    parameters          paths of values in the file (`environment.water_density`, `types.wire.axial_stiffness`) that may
                        be set before the run begins
    targets             machines it shall run on, of `TARGETS`; by default all of Linux that can be linked for here
    communication_step  distance of communication points to suggest to the host (s)

    What is not given is taken from the section `fmu` of the file, and what is not there either is all that is useful:
    all inputs, the forces of all cables on their supports, all points that can move, motions of floaters, what power
    take-offs do, the largest tension and, with FMI 3.0, position, velocity, tension and contact along all cables; all
    parameters that have an effect,
    `output_every`.

    An input that is never set follows the motion in the file. A step of the host is taken in equal steps no longer than
    `simulation.step`, as `Simulation.step` does. When a parameter is set to another value, the first shape is made
    anew. Under FMI 2.0 vectors are three variables (`B.position.x`), and where several targets are asked for, FMI 2.0
    has a folder of its own only for x86-64: hosts look for others under the name FMI 3.0 gives them, if at all.
    """
    check_version(version)
    if communication_step is not None and not 0.0 < communication_step < np.inf:
        raise FmuError(f"communication_step must be a positive number of seconds, not {communication_step!r}")
    wanted = wanted_targets(targets)
    simulation = Simulation(system)
    compiled, choice = exportable(simulation), simulation.system.fmu
    chosen = choice.parameters if parameters is None else parameters
    changeable = parameters_of(compiled, chosen, simulation.statics is not None)
    shown = choice.outputs if outputs is None else outputs
    variables = (
        *inputs_of(compiled, simulation.outputs().row, choice.inputs if inputs is None else inputs),
        *outputs_of(compiled, default_outputs(compiled, version) if shown is None else shown),
        *changeable.variables,
    )
    if version == "2.0":
        variables = tuple(scalar for v in variables for scalar in v.scalars)
    settings, path = simulation.system.simulation, Path(path)
    token, fingerprint = identity_of(compiled, simulation.state, changeable, variables, version)
    header = Header(
        name=simulation.system.title or path.stem,
        identifier=identifier_of(path.stem),
        token=token,
        description=simulation.system.description or simulation.system.title,
        tool=f"Fairlead {__version__}",
        duration=settings.duration,
        communication_step=communication_step or choice.communication_step or settings.output_every,
    )
    ours = told(compiled)
    content = Content(
        compiled, ours, simulation.state, start_of(compiled, simulation.state, changeable),
        changeable, settings.step, variables, token, fingerprint,
    )  # fmt: skip
    files = {"modelDescription.xml": model_description(header, variables, version)}
    files |= libraries(
        model_source(content),
        header.identifier,
        version,
        wanted,
        "kernel.c",
        lambda target: kernel.objects(target, ours.entry),
    )
    files["resources/system.yaml"] = _text_of(simulation.system).encode()
    write(path, files)
    warnings = (*simulation.warnings, *changeable.notes)
    return Exported(path, version, wanted, missing_targets(wanted, targets), variables, warnings)


def _text_of(system: System) -> str:
    """The system as a file: the one it was read from where that says all of it, else one that does."""
    source = system.source
    if source is not None:
        with contextlib.suppress(ModelError):
            if load_text(source.text, source.path) == system:
                return source.text
    return system.to_yaml()


def check_version(version: str) -> None:
    if version not in VERSIONS:
        raise FmuError(f"there is no FMI version {version!r} here; use one of {', '.join(VERSIONS)}")


def wanted_targets(names: Sequence[str] | None) -> tuple[str, ...]:
    every = tuple(kernel.TARGETS)
    usual = tuple(target.name for target in kernel.TARGETS.values() if target.is_usual)
    if names is not None and not names:
        raise FmuError(f"name at least one target; there are {', '.join(every)}")
    for name in names or ():
        if name not in every:
            raise FmuError(f"there is no target '{name}'; there are {', '.join(every)}")
    wanted = link.linkable(usual) if names is None else tuple(dict.fromkeys(names))
    if not wanted:
        raise FmuError(f"an FMU needs a linker, and this machine ({link.host()}) has no C compiler 'cc'; {link.CURE}")
    return wanted


def missing_targets(wanted: tuple[str, ...], asked: Sequence[str] | None) -> tuple[str, ...]:
    """Machines an FMU was not made for although nobody said which are wanted."""
    if asked is not None:
        return ()
    return tuple(target.name for target in kernel.TARGETS.values() if target.is_usual and target.name not in wanted)


def exportable(simulation: Simulation) -> KernelCompiled:
    """What is compiled, where it can be made native."""
    compiled = simulation.compiled
    integrator = compiled.scheme
    if simulation.system.hydro is not None:
        raise FmuError("hydro: hulls whose water is solved for cannot be in an FMU; remove the section")
    if not isinstance(compiled, KernelCompiled) or not compiled.exports:
        raise FmuError(
            f"the formulation '{compiled.formulation}' cannot be an FMU; {', '.join(EXPORTING)} can: use "
            "simulation.formulation: bars"
        )
    if integrator not in compiled.schemes:
        raise FmuError(f"the integrator '{integrator}' cannot be part of an FMU; use {' or '.join(compiled.schemes)}")
    if simulation.system.inputs:
        raise FmuError(
            f"inputs: an FMU takes '{next(iter(simulation.system.inputs))}' from its host, not from the file; remove "
            "the section, and make an FMU of 'signals' that gives the values (see `fairlead fmu --help`)"
        )
    return compiled


def told(compiled: KernelCompiled) -> Exportable:
    """What of it an FMU needs."""
    try:
        return compiled.exportable()
    except UnsupportedSystem as error:
        raise FmuError(str(error)) from None


def libraries(
    model: str, identifier: str, version: str, targets: tuple[str, ...], kernel: str, objects_of: Objects
) -> dict[str, bytes]:
    """Path in the FMU → shared library, for each target, from the text of `model.c` (see `link.library`)."""
    found = {}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        source = folder / "model.c"
        source.write_text(model, encoding="ascii")
        for target in targets:
            objects = []
            for number, code in enumerate(objects_of(target)):
                objects.append(folder / f"{target}_{number}.o")
                objects[-1].write_bytes(code)
            output = folder / f"{target}.so"
            link.library([link.NATIVE / f"fmi{version[0]}.c"], target, source, kernel, objects, output)
            place = _folder(target, version, targets)
            found[f"binaries/{place}/{identifier}{TARGETS[target].ending}"] = output.read_bytes()
    return found


def _folder(target: str, version: str, targets: tuple[str, ...]) -> str:
    """FMI 2.0 knows `win64` and `linux64` only, which is x86-64, or whatever else of Linux is the only one there."""
    if version == "2.0" and (target != "aarch64-linux" or "x86_64-linux" not in targets):
        return TARGETS[target].fmi2
    return target


def write(path: Path, files: dict[str, bytes]) -> None:
    """A zip file that depends on its content alone."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if name.endswith((".so", ".dll")) else 0o644) << 16
            archive.writestr(entry, content)


def identity_of(
    compiled: KernelCompiled, state: np.ndarray, changeable: Parameters, variables: tuple[Variable, ...], version: str
) -> tuple[str, int]:
    """Token of the model and fingerprint of its states, from all that decides what the FMU computes and shows."""
    shown = [(v.name, v.causality, v.columns, v.start) for v in variables]
    code = source_fingerprint(f"formulations/{compiled.formulation}")
    facts = [__version__, version, code, compiled.system.simulation.step, int(compiled.kind), shown]
    parts = (compiled.ints, compiled.reals, state, changeable.constants)
    return identity(json.dumps(facts).encode(), *(values.tobytes() for values in parts))


def identity(*parts: bytes) -> tuple[str, int]:
    """A token (a UUID) and 64 bits beside it that belong to these bytes alone."""
    digest = hashlib.sha256(b"".join(parts)).digest()
    return f"{{{UUID(bytes=digest[:16])}}}", int.from_bytes(digest[16:24], "little")


def identifier_of(stem: str) -> str:
    name = re.sub(r"\W", "_", stem, flags=re.ASCII)
    return name if re.match(r"[A-Za-z_]", name) else f"fmu_{name}"
