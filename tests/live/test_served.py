"""`twin.serve()`: the page of a twin that a program moves by itself."""

from __future__ import annotations

import json
from urllib.request import Request, urlopen

import pytest
from twin.tows import SPEED, system, twin_file

from fairlead.twin import Twin

pytest.importorskip("uvicorn")


def get(page, part: str) -> bytes:
    asked = Request(page.address.partition("#")[0] + part, headers={"Authorization": f"Bearer {page._tokens.view}"})
    return urlopen(asked, timeout=20).read()


def test_a_twin_is_shown_while_a_program_moves_it():
    twin = Twin(twin_file(), system())
    with twin.serve(port=0) as page:
        assert page.address.startswith("http://127.0.0.1:")
        assert b"<html" in get(page, "").lower()
        for k in range(4):
            twin.put("stern.position", (SPEED * k, 0.0, -2.0), float(k))
            twin.advance(float(k))
        times = [sample["time"] for sample in json.loads(get(page, "trends"))["content"]]
        assert times == [0.0, 1.0, 2.0, 3.0]
        mean, low, high = json.loads(get(page, "trends"))["content"][-1]["values"]["tow.tension"]
        assert high - low > 2 * 1.64 * 0.05 * mean, "no band is narrower than what the bias of the load cell may do"
    twin.advance(4.0)
    with pytest.raises(OSError, match="refused"):
        get(page, "trends")


def test_a_port_that_is_taken_is_told():
    twin = Twin(twin_file(), system())
    with twin.serve(port=0) as page, pytest.raises(OSError, match="in use"):
        twin.serve(port=page._port)
