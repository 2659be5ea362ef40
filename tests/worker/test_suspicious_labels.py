"""Suspicious labels: planted wrong ones are found, by models that have not learned them."""

import random

from nbmail.chunks import drain
from nbmail.core.reading.mail import Heading
from nbmail.core.scoring.model import Model
from nbmail.store.labels.bulk_learning import Lesson
from nbmail.store.mail.messages import Content
from nbmail.worker.model import quality
from nbmail.worker.model.quality import find_suspicious_labels
from tests.core.material import text_sample
from tests.store.helpers import open_store
from tests.worker.conftest import Cancelled, first_progress


def plant(station, count, wrong):
    """Messages marked by what they are, but for the wrong ones."""
    station.deliver(range(1, count + 1))
    station.do.mark(tuple(n for n in range(1, count + 1) if (n % 2 == 1) != (n in wrong)), "junk")
    station.do.mark(tuple(n for n in range(1, count + 1) if (n % 2 == 0) != (n in wrong)), "good")
    station.until_exact()


def vague_words(number, junk):
    """Most words say nothing, some lean to one kind, a few to the wrong one."""
    chance = random.Random(number)
    kind = [f"{'junk' if junk != (chance.random() < 0.1) else 'good'}{chance.randrange(300)}" for _ in range(14)]
    return tuple(dict.fromkeys([*kind, *(f"any{int(chance.expovariate(0.01))}" for _ in range(60)), f"only{number}"]))


def test_twenty_wrong_ones_of_two_thousand_are_found(tmp_path):
    wrong = set(random.Random(6).sample(range(1, 2001), 20))
    with open_store(tmp_path) as store:
        lessons = []
        for number in range(1, 2001):
            words = vague_words(number, junk=number % 2 == 1)
            sample = text_sample(store.words.vocabulary, words)
            label = ("good", "junk")[(number % 2 == 1) != (number in wrong)]
            lessons.append(Lesson(Content(number.to_bytes(16, "big"), Heading("", "", 0.0, 0, False), sample), label))
        store.learning(tokenizer=1, moment=0.0).learn([lessons])
        store.model.make_exact()
        found = {one.message for one in drain(find_suspicious_labels(store))}
    assert len(found & wrong) >= 18
    assert len(found - wrong) <= 10


def test_each_is_judged_by_a_fold_of_the_others(backend_station, monkeypatch):
    """With every message listed, its score is that of a fold by hand without its part."""
    monkeypatch.setattr(quality, "CONTRADICTION", -1e9)
    found = backend_station.do.find_suspicious_labels()
    assert len(found) == 40
    backend_station.stop()
    with open_store(backend_station.paths.data.parent) as store:
        labelled, shifts = store.labels.in_order(most=100), []
        for one in found[::7]:
            model = Model(store.words.vocabulary)
            for other in labelled:
                if other.message % quality.PARTS != one.message % quality.PARTS:
                    model.learn(other.sample, other.label)
            drain(model.cross_validating())
            mine = next(other for other in labelled if other.message == one.message)
            (expected,) = quality.suspicions(model, [mine])
            shifts.append(one.log_odds - expected.log_odds)
        # The share of junk in the mailbox is known to the engine alone.
        assert max(shifts) - min(shifts) < 1e-9


def test_nothing_is_doubted_while_one_kind_is_missing(station):
    station.ready().deliver(range(1, 11))
    assert station.do.find_suspicious_labels() == ()
    station.do.mark((1, 3), "junk")
    assert station.do.find_suspicious_labels() == ()
    station.do.mark((2,), "good")
    station.do.mark((4,), "family")
    assert station.do.find_suspicious_labels() == ()


def test_what_is_turned_meanwhile_is_not_listed_and_a_cancel_ends_it(station):
    station.ready()
    plant(station, 150, {10, 33})
    station.hold_at(first_progress)
    asked = station.tell.find_suspicious_labels()
    station.is_held()
    turned = station.tell.mark((10,), "good")
    station.release()
    assert [one.message for one in station.ending(asked).result] == [33]
    assert station.ending(turned)
    station.hold_at(first_progress)
    asked = station.tell.find_suspicious_labels()
    station.is_held()
    asked.cancel()
    station.release()
    assert isinstance(station.ending(asked), Cancelled)
