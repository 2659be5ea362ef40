"""Automatic sorting on the engine: what is moved, what stays and why, previews, putting back."""

import re

import pytest

from nbmail.core.sorting.exemptions import Stay
from nbmail.core.sorting.sorted_message import SortedState
from nbmail.settings import Account, Settings, Sorting
from nbmail.values import (
    ActionKind,
    Delivery,
    FolderName,
    Outcome,
    SenderRule,
    ServerFolderUse,
    ServerLocation,
)
from nbmail.worker.protocol.sorting import SortingPhase
from tests.worker.conftest import INBOX, SPAM, EngineHarness, arrival

SORT = Account("home", sorting=Sorting.SORT, begun_early=True)
SPECIAL = {"special": "\\Inbox"}
BOUNDARY = 1000


def inbox(*numbers, flags=(), uid=None, **more):
    """Mail that arrives at UIDs above all that was stored before."""
    mail = tuple(arrival(number, flags=flags, uid=(uid or BOUNDARY) + number) for number in numbers)
    return Delivery(INBOX, 1, arrivals=mail, complete=True, modseq=9, **SPECIAL, **more)


@pytest.fixture
def trained(tmp_path):
    """EngineHarness with sixty messages, half of them spam, all marked."""
    with EngineHarness(tmp_path / "home", Settings(accounts=(Account("home"),))) as harness:
        harness.ready()
        harness.deliver(range(1, 61), **SPECIAL)
        numbers = {
            number: message
            for number, message in zip(range(1, 61), harness.on_engine(located), strict=True)
        }
        harness.do.mark([numbers[each] for each in range(1, 61, 2)], "spam")
        harness.do.mark([numbers[each] for each in range(2, 61, 2)], "ham")
        harness.do.set_cost(2.0)
        yield harness


def located(parts):
    return parts.store.folders.messages(INBOX)


def arrive(harness, *numbers, **more):
    harness.engine.backend.deliver(inbox(*numbers, **more))


def sorting(harness):
    return [
        each
        for each in harness.engine.backend.pending_actions("home")
        if each.kind in (ActionKind.SORT, ActionKind.MOVE)
    ]


def states(harness):
    return {each.subject: (each.state, each.reason) for each in harness.do.list_sorted()}


def finish(harness, uid=5000, outcome=Outcome.DONE, special=True):
    """Complete all moves, as the account does."""
    if special:
        harness.engine.backend.deliver(Delivery(SPAM, 3, complete=True, special="\\Junk"))
    done = sorting(harness)
    for number, action in enumerate(done):
        folder = SPAM.folder if action.target in (SPAM.folder, "\\Junk") else INBOX.folder
        there = ServerLocation(folder, 3 if folder == SPAM.folder else 1, uid + number)
        harness.engine.backend.complete(
            action, outcome, "", there if outcome is Outcome.DONE else None
        )
    return done


@pytest.mark.parametrize("jump", [0.0, -900_000.0, 86_400.0, 1e9])
def test_arriving_spam_alone_moves_without_a_label_whatever_the_clock_says(trained, jump):
    trained.do.set_sorting(SORT)
    before = trained.do.list_journal()
    trained.clock.now += jump
    arrive(trained, 101, 102, 103)
    actions = sorting(trained)
    assert [(action.uid, action.modseq) for action in actions] == [
        (BOUNDARY + 101, 9),
        (BOUNDARY + 103, 9),
    ]
    (mark,) = {one for action in actions for one in action.add}
    assert re.fullmatch("nbmail-auto-[0-9a-f]{6}", mark)
    finish(trained)
    trained.clock.now = 2e9
    assert {state for state, _ in states(trained).values()} == {SortedState.MOVED}
    assert trained.do.list_journal() == before
    (first, second) = [each.message for each in trained.do.list_sorted()]
    trained.do.mark([first], "ham")
    trained.do.undo_sorting([second])
    assert len(sorting(trained)) == 2


def test_what_is_there_already_stays(trained):
    arrive(trained, 101)
    trained.do.set_sorting(SORT)
    arrive(trained, 102, 103)
    assert [action.uid for action in sorting(trained)] == [BOUNDARY + 103]


def test_a_first_synchronization_moves_nothing(tmp_path):
    account = Account("home", sorting=Sorting.SORT, begun_early=True)
    with EngineHarness(tmp_path / "home", Settings(accounts=(account,))) as harness:
        harness.ready()
        harness.deliver(range(1, 61), **SPECIAL)
        messages = harness.on_engine(located)
        harness.do.mark(messages[0:40:2], "spam")
        harness.do.mark(messages[1:40:2], "ham")
        harness.do.set_cost(2.0)
        assert sorting(harness) == []
        arrive(harness, 101)
        assert len(sorting(harness)) == 1


