"""Pane of the open message: headers, text and attachments. Nothing is fetched or run."""

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QImage, QResizeEvent
from PySide6.QtWidgets import QLayout, QVBoxLayout, QWidget

from nbmail.core.explaining.explanation import Explanation
from nbmail.ui.evidence.breakdown.breakdown_lines import BreakdownLine
from nbmail.ui.kit.layouts import column
from nbmail.ui.kit.plain_labels import enlarge
from nbmail.ui.kit.theme import colors
from nbmail.ui.kit.timers import single_shot_timer
from nbmail.ui.message.attachments.attachments import Attachments
from nbmail.ui.message.body.mail_body import MailBody
from nbmail.ui.message.body.word_tints import word_tints
from nbmail.ui.message.pane.body_notes import BodyNotes, left_out_text
from nbmail.ui.message.pane.conversation import Conversation
from nbmail.ui.message.pane.folder_buttons import FolderButtons
from nbmail.ui.message.pane.header_rows import HeaderRows
from nbmail.ui.message.pane.header_texts import tidy_spaces
from nbmail.ui.message.pane.mail_label import fill_label, mail_label
from nbmail.ui.message.pane.pane_fitting import FoldingPart, PaneFitting
from nbmail.ui.message.pane.pointed_words import LabelSelections, pointed_words
from nbmail.ui.message.pane.sender_notes import sender_notes
from nbmail.ui.notices.banner import Banner
from nbmail.ui.page.flat_page import FlatPage
from nbmail.ui.page.plain_page import page_as_text
from nbmail.ui.texts.language import tr
from nbmail.worker.protocol.messages import Body, MessageText

MOST_TINTED = 10
"""Words that are tinted unless the user sets another number."""
RESIZED_MILLISECONDS = 200
"""Pause in resizing after which pictures are fitted into the new width."""
MARGIN = 16


