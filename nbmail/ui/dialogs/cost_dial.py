"""What a lost good message costs, on a dial that says what that means."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSlider, QWidget

from nbmail.ui.kit import layouts, phrases
from nbmail.ui.kit.language import format_count, tr, tr_count
from nbmail.ui.kit.plain_text import join_sentences, wrapping_label
from nbmail.worker.protocol.own_model import junk_from

COSTS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
"""The steps of the dial: junk messages in the inbox that weigh as much as one good message lost."""
CAREFUL = 500
"""From this step on few marks let little junk over the line."""
Count = Callable[[float], tuple[int, int]]


class CostDial(QWidget):
    """A slider below its sentence. `count` says how many messages have a higher chance of junk, and how many have one.

    Signals: `chosen(float)`, the cost where the user left the dial.
    """

    chosen = Signal(float)

    def __init__(self, cost: float, count: Count) -> None:
        super().__init__()
        self._count = count
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, len(COSTS) - 1)
        self.slider.setValue(min(range(len(COSTS)), key=lambda place: abs(COSTS[place] - cost)))
        self.slider.setAccessibleName(tr("What a lost good message costs"))
        self.words, self.hint = wrapping_label(kind="title"), wrapping_label(kind="muted")
        self.setLayout(layouts.column(self.words, self.slider, self.hint, spacing=8))
        self.slider.valueChanged.connect(self.say)
        self.slider.sliderReleased.connect(self._choose)
        self.slider.actionTriggered.connect(lambda _: None if self.slider.isSliderDown() else self._choose_soon())
        self.say()

    def say(self) -> None:
        """Say what this place of the dial means now."""
        cost = COSTS[self.slider.value()]
        self.words.setText(
            tr_count(
                "One lost good message is as bad as %n junk message in the inbox",
                "One lost good message is as bad as %n junk messages in the inbox",
                cost,
            )
        )
        line = round(junk_from(cost), 4)
        above = tr("What is junk with a chance of more than {line} is called junk.")
        junk, known = self._count(line)
        now = tr("Of your {all} messages without a mark that is {junk} now.") if known else ""
        now = now.format(all=format_count(known), junk=format_count(junk))
        why = tr("It takes many marks to be so sure: the more you mark, the more junk has such a chance.")
        hint = join_sentences(above.format(line=phrases.exact_percent(line)), now, why if cost >= CAREFUL else "")
        self.hint.setText(hint)

    def _choose_soon(self) -> None:
        # The slider takes its new place only after it has said what was done to it.
        self.slider.valueChanged.connect(self._choose, Qt.ConnectionType.SingleShotConnection)

    def _choose(self) -> None:
        self.chosen.emit(float(COSTS[self.slider.value()]))
