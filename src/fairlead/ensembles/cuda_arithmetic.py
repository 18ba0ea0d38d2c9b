"""Quotients and square roots of double precision on a GPU, without branches.

A GPU has no instruction for either: a compiler calls for an approximation of 1/b or 1/√x, improves it by Newton's
method, and branches to another way for numbers that are very small, very large or none, zeros among them. A branch ends
what can be computed ahead, and 32 threads wait for the one that takes it. Here the improvement is made for all numbers,
and where it fails (b or x zero or infinite) the approximation stands, which is exact there. Quotients and roots are
right to the last place or the one next to it; those of numbers below 2e-308 are taken for those of 0.

The compiler of numba-cuda is handed these in the text of the code that it compiles, for the kernels of this package
alone and while no other thread compiles.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from numba.cuda.core.compiler_lock import global_compiler_lock
from numba.cuda.cudadrv import nvvm

_DECLARED = {
    "llvm.nvvm.rcp.approx.ftz.d": "declare double @llvm.nvvm.rcp.approx.ftz.d(double)",
    "llvm.nvvm.rsqrt.approx.d": "declare double @llvm.nvvm.rsqrt.approx.d(double)",
    "llvm.fma.f64": "declare double @llvm.fma.f64(double, double, double)",
}
# r ← r (1 + e + e²), e = 1 − b r; then q ← q + r (a − b q). Of a root likewise with 1/√x to e², then √x once more
_DEFINED = """
define linkonce_odr double @fairlead_quotient(double %a, double %b) alwaysinline {
  %r0 = call double @llvm.nvvm.rcp.approx.ftz.d(double %b)
  %minus = fsub double -0.0, %b
  %e = call double @llvm.fma.f64(double %minus, double %r0, double 1.0)
  %e2 = call double @llvm.fma.f64(double %e, double %e, double %e)
  %r = call double @llvm.fma.f64(double %r0, double %e2, double %r0)
  %q = fmul double %a, %r
  %left = call double @llvm.fma.f64(double %minus, double %q, double %a)
  %found = call double @llvm.fma.f64(double %left, double %r, double %q)
  %rough = fmul double %a, %r0
  %well = fcmp ord double %found, %found
  %chosen = select i1 %well, double %found, double %rough
  ret double %chosen
}
define linkonce_odr double @fairlead_root(double %x) alwaysinline {
  %y = call double @llvm.nvvm.rsqrt.approx.d(double %x)
  %s0 = fmul double %x, %y
  %minus0 = fsub double -0.0, %s0
  %e = call double @llvm.fma.f64(double %minus0, double %y, double 1.0)
  %c = call double @llvm.fma.f64(double %e, double 0.375, double 0.5)
  %ce = fmul double %c, %e
  %r = call double @llvm.fma.f64(double %y, double %ce, double %y)
  %s = fmul double %x, %r
  %minus = fsub double -0.0, %s
  %left = call double @llvm.fma.f64(double %minus, double %s, double %x)
  %half = fmul double %r, 0.5
  %found = call double @llvm.fma.f64(double %left, double %half, double %s)
  %well = fcmp ord double %found, %found
  %below = fcmp olt double %x, 0.0
  %none = select i1 %below, double 0x7FF8000000000000, double %x
  %chosen = select i1 %well, double %found, double %none
  ret double %chosen
}
"""
_DIVISION = re.compile(r"(%\S+) = fdiv (?:\w+ )*?double ([^,]+), ([^\s,]+)")
_ROOT = re.compile(r'call (?:\w+ )*?double @"?__nv_sqrt"?\(')
_ROOT_DECLARED = re.compile(r'^declare [^\n]*@"?__nv_sqrt"?\([^\n]*\n', re.MULTILINE)


def without_branches(code: str) -> str:
    """Code of LLVM with these quotients and roots in place of its own."""
    found = _DIVISION.sub(r"\1 = call double @fairlead_quotient(double \2, double \3)", code)
    found = _ROOT_DECLARED.sub("", _ROOT.sub("call double @fairlead_root(", found))
    if found == code:
        return code
    missing = [
        line for name, line in _DECLARED.items() if not re.search(rf'declare [^\n]*"?{re.escape(name)}"?\(', code)
    ]
    return "\n".join([found, *missing]) + _DEFINED


@contextmanager
def quick_arithmetic() -> Iterator[None]:
    """While this is open, what this thread compiles for a GPU has these; other threads wait with theirs."""
    with global_compiler_lock:
        usual: Callable[..., Any] = nvvm.compile_ir

        def compile_ir(code: str | Sequence[str], **options: Any) -> Any:
            parts = [code] if isinstance(code, str) else code
            return usual([without_branches(part) for part in parts], **options)

        nvvm.compile_ir = compile_ir
        try:
            yield
        finally:
            nvvm.compile_ir = usual
