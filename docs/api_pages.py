"""The reference of the Python interface, written from the docstrings when the docs are built.

A module's page holds what its `__all__` names. Pages go into `docs/api/`, which git ignores. Docstrings here are plain
text with a few habits, which `as_rst` turns into what Sphinx reads: names in backticks, columns of names and meanings,
and text set in by four spaces for code and equations.
"""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PAGES = HERE / "api"
MODULES = {
    "fairlead": (),
    "fairlead.calls": (),
    "fairlead.model": (),
    "fairlead.simulate": (),
    "fairlead.statics": (),
    "fairlead.results": (),
    "fairlead.view": (),
    "fairlead.view.replay": (),
    "fairlead.view.film": (),
    "fairlead.view.report": (),
    "fairlead.view.showcase": (),
    "fairlead.study": (),
    "fairlead.studies": (),
    "fairlead.studies.verification": (),
    "fairlead.studies.benchmarks": (),
    "fairlead.studies.seismic": ("Spread", "co_simulation"),
    "fairlead.reduction": (),
    "fairlead.cosim.fmu": (),
    "fairlead.formulations": ("NAMES", "compile_system"),
    "fairlead.formulations.contract": (
        "Compiled", "Layout", "Block", "Failure", "Linearised", "Exportable", "UnsupportedSystem",
    ),
}  # fmt: skip
"""Modules of the reference; names where there is no `__all__`."""
COLUMNS = re.compile(r"^( *)([\w.*]+(?:, [\w.*]+)*) {2,}(\S.*)$")


def names_of(module: str) -> tuple[str, ...]:
    """The public names of a module, in its order."""
    names = MODULES[module] or tuple(import_module(module).__all__)
    return tuple(name for name in names if name != "__version__")


def home(module: str, name: str) -> str:
    """The page that describes a name: the first module that offers it under a name that no module has."""
    value = getattr(import_module(module), name)
    for other in MODULES:
        if f"{other}.{name}" in MODULES and not inspect.ismodule(value):
            continue
        if name in names_of(other) and getattr(import_module(other), name) is value:
            return other
    return module


def page(module: str) -> str:
    """The page of a module."""
    found = import_module(module)
    words = as_rst((inspect.getdoc(found) or "").splitlines())
    parts = [f"# `{module}`", "```{eval-rst}", f".. module:: {module}", "", *words, "", "```"]
    elsewhere = []
    for name in names_of(module):
        first = home(module, name)
        if first != module:
            elsewhere.append(f"{{py:obj}}`{name} <{first}.{name}>`")
            continue
        parts += ["", "```{eval-rst}", *_entry(module, name, getattr(found, name)), "```"]
    if elsewhere:
        parts += ["", f"Described elsewhere: {', '.join(elsewhere)}."]
    return "\n".join(parts) + "\n"


def _entry(module: str, name: str, value: Any) -> list[str]:
    if inspect.ismodule(value):  # `fairlead.statics`, a folder that can be called; `fairlead.plot`, one by another name
        called = f", and called it is :py:func:`fairlead.calls.{name}`" if callable(value) and name != "plot" else ""
        return [f"``{name}`` is the module :py:mod:`{value.__name__}`{called}."]
    if inspect.isclass(value):
        # of a part of the model the keys count; its methods are the checks of what is read
        members = [] if hasattr(value, "model_fields") and name != "System" else ["   :members:"]
        return [f".. autoclass:: {module}.{name}", *members]
    if inspect.isroutine(value):
        return [f".. autofunction:: {module}.{name}"]
    shown = ", ".join(f"``{part}``" for part in value) if isinstance(value, dict | tuple) else f"``{value}``"
    return [f".. py:data:: {module}.{name}", "", f"   {type(value).__name__}: {shown}"]


