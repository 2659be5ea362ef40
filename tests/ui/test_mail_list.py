"""The list in numpy says the same as the slow way in plain Python."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbmail.ui.list.columns import Column
from nbmail.ui.list.comparable_text import WIDTH, fold, sort_text
from nbmail.ui.list.list_choice import Arrangement, Choice, Kind
from nbmail.ui.list.mail_columns import MailColumns
from nbmail.ui.list.mail_list import MailList
from nbmail.worker.protocol import VERDICTS, FolderName, Giver, Rows
from tests.ui.scripted import make_rows, make_scores, pick_rows

FOLDERS = tuple(FolderName("home", name) for name in ("INBOX", "Junk", "lists"))
LABELS = ("good", "junk")
# In the order in which the list puts them: the user first, the others as they are met.
GIVERS = (Giver("user"), Giver("server"), Giver("folder", FOLDERS[1]))
TOLD = (GIVERS[1], GIVERS[2], GIVERS[0])
PLAIN = {
    "giver": GIVERS[0],
    "date": 1.0,
    "sender": "a",
    "subject": "b",
    "label": -1,
    "folder": 0,
    "unread": False,
    "log_odds": 0.0,
}


@st.composite
def mails(draw, first=1, most=25):
    """One message as a plain dictionary, or several."""
    count = draw(st.integers(0, most))
    small = st.sampled_from(["", "anna", "Bob", "ÉMILE", "re: anna", "中文", "zoe " * 20])
    return [
        {
            "message": first + number,
            "date": float(draw(st.integers(0, 5))),
            "sender": draw(small),
            "subject": draw(small),
            "label": draw(st.sampled_from([-1, -1, 0, 1])),
            "giver": draw(st.sampled_from(GIVERS)),
            "folder": draw(st.integers(0, 2)),
            "others": tuple(draw(st.dictionaries(st.integers(0, 2), st.booleans(), max_size=2)).items()),
            "unread": draw(st.booleans()),
            "log_odds": draw(st.sampled_from([-3.0, -1.0, 0.0, 2.0, 7.0, math.nan])),
        }
        for number in range(count)
    ]


def lies_in(mail):
    """Its folders, with whether it is unread there."""
    others = {folder: unread for folder, unread in mail.get("others", ()) if folder != mail["folder"]}
    return {mail["folder"]: mail["unread"], **others}


def rows_of(mails):
    companies = [tuple(list(lies_in(mail).items())[1:]) for mail in mails]
    kinds = tuple(dict.fromkeys([(), *companies]))
    odds = np.array([mail["log_odds"] for mail in mails], float)
    scores = make_scores(np.array([mail["message"] for mail in mails], np.int64), odds)
    return Rows(
        messages=scores.messages,
        dates=np.array([mail["date"] for mail in mails], float),
        senders=tuple(mail["sender"] for mail in mails),
        subjects=tuple(mail["subject"] for mail in mails),
        labels=np.array([mail["label"] for mail in mails], np.int16),
        folders=np.array([mail["folder"] for mail in mails], np.int16),
        unread=np.array([mail["unread"] for mail in mails], bool),
        attachments=np.zeros(len(mails), bool),
        scores=scores,
        label_names=LABELS,
        folder_names=FOLDERS,
        others=np.array([kinds.index(company) for company in companies], np.int32),
        other_places=kinds,
        givers=np.array([TOLD.index(mail["giver"]) if mail["label"] >= 0 else -1 for mail in mails], np.int16),
        giver_names=TOLD,
    )


def standing(mail):
    if mail["label"] >= 0:
        return LABELS[mail["label"]]
    return VERDICTS[int(make_scores([1], np.array([mail["log_odds"]])).verdicts[0])]


def is_unread(mail, folder):
    return mail["unread"] if folder is None else lies_in(mail).get(FOLDERS.index(folder), False)


def belongs(mail, choice):
    kinds = {
        Kind.ALL: True,
        Kind.UNSURE: standing(mail) == "unsure",
        Kind.JUNK: standing(mail) == "junk",
        Kind.GOOD: standing(mail) == "good",
        Kind.UNREAD: is_unread(mail, choice.folder),
        Kind.MARKED: mail["label"] >= 0,
    }
    text = f"{mail['sender']}\n{mail['subject']}".casefold()
    return (
        kinds[choice.kind]
        and (choice.folder is None or FOLDERS.index(choice.folder) in lies_in(mail))
        and all(word in text for word in choice.words.casefold().split())
    )


def text_key(text, turn):
    raw = sort_text(fold(text)).encode()[:WIDTH].ljust(WIDTH, b"\0")
    return tuple(turn * byte for byte in raw)


def sort_key(mail, column, turn):
    if column in (Column.SENDER, Column.SUBJECT):
        return text_key(mail[column.name.lower()], turn)
    if column == Column.FOLDER:
        return text_key(FOLDERS[mail["folder"]].folder, turn)
    value = {
        Column.CHANCE: mail["log_odds"],
        Column.VERDICT: ["good", "unsure", "junk"].index(standing(mail)),
        Column.DECIDED: GIVERS.index(mail["giver"]) if mail["label"] >= 0 else len(GIVERS),
        Column.DATE: mail["date"],
    }[column]
    return (math.inf if math.isnan(value) else turn * value,)


def expected(mails, arrangement):
    chosen = [mail for mail in mails if belongs(mail, arrangement.choice)]
    turn = -1 if arrangement.descending else 1
    ordered = sorted(chosen, key=lambda mail: (*sort_key(mail, arrangement.column, turn), -mail["date"]))
    return [mail["message"] for mail in ordered]


choices = st.builds(
    Choice,
    st.sampled_from(Kind),
    st.sampled_from([None, FOLDERS[1]]),
    st.sampled_from(["", "an", "ANNA b", "中", "no such", "é"]),
)
arrangements = st.builds(Arrangement, choices, st.sampled_from(Column), st.booleans())


def shown(mail_list):
    return mail_list.messages[mail_list.order].tolist()


@given(mails(), arrangements)
def test_sorting_and_choosing(mails, arrangement):
    mail_list = MailList()
    mail_list.take_rows(rows_of(mails))
    mail_list.arrange(arrangement)
    assert shown(mail_list) == expected(mails, arrangement)


@given(mails(), mails(first=100, most=8), arrangements)
def test_newcomers_find_the_place_that_sorting_anew_gives_them(mails, newcomers, arrangement):
    mail_list = MailList()
    mail_list.take_rows(rows_of(mails))
    mail_list.arrange(arrangement)
    new, old = mail_list.take_rows(rows_of(newcomers))
    assert len(old) == 0
    pairs = mail_list.place_new(new)
    placed = shown(mail_list)
    for done, (place, position) in enumerate(pairs):
        placed.insert(place + done, int(mail_list.messages[position]))
    mail_list.arrange(arrangement)
    assert placed == shown(mail_list)


@settings(max_examples=60)
@given(st.lists(mails(most=8), max_size=6), arrangements)
def test_taking_messages_in_again_and_again_keeps_the_latest_of_each(batches, arrangement):
    mail_list, latest = MailList(), {}
    for batch in batches:
        mail_list.take_rows(rows_of(batch))
        latest |= {mail["message"]: mail for mail in batch}
    mail_list.arrange(arrangement)
    assert sorted(shown(mail_list)) == sorted(expected(list(latest.values()), arrangement))


@given(mails(), st.data())
def test_what_is_gone_is_not_shown_until_it_returns(mails, data):
    mail_list = MailList()
    mail_list.take_rows(rows_of(mails))
    gone = [mail["message"] for mail in mails if data.draw(st.booleans())]
    mail_list.take_gone([*gone, 9999])
    mail_list.arrange(Arrangement())
    assert set(shown(mail_list)) == {mail["message"] for mail in mails} - set(gone)
    added, _ = mail_list.take_rows(rows_of(mails))
    assert sorted(mail_list.messages[added].tolist()) == gone
    mail_list.arrange(Arrangement())
    assert shown(mail_list) == expected(mails, Arrangement())


def test_new_scores_move_nothing():
    mail_list = MailList()
    rows = make_rows(50)
    mail_list.take_rows(rows)
    mail_list.arrange(Arrangement(column=Column.CHANCE))
    before = shown(mail_list)
    mail_list.take_scores(make_scores(rows.messages, -rows.scores.log_odds))
    assert shown(mail_list) == before
    mail_list.arrange(mail_list.arrangement)
    assert shown(mail_list) == before[::-1]


def test_scores_of_unknown_messages_are_passed_over():
    mail_list = MailList()
    mail_list.take_rows(make_rows(5))
    places = mail_list.take_scores(make_scores([3, 77], np.array([9.0, 9.0])))
    assert mail_list.messages[places].tolist() == [3]


@pytest.mark.parametrize(("label", "wanted"), [("junk", "junk"), ("good", "good"), ("travel", "good"), (None, None)])
def test_a_label_outweighs_the_verdict(label, wanted):
    mail_list = MailList()
    mail_list.take_rows(make_rows(5))
    verdict = VERDICTS[mail_list.standing[2]]
    mail_list.set_label([3], label)
    assert VERDICTS[mail_list.standing[2]] == (wanted or verdict)


@given(mails())
def test_figures_agree_with_what_the_lists_show(mails):
    mail_list = MailList()
    mail_list.take_rows(rows_of(mails))
    for kind, count in zip(Kind, mail_list.count_kinds(None), strict=True):
        assert count == len(expected(mails, Arrangement(Choice(kind))))
    for folder, (held, unread) in mail_list.count_folders().items():
        figures = dict(zip(Kind, mail_list.count_kinds(folder), strict=True))
        assert (figures[Kind.ALL], figures[Kind.UNREAD]) == (held, unread)
    unread = [[mail for mail in mails if lies_in(mail).get(folder)] for folder, _ in enumerate(FOLDERS)]
    held = [[mail for mail in mails if folder in lies_in(mail)] for folder, _ in enumerate(FOLDERS)]
    assert mail_list.count_folders() == {
        name: (len(held[FOLDERS.index(name)]), len(unread[FOLDERS.index(name)])) for name in mail_list.folder_names
    }


def test_the_unread_list_of_a_folder_goes_by_what_is_unread_there():
    read_first = {**PLAIN, "message": 1, "unread": False, "others": ((1, True),)}
    read_there = {**PLAIN, "message": 2, "unread": True, "others": ((1, False),)}
    mail_list = MailList()
    mail_list.take_rows(rows_of([read_first, read_there]))
    for folder, wanted in ((FOLDERS[0], [2]), (FOLDERS[1], [1]), (None, [2])):
        mail_list.arrange(Arrangement(Choice(Kind.UNREAD, folder)))
        assert shown(mail_list) == wanted


def test_chosen_messages_are_those_selected_and_shown():
    mail_list = MailList()
    mail_list.take_rows(make_rows(20))
    mail_list.arrange(Arrangement())
    mail_list.selected[[3, 5, 7]] = True
    assert sorted(mail_list.chosen()) == [4, 6, 8]
    mail_list.take_gone([6])
    mail_list.arrange(Arrangement())
    assert sorted(mail_list.chosen()) == [4, 8]


def test_a_list_that_grows_piece_by_piece_holds_what_one_taken_in_whole_holds():
    rows, grown, whole = make_rows(4000, labelled=0.5), MailList(), MailList()
    whole.take_rows(rows)
    for places in np.split(np.arange(4000), [1, 2, 900, 1100, 1101, 3500]):
        grown.take_rows(pick_rows(rows, places, rows.labels, rows.scores, rows.givers))
    for name in MailColumns.__annotations__.keys() - {"folders"}:
        np.testing.assert_array_equal(getattr(grown, name), getattr(whole, name), name)
    assert (grown.senders, grown.subjects) == (whole.senders, whole.subjects)
    assert grown.count_folders() == whole.count_folders()


@given(st.permutations(range(1, 13)), st.lists(st.integers(1, 5), max_size=12))
def test_messages_are_found_in_whatever_order_they_came(numbers, cuts):
    mail, left = MailList(), list(numbers)
    for cut in cuts:
        part, left = left[:cut], left[cut:]
        mail.take_rows(rows_of([{**PLAIN, "message": number} for number in part]))
    known = set(numbers) - set(left)
    found = mail.find(list(range(0, 15)))
    assert [place >= 0 for place in found.tolist()] == [number in known for number in range(0, 15)]
    assert all(mail.messages[place] == number for number, place in enumerate(found.tolist()) if place >= 0)
