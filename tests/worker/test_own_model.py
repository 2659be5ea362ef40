"""Requests about the user's own model: accuracy, curve, methods, reset, queries, mistakes."""

import random
from operator import methodcaller as request

import numpy as np
import pytest

from nbmail.chunks import drain
from nbmail.core.mail.message import Heading
from nbmail.core.scoring.model import Model
from nbmail.errors import ErrorCode
from nbmail.method_spec import METHODS, parameter_choices
from nbmail.store.labels.bulk_learning import TrainingExample
from nbmail.store.mail.messages import Content
from nbmail.values import Delivery, FolderName
from nbmail.worker.protocol.quality import Split, TrainingReport
from nbmail.worker.quality import suspicious_labels
from nbmail.worker.quality.suspicious_labels import SuspiciousLabels
from tests.core.material import text_sample
from tests.store.helpers import open_store
from tests.worker.conftest import Cancelled, Failed, Progress, arrival, first_progress
from tests.worker.test_marking import scores

COUNT = 80
MARKED = 60


@pytest.fixture
def trained(harness):
    """Engine with eighty messages, odd ones spam, the first sixty marked."""
    harness.ready().deliver(range(1, COUNT + 1))
    harness.do.mark(tuple(range(1, MARKED, 2)), "spam")
    harness.do.mark(tuple(range(2, MARKED + 1, 2)), "ham")
    harness.until_exact()
    return harness


def labels(harness):
    found = harness.do.list_mail()
    return dict(zip(found.messages.tolist(), found.labels.tolist(), strict=True))


def test_accuracy_counts_every_label_once_and_measures_reliability(trained):
    told = trained.do.measure_accuracy()
    assert (
        (sum(told.spam), sum(told.ham))
        == (told.recall.count, told.false_positives.count)
        == (30, 30)
    )
    assert (told.recall.found, told.false_positives.found) == (told.spam[0], told.ham[0])
    assert told.false_positives.lowest <= told.false_positives.share < told.false_positives.highest
    assert sum(each.spam.count for each in told.reliability) == MARKED
    assert sum(each.spam.found for each in told.reliability) == 30
    promised = [each.predicted for each in told.reliability]
    assert promised == sorted(promised)


def test_a_learning_curve_ends_at_all_labels_except_those_for_testing(trained):
    points = trained.do.draw_learning_curve()
    assert [each.labels for each in points] == [10, 20, 48]
    assert all(
        each.unseen.recall.count + each.unseen.false_positives.count == 12 for each in points
    )
    assert all(
        each.unseen.accuracy.count == 12 and each.learned.count == each.labels for each in points
    )
    assert points[-1].unseen.recall.found >= points[0].unseen.recall.found


def test_methods_are_compared_on_unlearned_messages(trained):
    told = trained.do.compare_methods()
    assert [each.method for each in told.candidates] == list(METHODS)
    assert (told.learned, told.compared) == (48, 6)
    assert all(
        each.rates.recall.count + each.rates.false_positives.count == 6 for each in told.candidates
    )
    assert told.best.rates.recall.count + told.best.rates.false_positives.count == 6
    assert 0 <= told.flattered < 0.2
    assert told.best.method in METHODS
    assert trained.do.measure_accuracy().recall.count == 30, "nothing was learned by the way"


def test_the_parts_of_a_comparison_and_the_candidates_can_be_chosen(trained):
    methods = parameter_choices("multinomial")
    told = trained.do.compare_methods(methods, Split(learn=0.5, choose=0.25, seed=3))
    assert (told.learned, told.compared, told.seed) == (30, 15, 3)
    assert tuple(each.method for each in told.candidates) == methods
    assert told.best.rates.accuracy.count == told.best.rates.arg_max.count == 15
    assert told.best.method in methods
    told = trained.do.compare_methods(methods[:2], Split(learn=30, choose=10, test=12))
    assert (told.learned, told.compared, told.best.rates.accuracy.count) == (30, 10, 12)
    told = trained.do.compare_methods(methods[:2], Split(learn=400, choose=50))
    assert (told.learned, told.compared, told.best.rates.accuracy.count) == (58, 1, 1)


def test_few_labels_are_not_enough_for_a_comparison(harness):
    harness.ready().deliver(range(1, 9))
    harness.do.mark((1, 3), "spam")
    for question in ("measure_accuracy", "compare_methods", "draw_learning_curve"):
        failed = request(question)(harness.attempt)
        assert isinstance(failed, Failed)
        assert failed.error_code is ErrorCode.NOT_ENOUGH_YET


