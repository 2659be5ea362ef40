"""Suggested folders by the engine: learned from where mail lies, whoever moved it."""

import math
import random

import numpy as np
import pytest

from nbmail.core.folders.filing_habits import THREAD
from nbmail.errors import ErrorCode
from nbmail.method_spec import METHODS
from nbmail.settings import Account, Settings
from nbmail.values import ActionKind, Arrival, Delivery, FolderName, ServerFolderUse
from nbmail.worker.folders import folder_suggestions
from nbmail.worker.protocol.folders import ENOUGH_MESSAGES, FoldersSuggested
from nbmail.worker.scores.base_rate import recent_base_rate
from tests.core.test_folders import counted
from tests.worker.conftest import INBOX, EngineHarness

WORDS = {
    "Invoices": "invoice amount payment due account transfer",
    "Travel": "train ticket hotel booking journey seat",
    "Lists/linux": "kernel patch driver module compile branch",
}
LISTED = [
    ServerFolderUse(FolderName("home", name), {"INBOX": "\\Inbox", "Junk": "\\Junk"}.get(name, ""))
    for name in ("INBOX", "Junk", "To do", *WORDS)
]


def letter(number, kind, answers=""):
    chance = random.Random(number)
    words = " ".join(chance.choices(WORDS[kind].split(), k=8))
    head = (
        f"From: {kind.lower()[:5]}@example.org\r\nSubject: {words[:20]}\r\nMessage-ID: "
        f"<{number}@x>\r\n"
    )
    raw = f"{head}{answers}\r\n{words}\r\n"
    return Arrival(number, frozenset(), 1000.0 + number, raw.encode(), len(raw))


def kind_of(number):
    return list(WORDS)[(number - 1) % 3]


def numbers(kind, first, end):
    """Return the numbers of messages of a kind. Kinds alternate, as the dates do."""
    return [number for number in range(first, end) if kind_of(number) == kind]


def delivery(folder, numbers, kind="", gone=(), special=""):
    arrivals = tuple(letter(number, kind or folder) for number in numbers)
    return Delivery(
        FolderName("home", folder),
        1,
        arrivals=arrivals,
        gone=frozenset(gone),
        complete=True,
        special=special,
    )


def inbox(numbers, kind):
    return delivery("INBOX", numbers, kind, special="\\Inbox")


@pytest.fixture
def filled(tmp_path, quick_idle):
    """Engine with eight messages in each of three folders, and nine, from 31 on, in the inbox."""
    account = Account("home", host="mail.example.org", suggested_folders=("*",))
    with EngineHarness(tmp_path, Settings(accounts=(account,))) as harness:
        harness.ready()
        harness.engine.backend.list_folders("home", LISTED)
        for kind in WORDS:
            deliver(harness, delivery(kind, numbers(kind, 1, 25)))
            deliver(harness, inbox(numbers(kind, 31, 40), kind))
        wait_for_suggestions(harness)
        yield harness


def deliver(harness, one):
    harness.engine.backend.deliver(one)


def wait_for_suggestions(harness):
    harness.until(lambda event: isinstance(event, FoldersSuggested) and (event.folders >= 0).any())
    settle(harness)


def settle(harness):
    """Let the engine finish its background jobs, also those that wait for idle time."""
    harness.settle()
    harness.on_engine(lambda parts: parts.folder_updates.rebuild_stale())
    harness.settle()


def message(harness, number):
    return harness.on_engine(
        lambda parts: parts.store.connection.value(
            "SELECT message FROM locations WHERE uid = ? ORDER BY folder", (number,)
        )
    )


def model(harness):
    return harness.on_engine(lambda parts: parts.folder_models.account("home").state.model)


def rebuilt(harness):
    """Return what a rebuild learns."""

    def rebuild(parts):
        account = parts.folder_models.account("home")
        before = account.state
        _ = list(account.rebuild())
        account.state, state = before, account.state
        return state

    return harness.on_engine(rebuild)


def suggested(harness, number):
    return [chance.folder.folder for chance in harness.do.suggest_folders(message(harness, number))]


