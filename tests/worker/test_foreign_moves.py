"""Moves by other clients are offered as labels; copies and automatic moves are not."""

import re

import pytest

from nbmail.core.mail.message import heading_of
from nbmail.core.mail.parser import parse
from nbmail.settings import Account, LearnMoves, Settings
from nbmail.values import Arrival, Delivery, Outcome
from nbmail.worker.protocol.events import MovedByOthers
from tests.worker.conftest import INBOX, SPAM, SPAM_WORDS, EngineHarness, arrival
from tests.worker.test_intake import bring
from tests.worker.test_marking import labels

RAW = f"From: offers1@example.org\r\nSubject: cheap pills\r\n\r\n{SPAM_WORDS}\r\n".encode()
SPAM_MAIL = Arrival(301, frozenset(), 1301.0, RAW, len(RAW))


def offers(harness):
    return [
        (event.messages, event.label)
        for event in harness.events
        if isinstance(event, MovedByOthers)
    ]


def play(harness, story):
    """Deliver step by step: "junk/2 +1@9[$Junk] -3 =4[]" has message 1, UID 9, UIDVALIDITY 2.

    UID 3 is gone, UID 4 has no flags any more. MARK stands for the mark of automatic sorting.
    """
    for step in story.split(" | "):
        name, *changes = step.replace("MARK", "nbmail-auto-abcdef").split()
        name, _, validity = name.partition("/")
        if name == "ham":
            harness.do.mark(tuple(map(int, changes)), name)
        elif name == "later":
            harness.clock.now += 3600.0
        elif name == "restart":
            harness.again()
        elif name == "removed":
            harness.engine.backend.retain("home", (), spam=False)
        else:
            found = [
                re.fullmatch(r"([-+=])(\d+)(?:@(\d+))?(?:\[(.*)\])?", change).groups()
                for change in changes
            ]
            flags = {
                int(uid): frozenset((now or "").split(",")) - {""}
                for sign, uid, _, now in found
                if sign == "="
            }
            arrivals = [
                arrival(
                    int(number),
                    flags=frozenset((now or "").split(",")) - {""},
                    uid=int(uid or number),
                )
                for sign, number, uid, now in found
                if sign == "+"
            ]
            gone = frozenset(int(uid) for sign, uid, _, _ in found if sign == "-")
            folder = INBOX if name == "inbox" else INBOX._replace(folder=name.capitalize())
            more = {
                "special": f"\\{name.capitalize()}",
                "complete": bool(changes),
                "flags": flags,
                "gone": gone,
            }
            harness.engine.backend.deliver(
                Delivery(folder, int(validity or 1), arrivals=tuple(arrivals), **more)
            )


STORIES = [
    ("inbox +1 +2 | inbox -1 | junk +1@9 +3", "spam"),
    ("inbox +1 +2 | junk +1@9 +3 | inbox -1", "spam"),
    ("junk +1 +2 | junk -1 -2 | inbox +1@5 | trash +2@6", "ham"),
    ("junk +1 +2 | inbox +1@5 | trash +2@6 | junk -1 -2", "ham"),
    # Copied, or delivered again, the second one after it was deleted.
    ("inbox +1 +2 | junk +1@9", ""),
    ("junk +1 +2 | inbox +1@5 | junk -2 | later | inbox +2@6 | junk -1", ""),
    # Folders were recreated, or the mailbox was removed and added again.
    ("junk +1 +2 +5 | all +5 | ham 1 | junk/2 | junk/2 +1@101 +2@102 +5@105 +6@106", ""),
    ("inbox +1 +2 | ham 1 | inbox/2 | inbox/2 +1@7 +2@8", ""),
    ("inbox +1 | inbox/2 | inbox/2 +1@7 | junk +1@9 | inbox/2 -7", "spam"),
    ("inbox +1 +2 | junk +3 +4 | ham 1 | removed | inbox +1 +2 | junk +3 +4", ""),
    ("inbox +1 +2 | junk +3 +4 | ham 1 | removed | restart | inbox +1 +2 | junk +3 +4", ""),
    # What another computer sorts teaches nothing, what a person moves back and forth does.
    *(
        (f"inbox +1 | inbox -1 | junk +1@9[{flags}]", "")
        for flags in ("MARK", "MARK,$Junk", "MARK,$Junk,Junk")
    ),
    *(
        (f"inbox +1 | junk +1@9[{flags}] | inbox -1", "")
        for flags in ("MARK", "MARK,$Junk", "MARK,$Junk,Junk")
    ),
    ("junk +1@9[MARK,$Junk]", ""),
    ("inbox +1 | inbox -1 | junk +1@9[MARK] | junk -9 | archive +1@20[MARK]", "ham"),
    ("inbox +1 | inbox -1 | junk +1@9[MARK] | junk -9 | trash +1@20[MARK]", ""),
    (
        (
            "inbox +1 | inbox -1 | junk +1@9[MARK] | junk -9 | inbox +1@20[MARK] | inbox -20 | "
            "junk +1@10[MARK]"
        ),
        "ham spam",
    ),
]


