"""Passwords in a real Secret Service, or requested once a run without one."""

import os
import subprocess
import sys

import keyring
import keyring.errors
import pytest

from nbmail.settings import Account
from nbmail.sync.passwords import Passwords
from tests.needs import need_program

ALICE = Account("alice", host="imap.example.org", user="alice@example.org")
BOB = Account("bob", host="imap.example.org", user="bob@example.org")

INSIDE = """
from nbmail.settings import Account
from nbmail.sync.passwords import Passwords
import keyring
alice = Account("alice", host="imap.example.org", user="alice@example.org")
bob = Account("bob", host="imap.example.org", user="bob@example.org")
assert Passwords().get(alice) is None
assert Passwords().keep(alice, "gehe1m & l\\u00e4nger")
# Another run of the program finds the password in the keyring.
again = Passwords(lambda account: "asked " + account.name)
assert again.get(alice) == "gehe1m & l\\u00e4nger"
assert again.get(bob) == "asked bob"
again.forget(alice)
assert Passwords().get(alice) is None
print("secrets kept by", keyring.get_keyring().name)
"""


def test_in_a_real_secret_service(tmp_path):
    session = need_program("dbus-run-session")
    need_program("gnome-keyring-daemon")
    script = tmp_path / "inside.py"
    script.write_text(INSIDE)
    unlock = "printf '\\n' | gnome-keyring-daemon --unlock --components=secrets >/dev/null"
    environment = {**os.environ, "HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path), "PYTHONPATH": os.getcwd()}
    environment.pop("PYTHON_KEYRING_BACKEND", None)
    environment.pop("XDG_DATA_HOME", None)
    command = [session, "--", "sh", "-c", f"{unlock}; exec {sys.executable} {script}"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert "secrets kept by SecretService" in done.stdout


class Locked(keyring.backend.KeyringBackend):
    """Keyring that the user refuses to unlock."""

    priority = 9

    def get_password(self, service, username):
        raise keyring.errors.KeyringLocked("refused")

    def set_password(self, service, username, password):
        raise keyring.errors.KeyringLocked("refused")

    def delete_password(self, service, username):
        raise keyring.errors.KeyringLocked("refused")


@pytest.fixture(params=["none", "locked", "no.such.Backend", "os.path"])
def no_keyring(request, monkeypatch):
    """System without a keyring, with a locked one, or with one that can't be loaded."""
    before = keyring.get_keyring()
    if request.param in ("none", "locked"):
        keyring.set_keyring(Locked() if request.param == "locked" else keyring.backends.fail.Keyring())
    else:
        monkeypatch.setenv("PYTHON_KEYRING_BACKEND", request.param)
        monkeypatch.setattr(keyring.core, "_keyring_backend", None)
    yield
    keyring.set_keyring(before)


def test_without_a_keyring_the_password_is_requested_once_a_run(no_keyring):
    asked = []
    passwords = Passwords(lambda account: asked.append(account.name) or "secret")
    assert [passwords.get(ALICE) for _ in range(3)] == ["secret"] * 3
    assert passwords.of(BOB)() == "secret"
    assert asked == ["alice", "bob"]
    assert not passwords.keep(ALICE, "other")
    assert passwords.get(ALICE) == "other"
    passwords.forget(ALICE)
    assert passwords.get(ALICE) == "secret"
    assert asked == ["alice", "bob", "alice"]


def test_the_keyring_is_not_asked_for_known_passwords(monkeypatch):
    """The demo must not bring up the dialog that creates a keyring."""
    monkeypatch.setattr(keyring, "get_password", None)
    assert Passwords(known={"alice": "of the demo"}).get(ALICE) == "of the demo"


def test_only_stored_passwords_are_deleted_from_the_keyring(monkeypatch, no_keyring):
    """Some systems would offer to create a keyring."""
    deleted = []
    monkeypatch.setattr(keyring, "delete_password", lambda *given: deleted.append(given))
    passwords = Passwords()
    passwords.give(ALICE, "typed")
    passwords.forget(ALICE)
    assert (passwords.get(ALICE), deleted) == (None, [])


def test_a_missing_password_is_requested_again(no_keyring):
    asked = []
    passwords = Passwords(lambda account: asked.append(1))
    assert passwords.get(ALICE) is None
    assert passwords.get(ALICE) is None
    assert len(asked) == 2
