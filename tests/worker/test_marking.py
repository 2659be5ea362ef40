"""Marks, undo and redo through the engine, and their consequences for all messages."""

from dataclasses import replace
from operator import methodcaller as request

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nbmail.settings import Settings
from nbmail.store.mail.identity import identify
from nbmail.store.mail.raw_mail import pack
from nbmail.values import VERDICTS, ActionKind, FolderName, LabelRecord, SenderRule, StepTaken
from nbmail.worker.protocol.events import Changed, Learned
from tests.worker.conftest import (
    INBOX,
    LONGER,
    SPAM,
    Done,
    EngineHarness,
    arrival,
    delivery,
    first_progress,
)

LABELS = st.sampled_from(["spam", "ham", None])


def scores(harness):
    rows = harness.do.list_mail()
    order = np.argsort(rows.messages)
    return rows.scores.log_odds[order]


def labels(harness):
    rows = harness.do.list_mail()
    return {
        message: rows.label_names[label]
        for message, label in zip(rows.messages.tolist(), rows.labels.tolist(), strict=True)
        if label >= 0
    }


@pytest.fixture
def small_pieces(monkeypatch):
    """Label sixty messages in many transactions."""
    monkeypatch.setattr("nbmail.worker.marking.marking.CHUNK", 8)


def test_marked_and_visible_rows_are_announced_first(labelled_harness):
    harness = labelled_harness
    harness.do.show_rows((60, 61))
    harness.events.clear()
    marked = harness.do.mark((50,), "ham")
    assert (marked.messages, marked.label) == ((50,), "ham")
    changes = [event for event in harness.events if isinstance(event, Changed)]
    assert changes[0].rows.messages.tolist() == [50]
    assert changes[0].rows.label_names[changes[0].rows.labels[0]] == "ham"
    assert sorted(changes[0].scores.messages.tolist()) == [50, 60, 61]
    later = {
        message
        for event in changes[1:]
        if event.scores
        for message in event.scores.messages.tolist()
    }
    assert later >= set(range(1, 101)) - {50, 60, 61}
    learned = [event for event in harness.events if isinstance(event, Learned)]
    assert [(one.name, one.messages) for one in learned[-1].classes] == [("spam", 20), ("ham", 21)]


def test_list_and_explanation_agree(labelled_harness):
    by_list = scores(labelled_harness)
    for message in (1, 2, 50, 77):
        told = labelled_harness.do.explain(message)
        parts = (
            told.prior
            + sum(one.contribution for one in told.contributions)
            + told.weaker
            + told.calibration
        )
        assert abs(parts - told.log_odds) < 1e-9
        assert abs(told.score - by_list[message - 1]) < 1e-9


@settings(max_examples=20 * LONGER, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    steps=st.lists(
        st.one_of(
            st.builds(
                request,
                st.just("mark"),
                st.lists(st.integers(1, 30), max_size=12).map(tuple),
                st.sampled_from(["spam", "ham", None]),
            ),
            st.sampled_from([request("undo"), request("redo"), request("rebuild")]),
        ),
        max_size=15,
    )
)
def test_after_any_marks_the_model_equals_a_rebuild(tmp_path_factory, steps):
    with EngineHarness(tmp_path_factory.mktemp("marks")).ready() as harness:
        harness.deliver(range(1, 31))
        for step in steps:
            step(harness.do)
        harness.check_rebuilt()


def test_many_marks_are_one_step_and_spare_messages_marked_meanwhile(
    labelled_harness, small_pieces
):
    harness = labelled_harness
    bulk = harness.hold(first_progress, harness.engine.mark, tuple(range(41, 101)), "spam")
    by_hand = harness.engine.mark((100, 90), "ham")
    harness.release()
    marked = harness.end_of(bulk).result
    assert set(marked.messages) == set(range(41, 101)) - {100, 90}
    assert harness.end_of(by_hand).result.messages == (100, 90)
    assert harness.do.undo().messages == (100, 90)
    assert set(harness.do.undo().messages) == set(marked.messages)


def test_undo_reverts_a_step_that_still_runs(labelled_harness, small_pieces):
    harness = labelled_harness
    bulk = harness.hold(first_progress, harness.engine.mark, tuple(range(41, 101)), "spam")
    undo = harness.engine.undo()
    harness.release()
    done = harness.end_of(bulk)
    undone = harness.end_of(undo)
    assert isinstance(done, Done)
    assert done.result.messages == undone.result.messages
    assert len(labels(harness)) == 40


def test_two_undos_revert_two_steps_however_long_the_first(labelled_harness):
    harness = labelled_harness
    before = labels(harness)
    harness.do.mark((1,), "ham")
    marked = harness.do.mark(tuple(range(41, 101)), "spam")
    held = harness.hold(lambda event: isinstance(event, Done), harness.engine.list_journal, 1)
    first = harness.engine.undo()
    second = harness.engine.undo()
    harness.release()
    assert harness.end_of(held)
    assert set(harness.end_of(first).result.messages) == set(marked.messages)
    assert harness.end_of(second).result.messages == (1,)
    assert labels(harness) == before


