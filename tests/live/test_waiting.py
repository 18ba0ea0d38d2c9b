"""What a twin's address says while the twin is put together."""

from __future__ import annotations

import socket
from http.client import HTTPConnection

import pytest

from fairlead.algebra.compiled import cache_folder
from fairlead.live import station
from fairlead.live.server.guard import Guard, Tokens
from fairlead.live.waiting import waiting
from fairlead.studies.playing import _answers
from fairlead.twin import Twin

from .clients import own_port
from .test_station import twin  # noqa: F401


@pytest.fixture
def port():
    with own_port() as number:
        yield number


def asked(port: int, host: str = "127.0.0.1") -> tuple[int, str, str | None]:
    """Status, text and content-security policy."""
    line = HTTPConnection("127.0.0.1", port, timeout=60)
    line.request("GET", "/", headers={"Host": f"{host}:{port}"})
    answer = line.getresponse()
    text = answer.read().decode()
    line.close()
    return answer.status, text, answer.getheader("content-security-policy")


def test_it_says_what_is_waited_for_to_those_who_know_the_name_and_leaves_the_place_free(port):
    guard = Guard("127.0.0.1", port, Tokens())
    with waiting(guard, "compiling <once>"):
        status, text, policy = asked(port)
        assert (status, "compiling &lt;once&gt;" in text) == (503, True)
        assert "default-src 'none'" in policy
        assert asked(port, "somebody.example")[:2] == (403, "")
        assert not _answers("127.0.0.1", port), "who plays a sea goes on waiting"
        with waiting(guard, "another"):
            assert "compiling" in asked(port)[1], "one who comes second leaves it to the first"
    with socket.socket() as next_one:
        next_one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        next_one.bind(("127.0.0.1", port))


def test_the_first_start_on_a_machine_says_that_it_compiles_on_terminal_and_page(twin, monkeypatch, tmp_path):  # noqa: F811
    told, pages = [], []
    port = int(twin.read_text().partition("port: ")[2].partition(",")[0])

    def put_together(path):
        pages.append(asked(port))
        return Twin(path)

    for folder, name in (("compiled", "march.march-34.py311.1.nbc"), ("study", "streaming.fold-224.py311.1.nbc")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).touch()
    monkeypatch.setattr(station, "Twin", put_together)
    monkeypatch.setattr(station, "cache_folder", lambda part: tmp_path / "compiled")
    station.Station(twin, tell=told.append)
    assert not told, "it says nothing where that was done before"
    monkeypatch.setattr(station, "cache_folder", lambda part: tmp_path / "study")
    station.Station(twin, tell=told.append)
    assert told == ["compiling (once, about a minute)"], "what a study compiled of ensembles is no twin's"
    assert any(cache_folder("ensembles").rglob("march.march-*.nbc")), "so it is called where the twins above left it"
    assert [status for status, *_ in pages] == [503, 503]
    assert "8 members find their equilibrium" in pages[0][1]
    assert told[0] in pages[1][1]