@pytest.mark.parametrize(("story", "offered"), STORIES)
def test_what_a_person_moves_is_offered_as_a_label(harness, story, offered):
    play(harness.ready(), story)
    assert offers(harness) == [((1,), label) for label in offered.split()]
    assert set(labels(harness).values()) <= {"ham"} and ("ham" in story) is bool(labels(harness))


def test_spam_keywords_set_after_an_automatic_move_are_a_label(harness):
    play(harness.ready(), "inbox +1 | inbox -1 | junk +1@9[MARK] | junk =9[MARK,$Junk]")
    assert labels(harness) == {1: "spam"}


@pytest.mark.parametrize(
    ("choice", "learned"), [(LearnMoves.ALWAYS, "spam"), (LearnMoves.NEVER, None)]
)
def test_moves_are_learned_always_or_never_as_chosen(tmp_path, choice, learned):
    settings = Settings(accounts=(Account("home", learn_moves=choice),))
    with EngineHarness(tmp_path / "home", settings) as harness:
        harness.ready().deliver([1, 2])
        bring(harness, arrival(1, uid=9), folder=SPAM, special="\\Junk")
        bring(harness, gone=frozenset({1}))
        assert list(labels(harness).values()) == ([learned] if learned else [])
        assert offers(harness) == []
        # A mark that the server doesn't know yet is the later decision.
        harness.do.mark([2], "ham")
        bring(harness, arrival(2, uid=10), folder=SPAM, special="\\Junk")
        bring(harness, gone=frozenset({2}))
        assert labels(harness)[2] == "ham"


@pytest.mark.parametrize(
    ("answer", "learned"),
    [
        (
            lambda harness: harness.do.set_sorting(Account("home", learn_moves=LearnMoves.ALWAYS)),
            "spam",
        ),
        (
            lambda harness: harness.do.set_sorting(Account("home", learn_moves=LearnMoves.NEVER)),
            None,
        ),
        (lambda harness: harness.do.decline_moves([1]), None),
        (lambda harness: (harness.do.mark([1], "spam"), harness.do.undo()), None),
        (lambda harness: harness.engine.backend.retain("home", (), spam=False), None),
    ],
)
def test_an_offer_is_repeated_at_each_start_until_it_is_answered(harness, answer, learned):
    harness.ready().deliver([1, 2])
    bring(harness, arrival(1, uid=9), folder=SPAM, special="\\Junk")
    bring(harness, gone=frozenset({1}))
    for _ in range(2):
        harness.again().do.sorting_status("home")
        assert offers(harness) == [((1,), "spam")]
    answer(harness)
    assert labels(harness) == ({1: learned} if learned else {})
    harness.again().do.sorting_status("home")
    assert offers(harness) == []


def test_without_keywords_moves_into_spam_are_only_offered(tmp_path):
    settings = Settings(accounts=(Account("home", learn_moves=LearnMoves.ALWAYS),))
    with EngineHarness(tmp_path / "home", settings) as harness:
        harness.ready().deliver([1, 2])
        bring(harness, arrival(1, uid=9), folder=SPAM, special="\\Junk", keywords=False)
        bring(harness, gone=frozenset({1}), keywords=False)
        assert (labels(harness), offers(harness)) == ({}, [((1,), "spam")])
        bring(harness, folder=SPAM, gone=frozenset({9}), special="\\Junk", keywords=False)
        bring(harness, arrival(1, uid=20), special="\\Inbox", keywords=False)
        assert labels(harness) == {1: "ham"}


def test_an_offer_names_the_messages_and_those_that_the_model_contradicts(harness):
    harness.ready().deliver(range(1, 201))
    harness.do.mark(tuple(range(1, 201, 2)), "spam")
    harness.do.mark(tuple(range(2, 201, 2)), "ham")
    bring(harness, SPAM_MAIL, arrival(302), folder=SPAM, special="\\Junk")
    bring(harness, folder=SPAM, gone=frozenset({301, 302}), special="\\Junk")
    bring(harness, SPAM_MAIL._replace(uid=305), arrival(302, uid=306), special="\\Inbox")
    (offer,) = [event for event in harness.events if isinstance(event, MovedByOthers)]
    assert len(offer.messages) == 2
    assert offer.subjects == ("cheap pills", heading_of(parse(arrival(302).raw)).subject)
    assert offer.contradicted == {offer.messages[0]}


def test_moves_by_nbmail_are_not_offered(harness):
    harness.ready().deliver([1])
    harness.do.set_moving(True)
    harness.do.mark((1,), "spam")
    for action in harness.engine.backend.pending_actions("home"):
        harness.engine.backend.complete(action, Outcome.DONE)
    bring(harness, arrival(1, uid=9), folder=SPAM, special="\\Junk")
    harness.do.undo()
    bring(harness, arrival(1, uid=3), special="\\Inbox")
    assert offers(harness) == []
