"""A real window on a screen: keys in; labels and server keywords out."""

import os
import random
import time
from datetime import UTC, datetime, timedelta

import pytest

from tests.demo_letters import demo_letters
from tests.dovecot import PASSWORDS
from tests.e2e.running import Running, check_up, write_passwords, write_settings

ROUNDS = 20 if os.environ.get("NBMAIL_TORTURE") else 1


@pytest.fixture(scope="module")
def letters():
    """Raw messages of the demo: of the inbox, sorted spam and sorted good mail."""
    placed = [one for one in demo_letters() if not one.delay]
    done = [one for one in placed if one.folder == "Sorted"]
    return {
        "INBOX": [one.raw for one in placed if one.folder == "INBOX"],
        "Junk": [one.raw for one in done if one.is_spam],
        "Good": [one.raw for one in done if not one.is_spam],
    }


@pytest.fixture
def home(tmp_path, dovecot, letters):
    """A data folder with an account on a real server, mail and training folders."""
    dovecot.put(letters["Junk"], folder="Junk")
    dovecot.put(letters["Good"], folder="Good")
    client = dovecot.client()
    # Newer than all that is labelled, so that the first rows of the list are not.
    for number, letter in enumerate(letters["INBOX"][-40:]):
        client.append("INBOX", letter, msg_time=datetime.now(UTC) + timedelta(minutes=number))
    account = dovecot.account(ham_folders=("Good",), spam_folders=("Junk",))
    write_settings(tmp_path / "home", [account], after_mark="stay")
    write_passwords(tmp_path, PASSWORDS)
    return tmp_path / "home"


def start(tmp_path, home, screen):
    running = Running(tmp_path, "--home", home, screen=screen)
    screen.focus("nbmail")
    running.wait_for("the mail", lambda: running.count() == 40)
    running.wait_for("the first training", lambda: len(running.labels()) >= 60)
    running.until("the rows", hears_keys)
    return running


def hears_keys(shown):
    return shown["count"] >= 40 and shown["has_keys"] and not shown["dialogs"]


def test_mark_undo_export_and_quit(tmp_path, home, screen, dovecot):
    with start(tmp_path, home, screen) as running:
        before = running.labels()
        screen.press("Home", "exclam")
        marked = running.wait_for("the mark", lambda: running.labels().items() - before.items())
        assert [label for _, label in marked] == ["spam"]
        running.until("undo", lambda shown: shown["can_undo"])
        screen.press("ctrl+z")
        running.wait_for("the mark undone", lambda: running.labels() == before)
        screen.press("Home", "Down", "n")
        running.wait_for("the other mark", lambda: len(running.labels()) == len(before) + 1)
        client = dovecot.client()
        client.select_folder("INBOX", readonly=True)
        running.wait_for(
            "the keyword on the server",
            lambda: client.noop() and client.search(["KEYWORD", "$NotJunk"]),
        )
        screen.press("ctrl+e")
        screen.focus("Export model")
        screen.type(str(tmp_path / "mine.nbmodel"))
        screen.press("Return")
        running.wait_for("the export", (tmp_path / "mine.nbmodel").exists)
        running.until("the end of the dialog", lambda shown: not shown["dialogs"])
        screen.focus("nbmail")
        screen.press("ctrl+q")
        assert running.end() == (0, "")
    assert check_up(home) == []


def test_a_password_that_is_not_stored_is_requested(tmp_path, home, screen):
    write_passwords(tmp_path, {})
    with Running(tmp_path, "--home", home, screen=screen) as running:
        screen.focus("nbmail")
        running.until("the banner", lambda shown: "&password" in shown["remedy"])
        screen.press("alt+p")
        screen.focus("Password")
        screen.type(PASSWORDS["alice"])
        screen.press("Return")
        running.wait_for("the mail", lambda: running.count() == 40)
        running.wait_for(
            "the keyring", lambda: PASSWORDS["alice"] in (tmp_path / "keys.json").read_text()
        )
        running.until("the end of the dialog", lambda shown: not shown["dialogs"])
        screen.focus("nbmail")
        screen.press("ctrl+q")
        assert running.end() == (0, "")
    kept = [
        path
        for path in home.rglob("*")
        if path.is_file() and PASSWORDS["alice"].encode() in path.read_bytes()
    ]
    assert kept == []


def test_a_kill_while_marking_loses_no_stored_mark(tmp_path, home, screen):
    """Each round is killed while keys mark messages. The next has all marks on the disk."""
    chance = random.Random(4)
    seen = {}
    for _ in range(ROUNDS):
        with start(tmp_path, home, screen) as running:
            wait_for_labels(running, seen)
            screen.press("Home", *["Down"] * chance.randrange(20), "exclam")
            running.wait_for("a mark", lambda: len(running.labels()) > 60)
            end = time.monotonic() + chance.uniform(0.1, 0.8)
            while time.monotonic() < end:
                screen.press(
                    chance.choice(["exclam", "n"]), "Down", "exclam", "Down", "n", "ctrl+z"
                )
            running.freeze()
            seen = running.labels()
            assert len(seen) > 60
            running.kill()
    with start(tmp_path, home, screen) as running:
        wait_for_labels(running, seen)
        screen.press("ctrl+q")
        assert running.end() == (0, "")
    assert check_up(home) == []


def wait_for_labels(running, seen):
    running.wait_for("the labels of before", lambda: not seen or running.labels() == seen)
