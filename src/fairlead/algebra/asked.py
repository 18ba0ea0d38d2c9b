"""Kernels that systems share: what a kernel asks of what is known of a system (`Schema.knowing`), and so for which
others the same code will do.

Entries see the systems of a schema in several ways: without hubs, without joints that only pull, in eights or not. Each
way is a type, and numba compiles a kernel for every type it is called with. Most kernels ask nothing of what the types
differ in, and neither does what they call: these are compiled for one of them, and the others are handed over as that
one. The machine code of an entry is the same, to the byte, as if it had kernels of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

IN_EIGHTS = "in eights"
"""What a kernel asks that takes rows eight at a time where it may; other words are counts and settings."""

_asking: list[set[str]] = [set()]
"""What the kernels that are being compiled have asked, the innermost last; first what was asked outside of any."""
_compiled: WeakKeyDictionary[Any, dict[tuple[Any, ...], tuple[frozenset[str], bool]]] = WeakKeyDictionary()
"""By a kernel's function: the types it was compiled for, what it asked, and whether other systems may be handed over as
these: not where it gives a system back, of which its caller may ask more."""


def note(word: str) -> None:
    """What is being compiled hangs on what is known of this."""
    _asking[-1].add(word)


def noting(compile_core: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel compiled, and what it asked kept."""

    def compile_and_keep(self: Any, args: Any, return_type: Any) -> Any:
        _asking.append(set())
        try:
            found = compile_core(self, args, return_type)
        finally:
            asked = _asking.pop()
        kept = frozenset(asked), not _has_system(found.signature.return_type)
        _compiled.setdefault(self.py_func, {})[tuple(args)] = kept
        return found

    return compile_and_keep


def as_one_it_knows(resolve: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel's signature; for systems that it cannot tell from those it was compiled for, the one for these."""

    def get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
        known = _compiled.setdefault(self.dispatcher.py_func, {})
        if not kws and args not in known and any(map(_has_system, args)):
            fit = (given for given, (asked, others) in known.items() if others and _are_same(given, args, asked))
            args = next(fit, args)
        found = resolve(self, context, args, kws)
        if args in known:
            _asking[-1].update(known[args][0])
        return found

    return get_call_type


def _has_system(kind: Any) -> bool:
    return hasattr(kind, "seen") or any(map(_has_system, getattr(kind, "types", ())))


def _are_same(given: tuple[Any, ...], args: tuple[Any, ...], asked: frozenset[str]) -> bool:
    """Whether a kernel that asked so much cannot tell these from one another."""
    return len(given) == len(args) and all(
        one == other or _is_same(one, other, asked) for one, other in zip(given, args, strict=True)
    )


def _is_same(one: Any, other: Any, asked: frozenset[str]) -> bool:
    if type(one) is not type(other) or not _has_system(one):
        return False
    if hasattr(one, "seen"):
        return bool(one.seen(asked) == other.seen(asked))
    is_named = getattr(one, "instance_class", None) is getattr(other, "instance_class", None)
    return is_named and _are_same(one.types, other.types, asked)