class MessagePane(QWidget):
    """Headers, text and attachments of a message.

    `attachments` and `conversation`: parts of a message that lies in the mailbox. `prefers_plain`:
    returns whether a message is shown as plain text at first. `page`: the page that is shown, an
    empty one for plain text.

    Signals: `shown(int)` with the shown message, -1 for none; `body_shown()` whenever its text is
    shown.
    """

    shown = Signal(int)
    body_shown = Signal()

    def __init__(
        self,
        follow: Callable[[str], None],
        attachments: Attachments | None = None,
        conversation: Conversation | None = None,
        prefers_plain: Callable[[MessageText], bool] = lambda message: False,
    ) -> None:
        super().__init__()
        self.setProperty("page", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._prefers_plain = prefers_plain
        self._shown: MessageText | None = None
        self._why: Explanation | None = None
        self.is_plain = False
        self.page = FlatPage("")
        self._images = dict[str, QImage]()
        self._most_tints = MOST_TINTED
        self._found: Sequence[str] = ()
        self._selections = LabelSelections()

        self.subject = mail_label()
        enlarge(self.subject, 1.3)
        self.folders = FolderButtons()
        self.headers = HeaderRows()
        self.attachments = attachments or Attachments()
        self.notes = BodyNotes()
        self.failure = Banner()
        self.failure.close_button.hide()
        self.body = MailBody(follow)
        head = self._make_head(conversation)
        self.setLayout(column(head, self.failure, (self.body, 1)))

        folding: list[FoldingPart] = [self.attachments]
        if conversation is not None:
            folding.append(conversation)
        self._fitting = PaneFitting(
            self,
            self.body,
            subject=self.subject,
            headers=self.headers,
            notes=self.notes,
            attachments=self.attachments,
            folding=folding,
        )
        self._resized = single_shot_timer(self, RESIZED_MILLISECONDS, self._show_body_again)
        self.clear()

    def _make_head(self, conversation: Conversation | None) -> QVBoxLayout:
        """Return the layout of the parts above the text."""
        parts: list[QWidget | QLayout] = [self.subject, self.folders, self.headers]
        if conversation is not None:
            parts.append(conversation)
        parts.append(self.attachments)
        parts.append(self.notes.layout())
        return column(*parts, spacing=4, margins=(MARGIN, 12, MARGIN, 8))

    @property
    def shown_message(self) -> MessageText | None:
        return self._shown

    # ---------------------------------------------------------------------------------------------
    # messages

    def clear(self, text: str = "") -> None:
        """Show no message, optionally a reason."""
        self.failure.dismiss()
        self._shown = None
        self._why = None
        self._fitting.forget()
        self.subject.clear()
        self.subject.hide()
        self._show_headers(())
        self.attachments.hide()
        self.notes.clear()
        self.fit()
        self.body.set_colors(colors())
        self._tint()
        self.body.setPlaceholderText("")
        self.body.show_plain(text)
        self.shown.emit(-1)

    def show_message(self, message: MessageText) -> None:
        # After an error no part of another message may stay visible.
        self.clear(tr("This message can't be shown."))
        self._shown = message
        self.is_plain = self._prefers_plain(message)
        self._images = {}
        self._show_body(message)
        self._show_subject(message)
        self._show_headers([pair for pair in message.headers if pair[0].lower() != "subject"])
        self.attachments.show_files(message)
        self.fit()
        is_whole = message.body is Body.WHOLE
        self.body.setPlaceholderText(tr("This message has no text.") if is_whole else "")
        self.body.verticalScrollBar().setValue(0)
        self.shown.emit(message.message)

    def _show_subject(self, message: MessageText) -> None:
        subjects = (value for name, value in message.headers if name.lower() == "subject")
        subject = tidy_spaces(next(subjects, ""))
        fill_label(self.subject, subject or tr("(no subject)"))
        self.subject.show()

    def _show_headers(self, headers: Sequence[tuple[str, str]]) -> None:
        self._selections.forget()
        notes = sender_notes(self._shown) if self._shown is not None else []
        self.headers.show_headers(headers, notes)

    def header_lines(self) -> list[str]:
        """Return subject and headers as lines of text."""
        return [self.subject.text(), *self.headers.lines()]

    def show_missing(self, text: str, *, offer: bool) -> None:
        """Show what is missing of the text. `offer`: show the button that loads it."""
        self.notes.show_missing(text, offer=offer)
        self.fit()

    # ---------------------------------------------------------------------------------------------
    # text

    def _show_body(self, message: MessageText) -> None:
        """Show page or text of a message, and notes on the parts that were left out."""
        self.page = FlatPage("")
        text = message.text if message.text.strip() else ""
        if self.is_plain:
            shown = page_as_text(message.html, text) if message.html else text
            self.body.show_plain(shown, literally=True)
        elif message.html:
            self.page = self.body.show_page(message.html, self._images)
        else:
            self.body.show_plain(text)
        self.show_offers("", ())
        self.body_shown.emit()

    def _show_body_again(self) -> None:
        """Show the text in another form or theme, at the same position."""
        if self._shown is not None:
            position = self.body.verticalScrollBar().value()
            self._show_body(self._shown)
            self.body.highlight(self._found)
            self.body.verticalScrollBar().setValue(position)
        self._tint()

    def show_offers(
        self, note: str, offers: Sequence[tuple[str, Callable[[], object]]], failed: int = 0
    ) -> None:
        """Show what was left out of the text, a note, and buttons.

        `failed`: pictures that could not be loaded.
        """
        left_out = left_out_text(self.page, failed, note, is_plain=self.is_plain)
        self.notes.show_offers(left_out, offers)
        self.fit()

    def toggle_plain(self) -> None:
        self.is_plain = not self.is_plain
        self._show_body_again()

    def show_images(self, images: Mapping[str, QImage]) -> None:
        """Show more pictures, by their addresses as written in the page."""
        self._images |= images
        self._show_body_again()

    # ---------------------------------------------------------------------------------------------
    # marked words

    def tint_words(self, why: Explanation) -> None:
        self._why = why
        self._tint()

    def set_tinted_words(self, most: int) -> None:
        self._most_tints = most
        self._tint()

    def _tint(self) -> None:
        theme = colors()
        if self._shown is None or self._why is None:
            self.body.tint({}, theme.text)
        else:
            self.body.tint(word_tints(self._why, self._most_tints, theme), theme.text)

    def highlight(self, words: Sequence[str]) -> None:
        """Highlight searched words."""
        self._found = words
        self.body.highlight(words)
        self.point_at(None)

    def point_at(self, line: BreakdownLine | None) -> None:
        """Highlight the words of a breakdown line in the message. None removes the highlights."""
        words = pointed_words(line)
        self.body.underline(words.text, words.links)
        self._selections.select(self.subject, words.subject or self._found)
        for row in self.headers.rows:
            self._selections.select(row.words, words.people or self._found)

    # ---------------------------------------------------------------------------------------------
    # size and theme

    def fit(self) -> None:
        """Hide parts above the text in a low pane."""
        self._fitting.fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()
        if self._images:
            self._resized.start()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and self.body.set_colors(colors()):
            self._show_body_again()
