"""Who is let in, what they get, and that nobody who is rude or slow can disturb the others."""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import time

import numpy as np
import pytest

from fairlead.live.frames import HEAD, unpack
from fairlead.live.inputs.intake import Intake
from fairlead.live.inputs.rows import parse_message
from fairlead.live.inputs.stamps import Sorter
from fairlead.live.server import connections
from fairlead.live.server.guard import Guard, Tokens

from .clients import TOKENS, Client, Sea, served


@pytest.fixture(scope="module")
def sea():
    return Sea()


@pytest.fixture(scope="module")
def heard():
    return []


@pytest.fixture(scope="module")
def intake():
    return Intake("winch", lambda text, arrival: parse_message(text, None, {"tension": 1e3}), Sorter())


@pytest.fixture(scope="module")
def door(sea, heard, intake):
    async def ask(question):
        if "turn" not in question:
            raise ValueError("what if what?")
        return {"times": [0.0], "values": {}, "limits": [{"name": "tow", "probability": 0.5}]}

    with served(sea.board, viewers=8, inputs={"winch": intake}, acknowledge=heard.append, ask=ask) as (server, port):
        yield server, port


@pytest.fixture
def viewer(door, sea):
    client = Client(door[1])
    assert client.upgrade() == 101
    client.say({"hello": {}})
    client.until("header")
    yield client
    client.close()


def empty(door) -> None:
    """Wait until all have gone."""
    end = time.monotonic() + 10.0
    while door[0].viewers.present and time.monotonic() < end:
        time.sleep(0.02)
    assert door[0].viewers.present == 0


def test_a_viewer_gets_the_header_and_then_the_latest_frame(door, sea):
    client = Client(door[1])
    assert client.upgrade() == 101
    client.say({"hello": {}})
    header = client.until("header")
    assert header["schema"] == 1
    assert header["nodes"] == 21
    assert header["scene"]["title"] == "A tow"
    assert header["points"] == [{"node": 0, "off": [0, 0, 0]}, {"node": 20, "off": [0, 0, 0]}]
    assert not header["sandbox"]
    sea.show(7.25)
    frame = unpack(client.frame())
    while frame.time != 7.25:
        frame = unpack(client.frame())
    table = sea.shape.node_table(sea.row(7.25), 0)
    assert frame.position == pytest.approx(table[:, :3], abs=1e-4)
    assert frame.tension == pytest.approx(table[:, 6], rel=1e-6)
    assert frame.wall == 1e9 + 7.25
    client.close()


def test_a_frame_is_as_the_specification_has_it(sea):
    """24 bytes of head and 16 a node; 9,752 bytes for the 608 nodes of the front end."""
    sea.show(1.0)
    data = sea.board.frame
    assert len(data) == 24 + 16 * 21
    assert HEAD.size + 16 * 608 == 9752
    assert data[:4] == b"FLT1"
    assert struct.unpack_from("<I", data, 4)[0] == sea._pack.sequence
    assert struct.unpack_from("<d", data, 8)[0] == 1.0
    assert np.frombuffer(data, "<f4", offset=24)[2] == 0.0
    with pytest.raises(ValueError):
        unpack(b"FLT2" + data[4:])


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": ""}, 403),
        ({"origin": "", "authorization": f"Bearer {TOKENS.view}"}, 101),
        ({"origin": "http://evil.example", "authorization": f"Bearer {TOKENS.view}"}, 403),
        ({"origin": "", "authorization": "Bearer wrong"}, 403),
        ({"host": "evil.example:PORT", "origin": "http://evil.example:PORT"}, 403),
        ({"host": "127.0.0.1:PORT@evil.example"}, 403),
        ({"host": "127.0.0.1"}, 403),
        ({"host": "localhost:PORT", "origin": "http://localhost:PORT"}, 101),
    ],
)
def test_foreign_origins_and_names_are_refused(door, headers, status):
    """A page elsewhere, one without an origin, and one whose own name leads here (DNS rebinding)."""
    client = Client(door[1])
    given = {key: value.replace("PORT", str(door[1])) for key, value in headers.items()}
    assert client.upgrade(**given) == status
    client.close()


