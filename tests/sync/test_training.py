"""Training from folders: labels on deliveries, progress, pause, resume."""

import threading
import time

import pytest

from nbmail.values import Phase
from tests.sync.letters import letter, letters
from tests.sync.memory_backend import PATIENCE


def make_folder(server, name, count, first):
    client = server.client()
    client.create_folder(name)
    server.put(letters(count, first), folder=name)
    return client


def test_folders_have_their_training_labels(dovecot, backend, synced):
    dovecot.put(letters(3))
    make_folder(dovecot, "Old", 40, 100)
    make_folder(dovecot, "Rubbish", 40, 200)
    synced(dovecot, ham_folders=("Old",), spam_folders=("Rubbish",))
    roles = {(each.folder.folder, each.role) for each in backend.deliveries if each.arrivals}
    assert roles == {("INBOX", ""), ("Old", "ham"), ("Rubbish", "spam")}
    progress = [(state.done, state.total) for state in backend.states if state.folder == "Old"]
    assert progress[0] == (0, 40) and progress[-1] == (40, 40)
    assert {state.phase for state in backend.states if state.folder == "Old"} == {Phase.WORKING}


def test_training_is_paused_in_the_middle_and_resumed(dovecot, backend, watch, synced):
    make_folder(dovecot, "Old", 1500, 1)
    go = hold_training(backend)
    thread = watch(dovecot.account(ham_folders=("Old",)))
    backend.wait(lambda: len(backend.flags(folder="Old")) >= 25)
    thread.training.paused = True
    thread.wake()
    go.set()
    backend.wait_synced()
    held = len(backend.flags(folder="Old"))
    assert 25 <= held < 1500
    # The rest of the account goes on meanwhile.
    dovecot.client().append("INBOX", letter(9999))
    backend.wait(lambda: len(backend.flags()) == 1)
    assert len(backend.flags(folder="Old")) == held
    thread.training.paused = False
    thread.wake()
    backend.wait(lambda: len(backend.flags(folder="Old")) == 1500)
    fetched = [
        each.uid
        for delivery in backend.deliveries
        for each in delivery.arrivals
        if delivery.role == "ham"
    ]
    assert len(fetched) == len(set(fetched)) == 1500


def hold_training(backend):
    """Delay all but the first slice of training until `go` is set."""
    go = threading.Event()
    backend.before = lambda each: (
        go.wait(PATIENCE)
        if each.role and len(backend.flags(folder=each.folder.folder)) >= 25
        else None
    )
    return go


def test_marks_do_not_wait_for_a_long_training(dovecot, backend, watch):
    dovecot.put(letters(2))
    make_folder(dovecot, "Old", 1000, 100)
    go = hold_training(backend)
    thread = watch(dovecot.account(ham_folders=("Old",)))
    backend.wait(lambda: len(backend.flags(folder="Old")) >= 25)
    backend.keywords(1, {"$Junk"})
    thread.wake()

    def wait_for_mark(delivery):
        if delivery.role and len(backend.flags(folder="Old")) >= 425:
            backend.wait(lambda: backend.completed)

    backend.before = wait_for_mark
    go.set()
    backend.wait(lambda: len(backend.flags(folder="Old")) == 1000)


def test_new_mail_does_not_wait_for_a_long_training(dovecot, backend, watch):
    client = make_folder(dovecot, "Old", 1000, 100)
    go = hold_training(backend)
    watch(dovecot.account(ham_folders=("Old",), poll_seconds=0.05))
    backend.wait(lambda: len(backend.flags(folder="Old")) >= 25)
    client.append("INBOX", letter(1))
    # Each slice of the training takes longer than the account lets its inbox wait.
    backend.before = lambda each: time.sleep(0.06) if each.role else None
    go.set()
    backend.wait(lambda: len(backend.flags(folder="Old")) == 1000)
    folders = [each.folder.folder for each in backend.deliveries if each.arrivals]
    assert folders.index("INBOX") < len(folders) - 1 - folders[::-1].index("Old")


@pytest.mark.parametrize("watched", [("INBOX",), ("INBOX", "Old")])
def test_a_pause_outlasts_a_restart(dovecot, backend, watch, watched, synced):
    """Messages of a watched folder, delivered during the pause, would never be learned."""
    dovecot.put(letters(2))
    make_folder(dovecot, "Old", 30, 100)
    account = dovecot.account(folders=watched, ham_folders=("Old",), training_paused=True)
    thread = watch(account)
    backend.wait_synced()
    assert backend.flags(folder="Old") == {} and len(backend.flags()) == 2
    thread.training.paused = False
    thread.wake()
    backend.wait(lambda: len(backend.flags(folder="Old")) == 30)
    assert {
        delivery.role for delivery in backend.deliveries if delivery.folder.folder == "Old"
    } == {"ham"}


def test_the_newest_mail_of_suggested_folders_is_fetched_after_the_inbox(dovecot, backend, watch):
    dovecot.put(letters(3))
    client = make_folder(dovecot, "Invoices", 320, 100)
    for number, name in enumerate(("To do", "Travel", "Old", "Old/2025")):
        client.create_folder(name)
        for one in (1, 2):
            client.append(name, letter(1000 + 10 * number + one))
    thread = watch(dovecot.account(suggested_folders=("*",)))
    backend.wait(lambda: len(backend.flags(folder="Travel")) == 2)
    backend.wait_synced()
    fetched = [each.folder.folder for each in backend.deliveries if each.arrivals]
    assert fetched[0] == "INBOX"
    assert set(fetched) == {"INBOX", "Invoices", "Travel", "Old/2025"}
    assert set(backend.flags(folder="Invoices")) == set(range(21, 321))
    assert {state.teaches for state in backend.states if state.folder == "Invoices"} == {"folder"}
    client.append("Invoices", letter(9999))
    thread.wake()
    backend.wait(lambda: 321 in backend.flags(folder="Invoices"))
    assert len(backend.flags(folder="Invoices")) == 301
    thread.training.paused = True
    client.append("Travel", letter(9998))
    client.append("INBOX", letter(9997))
    thread.wake()
    backend.wait(lambda: len(backend.flags()) == 4)
    backend.look(thread)
    assert len(backend.flags(folder="Travel")) == 2
    thread.training.paused = False
    thread.wake()
    backend.wait(lambda: len(backend.flags(folder="Travel")) == 3)
