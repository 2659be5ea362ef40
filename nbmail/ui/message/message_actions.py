"""Actions on the open message: read flags, attachments, source and search highlights; its conversation."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QStandardPaths, Qt
from PySide6.QtGui import QFontDatabase, QGuiApplication, QKeySequence, QShortcut, QTextCursor
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QTabWidget, QWidget

from nbmail.ui.actions.marking import MarkingActions
from nbmail.ui.dialogs.questions import open_question, question_box
from nbmail.ui.kit import layouts
from nbmail.ui.kit.dialogs import FOLDER, NEW, SideWindow, file_dialog
from nbmail.ui.kit.layouts import single_shot_timer
from nbmail.ui.kit.phrases import date_text, tr, tr_count
from nbmail.ui.kit.plain_text import plain_label, sender_name, visible
from nbmail.ui.list.list_choice import Choice, search_words
from nbmail.ui.list.mail_model import MailModel
from nbmail.ui.list.mail_table import MailTable
from nbmail.ui.message.body_actions import BodyActions
from nbmail.ui.message.file_window import print_message
from nbmail.ui.message.message_pane import MessagePane
from nbmail.ui.message.pane_parts import warning
from nbmail.ui.page.page_writer import break_long_lines
from nbmail.ui.window.current_settings import CurrentSettings
from nbmail.ui.window.notices import make_button
from nbmail.ui.window.services import MailboxSearch
from nbmail.values import VERDICTS
from nbmail.worker.protocol.client import Engine
from nbmail.worker.protocol.filing import ConversationLine
from nbmail.worker.protocol.results import MessageSource, SavedAttachment

DELAYS = {"moment": 2000, "at-once": 200}
"""Milliseconds by setting after which an open message counts as read. With other settings it never does."""


class MessageActions(QObject):
    """Actions on the open message. `report` is called with a text after an action."""

    def __init__(
        self,
        engine: Engine,
        model: MailModel,
        pane: MessagePane,
        settings: CurrentSettings,
        marking: MarkingActions,
        *,
        searches: MailboxSearch,
        open_file: Callable[[Path], None],
        report: Callable[[str], None],
    ) -> None:
        super().__init__(pane)
        self._engine, self._model, self._pane, self._settings = engine, model, pane, settings
        self._marking, self._report = marking, report
        self.files = AttachmentActions(engine, pane, open_file, report)
        self.body = BodyActions(engine, pane, settings, searches, self._is_junk)
        model.counted.connect(self.body.check_junk)
        self._timer = single_shot_timer(self, 0, self._note_read)
        self._opened = self._shown = self._chosen = -1
        self._highlighted = (-1, "")
        pane.shown.connect(self._take_shown)
        pane.body.viewport().installEventFilter(self)
        model.arranged.connect(self._highlight)

    def handlers(self) -> dict[str, Callable[[], object]]:
        """Return the functions of the window's actions by name."""
        return {
            "read": self.toggle_read,
            "source": self.show_source,
            "plain": self.body.toggle_plain,
            "tints": self.body.toggle_tints,
            "print": partial(print_message, self._pane),
        }

    def _is_junk(self, message: int) -> bool:
        """True for a message that is marked or classified as junk, and for one that is not classified yet."""
        mail = self._model.mail
        place = int(mail.find([message])[0])
        return place < 0 or not mail.has_class(place) or bool(mail.effective_class[place] == VERDICTS.index("junk"))

    def toggle_read(self) -> None:
        """Mark the selected messages as read, or as unread if all of them are read."""
        selected = self._marking.target.selected_messages()
        unread = self._unread(selected)
        self._timer.stop()
        self._engine.mark_read(unread or selected, read=bool(unread)).then(self._report_changed)

    def show_source(self) -> None:
        shown = self._pane.shown_message
        if shown is not None:
            show = lambda source: SourceWindow(self._pane.window(), source).show()  # noqa: E731
            self._engine.read_source(shown.message).then(show)

    def _report_changed(self, changed: Sequence[int]) -> None:
        if len(changed) > 1:
            self._report(
                tr_count("Read status of %n message changed.", "Read status of %n messages changed.", len(changed))
            )

    def _unread(self, messages: Sequence[int]) -> tuple[int, ...]:
        mail = self._model.mail
        places = zip(messages, mail.find(messages).tolist(), strict=True)
        return tuple(message for message, place in places if place >= 0 and mail.unread(place))

    def _take_shown(self, message: int) -> None:
        self._shown, self._highlighted = message, (-1, "")
        self._highlight()
        self._time_reading()

    def choose(self, message: int) -> None:
        """Let this message count as read after it was open for a while; -1 for none.

        A message that is open by default, without an act of the user, stays unread.
        """
        self._chosen = message
        self._time_reading()

    def _time_reading(self) -> None:
        opened = self._shown if self._shown == self._chosen else -1
        delay = DELAYS.get(self._settings.value.opened_is_read)
        if opened != self._opened:
            self._opened = opened
            self._timer.stop()
            if opened >= 0 and delay is not None:
                self._timer.start(delay)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.MouseButtonPress, QEvent.Type.Wheel):
            self.choose(self._shown)
        return super().eventFilter(watched, event)

    def _note_read(self) -> None:
        """Mark the open message as read, as soon as the window is active."""
        if not self._pane.isActiveWindow():
            self._timer.start()
        elif self._unread([self._opened]):
            self._engine.mark_read((self._opened,))

    def _highlight(self) -> None:
        """Highlight the search words. Unchanged highlights stay: setting them scrolls to the first."""
        highlighted = (self._shown, self._model.arrangement.choice.words)
        if highlighted != self._highlighted:
            self._highlighted = highlighted
            self._pane.highlight(search_words(highlighted[1]))


