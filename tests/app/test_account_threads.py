"""The accounts of a run: nothing waits but `stop`, and what goes wrong is said."""

import threading
from dataclasses import replace

import pytest

from nbmail.app.account_threads import AccountThreads
from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Account, Security
from nbmail.sync.account_sync import FolderTraining
from nbmail.values import Phase
from tests.sync.memory_backend import MemoryBackend


@pytest.fixture
def accounts():
    """Accounts without a desk; stopped with the test. `complaints` is what they said."""
    said = []
    made = AccountThreads(said.append, {"home": "secret"})
    made.complaints = said
    yield made
    made.begin_stop()
    made.finish_stop()


def test_what_the_world_refuses_is_said(accounts):
    done = threading.Event()

    def fail():
        try:
            raise KnownError(ErrorCode.READ_ONLY, "settings.json")
        finally:
            done.set()

    accounts.do(fail)
    assert done.wait(5)
    accounts.finish_stop()
    assert [error.error_code for error in accounts.complaints] == [ErrorCode.READ_ONLY]


def test_a_fault_of_ours_reaches_the_hook_of_threads(accounts, monkeypatch):
    caught = []
    monkeypatch.setattr(threading, "excepthook", caught.append)
    accounts.do(lambda: 1 / 0)
    accounts.finish_stop()
    assert [fault.exc_type for fault in caught] == [ZeroDivisionError]
    assert accounts.complaints == []


def test_stopping_before_the_engine_is_there_waits_for_nobody(accounts):
    accounts.add(Account(name="early", host="mail.invalid"), "")
    accounts.begin_stop()
    accounts.finish_stop()
    assert accounts.complaints == []


def test_nobody_is_woken_who_is_not_there(accounts):
    accounts.wake("nobody")
    accounts.check_mail()
    accounts.give_password("nobody", "secret")
    accounts.remove("nobody")


def test_a_changed_account_goes_on_with_its_new_settings(accounts, tmp_path):
    (tmp_path / "letters").mkdir()
    backend = MemoryBackend()
    accounts.start(backend, [Account("home", path=str(tmp_path / "letters"))])
    backend.wait_synced("home")
    accounts.change(Account("home", path=str(tmp_path / "missing")), "")
    backend.wait(lambda: any(state.error_code == ErrorCode.NOT_FOUND for state in backend.states))
    phases = [state.phase for state in backend.states]
    assert phases.index(Phase.STOPPED) < phases.index(Phase.OFFLINE)


def test_a_mailbox_added_before_the_engine_was_there_is_kept_in_step_once(accounts, tmp_path):
    early = Account("early", path=str(tmp_path))
    accounts.add(early, "")
    accounts.start(MemoryBackend(), [early])
    accounts._clerk.shutdown(wait=True)
    assert len([thread for thread in threading.enumerate() if thread.name == "account-early"]) == 1
    accounts.begin_stop()
    accounts.finish_stop()
    assert not [thread for thread in threading.enumerate() if thread.name == "account-early"]


class KeyringInMemory:
    """Passwords as the keyring would keep them."""

    def __init__(self):
        self.kept = {}

    def get(self, account):
        return self.kept.get((account.user, account.host, account.port))

    def keep(self, account, password):
        self.kept[account.user, account.host, account.port] = password
        return True

    def forget(self, account):
        self.kept.pop((account.user, account.host, account.port), None)

    def of(self, account):
        return lambda: self.get(account)


def test_a_password_goes_along_to_another_port_but_never_to_another_host(accounts):
    keys = accounts._passwords = KeyringInMemory()
    first = Account("home", "127.0.0.1", 1, Security.TLS, "anna")
    accounts.start(MemoryBackend(), [])
    accounts._threads["home"] = Ended(first)
    keys.keep(first, "secret")
    accounts._open = lambda account, password: accounts._keep(account, password) if password else None
    accounts._reopen(replace(first, port=2), "")
    assert keys.kept == {("anna", "127.0.0.1", 2): "secret"}
    accounts._threads["home"] = Ended(replace(first, port=2))
    accounts._reopen(replace(first, host="127.0.0.2"), "")
    assert keys.kept == {}