def test_another_uidvalidity_moves_nothing(trained):
    trained.do.set_sorting(SORT)
    again = inbox(101, 103)._replace(validity=2)
    trained.engine.backend.deliver(again)
    assert sorting(trained) == []
    later = inbox(105, uid=2000)._replace(validity=2)
    trained.engine.backend.deliver(later)
    assert len(sorting(trained)) == 1


@pytest.mark.parametrize(
    ("flags", "reason"),
    [
        (["\\Flagged"], Stay.FLAGGED),
        (["\\Answered"], Stay.ANSWERED),
        (["nbmail-auto-abcdef"], Stay.CLAIMED),
        (["\\Deleted"], Stay.CLAIMED),
        (["$Junk"], Stay.MARKED),
    ],
)
def test_an_exception_keeps_the_message_in_the_inbox_with_its_reason(trained, flags, reason):
    trained.do.set_sorting(SORT)
    arrive(trained, 101, flags=flags)
    assert sorting(trained) == []
    assert list(states(trained).values()) == [(SortedState.STAYED, reason)]


def test_a_rule_for_always_spam_yields_to_the_exceptions(trained):
    trained.do.set_sorting(SORT)
    trained.do.set_rule(SenderRule("example.org", "spam"))
    arrive(trained, 102)
    arrive(trained, 104, flags=["\\Flagged"])
    arrive(trained, 106, flags=["\\Answered"])
    cut = inbox(108).arrivals[0]
    trained.engine.backend.deliver(inbox()._replace(arrivals=(cut._replace(size=cut.size + 1),)))
    assert [action.uid for action in sorting(trained)] == [BOUNDARY + 102]
    kept = [reason for state, reason in states(trained).values() if state is SortedState.STAYED]
    assert sorted(kept) == [Stay.ANSWERED, Stay.FLAGGED, Stay.INCOMPLETE]
    finish(trained)
    (moved,) = [
        each.message for each in trained.do.list_sorted() if each.state is SortedState.MOVED
    ]
    trained.do.undo_sorting([moved])
    (back,) = sorting(trained)
    assert (back.kind, back.target) == (ActionKind.MOVE, "INBOX")
    finish(trained, uid=6000)
    trained.do.set_rule(SenderRule("example.org", ""))
    trained.do.set_rule(SenderRule("example.org", "spam"))
    assert sorting(trained) == []


def test_flags_and_marks_after_the_decision_keep_it(trained):
    trained.do.set_sorting(SORT)
    arrive(trained, 101, 103)
    flagged = {BOUNDARY + 101: frozenset({"\\Flagged"})}
    trained.engine.backend.deliver(
        Delivery(INBOX, 1, flags=flagged, complete=True, modseq=10, **SPECIAL)
    )
    (action,) = sorting(trained)
    assert (action.uid, action.modseq) == (BOUNDARY + 103, 10)
    (message,) = [
        each.message for each in trained.do.list_sorted() if each.state is SortedState.MOVING
    ]
    trained.do.mark([message], "spam")
    assert sorting(trained) == []


def claim(trained):
    """Let a message arrive and be claimed. Return the action and the message."""
    arrive(trained, 101, flags=["\\Seen"])
    (action,) = sorting(trained)
    trained.engine.backend.store_progress([action._replace(progress="claiming")])
    return action, trained.do.list_sorted()[0].message


@pytest.mark.parametrize("how", ["ham", "off"])
def test_a_claim_is_withdrawn_when_the_user_decides_first(trained, how):
    trained.do.set_sorting(SORT)
    action, message = claim(trained)
    trained.do.mark([message], "ham") if how == "ham" else trained.do.set_sorting(Account("home"))
    (withdrawn,) = sorting(trained)
    assert (withdrawn.uid, withdrawn.remove) == (action.uid, action.add)
    trained.engine.backend.complete(withdrawn, Outcome.CLAIMED)
    assert sorting(trained) == []
    if how == "ham":
        assert list(states(trained).values()) == [(SortedState.STAYED, Stay.MARKED)]


