"""An FMU that Fairlead had no part in, built from C against the headers of the standard."""

from __future__ import annotations

import subprocess
import zipfile
from pathlib import Path

import fmpy

from fairlead.cosim.fmu import link

SOURCE = Path(__file__).parent / "foreign" / "body.c"


def build_body(folder: Path, position: tuple[float, float, float]) -> Path:
    """`body.fmu`: inputs force_a and force_b, parameter mass, output position."""
    library = folder / "body.so"
    command = [*link._compiler(link.host()), "-std=gnu11", "-O2", "-fPIC", "-shared", "-w"]
    headers = f"{fmpy.__path__[0]}/c-code"
    subprocess.run([*command, "-I", headers, str(SOURCE), "-o", str(library)], check=True)
    rows = ['<ScalarVariable name="mass" valueReference="1" causality="parameter" variability="fixed">'
            '<Real unit="kg" start="2000"/></ScalarVariable>']  # fmt: skip
    for first, name, kind in ((2, "force_a", "input"), (5, "force_b", "input"), (8, "position", "output")):
        for k, axis in enumerate("xyz"):
            start = f'start="{position[k]}"' if kind == "output" else 'start="0"'
            exact = ' initial="exact"' if kind == "output" else ""
            unit = "m" if kind == "output" else "N"
            rows.append(
                f'<ScalarVariable name="{name}.{axis}" valueReference="{first + k}" causality="{kind}" '
                f'variability="continuous"{exact}><Real unit="{unit}" {start}/></ScalarVariable>'
            )
    outputs = "".join(f'<Unknown index="{k}"/>' for k in (8, 9, 10))
    description = f"""<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="body" guid="{{body}}">
<CoSimulation modelIdentifier="body" canHandleVariableCommunicationStepSize="true"/>
<UnitDefinitions><Unit name="m"/><Unit name="N"/><Unit name="kg"/></UnitDefinitions>
<ModelVariables>{"".join(rows)}</ModelVariables>
<ModelStructure><Outputs>{outputs}</Outputs></ModelStructure>
</fmiModelDescription>"""
    path = folder / "body.fmu"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("modelDescription.xml", description)
        archive.write(library, "binaries/linux64/body.so")
    return path