class AttachmentActions:
    """Opens and saves attachments, after a warning about dangerous ones. `open_file` opens a file on the desktop."""

    def __init__(
        self, engine: Engine, pane: MessagePane, open_file: Callable[[Path], None], report: Callable[[str], None]
    ) -> None:
        self._engine, self._pane, self._open_file, self._report = engine, pane, open_file, report
        pane.files.usable = True
        pane.files.open_requested.connect(self.open)
        pane.files.save_requested.connect(self.save)
        pane.files.save_all_requested.connect(self.save_all)

    def open(self, number: int) -> None:
        """Open a file with the desktop's program, a dangerous one only after a question."""
        message, files = self._shown()
        danger = warning(files[number])

        def opened(saved: SavedAttachment) -> None:
            if saved.runs and not danger:
                text = tr("{name} is a program, despite its name.").format(name=files[number])
                self._ask(text, lambda: self._open_file(saved.path))
            else:
                self._open_file(saved.path)

        def fetch() -> None:
            self._engine.save_attachment(message, number).then(opened)

        self._ask(danger, fetch) if danger else fetch()

    def save(self, number: int) -> None:
        """Save a file to a path that the user chooses."""
        message, files = self._shown()
        if number >= len(files):
            # Another message came while the menu was open.
            return

        def save_to(name: str) -> None:
            report = lambda saved: self._report(tr("Saved {name}.").format(name=saved.path.name))  # noqa: E731
            self._engine.save_attachment(message, number, Path(name)).then(report)

        dialog = file_dialog(self._pane, tr("Save attachment"), NEW, save_to, _downloads())
        dialog.selectFile(files[number] or tr("attachment"))
        dialog.open()

    def save_all(self) -> None:
        """Save all files in a folder that the user chooses. No file replaces another."""
        message, files = self._shown()

        def save_in(folder: str) -> None:
            taken, saved = set[Path](), list[Path]()

            def note(file: SavedAttachment) -> None:
                saved.append(file.path)
                if len(saved) == len(files):
                    self._report(tr_count("Saved %n file.", "Saved %n files.", len(saved)))

            for number, name in enumerate(files):
                path = _free(Path(folder) / (name or tr("attachment")), taken)
                taken.add(path)
                self._engine.save_attachment(message, number, path).then(note)

        file_dialog(self._pane, tr("Save all attachments"), FOLDER, save_in, _downloads()).open()

    def _shown(self) -> tuple[int, list[str]]:
        shown = self._pane.shown_message
        return (shown.message, [each.name for each in shown.attachments]) if shown is not None else (-1, [])

    def _ask(self, danger: str, act: Callable[[], None]) -> None:
        more = tr("Open it only if you know the sender and expected this file. If in doubt, ask the sender.")
        box = question_box(self._pane, tr("Open this attachment?"), danger, more, icon="warning")
        open_question(box, tr("Open"), tr("Don't open"), act)


def _downloads() -> str:
    return QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DownloadLocation)


def _free(path: Path, taken: set[Path]) -> Path:
    """Return a path that is not in use, with a number after the name if necessary."""
    number, free = 1, path
    while free in taken or free.exists():
        number += 1
        free = path.with_stem(f"{path.stem} ({number})")
    return free