def test_messages_of_the_inbox_are_suggested_the_folder_of_similar_mail(filled):
    for number in range(31, 40):
        chances = filled.do.suggest_folders(message(filled, number))
        assert chances[0].folder == FolderName("home", kind_of(number))
        assert sum(chance.probability for chance in chances) > 0.5
    listed = {}
    for event in filled.events:
        if isinstance(event, FoldersSuggested):
            listed |= dict(zip(event.messages.tolist(), event.folders.tolist(), strict=True))
    assert len(listed) == 9 and min(listed.values()) >= 0


def test_mail_in_folders_is_left_out_of_the_share_of_spam(filled):
    filled.do.mark([message(filled, number) for number in range(31, 36)], "spam")
    filled.do.mark([message(filled, number) for number in range(36, 40)], "ham")

    def rates(parts):
        scoring = parts.scoring
        filed = parts.folder_models.filed()
        assert len(filed) == 24
        # All other mail is labelled.
        expected = scoring.model.base_rate_among(np.zeros(0), (5, 4))
        model = scoring.model
        without = recent_base_rate(parts.store, model, scoring.log_odds, filed)
        return expected, without, recent_base_rate(parts.store, model, scoring.log_odds, ())

    expected, without, including = filled.on_engine(rates)
    assert without == pytest.approx(expected, abs=0.01)
    assert including != without


def test_mail_in_a_suggested_folder_and_spam_get_no_suggestion(filled):
    assert suggested(filled, 1) == []
    assert suggested(filled, 31)
    filled.do.mark([message(filled, 31)], "spam")
    assert suggested(filled, 31) == []


def test_small_folders_and_folders_of_states_are_not_suggested(filled):
    filled.engine.backend.list_folders(
        "home", [*LISTED, ServerFolderUse(FolderName("home", "New"))]
    )
    deliver(filled, delivery("New", range(101, 101 + ENOUGH_MESSAGES - 1), "Travel"))
    deliver(filled, delivery("To do", range(111, 120), "Travel"))
    settle(filled)
    assert "New" in model(filled).counts.classes
    assert "New" not in suggested(filled, 32)
    deliver(filled, delivery("New", [110], "Travel"))
    settle(filled)
    assert "New" in suggested(filled, 32)
    assert "To do" not in model(filled).counts.classes


def test_a_move_is_learned_and_its_undo_is_exact(filled):
    moved = message(filled, 31)
    before = counted(model(filled))
    filled.do.move([moved], FolderName("home", "Travel"), INBOX)
    settle(filled)
    assert model(filled).counts.messages[model(filled).counts.row("Travel")] == 9
    assert suggested(filled, 31) == []
    filled.do.undo()
    settle(filled)
    assert counted(model(filled)) == before
    assert model(filled).is_exact
    assert suggested(filled, 31)[0] == "Invoices"


def test_a_reason_is_the_folder_of_the_thread(filled):
    """Message 2 lies in Travel."""
    answer = letter(71, "Invoices", "In-Reply-To: <2@x>\r\n")
    deliver(filled, inbox((), "Travel")._replace(arrivals=(answer,)))
    settle(filled)
    found = {}
    for number in (71, 31):
        one = message(filled, number)
        first = filled.do.suggest_folders(one)[0].folder
        why = filled.do.explain_folder(one, first, 999)
        parts = {each.word: each.contribution for each in why.why.contributions}
        found[number] = (
            parts.get("filed:thread", 0.0),
            why.one.folder.folder,
            why.other.folder.folder,
        )
    adds, first, second = found[71]
    assert adds * ((first == "Travel") - (second == "Travel")) >= 0
    assert (adds != 0) == ("Travel" in (first, second))
    assert found[31][0] == 0


def test_the_model_survives_a_restart(filled):
    before = counted(model(filled)), model(filled).lines, model(filled).past
    filled.again()
    wait_for_suggestions(filled)
    assert (counted(model(filled)), model(filled).lines, model(filled).past) == before
    file = next(filled.paths.data.glob("folders-*"))
    file.write_bytes(file.read_bytes()[:-100])
    filled.again()
    wait_for_suggestions(filled)
    assert counted(model(filled)) == before[0]


