"""Hulls of floaters by coefficients, for pictures of a result: their meshes change no motion."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from fairlead.model import FloatingBody, ModelError, System


def drawn_hulls(system: System) -> dict[str, str]:
    """Meshes of the floaters that have one, as a result keeps hulls; nothing without them."""
    files = {name: body.mesh for name, body in system.bodies.items() if isinstance(body, FloatingBody) and body.mesh}
    if not files:
        return {}
    from fairlead.hydro.mesh_checks import MeshError
    from fairlead.hydro.mesh_files import read_mesh

    folder = Path(system.source.path).parent if system.source is not None else Path()
    found = {}
    for name, file in files.items():
        try:
            panels = read_mesh(folder / file)
        except MeshError as reason:
            raise ModelError([system.problem(f"bodies.{name}.mesh", str(reason))]) from None
        found[name] = {"vertices": np.round(panels.vertices, 4).tolist(), "quads": panels.quads.tolist()}
    return {"hydro_hulls": json.dumps(found)}
