"""Good mail lost and spam caught after the first marks, over hundreds of small mailboxes made of
real mail.

Needs NBMAIL_CORPORA (the folder with spamassassin, 20news and enron unpacked). Half of the marks
are spam and the dial stands where it stands at first. Constants are fitted on the tasks with an
even number; the table is of the others. `--tasks N`: a sample of them. `--slope X` and so on:
another prior beside the one in use. `--fit`: the slope for each spread of it that catches as much
spam on the first half.
"""

from typing import NamedTuple

import numpy as np

from nbmail.core.calibration.held_out import HeldOut
from nbmail.core.calibration.line_fitting import fit
from nbmail.core.calibration.prior import SHARED
from nbmail.core.scoring.log_odds import to_probabilities
from nbmail.core.scoring.model import Model
from nbmail.core.scoring.verdict import Costs, judge
from nbmail.lab.first_marks import Draw, models_at_random
from nbmail.values import SPAM, VERDICTS
from tests.bench._frame import options_of, show
from tests.bench._mail_tasks import tasks

SIZES = (20, 50, 100)
SPREADS = (0.1, 0.2, 0.25, 0.3, 0.35, 0.4)
_WORST = 0.1
_HALVINGS = 6
_WORDS = (
    "{tasks:6.0f} tasks: good mail lost {lost:.2f} %, in the worst tenth {worst:.2f} %, spam "
    "caught {caught:.1f} %"
)


class Marked(NamedTuple):
    """A task after some marks: held-out scores, and the scores of what is tested."""

    task: int
    held_out: HeldOut
    scores: np.ndarray
    spam: np.ndarray

    def figures(self, prior):
        """Return the shares of good mail lost and of spam caught."""
        of_spam = int(np.count_nonzero(self.held_out.spam))
        line = fit(self.held_out, (of_spam, len(self.held_out) - of_spam), prior)
        verdicts = judge(to_probabilities(line.log_odds(self.scores)), Costs())
        spam = verdicts == VERDICTS.index(SPAM)
        return float(np.mean(spam[~self.spam])), float(np.mean(spam[self.spam]))


def marked(chosen, draws):
    """Return for each size what was marked of each task in each draw. In each draw the kinds take
    turns differently.
    """
    found = {size: [] for size in SIZES}
    for place, task in enumerate(chosen):
        vocabulary, cases = task.cases()
        for number in range(draws):
            draw = Draw.of(cases, number, 0.5)
            spam = np.array([case.label == SPAM for case in draw.test])
            for size, model in models_at_random(
                lambda v=vocabulary: Model(v), draw, SIZES, 0.5, order=number
            ):
                scores = model.log_odds(model.rows([case.sample for case in draw.test]))
                found[size].append(Marked(place, model.held_out.all, scores, spam))
    return found


def by_task(records, prior):
    """Return the means over the draws of each task: good mail lost and spam caught, in percent."""
    marked_of = np.array([record.task for record in records])
    figures = 100 * np.array([record.figures(prior) for record in records])
    return np.array([figures[marked_of == task].mean(axis=0) for task in np.unique(marked_of)])


def summary(figures):
    """Return good mail lost in the mean and in the worst tenth of the tasks, and spam caught in the
    mean.
    """
    lost, caught = figures.T
    worst = np.sort(lost)[-max(1, round(_WORST * len(lost))) :]
    return {"tasks": len(lost), "lost": lost.mean(), "worst": worst.mean(), "caught": caught.mean()}


def fitted(found):
    """Yield for each spread of the slope the slope that catches as much spam as the prior in use,
    and the figures.
    """

    def mean_of(prior):
        sizes = [summary(by_task(records, prior)) for records in found.values()]
        return {key: float(np.mean([size[key] for size in sizes])) for key in sizes[0]}

    wanted = mean_of(SHARED)["caught"]
    for spread in SPREADS:
        low = 0.6
        high = 1.3
        for _ in range(_HALVINGS):
            prior = SHARED._replace(slope=(low + high) / 2, slope_spread=spread)
            figures = mean_of(prior)
            low, high = (prior.slope, high) if figures["caught"] < wanted else (low, prior.slope)
        yield {"prior": called(prior)} | figures


def compared(found, families, priors):
    """Yield the figures of each prior after each number of marks, of all tasks and of each
    family.
    """
    for prior in priors:
        for size, records in found.items():
            figures = by_task(records, prior)
            of = families[np.unique([record.task for record in records])]
            yield {"prior": called(prior), "marks": size, "mail": "all"} | summary(figures)
            for family in np.unique(of):
                yield {"prior": called(prior), "marks": size, "mail": str(family)} | summary(
                    figures[of == family]
                )


def called(prior):
    return (
        f"{prior.slope:.2f} ± {prior.slope_spread:.2f}, {prior.centre:.1f} ± "
        f"{prior.centre_spread:.1f}"
    )


def run(arguments):
    constants = {
        name: getattr(SHARED, name) for name in ("slope", "slope_spread", "centre", "centre_spread")
    }
    options = options_of(arguments, __doc__, tasks=0, draws=4, fit=False, **constants)
    other = SHARED._replace(**{name: getattr(options, name) for name in constants})
    chosen = [task for task in tasks() if task.number % 2 != options.fit]
    # Numbers are hashes, so that those with the smallest ones are a sample.
    chosen = sorted(chosen, key=lambda task: task.number)[: options.tasks or None]
    found = marked(chosen, options.draws)
    families = np.array([task.family for task in chosen])
    rows = (
        fitted(found) if options.fit else compared(found, families, dict.fromkeys((SHARED, other)))
    )
    words = "{prior:24}" + ("" if options.fit else "{marks:4} marks  {mail:13}") + _WORDS
    for row in rows:
        show(options, row, words)
    return 0
