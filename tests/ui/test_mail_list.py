"""The mail list agrees with a plain Python model after any sequence of changes."""

import math
import random
from datetime import datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbmail.core.sorting.sorted_message import SortedMessage, SortedState
from nbmail.text.search_query import SearchQuery, read_query
from nbmail.ui.list.contents.mail_list import MailList
from nbmail.ui.list.contents.sort_keys import sort_key
from nbmail.ui.list.list_choice import USUAL, Arrangement, Choice, Column, Kind
from nbmail.ui.list.search_words import fold
from nbmail.values import VERDICTS, FolderName, LabelSource, Rows
from tests.ui.made import make_rows, make_scores, pick_rows

FOLDERS = tuple(FolderName("home", name) for name in ("INBOX", "Junk", "lists"))
LABELS = ("ham", "spam")
# In the order of the list: the user first, other sources in the order of their appearance.
SOURCES = (LabelSource("user"), LabelSource("server"), LabelSource("folder", FOLDERS[1]))
ROW_SOURCES = (SOURCES[1], SOURCES[2], SOURCES[0])
TEXTS = (
    "",
    "anna",
    "Bob",
    "ÉMILE",
    "re: anna",
    "中文",
    "zoe " * 20,
    "zoe " * 20 + "b",
    "zoe " * 20 + "a",
)
QUERIES = (
    "",
    "an",
    "ANNA b",
    "中",
    "no such",
    "é",
    "from:anna",
    "subject:re an",
    "has:attachment",
    "IS:unread zoe",
    "is:verified",
    "to:an",
)
QUERIES += ("before:1970-01-03", "after:1970-01-02 before:1970-01-04", "before:soon is: from:")
ARRANGEMENTS = st.builds(
    Arrangement,
    st.builds(
        Choice,
        st.sampled_from(USUAL),
        st.sampled_from([None, FOLDERS[1]]),
        st.sampled_from(QUERIES),
    ),
    st.sampled_from(Column),
    st.booleans(),
)
# Day and probability of automatic sorting.
SORTINGS = ((20_000, 0.99), (20_000, 0.999), (20_001, 0.995))
CHANCES = st.randoms(use_true_random=True)
FOUND = range(0, 200, 3)
"""Messages that the engine finds, whatever is searched."""


def make_mail(chance, number):
    """Return a message as a dictionary. `folders`: with their unread state, the first first."""
    folders = {
        folder: chance.random() < 0.5
        for folder in chance.sample(range(3), chance.choice((1, 1, 2, 3)))
    }
    return {
        "message": number,
        "date": 86400.0 * chance.randrange(5),
        "verified": chance.choice((-1, 0, 1)),
        "attachment": chance.random() < 0.5,
        "sender": chance.choice(TEXTS),
        "subject": chance.choice(TEXTS),
        "label": chance.choice((-1, -1, 0, 1)),
        "label_source": chance.choice(SOURCES),
        "folders": folders,
        "log_odds": chance.choice((-3.0, -1.0, 0.0, 2.0, 7.0, math.nan)),
        "sorted": chance.choice((None, None, *SORTINGS)),
    }


def sorting_of(mails):
    """Return what was sorted automatically, and a message that is not listed."""
    return [
        SortedMessage(
            mail["message"], "home", "INBOX", day * 86_400.0, "", "", chance, SortedState.MOVED
        )
        for mail in [*mails, {"message": 9999, "sorted": SORTINGS[0]}]
        if mail["sorted"]
        for day, chance in [mail["sorted"]]
    ]


def rows_of(mails):
    locations = [tuple(mail["folders"].items()) for mail in mails]
    location_sets = tuple(dict.fromkeys(locations))
    odds = np.array([mail["log_odds"] for mail in mails], float)
    scores = make_scores(np.array([mail["message"] for mail in mails], np.int64), odds)
    return Rows(
        messages=scores.messages,
        dates=np.array([mail["date"] for mail in mails], float),
        senders=tuple(mail["sender"] for mail in mails),
        subjects=tuple(mail["subject"] for mail in mails),
        labels=np.array([mail["label"] for mail in mails], np.int16),
        label_sources=np.array(
            [
                ROW_SOURCES.index(mail["label_source"]) if mail["label"] >= 0 else -1
                for mail in mails
            ],
            np.int16,
        ),
        locations=np.array([location_sets.index(each) for each in locations], np.int32),
        attachments=np.array([mail["attachment"] for mail in mails], bool),
        flagged=np.zeros(len(mails), bool),
        verified=np.array([mail["verified"] for mail in mails], np.int8),
        scores=scores,
        label_names=LABELS,
        source_names=ROW_SOURCES,
        folder_names=FOLDERS,
        location_sets=location_sets,
        spam_folders=frozenset({FOLDERS[1]}),
    )


