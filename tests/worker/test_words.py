"""Words: counts, history, messages, simulations, ignored words."""

from itertools import pairwise
from math import log
from operator import methodcaller as request

import numpy as np
import pytest

from nbmail.chunks import drain
from nbmail.core.words.tokenizer import TOKENIZER_VERSION
from nbmail.errors import ErrorCode
from nbmail.values import ActionKind, Arrival, Delivery, FolderName
from nbmail.worker.mailbox.text_indexing import index_texts
from nbmail.worker.protocol.words import WordOrder
from tests.worker.conftest import INBOX, Done, Failed, arrival, delivery, mail, until_reread
from tests.worker.test_marking import scores

COUNT = 60
WORD = "pills"
PAIR = ["pills", "casino"]
SEVERAL = ["prize", "million", "bonus", "urgent", "transfer", "casino"]


@pytest.fixture
def trained(harness):
    """Engine with sixty messages, odd ones spam, the first forty marked."""
    harness.ready().deliver(range(1, COUNT + 1))
    for first in range(1, 41, 10):
        harness.do.mark(tuple(range(first, first + 10, 2)), "spam")
        harness.do.mark(tuple(range(first + 1, first + 10, 2)), "ham")
    harness.until_exact()
    return harness


def verdicts(harness):
    found = harness.do.list_mail()
    return dict(zip(found.messages.tolist(), found.scores.verdicts.tolist(), strict=True))


def test_words_are_listed_searched_and_sorted(trained):
    page = trained.do.list_words(order=WordOrder.SPAMMIEST, limit=5)
    assert len(page.words) == 5 < page.total
    assert all(one.spam > one.ham for one in page.words)
    found = trained.do.list_words("PILL", WordOrder.NAME)
    assert found.total == len(found.words) > 1
    assert [one.word for one in found.words] == sorted(one.word for one in found.words)
    assert all("pill" in one.word for one in found.words)
    words = trained.do.list_words(order=WordOrder.COMMON, limit=21).words
    counts = [one.spam + one.ham for one in words]
    assert counts == sorted(counts, reverse=True)
    assert len({one.word for one in words}) == 21


def test_ignored_words_sort_as_weightless(trained):
    trained.do.ignore_words([trained.do.list_words(limit=1).words[0].word])
    keys = {
        WordOrder.SPAMMIEST: lambda said: -said,
        WordOrder.HAMMIEST: float,
        WordOrder.STRONGEST: lambda said: -abs(said),
    }
    for order, key in keys.items():
        words = trained.do.list_words(order=order, limit=2000).words
        said = [0.0 if one.ignored else one.log_ratio + one.correction for one in words]
        assert any(one.ignored for one in words)
        assert said == sorted(said, key=key)


def test_the_history_of_a_word_ends_at_its_counts(trained):
    story = trained.do.describe_word(WORD)
    assert (story.spam_messages, story.ham_messages, story.prior) == (20, 20, (2.0, 2.0))
    last = story.history[-1]
    assert (last.spam, last.ham) == (story.figures.spam, story.figures.ham)
    assert story.figures.ham == 0 < story.figures.spam < len(story.messages) == story.message_count
    moments = [line.moment for line in story.history]
    assert moments == sorted(moments)
    failed = trained.attempt.describe_word("never met")
    assert isinstance(failed, Failed)
    assert failed.error_code is ErrorCode.NOT_FOUND


def test_two_methods_weigh_a_word_by_the_same_messages(trained):
    figures = trained.do.describe_word(WORD).figures
    weights = trained.do.weigh_word(WORD)
    assert weights.naive_bayes == pytest.approx(
        log((figures.spam + 1) / 22) - log((figures.ham + 1) / 22), abs=1e-12
    )
    assert weights.logistic > 0
    assert weights.messages == 40
    assert trained.attempt.weigh_word("never met").error_code is ErrorCode.NOT_FOUND


def test_messages_of_a_removed_account_are_not_listed_but_still_count(trained):
    before = trained.do.describe_word(WORD)
    trained.engine.backend.deliver(
        delivery([1, *before.messages[-2:]], FolderName("work", "INBOX"))
    )
    trained.do.forget_account("home")
    story = trained.do.describe_word(WORD)
    assert (story.messages, story.message_count) == (before.messages[-2:], 2)
    assert story.figures == before.figures


