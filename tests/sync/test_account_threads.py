"""Account threads with a keyring in memory: settings, passwords and errors.

No method except `finish_stop` waits.
"""

import threading
from dataclasses import replace

import pytest
from keyring.errors import NoKeyringError

from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Account, Security
from nbmail.sync.accounts.account_threads import AccountThreads
from nbmail.sync.mailbox_values import Issuer
from nbmail.sync.sign_in.grants import Grant
from nbmail.values import AccountState, Phase
from tests.sync.memory_backend import MemoryBackend
from tests.waiting import wait_for

REFUSED = Account("home", "127.0.0.1", 1, Security.TLS, "anna")
"""An account whose server refuses connections at once."""


@pytest.fixture
def accounts():
    """Accounts that are not started; stopped with the test. `errors` are the reported ones."""
    errors = []
    made = AccountThreads(errors.append, {"known": "secret"})
    made.errors = errors
    yield made
    made.begin_stop()
    made.finish_stop()


@pytest.fixture
def changed(accounts, keys):
    """Change a started account, and return the locations kept before it connects again."""

    def change(before, after):
        backend = MemoryBackend()
        accounts.start(backend, [before])
        backend.wait(lambda: backend.states)
        accounts.change(after, "")
        backend.wait(lambda: Phase.STOPPED in [each.phase for each in backend.states[:-1]])
        stopped = [each.phase for each in backend.states].index(Phase.STOPPED)
        assert {count for count, *_ in backend.retained} <= {stopped + 1}
        return [kept for _, *kept in backend.retained]

    return change


def test_expected_errors_of_background_work_are_reported_and_bugs_are_raised(accounts, monkeypatch):
    bugs = []
    monkeypatch.setattr(threading, "excepthook", bugs.append)

    def fail():
        raise KnownError(ErrorCode.READ_ONLY, "settings.json")

    accounts.run(fail)
    accounts.run(lambda: 1 / 0)
    accounts.finish_stop()
    assert [error.error_code for error in accounts.errors] == [ErrorCode.READ_ONLY]
    assert [bug.exc_type for bug in bugs] == [ZeroDivisionError]


def test_stopping_before_the_engine_is_open_does_not_wait_for_it(accounts):
    accounts.add(Account(name="early", host="mail.invalid"), "")
    accounts.begin_stop()
    accounts.finish_stop()
    assert accounts.errors == []


def test_unknown_accounts_are_ignored(accounts):
    accounts.wake("nobody")
    accounts.check_mail()
    accounts.set_password("nobody", "secret")
    accounts.pause_training("nobody", True)
    accounts.remove("nobody")
    assert accounts.password_of(REFUSED) is None


def test_an_account_added_before_the_engine_is_open_runs_once(accounts, tmp_path):
    def running():
        return [thread for thread in threading.enumerate() if thread.name == "account-early"]

    early = Account("early", path=str(tmp_path))
    backend = MemoryBackend()
    accounts.add(early, "")
    accounts.start(backend, [early, Account("late", path=str(tmp_path))])
    backend.wait_synced("late")
    assert len(running()) == 1
    accounts.begin_stop()
    accounts.finish_stop()
    assert running() == []


def test_a_password_is_kept_for_another_port_but_not_for_another_host(accounts, keys):
    accounts.start(MemoryBackend(), [])
    accounts.add(REFUSED, "secret")
    wait_for(lambda: keys.stored == {"anna@127.0.0.1:1": "secret"})
    accounts.change(replace(REFUSED, port=2), "")
    wait_for(lambda: keys.stored == {"anna@127.0.0.1:2": "secret"})
    accounts.change(replace(REFUSED, host="127.0.0.2"), "")
    wait_for(lambda: keys.stored == {})


def test_a_typed_password_is_stored_after_a_login(accounts, keys):
    accounts.start(MemoryBackend(), [REFUSED])
    wait_for(lambda: accounts.password_of(REFUSED) is None)
    for password in ("mistyped", "secret"):
        accounts.set_password("home", password)
    wait_for(lambda: accounts.password_of(REFUSED) == "secret")
    accounts.receive_state(AccountState("elsewhere", Phase.SYNCED, 0.0))
    accounts.receive_state(AccountState("home", Phase.OFFLINE, 0.0))
    assert keys.stored == {}
    accounts.receive_state(AccountState("home", Phase.SYNCED, 0.0))
    wait_for(lambda: list(keys.stored.values()) == ["secret"])


def test_the_user_is_asked_once_until_the_settings_change(accounts):
    state = AccountState("home", Phase.NEEDS_YOU, 0.0, error_code=ErrorCode.NO_PASSWORD)
    assert [accounts.receive_state(state) for _ in range(3)] == [True, False, False]
    accounts.change(REFUSED, "")
    assert accounts.receive_state(state)
    assert not accounts.receive_state(
        state._replace(account="other", error_code=ErrorCode.NO_NETWORK)
    )


