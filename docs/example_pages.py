"""A page for every example, and the gallery that leads to them, written from `examples.toml` when the docs are built.

The words come from the example itself, the numbers from `validation.json`, the pictures from `images/`. Pages go into
`docs/examples/`, which git ignores; one that has not changed is left alone, so that Sphinx need not read it again.
"""

from __future__ import annotations

import ast
import json
import re
import tomllib
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from PIL import Image

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parent / "examples"
IMAGES = HERE / "images"
PAGES = HERE / "examples"
THUMBNAILS = PAGES / "thumbnails"
TABLE = HERE / "examples.toml"
RECORDS = HERE / "validation.json"
LONGEST = 120
"""Lines of a file that a page shows in full."""


@dataclass(frozen=True)
class Example:
    """One entry of the table; see its first lines."""

    name: str
    group: str
    proof: dict[str, str]
    read: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    title: str = ""
    see: str = ""
    run: tuple[str, ...] = ()
    pictures: tuple[str, ...] = ()
    compare: tuple[str, ...] = ()
    script: str = ""
    film: str = ""
    claim: str = ""
    sources: tuple[Path, ...] = field(default=(), repr=False)

    @property
    def is_model(self) -> bool:
        """Whether `fairlead run` runs it."""
        return self.sources[0].suffix == ".yaml" and len(self.files) > 0 and (EXAMPLES / self.files[0]).is_file()

    @property
    def images(self) -> list[Path]:
        """Its pictures: the water round its hulls first, or the one of its name; films last."""
        found = [path for path in IMAGES.glob(f"{self.name}*") if path.stem.partition("-")[0] == self.name]
        return sorted(found, key=_rank)


def _rank(picture: Path) -> tuple[bool, bool, int]:
    return picture.suffix == ".gif", not picture.stem.endswith("-free_surface"), len(picture.stem)


def entries() -> list[Example]:
    """Every example of the table, group by group, in its order."""
    found = [_entry(name, row) for name, row in tomllib.loads(TABLE.read_text(encoding="utf-8")).items()]
    groups = list(dict.fromkeys(example.group for example in found))
    return sorted(found, key=lambda example: groups.index(example.group))


def _entry(name: str, row: dict[str, Any]) -> Example:
    values = {key: tuple(value) if isinstance(value, list) else value for key, value in row.items()}
    files = values.pop("files", (f"{name}.yaml",))
    sources = []
    for file in files:
        path = EXAMPLES / file
        sources += sorted(path.glob("*.yaml")) if path.is_dir() else [path]
    return Example(name=name, files=files, sources=tuple(sources), **values)


def missing() -> list[str]:
    """Files and folders in `examples/` that no entry of the table names; the page on Python lists the notebooks."""
    named = {file for example in entries() for file in example.files} | {"notebooks"}
    there = {path.name for path in EXAMPLES.iterdir() if not path.name.startswith((".", "__"))}
    return sorted(there - named)


def words(example: Example) -> tuple[str, str, str]:
    """Title, what it is, and what to see in it."""
    source = example.sources[0]
    text = source.read_text(encoding="utf-8")
    if source.suffix == ".py":
        first, _, rest = (ast.get_docstring(ast.parse(text)) or "").partition("\n")
        title, about = first.rstrip("."), _as_markdown(rest)
    else:
        found = re.search(r"^title:\s*(.+?)\s*$", text, re.MULTILINE)
        title = found.group(1).strip("'\"") if found else source.stem
        about = _as_markdown("\n".join(re.sub(r"^# ?", "", line) for line in head_of(text).splitlines()))
    about, _, seen = about.partition("What to look at:")
    seen = " ".join(example.see.split()) or seen.partition("Pictures: python")[0].strip()
    seen = seen[:1].upper() + seen[1:]
    if example.title and example.files[0] == source.parent.name:  # a folder: its files speak for themselves
        about = ""
    return example.title or title, about.strip(), seen


def head_of(text: str) -> str:
    """The comments with which a file begins."""
    lines = re.match(r"(?:#.*\n)+", text)
    return lines.group() if lines else ""


def _as_markdown(text: str) -> str:
    """Comments as a page shows them: what is set in by four spaces is code."""
    out, code = [], False
    for line in text.strip("\n").splitlines():
        inset = line.startswith("    ")
        if inset != code and (inset or line.strip()):
            out += ["```console"] if inset else ["```", ""]
            code = inset
        out.append(line[4:] if inset else line)
    return "\n".join([*out, "```"] if code else out)


def records_of(example: Example) -> list[tuple[str, dict[str, Any]]]:
    """The comparisons that hold for an example: name of the check and record, as kept by `make validation`."""
    kept = json.loads(RECORDS.read_text(encoding="utf-8"))
    return [
        (check, record)
        for check, pattern in example.proof.items()
        for record in kept.get(check, ())
        if fnmatchcase(record["name"], pattern)
    ]