def effective_class(mail):
    if mail["label"] >= 0:
        return LABELS[mail["label"]]
    return VERDICTS[make_scores([1], np.array([mail["log_odds"]])).verdicts[0]]


def belongs(mail, choice):
    folder = next(iter(mail["folders"])) if choice.folder is None else FOLDERS.index(choice.folder)
    scored = mail["label"] >= 0 or not math.isnan(mail["log_odds"])
    kinds = {
        Kind.ALL: True,
        Kind.UNSURE: scored and effective_class(mail) == "unsure",
        Kind.SPAM: effective_class(mail) == "spam",
        Kind.HAM: effective_class(mail) == "ham",
        Kind.UNREAD: mail["folders"].get(folder, False),
        Kind.MARKED: mail["label"] >= 0,
        Kind.SORTED: mail["sorted"] is not None,
    }
    is_spam_mail = choice.folder is None and list(mail["folders"]) == [1]
    return (
        (
            choice.kind == Kind.SPAM
            if is_spam_mail and choice.kind != Kind.SORTED
            else kinds[choice.kind]
        )
        and (choice.folder is None or folder in mail["folders"])
        and all(
            fits(mail, *word.rpartition(":"), kinds[Kind.UNREAD])
            for word in choice.words.casefold().split()
        )
    )


def fits(mail, operator, _, value, unread):
    """True if a message fits a word of a query. An operator without a value fits all."""
    if operator and not value:
        return True
    if operator in ("", "from", "subject", "to"):
        return mail["message"] in FOUND
    return {
        "has": lambda: mail["attachment"],
        "is": lambda: mail["verified"] == 1 if value == "verified" else unread,
        "before": lambda: (
            value == "soon" or mail["date"] < datetime.fromisoformat(value).timestamp()
        ),
        "after": lambda: mail["date"] >= datetime.fromisoformat(value).timestamp(),
    }[operator]()


def expected_key(mail, column, descending):
    unknown = -math.inf if descending else math.inf
    return {
        Column.CHANCE: unknown if math.isnan(mail["log_odds"]) else mail["log_odds"],
        Column.VERDICT: ["ham", "unsure", "spam"].index(effective_class(mail)),
        Column.DECIDED: SOURCES.index(mail["label_source"]) if mail["label"] >= 0 else len(SOURCES),
        Column.SENDER: sort_key(fold(mail["sender"])),
        Column.SUBJECT: sort_key(fold(mail["subject"])),
        Column.FOLDER: fold(FOLDERS[next(iter(mail["folders"]))].folder),
        Column.DATE: mail["date"],
        Column.VERIFIED: mail["verified"],
        # No message has a suggestion.
        Column.SUGGESTED: unknown,
    }[column]


def expected(mails, arrangement):
    chosen = sorted(
        (mail for mail in mails if belongs(mail, arrangement.choice)),
        key=lambda mail: -mail["date"],
    )
    column = arrangement.column
    descending = arrangement.descending

    def key(mail):
        if column == Column.DATE and arrangement.choice.kind == Kind.SORTED:
            return mail["sorted"][0], -mail["sorted"][1]
        return expected_key(mail, column, descending)

    chosen.sort(key=key, reverse=descending)
    return [mail["message"] for mail in chosen]


def shown(mail_list):
    return mail_list.messages[mail_list.order].tolist()


