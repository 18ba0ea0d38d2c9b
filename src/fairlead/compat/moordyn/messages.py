"""What a system has to say: to the terminal and to a file, each from a level on."""

from __future__ import annotations

import sys
from pathlib import Path

from .constants import ERRCODE_INVALID_OUTPUT_FILE, LEVEL_ERR, LEVEL_MSG, LEVEL_WRN, MoorDynError

WORDS = {LEVEL_ERR: "ERR", LEVEL_WRN: "WRN", LEVEL_MSG: "MSG"}


class Messages:
    """Errors only on the terminal, as a program behind another one should; `Create` writes no file."""

    def __init__(self) -> None:
        self.terminal, self.level = LEVEL_ERR, LEVEL_MSG
        self._path: Path | None = None

    def to_file(self, path: str) -> None:
        """Write to a file from now on, which is begun anew; none for an empty name."""
        self._path = Path(path) if path else None
        if self._path is not None:
            self._write("", "w")

    def tell(self, level: int, text: str) -> None:
        line = f"{WORDS.get(min(level, LEVEL_ERR), 'DBG')} {text}\n"
        if level >= self.terminal:
            sys.stderr.write(line)
        if self._path is not None and level >= self.level:
            self._write(line, "a")

    def _write(self, text: str, mode: str) -> None:
        assert self._path is not None
        try:
            with self._path.open(mode, encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            path, self._path = self._path, None
            raise MoorDynError(ERRCODE_INVALID_OUTPUT_FILE, f"{path}: {error.strerror or error}") from None

    def close(self) -> None:
        self._path = None