def test_the_known_password_is_returned_for_its_own_mailbox_only(accounts, keys):
    keys.stored["anna@127.0.0.1:1"] = "secret"
    accounts.start(MemoryBackend(), [REFUSED])
    wait_for(lambda: accounts.password_of(REFUSED) == "secret")
    assert accounts.password_of(replace(REFUSED, port=143)) == "secret"
    assert accounts.password_of(replace(REFUSED, host="127.0.0.2")) is None
    assert accounts.password_of(replace(REFUSED, name="new")) is None


SIGNED_IN = replace(REFUSED, sign_in="https://login.example")
ISSUER = Issuer("example", SIGNED_IN.sign_in, "", "https://login.example/token", client_id="me")
SIGN_IN = Grant(ISSUER, "refresh", "access", 3600.0)


def test_a_sign_in_is_stored_as_long_as_an_account_uses_it(accounts, keys):
    accounts.start(MemoryBackend(), [SIGNED_IN])
    accounts.keep_sign_in(SIGNED_IN, SIGN_IN)
    assert accounts.password_of(SIGNED_IN) == "access"
    assert accounts.issuer_at(SIGNED_IN.sign_in).client_id == "me"
    accounts.change(replace(SIGNED_IN, port=2), "")
    stored = []
    accounts.run(lambda: accounts.keep_sign_in(SIGNED_IN, None))
    accounts.run(lambda: stored.append(dict(keys.stored)))
    wait_for(lambda: [len(each) for each in stored] == [1])
    accounts.remove("home")
    wait_for(lambda: keys.stored == {})
    accounts.keep_sign_in(SIGNED_IN, SIGN_IN)
    accounts.keep_sign_in(SIGNED_IN, None)
    assert (keys.stored, accounts.issuer_at(SIGNED_IN.sign_in), accounts.errors) == ({}, None, [])


@pytest.mark.parametrize(
    ("broken", "code"), [(NoKeyringError, "no-keyring"), (OSError, "keyring-failed")]
)
def test_without_a_usable_keyring_a_sign_in_lasts_until_the_end(
    accounts, keys, monkeypatch, broken, code
):
    def fail(*given):
        raise broken(1783, "CredWrite")

    monkeypatch.setattr(keys, "set_password", fail)
    for _ in range(2):
        accounts.keep_sign_in(SIGNED_IN, SIGN_IN)
    assert accounts.password_of(SIGNED_IN) == "access"
    assert [error.error_code for error in accounts.errors] == [code]


WATCHING = replace(REFUSED, folders=("INBOX", "Lists"), spam_folders=("Old spam",))


@pytest.mark.parametrize(
    ("changes", "kept"),
    [
        ({"host": "127.0.0.2"}, [[set(), False]]),
        ({"user": "berta"}, [[set(), False]]),
        ({"port": 2}, []),
        ({"folders": ("INBOX",)}, [[{"INBOX", "Old spam"}, True]]),
        ({"spam_folders": ()}, [[{"INBOX", "Lists"}, True]]),
        ({"spam_folder": "Spam"}, [[{"INBOX", "Lists", "Old spam"}, False]]),
        ({"poll_seconds": 5.0}, []),
    ],
)
def test_locations_of_unwatched_folders_are_removed_before_the_account_reconnects(
    changed, keys, changes, kept
):
    keys.stored["anna@127.0.0.1:1"] = "secret"
    assert changed(WATCHING, replace(WATCHING, **changes)) == kept


@pytest.mark.parametrize(
    ("before", "after", "kept"),
    [({"spam_folders": ("Spam",)}, {}, []), ({}, {"folders": ("Lists",)}, [[{"Lists"}, True]])],
)
def test_a_local_mailbox_with_all_its_folders_keeps_all_locations(
    changed, tmp_path, before, after, kept
):
    mailbox = Account("home", path=str(tmp_path))
    assert changed(replace(mailbox, **before), replace(mailbox, **after)) == kept


def test_a_paused_training_fetches_nothing_until_it_resumes(accounts, tmp_path):
    (tmp_path / "one.eml").write_bytes(b"From: anna@example.org\nSubject: hello\n\nhello\n")
    account = Account("home", path=str(tmp_path), ham_folders=("INBOX",), training_paused=True)
    backend = MemoryBackend()
    accounts.start(backend, [account])
    backend.wait_synced("home")
    assert backend.messages("home") == {}
    accounts.pause_training("home", False)
    backend.wait(lambda: len(backend.flags("home")) == 1)