def test_sorting_waits_until_the_figures_carry_it_and_rehearsing_moves_nothing(trained):
    status = trained.do.set_sorting(Account("home", sorting=Sorting.SORT))
    assert status.phase is SortingPhase.WAITING
    assert status.readiness.tested == 30
    assert status.readiness.marks_missing > 100
    arrive(trained, 103)
    assert sorting(trained) == []
    assert (
        trained.do.set_sorting(Account("home", sorting=Sorting.REHEARSE)).phase
        is SortingPhase.REHEARSING
    )
    arrive(trained, 101, 102)
    assert sorting(trained) == []
    assert list(states(trained).values()) == [(SortedState.REHEARSED, None)] * 2
    assert trained.do.set_sorting(SORT).phase is SortingPhase.SORTING
    assert (
        trained.do.set_sorting(Account("home", sorting=Sorting.SORT, sorting_loss=0.5)).phase
        is SortingPhase.SORTING
    )


@pytest.fixture
def moved(trained):
    """A message that was sorted to the spam folder."""
    trained.do.set_sorting(SORT)
    arrive(trained, 101)
    finish(trained)
    (found,) = trained.do.list_sorted()
    return found.message


@pytest.mark.parametrize("how", ["ham", "undo_sorting"])
def test_put_back_goes_back_once_and_for_all(trained, moved, how):
    if how == "ham":
        trained.do.mark([moved], "ham")
    else:
        trained.do.undo_sorting([moved])
    label = trained.do.find_label_source(moved)
    assert (label.label if label else None) == ("ham" if how == "ham" else None)
    (action,) = sorting(trained)
    assert (action.folder, action.uid, action.target) in [
        (SPAM, 5000, "INBOX"),
        (SPAM, 5000, "\\Inbox"),
    ]
    finish(trained, 7000, special=False)
    assert sorting(trained) == []
    assert trained.do.find_sorted(moved).state is SortedState.PUT_BACK
    assert trained.do.sort_now("home", [moved]) == ()


@pytest.mark.parametrize("arrived", [True, False])
def test_undo_of_a_put_back_moves_the_message_again(trained, moved, arrived):
    trained.do.mark([moved], "ham")
    if arrived:
        finish(trained, 7000, special=False)
    trained.do.undo()
    assert trained.do.find_sorted(moved).state is SortedState.MOVED
    actions = sorting(trained)
    assert [(each.uid, each.target) for each in actions] == ([(7000, "Junk")] if arrived else [])
    finish(trained, 8000)
    trained.do.redo()
    assert [each.target for each in sorting(trained)] == ["INBOX" if arrived else "\\Inbox"]
    assert trained.do.find_sorted(moved).state is SortedState.PUT_BACK


def test_what_is_marked_ham_while_it_moves_comes_back(trained):
    trained.do.set_sorting(SORT)
    action, message = claim(trained)
    trained.engine.backend.deliver(Delivery(SPAM, 3, complete=True, special="\\Junk"))
    trained.do.mark([message], "ham")
    trained.engine.backend.complete(action, Outcome.DONE, "", ServerLocation(SPAM.folder, 3, 5000))
    assert [each.kind for each in sorting(trained)] == [ActionKind.MOVE]


@pytest.mark.parametrize("how", ["ham", "undo_sorting"])
def test_what_is_put_back_before_its_folder_is_listed_goes_back_then_unless_that_is_undone(
    trained, how
):
    trained.do.set_sorting(SORT)
    arrive(trained, 101)
    (action,) = sorting(trained)
    trained.engine.backend.complete(action, Outcome.DONE)
    (message,) = [each.message for each in trained.do.list_sorted()]
    trained.do.mark([message], "ham") if how == "ham" else trained.do.undo_sorting([message])
    trained.do.undo()
    assert trained.do.find_sorted(message).state is SortedState.MOVED
    listed = Delivery(SPAM, 3, arrivals=(arrival(101, uid=5000),), complete=True, special="\\Junk")
    trained.engine.backend.deliver(listed)
    assert sorting(trained) == []
    trained.do.redo()
    assert trained.do.find_sorted(message).state is SortedState.PUT_BACK
    assert [(each.folder, each.uid, each.target) for each in sorting(trained)] == [
        (SPAM, 5000, "INBOX")
    ]


def test_each_of_two_unlisted_messages_goes_back_by_its_own_mark(trained):
    trained.do.set_sorting(SORT)
    arrive(trained, 101, 103)
    for action in sorting(trained):
        trained.engine.backend.complete(action, Outcome.DONE)
    first, second = sorted(each.message for each in trained.do.list_sorted())
    trained.do.mark([first, second], "ham")
    trained.do.mark([first], "spam")
    listed = tuple(arrival(number, uid=5000 + number) for number in (101, 103))
    trained.engine.backend.deliver(
        Delivery(SPAM, 3, arrivals=listed, complete=True, special="\\Junk")
    )
    assert [(each.uid, each.target) for each in sorting(trained)] == [(5103, "INBOX")]