def test_costs_change_verdicts_and_no_scores(labelled_harness):
    harness = labelled_harness
    harness.do.set_cost(1.0)
    before = harness.do.list_mail().scores
    harness.do.set_cost(1e30)
    after = harness.do.list_mail().scores
    assert np.array_equal(before.log_odds, after.log_odds)
    assert np.count_nonzero(before.verdicts == 2) > np.count_nonzero(after.verdicts == 2)
    assert [event.scores for event in harness.events if isinstance(event, Changed) and event.scores]


def pending_actions(harness):
    return harness.engine.backend.pending_actions("home")


def test_marks_move_mail_only_if_turned_on(harness):
    harness.ready().deliver([1, 2, 3])
    harness.engine.backend.deliver(delivery([4], SPAM, special="\\Junk"))
    harness.do.mark((1,), "spam")
    assert harness.woken == ["home"]
    harness.do.set_moving(True)
    harness.do.mark((2,), "spam")
    harness.do.mark((3, 4), "ham")
    moves = [action for action in pending_actions(harness) if action.kind is ActionKind.MOVE]
    assert [(action.uid, action.target) for action in moves] == [(2, "\\Junk"), (4, "\\Inbox")]
    harness.do.set_moving(False)
    harness.do.mark((1,), "ham")
    assert (
        len([action for action in pending_actions(harness) if action.kind is ActionKind.MOVE]) == 2
    )


def effective_class(harness):
    rows = harness.do.list_mail()
    given = labels(harness)
    verdicts = zip(rows.messages.tolist(), rows.scores.verdicts.tolist(), strict=True)
    return {message: given.get(message, verdict) for message, verdict in verdicts}


def test_changed_verdicts_leave_out_labelled_messages(harness):
    harness.ready().deliver(range(1, 101))
    harness.do.mark((1, 3, 5, 7), "spam")
    harness.do.mark(tuple(range(2, 32, 2)), "ham")
    harness.until_exact()
    before = effective_class(harness)
    marked = harness.do.mark(tuple(range(9, 29, 2)), "spam")
    after = effective_class(harness)
    chosen = set(range(9, 29, 2))
    assert marked.changed_verdicts == sum(
        after[each] != before[each] for each in before if each not in chosen
    )


def test_the_next_steps_are_named_unless_they_are_large(harness):
    harness.ready().deliver(range(1, 61))
    harness.deliver(range(61, 101), SPAM)
    harness.do.label_folder(SPAM, "spam")
    harness.until(
        lambda event: isinstance(event, Learned) and event.undo == 1 and event.next_undo is None
    )
    harness.do.mark((3,), "ham")
    step = StepTaken("user", "ham", 1, None, 3)
    harness.until(
        lambda event: (
            isinstance(event, Learned) and (event.next_undo, event.next_redo) == (step, None)
        )
    )
    harness.do.undo()
    harness.until(
        lambda event: (
            isinstance(event, Learned) and (event.next_undo, event.next_redo) == (None, step)
        )
    )


def test_a_large_step_is_only_described_without_confirmation(harness):
    harness.ready().deliver(range(1, 61))
    harness.deliver(range(61, 71), SPAM)
    harness.do.label_folder(SPAM, "spam")
    held = harness.do.undo(9)
    assert (held.too_large, held.messages) == (True, ())
    assert held.step == StepTaken("folder", "spam", 10, SPAM)
    assert len(labels(harness)) == 10
    done = harness.do.undo(10)
    assert (done.too_large, len(done.messages), done.step) == (False, 10, held.step)
    assert harness.do.redo().step == held.step
    harness.do.mark((1, 2), None)
    harness.do.mark((1, 2), "ham")
    assert harness.do.undo(32).step == StepTaken("user", "ham", 2)
    assert harness.do.undo(32).step == held.step


ARCHIVE = FolderName("home", "Archive")


@pytest.fixture
def three_folders(harness):
    """Engine with mail in the inbox, the spam folder and the archive."""
    harness.ready().deliver([1, 2, 3, 4], special="\\Inbox")
    harness.engine.backend.deliver(delivery([5, 6], SPAM, special="\\Junk"))
    harness.engine.backend.deliver(delivery([7, 8], ARCHIVE, special="\\Archive"))
    return harness


def preview(harness):
    return [(move.message, move.folder, move.target) for move in harness.do.preview_moves()]


def moves(harness):
    return [
        action
        for action in harness.engine.backend.pending_actions("home")
        if action.kind == ActionKind.MOVE
    ]


def test_a_preview_lists_moves_newest_first_and_moves_nothing(three_folders):
    assert preview(three_folders) == []
    three_folders.do.mark((1, 3), "spam")
    three_folders.do.mark((5, 2), "ham")
    assert preview(three_folders)[0] == (5, SPAM, "inbox")
    assert sorted(preview(three_folders)) == [
        (1, INBOX, "spam"),
        (3, INBOX, "spam"),
        (5, SPAM, "inbox"),
    ]
    assert moves(three_folders) == []
    assert all(move.sender and move.subject for move in three_folders.do.preview_moves())


