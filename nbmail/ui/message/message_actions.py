"""What somebody does who reads: messages read and unread, files opened, the source shown, found words lit."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QStandardPaths, Qt
from PySide6.QtGui import QFontDatabase, QGuiApplication, QKeySequence, QShortcut, QTextCursor
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QTabWidget, QWidget

from nbmail.ui.actions.marking import MarkingActions
from nbmail.ui.dialogs.questions import open_question, question_box
from nbmail.ui.kit import layouts
from nbmail.ui.kit.dialogs import FOLDER, NEW, SideWindow, file_dialog
from nbmail.ui.kit.language import tr, tr_count
from nbmail.ui.kit.layouts import single_shot_timer
from nbmail.ui.kit.plain_text import plain_label
from nbmail.ui.list.mail_model import MailModel
from nbmail.ui.list.search_words import search_words
from nbmail.ui.message.attachments import warning
from nbmail.ui.message.message_pane import MessagePane
from nbmail.ui.message.safe_html import bearable
from nbmail.ui.window.current_settings import CurrentSettings
from nbmail.ui.window.engine_requests import EngineRequests
from nbmail.ui.window.notices import make_button
from nbmail.worker.protocol.reading import MarkRead, MessageSource, ReadSource, SaveAttachment, SavedAttachment

DELAYS = {"moment": 2000, "at-once": 200}
"""Milliseconds after which a message that is open counts as read, by what the user has chosen; else it never does."""


class MessageActions(QObject):
    """Connects the open message with its files, its source and the mark of reading. Has no signals of its own."""

    def __init__(
        self,
        requests: EngineRequests,
        model: MailModel,
        pane: MessagePane,
        settings: CurrentSettings,
        marking: MarkingActions,
        *,
        open_file: Callable[[Path], None],
        say: Callable[[str], None],
    ) -> None:
        super().__init__(pane)
        self._requests, self._model, self._pane, self._settings = requests, model, pane, settings
        self._marking, self._say = marking, say
        self.files = AttachmentActions(requests, pane, open_file, say)
        self._timer = single_shot_timer(self, 0, self._note_read)
        self._opened = self._shown = -1
        self._lit = (-1, "")
        pane.shown.connect(self._take_shown)
        model.arranged.connect(self._light)

    def toggle_read(self) -> None:
        """Mark the chosen messages as read; as unread where all of them are read."""
        chosen = self._marking.target.selected_messages()
        unread = self._unread(chosen)
        self._timer.stop()
        self._requests.ask(MarkRead(unread or chosen, read=bool(unread)), self._tell)

    def show_source(self) -> None:
        shown = self._pane.shown_message
        if shown is not None:
            self._requests.ask(ReadSource(shown.message), self._show_source)

    def _show_source(self, source: MessageSource) -> None:
        SourceWindow(self._pane.window(), source).show()

    def _tell(self, changed: Sequence[int]) -> None:
        if len(changed) > 1:
            self._say(tr_count("Changed %n message.", "Changed %n messages.", len(changed)))

    def _unread(self, messages: Sequence[int]) -> tuple[int, ...]:
        mail = self._model.mail
        places = zip(messages, mail.find(messages).tolist(), strict=True)
        return tuple(message for message, place in places if place >= 0 and mail.unread(place))

    def _take_shown(self, message: int) -> None:
        self._shown, self._lit = message, (-1, "")
        self._light()
        delay = DELAYS.get(self._settings.value.opened_is_read)
        if message != self._opened:
            self._opened = message
            self._timer.stop()
            if message >= 0 and delay is not None:
                self._timer.start(delay)

    def _note_read(self) -> None:
        """Nobody reads in a window that lies behind others: then it waits."""
        if not self._pane.isActiveWindow():
            self._timer.start()
        elif self._unread([self._opened]):
            self._requests.ask(MarkRead((self._opened,)))

    def _light(self) -> None:
        """Only when it is another message or other words: lighting scrolls to the first."""
        lit = (self._shown, self._model.arrangement.choice.words)
        if lit != self._lit:
            self._lit = lit
            self._pane.light(search_words(lit[1]))


class AttachmentActions:
    """What follows from the buttons of a message's attachments. `open_file` hands a file to the desktop."""

    def __init__(
        self, requests: EngineRequests, pane: MessagePane, open_file: Callable[[Path], None], say: Callable[[str], None]
    ) -> None:
        self._requests, self._pane, self._open_file, self._say = requests, pane, open_file, say
        pane.files.usable = True
        pane.files.open_asked.connect(self.open)
        pane.files.save_asked.connect(self.save)
        pane.files.all_asked.connect(self.save_all)

    def open(self, number: int) -> None:
        """Open a file with the desktop's program for it; what is dangerous only if the user says so."""
        message, files = self._shown()
        danger = warning(files[number])

        def opened(saved: SavedAttachment) -> None:
            if saved.runs and not danger:
                said = tr("{name} is a program, whatever its name says.").format(name=files[number])
                self._ask(said, lambda: self._open_file(saved.path))
            else:
                self._open_file(saved.path)

        def fetch() -> None:
            self._requests.ask(SaveAttachment(message, number), opened)

        self._ask(danger, fetch) if danger else fetch()

    def save(self, number: int) -> None:
        """Ask where to, then save a file there."""
        message, files = self._shown()

        def save_to(name: str) -> None:
            command = SaveAttachment(message, number, Path(name))
            self._requests.ask(command, lambda saved: self._say(tr("Saved {name}.").format(name=saved.path.name)))

        dialog = file_dialog(self._pane, tr("Save attachment"), NEW, save_to, _downloads())
        dialog.selectFile(_plain(files[number]) or tr("attachment"))
        dialog.open()

    def save_all(self) -> None:
        """Ask for a folder, then save all files there; none takes the place of another."""
        message, files = self._shown()

        def save_in(folder: str) -> None:
            taken = set[Path]()
            for number, name in enumerate(files):
                path = _free(Path(folder) / (_plain(name) or tr("attachment")), taken)
                taken.add(path)
                self._requests.ask(SaveAttachment(message, number, path))
            self._say(tr_count("Saved %n file.", "Saved %n files.", len(files)))

        file_dialog(self._pane, tr("Save all attachments"), FOLDER, save_in, _downloads()).open()

    def _shown(self) -> tuple[int, list[str]]:
        shown = self._pane.shown_message
        return (shown.message, [each.name for each in shown.attachments]) if shown is not None else (-1, [])

    def _ask(self, danger: str, act: Callable[[], None]) -> None:
        more = tr("Open it only if you know who sent it and expected it. Where you aren't sure, ask the sender.")
        box = question_box(self._pane, tr("Open this attachment?"), danger, more, icon="warning")
        open_question(box, tr("Open"), tr("Don't open"), act)


