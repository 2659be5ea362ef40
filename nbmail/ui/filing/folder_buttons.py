"""Buttons below the subject that move the open message to a suggested folder."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QPushButton, QWidget

from nbmail.ui.accounts.sidebar import folder_name
from nbmail.ui.kit import layouts
from nbmail.ui.kit.language import tr
from nbmail.ui.kit.layouts import scaled
from nbmail.ui.kit.phrases import percent
from nbmail.ui.kit.plain_text import plain_label, plain_name, plain_tip
from nbmail.ui.window.notices import quiet_button
from nbmail.worker.protocol.folders import FolderChance

SHOWN = 3
NAME_WIDTH = 150
"""Pixels of a folder name. Longer names lose their middle."""
GAP = 6


class FolderButtons(QWidget):
    """A line of buttons; the last ones are hidden if the line is too short. Hidden without suggestions.

    Signals: `accepted(FolderName)`; `reasons_requested(int)` with the place of a suggestion; `others_requested()`.
    """

    accepted = Signal(object)
    reasons_requested = Signal(int)
    others_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.chances: Sequence[FolderChance] = ()
        self._label = plain_label(tr("Move to:"), "muted")
        self.buttons = [FolderButton(place) for place in range(SHOWN)]
        self.others = quiet_button(tr("Other…"), self.others_requested.emit, flush=True)
        self.reasons = quiet_button(tr("Why?"), partial(self.reasons_requested.emit, 0), flush=True)
        self.reasons.setToolTip(tr("Why this folder, and not the next one"))
        for place, button in enumerate(self.buttons):
            button.clicked.connect(partial(self.accept, place))
            button.reasons_requested.connect(partial(self.reasons_requested.emit, place))
        self.setLayout(
            layouts.row(self._label, *self.buttons, self.others, self.reasons, None, spacing=GAP, margins=(0, 4, 0, 2))
        )
        self.show_chances(())

    def show_chances(self, chances: Sequence[FolderChance]) -> None:
        """Show suggested folders, likeliest first; none hides the line."""
        self.chances = chances[:SHOWN]
        for button, chance in zip(self.buttons, self.chances, strict=False):
            button.show_chance(chance)
        self.setVisible(bool(chances))
        self._fit()

    def accept(self, place: int, _: bool = False) -> None:
        """Move to the folder at this place, if it is suggested."""
        if place < len(self.chances):
            self.accepted.emit(self.chances[place].folder)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Hide the last parts until the line fits. The first folder stays."""
        self._label.setVisible(True)
        count = len(self.chances)
        for place, button in enumerate(self.buttons):
            button.setVisible(place < count)
        self.others.show()
        self.reasons.setVisible(count > 0)
        for part in (self._label, self.reasons, *reversed(self.buttons[1:count]), self.others):
            if self._wanted() > self.width():
                part.hide()

    def _wanted(self) -> int:
        parts = [each for each in (self._label, *self.buttons, self.others, self.reasons) if not each.isHidden()]
        return sum(each.sizeHint().width() + GAP for each in parts)


class FolderButton(QPushButton):
    """Button of a suggested folder. The key E on it requests the reasons."""

    reasons_requested = Signal()

    def __init__(self, place: int) -> None:
        super().__init__()
        self._place = place

    def show_chance(self, chance: FolderChance) -> None:
        name, shown = folder_name(chance.folder), percent(chance.probability)
        short = self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, scaled(self, NAME_WIDTH))
        self.setText(plain_name(f"{short}  {shown}"))
        text = tr("Move to {folder} (key {key}). The key E shows the reasons.")
        self.setToolTip(plain_tip(text.format(folder=name, key=self._place + 1)))
        spoken = tr("Move to {folder}, {chance}, key {key}")
        self.setAccessibleName(spoken.format(folder=name, chance=shown, key=self._place + 1))

    def event(self, event: QEvent) -> bool:
        # Claims the key before the window's shortcut of the same key.
        plain = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_E and not event.modifiers()
        if plain and event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if plain and event.type() == QEvent.Type.KeyPress:
            self.reasons_requested.emit()
            return True
        return super().event(event)
