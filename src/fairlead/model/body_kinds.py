"""The kinds of bodies a file may describe."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, Discriminator, Tag

from fairlead.model.bodies import FreeBody, PrescribedBody
from fairlead.model.floaters import FloatingBody
from fairlead.model.kinds import known_kind, tag_of
from fairlead.model.part import TAG, Part

BODY_KINDS: dict[str, type[Part]] = {"free": FreeBody, "floating": FloatingBody, "prescribed": PrescribedBody}

Body = Annotated[
    Annotated[
        Annotated[FreeBody, Tag(TAG + "free")]
        | Annotated[FloatingBody, Tag(TAG + "floating")]
        | Annotated[PrescribedBody, Tag(TAG + "prescribed")],
        Discriminator(tag_of(BODY_KINDS)),
    ],
    BeforeValidator(known_kind("body", "a mapping with a kind and a position", BODY_KINDS)),
]
