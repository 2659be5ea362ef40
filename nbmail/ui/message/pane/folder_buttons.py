"""Buttons that move the open message to a suggested folder."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from nbmail.ui.kit import layouts
from nbmail.ui.kit.buttons import quiet_button
from nbmail.ui.kit.plain_labels import plain_label
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.sidebar.list_names import folder_name
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.number_texts import percent
from nbmail.ui.texts.plain_text import plain_name, plain_tip
from nbmail.worker.protocol.folders import FolderChance

SHOWN = 3
NAME_WIDTHS = (150, 100, 60)
"""Pixels of a folder name, the first ones that fit. Longer names lose their middle."""
GAP = 6


class FolderButtons(QWidget):
    """A line of buttons; the last ones are hidden if the line is too short.

    Hidden without suggestions. The key E on a button requests the reasons.

    Signals: `accepted(FolderName)`; `reasons_requested(int)` with the place of a suggestion;
    `others_requested()`.
    """

    accepted = Signal(object)
    reasons_requested = Signal(int)
    others_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.chances: Sequence[FolderChance] = ()
        self._label = plain_label(tr("Move to:"), "muted")
        self.buttons = [QPushButton() for _ in range(SHOWN)]
        for place, button in enumerate(self.buttons):
            button.clicked.connect(partial(self.accept, place))
            button.installEventFilter(self)
        self.others = quiet_button(tr("Other…"), self.others_requested.emit, flush=True)
        self.reasons = quiet_button(tr("Why?"), partial(self.reasons_requested.emit, 0), flush=True)
        self.reasons.setToolTip(tr("Why this folder, and not the next one"))
        # The width of the pane decides which parts are shown, and not the other way round.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._parts: list[QWidget] = [self._label, *self.buttons, self.others, self.reasons]
        self.setLayout(layouts.row(*self._parts, None, spacing=GAP, margins=(0, 4, 0, 2)))
        self.show_chances(())

    def show_chances(self, chances: Sequence[FolderChance]) -> None:
        """Show suggested folders, likeliest first; none hides the line."""
        self.chances = chances[:SHOWN]
        self.setVisible(bool(chances))
        for place, chance in enumerate(self.chances):
            self._describe(place, chance)
        self._fit()

    def _describe(self, place: int, chance: FolderChance) -> None:
        """Set tooltip and accessible name of a button."""
        button = self.buttons[place]
        folder = folder_name(chance.folder)
        key = place + 1
        tip = tr("Move to {folder} (key {key}). The key E shows the reasons.")
        button.setToolTip(plain_tip(tip.format(folder=folder, key=key)))
        spoken = tr("Move to {folder}, {chance}, key {key}")
        shown = percent(chance.probability)
        button.setAccessibleName(spoken.format(folder=folder, chance=shown, key=key))

    def accept(self, place: int, _: bool = False) -> None:
        """Move to the folder at this place, if it is suggested."""
        if place < len(self.chances):
            self.accepted.emit(self.chances[place].folder)

    # ---------------------------------------------------------------------------------------------
    # room

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Shorten the names, then hide the last parts, until the line fits."""
        self._shorten_names()
        shown = self._fitting_parts()
        # A part that is shown and hidden again would resize the line, and never end that.
        for part in self._parts:
            part.setVisible(part in shown)

    def _shorten_names(self) -> None:
        buttons = self._used_buttons()
        for width in NAME_WIDTHS:
            for button, chance in zip(buttons, self.chances, strict=True):
                name = button.fontMetrics().elidedText(
                    folder_name(chance.folder),
                    Qt.TextElideMode.ElideMiddle,
                    scaled(self, width),
                )
                button.setText(plain_name(f"{name}  {percent(chance.probability)}"))
            if _width_of([*buttons, self.others]) <= self.width():
                break

    def _fitting_parts(self) -> list[QWidget]:
        """Return the parts that have room. The first folder always stays."""
        buttons = self._used_buttons()
        shown: list[QWidget] = [self._label, *buttons, self.others]
        if buttons:
            shown.append(self.reasons)
        dispensable = [self._label, self.reasons, *reversed(buttons[1:]), self.others]
        for part in dispensable:
            if part in shown and _width_of(shown) > self.width():
                shown.remove(part)
        return shown

    def _used_buttons(self) -> list[QPushButton]:
        return self.buttons[: len(self.chances)]

    # ---------------------------------------------------------------------------------------------
    # keys

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Claim the key E on a button before the window's shortcut of the same key."""
        if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_E and not event.modifiers():
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress:
                for place, button in enumerate(self.buttons):
                    if button is watched:
                        self.reasons_requested.emit(place)
                return True
        return super().eventFilter(watched, event)


def _width_of(parts: Sequence[QWidget]) -> int:
    return sum(part.sizeHint().width() + GAP for part in parts)