def live(chance):
    """Return a list after random changes, and its messages in the order of their appearance."""
    mail_list = MailList()
    known = {}
    gone = set()
    for _ in range(chance.randint(1, 4)):
        batch = [
            make_mail(chance, number)
            for number in chance.sample(range(1, 40), chance.randint(0, 15))
        ]
        mail_list.take_rows(rows_of(batch))
        known |= {mail["message"]: mail for mail in batch}
        gone -= {mail["message"] for mail in batch}
        if chance.random() < 0.3:
            mail_list.text_columns.prepare(chance.randint(0, 20))
        leaving = chance.sample(sorted(known), len(known) // 4)
        mail_list.take_gone([*leaving, 9999])
        gone |= set(leaving)
        for number in chance.sample(sorted(known), len(known) // 3):
            label = chance.choice((-1, 0, 1))
            mail_list.set_label([number, 9999], None if label < 0 else LABELS[label])
            if known[number]["label"] != label:
                known[number] |= {"label": label, "label_source": SOURCES[0]}
        mail_list.take_sorted(sorting_of(known.values()))
    return mail_list, [mail for number, mail in known.items() if number not in gone]


@given(CHANCES, ARRANGEMENTS)
def test_sorting_and_choosing(chance, arrangement):
    mail_list, mails = live(chance)
    mail_list.take_found(arrangement.choice.words, FOUND)
    mail_list.arrange(arrangement)
    assert shown(mail_list) == expected(mails, arrangement)
    for mail in mails:
        position = int(mail_list.find([mail["message"]])[0])
        assert mail_list.label_source(position) == (
            mail["label_source"] if mail["label"] >= 0 else None
        )


@given(CHANCES, ARRANGEMENTS)
def test_inserted_messages_are_at_their_sorted_position(chance, arrangement):
    mail_list, _ = live(chance)
    mail_list.take_found(arrangement.choice.words, FOUND)
    mail_list.arrange(arrangement)
    came, known = mail_list.take_rows(
        rows_of([make_mail(chance, number) for number in range(100, 108)])
    )
    assert len(known) == 0
    mail_list.place(came)
    placed = shown(mail_list)
    mail_list.place(came)
    assert placed == shown(mail_list)
    mail_list.arrange(arrangement)
    assert placed == shown(mail_list)


@pytest.mark.parametrize("text", ["", " ", "from:", "before:soon is:"])
def test_a_query_without_conditions_filters_nothing(text):
    assert read_query(text) == SearchQuery()


@given(st.text(st.characters(exclude_categories=[]) | st.sampled_from('\0\ud83d": ')))
def test_a_query_has_only_characters_that_can_be_searched(text):
    query = read_query(text)
    for word in (*query.words, *query.senders, *query.recipients, *query.subjects):
        word.encode()
    assert read_query("meeting \ud83d").words == ("meeting",)


def test_the_first_message_of_each_sender():
    senders = (
        "Anna <anna@a.example>",
        "ANNA@a.example",
        "Bob <bob@b.example>",
        "",
        "johanna@a.example",
    )
    mails = [make_mail(random.Random(number), number) for number in range(1, 11)]
    for number, mail in enumerate(mails):
        mail |= {"sender": senders[number % 5], "date": float(10 - number), "folders": {0: True}}
    mail_list = MailList()
    mail_list.take_rows(rows_of(mails))
    mail_list.arrange(Arrangement(Choice(words="is:first")))
    assert set(shown(mail_list)) == {7, 8, 9, 10}


@given(CHANCES)
def test_counts_agree_with_the_lists(chance):
    mail_list, mails = live(chance)
    for folder in (None, *FOLDERS):
        counts = {kind: len(expected(mails, Arrangement(Choice(kind, folder)))) for kind in USUAL}
        assert mail_list.count_kinds(folder) == counts
        if folder in mail_list.folder_names:
            unread = 0 if folder == FOLDERS[1] else counts[Kind.UNREAD]
            assert mail_list.count_folders()[folder] == (counts[Kind.ALL], unread)


@given(CHANCES)
def test_absent_messages_are_hidden_until_they_return(chance):
    mail_list = MailList()
    mails = [make_mail(chance, number) for number in range(1, 20)]
    mail_list.take_rows(rows_of(mails))
    gone = chance.sample(range(1, 20), 7)
    mail_list.take_gone(gone)
    came, known = mail_list.take_rows(rows_of(mails))
    assert mail_list.messages[came].tolist() == sorted(gone)
    assert set(mail_list.messages[known].tolist()) == set(range(1, 20)) - set(gone)


@pytest.mark.parametrize(
    ("label", "wanted"), [("spam", "spam"), ("ham", "ham"), ("travel", None), (None, None)]
)
def test_a_label_overrides_the_verdict(label, wanted):
    mail_list = MailList()
    mail_list.take_rows(make_rows(5))
    verdict = VERDICTS[mail_list.effective_class[2]]
    mail_list.set_label([3], label)
    assert VERDICTS[mail_list.effective_class[2]] == (wanted or verdict)


def test_the_selection_contains_only_shown_messages():
    mail_list = MailList()
    mail_list.take_rows(make_rows(20))
    mail_list.selected[[3, 5, 7]] = True
    mail_list.take_gone([6])
    mail_list.arrange(Arrangement())
    assert sorted(mail_list.selection()) == [4, 8]
    assert mail_list.count_selected() == 2


def test_a_list_that_grows_in_chunks_equals_one_loaded_at_once():
    rows = make_rows(4000, labelled=0.5)
    scaled = MailList()
    whole = MailList()
    whole.take_rows(rows)
    for places in np.split(
        random.Random(1).sample(range(4000), 4000), [1, 2, 900, 1100, 1101, 3500]
    ):
        scaled.take_rows(pick_rows(rows, places, rows.labels, rows.scores, rows.label_sources))
    positions = scaled.find(whole.messages)
    columns = {name: column for name, column in vars(whole).items() if not name.startswith("_")}
    for name in columns.keys() - {"folders", "label_sources", "order"}:
        if isinstance(columns[name], np.ndarray):
            np.testing.assert_array_equal(getattr(scaled, name)[positions], columns[name], name)
    assert [scaled.label_source(each) for each in positions] == [
        whole.label_source(each) for each in range(4000)
    ]
    assert [scaled.subjects[each] for each in positions] == whole.subjects
    assert scaled.count_folders() == whole.count_folders()
    assert scaled.find([-1, 0, 4001, 10**9]).tolist() == [-1] * 4
