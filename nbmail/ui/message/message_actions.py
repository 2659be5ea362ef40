"""Actions on the open message: read flags, source, search highlights, and the form of its text."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from urllib.parse import unquote

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import (
    QFontDatabase,
    QGuiApplication,
    QImage,
    QKeySequence,
    QShortcut,
    QTextCursor,
)
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QTabWidget, QWidget

from nbmail.text.web_addresses import domain_of
from nbmail.ui.actions.marking import MarkingActions
from nbmail.ui.kit import layouts
from nbmail.ui.kit.buttons import make_button
from nbmail.ui.kit.dialogs import SideWindow
from nbmail.ui.kit.labels import plain_label
from nbmail.ui.kit.timers import single_shot_timer
from nbmail.ui.list.search_words import search_words
from nbmail.ui.message.file_window import print_message
from nbmail.ui.message.link_targets import read_link
from nbmail.ui.message.message_pane import MessagePane
from nbmail.ui.page.page_writer import break_long_lines
from nbmail.ui.texts.language import format_count, tr, tr_count
from nbmail.ui.texts.people import read_person
from nbmail.ui.window.context import WindowContext
from nbmail.ui.window.current_settings import CurrentSettings
from nbmail.values import VERDICTS
from nbmail.worker.protocol.messages import MessageSource, MessageText

DELAYS = {"moment": 2000, "at-once": 200}
"""Milliseconds by setting after which an open message counts as read. With other settings it never
does.
"""


class MessageActions(QObject):
    """Actions on the open message."""

    def __init__(self, context: WindowContext, pane: MessagePane, marking: MarkingActions) -> None:
        super().__init__(pane)
        self._engine = context.engine
        self._model = context.model
        self._settings = context.settings
        self._pane = pane
        self._marking = marking
        self._report = context.status.report
        self.body = BodyActions(context, pane, self._is_spam)
        self._model.counted.connect(self.body.check_spam)
        self._timer = single_shot_timer(self, 0, self._note_read)
        self._opened = self._shown = self._chosen = -1
        self._highlighted = (-1, "")
        pane.shown.connect(self._take_shown)
        pane.body.viewport().installEventFilter(self)
        self._model.arranged.connect(self._highlight)

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "read": self.toggle_read,
            "source": self.show_source,
            "plain": self.body.toggle_plain,
            "tints": self.body.toggle_tints,
            "print": partial(print_message, self._pane),
        }

    def _is_spam(self, message: int) -> bool:
        """True for a message that is marked or classified as spam, and for one that is not
        classified yet.
        """
        mail = self._model.mail
        place = mail.position_of(message)
        return (
            place < 0
            or not mail.has_class(place)
            or bool(mail.effective_class[place] == VERDICTS.index("spam"))
        )

    def toggle_read(self) -> None:
        """Mark the selected messages as read, or as unread if all of them are read."""

        def report(changed: Sequence[int]) -> None:
            text = tr_count(
                "Read status of %n message changed.",
                "Read status of %n messages changed.",
                len(changed),
            )
            if len(changed) > 1:
                self._report(text)

        selected = self._marking.target.selected_messages()
        unread = self._unread(selected)
        self._timer.stop()
        self._engine.mark_read(unread or selected, read=bool(unread)).then(report)

    def show_source(self) -> None:
        shown = self._pane.shown_message
        if shown is not None:
            show = lambda source: SourceWindow(self._pane.window(), source).show()  # noqa: E731
            self._engine.read_source(shown.message).then(show)

    def _unread(self, messages: Sequence[int]) -> tuple[int, ...]:
        mail = self._model.mail
        places = zip(messages, mail.find(messages).tolist(), strict=True)
        return tuple(message for message, place in places if place >= 0 and mail.unread(place))

    def _take_shown(self, message: int) -> None:
        self._shown = message
        self._highlighted = (-1, "")
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
        """Highlight the search words. Unchanged highlights stay: setting them scrolls to the
        first.
        """
        highlighted = (self._shown, self._model.arrangement.choice.words)
        if highlighted != self._highlighted:
            self._highlighted = highlighted
            self._pane.highlight(search_words(highlighted[1]))


MOST_PICTURES = 100
"""Pictures of one message that are loaded."""
COLLECTED_MILLISECONDS = 200
"""Time in which pictures are collected before the text is shown again."""

Offers = list[tuple[str, Callable[[], object]]]


class BodyActions(QObject):
    """Loads pictures on request and shows plain text. `is_spam`: True for spam and for a message
    without a verdict.

    Pictures in the message itself are shown, except in spam. Pictures on servers are loaded after a
    click, or for a sender whom the user has named and whose domain the mail server confirmed. In
    spam they are never loaded.
    """

    def __init__(
        self, context: WindowContext, pane: MessagePane, is_spam: Callable[[int], bool]
    ) -> None:
        super().__init__(pane)
        self._engine = context.engine
        self._settings = context.settings
        self._desktop = context.desktop
        self._pane = pane
        self._is_spam = is_spam
        settings = context.settings
        self._wanted = 0
        self._came = dict[str, QImage | None]()
        self._was_spam = False
        self._stops = stops = list[Callable[[], None]]()
        self._timer = single_shot_timer(self, COLLECTED_MILLISECONDS, self._show_pictures)
        pane.destroyed.connect(lambda: [stop() for stop in stops])
        pane.shown.connect(self._begin)
        pane.body_shown.connect(self._offer)
        settings.changed.connect(self._tint)
        self._tint()

    def toggle_plain(self) -> None:
        self._pane.toggle_plain()
        if (text := self._pane.shown_message) is not None:
            self._begin(text.message)

    def toggle_tints(self) -> None:
        self._settings.change(
            replace(self._settings.value, tints_words=not self._settings.value.tints_words)
        )

    def _tint(self) -> None:
        value = self._settings.value
        self._pane.set_tinted_words(value.tinted_words if value.tints_words else 0)

    def _begin(self, message: int) -> None:
        """Load what needs no click of a message that was opened, and offer the rest."""
        self._stop()
        self._timer.stop()
        self._wanted = 0
        self._came = {}
        text = self._pane.shown_message
        self._was_spam = self._is_spam(message)
        if text is not None and not self._was_spam:
            if any(source.lower().startswith("cid:") for source in self._pane.page.sources):
                self._engine.read_pictures(message).then(partial(self._show_inline, text))
            if self._is_trusted(text):
                self._load()
        self._offer()

    def check_spam(self) -> None:
        """Stop loading pictures, or begin, if the open message became spam or not spam."""
        text = self._pane.shown_message
        if text is not None and self._is_spam(text.message) != self._was_spam:
            self._begin(text.message)

    def _show_inline(self, text: MessageText, pictures: Mapping[str, bytes]) -> None:
        """Show pictures by their Content-IDs."""
        if self._pane.shown_message is text:
            inside = [
                source for source in self._pane.page.sources if source.lower().startswith("cid:")
            ]
            found = ((source, pictures.get(unquote(source[4:]))) for source in inside)
            self._request({source: content for source, content in found if content})

    def _load(self) -> None:
        text = self._pane.shown_message
        if text is not None and not self._is_spam(text.message):
            self._request(dict(self._addresses()[:MOST_PICTURES]))

    def _addresses(self) -> list[tuple[str, str]]:
        targets = (
            (source, read_link(source))
            for source in self._pane.page.sources
            if source not in self._came
        )
        return [
            (source, one.address)
            for source, one in targets
            if one and one.address.startswith("https:")
        ]

    def _request(self, sources: dict[str, str | bytes]) -> None:
        text = self._pane.shown_message

        def take(source: str, image: QImage | None) -> None:
            if self._pane.shown_message is text and source not in self._came:
                self._came[source] = image
                self._timer.start()

        if sources:
            self._wanted += len(sources)
            self._stops.append(self._desktop.load_pictures(sources, take))
            self._offer()

    def _show_pictures(self) -> None:
        self._pane.show_images(
            {source: image for source, image in self._came.items() if image is not None}
        )

    def _stop(self) -> None:
        while self._stops:
            self._stops.pop()()

    def _cancel(self) -> None:
        self._stop()
        self._wanted = len(self._came)
        self._offer()

    # ------------------------------------------------------------------------------------------------------
    # offers

    def _offer(self) -> None:
        text = self._pane.shown_message
        if text is None:
            return
        note = ""
        offers = Offers()
        if self._pane.is_plain:
            offers = [(tr("Show formatted text"), self.toggle_plain), *self._remembered(text)]
        elif self._wanted > len(self._came):
            note = tr("Loading pictures: {done} of {total}…")
            note = note.format(done=format_count(len(self._came)), total=format_count(self._wanted))
            offers = [(tr("Stop"), self._cancel)]
        elif not self._is_spam(text.message):
            offers = self._remembered(text) if self._is_confirmed(text) else Offers()
            if self._addresses():
                note = tr(
                    "Loading them tells the sender when you read this, and your internet address."
                )
                offers = [(tr("Load pictures once"), self._load), *offers]
            elif not (self._is_trusted(text) and self._came):
                offers = Offers()
        failed = (
            sum(image is None for image in self._came.values()) if not self._pane.is_plain else 0
        )
        self._pane.show_offers(note, offers, failed)

    def _remembered(self, text: MessageText) -> Offers:
        """Return the offer to do the same for all mail of the sender, or to end that."""
        address = _address(text)
        value = self._settings.value
        known = value.plain_senders if self._pane.is_plain else value.picture_senders
        if address in known:
            others = tuple(each for each in known if each != address)
            return [(tr("No longer for this sender"), partial(self._remember, others))]
        return (
            [(tr("Always for this sender"), partial(self._remember, (*known, address)))]
            if address
            else []
        )

    def _remember(self, senders: tuple[str, ...]) -> None:
        value = self._settings.value
        text = self._pane.shown_message
        is_plain = self._pane.is_plain
        self._settings.change(
            replace(value, plain_senders=senders)
            if is_plain
            else replace(value, picture_senders=senders)
        )
        if not is_plain and text is not None and self._is_trusted(text):
            self._load()
        self._offer()

    def _is_confirmed(self, text: MessageText) -> bool:
        """True if the mail server confirmed the domain of the sender's address."""
        address = _address(text)
        return (
            bool(text.sender.domain) and domain_of(address.rpartition("@")[2]) == text.sender.domain
        )

    def _is_trusted(self, text: MessageText) -> bool:
        return self._is_confirmed(text) and _address(text) in self._settings.value.picture_senders