def test_a_change_of_method_or_parameters_is_undone_like_a_step(trained):
    kept = {"balanced": scores(trained)}
    for method in ("multinomial smoothing=0.01", "multinomial smoothing=0.5"):
        trained.do.use_method(method)
        kept[method] = scores(trained)
    first, second = list(kept)[1:]
    assert trained.learned().method == second
    assert not np.array_equal(kept[first], kept[second])
    undone = trained.do.undo()
    assert (undone.step.by, undone.imported) == ("method", True)
    for method, turn in (
        (first, trained.do.undo),
        ("balanced", trained.do.redo),
        (first, trained.do.redo),
    ):
        assert trained.learned().method == method
        assert np.array_equal(scores(trained), kept[method])
        turn()
    assert trained.learned().method == second
    failed = request("use_method", "multinomial smoothing=-1")(trained.attempt)
    assert isinstance(failed, Failed)


def test_a_change_of_costs_is_undone_like_a_step(trained):
    before = trained.learned().costs
    verdicts = trained.do.list_mail().scores.verdicts.tolist()
    trained.do.set_cost(1.0)
    trained.do.set_cost(100.0, 10.0, 10.0, 0.0)
    assert trained.learned().spam_from == pytest.approx(100 / 110)
    assert trained.do.undo().step.by == "costs"
    assert trained.learned().costs == (1.0, 9.0, 1.0, 1.0)
    trained.do.undo()
    assert trained.learned().costs == before
    assert trained.do.list_mail().scores.verdicts.tolist() == verdicts
    trained.do.redo()
    trained.do.redo()
    assert trained.learned().costs == (100.0, 10.0, 10.0, 0.0)


def test_classes_of_ones_own_are_compared_too(trained):
    trained.do.mark(tuple(range(61, 81)), "work")
    told = trained.do.compare_methods(("multinomial", "bernoulli"), Split(own_classes=True))
    assert (
        told.best.rates.accuracy.count
        == told.best.rates.arg_max.count
        == COUNT - told.learned - told.compared
    )
    assert told.best.rates.recall.count == 0
    points = trained.do.draw_learning_curve(True)
    assert all(0 < each.learned.count == each.labels for each in points)
    assert points[-1].unseen.accuracy.count == COUNT // 5


def test_a_reset_forgets_everything_in_one_step(trained):
    before = scores(trained)
    marks = labels(trained)
    done = trained.do.reset()
    assert done.labels == MARKED
    assert done.backup.is_file()
    assert set(labels(trained).values()) == {-1}
    undone = trained.do.undo()
    assert (undone.step.by, len(undone.messages)) == ("start", MARKED)
    assert labels(trained) == marks
    trained.until_exact()
    assert np.array_equal(scores(trained), before)
    trained.do.redo()
    assert set(labels(trained).values()) == {-1}


def test_a_reset_during_a_first_training_learns_no_label_again(trained):
    new = tuple(map(arrival, range(COUNT + 1, COUNT + 11)))
    trained.engine.backend.deliver(
        Delivery(FolderName("home", "Junk"), 1, arrivals=new, role="spam")
    )
    assert not trained.on_engine(lambda parts: parts.store.model.is_exact)
    trained.events.clear()
    assert trained.do.reset().labels == MARKED + len(new)
    assert MARKED + len(new) not in {
        each.total for each in trained.events if isinstance(each, Progress)
    }


def answer(harness, messages):
    for message in messages:
        harness.do.mark((message,), "spam" if message % 2 else "ham")


def test_queries_are_unlabelled_located_messages_until_none_is_left(harness):
    harness.ready()
    harness.deliver(range(1, 41))
    skipped = harness.do.select_queries(1)
    seen = []
    while asked := harness.do.select_queries(3, exclude=skipped):
        assert not set(asked) & {*seen, *skipped}
        answer(harness, asked)
        seen += asked
    assert len(seen) == 39
    assert harness.do.select_queries(3) == skipped


def test_marks_of_queries_are_stored_as_such(harness):
    """For queried marks, calibration uses the base rate of the mailbox."""
    harness.ready()
    harness.deliver(range(1, 41))
    answer(harness, (1, 2))
    answer(harness, harness.do.select_queries(2))
    for _ in range(2):
        asked = harness.on_engine(lambda parts: parts.scoring.model.held_out.all.asked.tolist())
        assert asked == [False, False, True, True]
        harness.again()


def test_the_training_report_uses_models_without_the_message(harness):
    harness.ready()
    assert harness.do.report_training() == TrainingReport()
    harness.deliver(range(1, 121))
    harness.do.mark(tuple(range(1, 101, 2)), "spam")
    harness.do.mark((*range(2, 101, 2), 119), "ham")
    report = harness.do.report_training()
    assert (report.spam, report.ham) == (50, 51)
    assert report.true_positives > 25
    assert report.recall.lowest < report.recall.share < report.recall.highest
    assert report.false_positives == (119,)
    assert harness.do.report_training(limit=10).messages == 10


