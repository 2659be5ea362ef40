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
"""Upper ends of the x axis. The first is used that is `REACH` deviations above both means."""
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
    """Return points of a density between 0 and `end`, its highest point at 1.

    They are dense where the density is.
    """
    reach = REACH * beta.deviation
    near = [beta.mean + reach * (2 * place / POINTS - 1) for place in range(POINTS + 1)]
    far = [end * (place + 0.5) / POINTS for place in range(POINTS)]
    shares = sorted(share for share in near + far if 0 < share < end)
    logs = [(beta.a - 1) * log(share) + (beta.b - 1) * log1p(-share) for share in shares]
    highest = max(logs)
    return [(share, exp(each - highest)) for share, each in zip(shares, logs, strict=True)]


class Curve(NamedTuple):
    """Density in the chart, with its name in the legend."""

    text: str
    color_name: str
    beta: Beta


class PosteriorChart(Chart):
    """Densities of a word's probability in spam, in good mail, and before any mark.

    Each has its own height.
    """

    def __init__(self) -> None:
        label = tr("probability in a message: mean ± standard deviation")
        super().__init__(130, tr("Probability of the word by the learned messages"), x_label=label)
        self.curves: tuple[Curve, ...] = ()
        self.end = 1.0

    def show_word(self, story: WordDescription) -> None:
        """Show the posteriors after the learned messages. Without any, the chart is hidden."""
        prior = Beta(*story.prior)
        spam = prior.after(story.figures.spam, story.spam_messages)
        ham = prior.after(story.figures.ham, story.ham_messages)
        self.curves = (
            Curve(_prior_text(prior), "muted", prior),
            Curve(_posterior_text(tr("in spam"), spam), "spam", spam),
            Curve(_posterior_text(tr("in good mail"), ham), "ham", ham),
        )
        highest = max(spam.mean + REACH * spam.deviation, ham.mean + REACH * ham.deviation)
        self.end = next((end for end in ENDS if end >= highest), 1.0)
        self.setVisible(story.spam_messages + story.ham_messages > 0)
        self._describe([each.text for each in self.curves])

    def scale(self) -> Sequence[tuple[float, str]]:
        return ((0.0, ""),)

    def ends(self) -> tuple[str, str]:
        return exact_percent(0.0), exact_percent(self.end)

    def draw(self, painter: QPainter) -> None:
        legend = self.plot_area().left()
        for each in self.curves:
            painter.setPen(QPen(color(each.color_name), 2))
            points = [self.point(x / self.end, y) for x, y in curve(each.beta, self.end)]
            painter.drawPolyline(QPolygonF(points))
            legend = self._draw_legend(painter, legend, each.text, each.color_name)


def _prior_text(prior: Beta) -> str:
    return f"{tr('prior')}: Beta({number_text(prior.a)}; {number_text(prior.b)})"


def _posterior_text(name: str, posterior: Beta) -> str:
    return f"{name}: {percent(posterior.mean)} ± {percent(posterior.deviation)}"
