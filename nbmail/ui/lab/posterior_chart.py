"""Chart of a word's probability in spam and in good mail."""

from collections.abc import Sequence
from math import exp, log, log1p, sqrt
from typing import NamedTuple

from PySide6.QtGui import QPainter, QPen, QPolygonF

from nbmail.ui.kit.chart import Chart
from nbmail.ui.kit.theme import color
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.number_texts import exact_percent, number_text, percent
from nbmail.worker.protocol.words import WordDescription

ENDS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
"""Upper ends of the x axis: the first that is at least `REACH` standard deviations above both
means.
"""
REACH = 4.0
POINTS = 200


class Beta(NamedTuple):
    """Beta distribution of a probability."""

    a: float
    b: float

    @property
    def mean(self) -> float:
        return self.a / (self.a + self.b)

    @property
    def deviation(self) -> float:
        total = self.a + self.b
        return sqrt(self.a * self.b / (total + 1)) / total

    def after(self, with_word: int, messages: int) -> "Beta":
        """Return the posterior after so many messages, of which some contain the word."""
        return Beta(self.a + with_word, self.b + max(0, messages - with_word))


def curve(beta: Beta, end: float) -> list[tuple[float, float]]:
    """Return points of a density between 0 and `end`, its highest point at 1. They are dense where
    the density is.
    """
    near = (
        beta.mean + REACH * beta.deviation * (2 * place / POINTS - 1) for place in range(POINTS + 1)
    )
    far = (end * (place + 0.5) / POINTS for place in range(POINTS))
    shares = sorted(share for share in (*near, *far) if 0 < share < end)
    logs = [(beta.a - 1) * log(share) + (beta.b - 1) * log1p(-share) for share in shares]
    return [(share, exp(each - max(logs))) for share, each in zip(shares, logs, strict=True)]


class PosteriorChart(Chart):
    """Densities of the word's probability in spam, in good mail, and before any mark, each at its
    own height.
    """

    def __init__(self) -> None:
        label = tr("probability in a message: mean ± standard deviation")
        super().__init__(130, tr("Probability of the word by the learned messages"), x_label=label)
        self.curves: tuple[tuple[str, str, Beta], ...] = ()
        self.end = 1.0

    def show_word(self, story: WordDescription) -> None:
        """Show the posteriors after the learned messages. Without any, the chart is hidden."""
        prior = Beta(*story.prior)
        figures = story.figures
        spam = prior.after(figures.spam, story.spam_messages)
        ham = prior.after(figures.ham, story.ham_messages)
        prior_text = f"{tr('prior')}: Beta({number_text(prior.a)}; {number_text(prior.b)})"
        spam_text, ham_text = (
            f"{name}: {percent(beta.mean)} ± {percent(beta.deviation)}"
            for name, beta in ((tr("in spam"), spam), (tr("in good mail"), ham))
        )
        self.curves = (
            (prior_text, "muted", prior),
            (spam_text, "spam", spam),
            (ham_text, "ham", ham),
        )
        highest = max(each.mean + REACH * each.deviation for each in (spam, ham))
        self.end = next((end for end in ENDS if end >= highest), 1.0)
        self.setVisible(story.spam_messages + story.ham_messages > 0)
        self._describe([text for text, _, _ in self.curves])

    def scale(self) -> Sequence[tuple[float, str]]:
        return ((0.0, ""),)

    def ends(self) -> tuple[str, str]:
        return exact_percent(0.0), exact_percent(self.end)

    def draw(self, painter: QPainter) -> None:
        legend = self.plot_area().left()
        for text, color_name, beta in self.curves:
            painter.setPen(QPen(color(color_name), 2))
            painter.drawPolyline(
                QPolygonF([self.point(x / self.end, y) for x, y in curve(beta, self.end)])
            )
            legend = self._draw_legend(painter, legend, text, color_name)
