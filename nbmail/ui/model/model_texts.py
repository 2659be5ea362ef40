"""Words for figures about the model. Takes plain values, gives plain texts."""

from nbmail.ui.kit import phrases
from nbmail.ui.kit.language import format_count, tr
from nbmail.ui.kit.plain_text import join_sentences
from nbmail.worker.protocol.own_model import Accuracy, Counted, MethodComparison, ReliabilityBin, TrainingReport

NEAR_END = 0.03


def share_words(counted: Counted) -> str:
    """A counted share and what the true one may be: "97 % (92–99 %)"."""
    if not counted.count:
        return tr("nothing to judge by")
    share, highest = (_rounded(each) for each in (counted.share, counted.highest))
    return f"{share} ({_rounded(counted.lowest).removesuffix('%').rstrip()}–{highest})"


def caught_of(report: TrainingReport) -> Counted:
    """The junk that was caught, of all that was judged."""
    return Counted(report.caught, report.junk)


def _rounded(share: float) -> str:
    """With a decimal only near the ends, where it says something."""
    return phrases.exact_percent(round(share, 2 if NEAR_END < share < 1 - NEAR_END else 3))


def accuracy_words(told: Accuracy) -> str:
    """How good it is, in one sentence."""
    caught = tr("By what nbmail learned from the others, it catches {share} of {count} junk messages.")
    lost = tr("Of {count} good ones it would call {lost} junk: {share}.")
    return join_sentences(
        caught.format(count=format_count(told.caught.count), share=share_words(told.caught)),
        lost.format(
            count=format_count(told.misjudged.count),
            lost=format_count(told.misjudged.found),
            share=share_words(told.misjudged),
        ),
    )


def promise_words(kept: ReliabilityBin) -> str:
    """What was promised and what came of it."""
    text = tr("Promised {promised}: {found} of {count} were junk")
    promised = phrases.percent(kept.promised)
    return text.format(promised=promised, found=format_count(kept.junk.found), count=format_count(kept.junk.count))


def comparison_words(told: MethodComparison, name: str) -> str:
    """How methods were compared, and what the best of them did on the newest messages."""
    how = tr("Learned from {learned} older messages, compared on {compared} newer ones.")
    best = tr("The best there, {name}, was then judged once on the newest: it caught {caught} and misjudged {lost}.")
    return join_sentences(
        how.format(learned=format_count(told.learned), compared=format_count(told.compared)),
        best.format(name=name, caught=share_words(told.best.caught), lost=share_words(told.best.misjudged)),
    )
