"""The demo's server: a real IMAP server in its own process that ends with the program."""

import subprocess
import sys
import time

import imapclient
import pytest

from nbmail.demo.server import USER


@pytest.fixture
def server():
    """A running server: its process and port."""
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
    _, errors = process.communicate(timeout=10)
    assert not errors


def _login(port, password="seagull"):
    client = imapclient.IMAPClient("127.0.0.1", port, ssl=False, timeout=10)
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
    assert process.wait(10) == 0
    process.stdin = None


def test_it_ends_when_the_program_is_killed():
    owner = (
        "import subprocess, sys, time\n"
        "p = subprocess.Popen([sys.executable, '-m', 'nbmail.demo.server'],"
        " stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)\n"
        "p.stdin.write('seagull\\n'); p.stdin.flush()\n"
        "print(p.pid, p.stdout.readline().strip(), flush=True)\n"
        "time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", owner], stdout=subprocess.PIPE, text=True) as program:
        pid, _ = program.stdout.readline().split()
        program.kill()
        program.wait()
    deadline = time.monotonic() + 10
    while _alive(int(pid)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not _alive(int(pid))


def _alive(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
