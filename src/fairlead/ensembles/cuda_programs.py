"""What the threads of a GPU do, compiled when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import cuda
from numba.cuda.cudadrv.driver import binding, driver

from .cuda_arithmetic import quick_arithmetic
from .scratchpads import BYTES, THREADS, Scratchpad

BLOCK = 128
"""Threads a block, of those without a scratchpad."""


class Program:
    """A function of a thread; `pad` says what is in the scratchpad of its block, which is known once it is compiled:
    functions of other programs that it does not call may add to it later."""

    def __init__(self, function: Callable[..., Any], pad: Scratchpad | None = None, **options: Any) -> None:
        self._code, self._pad, self._ready, self._room = cuda.jit(function, **options), pad, False, 0

    def __call__(self, threads: int, *arguments: Any) -> None:
        """Run so many threads."""
        if not self._ready:
            self._compile(arguments)
        block = BLOCK if self._pad is None else THREADS
        self._code[-(-threads // block), block, 0, self._room](*arguments)

    def _compile(self, arguments: tuple[Any, ...]) -> None:
        with quick_arithmetic():
            kernel = self._code.compile(tuple(self._code.typeof_pyval(one) for one in arguments))
        if self._pad is not None:
            self._room = self._pad.bytes
            if self._room > BYTES:
                raise RuntimeError(
                    f"{self._room} bytes do not fit into the scratchpad of a GPU's processor, {BYTES} do"
                )
            function = kernel._codelibrary.get_cufunc()
            wish = binding.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
            driver.cuKernelSetAttribute(wish, self._room, function.handle, function.device.id)
        self._ready = True
