"""Connections of the live server: who may be open at once, and how long a request may take.

A connection is a guest until it has shown that it is a viewer. Guests have few places, and few for each address.
Viewers have places of their own, which no guest can take. A guest has `REQUEST` seconds to send a whole request, each
time, and `ANSWER` seconds to take the answer. Where the places are full, a newcomer takes that of the guest who has
kept the server waiting for longest: whoever asks and goes is served, whoever drips bytes is not in the way.
"""

from __future__ import annotations

from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST = 10.0
"""Seconds within which a whole request must have come, head and body, from the connection or the last answer on."""
ANSWER = 60.0
"""Seconds within which an answer must have been taken."""
GUESTS = 64
GUESTS_PER_ADDRESS = 32

Address = tuple[str, int]


class Connections:
    """Guests of one server, oldest first, by the address of their end."""

    def __init__(self, most: int = GUESTS, most_per_address: int = GUESTS_PER_ADDRESS):
        self.most, self.most_per_address = most, most_per_address
        self._guests: dict[Guest, Address] = {}

    def __len__(self) -> int:
        self._forget_gone()
        return len(self._guests)

    def enter(self, guest: Guest, address: Address) -> bool:
        """Whether there is room, which may be made by sending another guest away."""
        self._forget_gone()
        own = [one for one, (host, _) in self._guests.items() if host == address[0]]
        if len(own) >= self.most_per_address:
            crowd = own
        elif len(self._guests) >= self.most:
            crowd = list(self._guests)
        else:
            self._guests[guest] = address
            return True
        slowest = next((one for one in crowd if one.keeps_waiting), None)
        if slowest is None:
            return False
        self.leave(slowest)
        slowest.transport.abort()
        self._guests[guest] = address
        return True

    def admit(self, address: Address | None) -> None:
        """This one is a viewer now, and no guest any more."""
        for guest, known in list(self._guests.items()):
            if address is not None and known == tuple(address):
                self.leave(guest)

    def leave(self, guest: Guest) -> None:
        self._guests.pop(guest, None)

    def _forget_gone(self) -> None:
        """A socket that was upgraded has a protocol of its own, which does not tell that it is gone."""
        for guest in [one for one in self._guests if one.transport.is_closing()]:
            self.leave(guest)


class Guest(H11Protocol):
    """A connection with deadlines. `connections_of` is set by :func:`bounded`."""

    connections_of: Connections
    _timer: Any = None
    _entered = False

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        if not self.connections_of.enter(self, tuple((transport.get_extra_info("peername") or ("", 0))[:2])):
            transport.abort()
            return
        self._entered = True
        super().connection_made(transport)
        self._wait(REQUEST)

    @property
    def keeps_waiting(self) -> bool:
        """Whether it has not sent a whole request; or an upgraded one has not said who it is."""
        upgraded = self.transport.get_protocol() is not self
        return upgraded or self.conn.their_state in (h11.IDLE, h11.SEND_BODY)

    def _wait(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self.loop.call_later(seconds, self._is_late, seconds == REQUEST)

    def _is_late(self, first: bool) -> None:
        if self.transport.is_closing() or self.transport.get_protocol() is not self:
            return  # gone, or a viewer with rules of its own
        if self.keeps_waiting or not first:
            self.transport.abort()
        else:
            self._wait(ANSWER)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._wait(REQUEST)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._entered:
            return
        self.connections_of.leave(self)
        self._timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._entered and not self.transport.is_closing():
            super().data_received(data)


def bounded(connections: Connections) -> type[Guest]:
    """The protocol of one server."""
    return type("Bounded", (Guest,), {"connections_of": connections})
