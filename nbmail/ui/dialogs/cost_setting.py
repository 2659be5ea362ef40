"""Cost of a false alarm: the setting that the junk threshold follows from."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSlider, QWidget

from nbmail.core.scoring.verdict import Costs
from nbmail.ui.kit import layouts, phrases
from nbmail.ui.kit.language import format_count, tr, tr_count
from nbmail.ui.kit.plain_text import join_sentences, wrapping_label

COSTS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
"""Positions of the slider."""
HIGH_COST = 500
"""Cost from which on few marks bring little junk above the threshold."""
Count = Callable[[float], tuple[int, int]]


class CostSetting(QWidget):
    """Slider with the meaning of its position.

    `count` returns the number of messages above a chance of junk, and the number of all messages with a chance.
    Signals: `changed(float)` with the cost when the user has moved the slider.
    """

    changed = Signal(float)

    def __init__(self, cost: float, count: Count) -> None:
        super().__init__()
        self._count = count
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, len(COSTS) - 1)
        self.slider.setValue(min(range(len(COSTS)), key=lambda place: abs(COSTS[place] - cost)))
        self.slider.setAccessibleName(tr("Cost of a false alarm"))
        self.meaning, self.hint = wrapping_label(kind="title"), wrapping_label(kind="muted")
        self.setLayout(layouts.column(self.meaning, self.slider, self.hint, spacing=8))
        self.slider.valueChanged.connect(self.update_texts)
        self.slider.sliderReleased.connect(self._emit)
        self.slider.actionTriggered.connect(lambda _: None if self.slider.isSliderDown() else self._emit_later())
        self.update_texts()

    def update_texts(self) -> None:
        """Show the meaning of the current position for the current messages."""
        cost = COSTS[self.slider.value()]
        self.meaning.setText(
            tr_count(
                "A false alarm costs as much as checking %n message yourself",
                "A false alarm costs as much as checking %n messages yourself",
                cost,
            )
        )
        threshold = round(Costs(false_junk=cost).junk_from, 4)
        above = tr("Junk threshold: messages with a chance of junk above {line}.")
        junk, known = self._count(threshold)
        now = tr("That is {junk} of your {all} unmarked messages now.") if known else ""
        now = now.format(all=format_count(known), junk=format_count(junk))
        why = tr("Few messages reach such a high chance until you have marked many.")
        above = above.format(line=phrases.exact_percent(threshold))
        self.hint.setText(join_sentences(above, now, why if cost >= HIGH_COST else ""))

    def _emit_later(self) -> None:
        # The slider emits `actionTriggered` before it takes its new position.
        self.slider.valueChanged.connect(self._emit, Qt.ConnectionType.SingleShotConnection)

    def _emit(self) -> None:
        self.changed.emit(float(COSTS[self.slider.value()]))
