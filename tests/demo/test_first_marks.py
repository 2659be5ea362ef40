"""With default settings the demo's spam is recognized soon, and no good mail is called spam."""

import numpy as np
import pytest

from nbmail.chunks import drain
from nbmail.cli.messages.index_files import indexed_messages
from nbmail.core.calibration.base_rate import estimate_base_rate
from nbmail.core.counting.sampling import sample_of
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.evaluation.metrics import calibration_error
from nbmail.core.evaluation.trials import Case, learn_all
from nbmail.core.mail.parser import parse
from nbmail.core.scoring.model import Model
from nbmail.lab.first_marks import Draw, marks_asked_for, marks_at_random, mean_of
from nbmail.values import VERDICTS
from tests.demo_letters import demo_letters
from tests.needs import need_corpus


@pytest.fixture(scope="module")
def mailbox():
    """Messages of the demo with Robin's marks and the true classes."""
    vocabulary = Vocabulary()
    placed = demo_letters()
    cases = [
        Case("spam" if one.is_spam else "ham", sample_of(parse(one.raw), vocabulary))
        for one in placed
    ]
    said = ["$Junk" in one.flags or "$NotJunk" in one.flags for one in placed]
    return vocabulary, cases, said


def test_the_demo_flags_most_spam_and_hardly_a_ham_message(mailbox):
    vocabulary, cases, said = mailbox
    model = Model(vocabulary)
    for case, known in zip(cases, said, strict=True):
        if known:
            model.learn(case.sample, case.label)
    drain(model.cross_validating())
    rest = [case for case, known in zip(cases, said, strict=True) if not known]
    verdicts = model.verdicts(model.log_odds(model.rows([case.sample for case in rest])))
    called = [VERDICTS[place] for place in verdicts.tolist()]
    spam = [name for name, case in zip(called, rest, strict=True) if case.label == "spam"]
    ham = [name for name, case in zip(called, rest, strict=True) if case.label == "ham"]
    assert spam.count("spam") > 0.7 * len(spam)
    assert ham.count("spam") <= 1
    assert called.count("unsure") > 5, "there is something left to do"


def figures(mailbox, sizes, **asked):
    """Return the mean over several draws by number of labels."""
    vocabulary, cases, _ = mailbox
    found = {size: [] for size in sizes}
    for number in range(6):
        draw = Draw.of(cases, number, 0.5)
        run = marks_asked_for if asked else marks_at_random
        for size, one in run(lambda: Model(vocabulary), draw, sizes, *([] if asked else [0.5])):
            found[size].append(one)
    return [mean_of(several) for several in found.values()]


def test_a_dozen_marks_flag_spam_and_a_hundred_lose_hardly_any_mail(mailbox):
    first, *_, last = rows = figures(mailbox, (12, 16, 48, 96))
    for row in (first, *figures(mailbox, (12,), asked=True)):
        assert row["spam_caught_percent"] > 15
    assert all(row["ham_lost_percent"] < 3 for row in rows)
    assert (last["spam_caught_percent"] > 75, last["calibration_error_percent"] < 5) == (True, True)


def read_corpus():
    """Return mail of the SpamAssassin corpus."""
    vocabulary = Vocabulary()
    sources = indexed_messages(need_corpus("spamassassin") / "index")
    raws = ((source.label, raw) for source in sources for raw in source.read())
    return vocabulary, [Case(label, sample_of(parse(raw), vocabulary)) for label, raw in raws]


@pytest.mark.parametrize("real", [False, True], ids=["demo", "corpus"])
def test_no_mark_is_a_cliff(mailbox, real):
    """After each mark of four sequences the mean accuracy never falls far."""
    vocabulary, cases = read_corpus() if real else mailbox[:2]
    streams = np.array(
        [
            list(caught_after_each(vocabulary, Draw.of(cases, number, 0.5), 90))
            for number in range(4)
        ]
    )
    caught = streams.mean(axis=0)
    assert np.diff(caught).min() > -10
    assert (np.maximum.accumulate(caught) - caught).max() < 15
    assert caught[11] > 15
    assert caught[-1] > 70


def caught_after_each(vocabulary, draw, marks):
    """Return the percentage of test spam with verdict spam after each mark."""
    model = Model(vocabulary)
    rows = model.rows([case.sample for case in draw.test if case.label == "spam"])
    for case in draw.pool[:marks]:
        model.learn(case.sample, case.label)
        drain(model.cross_validating())
        yield 100 * float(np.mean(model.verdicts(model.log_odds(rows)) == VERDICTS.index("spam")))


def test_what_the_program_asks_for_teaches_more_than_what_comes(mailbox):
    (comes,), (asked,) = figures(mailbox, (48,)), figures(mailbox, (48,), asked=True)
    assert asked["allowed_at_0_5_percent"] > comes["allowed_at_0_5_percent"] + 2
    assert asked["calibration_error_percent"] < comes["calibration_error_percent"]


def test_every_step_of_the_dial_catches_something(mailbox):
    vocabulary, cases, _ = mailbox
    draw = Draw.of(cases, 1, 0.5)
    model = Model(vocabulary)
    for case in draw.pool[:80]:
        model.learn(case.sample, case.label)
    drain(model.cross_validating())
    calibrated = model.calibrate(
        model.log_odds(model.rows([case.sample for case in draw.test])), 0.5
    )
    caught = [
        int(np.count_nonzero(calibrated > np.log((cost - 1) / 2))) for cost in (10, 100, 1000, 5000)
    ]
    assert caught == sorted(caught, reverse=True)
    assert caught[-1] > 0


def test_another_share_of_spam_than_that_of_the_labels_makes_probabilities_no_worse(mailbox):
    vocabulary, cases, _ = mailbox
    errors = {share: [] for share in (0.5, 0.1, 0.9)}
    for number in range(6):
        draw = Draw.of(cases, number, 0.5)
        model = Model(vocabulary)
        learn_all(model, draw.pool[:80])
        for share, found in errors.items():
            part = with_share(draw.test, share)
            scores = model.log_odds(model.rows([one.sample for one in part]))
            model.base_rate = estimate_base_rate(model.calibrate(scores, 0.5), labels=80)
            spam = np.array([one.label == "spam" for one in part])
            found.append(calibration_error(model.probabilities(scores), spam))
    even, *others = (np.mean(found) for found in errors.values())
    assert max(others) < even


def with_share(cases, share):
    """Return the largest sample with this share of spam."""
    spam, ham = (
        [case for case in cases if (case.label == "spam") is kind] for kind in (True, False)
    )
    size = min(len(spam) / share, len(ham) / (1 - share))
    return spam[: round(size * share)] + ham[: round(size * (1 - share))]
