"""Parts of the message pane: headers, the conversation, and buttons for folders."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QMenu, QPushButton, QSizePolicy, QWidget

from nbmail.ui.kit import layouts
from nbmail.ui.kit.buttons import quiet_button
from nbmail.ui.kit.labels import plain_label, selectable_label
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.list.list_choice import Choice
from nbmail.ui.list.table.mail_table import MailTable
from nbmail.ui.sidebar.list_names import folder_name
from nbmail.ui.texts.date_texts import date_text
from nbmail.ui.texts.language import tr, tr_count
from nbmail.ui.texts.number_texts import percent
from nbmail.ui.texts.people import MAX_SHOWN, addresses_of, people_text, sender_name
from nbmail.ui.texts.plain_text import INVISIBLE, plain_name, plain_tip, visible
from nbmail.values import ConversationLine
from nbmail.worker.engine.engine import Engine
from nbmail.worker.protocol.folders import FolderChance

LONGEST_HEADER = 160
LONGEST_READ = 8_000
"""Maximum number of letters of a header that are read; a header may have a million."""
LONGEST_TIP = 2000
PEOPLE = frozenset({"from", "to", "cc", "bcc", "reply-to", "sender"})


def header_name(name: str) -> str:
    known = {
        "from": tr("From"),
        "to": tr("To"),
        "cc": tr("Cc"),
        "date": tr("Date"),
        "reply-to": tr("Reply to"),
    }
    return known.get(name.lower(), name.capitalize())


def tidy_spaces(text: str) -> str:
    """Return the text in one line with single spaces, without invisible characters, cut to
    `LONGEST_READ`.
    """
    return INVISIBLE.sub("", " ".join(text[:LONGEST_READ].split()))


def header_text(name: str, value: str) -> tuple[str, int]:
    """Return the text of a header and its maximum length. As many people are named as fit, with
    full addresses.
    """
    if name.lower() not in PEOPLE:
        return tidy_spaces(value), LONGEST_HEADER
    texts = (people_text(value, most) for most in range(MAX_SHOWN, 0, -1))
    return next(
        (text for text in texts if len(text) <= LONGEST_HEADER), people_text(value, 1)
    ), LONGEST_TIP


def fill_label(label: QLabel, text: str, longest: int = LONGEST_HEADER) -> None:
    """Set a label's text, cut to `longest` letters. The tooltip contains the full text."""
    label.setText(text if len(text) <= longest else text[:longest].rstrip() + "…")
    label.setToolTip(plain_tip(text[:LONGEST_TIP]) if len(text) > LONGEST_HEADER else "")


def offer_addresses(label: QLabel, people: str) -> None:
    """Let the context menu of a label copy its selection and the addresses of people."""
    entries = [(tr("Copy"), label.selectedText)]
    for address in addresses_of(people):
        entries.append(
            (tr("Copy {address}").format(address=plain_name(address)), partial(str, address))
        )
    for text, copied in entries:
        action = QAction(text, label)
        action.triggered.connect(partial(_copy, copied))
        label.addAction(action)
    # Qt's own menu of actions waits in a nested loop, and the program ends if the label is deleted
    # meanwhile.
    label.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    label.customContextMenuRequested.connect(partial(_open_menu, label))


def _open_menu(label: QLabel, place: QPoint) -> None:
    menu = QMenu(label)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.addActions(label.actions())
    menu.popup(label.mapToGlobal(place))


def _copy(text: Callable[[], str]) -> None:
    if copied := text():
        QGuiApplication.clipboard().setText(copied)


def mail_label() -> QLabel:
    """Return a label for texts of a mail, aligned to the left in every script."""
    label = selectable_label(by_keyboard=True)
    label.setAlignment(
        Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignTop
    )
    return label


MOST_LINES = 6
"""Lines that are shown."""
LONGEST_NAME = 40