def prefers_plain(settings: CurrentSettings, message: MessageText) -> bool:
    """True if the user wants to see the sender's messages as plain text."""
    return _address(message) in settings.value.plain_senders


def _address(message: MessageText) -> str:
    """Return the address of the sender, "" if there is none or more than one."""
    senders = [value for name, value in message.headers if name.lower() == "from"]
    return read_person(senders[0]).address.lower() if len(senders) == 1 else ""


class SourceWindow(SideWindow):
    """Window with all headers of a message, its raw text and a search field."""

    def __init__(self, parent: QWidget, source: MessageSource) -> None:
        subject = next((value for name, value in source.headers if name == "subject"), "")
        shown = " ".join(subject.split())[:80] or tr("(no subject)")
        super().__init__(parent, tr("Source: {subject}").format(subject=shown), 760, 560)
        headers = "\n".join(f"{name.capitalize()}: {value}" for name, value in source.headers)
        self._texts = {tr("All headers"): headers, tr("Source"): source.text}
        self.tabs = QTabWidget()
        self._pages = [_text_page(text, name) for name, text in self._texts.items()]
        for page in self._pages:
            self.tabs.addTab(page, page.accessibleName())
        self.field = QLineEdit()
        self.field.setPlaceholderText(tr("Find in this window"))
        self.field.setAccessibleName(tr("Find in this window"))
        self.field.setClearButtonEnabled(True)
        self.field.textChanged.connect(lambda: self.find_next(from_start=True))
        self.field.returnPressed.connect(self.find_next)
        self.status = plain_label("", "muted")
        part = plain_label(
            "" if source.whole else tr("Only the first part of this large message is loaded."),
            "muted",
        )
        line = layouts.row(
            (self.field, 1), self.status, make_button(tr("Copy all"), self.copy_all), spacing=8
        )
        self.setLayout(
            layouts.column(line, (self.tabs, 1), part, spacing=8, margins=(12, 12, 12, 12))
        )
        part.setVisible(not source.whole)
        for keys, act in (("Ctrl+F", self.field.setFocus), ("F3", self.find_next)):
            QShortcut(QKeySequence(keys), self).activated.connect(act)

    @property
    def page(self) -> QPlainTextEdit:
        return self._pages[self.tabs.currentIndex()]

    def find_next(self, *, from_start: bool = False) -> None:
        """Select the next match, after the last one again the first."""
        page = self.page
        wanted = self.field.text()
        if from_start:
            page.moveCursor(QTextCursor.MoveOperation.Start)
        found = bool(wanted) and page.find(wanted)
        if wanted and not found:
            page.moveCursor(QTextCursor.MoveOperation.Start)
            found = page.find(wanted)
        self.status.setText(tr("Not found.") if wanted and not found else "")

    def copy_all(self) -> None:
        QGuiApplication.clipboard().setText(self._texts[self.page.accessibleName()])
        self.status.setText(tr("Copied to the clipboard."))


def _text_page(text: str, name: str) -> QPlainTextEdit:
    page = QPlainTextEdit()
    page.setReadOnly(True)
    page.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse
        | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPointSizeF(page.font().pointSizeF())
    page.setFont(font)
    page.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
    page.setAccessibleName(name)
    page.setPlainText(break_long_lines(text))
    return page