def test_the_page_is_served_with_a_policy_that_lets_nothing_else_in(door):
    client = Client(door[1])
    status, headers, body = client.ask("GET", "/")
    assert status == 200
    assert b"importmap" in body
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; connect-src 'self'; script-src 'self' 'sha256-")
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    for part, kind in (("live.js", "javascript"), ("three.module.min.js", "javascript"), ("live.css", "css")):
        status, headers, _ = client.ask("GET", f"/page/{part}")
        assert status == 200
        assert kind in headers["content-type"]
    for path in ("/page/..%2f..%2fpage.py", "/page/page.py", "/page/", "/etc/passwd", "/page/../page.py"):
        assert client.ask("GET", path)[0] == 404
    assert client.ask("GET", "/", host="evil.example")[0] == 403
    assert client.ask("POST", "/")[0] == 405
    client.close()


def test_tokens_are_needed_beyond_this_machine():
    guard = Guard("0.0.0.0", 8765, TOKENS)
    assert not guard.local
    assert guard.knows_host("192.168.1.7:8765")
    assert guard.knows_host(f"{socket.gethostname()}:8765")
    assert not guard.knows_host("evil.example:8765")
    assert not guard.knows_host("192.168.1.7:80")
    assert not guard.knows_host(None)
    assert not guard.is_viewer("")
    assert not guard.is_viewer(None)
    assert not guard.is_viewer(TOKENS.sandbox)
    assert Guard("::1", 8765, TOKENS).knows_host("[::1]:8765")
    with served(Sea().board, bind="0.0.0.0") as (_, port):
        for token, answer in ((None, 4403), ("w" * 64, 4403), (TOKENS.view, None)):
            client = Client(port)
            assert client.upgrade() == 101
            client.say({"hello": {"token": token}})
            if answer is None:
                client.until("header")
            else:
                assert client.closed() == answer
            client.close()
        client = Client(port)
        assert client.ask("GET", "/past")[0] == 403
        assert client.ask("GET", "/past", authorization=f"Bearer {TOKENS.feed}")[0] == 403
        assert client.ask("GET", "/past", authorization=f"Bearer {TOKENS.view}")[0] == 200
        client.close()


def test_tokens_are_long_and_a_file_of_them_is_for_its_owner_only(tmp_path):
    assert len({Tokens().view for _ in range(20)}) == 20
    assert len(bytes.fromhex(Tokens().view)) == 32
    assert Tokens().view not in repr(Tokens())
    path = tmp_path / "tokens"
    made = Tokens.kept(path)
    assert Tokens.kept(path) == made
    assert path.stat().st_mode & 0o077 == 0
    assert len({made.view, made.sandbox, made.feed}) == 3
    assert not made.is_shared
    path.write_text(f"view {made.view}\nsandbox {made.sandbox}\n")  # of an older version
    old = Tokens.kept(path)
    assert (old.view, old.sandbox, old.feed) == (made.view, made.sandbox, made.view)
    assert old.is_shared
    path.write_text("view short\n")
    with pytest.raises(ValueError, match="no file of tokens"):
        Tokens.kept(path)


def test_measurements_come_in_with_a_token_only(door, intake):
    client, good = Client(door[1]), f"Bearer {TOKENS.feed}"
    said = b'{"tension": 12.5}'
    assert client.ask("POST", "/inputs/winch", said)[0] == 403
    assert client.ask("POST", "/inputs/winch", said, authorization=f"Bearer {TOKENS.view}")[0] == 403
    assert client.ask("POST", "/inputs/winch", said, authorization=f"Bearer {TOKENS.sandbox}")[0] == 403
    assert client.ask("POST", "/inputs/winch", said, authorization=good)[0] == 202
    assert client.ask("POST", "/inputs/winch", b"[]", authorization=good)[0] == 422
    assert client.ask("POST", "/inputs/crane", said, authorization=good)[0] == 404
    assert [m.fields for m in intake._sorter.take(time.time() + 1.0)] == [{"tension": 12500.0}]
    assert client.ask("POST", "/inputs/winch", b"x" * 5000, authorization=good)[0] == 413
    client.close()