def page(example: Example) -> str:
    """The page of an example."""
    title, about, seen = words(example)
    first, others = example.images[:1], example.images[1:]
    parts = [f"# {title}", about, *(_picture(path, title) for path in first), f"## What to see\n\n{seen}"]
    parts += [_picture(path, f"{title}: {path.stem.partition('-')[2].replace('_', ' ')}") for path in others]
    parts += [
        "## The number that proves it",
        _proof(example),
        "## Run it",
        _run(example),
        "## The file",
        _files(example),
    ]
    further = [f"[](../{page}.md)" for page in example.read if (HERE / f"{page}.md").exists()]
    if further:
        parts.append("Read on: " + ", ".join(further) + ".")
    return "\n\n".join(part for part in parts if part) + "\n"


def _picture(path: Path, alt: str) -> str:
    return f"```{{image}} ../images/{path.name}\n:alt: {alt}\n:class: picture\n```"


def _proof(example: Example) -> str:
    lines = ["| compared | value | reference | error | bound |", "|---|---|---|---|---|"]
    found = records_of(example)
    for _, record in found:
        cells = [record["name"].replace("|", "\\|")]
        cells += ["" if record[key] is None else f"{record[key]:.{n}g}" for key, n in NUMBERS.items()]
        lines.append("| " + " | ".join(cells) + " |")
    sources = dict.fromkeys(record["source"] for _, record in found)
    told = f"Reference: {'; '.join(sources)}." if sources else ""
    checks = ", ".join(f"[`fairlead verify {check}`](../validation.md#{anchor(check)})" for check in example.proof)
    again = f"Compared again by {checks}; each passes as long as its error is below its bound."
    return "\n\n".join(part for part in ("\n".join(lines) if found else "", example.claim, told, again) if part)


NUMBERS = {"value": 6, "reference": 6, "error": 2, "bound": 2}
"""What is shown of a record, and with how many digits."""


def anchor(heading: str) -> str:
    """The anchor that a heading gets."""
    return heading.lower().replace(" ", "-")


def _run(example: Example) -> str:
    name = example.name
    usual = [f"fairlead examples copy {name}", f"fairlead run {name}.yaml", f"fairlead view {name}.nc"]
    usual += [f"python {example.script} {name}.nc"] if example.script else []
    return "```console\n" + "\n".join(f"$ {line}" for line in example.run or usual) + "\n```"


def _files(example: Example) -> str:
    parts = []
    for path in example.sources:
        text = path.read_text(encoding="utf-8")
        language = "python" if path.suffix == ".py" else "yaml"
        lines = text[len(head_of(text)) if example.is_model else 0 :].rstrip().splitlines()
        place = path.relative_to(EXAMPLES.parent)
        shown = "\n".join(lines[:LONGEST])
        more = f"\n\nThe first {LONGEST} of {len(lines)} lines." if len(lines) > LONGEST else ""
        parts.append(f"{{download}}`{place} <../../{place}>`{more}\n\n```{language}\n{shown}\n```")
    return "\n\n".join(parts)


def gallery() -> str:
    """Cards that lead to the pages, by group, and the list of pages for the navigation."""
    parts, group = [], ""
    for example in entries():
        if example.group != group:
            parts += ["::::", ""] if group else []
            group = example.group
            parts += [f"## {group}", "", "::::{container} cards", ""]
        title = words(example)[0]
        link = f"examples/{example.name}.md"
        picture = [f"[![{title}](examples/thumbnails/{example.name}.png)]({link})", ""] if example.images else []
        parts += [":::{container} card", *picture, f"[{title}]({link})", ":::", ""]
    tree = "\n".join(f"examples/{example.name}" for example in entries())
    return "\n".join([*parts, "::::"]) + f"\n\n```{{toctree}}\n:hidden:\n\n{tree}\n```\n"


def gallery_in_text() -> str:
    """The same as a list: the file of each example, and the first sentence of what it says about itself."""
    parts, group = [], ""
    for example in entries():
        if example.group != group:
            parts += ["", f"## {example.group}", ""]
            group = example.group
        title, about, seen = words(example)
        told = " ".join((about or seen).split()) + " "
        sentence = re.split(r"(?<! al)(?<! Eq)(?<=[a-z0-9)])\.\s", told)[0].rstrip(" .:")
        parts.append(f"- [{title}](../examples/{example.files[0]}): {sentence}.")
    return "\n".join(parts)


def thumbnail(example: Example) -> None:
    """A small picture for the gallery: of a model the view in space, of a script the whole."""
    if not example.images:
        return
    source, target = example.images[0], THUMBNAILS / f"{example.name}.png"
    if target.exists() and target.stat().st_mtime >= source.stat().st_mtime:
        return
    with Image.open(source) as picture:
        small = picture.convert("RGB")
    wide, tall = small.size
    if example.is_model:
        small = small.crop((0, int(0.20 * tall), int(0.515 * wide), int(0.885 * tall)))
    small.thumbnail((480, 480), Image.Resampling.LANCZOS)
    small.quantize(64, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(target, optimize=True)


def write_pages(app: Any = None) -> None:
    """Write the page of every example, and take away those of examples that are gone."""
    THUMBNAILS.mkdir(parents=True, exist_ok=True)
    for example in entries():
        thumbnail(example)
    wanted = {PAGES / f"{example.name}.md": page(example) for example in entries()}
    for path in set(PAGES.glob("*.md")) - set(wanted):
        path.unlink()
    for path, text in wanted.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def setup(app: Any) -> dict[str, object]:
    """Called by Sphinx."""
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True}
