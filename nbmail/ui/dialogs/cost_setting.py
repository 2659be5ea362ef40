"""Setting of the cost of a false alarm, which the spam threshold follows from."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QHideEvent, QMouseEvent
from PySide6.QtWidgets import QSlider, QStyle, QWidget

from nbmail.core.evaluation.proportion import Proportion
from nbmail.core.scoring.verdict import Costs
from nbmail.ui.kit import layouts
from nbmail.ui.kit.buttons import quiet_button
from nbmail.ui.kit.plain_labels import plain_label, wrapping_label
from nbmail.ui.kit.timers import single_shot_timer
from nbmail.ui.lab.cost_table import CostTable
from nbmail.ui.model.accuracy_texts import headline_text
from nbmail.ui.texts.language import format_count, tr, tr_count
from nbmail.ui.texts.number_texts import exact_percent, number_text
from nbmail.ui.texts.plain_text import join_sentences

COSTS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
"""Positions of the slider."""
HIGH_COST = 500
"""Cost from which on few marks bring little spam above the threshold."""
SETTLED = 700
"""Milliseconds after the last key on the slider until the change takes effect."""
Count = Callable[[float], tuple[int, int]]


class JumpSlider(QSlider):
    """Horizontal slider whose handle jumps to a click on the track."""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            handle = self.style().pixelMetric(QStyle.PixelMetric.PM_SliderLength, None, self)
            place = round(event.position().x()) - handle // 2
            room = self.width() - handle
            self.setValue(
                QStyle.sliderValueFromPosition(self.minimum(), self.maximum(), place, room)
            )
        super().mousePressEvent(event)


class CostSetting(QWidget):
    """Slider with the meaning of its position, and a button for the whole table of costs.

    `count` returns the number of messages above a chance of spam, and the number of all messages
    with a chance. `names_tested`: the hint says how tested messages would be classified; another
    label can show it instead. Signals: `changed(Costs)` when the user has changed the costs,
    `tested(str)` with that sentence.
    """

    changed = Signal(object)
    tested = Signal(str)

    def __init__(self, costs: Costs, count: Count, *, names_tested: bool = True) -> None:
        super().__init__()
        self._names_tested = names_tested
        self._costs = costs
        self._count = count
        self._spam = tuple[float, ...]()
        self._ham = tuple[float, ...]()

        self.slider = JumpSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, len(COSTS) - 1)
        self.slider.setAccessibleName(tr("Cost of a false alarm"))
        self.meaning = wrapping_label(kind="title")
        self.hint = wrapping_label(kind="muted")
        self.table = quiet_button(tr("All costs…"), self.edit_table, flush=True)
        self.table.setAutoDefault(False)
        ends = layouts.row(
            plain_label(tr("Catch more spam"), "muted"),
            None,
            plain_label(tr("Never lose good mail"), "muted"),
        )
        below = (self.table, Qt.AlignmentFlag.AlignLeft)
        self.setLayout(layouts.column(self.meaning, self.slider, ends, self.hint, below, spacing=6))

        self.slider.valueChanged.connect(self._slide)
        # A run of keys is one change, as a drag is.
        self._settled = single_shot_timer(self, SETTLED, self._emit)
        self.slider.sliderReleased.connect(self._emit)
        self.slider.actionTriggered.connect(
            lambda _: None if self.slider.isSliderDown() else self._settled.start()
        )
        self.show_costs(costs)

    def show_costs(self, costs: Costs) -> None:
        """Show these costs, unless the user is changing them.

        A cost between two positions shows the nearest.
        """
        if self._settled.isActive():
            return
        self._costs = costs
        nearest = min(COSTS, key=lambda cost: abs(cost - costs.false_spam))
        with QSignalBlocker(self.slider):
            self.slider.setValue(COSTS.index(nearest))
        self.update_texts()

    def show_tested(self, spam: Sequence[float], ham: Sequence[float]) -> None:
        """Show how tested messages would be classified.

        `spam`, `ham`: their held-out chances of spam.
        """
        self._spam = tuple(spam)
        self._ham = tuple(ham)
        self.update_texts()

    def _slide(self, place: int) -> None:
        self._costs = replace(self._costs, false_spam=float(COSTS[place]))
        self.update_texts()

    def update_texts(self) -> None:
        threshold = round(self._costs.spam_from, 4)
        above = tr("Spam threshold: messages with a chance of spam above {line}.")
        above = above.format(line=exact_percent(threshold))
        why = ""
        if self._costs.false_spam >= HIGH_COST:
            why = tr("Few messages reach such a high chance until you have marked many.")
        self.meaning.setText(self._meaning_text())
        tested = self._tested_text()
        if tested:
            self.tested.emit(tested)
        if not self._names_tested:
            tested = ""
        self.hint.setText(join_sentences(above, self._count_text(threshold), tested, why))

    def _meaning_text(self) -> str:
        costs = self._costs
        if costs == Costs(costs.false_spam):
            return tr_count(
                "A false alarm costs as much as checking %n message yourself",
                "A false alarm costs as much as checking %n messages yourself",
                round(costs.false_spam),
            )
        text = tr("A false alarm costs {lost}, missed spam {missed}, an unsure message {unsure}")
        return text.format(
            lost=number_text(costs.false_spam),
            missed=number_text(costs.missed_spam),
            unsure=number_text(costs.ask),
        )

    def _count_text(self, threshold: float) -> str:
        """Return the number of messages above the threshold, "" without any probability."""
        spam, known = self._count(threshold)
        if not known:
            return ""
        text = tr("That is {spam} of your {all} unmarked messages now.")
        return text.format(all=format_count(known), spam=format_count(spam))

    def _tested_text(self) -> str:
        """Return how tested messages would be classified, "" while too few are."""
        if not self._spam or not self._ham:
            return ""
        caught = self._share_above(self._spam)
        lost = self._share_above(self._ham)
        return headline_text(caught, lost)

    def _share_above(self, chances: Sequence[float]) -> Proportion:
        above = sum(chance > self._costs.spam_from for chance in chances)
        return Proportion(above, len(chances))

    def edit_table(self) -> None:
        dialog = CostTable(self, self._costs)

        def take() -> None:
            self.show_costs(dialog.costs())
            self._emit()

        dialog.accepted.connect(take)
        dialog.open()

    def _emit(self) -> None:
        self._settled.stop()
        self.changed.emit(self._costs)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if self._settled.isActive():
            self._emit()
