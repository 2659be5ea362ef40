"""Chart of the Beta posterior of a word's probability in each class, with its prior."""

from collections.abc import Sequence
from math import exp, lgamma, log, log1p, sqrt
from typing import NamedTuple

from PySide6.QtGui import QPainter, QPen, QPolygonF

from nbmail.ui.kit import phrases
from nbmail.ui.kit.phrases import tr
from nbmail.ui.kit.theme import color
from nbmail.ui.model.charts import Chart
from nbmail.worker.protocol.results import WordDescription

ENDS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
"""Upper ends of the x axis: the first that is at least `REACH` standard deviations above both means."""
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

    def log_density(self, share: float) -> float:
        """Return the logarithm of the density at a share between 0 and 1."""
        scale = lgamma(self.a + self.b) - lgamma(self.a) - lgamma(self.b)
        return scale + (self.a - 1) * log(share) + (self.b - 1) * log1p(-share)

    def after(self, with_word: int, messages: int) -> "Beta":
        """Return the posterior after so many messages, of which some contain the word."""
        return Beta(self.a + with_word, self.b + max(0, messages - with_word))


class PosteriorChart(Chart):
    """Densities of the word's probability in junk, in good mail, and before any mark, each at its own height."""

    def __init__(self) -> None:
        label = tr("probability in a message: mean ± standard deviation")
        super().__init__(130, tr("Probability of the word by the learned messages"), x_label=label)
        self.curves: tuple[tuple[str, str, Beta], ...] = ()
        self.end = 1.0

    def show_word(self, story: WordDescription) -> None:
        """Show the posteriors after the learned messages. Without any, the chart is hidden."""
        prior, figures = Beta(*story.prior), story.figures
        junk, good = prior.after(figures.junk, story.junk_messages), prior.after(figures.good, story.good_messages)
        self.curves = (
            (f"{tr('prior')}: Beta({phrases.number_text(prior.a)}; {phrases.number_text(prior.b)})", "muted", prior),
            (_curve_text(tr("in junk"), junk), "junk", junk),
            (_curve_text(tr("in good mail"), good), "good", good),
        )
        highest = max(each.mean + REACH * each.deviation for each in (junk, good))
        self.end = next((end for end in ENDS if end >= highest), 1.0)
        self.setVisible(story.junk_messages + story.good_messages > 0)
        self._describe([text for text, _, _ in self.curves])

    def scale(self) -> Sequence[tuple[float, str]]:
        return ((0.0, ""),)

    def ends(self) -> tuple[str, str]:
        return phrases.exact_percent(0.0), phrases.exact_percent(self.end)

    def draw(self, painter: QPainter) -> None:
        legend = self.plot_area().left()
        for text, color_name, beta in self.curves:
            painter.setPen(QPen(color(color_name), 2))
            painter.drawPolyline(QPolygonF([self.point(x / self.end, y) for x, y in curve(beta, self.end)]))
            legend = self._draw_legend(painter, legend, text, color_name)


def curve(beta: Beta, end: float) -> list[tuple[float, float]]:
    """Return points of a density between 0 and `end`, its highest point at 1. They are dense where the density is."""
    near = (beta.mean + REACH * beta.deviation * (2 * place / POINTS - 1) for place in range(POINTS + 1))
    far = (end * (place + 0.5) / POINTS for place in range(POINTS))
    shares = sorted(share for share in (*near, *far) if 0 < share < end)
    logs = [beta.log_density(share) for share in shares]
    return [(share, exp(each - max(logs))) for share, each in zip(shares, logs, strict=True)]


def _curve_text(name: str, beta: Beta) -> str:
    return f"{name}: {phrases.percent(beta.mean)} ± {phrases.percent(beta.deviation)}"
