"""Who may come in: hosts, origins and tokens, and what every answer says of the page's rights."""

from __future__ import annotations

import base64
import hashlib
import hmac
import ipaddress
import secrets
import socket
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

TOKEN_BYTES = 32


def is_loopback(address: str) -> bool:
    """Whether an address is reached from this machine alone."""
    if address == "localhost":
        return True
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True)
class Tokens:
    """One for each role: to look, to ask for what-ifs, and to feed measurements."""

    view: str = field(default_factory=lambda: secrets.token_hex(TOKEN_BYTES), repr=False)
    sandbox: str = field(default_factory=lambda: secrets.token_hex(TOKEN_BYTES), repr=False)
    feed: str = field(default_factory=lambda: secrets.token_hex(TOKEN_BYTES), repr=False)

    @classmethod
    def kept(cls, path: Path) -> Tokens:
        """Those of a file, which is made, for its owner's eyes only, where there is none.

        A file of an older version has no line for `feed`: its viewers' token then still feeds, as it did. `ValueError`
        says what is wrong with a file that cannot be used.
        """
        import os

        if not path.exists():
            new = cls()
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
                file.write(f"view {new.view}\nsandbox {new.sandbox}\nfeed {new.feed}\n")
            return new
        words = (line.split() for line in path.read_text(encoding="ascii", errors="replace").splitlines())
        found = {line[0]: line[1] for line in words if len(line) == 2}
        known = {"view", "sandbox"} <= found.keys() <= {"view", "sandbox", "feed"}
        if not known or any(len(token) < TOKEN_BYTES for token in found.values()):
            raise ValueError(
                f"{path}: is no file of tokens (lines 'view TOKEN', 'sandbox TOKEN' and 'feed TOKEN', each of "
                f"{TOKEN_BYTES} letters at least); name another, which will be made"
            )
        return cls(found["view"], found["sandbox"], found.get("feed", found["view"]))

    @property
    def is_shared(self) -> bool:
        """Whether whoever may look may also feed, as in files of older versions."""
        return self.feed == self.view


@dataclass(frozen=True)
class Guard:
    """The rules of one server.

    bind, port  where it listens
    tokens      of its viewers
    """

    bind: str
    port: int
    tokens: Tokens

    @property
    def local(self) -> bool:
        """Whether only this machine reaches it; its pages then need no token."""
        return is_loopback(self.bind)

    def knows_host(self, host: str | None) -> bool:
        """Whether a request came by a name that is ours.

        A page of somebody else's can let its own name lead here (DNS rebinding); then this name is in `Host`. An
        address in figures cannot be led astray.
        """
        if host is None:
            return False
        try:
            parts = urlsplit(f"//{host}")
            name, port = (parts.hostname or "").rstrip("."), parts.port
        except ValueError:
            return False
        if parts.path or parts.query or parts.fragment or "@" in host or (port or 80) != self.port:
            return False
        if self.local:
            return is_loopback(name)
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name in ("localhost", socket.gethostname().lower(), socket.getfqdn().lower())
        return True

    def knows_origin(self, origin: str | None, host: str | None) -> bool:
        """Whether a page of our own asks."""
        return origin is not None and host is not None and origin == f"http://{host}"

    def is_viewer(self, token: object) -> bool:
        """Whether this is the token of viewers."""
        return _same(token, self.tokens.view)

    def may_ask(self, token: object) -> bool:
        """Whether this is the token for what-ifs."""
        return _same(token, self.tokens.sandbox)

    def may_look(self, header: str | None) -> bool:
        """Whether a program shows the token of viewers in its header `Authorization`."""
        return self.is_viewer(_bearer(header))

    def may_feed(self, header: str | None) -> bool:
        """Whether a program shows the token for measurements in its header `Authorization`."""
        return _same(_bearer(header), self.tokens.feed)


def _bearer(header: str | None) -> str | None:
    return header[len("Bearer ") :].strip() if header is not None and header.startswith("Bearer ") else None


def _same(given: object, known: str) -> bool:
    return isinstance(given, str) and hmac.compare_digest(given.encode("utf-8", "replace"), known.encode("ascii"))


def headers(scripts: Iterable[str]) -> dict[str, str]:
    """Of every answer. ``scripts`` are the texts that stand in the page itself, allowed by their hashes."""
    digests = (hashlib.sha256(text.encode("utf-8")).digest() for text in scripts)
    hashes = " ".join(f"'sha256-{base64.b64encode(digest).decode('ascii')}'" for digest in digests)
    policy = (
        f"default-src 'none'; connect-src 'self'; script-src 'self' {hashes}; style-src 'self'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return {
        "content-security-policy": policy,
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "cache-control": "no-store",
    }