def test_an_alarm_is_acknowledged_and_a_what_if_needs_its_own_token(door, viewer, heard):
    viewer.say({"acknowledge": "tension of tow above 5 kN"})
    viewer.say({"ask": {"turn": 20}})
    assert "not allowed" in viewer.until("refused")
    assert heard == ["tension of tow above 5 kN"]
    asking = Client(door[1])
    asking.upgrade()
    asking.say({"hello": {"sandbox": TOKENS.sandbox}})
    assert asking.until("header")["sandbox"]
    asking.say({"ask": {"turn": 20}})
    assert asking.until("sandbox")["limits"][0]["probability"] == 0.5
    asking.say({"ask": {}})
    assert asking.until("refused") == "what if what?"
    asking.close()


def test_rude_messages_end_their_own_connection_only(door, viewer, sea):
    """1 MB in a frame, a wrong opcode, no UTF-8, no JSON, bytes for text, too many."""

    def closes(act) -> int | None:
        client = Client(door[1])
        assert client.upgrade() == 101
        client.say({"hello": {}})
        client.until("header")
        try:
            act(client)
        except ConnectionError:
            return None
        return client.closed()

    assert closes(lambda c: c.send(1, b"x" * (1 << 20))) in (1009, None)
    assert closes(lambda c: c.send(1, b"", length=1 << 62)) in (1009, 1002, None)
    assert closes(lambda c: c.send(7, b"what")) in (1002, None)
    assert closes(lambda c: c.send(1, b"\xff\xfe")) in (1007, None)
    assert closes(lambda c: c.send(1, b"[1, 2")) == 1003
    assert closes(lambda c: c.send(1, b"[" * 3000)) == 1003
    assert closes(lambda c: c.send(2, b"\x00\x01")) == 1003
    assert closes(lambda c: [c.say({"acknowledge": "a"}) for _ in range(40)]) == 1008
    sea.show(11.0)
    while unpack(viewer.frame()).time != 11.0:
        pass


def test_numbers_that_are_none_are_told_as_null(sea, viewer):
    sea.board.say("state", {"age": float("nan"), "ahead": float("inf"), "of": np.array([1.0, np.nan])})
    assert viewer.until("state") == {"age": None, "ahead": None, "of": [1.0, None]}


def test_more_viewers_than_there_is_room_for_are_sent_away_and_a_thousand_connects_stop_nothing(door, sea):
    empty(door)
    inside = [Client(door[1]) for _ in range(8)]
    for client in inside:
        assert client.upgrade() == 101
        client.say({"hello": {}})
        client.until("header")
    assert Client(door[1]).upgrade() == 403
    idle = []
    for _ in range(1000):
        with contextlib.suppress(OSError):
            idle.append(socket.create_connection(("127.0.0.1", door[1]), timeout=5))
        if len(idle) > 300:
            idle.pop(0).close()
    sea.show(13.0)
    for client in inside:
        while unpack(client.frame()).time != 13.0:
            pass
    for one in (*idle, *inside):
        one.close()
    empty(door)
    after = Client(door[1])
    end = time.monotonic() + 10.0
    while time.monotonic() < end:
        try:
            assert after.upgrade() == 101
            break
        except OSError:
            after = Client(door[1])
    after.close()


def test_who_reads_nothing_skips_and_costs_the_others_nothing():
    """A viewer with a small buffer that never reads: one frame waits for it, no queue grows, the other sees all."""
    big = Sea(nodes=4001)  # 64 kB a frame
    with served(big.board) as (server, port):
        slow, quick = Client(port), None
        slow.stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 17)
        slow.upgrade()
        slow.say({"hello": {}})
        quick = Client(port)
        quick.upgrade()
        quick.say({"hello": {}})
        quick.until("header")
        for k in range(200):
            big.show(float(k))
            while unpack(quick.frame()).time != float(k):
                pass
        assert server.viewers.present == 2
        seen = []
        slow.until("header")
        while not seen or seen[-1] < 199.0:
            seen.append(unpack(slow.frame()).time)
        assert seen[-1] == 199.0
        assert len(seen) < 150, "it skipped what it did not read in time"
        slow.close()
        quick.close()


