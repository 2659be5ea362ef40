"""The accounts of a run: nothing waits but `stop`, and what goes wrong is said."""

import threading

import pytest

from nbmail.app.accounts import Accounts
from nbmail.errors import KnownError, Trouble
from nbmail.settings import Account


@pytest.fixture
def accounts():
    """Accounts without a desk; stopped with the test. `complaints` is what they said."""
    said = []
    made = Accounts(said.append, {"home": "secret"})
    made.complaints = said
    yield made
    made.begin_stop()
    made.finish_stop()


def test_what_the_world_refuses_is_said(accounts):
    done = threading.Event()

    def fail():
        try:
            raise KnownError(Trouble.READ_ONLY, "settings.json")
        finally:
            done.set()

    accounts.do(fail)
    assert done.wait(5)
    accounts.finish_stop()
    assert [error.trouble for error in accounts.complaints] == [Trouble.READ_ONLY]


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