def test_a_preview_omits_trained_folders_and_undone_marks(three_folders):
    three_folders.do.label_folder(INBOX, "spam")
    assert preview(three_folders) == []
    three_folders.do.undo()
    three_folders.do.mark((1,), "spam")
    three_folders.do.undo()
    assert preview(three_folders) == []
    three_folders.do.mark((7,), "spam")
    assert preview(three_folders) == [], "what lies in an archive stays there"


def test_a_folder_can_be_learned_sparing_labelled_messages(three_folders):
    three_folders.do.mark((2,), "ham")
    assert sorted(three_folders.do.label_folder(INBOX, "spam", only_unlabelled=True).messages) == [
        1,
        3,
        4,
    ]
    assert three_folders.do.label_folder(INBOX, "spam", only_unlabelled=True).messages == ()
    assert three_folders.do.label_folder(INBOX, "spam").messages == (2,)
    assert three_folders.do.label_folder(FolderName("no", "where"), "ham").messages == ()


def test_a_forgotten_account_loses_locations_and_actions_but_no_label(three_folders):
    other = FolderName("work", "INBOX")
    three_folders.engine.backend.deliver(delivery([1, 9], other, special="\\Inbox"))
    three_folders.do.mark((1, 2), "spam")
    assert three_folders.engine.backend.pending_actions("home")
    three_folders.do.forget_account("home")
    assert three_folders.engine.backend.pending_actions("home") == ()
    rows = three_folders.do.list_mail()
    assert sorted(rows.messages.tolist()) == [1, 9]
    assert {rows.folders_of(row)[0][0] for row in range(2)} == {other}
    assert sum(each.messages for each in three_folders.learned().classes) == 2


def test_settings_of_an_earlier_run_apply_from_the_start(harness):
    harness.settings = replace(
        Settings(), move_mail=True, spam_seen_per_lost=7.0, method="multinomial"
    )
    harness.ready().deliver([1, 2], special="\\Inbox")
    harness.do.mark((1,), "spam")
    assert len(moves(harness)) == 1
    assert harness.learned().method == "multinomial"


def verdicts(harness):
    rows = harness.do.list_mail()
    shown = zip(rows.scores.verdicts, rows.senders, strict=True)
    found = {}
    for verdict, sender in shown:
        found.setdefault(sender, set()).add(VERDICTS[verdict])
    return found


def test_a_rule_decides_and_is_undone(labelled_harness):
    before = verdicts(labelled_harness)
    odds = labelled_harness.do.list_mail().scores.log_odds
    sender = next(sender for sender, found in before.items() if "ham" in found)
    done = labelled_harness.do.set_rule(SenderRule(sender, "spam"))
    assert done.changed_verdicts >= 0 and verdicts(labelled_harness)[sender] == {"spam"}
    assert np.array_equal(labelled_harness.do.list_mail().scores.log_odds, odds), (
        "it teaches nothing"
    )
    assert labelled_harness.do.list_rules() == (SenderRule(sender, "spam"),)
    labelled_harness.again()
    assert verdicts(labelled_harness)[sender] == {"spam"}
    labelled_harness.engine.backend.deliver(delivery([900, 902, 904, 906, 908], INBOX))
    assert verdicts(labelled_harness)[sender] == {"spam"}, "it counts for new mail"
    labelled_harness.do.undo()
    assert verdicts(labelled_harness)[sender] == before[sender] or "spam" not in before[sender]
    assert labelled_harness.do.list_rules() == ()
    labelled_harness.do.redo()
    assert verdicts(labelled_harness)[sender] == {"spam"}
    labelled_harness.do.set_rule(SenderRule(sender, ""))
    assert labelled_harness.do.list_rules() == ()


def test_a_rule_decides_about_mail_of_the_cache_whose_label_was_restored(harness):
    def restore(parts):
        raw = arrival(1).raw
        parts.store.raw_mail.put([(identify(raw), pack(raw))], 1.0)
        parts.store.waiting_labels.put([LabelRecord(identify(raw), "ham", 1.0, "user")])

    harness.ready().do.set_rule(SenderRule("example.org", "spam"))
    harness.on_engine(restore)
    harness.again()
    harness.settle()
    harness.deliver([1])
    scores = harness.do.list_mail().scores
    assert scores.ruled.tolist() == [True] and VERDICTS[scores.verdicts[0]] == "spam"


def test_never_spam_counts_only_where_the_sender_is_verified(labelled_harness):
    sender = next(sender for sender, found in verdicts(labelled_harness).items() if "spam" in found)
    domain = sender.partition("@")[2]
    labelled_harness.do.set_rule(SenderRule(domain, "ham"))
    assert "spam" in verdicts(labelled_harness)[sender], "anybody can write this name"
    labelled_harness.on_engine(
        lambda parts: parts.store.connection.execute(
            "UPDATE messages SET verified = 1 WHERE sender = ?", (sender,)
        )
    )
    labelled_harness.do.set_rule(SenderRule(domain, "ham"))
    assert verdicts(labelled_harness)[sender] == {"ham"}
    labelled_harness.do.set_rule(SenderRule(sender, "spam"))
    assert verdicts(labelled_harness)[sender] == {"spam"}, (
        "the rule for an address goes before the one for its domain"
    )
