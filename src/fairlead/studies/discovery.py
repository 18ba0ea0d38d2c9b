"""Finding the studies of a folder: one module each, in the order of their names. Adding one is adding its file."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from fairlead.model.problems import suggestion


class UnknownStudy(ValueError):
    """No study of that name; the text says what there is."""


def names_in(package: ModuleType) -> tuple[str, ...]:
    """Names of the studies in a package."""
    return tuple(sorted(info.name for info in iter_modules(package.__path__) if not info.name.startswith("_")))


def chosen(package: ModuleType, wanted: tuple[str, ...]) -> tuple[str, ...]:
    """The wanted studies, all when none is named; each must be there."""
    known = names_in(package)
    unknown = [f"there is no '{name}'; {suggestion(name, known)}" for name in wanted if name not in known]
    if unknown:
        raise UnknownStudy("\n".join(unknown))
    return wanted or known


def study(package: ModuleType, name: str) -> ModuleType:
    """The module of one study."""
    return import_module(f"{package.__name__}.{name}")


def title(module: ModuleType) -> str:
    """The first line of a study's docstring."""
    return (module.__doc__ or "").strip().partition("\n")[0].rstrip(".")