class Conversation(QWidget):
    """Conversation of the open message: sender, date and verdict of each message. Hidden for one
    alone.

    Signal: `left_list(int)` with a message that the list doesn't show and that all mail has.
    """

    left_list = Signal(int)

    def __init__(self, engine: Engine, table: MailTable, now: Callable[[], float]) -> None:
        super().__init__()
        self._engine = engine
        self._table = table
        self._now = now
        self.all = quiet_button("", self.select, flush=True)
        self.lines = [quiet_button("", flush=True) for _ in range(MOST_LINES)]
        for place, line in enumerate(self.lines):
            line.clicked.connect(partial(self._go_to, place))
        self.setLayout(
            layouts.column(layouts.Flow(*self.lines, self.all, gap=16), margins=(0, 2, 0, 2))
        )
        self._found: Sequence[ConversationLine] = ()
        self._message = -1
        table.mails.counted.connect(self._show)
        self.hide()

    def load(self, message: int) -> None:
        self._message = message
        self._found = ()
        self._show()
        if message >= 0:
            self._engine.list_conversation(message).then(partial(self._take, message))

    def _take(self, message: int, found: Sequence[ConversationLine]) -> None:
        if message == self._message:
            self._found = found
            self._show()

    def _show(self) -> None:
        """Show the latest messages as buttons, those that the user can go to."""
        self.setVisible(len(self._found) > 1)
        others = sum(
            self._is_reachable(one.message) for one in self._found if one.message != self._message
        )
        self.all.setVisible(others > 0)
        self.all.setText(
            tr_count("Select this message", "Select %n messages of this conversation", others + 1)
        )
        for button, one in zip(self.lines, self._found[-MOST_LINES:], strict=False):
            button.setText(plain_name(self._text(one)))
            button.setEnabled(one.message != self._message and self._is_reachable(one.message))
        self.set_compact(False)

    def set_compact(self, compact: bool) -> None:
        """Show only the button for all messages, or all lines again."""
        for place, button in enumerate(self.lines):
            button.setVisible(place < len(self._found) and not compact)

    def select(self) -> None:
        """Select the messages of the conversation in the list, to mark or move them together."""
        mails = self._table.mails
        shown = [one.message for one in self._found if self._is_reachable(one.message)]
        if any(mails.row_of(message) < 0 for message in shown):
            self.left_list.emit(self._message)
        if shown:
            mails.mail.selected[:] = False
            mails.mail.selected[mails.mail.find(shown)] = True
            self._table.selection_changed.emit()
            self._table.viewport().update()
            self._table.setFocus()

    def _go_to(self, place: int, _: bool = False) -> None:
        message = self._found[-MOST_LINES:][place].message
        if self._table.mails.row_of(message) < 0:
            self.left_list.emit(message)
        self._table.go_to_message(message)

    def _is_reachable(self, message: int) -> bool:
        """True if the current list or that of all mail, which lacks spam, has the message."""
        mails = self._table.mails
        place = mails.mail.find([message])
        return mails.row_of(message) >= 0 or bool(
            place[0] >= 0 and mails.mail.mask(Choice(), place)[0]
        )

    def _text(self, one: ConversationLine) -> str:
        mails = self._table.mails
        position = mails.mail.position_of(one.message)
        verdict = mails.texts.verdict(position) if position >= 0 else ""
        who = visible(sender_name(one.sender), LONGEST_NAME)
        when = date_text(one.date, self._now())
        here = tr("shown below") if one.message == self._message else ""
        return " · ".join(filter(None, (who, when, verdict, here)))


SHOWN = 3
NAME_WIDTHS = (150, 100, 60)
"""Pixels of a folder name, the first ones that fit. Longer names lose their middle."""
GAP = 6


class FolderButtons(QWidget):
    """A line of buttons; the last ones are hidden if the line is too short. Hidden without
    suggestions.

    The key E on a button requests the reasons. Signals: `accepted(FolderName)`;
    `reasons_requested(int)` with the place of a suggestion; `others_requested()`.
    """

    accepted = Signal(object)
    reasons_requested = Signal(int)
    others_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._label = plain_label(tr("Move to:"), "muted")
        self.buttons = [QPushButton() for _ in range(SHOWN)]
        self.others = quiet_button(tr("Other…"), self.others_requested.emit, flush=True)
        self.reasons = quiet_button(tr("Why?"), partial(self.reasons_requested.emit, 0), flush=True)
        self.reasons.setToolTip(tr("Why this folder, and not the next one"))
        for place, button in enumerate(self.buttons):
            button.clicked.connect(partial(self.accept, place))
            button.installEventFilter(self)
        # The width of the pane decides which parts are shown, and not the other way round.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        parts = (self._label, *self.buttons, self.others, self.reasons, None)
        self.setLayout(layouts.row(*parts, spacing=GAP, margins=(0, 4, 0, 2)))
        self.show_chances(())

    def show_chances(self, chances: Sequence[FolderChance]) -> None:
        """Show suggested folders, likeliest first; none hides the line."""
        self.chances = chances[:SHOWN]
        self.setVisible(bool(chances))
        text = tr("Move to {folder} (key {key}). The key E shows the reasons.")
        spoken = tr("Move to {folder}, {chance}, key {key}")
        for key, (button, each) in enumerate(zip(self.buttons, self.chances, strict=False), 1):
            name = folder_name(each.folder)
            button.setToolTip(plain_tip(text.format(folder=name, key=key)))
            button.setAccessibleName(
                spoken.format(folder=name, chance=percent(each.probability), key=key)
            )
        self._fit()

    def accept(self, place: int, _: bool = False) -> None:
        """Move to the folder at this place, if it is suggested."""
        if place < len(self.chances):
            self.accepted.emit(self.chances[place].folder)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Shorten the names, then hide the last parts, until the line fits. The first folder
        stays.
        """
        buttons = self.buttons[: len(self.chances)]
        for width in NAME_WIDTHS:
            for button, each in zip(buttons, self.chances, strict=True):
                name = folder_name(each.folder)
                most = scaled(self, width)
                short = button.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, most)
                button.setText(plain_name(f"{short}  {percent(each.probability)}"))
            if (
                sum(each.sizeHint().width() + GAP for each in (*buttons, self.others))
                <= self.width()
            ):
                break
        shown: list[QWidget] = [
            self._label,
            *buttons,
            self.others,
            *([self.reasons] if buttons else []),
        ]
        for part in (self._label, self.reasons, *reversed(buttons[1:]), self.others):
            if (
                part in shown
                and sum(each.sizeHint().width() + GAP for each in shown) > self.width()
            ):
                shown.remove(part)
        # A part that is shown and hidden again would resize the line, and never end that.
        for part in (self._label, *self.buttons, self.others, self.reasons):
            part.setVisible(part in shown)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Claim the key E on a button before the window's shortcut of the same key."""
        plain = (
            isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_E and not event.modifiers()
        )
        if plain and event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if plain and event.type() == QEvent.Type.KeyPress:
            self.reasons_requested.emit(
                next(n for n, button in enumerate(self.buttons) if button is watched)
            )
            return True
        return super().eventFilter(watched, event)
