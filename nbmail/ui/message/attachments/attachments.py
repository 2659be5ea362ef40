"""Line with the names of the attachments, warnings, and a menu that opens and saves them."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QMenu, QToolButton, QWidget

from nbmail.ui.kit import layouts
from nbmail.ui.kit.plain_labels import selectable_label
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.message.attachments.attachment_files import AttachmentFiles
from nbmail.ui.message.attachments.file_warnings import is_program, warning
from nbmail.ui.texts.language import tr, tr_count
from nbmail.ui.texts.number_texts import size_text
from nbmail.ui.texts.plain_text import breakable, plain_name, plain_tip
from nbmail.worker.engine.engine import Engine
from nbmail.worker.protocol.messages import Body, MessageText

MAX_NAME = 60
"""Maximum characters of a shown file name. Longer names lose their middle, not their extension."""
ENDING = 24
STRETCH = 18
"""Letters after which a name without spaces may be broken."""
MOST_FILES = 20
MOST_WARNINGS = 3
NARROW = 280
"""Width in pixels below which the button stands below the names."""


def short_name(name: str) -> str:
    """Return a file's name cut in its middle, with possible line breaks."""
    if len(name) > MAX_NAME:
        name = f"{name[: MAX_NAME - ENDING].rstrip()}…{name[-ENDING:].lstrip()}"
    return breakable(name, STRETCH)


class Attachments(QWidget):
    """Attachments of the shown message. Hidden without attachments.

    `engine`: None for messages outside the mailbox, which have no button. `report`: called with a
    text about what was saved.
    """

    def __init__(
        self, engine: Engine | None = None, report: Callable[[str], None] = lambda text: None
    ) -> None:
        super().__init__()
        self.files = AttachmentFiles(self, engine, report)
        self._warnings: Sequence[str] = ()
        self._count = ""
        self._named = ""
        places = Qt.AlignmentFlag
        self.names = selectable_label(by_keyboard=True)
        self.names.setAlignment(places.AlignVCenter | places.AlignLeft | places.AlignAbsolute)
        self.danger = selectable_label(by_keyboard=True)
        self.danger.setProperty("verdict", "spam")
        self._menu = QMenu(self)
        self.button = self._make_button()
        self._line = layouts.row(
            (self.names, 1), (self.button, places.AlignTop | places.AlignLeft), spacing=8
        )
        self.setLayout(layouts.column(self._line, self.danger, spacing=2))
        self.hide()

    def _make_button(self) -> QToolButton:
        button = QToolButton()
        button.setProperty("flush", True)
        button.setAccessibleName(tr("Open or save attachments"))
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setMenu(self._menu)
        return button

    def show_files(self, message: MessageText) -> None:
        files = message.attachments
        names = [each.name for each in files]
        titles = [short_name(each.name) or each.kind for each in files]
        sizes = [size_text(each.size) for each in files]
        shown = [f"{title} ({size})" for title, size in zip(titles, sizes, strict=True)]
        self.files.set_message(message.message, names)
        self._count = tr_count("%n attachment", "%n attachments", len(files))
        self._named = ", ".join(shown[:MOST_FILES])
        self._warnings = _warnings(names)
        self._fill_menu(titles)
        self.button.setVisible(message.body is Body.WHOLE and self.files.are_available)
        self.set_compact(False)
        self.setVisible(bool(files))

    def _fill_menu(self, titles: Sequence[str]) -> None:
        self._menu.clear()
        if len(titles) == 1:
            self._add_actions(self._menu, 0)
            return
        for number, title in enumerate(titles):
            self._add_actions(self._menu.addMenu(plain_name(title)), number)
        self._menu.addSeparator()
        self._menu.addAction(tr("Save all…"), self.files.save_all)

    def _add_actions(self, menu: QMenu, number: int) -> None:
        menu.addAction(tr("Open"), partial(self.files.open, number))
        menu.addAction(tr("Save as…"), partial(self.files.save, number))

    # ---------------------------------------------------------------------------------------------
    # low panes

    def set_compact(self, compact: bool) -> None:
        """Show only the number of files and the worst warning. The menu names all files."""
        if compact:
            self._show_number()
        else:
            self._show_names()
        self.danger.setVisible(bool(self._warnings))

    def _show_names(self) -> None:
        self.names.setText(f"{self._count}: {self._named}")
        self.names.setToolTip("")
        self.names.show()
        self.button.setText(f"{tr('Open or save')}  ▾")
        self.button.setToolTip("")
        self.danger.setText("\n".join(self._warnings))

    def _show_number(self) -> None:
        """Show the number of files, on the button if there is one."""
        is_on_button = not self.button.isHidden()
        tip = plain_tip(self._named)
        self.names.setText(self._count)
        self.names.setToolTip(tip)
        self.names.setVisible(not is_on_button)
        self.button.setText(f"{self._count if is_on_button else tr('Open or save')}  ▾")
        self.button.setToolTip(tip)
        self.danger.setText("".join(self._warnings[:1]))

    def show_warning_sign(self) -> None:
        """Replace the warning by a sign on the button, whose tooltip contains it."""
        if self._warnings and self.names.isHidden():
            self.danger.hide()
            self.button.setText(f"⚠ {self.button.text()}")
            self.button.setToolTip(plain_tip(self._warnings[0]))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        ways = QBoxLayout.Direction
        is_wide = self.width() >= scaled(self, NARROW)
        self._line.setDirection(ways.LeftToRight if is_wide else ways.TopToBottom)


def _warnings(names: Sequence[str]) -> list[str]:
    """Return the first warnings, those of programs before others."""
    worst_first = sorted(names, key=is_program, reverse=True)
    warnings = [text for text in map(warning, worst_first) if text]
    return warnings[:MOST_WARNINGS]