def test_simulations_predict_the_change_and_change_nothing(trained):
    before = scores(trained)
    shown = verdicts(trained)
    pairs = (
        (request("simulate_mark", 41, "ham"), request("mark", (41,), "ham")),
        (request("simulate_without", PAIR), request("ignore_words", PAIR)),
        (request("simulate_without", SEVERAL), request("ignore_words", SEVERAL)),
    )
    for simulate, change in pairs:
        supposed = simulate(trained.do)
        assert np.array_equal(scores(trained), before)
        assert supposed.total == len(supposed.changes)
        change(trained.do)
        now = verdicts(trained)
        if change is not pairs[0][1]:
            labelled = set(range(1, 41))
            turned = {one for one in now if now[one] != shown[one] and one not in labelled}
            assert {one.message for one in supposed.changes} == turned
            assert turned
            assert {one.message for one in trained.do.list_changed_verdicts()} == turned
        trained.do.undo()
        trained.until_exact()
        assert np.array_equal(scores(trained), before)


def test_an_ignored_word_contributes_nothing(trained):
    message = trained.do.describe_word(WORD).messages[0]
    before = scores(trained)
    done = trained.do.ignore_words([WORD])
    assert done.step.by == "words"
    assert WORD not in {each.word for each in trained.do.explain(message, 1000).contributions}
    assert [one.word for one in trained.do.list_words(ignored=True).words] == [WORD]
    assert trained.do.describe_word(WORD).figures.ignored
    without = scores(trained)
    assert not np.array_equal(without, before)
    why = trained.do.explain(message, 1000)
    assert why.score == pytest.approx(without[message - 1], abs=1e-9)
    trained.again()
    assert np.array_equal(scores(trained), without)
    again = request("ignore_words", [WORD], ignored=False)
    for change, expected in (
        (request("undo"), before),
        (request("redo"), without),
        (again, before),
    ):
        assert isinstance(change(trained.attempt), Done)
        assert np.array_equal(scores(trained), expected)
    assert trained.do.list_words(ignored=True).total == 0


def holders(numbers, phrase):
    """Return how many of these messages contain a phrase, counted in their raw text."""
    bodies = (mail(number, number % 2 == 1).decode().partition("\r\n\r\n")[2] for number in numbers)
    return sum(f" {phrase} " in f" {' '.join(body.split())} " for body in bodies)


def counts_of(harness, word):
    figures = harness.do.describe_word(word).figures
    return figures.spam, figures.ham


def test_a_phrase_counts_like_a_word_in_all_stored_mail(trained):
    text = mail(41, True).decode().partition("\r\n\r\n")[2].split()
    phrase = max(
        (f"{one} {other}" for one, other in pairwise(text)),
        key=lambda each: holders(range(1, 41), each),
    )
    before = scores(trained)
    word = f"phrase:{phrase}"
    done = trained.do.set_phrase(f"“{phrase.upper()}”")
    assert (done.step.by, done.unread) == ("phrases", 0)
    expected = holders(range(1, 41, 2), phrase), holders(range(2, 41, 2), phrase)
    assert sum(expected) > 2
    assert counts_of(trained, word) == expected
    assert [one.word for one in trained.do.list_words(phrases=True).words] == [word]
    assert trained.do.describe_word(word).message_count == holders(range(1, 61), phrase)
    why = trained.do.explain(41, 1000)
    counted = scores(trained)
    assert word in {each.word for each in why.contributions}
    assert why.score == pytest.approx(counted[40], abs=1e-9)
    assert not np.array_equal(counted, before)
    trained.again()
    assert np.array_equal(scores(trained), counted)
    for change, result in ((request("undo"), before), (request("redo"), counted)):
        change(trained.do)
        assert np.array_equal(scores(trained), result)
    # Mail that arrives later is counted as well.
    trained.deliver(range(61, 81))
    trained.do.mark(tuple(range(61, 81, 2)), "spam")
    assert counts_of(trained, word) == (
        expected[0] + holders(range(61, 81, 2), phrase),
        expected[1],
    )
    trained.do.set_phrase(phrase, used=False)
    trained.until_exact()
    assert counts_of(trained, word) == (0, 0)
    assert trained.do.list_words(phrases=True).total == 0
    assert trained.attempt.set_phrase("alone").error_code is ErrorCode.BAD_INPUT


