"""Requests to addresses that mail chose: what is sent, and where no request goes."""

import contextlib
import socket

import pytest

from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.public_web import PublicWeb, is_public
from tests.web_server import WebServer


@pytest.fixture
def server(tmp_path):
    with contextlib.closing(WebServer(tmp_path)) as server:
        yield server


def refused(act):
    with pytest.raises(KnownError) as error:
        act()
    return error.value.error_code


def test_a_request_tells_the_server_nothing_but_the_address(server):
    server.answer("/picture", b"content", Content_Type="image/png", Set_Cookie="id=1")
    server.answer("/moved", status=302, Location="/picture", Set_Cookie="id=2")
    web = server.web()
    for path in ("/picture", "/moved"):
        answer = web.get(server.address(path), "image/png")
        assert (answer.status, answer.kind, answer.body) == (200, "image/png", b"content")
    assert {name.lower() for request in server.requests for name in request.headers} == {
        *("host", "user-agent", "accept", "accept-encoding", "connection")
    }
    assert {request.headers["User-Agent"] for request in server.requests} == {"Mozilla/5.0"}


def test_a_post_arrives_once_and_follows_no_redirect(server):
    server.answer("/out", status=302, Location="/elsewhere")
    server.answer("/done", b"ok")
    web = server.web()
    assert web.post(server.address("/out"), b"List-Unsubscribe=One-Click").status == 302
    assert web.post(server.address("/done"), b"List-Unsubscribe=One-Click").body == b"ok"
    assert [(request.method, request.path, request.body) for request in server.requests] == [
        ("POST", "/out", b"List-Unsubscribe=One-Click"),
        ("POST", "/done", b"List-Unsubscribe=One-Click"),
    ]


@pytest.mark.parametrize(
    "address",
    [
        *(
            "127.0.0.1",
            "127.8.9.1",
            "0.0.0.0",
            "10.0.0.1",
            "172.16.3.4",
            "192.168.1.1",
            "169.254.169.254",
        ),
        *(
            "100.64.0.1",
            "224.0.0.1",
            "239.255.255.250",
            "240.0.0.1",
            "255.255.255.255",
            "192.0.2.7",
            "198.18.0.1",
        ),
        *(
            "::1",
            "::",
            "fe80::1",
            "fe80::1%eth0",
            "fc00::1",
            "fd12::1",
            "ff02::1",
            "::ffff:127.0.0.1",
        ),
        *(
            "::ffff:10.1.2.3",
            "64:ff9b::10.0.0.1",
            "64:ff9b:1::1",
            "2002:7f00:1::",
            "::127.0.0.1",
            "2001:db8::1",
        ),
        "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    ],
)
def test_these_addresses_are_not_public(address):
    assert not is_public(address)


@pytest.mark.parametrize(
    "address", ["93.184.216.34", "2606:2800:220:1::1", "::ffff:93.184.216.34", "64:ff9b::1.1.1.1"]
)
def test_these_addresses_are_public(address):
    assert is_public(address)


def test_no_name_leads_to_a_private_address(server):
    """A name is resolved once per connection: a second, different answer has no effect."""
    asked = []

    def lying(host, port):
        asked.append(host)
        return ["127.0.0.1"] if len(asked) > 1 else ["192.168.7.7", "::1"]

    web = server.web(is_allowed=is_public, resolve=lying)
    assert refused(lambda: web.get(server.address("/"))) is ErrorCode.BAD_INPUT
    assert asked == ["localhost"]
    for host in ("localhost", "127.0.0.1", "0x7f.1", "2130706433", "[::1]"):
        assert (
            refused(lambda host=host: PublicWeb().get(f"https://{host}:{server.port}/")) is not None
        )
    assert server.requests == []


def test_a_redirect_leads_to_public_https_only(server):
    """The redirect target is resolved and checked like the first address."""
    server.answer("/away", status=302, Location="https://inside.example/")
    server.answer("/plain", status=302, Location="http://localhost/")
    server.answer("/file", status=302, Location="file:///etc/passwd")
    server.answer("/user", status=302, Location="https://me:secret@localhost/")
    server.answer("/near", status=301, Location="/picture")
    server.answer("/round", status=302, Location="/round")
    server.answer("/picture", b"content")
    names = {"localhost": ["127.0.0.1"], "inside.example": ["127.0.0.2"]}
    web = server.web(resolve=lambda host, port: names[host], is_allowed="127.0.0.1".__eq__)
    assert web.get(server.address("/near")).body == b"content"
    assert refused(lambda: web.get(server.address("/away"))) is ErrorCode.BAD_INPUT
    assert [
        web.get(server.address(path)).status for path in ("/plain", "/file", "/user", "/round")
    ] == [302] * 4
    assert [request.path for request in server.requests].count("/round") < 10


def test_unprotected_addresses_are_never_requested(server):
    for address in (
        "http://localhost/",
        "ftp://localhost/",
        "file:///etc/passwd",
        "https:///x",
        "https://me@localhost/",
    ):
        assert refused(lambda address=address: server.web().get(address)) is ErrorCode.BAD_INPUT
    assert (
        refused(lambda: PublicWeb(is_allowed=lambda address: True).get(server.address("/")))
        is ErrorCode.CERTIFICATE
    )
    other_name = server.web(resolve=lambda host, port: ["127.0.0.1"])
    assert (
        refused(lambda: other_name.get(server.address("/", "other.example")))
        is ErrorCode.CERTIFICATE
    )
    assert server.requests == []


def test_endless_answers_are_refused(server):
    server.answer("/long", b"x" * 1001)
    server.answer("/fits", b"x" * 1000)
    server.answer("/slow", lambda file: [file.write(b"x") for _ in range(900)])
    times = iter(range(0, 10_000, 10))
    web = server.web(largest=1000, clock=lambda: next(times))
    assert len(web.get(server.address("/fits")).body) == 1000
    assert refused(lambda: web.get(server.address("/long"))) is ErrorCode.BAD_INPUT
    assert refused(lambda: web.get(server.address("/slow"))) is ErrorCode.SERVER_GONE


def test_an_unknown_name_and_a_dead_server_have_different_errors(server):
    assert refused(lambda: PublicWeb().get("https://nowhere.invalid/")) is ErrorCode.NO_NETWORK
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        address = f"https://127.0.0.1:{bound.getsockname()[1]}/"
        assert refused(lambda: server.web().get(address)) is ErrorCode.SERVER_GONE
