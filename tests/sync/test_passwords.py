"""Passwords and sign-ins in a real Secret Service, in a small keyring, or in memory without one."""

import os
import subprocess
import sys

import keyring
import keyring.errors
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Account
from nbmail.sync.accounts.keyring_secrets import delete_secret, load_secret, store_secret
from nbmail.sync.accounts.passwords import Passwords
from nbmail.sync.mailbox_values import Issuer
from nbmail.sync.sign_in.grant_stores import FileGrants, KeyringGrants
from nbmail.sync.sign_in.grants import Grant
from tests.needs import need_program

ALICE = Account("alice", host="imap.example.org", user="alice@example.org")
BOB = Account("bob", host="imap.example.org", user="bob@example.org")
SHARED = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=50
)

INSIDE = """
from nbmail.settings import Account
from nbmail.sync.accounts.passwords import Passwords
import keyring
alice = Account("alice", host="imap.example.org", user="alice@example.org")
bob = Account("bob", host="imap.example.org", user="bob@example.org")
assert Passwords().get(alice) is None
assert Passwords().keep(alice, "gehe1m & l\\u00e4nger")
# Another run of the program finds the password in the keyring.
again = Passwords()
assert again.get(alice) == "gehe1m & l\\u00e4nger"
assert again.get(bob) is None
again.forget(alice)
assert Passwords().get(alice) is None
print("secrets kept by", keyring.get_keyring().name)
"""


def test_passwords_are_kept_in_a_real_secret_service(tmp_path):
    session = need_program("dbus-run-session")
    need_program("gnome-keyring-daemon")
    script = tmp_path / "inside.py"
    script.write_text(INSIDE)
    unlock = "printf '\\n' | gnome-keyring-daemon --unlock --components=secrets >/dev/null"
    environment = {
        **os.environ,
        "HOME": str(tmp_path),
        "XDG_RUNTIME_DIR": str(tmp_path),
        "PYTHONPATH": os.getcwd(),
    }
    hidden = ("PYTHON_KEYRING_BACKEND", "XDG_DATA_HOME")
    environment = {name: text for name, text in environment.items() if name not in hidden}
    command = [session, "--", "sh", "-c", f"{unlock}; exec {sys.executable} {script}"]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "secrets kept by SecretService" in done.stdout


class Locked(keyring.backend.KeyringBackend):
    """Keyring that the user refuses to unlock."""

    priority = 9

    def get_password(self, *given):
        raise keyring.errors.KeyringLocked("refused")

    set_password = delete_password = get_password


@pytest.fixture(params=["none", "locked", "no.such.Backend", "os.path"])
def no_keyring(request, monkeypatch):
    """System without a keyring, with a locked one, or with one that can't be loaded."""
    before = keyring.get_keyring()
    if request.param in ("none", "locked"):
        keyring.set_keyring(
            Locked() if request.param == "locked" else keyring.backends.fail.Keyring()
        )
    else:
        monkeypatch.setenv("PYTHON_KEYRING_BACKEND", request.param)
        monkeypatch.setattr(keyring.core, "_keyring_backend", None)
    yield
    keyring.set_keyring(before)


def test_without_a_keyring_a_password_lasts_until_the_end(no_keyring):
    passwords = Passwords()
    assert passwords.get(ALICE) is None
    assert not passwords.keep(ALICE, "secret")
    assert (passwords.get(ALICE), passwords.get(BOB)) == ("secret", None)
    passwords.forget(ALICE)
    assert passwords.get(ALICE) is None


def test_the_keyring_is_not_asked_for_known_passwords(monkeypatch):
    """A query may open the dialog that creates a keyring. So may a needless deletion."""
    for name in ("get_password", "delete_password"):
        monkeypatch.setattr(keyring, name, None)
    passwords = Passwords(known={"alice": "of the demo"})
    assert passwords.get(ALICE) == "of the demo"
    passwords.forget(ALICE)


@given(st.lists(st.integers(0, 5000), min_size=1, max_size=4))
@SHARED
def test_a_replaced_secret_is_read_back_and_leaves_no_parts(keys, lengths):
    """Secrets that one entry can't hold are split."""
    for length in lengths:
        secret = "".join(chr(97 + number % 26) for number in range(length))
        assert store_secret("entry", secret)
        assert load_secret("entry") == secret
    delete_secret("entry")
    assert load_secret("entry") is None
    assert keys.stored == {}


@given(st.integers(0, 6))
@SHARED
def test_a_write_that_fails_leaves_no_half_secret(keys, writes):
    keys.stored.clear()
    keys.left = 1_000_000
    assert store_secret("entry", "old" * 1000)
    keys.left = writes
    try:
        stored = store_secret("entry", "new" * 1000)
    except KnownError as error:
        assert (error.error_code, stored := False) == (ErrorCode.KEYRING_FAILED, False), (
            "not: no keyring"
        )
    assert load_secret("entry") in (("new" * 1000,) if stored else (None, "new" * 1000))


GRANT = Grant(
    Issuer("example", "https://example.org", "", "https://example.org/token", client_id="me"),
    "r" * 3000,
)


def test_a_grant_is_kept_in_the_keyring_or_in_a_file(keys, tmp_path):
    for store in (KeyringGrants("https://example.org", "anna"), FileGrants(tmp_path / "tokens")):
        assert store.load() is None
        store.store(GRANT)
        assert store.load() == GRANT
    assert KeyringGrants("https://example.org", "bob").load() is None
    assert (tmp_path / "tokens").stat().st_mode & 0o077 == 0