class SourceWindow(SideWindow):
    """Window with all headers of a message, its raw text and a search field."""

    def __init__(self, parent: QWidget, source: MessageSource) -> None:
        subject = next((value for name, value in source.headers if name == "subject"), "")
        shown = " ".join(subject.split())[:80] or tr("(no subject)")
        super().__init__(parent, tr("Source: {subject}").format(subject=shown), 760, 560)
        headers = "\n".join(f"{name.capitalize()}: {value}" for name, value in source.headers)
        self._texts, self.tabs = (headers, source.text), QTabWidget()
        for name, text in zip((tr("All headers"), tr("Source")), self._texts, strict=True):
            self.tabs.addTab(_text_page(text, name), name)
        self.field = QLineEdit()
        self.field.setPlaceholderText(tr("Find in this window"))
        self.field.setAccessibleName(tr("Find in this window"))
        self.field.setClearButtonEnabled(True)
        self.field.textChanged.connect(lambda: self.find_next(from_start=True))
        self.field.returnPressed.connect(self.find_next)
        self.status = plain_label("", "muted")
        part = plain_label("" if source.whole else tr("Only the first part of this large message is loaded."), "muted")
        line = layouts.row((self.field, 1), self.status, make_button(tr("Copy all"), self.copy_all), spacing=8)
        self.setLayout(layouts.column(line, (self.tabs, 1), part, spacing=8, margins=(12, 12, 12, 12)))
        part.setVisible(not source.whole)
        for keys, act in (("Ctrl+F", self.field.setFocus), ("F3", self.find_next)):
            QShortcut(QKeySequence(keys), self).activated.connect(act)

    @property
    def page(self) -> QPlainTextEdit:
        page = self.tabs.currentWidget()
        assert isinstance(page, QPlainTextEdit)
        return page

    def find_next(self, *, from_start: bool = False) -> None:
        """Select the next match, after the last one again the first."""
        page, wanted = self.page, self.field.text()
        if from_start:
            page.moveCursor(QTextCursor.MoveOperation.Start)
        found = bool(wanted) and page.find(wanted)
        if wanted and not found:
            page.moveCursor(QTextCursor.MoveOperation.Start)
            found = page.find(wanted)
        self.status.setText(tr("Not found.") if wanted and not found else "")

    def copy_all(self) -> None:
        QGuiApplication.clipboard().setText(self._texts[self.tabs.currentIndex()])
        self.status.setText(tr("Copied to the clipboard."))


def _text_page(text: str, name: str) -> QPlainTextEdit:
    page = QPlainTextEdit()
    page.setReadOnly(True)
    page.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPointSizeF(page.font().pointSizeF())
    page.setFont(font)
    page.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
    page.setAccessibleName(name)
    page.setPlainText(break_long_lines(text))
    return page


LONGEST = 40
"""Characters of a name."""


class ConversationActions(QObject):
    """Loads the conversation of the open message, and selects it in the list, or in all mail with `show_all`."""

    def __init__(
        self,
        engine: Engine,
        table: MailTable,
        pane: MessagePane,
        now: Callable[[], float],
        show_all: Callable[[int], object],
    ) -> None:
        super().__init__(pane)
        self._show_all = show_all
        self._engine, self._table, self._lines, self._now = engine, table, pane.conversation, now
        self._found: tuple[ConversationLine, ...] = ()
        self._open = -1
        self._lines.choose, self._lines.select = self.go_to, self.select
        pane.shown.connect(self.load)
        table.mails.counted.connect(self._show)

    def load(self, message: int) -> None:
        """Show the conversation of a message; -1 for none."""
        self._open, self._found = message, ()
        self._show()
        if message >= 0:
            self._engine.list_conversation(message).then(partial(self._take, message))

    def select(self) -> None:
        """Select the messages of the conversation in the list, to mark or move them together."""
        mails, shown = self._table.mails, [one.message for one in self._found if self._is_reachable(one.message)]
        if any(mails.row_of(message) < 0 for message in shown):
            self._show_all(self._open)
        if shown:
            mails.mail.selected[:] = False
            mails.mail.selected[mails.mail.find(shown)] = True
            self._table.selection_changed.emit()
            self._table.viewport().update()
            self._table.setFocus()

    def go_to(self, message: int) -> None:
        if self._table.mails.row_of(message) < 0:
            self._show_all(message)
        self._table.go_to_message(message)

    def _is_reachable(self, message: int) -> bool:
        """True if the current list or that of all mail, which lacks junk, has the message."""
        mails = self._table.mails
        place = mails.mail.find([message])
        return mails.row_of(message) >= 0 or bool(place[0] >= 0 and mails.mail.mask(Choice(), place)[0])

    def _take(self, message: int, found: tuple[ConversationLine, ...]) -> None:
        if message == self._open:
            self._found = found
            self._show()

    def _show(self) -> None:
        others = {one.message for one in self._found if one.message != self._open and self._is_reachable(one.message)}
        self._lines.show_lines([(one.message, self._text(one), one.message in others) for one in self._found])

    def _text(self, one: ConversationLine) -> str:
        mails = self._table.mails
        position = int(mails.mail.find([one.message])[0])
        verdict = mails.texts.verdict(position) if position >= 0 else ""
        who, when = visible(sender_name(one.sender), LONGEST), date_text(one.date, self._now())
        here = tr("shown below") if one.message == self._open else ""
        return " · ".join(filter(None, (who, when, verdict, here)))
