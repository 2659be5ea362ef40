"""Server of the demo: a separate process that ends with the program."""

import subprocess
import sys

import imapclient
import pytest

from nbmail.demo.server import USER


@pytest.fixture
def server():
    """Running server: process and port."""
    process = subprocess.Popen(
        [sys.executable, "-W", "error", "-m", "nbmail.demo.server"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    process.stdin.write("seagull\n")
    process.stdin.flush()
    yield process, int(process.stdout.readline())
    _, errors = process.communicate(timeout=60)
    assert not errors


def _login(port, password="seagull"):
    client = imapclient.IMAPClient("127.0.0.1", port, ssl=False, timeout=60)
    try:
        client.login(USER, password)
    except Exception:
        client.shutdown()
        raise
    return client


def test_it_serves_the_mailbox_and_keeps_keywords(server):
    client = _login(server[1])
    assert {name for _, _, name in client.list_folders()} == {"INBOX", "Junk", "Sorted"}
    client.select_folder("Sorted")
    assert len(client.search(["KEYWORD", "$Junk"])) == len(client.search(["KEYWORD", "$NotJunk"])) == 30
    client.select_folder("INBOX")
    known = client.search()
    assert len(known) > 250
    client.add_flags(known[:1], ["$Junk"])
    assert b"$Junk" in client.get_flags(known[:1])[known[0]]
    client.logout()
    with pytest.raises(imapclient.exceptions.LoginError):
        _login(server[1], "pelican")


def test_it_ends_when_its_input_closes(server):
    process, _ = server
    process.stdin.close()
    assert process.wait(60) == 0
    process.stdin = None