def test_removed_folders_are_forgotten(filled):
    travel = message(filled, 2)
    filled.engine.backend.list_folders(
        "home", [each for each in LISTED if each.name.folder != "Travel"]
    )
    settle(filled)
    assert travel not in filled.do.list_mail().messages
    assert ("Travel", "") not in counted(model(filled))
    assert "Travel" not in suggested(filled, 32)


def test_reasons_add_up_to_the_shown_probabilities(filled):
    one = message(filled, 31)
    first, second = filled.do.suggest_folders(one)[:2]
    assert filled.do.explain_folder(one, second.folder).one == second
    found = filled.do.explain_folder(one, first.folder, 5)
    assert (found.one, found.other) == (first, second)
    why = found.why
    parts = (
        why.prior
        + sum(each.contribution for each in why.contributions)
        + why.weaker
        + why.calibration
    )
    assert parts == pytest.approx(math.log(first.probability / second.probability), abs=1e-9)


def test_the_surest_messages_are_listed_with_the_record(filled, monkeypatch):
    monkeypatch.setattr(folder_suggestions, "NEARLY_SURE", 0.4)
    found = filled.do.preview_filing()
    assert found.proposals.keys() <= {message(filled, number) for number in range(31, 40)}
    chances = [one.probability for one in found.proposals.values()]
    assert chances == sorted(chances, reverse=True)
    past = [each for each in model(filled).past if each.probability >= 0.4]
    assert (found.record.found, found.record.count) == (
        sum(each.place == 0 for each in past),
        len(past),
    )


def test_the_report_counts_right_suggestions(filled):
    (report,) = filled.do.report_folders()
    past = model(filled).past
    assert [each.name for each in report.folders] == sorted(WORDS)
    assert [each.messages for each in report.folders] == [8, 8, 8]
    assert sum(map(sum, report.table)) == len(past) == report.first.count == report.curve[-1].labels
    assert sum(report.table[place][place] for place in range(3)) == report.first.found
    assert sum(point.first.found for point in report.curve) == report.first.found
    words = filled.do.list_folder_words(FolderName("home", "Travel"), 30)
    by_word = {each.word: each for each in words}
    assert (by_word["train"].inside, by_word["train"].outside) == (
        counted(model(filled))["Travel", "train"][0],
        0,
    )
    assert by_word["train"].log_ratio > 0
    assert filled.do.list_folder_words(FolderName("home", "gone")) == ()


def test_learning_random_moves_equals_a_rebuild(filled):
    chance = random.Random(5)
    places = {number: kind_of(number) for number in range(1, 25)} | dict.fromkeys(
        range(31, 40), "INBOX"
    )
    for _ in range(40):
        number = chance.choice(list(places))
        target = chance.choice([*WORDS, "INBOX"])
        if target == places[number]:
            continue
        for folder, arriving in ((places[number], ()), (target, [number])):
            special = "\\Inbox" if folder == "INBOX" else ""
            gone = () if arriving else [number]
            deliver(filled, delivery(folder, arriving, kind_of(number), gone, special))
        places[number] = target
    settle(filled)
    again = rebuilt(filled)
    assert counted(model(filled)) == counted(again.model)
    assert len(model(filled).past) == len(again.model.past)
    assert filled.do.list_journal() == (), "what lies in a folder or was moved there is no label"
    assert (
        filled.on_engine(lambda parts: dict(parts.folder_models.account("home").state.filed))
        == again.filed
    )


