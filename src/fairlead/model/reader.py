"""YAML 1.2 (and so JSON) into plain data with the place of every value.

The tree is built here from the parser's events rather than by a YAML constructor: no tag can make an object, nothing
recurses, and depth, size and aliases are bounded before any of it costs memory.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)
from ruamel.yaml.reader import ReaderError

from fairlead.model.problems import Location, Mistake, shown
from fairlead.model.source import Place

MOST_CHARACTERS = 5_000_000
MOST_VALUES = 200_000
MOST_DEPTH = 40
MOST_OUTERMOST = 2000
"""Keys at the outermost level: a model has about twenty. Each takes a fifth of a millisecond to read and explain."""
_OUTERMOST = re.compile(r"^[^\s#'\"\[\]{}&*!|>%@`,-][^\n]*?:(?=\s|$)", re.MULTILINE)

_INTEGER = re.compile(r"[-+]?[0-9]+")
_OCTAL_OR_HEX = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_WORDS: dict[str, Any] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
    **{sign + word: float(sign + "inf") for sign in ("", "+", "-") for word in (".inf", ".Inf", ".INF")},
}


@dataclass(frozen=True)
class Document:
    """What a file says: its data, the places in it, and what is wrong with it as YAML, duplicate keys above all."""

    data: Any
    root: Place | None
    mistakes: tuple[tuple[Mistake, int | None, int | None], ...]


class _Unreadable(Exception):
    """Stops the reading; the file cannot be understood beyond this point."""

    def __init__(self, message: str, hint: str, mark: Any = None) -> None:
        super().__init__(message)
        self.mistake = Mistake((), message, hint)
        self.line = None if mark is None else mark.line + 1
        self.column = None if mark is None else mark.column + 1


@dataclass
class _Open:
    """A mapping or list being filled. `size` counts the values inside once aliases are written out."""

    data: dict[str, Any] | list[Any]
    place: Place
    location: Location
    anchor: str | None
    size: int = 1
    key: str | None = None
    key_mark: Any = None
    waits_for_value: bool = False
    merged: list[tuple[Any, Place]] = field(default_factory=list)


def read(text: str) -> Document:
    """Reads one YAML or JSON document. Never raises: what is wrong is in `mistakes`."""
    if len(text) > MOST_CHARACTERS:
        message = f"the file has {len(text)} characters, more than {MOST_CHARACTERS}"
        return Document(None, None, ((Mistake((), message, "give the elements as length and number"), None, None),))
    keys = _outermost_keys(text)
    if keys > MOST_OUTERMOST:
        message = f"the file has {keys} keys at its outermost level, more than {MOST_OUTERMOST}"
        hint = "it is no model, or its indentation was lost: points, cables and the like stand below their section"
        return Document(None, None, ((Mistake((), message, hint), None, None),))
    if text.lstrip("\ufeff \t\r\n").startswith("{"):
        # YAML forbids some of the tabs that JSON allows; inside JSON strings there are none, so none is lost.
        text = text.replace("\t", " ")
    builder = _Builder()
    try:
        builder.build(text)
    except _Unreadable as stop:
        builder.mistakes.append((stop.mistake, stop.line, stop.column))
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        what = "; ".join(part for part in (error.context, error.problem) if part)
        line, column = (None, None) if mark is None else (mark.line + 1, mark.column + 1)
        builder.mistakes.append((Mistake((), f"not valid YAML: {what}", _cure(what)), line, column))
    except ReaderError as error:
        line, column = text.count("\n", 0, error.position) + 1, error.position - text.rfind("\n", 0, error.position)
        what = f"holds a character that text cannot have, number {error.character:#x}"
        builder.mistakes.append(
            (Mistake((), what, "remove it, and save the file as plain text in UTF-8"), line, column)
        )
    except (YAMLError, ValueError, TypeError, AttributeError, LookupError, AssertionError, RecursionError) as error:
        # Beside its own errors the parser lets a few plain ones escape on malformed escapes, directives and characters.
        builder.mistakes.append((Mistake((), f"not valid YAML: {shown(str(error), 200)}"), None, None))
    return Document(builder.root, builder.root_place, tuple(builder.mistakes))


def _outermost_keys(text: str) -> int:
    """How many there are, found without reading the file: of JSON by Python's own reader."""
    if text.lstrip("\ufeff \t\r\n").startswith("{"):
        try:
            found = json.loads(text.lstrip("\ufeff"))
        except (ValueError, RecursionError):
            return 0
        return len(found) if isinstance(found, dict) else 0
    return sum(1 for _ in _OUTERMOST.finditer(text))


def _cure(what: str) -> str:
    if "\\t" in what:
        return "indent with spaces, not tabs"
    if "mapping values are not allowed" in what:
        return "check the indentation, or put text that holds ': ' in quotes"
    return "check indentation, brackets and quotes just above"