def test_a_phrase_in_mail_that_is_not_cached_counts_once_it_is_fetched(trained):
    phrase = " ".join(mail(1, True).decode().partition("\r\n\r\n")[2].split()[:3])

    def lose(parts):
        parts.store.raw_mail.drop(parts.store.messages.identities([1]).values())

    trained.on_engine(lose)
    assert trained.do.set_phrase(phrase).unread == 1
    assert counts_of(trained, f"phrase:{phrase}") == (
        holders(range(3, 41, 2), phrase),
        holders(range(2, 41, 2), phrase),
    )
    until_reread(trained)

    def indexed(parts):
        drain(index_texts(parts.store))
        return parts.store.texts.number("SELECT count(*) FROM texts")

    before = trained.on_engine(indexed)
    pending = trained.engine.backend.pending_actions("home")
    (action,) = (each for each in pending if each.kind is ActionKind.FETCH)
    trained.engine.backend.complete_fetch(action, arrival(1))
    trained.look_until(lambda parts: not parts.store.samples.outdated(TOKENIZER_VERSION, 0, 9))
    assert counts_of(trained, f"phrase:{phrase}") == (
        holders(range(1, 41, 2), phrase),
        holders(range(2, 41, 2), phrase),
    )
    assert trained.on_engine(indexed) == before, "its text is in the index already"
    assert trained.check_up().sound


def test_an_interrupted_count_of_a_phrase_is_finished(trained, quick_idle):
    """After a cancelled request when there is time, and after a kill at the next start."""

    def until_counted():
        trained.look_until(
            lambda parts: parts.store.words.counted_phrases == parts.store.phrases.now()
        )
        trained.until_exact()

    def cancel(parts):
        parts.store.phrases.set(first, moment=1.0)
        steps = parts.rereading.count_phrases()
        next(steps)
        steps.close()

    words = mail(1, True).decode().partition("\r\n\r\n")[2].split()
    first = " ".join(words[:2])
    second = " ".join(words[2:4])
    trained.on_engine(cancel)
    until_counted()
    trained.on_engine(lambda parts: parts.store.phrases.set(second, moment=2.0))
    trained.again()
    until_counted()
    for phrase in (first, second):
        expected = holders(range(1, 41, 2), phrase), holders(range(2, 41, 2), phrase)
        assert counts_of(trained, f"phrase:{phrase}") == expected != (0, 0)


def test_an_attached_page_is_not_the_text_and_its_words_have_their_own_place(trained):
    """Phishing uses such pages: their words count, but they are not shown as the text."""
    head = (
        "From: a@example.org\r\nMessage-ID: <file@x>\r\nContent-Type: multipart/mixed; "
        "boundary=b\r\n\r\n"
    )
    body = "--b\r\nContent-Type: text/plain\r\n\r\nmeeting agenda lunch\r\n"
    kind = (
        "--b\r\nContent-Type: text/html\r\nContent-Disposition: attachment; filename=x.html\r\n\r\n"
    )
    raw = f"{head}{body}{kind}<p>pills casino meeting</p>\r\n--b--\r\n".encode()
    trained.engine.backend.deliver(
        Delivery(INBOX, 1, arrivals=(Arrival(900, frozenset(), 5.0, raw, len(raw)),))
    )
    text = trained.do.read_message(COUNT + 1)
    assert (text.html, text.text.strip()) == ("", "meeting agenda lunch")
    assert [each.name for each in text.attachments] == ["x.html"]
    places = {each.word: each.place for each in trained.do.explain(COUNT + 1, 1000).contributions}
    assert (places["pills"], places["meeting"]) == ("attached", "body")


def test_a_message_of_unknown_words_is_less_usual_than_all_other_mail(trained):
    assert trained.do.explain(1).typicality is None, "there is too little other mail"
    trained.deliver(range(COUNT + 1, COUNT + 61))
    raw = (
        b"From: x@new.example\r\nMessage-ID: <new@x>\r\n\r\nzwischen ganz anderen unbekannten "
        b"zeichen\r\n"
    )
    trained.engine.backend.deliver(
        Delivery(INBOX, 1, arrivals=(Arrival(900, frozenset(), 5.0, raw, len(raw)),))
    )
    unusual = trained.do.explain(COUNT + 61).typicality
    assert (unusual.higher, unusual.others) == (120, 120)
    assert trained.do.explain(COUNT + 1).typicality.higher < 119
