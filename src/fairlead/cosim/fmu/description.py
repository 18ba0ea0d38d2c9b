"""`modelDescription.xml` for FMI 2.0 and 3.0."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as xml

from fairlead.model.units import parse_unit

from .variables import Variable

_CATEGORIES = {
    "logStatusError": "what was refused or went wrong, with its place, likely cause and cure",
    "logStatusWarning": "what should be known although all went well",
}
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*", re.ASCII)


@dataclass(frozen=True)
class Header:
    """What the description says of the FMU as a whole."""

    name: str
    identifier: str
    """Name of the shared library, a C identifier."""
    token: str
    description: str
    tool: str
    duration: float
    """s"""
    communication_step: float
    """Preferred distance of communication points, s."""


def model_description(header: Header, variables: Sequence[Variable], version: str) -> bytes:
    """The XML file. The value reference of a variable is its place in `variables`, from 1 on; 0 is the time."""
    root = _fmi2(header, variables) if version == "2.0" else _fmi3(header, variables)
    xml.indent(root)
    text: str = xml.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'.encode()


def _fmi2(header: Header, variables: Sequence[Variable]) -> xml.Element:
    root = _root(header, variables, fmiVersion="2.0", guid=header.token)
    _add(
        root, "CoSimulation", modelIdentifier=header.identifier, canHandleVariableCommunicationStepSize="true",
        canGetAndSetFMUstate="true", canSerializeFMUstate="true", canNotUseMemoryManagementFunctions="true",
    )  # fmt: skip
    _units(root, variables)
    _categories(root)
    _experiment(root, header)
    listed = _add(root, "ModelVariables")
    time = _add(
        listed, "ScalarVariable", name="time", valueReference="0", causality="independent", variability="continuous",
        description="simulated time",
    )  # fmt: skip
    _add(time, "Real", unit="s")
    for reference, v in enumerate(variables, 1):
        element = _add(listed, "ScalarVariable", name=v.name, valueReference=str(reference), **_kind(v))
        _add(element, "Real", **_real(v))
    structure = _add(root, "ModelStructure")
    given, outputs = _places(variables)
    if outputs:
        # the time is the first variable, and FMI 2 counts them from 1
        known = {"dependencies": "", "dependenciesKind": ""}
        unknowns = _add(structure, "Outputs")
        for k in outputs:
            _add(unknowns, "Unknown", index=str(k + 1), **known)
        initial = _add(structure, "InitialUnknowns")
        for k in outputs:
            _add(initial, "Unknown", index=str(k + 1), **_dependencies([i + 1 for i in given]))
    return root


def _fmi3(header: Header, variables: Sequence[Variable]) -> xml.Element:
    root = _root(header, variables, fmiVersion="3.0", instantiationToken=header.token)
    _add(
        root, "CoSimulation", modelIdentifier=header.identifier, canHandleVariableCommunicationStepSize="true",
        canGetAndSetFMUState="true", canSerializeFMUState="true",
    )  # fmt: skip
    _units(root, variables)
    _categories(root)
    _experiment(root, header)
    listed = _add(root, "ModelVariables")
    _add(
        listed, "Float64", name="time", valueReference="0", causality="independent", variability="continuous", unit="s",
        description="simulated time",
    )  # fmt: skip
    for reference, v in enumerate(variables, 1):
        element = _add(listed, "Float64", name=v.name, valueReference=str(reference), **_kind(v), **_real(v))
        for size in v.shape:
            _add(element, "Dimension", start=str(size))
    structure = _add(root, "ModelStructure")
    given, outputs = _places(variables)
    for k in outputs:
        _add(structure, "Output", valueReference=str(k), dependencies="", dependenciesKind="")
    for k in outputs:
        _add(structure, "InitialUnknown", valueReference=str(k), **_dependencies(given))
    return root


def _root(header: Header, variables: Sequence[Variable], **version: str) -> xml.Element:
    # names with a hyphen or letters beyond ASCII do not fit the structured naming of FMI
    parts = [re.sub(r"\[\d+\]", "", part) for v in variables for part in v.name.split(".")]
    structured = all(_IDENTIFIER.fullmatch(part) for part in parts)
    return xml.Element(
        "fmiModelDescription",
        {
            **version, "modelName": header.name, "description": header.description, "generationTool": header.tool,
            "variableNamingConvention": "structured" if structured else "flat",
        },
    )  # fmt: skip


def _units(root: xml.Element, variables: Sequence[Variable]) -> None:
    definitions = _add(root, "UnitDefinitions")
    for name in sorted({"s", *(v.unit for v in variables if v.unit)}):
        unit = _add(definitions, "Unit", name=name)
        _, powers = parse_unit(name.replace(".", "*"))
        _add(unit, "BaseUnit", **{base: str(p) for base, p in zip(("kg", "m", "s", "rad"), powers, strict=True) if p})


def _categories(root: xml.Element) -> None:
    categories = _add(root, "LogCategories")
    for name, text in _CATEGORIES.items():
        _add(categories, "Category", name=name, description=text)


def _experiment(root: xml.Element, header: Header) -> None:
    times = {"startTime": 0.0, "stopTime": header.duration, "stepSize": header.communication_step}
    _add(root, "DefaultExperiment", **{name: repr(float(value)) for name, value in times.items()})


def _kind(v: Variable) -> dict[str, str]:
    variability = "fixed" if v.causality == "parameter" else "continuous"
    return {"causality": v.causality, "variability": variability, "description": v.description}


def _real(v: Variable) -> dict[str, str]:
    """Attributes of the numbers of a variable."""
    attributes = {"unit": v.unit} if v.unit else {}
    if v.causality != "output":
        attributes |= {"min": repr(v.low), "max": repr(v.high), "start": " ".join(map(repr, v.start))}
    return attributes


def _places(variables: Sequence[Variable]) -> tuple[list[int], list[int]]:
    """Value references of what is given (inputs and parameters) and of the outputs."""
    outputs = [k for k, v in enumerate(variables, 1) if v.causality == "output"]
    return [k for k in range(1, 1 + len(variables)) if k not in set(outputs)], outputs


def _dependencies(on: Sequence[int]) -> dict[str, str]:
    return {"dependencies": " ".join(map(str, on)), "dependenciesKind": " ".join(["dependent"] * len(on))}


def _add(parent: xml.Element, tag: str, **attributes: str) -> xml.Element:
    return xml.SubElement(parent, tag, attributes)