def test_training_report_and_accuracy_agree(harness):
    harness.ready()
    harness.deliver(range(1, 1102))
    harness.do.mark(tuple(range(1, 1102, 2)), "spam")
    harness.do.mark((*range(2, 1102, 2),), "ham")
    report = harness.do.report_training()
    told = harness.do.measure_accuracy()
    assert report.messages == sum(told.spam) + sum(told.ham) == 1101
    assert (len(report.false_positives), len(report.false_negatives)) == (
        told.ham[0],
        told.spam[2],
    )


def plant(harness, count, wrong):
    """Mark messages by their class, except the wrong ones."""
    harness.deliver(range(1, count + 1))
    harness.do.mark(tuple(n for n in range(1, count + 1) if (n % 2 == 1) != (n in wrong)), "spam")
    harness.do.mark(tuple(n for n in range(1, count + 1) if (n % 2 == 0) != (n in wrong)), "ham")
    harness.until_exact()


def vague_words(number, spam):
    """Return words: most are neutral, some lean to one class, a few to the wrong one."""
    chance = random.Random(number)
    kind = [
        f"{'spam' if spam != (chance.random() < 0.1) else 'ham'}{chance.randrange(300)}"
        for _ in range(14)
    ]
    return tuple(
        dict.fromkeys(
            [*kind, *(f"any{int(chance.expovariate(0.01))}" for _ in range(60)), f"only{number}"]
        )
    )


def test_twenty_wrong_labels_of_two_thousand_are_found(tmp_path):
    wrong = set(random.Random(6).sample(range(1, 2001), 20))
    with open_store(tmp_path) as store:
        lessons = []
        for number in range(1, 2001):
            words = vague_words(number, spam=number % 2 == 1)
            sample = text_sample(store.words.vocabulary, words)
            label = ("ham", "spam")[(number % 2 == 1) != (number in wrong)]
            lessons.append(
                TrainingExample(
                    Content(number.to_bytes(16, "big"), Heading("", "", 0.0, 0, False), sample),
                    label,
                )
            )
        store.learning(tokenizer=1, moment=0.0).learn([lessons])
        store.model.make_exact()
        found = {one.message for one in drain(SuspiciousLabels(store).find_suspicious_labels())}
    assert len(found & wrong) >= 18
    assert len(found - wrong) <= 10


def test_each_label_is_tested_by_a_model_without_its_part(labelled_harness, monkeypatch):
    """With every message listed, its score is that of a model built without its part."""
    monkeypatch.setattr(suspicious_labels, "CONTRADICTION", -1e9)
    found = labelled_harness.do.find_suspicious_labels()
    assert len(found) == 40
    labelled_harness.stop()
    with open_store(labelled_harness.paths.data.parent) as store:
        labelled = store.labels.in_order(most=100)
        shifts = []
        for one in found[::7]:
            model = Model(store.words.vocabulary)
            for other in labelled:
                if other.message % suspicious_labels.PARTS != one.message % suspicious_labels.PARTS:
                    model.learn(other.sample, other.label)
            drain(model.cross_validating())
            mine = next(other for other in labelled if other.message == one.message)
            (expected,) = suspicious_labels.suspicions(model, [mine])
            shifts.append(one.log_odds - expected.log_odds)
        # Only the engine knows the base rate of the mailbox.
        assert max(shifts) - min(shifts) < 1e-9


def test_no_label_is_suspicious_while_a_class_is_missing(harness):
    harness.ready().deliver(range(1, 11))
    assert harness.do.find_suspicious_labels() == ()
    harness.do.mark((1, 3), "spam")
    assert harness.do.find_suspicious_labels() == ()
    harness.do.mark((2,), "ham")
    harness.do.mark((4,), "family")
    assert harness.do.find_suspicious_labels() == ()


def test_labels_changed_meanwhile_are_omitted_and_cancel_works(harness):
    harness.ready()
    plant(harness, 150, {10, 33})
    asked = harness.hold(first_progress, harness.engine.find_suspicious_labels)
    turned = harness.engine.mark((10,), "ham")
    harness.release()
    assert [one.message for one in harness.end_of(asked).result] == [33]
    assert harness.end_of(turned)
    asked = harness.hold(first_progress, harness.engine.find_suspicious_labels)
    asked.cancel()
    harness.release()
    assert isinstance(harness.end_of(asked), Cancelled)
