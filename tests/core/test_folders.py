"""Suggested folders: figures computed by hand, exact unlearning, and reasons that add up."""

import copy
import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.folders.filed_mail import FiledMail
from nbmail.core.folders.filing_habits import NAME, RECENT, SENDER, THREAD
from nbmail.core.folders.filing_record import filing_record
from nbmail.core.folders.folder_model import LATEST, FolderModel
from nbmail.core.folders.own_folders import own_folders
from nbmail.core.folders.suggestion_lines import SuggestionLine, SuggestionLines
from nbmail.core.folders.suggestions import PastSuggestion
from tests.core.material import WORDS, samples, text_sample, vocabulary

FOLDERS = ("Invoices", "Travel", "Lists/linux", "Work")
filings = st.lists(
    st.tuples(samples(), st.sampled_from(FOLDERS), st.sampled_from(("", "a", "b"))),
    min_size=2,
    max_size=12,
)


def mail(words, *vocabulary_and_thread):
    known, *thread = vocabulary_and_thread
    return FiledMail(text_sample(known, words), tuple(thread))


def learned(several):
    model = FolderModel(vocabulary())
    for sample, folder, thread in several:
        model.learn(FiledMail(sample, (thread,) if thread else ()), [folder])
    return model


def state(model):
    corrections = np.zeros((len(FOLDERS), WORDS), np.int64)
    learned = model.method.state()
    corrections[: len(learned), : learned.shape[1]] = learned[:, :WORDS]
    return (
        model.counts,
        corrections.tolist(),
        dict(model.habits.uses),
        model.lines,
        list(model.past),
        model.is_exact,
    )


def counted(model):
    """Return messages of each folder, and documents and occurrences of each word in it."""
    counts = model.counts
    found = {}
    for row, folder in enumerate(counts.classes):
        found |= {(folder, ""): counts.messages[row]} if counts.messages[row] else {}
        for number in np.flatnonzero(counts.documents[row]).tolist():
            word = model.vocabulary.word(number)
            found[folder, word] = counts.documents[row, number], counts.occurrences[row, number]
    return found


def evidence_of(model, one):
    one = model._renumbered(one)
    found = model.habits.evidence(model.counts, one, model.habits.keys(one))
    return {
        kind: dict(zip(model.counts.classes, values.tolist(), strict=True))
        for kind, values in found.items()
    }


def test_sender_by_hand():
    known = Vocabulary()
    model = FolderModel(known)
    anna = ["from:anna", "from:anna@x.org", "from:@x.org"]
    for folder, words in (("A", anna), ("A", anna), ("B", ["other"])):
        model.learn(mail(words, known), [folder])
    count = 1 + 0.5**0.2
    shares = {"A": 2.5 / 4, "B": 1.5 / 4}
    weight = 3 * math.sqrt(2 / 60)
    found = evidence_of(model, mail(anna, known))[SENDER]
    assert found["A"] == pytest.approx(
        weight * math.log((count + 10 * shares["A"]) / (count + 10) / shares["A"])
    )
    assert found["B"] == pytest.approx(
        weight * math.log(10 * shares["B"] / (count + 10) / shares["B"])
    )


def test_name_and_recent_use_by_hand():
    known = Vocabulary()
    model = FolderModel(known)
    for folder, words in (
        ("Lists/linux", ["linux"]),
        ("Lists/linux", ["linux"]),
        ("Travel", ["train"]),
    ):
        model.learn(mail(words, known), [folder])
    found = evidence_of(model, mail(["subject:linux", "linux", "travel"], known))
    # Two messages contain "linux", none "subject:linux" or "travel"; no message has the word
    # "lists".
    assert found[NAME] == pytest.approx(
        {"Lists/linux": 16 / math.log(5) / 2, "Travel": 16 / math.log(3)}
    )
    faded = 0.5**0.01
    counts = {"Lists/linux": faded**2 + faded + 0.5, "Travel": 1.5}
    expected = {
        folder: 0.5 * math.log(count / sum(counts.values())) for folder, count in counts.items()
    }
    assert found[RECENT] == pytest.approx(expected)


def test_answers_go_to_the_folder_of_their_thread():
    known = Vocabulary()
    model = FolderModel(known)
    for number, folder in enumerate(("A", "B", "C", "A", "B", "C")):
        model.learn(mail([f"word{number}"], known, f"<{number}>"), [folder])
    for number, folder in enumerate(("A", "B", "C")):
        answer = mail(["answer"], known, "<new>", f"<{number}>")
        assert model.suggest([answer])[0].folders[0] == folder
        assert max(evidence_of(model, answer)[THREAD].items(), key=lambda one: one[1])[0] == folder