def test_methods_are_compared_on_the_newest_filed_messages(filled):
    assert filled.attempt.compare_folder_methods("home").error_code is ErrorCode.NOT_ENOUGH_YET
    for kind in WORDS:
        deliver(filled, delivery(kind, numbers(kind, 101, 161)))
    settle(filled)
    found = filled.do.compare_folder_methods("home")
    assert [*found] == ["", *METHODS]
    assert {right.count for right in found.values()} == {-(-(24 + 60) // 5)}
    assert found[METHODS[0]].share > 0.8


def test_of_many_folders_those_with_the_newest_mail_are_learned(filled, monkeypatch):
    monkeypatch.setattr("nbmail.worker.folders.account_folders.MOST_FOLDERS", 2)
    names = [f"folder {number}" for number in range(5)]
    filled.engine.backend.list_folders(
        "home", LISTED + [ServerFolderUse(FolderName("home", each)) for each in names]
    )
    for place, name in enumerate(names):
        first = 101 + 10 * ((3 * place) % 5)
        deliver(filled, delivery(name, range(first, first + 8), list(WORDS)[place % 3]))
    settle(filled)
    # Their dates are those of the numbers from 131 and from 141 on.
    assert sorted(model(filled).counts.classes) == ["folder 1", "folder 3"]
    deliver(filled, delivery("folder 0", range(201, 209), "Travel"))
    settle(filled)
    assert sorted(model(filled).counts.classes) == ["folder 0", "folder 3"]


def part_of_thread(uid, name, references="", answered=""):
    raw = f"From: {name}@x.org\r\nSubject: tea\r\nMessage-ID: <{name}@x>\r\n"
    raw += f"References: {references}\r\n" if references else ""
    raw += f"In-Reply-To: {answered}\r\n" if answered else ""
    return Arrival(uid, frozenset(), 100.0 + uid, f"{raw}\r\n{name}".encode(), 200)


def test_messages_that_answer_each_other_belong_together(harness):
    letters = (
        part_of_thread(1, "a"),
        part_of_thread(2, "b", "<a@x>", "<a@x>"),
        part_of_thread(3, "c", "<a@x> <b@x>", "<b@x>"),
        part_of_thread(4, "d", answered="<a@x>"),
        part_of_thread(5, "other"),
        part_of_thread(6, "unseen", "<nowhere@x>"),
    )
    harness.ready()
    harness.engine.backend.deliver(Delivery(INBOX, 1, arrivals=letters, complete=True))
    rows = harness.do.list_mail()
    numbers = {
        sender[: sender.index("@")]: message
        for sender, message in zip(rows.senders, rows.messages.tolist(), strict=True)
    }
    for name in "abcd":
        found = harness.do.list_conversation(numbers[name])
        assert [each.sender for each in found] == [f"{one}@x.org" for one in "abcd"]
    assert [each.message for each in harness.do.list_conversation(numbers["other"])] == [
        numbers["other"]
    ]
    harness.on_engine(lambda parts: parts.store.connection.execute("DELETE FROM threads"))
    harness.again()
    harness.settle()
    assert len(harness.do.list_conversation(numbers["c"])) == 4, (
        "mail of an earlier version is read from the cache"
    )


def test_threads_of_stored_mail_in_suggested_folders_are_fetched(filled):
    # What was learned one at a time may have been learned in another order.
    before = rebuilt(filled).model.habits.uses
    assert any(key.startswith(THREAD) for key in before)

    def lose(parts):
        parts.store.connection.execute("DELETE FROM threads")
        parts.folder_models.account("home").is_stale = True

    filled.on_engine(lose)
    settle(filled)
    assert not any(key.startswith(THREAD) for key in model(filled).habits.uses)
    filled.on_engine(lambda parts: list(parts.store.raw_mail.evicting(0)))
    filled.again()
    wait_for_suggestions(filled)
    settle(filled)
    fetches = [
        one for one in filled.engine.backend.pending_actions("home") if one.kind is ActionKind.FETCH
    ]
    assert {one.folder.folder for one in fetches} <= set(WORDS)
    while fetches:
        for one in fetches:
            filled.engine.backend.complete_fetch(one, letter(one.uid, one.folder.folder))
        settle(filled)
        fetches = [
            one
            for one in filled.engine.backend.pending_actions("home")
            if one.kind is ActionKind.FETCH
        ]
    assert model(filled).habits.uses == before