def as_rst(lines: list[str]) -> list[str]:
    """A docstring as reStructuredText."""
    out: list[str] = []
    block = ""  # "columns", "code", or neither
    for line in lines:
        after_blank = not out or not out[-1].strip()
        inset = line.startswith("    ")
        pair = None if inset else COLUMNS.match(line)
        if not line.strip():
            out.append("")
        elif inset and block == "code":
            out.append("   " + line)
        elif inset and after_blank:
            block = "code"
            out += [".. code-block:: text", "", "   " + line]
        elif inset and block == "columns":  # a meaning that goes on
            out.append("  " + escaped(line.strip()))
        else:
            out += [] if after_blank or (pair and block == "columns") or not (pair or block) else [""]
            block = "columns" if pair else ""
            out.append(f"* ``{pair.group(2)}``: {escaped(pair.group(3))}" if pair else escaped(line))
    return out


def escaped(line: str) -> str:
    """Text in which |x| is a size and no substitution."""
    return line if "`" in line else line.replace("|", "\\|")


def docstring(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Called by autodoc with the lines of a docstring, which are changed in place."""
    lines[:] = as_rst(lines)
    fields = getattr(obj, "model_fields", None)
    if what == "class" and isinstance(fields, dict) and fields:
        keys = ", ".join(f"``{key}``" for key in fields)
        lines += ["", f"Keys, as in :doc:`the model file </model_file>`: {keys}.", ""]


def signature(app: Any, what: str, name: str, obj: Any, options: Any, given: str, returned: str) -> Any:
    """Called by autodoc: a part of the model takes its keys, which the docstring lists."""
    return ("(**keys)", returned) if what == "class" and hasattr(obj, "model_fields") else None


def api() -> str:
    """What the modules are for, and the list of pages for the navigation."""
    rows = [
        f"| [`{module}`](api/{module}.md) | {(inspect.getdoc(import_module(module)) or '').splitlines()[0]} |"
        for module in MODULES
    ]
    tree = "\n".join(f"api/{module}" for module in MODULES)
    return (
        "| module | what it holds |\n|---|---|\n" + "\n".join(rows) + f"\n\n```{{toctree}}\n:hidden:\n\n{tree}\n```\n"
    )


def api_in_text() -> str:
    """Every public name with what it takes and the first line of what it is, module by module."""
    parts = []
    for module in MODULES:
        found = import_module(module)
        about = (inspect.getdoc(found) or "").splitlines()[0]
        parts += [f"## `{module}`", "", about, "", "| name | what it is |", "|---|---|"]
        for name in names_of(module):
            first = home(module, name)
            value = getattr(found, name)
            told = _first_sentence(value) if first == module else f"see `{first}`"
            parts.append(f"| `{_called(name, value)}` | {told.replace('|', chr(92) + '|')} |")
        parts.append("")
    return "\n".join(parts)


def _called(name: str, value: Any) -> str:
    """A name with the names of what it takes; of a part of the model, whose keys the model file lists, alone."""
    if not (inspect.isroutine(value) or inspect.isclass(value)) or hasattr(value, "model_fields"):
        return name
    try:
        taken = inspect.signature(value).parameters.values()
    except ValueError:
        return name
    if inspect.isclass(value) and issubclass(value, BaseException):
        return name
    marks = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    shown = [marks.get(one.kind, "") + one.name + ("" if one.default is one.empty else "=…") for one in taken]
    return f"{name}({', '.join(shown)})"


def _first_sentence(value: Any) -> str:
    if inspect.ismodule(value):
        return f"the module `{value.__name__}`"
    if inspect.isclass(value) or inspect.isroutine(value):
        return (inspect.getdoc(value) or "").splitlines()[0]
    return f"{type(value).__name__}"


def write_pages(app: Any = None) -> None:
    """Write the page of every module."""
    PAGES.mkdir(exist_ok=True)
    wanted = {PAGES / f"{module}.md": page(module) for module in MODULES}
    for path in set(PAGES.glob("*.md")) - set(wanted):
        path.unlink()
    for path, text in wanted.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def setup(app: Any) -> dict[str, object]:
    """Called by Sphinx."""
    app.setup_extension("sphinx.ext.autodoc")
    app.connect("builder-inited", write_pages)
    app.connect("autodoc-process-docstring", docstring)
    app.connect("autodoc-process-signature", signature)
    return {"parallel_read_safe": True}