def test_who_comes_late_gets_the_hour_before():
    sea = Sea()
    for k in range(4000):
        sea.show(float(k), keep=True)
        sea.board.say("trends", {"time": float(k), "values": {}})
    frames = sea.board.past()
    size = len(sea.board.frame)
    assert len(frames) == 3600 * size
    assert unpack(frames[:size]).time == 400.0
    assert unpack(frames[-size:]).time == 3999.0
    assert len(json.loads(sea.board.trends())["content"]) == 3600
    large = Sea(nodes=2001)
    for k in range(600):
        large.show(float(k), keep=True)
    assert len(large.board.past()) <= 8 << 20


HALF = b"GET / HTTP/1.1\r\nx-drip: "


def dripping(port: int) -> Client:
    """One whole request, so that the connection is known to ask; then a second that never ends."""
    client = Client(port)
    client.ask("GET", "/past")
    client.stream.sendall(HALF)
    return client


def test_slow_requests_without_a_token_do_not_lock_the_page(door, sea):
    """150 connections that drip a second request: others are served, and viewers stay."""
    watching = Client(door[1])
    assert watching.upgrade() == 101
    watching.say({"hello": {}})
    watching.until("header")
    slow = []
    for _ in range(150):
        slow.append(dripping(door[1]))
    assert len(door[0].connections) <= door[0].connections.most_per_address
    for _ in range(20):
        client = Client(door[1])
        assert client.ask("GET", "/past")[0] == 200
        client.close()
    coming = Client(door[1])
    assert coming.upgrade() == 101
    coming.say({"hello": {}})
    coming.until("header")
    sea.show(21.0)
    for viewer in (watching, coming):
        while unpack(viewer.frame()).time != 21.0:
            pass
    for one in (*slow, watching, coming):
        one.close()


def test_a_request_has_a_deadline_however_it_drips(monkeypatch):
    """The second request on a connection, too: each byte puts off what the server itself does about silence."""
    monkeypatch.setattr(connections, "REQUEST", 0.5)
    with served(Sea().board) as (server, port):
        for start in (b"", HALF, b"POST /inputs/winch HTTP/1.1\r\nhost: a\r\ncontent-length: 9999\r\n\r\n"):
            client = Client(port)
            client.ask("GET", "/past")
            client.stream.sendall(start)
            with contextlib.suppress(OSError):  # until it is cut off
                while True:
                    client.stream.sendall(b"a" if start else b"G")
                    time.sleep(0.05)
        while len(server.connections):
            time.sleep(0.01)


def test_who_does_not_say_who_it_is_takes_no_viewers_place(door, sea):
    empty(door)
    silent = [Client(door[1]) for _ in range(10)]
    for client in silent:
        assert client.upgrade() == 101
    inside = [Client(door[1]) for _ in range(8)]
    for client in inside:
        assert client.upgrade() == 101
        client.say({"hello": {}})
        client.until("header")
    assert door[0].viewers.present == 8
    for one in (*silent, *inside):
        one.close()
    empty(door)


class Ended:
    """A connection of the registry's own tests."""

    def __init__(self, waits: bool = True) -> None:
        self.keeps_waiting, self.transport, self.aborted = waits, self, False

    def is_closing(self) -> bool:
        return self.aborted

    def abort(self) -> None:
        self.aborted = True


def test_places_for_an_address_and_for_all():
    """The one that has waited longest goes; one that is being answered stays; another address is not touched."""
    room = connections.Connections(most=4, most_per_address=2)
    first, second, third, other = (Ended() for _ in range(4))
    busy = Ended(waits=False)
    assert room.enter(busy, ("a", 1))
    assert room.enter(first, ("a", 2))
    assert room.enter(second, ("a", 3))
    assert first.aborted
    assert not busy.aborted
    assert room.enter(other, ("b", 1))
    room.admit(("a", 3))  # a viewer now
    assert room.enter(third, ("a", 4))
    assert not second.aborted
    assert not other.aborted
    assert len(room) == 3
    assert not connections.Connections(most_per_address=0).enter(Ended(), ("c", 1))
