"""Checksums of a whole file, verified before HDF5 sees a byte of it.

A damaged sector in the structure of an HDF5 file can send the HDF5 library into an endless loop, which even Ctrl-C does
not end. So every file we write carries the SHA-256 of each of its blocks, behind the end that HDF5 knows of. HDF5 does
not look there, and cuts it off when another program changes the file. The layout, little-endian:

    SHA-256 of each block (32 bytes each)
    magic (16), size of a block (8), size of the content (8), SHA-256 of all of this (32)

The file is written in one act (:func:`.places.replace_file`) and what a run records later goes to a journal with hashes
of its own, so the checksums are valid from the moment the file has its name.
"""

from __future__ import annotations

import hashlib
import io
import os
import struct
from typing import TYPE_CHECKING

from .places import Patient

if TYPE_CHECKING:
    from typing_extensions import Buffer

MAGIC = b"fairlead sums 1\n"
BLOCK = 64 * 1024  # bytes
_FOOTER = struct.Struct("<16sQQ")
_HASH = hashlib.sha256().digest_size
_END = _FOOTER.size + _HASH


class DamagedContent(OSError):
    """Bytes of a file are not those that were written."""


def append_checksums(file: Patient) -> None:
    """Add the checksums to a file whose content is complete."""
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    hashes = []
    while len(block := file.read(BLOCK) or b""):
        hashes.append(hashlib.sha256(block).digest())
    head = b"".join(hashes) + _FOOTER.pack(MAGIC, BLOCK, size)
    file.seek(size)
    file.write(head + hashlib.sha256(head).digest())


class Checked(io.RawIOBase):
    """The content of an open file: every block is compared with its checksum before anybody reads from it.

    `has_checksums` is False for a file of another program or of an older version, and such a file is read as it is.
    Raises `DamagedContent` where checksums are there and do not fit.
    """

    def __init__(self, descriptor: int):
        super().__init__()
        self._descriptor = descriptor
        self._place = 0
        self._size = os.fstat(descriptor).st_size
        self._block = BLOCK
        self._hashes = b""
        self._known = bytearray()  # a 1 for each block that was compared
        self.has_checksums = self._find_checksums()

    def _find_checksums(self) -> bool:
        end = _read_at(self._descriptor, _END, max(self._size - _END, 0))
        if len(end) < _END or not end.startswith(MAGIC):
            return False
        _, self._block, size = _FOOTER.unpack_from(end)
        count = -(-size // self._block) if self._block else -1
        start = self._size - _END - _HASH * count
        if count < 0 or start != size:
            raise DamagedContent("the size is not the one that was written")
        self._hashes = _read_at(self._descriptor, _HASH * count, start)
        if hashlib.sha256(self._hashes + end[: _FOOTER.size]).digest() != end[_FOOTER.size :]:
            raise DamagedContent("the checksums are not those that were written")
        self._known = bytearray(count)
        self._size = size
        return True

    def readinto(self, buffer: Buffer) -> int:
        view = memoryview(buffer).cast("B")
        count = min(len(view), max(self._size - self._place, 0))
        if not count:
            return 0
        if self.has_checksums:
            for block in range(self._place // self._block, (self._place + count - 1) // self._block + 1):
                self._require(block)
        found = _read_at(self._descriptor, count, self._place)
        view[: len(found)] = found
        self._place += len(found)
        return len(found)

    def _require(self, block: int) -> None:
        if self._known[block]:
            return
        start = block * self._block
        content = _read_at(self._descriptor, min(self._block, self._size - start), start)
        if hashlib.sha256(content).digest() != self._hashes[_HASH * block : _HASH * (block + 1)]:
            raise DamagedContent(f"bytes {start} to {start + len(content)} are not those that were written")
        self._known[block] = 1

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        self._place = offset + {os.SEEK_SET: 0, os.SEEK_CUR: self._place, os.SEEK_END: self._size}[whence]
        return self._place

    def tell(self) -> int:
        return self._place

    def readable(self) -> bool:
        return True

    seekable = readable

    def fileno(self) -> int:
        return self._descriptor

    def close(self) -> None:
        if not self.closed:
            os.close(self._descriptor)
        super().close()


def _read_at(descriptor: int, count: int, place: int) -> bytes:
    """`count` bytes at a place, or fewer where the file ends."""
    parts = []
    while count > 0 and (part := os.pread(descriptor, count, place)):
        parts.append(part)
        count, place = count - len(part), place + len(part)
    return b"".join(parts)
