"""A wheel with machine code, where one is asked for: `FAIRLEAD_WHEEL=x86_64 python -m build --wheel`.

Otherwise a wheel is plain Python, and the first run of each formulation compiles it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class MachineCode(BuildHookInterface):
    """Compiles the kernels in a process of its own, with what is installed there (`pip install -e '.[fmu]'`)."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        architecture = os.environ.get("FAIRLEAD_WHEEL")
        if self.target_name != "wheel" or not architecture or version == "editable":
            return
        root = Path(self.root)
        folder = root / "build" / f"machine_code-{architecture}"
        python = os.environ.get("FAIRLEAD_PYTHON", sys.executable)
        subprocess.run([python, str(root / "packaging" / "machine_code.py"), architecture, str(folder)], check=True)
        build_data["force_include"][str(folder)] = "fairlead/machine_code"
        build_data["tag"] = f"py3-none-manylinux_2_17_{architecture}"
        build_data["pure_python"] = False
