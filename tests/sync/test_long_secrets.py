"""Secrets that one keyring entry can't hold are split, and a half-written one is never read."""

import keyring
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from keyring.backend import KeyringBackend

from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.passwords import delete_secret, load_secret, store_secret
from nbmail.sync.sign_in.grants import FileGrants, Grant, KeyringGrants
from nbmail.sync.sign_in.issuers import Issuer


class SmallKeyring(KeyringBackend):
    """A keyring like that of Windows: 1,280 characters an entry. `left`: writes until it fails."""

    priority = 1

    def __init__(self):
        super().__init__()
        self.entries, self.left = {}, 1_000_000

    def get_password(self, service, username):
        return self.entries.get(username)

    def set_password(self, service, username, password):
        self.left -= 1
        if len(password) > 1280 or self.left < 0:
            raise OSError(1783, "CredWrite")
        self.entries[username] = password

    def delete_password(self, service, username):
        if username not in self.entries:
            raise keyring.errors.PasswordDeleteError(username)
        del self.entries[username]


@pytest.fixture
def small():
    before = keyring.get_keyring()
    made = SmallKeyring()
    keyring.set_keyring(made)
    yield made
    keyring.set_keyring(before)


@given(st.lists(st.integers(0, 5000), min_size=1, max_size=4))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=50)
def test_the_last_secret_is_read_back_and_leaves_nothing(small, lengths):
    for length in lengths:
        secret = "".join(chr(97 + number % 26) for number in range(length))
        assert store_secret("entry", secret)
        assert load_secret("entry") == secret
    delete_secret("entry")
    assert load_secret("entry") is None
    assert small.entries == {}


@given(st.integers(0, 6))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_a_write_that_fails_leaves_no_half_secret(small, writes):
    small.entries.clear()
    small.left = 1_000_000
    assert store_secret("entry", "old" * 1000)
    small.left = writes
    try:
        stored = store_secret("entry", "new" * 1000)
    except KnownError as error:
        assert (error.error_code, stored := False) == (ErrorCode.KEYRING_FAILED, False), "not: no keyring"
    assert load_secret("entry") in (("new" * 1000,) if stored else (None, "new" * 1000))


GRANT = Grant(Issuer("example", "https://example.org", "", "https://example.org/token", client_id="me"), "r" * 3000)


def test_a_grant_is_kept_in_either_place(small, tmp_path):
    for store in (KeyringGrants("https://example.org", "anna"), FileGrants(tmp_path / "tokens")):
        assert store.load() is None
        store.store(GRANT)
        assert store.load() == GRANT
    assert KeyringGrants("https://example.org", "bob").load() is None
    assert (tmp_path / "tokens").stat().st_mode & 0o077 == 0
