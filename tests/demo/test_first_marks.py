"""Scores of the demo with default settings: junk is recognized soon, good mail is not called junk."""

import numpy as np
import pytest

from nbmail.chunks import drain
from nbmail.core.counting.sample import Vocabulary, sample_of
from nbmail.core.evaluation.first_marks import Draw, marks_asked_for, marks_at_random, mean_of
from nbmail.core.evaluation.trials import Case
from nbmail.core.reading.mail import parse
from nbmail.core.scoring.model import Model
from nbmail.values import VERDICTS
from tests.demo_letters import demo_letters


@pytest.fixture(scope="module")
def mailbox():
    """Messages of the demo with Robin's marks and the true classes."""
    vocabulary = Vocabulary()
    placed = demo_letters()
    cases = [Case("junk" if one.is_junk else "good", sample_of(parse(one.raw), vocabulary)) for one in placed]
    said = ["$Junk" in one.flags or "$NotJunk" in one.flags for one in placed]
    return vocabulary, cases, said


def test_the_demo_flags_most_junk_and_hardly_a_good_message(mailbox):
    vocabulary, cases, said = mailbox
    model = Model(vocabulary)
    for case, known in zip(cases, said, strict=True):
        if known:
            model.learn(case.sample, case.label)
    drain(model.cross_validating())
    rest = [case for case, known in zip(cases, said, strict=True) if not known]
    verdicts = model.verdicts(model.log_odds(model.rows([case.sample for case in rest])))
    called = [VERDICTS[place] for place in verdicts.tolist()]
    junk = [name for name, case in zip(called, rest, strict=True) if case.label == "junk"]
    good = [name for name, case in zip(called, rest, strict=True) if case.label == "good"]
    assert junk.count("junk") > 0.7 * len(junk)
    assert good.count("junk") <= 1
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


def test_no_mark_is_a_cliff(mailbox):
    """After each mark of four sequences the mean accuracy never falls far."""
    vocabulary, cases, _ = mailbox
    streams = np.array([list(caught_after_each(vocabulary, Draw.of(cases, number, 0.5), 90)) for number in range(4)])
    caught = streams.mean(axis=0)
    assert np.diff(caught).min() > -10
    assert (np.maximum.accumulate(caught) - caught).max() < 15
    assert caught[11] > 15
    assert caught[-1] > 70


def caught_after_each(vocabulary, draw, marks):
    """Return the percentage of test junk with verdict junk after each mark."""
    model = Model(vocabulary)
    rows = model.rows([case.sample for case in draw.test if case.label == "junk"])
    for case in draw.pool[:marks]:
        model.learn(case.sample, case.label)
        drain(model.cross_validating())
        yield 100 * float(np.mean(model.verdicts(model.log_odds(rows)) == VERDICTS.index("junk")))


def test_a_hundred_marks_lose_hardly_any_mail(mailbox):
    rows = figures(mailbox, (16, 48, 96))
    assert rows[-1]["junk_caught_percent"] > 75
    assert all(row["good_lost_percent"] < 3 for row in rows)
    assert rows[-1]["calibration_error_percent"] < 5


def test_what_the_program_asks_for_teaches_more_than_what_comes(mailbox):
    (comes,), (asked,) = figures(mailbox, (48,)), figures(mailbox, (48,), asked=True)
    assert asked["allowed_at_0_5_percent"] > comes["allowed_at_0_5_percent"] + 2
    assert asked["calibration_error_percent"] < comes["calibration_error_percent"]