def test_a_typed_password_is_kept_once_a_server_has_accepted_it(accounts):
    keys = accounts._passwords = KeyringInMemory()
    keys.give = lambda account, password: None
    account = Account("home", "127.0.0.1", 1, Security.TLS, "anna")
    accounts.start(MemoryBackend(), [])
    accounts._threads["home"] = Ended(account)
    accounts.give_password("home", "mistyped")
    accounts.give_password("home", "secret")
    accounts.note_login("elsewhere")
    accounts._clerk.submit(lambda: None).result()
    assert keys.kept == {}
    accounts.note_login("home")
    accounts._clerk.submit(lambda: None).result()
    assert list(keys.kept.values()) == ["secret"]


HOME = Account("home", "imap.example", user="anna", folders=("INBOX", "Lists"), junk_folders=("Old junk",))


@pytest.mark.parametrize(
    ("changes", "retained"),
    [
        ({"host": "other.example"}, [("home", set(), False)]),
        ({"user": "berta"}, [("home", set(), False)]),
        ({"port": 143}, []),
        ({"folders": ("INBOX",)}, [("home", {"INBOX", "Old junk"}, True)]),
        ({"junk_folders": ()}, [("home", {"INBOX", "Lists"}, True)]),
        ({"junk_folder": "Spam"}, [("home", {"INBOX", "Lists", "Old junk"}, False)]),
        ({"poll_seconds": 5.0}, []),
    ],
)
def test_where_mail_lay_is_forgotten_before_the_account_goes_on(accounts, changes, retained):
    backend, opened = MemoryBackend(), []
    accounts._passwords = KeyringInMemory()
    accounts.start(backend, [])
    accounts._threads["home"] = Ended(HOME)
    accounts._open = lambda account, password: opened.append(list(backend.retained))
    accounts._reopen(replace(HOME, **changes), "")
    assert backend.retained == retained
    assert opened == [retained]


def test_a_place_on_the_disk_of_which_all_is_taken_forgets_nothing(accounts):
    backend = MemoryBackend()
    accounts.start(backend, [])
    accounts._threads["home"] = Ended(Account("home", path="/mail", junk_folders=("Spam",)))
    accounts._open = lambda account, password: None
    accounts._reopen(Account("home", path="/mail"), "")
    assert backend.retained == []
    accounts._threads["home"] = Ended(Account("home", path="/mail"))
    accounts._reopen(Account("home", path="/mail", folders=("Lists",)), "")
    assert backend.retained == [("home", {"Lists"}, True)]


def test_a_known_password_is_told_for_its_own_mailbox_alone(accounts):
    keys = accounts._passwords = KeyringInMemory()
    keys.keep(HOME, "secret")
    accounts._threads["home"] = Ended(HOME)
    assert accounts.password_of(HOME) == accounts.password_of(replace(HOME, port=143)) == "secret"
    assert accounts.password_of(replace(HOME, host="other.example")) is None
    assert accounts.password_of(replace(HOME, name="new")) is None


def test_training_is_paused_and_goes_on_in_its_thread(accounts):
    ended = accounts._threads["home"] = Ended(HOME)
    accounts.pause_training("home", True)
    assert ended.training.folders() == ()
    accounts.pause_training("home", False)
    assert ended.training.folders() == ("Old junk",)
    assert ended.woken == 2
    accounts.pause_training("nobody", True)


class Ended:
    """A thread that has ended already."""

    def __init__(self, account):
        self.account, self.training, self.woken = account, FolderTraining(account), 0

    def wake(self):
        self.woken += 1

    def retry(self):
        pass

    def stop(self):
        pass

    def join(self, patience):
        pass