def _downloads() -> str:
    return QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DownloadLocation)


def _plain(name: str) -> str:
    """The last part of a name, without what means a folder or a drive, and without marks that nobody sees."""
    last = name.replace("\\", "/").rpartition("/")[2]
    return "".join(each for each in last if each.isprintable() and each not in ':*?"<>|').strip(" .")


def _free(path: Path, taken: set[Path]) -> Path:
    """A path that is nobody's yet, with a number behind the name where it needs one."""
    number, free = 1, path
    while free in taken or free.exists():
        number += 1
        free = path.with_stem(f"{path.stem} ({number})")
    return free


class SourceWindow(SideWindow):
    """Two pages of text and a field to find something in them. Signals: those of every dialog."""

    def __init__(self, parent: QWidget, source: MessageSource) -> None:
        subject = next((value for name, value in source.headers if name == "subject"), "")
        shown = " ".join(subject.split())[:80] or tr("(no subject)")
        super().__init__(parent, tr("Source: {subject}").format(subject=shown), 760, 560)
        headers = "\n".join(f"{name.capitalize()}: {value}" for name, value in source.headers)
        self._texts, self.tabs = (headers, source.text), QTabWidget()
        for name, text in zip((tr("All headers"), tr("As it came")), self._texts, strict=True):
            self.tabs.addTab(_page(text, name), name)
        self.field = QLineEdit()
        self.field.setPlaceholderText(tr("Find in this window"))
        self.field.setAccessibleName(tr("Find in this window"))
        self.field.setClearButtonEnabled(True)
        self.field.textChanged.connect(lambda: self.find_next(from_start=True))
        self.field.returnPressed.connect(self.find_next)
        self.said = plain_label("", "muted")
        part = plain_label("" if source.whole else tr("Only the first part of this large message is here."), "muted")
        line = layouts.row((self.field, 1), self.said, make_button(tr("Copy all"), self.copy_all), spacing=8)
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
        """Select the next place of what stands in the field, from the start again behind the last."""
        page, wanted = self.page, self.field.text()
        if from_start:
            page.moveCursor(QTextCursor.MoveOperation.Start)
        found = bool(wanted) and page.find(wanted)
        if wanted and not found:
            page.moveCursor(QTextCursor.MoveOperation.Start)
            found = page.find(wanted)
        self.said.setText(tr("Not found.") if wanted and not found else "")

    def copy_all(self) -> None:
        QGuiApplication.clipboard().setText(self._texts[self.tabs.currentIndex()])
        self.said.setText(tr("Copied."))


def _page(text: str, name: str) -> QPlainTextEdit:
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
    page.setPlainText(bearable(text))
    return page