class _Builder:
    """Turns parser events into data and places."""

    def __init__(self) -> None:
        self.root: Any = None
        self.root_place: Place | None = None
        self.mistakes: list[tuple[Mistake, int | None, int | None]] = []
        self._open: list[_Open] = []
        self._anchors: dict[str, tuple[Any, Place, int]] = {}
        self._size = 0

    def build(self, text: str) -> None:
        documents = 0
        for event in YAML(typ="safe", pure=True).parse(text):
            if isinstance(event, DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise _Unreadable("holds more than one document", "keep one and remove '---'", event.start_mark)
            elif isinstance(event, (MappingEndEvent, SequenceEndEvent)):
                done = self._open.pop()
                self._finish(done)
                self._put(done.data, done.place, done.size, event, done.anchor, is_key=False)
            elif isinstance(event, (ScalarEvent, MappingStartEvent, SequenceStartEvent)):
                if event.tag not in (None, "!"):
                    message = f"tags such as {shown(str(event.tag))} have no meaning here"
                    raise _Unreadable(message, "remove the tag", event.start_mark)
                self._start(event)
            elif isinstance(event, AliasEvent):
                if event.anchor not in self._anchors:
                    message = f"refers to {shown(event.anchor)}, which is not there"
                    raise _Unreadable(message, f"mark a value above with &{event.anchor}", event.start_mark)
                data, place, size = self._anchors[event.anchor]
                self._put(data, place, size, event, None, is_key=self._wants_key())

    def _start(self, event: Any) -> None:
        place = Place(event.start_mark.line + 1, event.start_mark.column + 1)
        if isinstance(event, ScalarEvent):
            if self._wants_key():
                self._put(event.value, place, 1, event, event.anchor, is_key=True)
            else:
                plain = event.implicit[0]
                self._put(scalar(event.value) if plain else event.value, place, 1, event, event.anchor, is_key=False)
            return
        if self._wants_key():
            raise _Unreadable("a key must be plain text", "put it in quotes", event.start_mark)
        if len(self._open) >= MOST_DEPTH:
            raise _Unreadable(f"nested deeper than {MOST_DEPTH} levels", "a model needs about six", event.start_mark)
        data: dict[str, Any] | list[Any] = {} if isinstance(event, MappingStartEvent) else []
        self._open.append(_Open(data, place, self._next_location(), event.anchor))

    def _wants_key(self) -> bool:
        return bool(self._open) and isinstance(self._open[-1].data, dict) and not self._open[-1].waits_for_value

    def _next_location(self) -> Location:
        if not self._open:
            return ()
        parent = self._open[-1]
        return (*parent.location, len(parent.data) if isinstance(parent.data, list) else str(parent.key))

    def _put(self, data: Any, place: Place, size: int, event: Any, anchor: str | None, is_key: bool) -> None:
        """Gives a finished value, or a key, to the mapping or list around it."""
        if is_key:
            if not isinstance(data, str):
                raise _Unreadable("a key must be plain text", "put it in quotes", event.start_mark)
            parent = self._open[-1]
            parent.key, parent.key_mark, parent.waits_for_value = data, event.start_mark, True
            return
        self._size += 1
        if max(self._size, size) > MOST_VALUES:
            hint = "give the elements as length and number, and use fewer aliases"
            raise _Unreadable(f"holds more than {MOST_VALUES} values", hint, event.start_mark)
        if anchor is not None:
            self._anchors[anchor] = (data, place, size)
        if not self._open:
            self.root, self.root_place = data, place
            return
        parent = self._open[-1]
        parent.size += size
        if isinstance(parent.data, list):
            parent.place.inside[len(parent.data)] = place
            parent.data.append(data)
            return
        parent.waits_for_value = False
        key, mark = str(parent.key), parent.key_mark
        if key == "<<":
            parent.merged.append((data, place))
        elif key in parent.data:
            first = parent.place.inside[key]
            message = "duplicate key" if len(parent.location) != 1 else "duplicate name"
            hint = f"it is already given in line {first.key_line}; remove or rename one of them"
            self.mistakes.append((Mistake((*parent.location, key), message, hint), mark.line + 1, mark.column + 1))
        else:
            parent.data[key] = data
            parent.place.inside[key] = Place(place.line, place.column, mark.line + 1, mark.column + 1, place.inside)

    def _finish(self, done: _Open) -> None:
        """Fills in the keys of `<<: *base`; keys given beside it win."""
        for data, place in done.merged:
            sources = [(data, place)] if isinstance(data, dict) else []
            if isinstance(data, list):
                sources = [(item, place.inside[index]) for index, item in enumerate(data)]
            if not sources or not isinstance(done.data, dict) or not all(isinstance(item, dict) for item, _ in sources):
                mistake = Mistake(
                    (*done.location, "<<"), "can only take in a mapping", "write '<<: *name_of_a_mapping'"
                )
                self.mistakes.append((mistake, place.line, place.column))
                continue
            for item, item_place in sources:
                for key, value in item.items():
                    if key not in done.data:
                        done.data[key] = value
                        done.place.inside[key] = item_place.inside[key]


def scalar(text: str) -> Any:
    """A plain scalar by the core schema of YAML 1.2: `no` and `1_000` stay text, `1e9` is a number."""
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        # Python refuses to read thousands of digits; as a float such a number is infinite and reported as that.
        return int(text) if len(text) < 400 else float(text)
    if _OCTAL_OR_HEX.fullmatch(text):
        return int(text, 0) if len(text) < 400 else float("inf")
    if _FLOAT.fullmatch(text):
        return float(text)
    return text
