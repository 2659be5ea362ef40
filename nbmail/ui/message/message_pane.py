"""Pane of the open message: headers, text and attachments. Nothing is fetched or run."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QImage, QResizeEvent
from PySide6.QtWidgets import QFormLayout, QLabel, QPushButton, QWidget

from nbmail.core.explaining.explanation import Explanation
from nbmail.ui.evidence.score_breakdown import BreakdownLine
from nbmail.ui.kit.buttons import quiet_button
from nbmail.ui.kit.labels import enlarge, plain_label
from nbmail.ui.kit.layouts import Flow, column
from nbmail.ui.kit.theme import colors
from nbmail.ui.kit.timers import single_shot_timer
from nbmail.ui.message import pane_parts
from nbmail.ui.message.attachments import STRETCH, Attachments
from nbmail.ui.message.mail_body import MailBody, word_tints
from nbmail.ui.message.sender_notes import sender_notes
from nbmail.ui.notices.banner import Banner
from nbmail.ui.page.page_flow import FlatPage, page_as_text
from nbmail.ui.texts.date_texts import written_words
from nbmail.ui.texts.language import tr, tr_count
from nbmail.ui.texts.people import MAX_IN_TIP, people_text
from nbmail.ui.texts.plain_text import BREAK, breakable, plain_tip
from nbmail.worker.protocol.messages import Body, MessageText

MOST_TINTED = 10
"""Words that are tinted unless the user sets another number."""
MOST_OFFERS = 3
RESIZED_MILLISECONDS = 200
"""Pause in resizing after which pictures are fitted into the new width."""
MOST_HEADERS = 12
AROUND = 48
"""Pixels of a header line in addition to its text."""
MARGIN = 16
TEXT_LINES = 8
"""Lines of text that the headers leave visible, up to half of the pane."""
WHERE = {
    **dict.fromkeys(("body", "start", "pair"), "text"),
    **dict.fromkeys(("from", "to", "reply", "return", "sender"), "people"),
    **dict.fromkeys(("link", "path"), "links"),
    "subject": "subject",
}
"""Parts of the pane that show the words of a place."""


class MessagePane(QWidget):
    """Headers, text and attachments of a message. `load_whole`: button to load the rest of a large
    message.

    `files` and `conversation`: parts of a message that lies in the mailbox. `prefers_plain`:
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
        files: Attachments | None = None,
        conversation: pane_parts.Conversation | None = None,
        prefers_plain: Callable[[MessageText], bool] = lambda message: False,
    ) -> None:
        super().__init__()
        self.setProperty("page", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.subject, self.left_out, self.missing = (pane_parts.mail_label() for _ in range(3))
        enlarge(self.subject, 1.3)
        self.left_out.setProperty("muted", True)
        self.missing.setProperty("muted", True)
        self._full_texts: dict[QLabel, str] = {}
        """Full texts of the labels that are cut."""
        self.failure = Banner()
        self.failure.close_button.hide()
        self.headers = QFormLayout()
        self._rows = list[tuple[QLabel, QLabel]]()
        self._selected = set[QLabel]()
        self._found: Sequence[str] = ()
        self._most_tints = MOST_TINTED
        self.folders = pane_parts.FolderButtons()
        self.files = files or Attachments()
        self._folding = [part for part in (self.files, conversation) if part is not None]
        self.load_whole = QPushButton(tr("Load full message"))
        self._prefers_plain = prefers_plain
        self.is_plain = False
        self.page = FlatPage("")
        self._images = dict[str, QImage]()
        self._offers = [quiet_button("", flush=True) for _ in range(MOST_OFFERS)]
        self.offers = Flow(*self._offers, gap=12)
        self._acts: list[Callable[[], object]] = []
        self._resized = single_shot_timer(self, RESIZED_MILLISECONDS, self._show_body_again)
        self.body = MailBody(follow)
        self._lay_out()
        self.clear()

    def _lay_out(self) -> None:
        for number, button in enumerate(self._offers):
            button.clicked.connect(lambda _, number=number: self._acts[number]())
        self.headers.setContentsMargins(0, 4, 0, 0)
        self.headers.setHorizontalSpacing(12)
        self.headers.setVerticalSpacing(2)
        self.headers.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        head = column(
            self.subject,
            self.folders,
            self.headers,
            *reversed(self._folding),
            *(self.left_out, self.offers, self.missing),
            (self.load_whole, Qt.AlignmentFlag.AlignLeft),
            spacing=4,
            margins=(MARGIN, 12, MARGIN, 8),
        )
        self.setLayout(column(head, self.failure, (self.body, 1)))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and self.body.set_colors(colors()):
            self._show_body_again()

    def clear(self, text: str = "") -> None:
        """Show no message, optionally a reason."""
        self.failure.dismiss()
        self._shown: MessageText | None = None
        self._why: Explanation | None = None
        self._full_texts.clear()
        self.subject.clear()
        self.subject.hide()
        self._show_headers(())
        self.files.hide()
        self.left_out.clear()
        self._acts.clear()
        self.show_missing("", offer=False)
        self.body.set_colors(colors())
        self._tint()
        self.body.setPlaceholderText("")
        self.body.show_plain(text)
        self.shown.emit(-1)

    @property
    def shown_message(self) -> MessageText | None:
        return self._shown

    def show_message(self, message: MessageText) -> None:
        # After an error no part of another message may stay visible.
        self.clear(tr("This message can't be shown."))
        self._shown = message
        self.is_plain = self._prefers_plain(message)
        self._images = {}
        self._show_body(message)
        headers = dict(reversed([(name.lower(), value) for name, value in message.headers]))
        pane_parts.fill_label(
            self.subject, pane_parts.tidy_spaces(headers.get("subject", "")) or tr("(no subject)")
        )
        self.subject.show()
        self._show_headers([pair for pair in message.headers if pair[0].lower() != "subject"])
        self.files.show_files(message)
        self.fit()
        self.body.setPlaceholderText(
            tr("This message has no text.") if message.body is Body.WHOLE else ""
        )
        self.body.verticalScrollBar().setValue(0)
        self.shown.emit(message.message)

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

    def show_offers(
        self, note: str, offers: Sequence[tuple[str, Callable[[], object]]], failed: int = 0
    ) -> None:
        """Show what was left out of the text, a note, and buttons. `failed`: pictures that could
        not be loaded.
        """
        page = self.page
        self._acts = [act for _, act in offers]
        left = max(0, page.pictures - failed)
        notes = {
            tr("Shown as plain text."): self.is_plain,
            tr_count("%n picture was not loaded.", "%n pictures were not loaded.", left): left,
            tr_count(
                "%n picture could not be loaded.", "%n pictures could not be loaded.", failed
            ): failed,
            tr_count("%n hidden word.", "%n hidden words.", page.hidden_words): page.hidden_words,
            tr("Only the beginning of this long page is shown."): page.is_cut,
            note: note,
        }
        self.left_out.setText(" ".join(text for text, applies in notes.items() if applies))
        for button, (text, _) in zip(self._offers, offers, strict=False):
            button.setText(text)
        self.fit()

    def toggle_plain(self) -> None:
        self.is_plain = not self.is_plain
        self._show_body_again()

    def show_images(self, images: Mapping[str, QImage]) -> None:
        """Show pictures, by their addresses as written in the page, in addition to those that are
        shown.
        """
        self._images |= images
        self._show_body_again()

    def header_lines(self) -> list[str]:
        pairs = ((name.text(), words.text().replace(BREAK, "")) for name, words in self._rows)
        return [self.subject.text(), *(f"{name}: {text}" if name else text for name, text in pairs)]

    def _show_body_again(self) -> None:
        """Show the text in another form or theme, at the same position."""
        if self._shown is not None:
            position = self.body.verticalScrollBar().value()
            self._show_body(self._shown)
            self.body.highlight(self._found)
            self.body.verticalScrollBar().setValue(position)
        self._tint()

    def show_missing(self, text: str, *, offer: bool) -> None:
        """Show what is missing of the text. `offer`: show the button that loads it."""
        self.missing.setText(text)
        self.load_whole.setToolTip(text)
        self.load_whole.setVisible(offer)
        self.fit()

    def tint_words(self, why: Explanation) -> None:
        self._why = why
        self._tint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()
        if self._images:
            self._resized.start()

    def fit(self) -> None:
        """Hide parts of the header one by one, in a low pane, until the text has room.

        Hidden are names of attachments, other messages, then headers from the last, then notes.
        Then subject and sender shrink to one line each, and the button replaces the note on missing
        text.
        """
        rows = range(len(self._rows))
        self._set_compact(False)
        for row in rows:
            self.headers.setRowVisible(row, True)
        # Addresses that are wider than the pane may be broken.
        room = (
            self.width()
            - AROUND
            - max((name.sizeHint().width() for name, _ in self._rows), default=0)
        )
        for _, label in self._rows:
            whole = label.text().replace(BREAK, "")
            wide = (
                label.fontMetrics().horizontalAdvance(max(whole.split(), key=len, default=""))
                > room
            )
            label.setText(breakable(whole, STRETCH) if wide else whole)
        for part in self._folding:
            part.set_compact(False)
        for label in (self.left_out, self.missing):
            label.setVisible(bool(label.text()))
        for number, button in enumerate(self._offers):
            button.setVisible(number < len(self._acts))
        self.offers.setVisible(bool(self._acts))
        steps: list[Callable[[], object]] = [
            partial(part.set_compact, True) for part in self._folding
        ]
        steps += [partial(self.headers.setRowVisible, row, False) for row in reversed(rows[1:])]
        steps += [self.left_out.hide, self.offers.hide, partial(self._set_compact, True)]
        last = [
            *[self.missing.hide] * self.load_whole.isVisibleTo(self),
            self.files.show_warning_sign,
        ]
        for lines, step in (*((TEXT_LINES, each) for each in steps), *((0, each) for each in last)):
            if not self._fits(lines):
                step()

    def _fits(self, lines: int) -> bool:
        """True if `lines` lines of the text, or half of the pane, are visible below the header."""
        layout = self.layout()
        assert layout is not None
        layout.activate()
        text = min(lines * self.fontMetrics().height(), self.height() // 2)
        head = layout.minimumHeightForWidth(self.width()) - self.body.minimumHeight()
        return head + max(text, self.body.minimumHeight()) <= self.height()

    def _set_compact(self, compact: bool) -> None:
        """Cut subject and sender to one line each, or show them in full."""
        for label, text in self._full_texts.items():
            label.setText(text)
        self._full_texts.clear()
        if compact:
            for label in (self.subject, *(words for _, words in self._rows[:1])):
                self._full_texts[label], width = label.text(), label.width()
                label.setText(
                    label.fontMetrics().elidedText(label.text(), Qt.TextElideMode.ElideRight, width)
                )

    def _show_headers(self, headers: Sequence[tuple[str, str]]) -> None:
        self._selected.clear()
        self._rows.clear()
        while self.headers.rowCount():
            self.headers.removeRow(0)
        senders = [value for name, value in headers if name.lower() == "from"]
        number = 0
        for name, value in headers[:MOST_HEADERS]:
            label = plain_label(pane_parts.header_name(name), "muted")
            words = pane_parts.mail_label()
            kind = name.lower()
            if kind == "from" and len(senders) > 1:
                number += 1
                label.setText(
                    tr("From ({number} of {count})").format(number=number, count=len(senders))
                )
                label.setProperty("verdict", "spam")
            if kind == "date":
                words.setText(written_words(value))
                words.setToolTip(plain_tip(value[: pane_parts.LONGEST_TIP]))
            else:
                pane_parts.fill_label(words, *pane_parts.header_text(name, value))
            if kind in pane_parts.PEOPLE:
                pane_parts.offer_addresses(words, value)
                if (everyone := people_text(value, MAX_IN_TIP)) != words.text():
                    words.setToolTip(plain_tip(everyone))
            self._rows.append((label, words))
        for note in reversed(sender_notes(self._shown) if self._shown is not None else []):
            line = pane_parts.mail_label()
            line.setText(note.text)
            line.setProperty("verdict", note.kind)
            self._rows.insert(len(senders), (plain_label(), line))
        for label, words in self._rows:
            self.headers.addRow(label, words)

    def point_at(self, line: BreakdownLine | None) -> None:
        """Highlight the words of a breakdown line in the message. None removes the highlights."""
        words = dict[str, set[str]]()
        for feature in line.features if line is not None else ():
            bare = feature.word.removeprefix(f"{feature.place}:").lower()
            words.setdefault(WHERE.get(feature.place, ""), set()).update(
                bare.split() if feature.place == "pair" else [bare]
            )
        self.body.underline(
            words.get("text", ()), {each.strip("@") for each in words.get("links", ())} - {""}
        )
        self._select_word(self.subject, words.get("subject") or self._found)
        for _, label in self._rows:
            self._select_word(label, words.get("people") or self._found)

    def highlight(self, words: Sequence[str]) -> None:
        self._found = words
        self.body.highlight(words)
        self.point_at(None)

    def _select_word(self, label: QLabel, words: Collection[str]) -> None:
        """Select the longest of these words in a label. Without a match the user's selection
        stays.
        """
        text = label.text().lower()
        word = max((each for each in words if each in text), key=len, default="")
        if word or label in self._selected:
            label.setSelection(text.find(word), len(word))
            (self._selected.add if word else self._selected.discard)(label)

    def set_tinted_words(self, most: int) -> None:
        self._most_tints = most
        self._tint()

    def _tint(self) -> None:
        why = self._why if self._shown is not None else None
        self.body.tint(
            word_tints(why, self._most_tints, colors()) if why is not None else {}, colors().text
        )