@pytest.mark.parametrize("outcome", [Outcome.CLAIMED, Outcome.REFUSED, Outcome.OBSOLETE])
def test_without_a_move_nothing_goes_back(trained, outcome):
    trained.do.set_sorting(SORT)
    action, message = claim(trained)
    trained.do.undo_sorting([message])
    (shown,) = trained.on_engine(lambda parts: parts.store.filed.shown([message])).values()
    assert shown.seen
    trained.engine.backend.complete(action, outcome)
    assert sorting(trained) == []
    assert not trained.on_engine(lambda parts: parts.store.filed.waiting([message]))


def test_what_is_filed_while_it_moves_is_filed_from_there(trained):
    trained.do.set_sorting(SORT)
    travel = FolderName("home", "Travel")
    trained.engine.backend.list_folders("home", [ServerFolderUse(travel)])
    action, message = claim(trained)
    trained.engine.backend.deliver(Delivery(SPAM, 3, complete=True, special="\\Junk"))
    trained.do.move([message], travel)
    trained.engine.backend.complete(action, Outcome.DONE, "", ServerLocation(SPAM.folder, 3, 5000))
    assert [(each.folder, each.uid, each.target) for each in sorting(trained)] == [
        (SPAM, 5000, "Travel")
    ]


def test_put_back_by_another_program_is_final(trained, moved):
    trained.engine.backend.deliver(
        Delivery(SPAM, 3, gone=frozenset({5000}), complete=True, special="\\Junk")
    )
    arrive(trained, 101, uid=3000)
    trained.do.mark([moved], "ham")
    trained.do.undo()
    assert trained.do.find_sorted(moved).state is SortedState.PUT_BACK
    assert sorting(trained) == []
    assert [event.label for event in trained.events if type(event).__name__ == "MovedByOthers"] == [
        "ham"
    ]


def test_keywords_that_a_server_sets_on_the_move_are_no_label(trained, moved):
    spam = Delivery(SPAM, 3, complete=True, special="\\Junk")
    trained.engine.backend.deliver(
        spam._replace(flags={5000: frozenset({"$Junk", "nbmail-auto-abcdef"})})
    )
    assert trained.do.find_label_source(moved) is None
    trained.engine.backend.deliver(spam._replace(flags={5000: frozenset({"nbmail-auto-abcdef"})}))
    trained.engine.backend.deliver(
        spam._replace(flags={5000: frozenset({"$Junk", "nbmail-auto-abcdef"})})
    )
    assert trained.do.find_label_source(moved).label == "spam"
    assert trained.do.find_sorted(moved).state is SortedState.CONFIRMED
    assert sorting(trained) == []


def test_what_another_computer_sorted_comes_back_by_a_mark(harness):
    harness.ready()
    sorted_ = arrival(1, flags=["nbmail-auto-abcdef"])
    plain = arrival(3)
    harness.engine.backend.deliver(
        Delivery(SPAM, 3, arrivals=(sorted_, plain), complete=True, special="\\Junk")
    )
    harness.do.mark(harness.on_engine(lambda parts: parts.store.folders.messages(SPAM)), "ham")
    assert [(each.uid, each.target) for each in sorting(harness)] == [(1, "\\Inbox")]


def test_sort_now_moves_what_its_preview_shows_and_can_be_undone(trained):
    arrive(trained, 101, 102, 103)
    preview = trained.do.preview_sort_now("home")
    assert len(preview.moving) == 2
    assert trained.do.sort_now("home", tuple(preview.moving)) == tuple(sorted(preview.moving))
    finish(trained)
    assert {state for state, _ in states(trained).values()} == {SortedState.MOVED}
    assert trained.do.undo().step.by == "sorting"
    assert {each.kind for each in sorting(trained)} == {ActionKind.MOVE}
    assert trained.do.redo().messages == ()


def test_a_rehearsal_judges_marked_mail_without_its_own_marks(trained):
    trained.clock.now = 1100.0
    preview = trained.do.rehearse_sorting("home")
    assert preview.messages == 60
    assert len(preview.moving) >= 25
    assert [*preview.moving.values()] == sorted(preview.moving.values())
    assert len(preview.ham) <= 1


def test_a_restart_goes_on(trained):
    trained.do.set_sorting(SORT)
    arrive(trained, 101)
    (before,) = sorting(trained)
    trained.settings = Settings(accounts=(Account("home", sorting=Sorting.SORT, begun_early=True),))
    trained.again()
    trained.do.set_cost(2.0)
    assert sorting(trained) == [before]