@given(filings)
def test_unlearning_the_latest_is_the_identity(several):
    first = len(several) // 2
    model = learned(several[: len(several) // 2])
    before = state(model)
    for sample, folder, thread in several[first:]:
        model.learn(FiledMail(sample, (thread,) if thread else ()), [folder])
    for sample, folder, thread in reversed(several[first:]):
        model.unlearn(FiledMail(sample, (thread,) if thread else ()), folder)
    assert state(model) == before
    assert model.is_exact


@given(filings, st.randoms(use_true_random=False))
def test_counts_depend_on_the_contents_of_folders_and_not_on_the_order(several, random):
    shuffled = list(several)
    random.shuffle(shuffled)
    one = learned(several)
    other = learned(shuffled)
    assert counted(one) == counted(other)
    sample, folder, _ = several[0]
    one.unlearn(FiledMail(sample), folder)
    assert counted(one) == counted(learned(several[1:]))


@given(filings, samples())
def test_stored_content_restores_the_model_completely(several, sample):
    model = learned(several)
    known = vocabulary()
    known.numbers_of(["new"])
    again = FolderModel.of(known, copy.deepcopy(model.content()))
    assert state(again) == state(model)
    for each in (model, again):
        each.learn(FiledMail(sample, ("a",)), ["Travel"])
    assert state(again) == state(model)
    assert again.suggest([FiledMail(sample)]) == model.suggest([FiledMail(sample)])


def test_unlearning_an_earlier_message_requires_a_rebuild():
    known = vocabulary()
    several = [
        (text_sample(known, [f"w{number}"]), folder, "")
        for number, folder in ((1, "A"), (2, "B"), (4, "A"))
    ]
    model = learned(several)
    model.unlearn(FiledMail(several[0][0]), "A")
    assert not model.is_exact
    long = learned(several[:1] * (LATEST + 5))
    for _ in range(LATEST):
        long.unlearn(FiledMail(several[0][0]), "A")
        assert long.is_exact
    long.unlearn(FiledMail(several[0][0]), "A")
    assert not long.is_exact


@given(filings, samples(), st.integers(0, 6))
def test_reasons_add_up(several, sample, strongest):
    model = learned(several)
    one = FiledMail(sample, ("a",))
    suggestion = model.suggest([one])[0]
    if suggestion is None:
        assert len({folder for _, folder, _ in several}) == 1
        return
    assert 0 < suggestion.probabilities[0] <= suggestion.together < 1
    assert list(suggestion.probabilities) == sorted(suggestion.probabilities, reverse=True)
    for folder, other in pairwise(suggestion.folders):
        why = model.explain(one, folder, other, strongest)
        parts = (
            why.prior
            + sum(each.contribution for each in why.contributions)
            + why.weaker
            + why.calibration
        )
        assert parts == pytest.approx(why.log_odds, abs=1e-9)
        chances = [
            suggestion.probabilities[suggestion.folders.index(each)] for each in (folder, other)
        ]
        assert why.log_odds == pytest.approx(math.log(chances[0] / chances[1]), abs=1e-9)
    with pytest.raises(ValueError, match="not suggested"):
        model.explain(one, suggestion.folders[0], "none of them")
        assert len(why.contributions) <= strongest


@given(filings, samples())
def test_a_message_in_two_folders_is_right_in_either(several, sample):
    model = learned(several)
    suggestion = model.suggest([FiledMail(sample)])[0]
    if suggestion is None or len(suggestion.folders) < 2:
        return
    known = len(model.past)
    model.learn(FiledMail(sample), ["elsewhere", suggestion.folders[1]])
    assert len(model.past) == known + 1
    assert model.past[-1].place == 1
    assert model.past[-1].filed == suggestion.folders[1]


def test_what_a_program_filed_is_learned_without_a_record():
    known = vocabulary()
    several = [
        (text_sample(known, [f"w{number}"]), "AB"[number % 2], "") for number in (1, 2, 4, 7)
    ]
    model = learned(several)
    past = len(model.past)
    lines = model.lines
    messages = sum(model.counts.messages)
    model.learn(FiledMail(several[0][0]), ["A"], recorded=False)
    assert (len(model.past), model.lines, sum(model.counts.messages)) == (past, lines, messages + 1)


@pytest.mark.parametrize("share", [0.3, 0.8, 0.97])
def test_lines_follow_the_share_that_was_right(share):
    random = np.random.default_rng(3)
    line = SuggestionLine()
    for right in random.random(1500) < share:
        line = line.learn(2.0, bool(right))
    assert line.probability(2.0) == pytest.approx(share, abs=0.06)


def test_first_and_three_are_calibrated_apart():
    lines = SuggestionLines()
    for number in range(400):
        lines = lines.learn([0.5, 0.2, 0.1], 0 if number % 2 else 1)
    made = lines.suggestion(["A", "B", "C"], [0.5, 0.2, 0.1])
    assert made.probabilities[0] == pytest.approx(0.5, abs=0.05)
    assert made.together > 0.95
    assert sum(made.probabilities) == pytest.approx(made.together)


def test_own_folders_leave_out_what_holds_mail_for_another_reason():
    listed = {
        "INBOX": "\\Inbox", "Gesendet": "\\Sent", "Sent": "", "Drafts": "", "Trash": "\\Trash",
        "Archive": "\\Archive",
        "Invoices": "", "Lists/linux": "", "Lists/To do": "", "INBOX.Travel": "", "Old": "",
        "Old/2024": "",
        "Old/2025": "", "[Gmail]/Important": "", "Todos": "",
    }  # fmt: skip
    assert own_folders(listed.items()) == [
        "INBOX.Travel",
        "Invoices",
        "Lists/linux",
        "Old/2024",
        "Old/2025",
        "Todos",
    ]
    assert own_folders(listed.items(), ("Drafts", "Old", "gone")) == ["Drafts", "Old"]
    assert own_folders(listed.items(), ()) == []
    assert len(own_folders((f"folder {number}", "") for number in range(2000))) == 2000


def test_a_folder_is_filled_automatically_where_sure_suggestions_were_right():
    past = [PastSuggestion("a", "a", 0.995, 0.999, 0)] * 300 + [
        PastSuggestion("b", "b", 0.995, 0.999, 0)
    ] * 10
    record = filing_record([*past, PastSuggestion("a", "c", 0.5, 0.9, -1)], {})
    assert (record.total.found, record.total.count, record.folders.keys()) == (310, 310, {"a", "b"})
    assert [record.carries(folder) for folder in "abc"] == [True, False, False]
    assert not filing_record(past, {"a": 40}).carries("a"), "a person moved these away"
    assert not filing_record(
        [*past, *[PastSuggestion("b", "a", 0.995, 0.999, -1)] * 20], {}
    ).carries("a")
