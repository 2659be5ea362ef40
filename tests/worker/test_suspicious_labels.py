"""Wrong labels are found by models that have not learned them."""

import random

from nbmail.chunks import drain
from nbmail.core.reading.mail import Heading
from nbmail.core.scoring.model import Model
from nbmail.store.labels.label_import import TrainingExample
from nbmail.store.mail.messages import Content
from nbmail.worker.model import quality
from nbmail.worker.model.quality import find_suspicious_labels
from tests.core.material import text_sample
from tests.store.helpers import open_store
from tests.worker.conftest import Cancelled, first_progress


def plant(harness, count, wrong):
    """Mark messages by their class, except the wrong ones."""
    harness.deliver(range(1, count + 1))
    harness.do.mark(tuple(n for n in range(1, count + 1) if (n % 2 == 1) != (n in wrong)), "junk")
    harness.do.mark(tuple(n for n in range(1, count + 1) if (n % 2 == 0) != (n in wrong)), "good")
    harness.until_exact()


def vague_words(number, junk):
    """Return words: most are neutral, some lean to one class, a few to the wrong one."""
    chance = random.Random(number)
    kind = [f"{'junk' if junk != (chance.random() < 0.1) else 'good'}{chance.randrange(300)}" for _ in range(14)]
    return tuple(dict.fromkeys([*kind, *(f"any{int(chance.expovariate(0.01))}" for _ in range(60)), f"only{number}"]))


def test_twenty_wrong_labels_of_two_thousand_are_found(tmp_path):
    wrong = set(random.Random(6).sample(range(1, 2001), 20))
    with open_store(tmp_path) as store:
        lessons = []
        for number in range(1, 2001):
            words = vague_words(number, junk=number % 2 == 1)
            sample = text_sample(store.words.vocabulary, words)
            label = ("good", "junk")[(number % 2 == 1) != (number in wrong)]
            lessons.append(
                TrainingExample(Content(number.to_bytes(16, "big"), Heading("", "", 0.0, 0, False), sample), label)
            )
        store.learning(tokenizer=1, moment=0.0).learn([lessons])
        store.model.make_exact()
        found = {one.message for one in drain(find_suspicious_labels(store))}
    assert len(found & wrong) >= 18
    assert len(found - wrong) <= 10


def test_each_label_is_tested_by_a_model_without_its_part(labelled_harness, monkeypatch):
    """With every message listed, its score is that of a model built without its part."""
    monkeypatch.setattr(quality, "CONTRADICTION", -1e9)
    found = labelled_harness.do.find_suspicious_labels()
    assert len(found) == 40
    labelled_harness.stop()
    with open_store(labelled_harness.paths.data.parent) as store:
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
        # Only the engine knows the base rate of the mailbox.
        assert max(shifts) - min(shifts) < 1e-9


def test_no_label_is_suspicious_while_a_class_is_missing(harness):
    harness.ready().deliver(range(1, 11))
    assert harness.do.find_suspicious_labels() == ()
    harness.do.mark((1, 3), "junk")
    assert harness.do.find_suspicious_labels() == ()
    harness.do.mark((2,), "good")
    harness.do.mark((4,), "family")
    assert harness.do.find_suspicious_labels() == ()


def test_labels_changed_meanwhile_are_omitted_and_cancel_works(harness):
    harness.ready()
    plant(harness, 150, {10, 33})
    asked = harness.hold(first_progress, harness.engine.find_suspicious_labels)
    turned = harness.engine.mark((10,), "good")
    harness.release()
    assert [one.message for one in harness.end_of(asked).result] == [33]
    assert harness.end_of(turned)
    asked = harness.hold(first_progress, harness.engine.find_suspicious_labels)
    asked.cancel()
    harness.release()
    assert isinstance(harness.end_of(asked), Cancelled)
