"""What the pages about the model share: waiting, nothing to show, failure, one question to the engine at a time."""

from collections.abc import Callable
from typing import Any, NamedTuple

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QBoxLayout, QLabel, QProgressBar, QPushButton, QSizePolicy, QStackedWidget, QWidget

from nbmail.ui.kit import layouts
from nbmail.ui.kit.error_texts import error_notice
from nbmail.ui.kit.language import tr
from nbmail.ui.kit.plain_text import join_sentences, wrapping_label
from nbmail.ui.kit.text_table import TextTable
from nbmail.ui.list.mail_table import MailTable
from nbmail.ui.window.engine_requests import EngineRequests
from nbmail.ui.window.notices import Say, announce, make_button
from nbmail.worker.protocol import Command, Failed, Progress

NO_TICKET = -1
ASIDE = 80
"""Pixels of a foot beside its words and buttons: its edges, the gap, and what the ends of two lines leave empty."""


def failure_text(failure: Failed) -> str:
    """What went wrong and what to do."""
    advice = error_notice(failure.error_code, failure.detail)
    return join_sentences(advice.sentence, advice.advice)


class PageNote(QWidget):
    """A sentence in the place of what there is to show, with progress and one button. Has no signals of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.text = wrapping_label(kind="muted")
        self.text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(220)
        self.bar.setAccessibleName(tr("Progress"))
        self._act: Callable[[], None] = lambda: None
        self.button = make_button("", self._press)
        middle = Qt.AlignmentFlag.AlignHCenter
        parts = (None, self.text, (self.bar, middle), (self.button, middle), None)
        self.setLayout(layouts.column(*parts, spacing=14, margins=(40, 20, 40, 20)))

    def say(self, text: str, button: str = "", act: Callable[[], None] = lambda: None) -> None:
        """Show a sentence, and a button where something can be done."""
        self.text.setText(text)
        self.bar.hide()
        self._act = act
        self.button.setText(button)
        self.button.setVisible(bool(button))
        announce(self, text)

    def _press(self) -> None:
        self._act()

    def work(self, text: str, cancel: Callable[[], None]) -> None:
        """Show that something is under way, and the way out."""
        self.say(text, tr("Cancel"), cancel)
        self.bar.setRange(0, 0)
        self.bar.show()

    def progress(self, done: int, total: int) -> None:
        self.bar.setRange(0, total)
        self.bar.setValue(done)


class PageFoot(QWidget):
    """What there is to know and to press below a page; the buttons go below the words where they would make of them
    more than two lines. Has no signals of its own.
    """

    def __init__(self, hint: QLabel, *buttons: QPushButton) -> None:
        super().__init__()
        self._hint = hint
        hint.setProperty("muted", True)
        hint.setWordWrap(True)
        self._buttons = layouts.Flow(*buttons, gap=8)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self._both = layouts.row(
            (hint, 1), (self._buttons, Qt.AlignmentFlag.AlignRight), spacing=8, margins=(16, 10, 16, 10)
        )
        self.setLayout(self._both)

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            self._fit()
        return done

    def _fit(self) -> None:
        words = self._hint.fontMetrics().horizontalAdvance(self._hint.text())
        room = self.width() - ASIDE - self._buttons.sizeHint().width()
        directions = QBoxLayout.Direction
        self._both.setDirection(directions.LeftToRight if words <= 2 * room else directions.TopToBottom)


class PageContext(NamedTuple):
    """What every page is given: the way to the engine, the main list, and where to say what was done."""

    requests: EngineRequests
    table: MailTable
    tell: Say


class ModelPage(QWidget):
    """One page: either what it shows, or a note; `tell` says below what was done. One that `follows` looks again
    whenever something was learned. Has no signals of its own.
    """

    follows = False

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        self.setProperty("page", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.requests, self.mail_table, self.tell = context
        self.mails = self.mail_table.mails
        self.note = PageNote()
        self.stack = QStackedWidget()
        self.stack.addWidget(self.note)
        self._ticket: Any = NO_TICKET

    def hold(self, table: TextTable[Any], hint: QLabel, *buttons: QPushButton) -> None:
        """Show this table, each line of which is about a message, with a foot below it."""
        table.activated.connect(lambda _: self._show_message(table.current()))
        self.stack.addWidget(table)
        self.setLayout(layouts.column((self.stack, 1), PageFoot(hint, *buttons)))

    def load(self) -> None:
        """Ask for what is to be shown."""

    def refresh(self) -> None:
        """Something changed outside while the page is shown."""
        if self.follows and not self.is_asking:
            self.load()

    def say(self, text: str, button: str = "", act: Callable[[], None] = lambda: None) -> None:
        self.note.say(text, button, act)
        self.stack.setCurrentIndex(0)

    def show_content(self) -> None:
        had_keyboard = self.note.button.hasFocus()
        self.stack.setCurrentIndex(1)
        content = self.stack.currentWidget()
        if had_keyboard and content is not None:
            content.setFocus()

    def ask(self, command: Command, answered: Callable[[Any], None], waiting: str, *, keep: bool = False) -> None:
        """Ask the engine; an earlier question of this page is dropped. With `keep` what is shown stays meanwhile."""
        self.requests.drop(self._ticket)
        if not (keep and self.stack.currentIndex() == 1):
            current = self.window().focusWidget()
            self.note.work(waiting, lambda: self.requests.cancel(self._ticket))
            self.stack.setCurrentIndex(0)
            if isinstance(current, QPushButton) and self.isAncestorOf(current):
                # Else it leaves the page with the button that can't be pressed meanwhile.
                self.note.button.setFocus()
        self._ticket = self.requests.ask(
            command,
            answered,
            failed=self._fail,
            progressed=self._progress,
            cancelled=lambda: self.say(tr("Stopped."), tr("Look again"), self.load),
            ended=self._ended,
        )

    def place_of(self, message: int) -> int:
        """Where the main window keeps this message; negative where it does not."""
        mail = self.mails.mail
        return int(mail.find([message])[0])

    @property
    def is_asking(self) -> bool:
        return getattr(self._ticket, "is_pending", False)

    def stop(self) -> None:
        self.requests.drop(self._ticket)
        self._ticket = NO_TICKET

    def _show_message(self, about: Any) -> None:
        """Select a message in the main list, if it is there."""
        if about is not None and self.mails.row_of(about.message) >= 0:
            self.mail_table.go_to_message(about.message)
        elif about is not None:
            self.tell(tr("That message isn't in the list shown in the main window."))

    def tell_failure(self, failure: Failed) -> None:
        self.tell(failure_text(failure))

    def _fail(self, failure: Failed) -> None:
        self.say(failure_text(failure), tr("Try again"), self.load)

    def _ended(self) -> None:
        """A question has been answered, or won't be."""

    def _progress(self, progress: Progress[Any]) -> None:
        self.note.progress(progress.done, progress.total)
