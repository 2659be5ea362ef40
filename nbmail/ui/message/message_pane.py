"""Pane of the open message: headers, text and attachments. Nothing is fetched or run."""

from collections.abc import Callable, Collection, Sequence
from functools import partial

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QColor, QResizeEvent
from PySide6.QtWidgets import QFormLayout, QLabel, QPushButton, QWidget

from nbmail.core.scoring.explanation import Contribution, Explanation
from nbmail.ui.evidence.score_breakdown import BreakdownLine
from nbmail.ui.kit import phrases
from nbmail.ui.kit.language import format_count, tr
from nbmail.ui.kit.layouts import column
from nbmail.ui.kit.people import MAX_IN_TIP, MAX_SHOWN, people_text, sender_notes
from nbmail.ui.kit.phrases import written_words
from nbmail.ui.kit.plain_text import BREAK, INVISIBLE, breakable, enlarge, plain_label, plain_tip, selectable_label
from nbmail.ui.kit.theme import Colors, colors
from nbmail.ui.message.attachments import AttachmentRow
from nbmail.ui.message.mail_body import MailBody, WordTint
from nbmail.worker.protocol.results import Body, MessageText

LONGEST_HEADER = 160
LONGEST_READ = 8_000
"""Maximum number of letters of a header that are read; a header may have a million."""
LONGEST_TIP = 2000
MOST_HEADERS = 12
PEOPLE = frozenset({"from", "to", "cc", "bcc", "reply-to", "sender"})
MAX_NAME = 60
"""Maximum number of shown characters of a file's name. Longer names lose their middle, not their extension."""
ENDING = 24
AROUND = 48
"""Pixels of a header line in addition to its text."""
MARGIN = 16
TEXT_LINES = 8
"""Lines of text that the headers leave visible, up to half of the pane."""
STRETCH = 18
"""Letters after which a name without spaces may be broken."""
STEPS = 10
"""Number of tints for each class."""
WHERE = {
    **dict.fromkeys(("body", "start", "pair"), "text"),
    **dict.fromkeys(("from", "to", "reply", "return", "sender"), "people"),
    **dict.fromkeys(("link", "path"), "links"),
    "subject": "subject",
}
"""Parts of the pane that show the words of a place."""
FAINTEST = 0.05
"""Share of the strongest contribution below which words are not tinted."""


class MessagePane(QWidget):
    """Headers, text and attachments of a message. `load_whole`: button to load the rest of a large message.

    Signals: `shown(int)` with the shown message, -1 for none.
    """

    shown = Signal(int)

    def __init__(self, follow: Callable[[str], None]) -> None:
        super().__init__()
        self.setProperty("page", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.subject, self.attached, self.left_out, self.missing = (_mail_label() for _ in range(4))
        enlarge(self.subject, 1.3)
        self.left_out.setProperty("muted", True)
        self.missing.setProperty("muted", True)
        self._full_texts: dict[QLabel, str] = {}
        """Full texts of the labels that are cut."""
        self.headers, self._selected = QFormLayout(), set[QLabel]()
        self._found: Sequence[str] = ()
        self.load_whole = QPushButton(tr("Load full message"))
        self.body = MailBody(follow)
        self.files = AttachmentRow(self.attached)
        self._lay_out()
        self.clear()

    def _lay_out(self) -> None:
        self.headers.setContentsMargins(0, 4, 0, 0)
        self.headers.setHorizontalSpacing(12)
        self.headers.setVerticalSpacing(2)
        self.headers.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        head = column(
            self.subject,
            self.headers,
            *(self.files, self.left_out, self.missing),
            (self.load_whole, Qt.AlignmentFlag.AlignLeft),
            spacing=4,
            margins=(MARGIN, 12, MARGIN, 8),
        )
        self.setLayout(column(head, (self.body, 1)))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and self.body.set_colors(colors()):
            self._show_body_again()

    def clear(self, text: str = "") -> None:
        """Show no message, optionally a reason."""
        self._shown: MessageText | None = None
        self._why: Explanation | None = None
        self._full_texts.clear()
        self.subject.clear()
        self.subject.hide()
        self._show_headers(())
        for part in (self.files, self.left_out):
            part.hide()
        self.left_out.clear()
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
        """Show a message."""
        # After an error no part of another message may stay visible.
        self.clear(tr("This message can't be shown."))
        self._shown = message
        notes = self._show_body(message)
        headers = dict(reversed([(name.lower(), value) for name, value in message.headers]))
        _fill(self.subject, tidy_spaces(headers.get("subject", "")) or tr("(no subject)"))
        self.subject.show()
        self._show_headers([pair for pair in message.headers if pair[0].lower() != "subject"])
        self.left_out.setText(" ".join(notes))
        self._show_attachments(message)
        self.body.setPlaceholderText(tr("This message has no text.") if message.body is Body.WHOLE else "")
        self.body.verticalScrollBar().setValue(0)
        self.shown.emit(message.message)

    def _show_body(self, message: MessageText) -> list[str]:
        """Show page or text of a message. Return notes on the parts that were left out."""
        if message.html:
            return self.body.show_page(message.html)
        self.body.show_plain(message.text if message.text.strip() else "")
        return []

    def _show_body_again(self) -> None:
        """Show a page in the colors of another theme, at the same position."""
        if self._shown is not None and self._shown.html:
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
        self._fit()

    def tint_words(self, why: Explanation) -> None:
        self._why = why
        self._tint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """In a low pane hide parts of the header one by one until the text has room.

        Hidden are names of attachments, then headers from the last, then notes. Then subject and sender shrink to one
        line each, and the button replaces the note on missing text.
        """
        rows = range(self.headers.rowCount())
        self._set_compact(False)
        for row in rows:
            self.headers.setRowVisible(row, True)
        self._break_long(rows)
        self.files.set_compact(False)
        for label in (self.left_out, self.missing):
            label.setVisible(bool(label.text()))
        steps: list[Callable[[], object]] = [partial(self.files.set_compact, True)]
        steps += [partial(self.headers.setRowVisible, row, False) for row in reversed(rows[1:])]
        steps += [self.left_out.hide, partial(self._set_compact, True)]
        last = [*[self.missing.hide] * self.load_whole.isVisibleTo(self), self.files.show_warning_sign]
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
            sender = [self._label(0, QFormLayout.ItemRole.FieldRole)] * (self.headers.rowCount() > 0)
            for label in (self.subject, *sender):
                self._full_texts[label], width = label.text(), label.width()
                label.setText(label.fontMetrics().elidedText(label.text(), Qt.TextElideMode.ElideRight, width))

    def _break_long(self, rows: range) -> None:
        """Allow line breaks in addresses that are wider than the pane."""
        room = self.width() - AROUND - max((self._label(row).sizeHint().width() for row in rows), default=0)
        for label in (self._label(row, QFormLayout.ItemRole.FieldRole) for row in rows):
            whole = label.text().replace(BREAK, "")
            longest = max(whole.split(), key=len, default="")
            wide = label.fontMetrics().horizontalAdvance(longest) > room
            label.setText(breakable(whole, STRETCH) if wide else whole)

    def _label(self, row: int, role: QFormLayout.ItemRole = QFormLayout.ItemRole.LabelRole) -> QLabel:
        item = self.headers.itemAt(row, role)
        label = item.widget() if item is not None else None
        assert isinstance(label, QLabel)
        return label

    def _show_headers(self, headers: Sequence[tuple[str, str]]) -> None:
        self._selected.clear()
        while self.headers.rowCount():
            self.headers.removeRow(0)
        senders, row = [value for name, value in headers if name.lower() == "from"], 0
        notes = sender_notes(self._shown) if self._shown is not None else []
        for name, value in headers[:MOST_HEADERS]:
            label, words = plain_label(_header_name(name), "muted"), _mail_label()
            if name.lower() == "from" and len(senders) > 1:
                row += 1
                label.setText(tr("From ({number} of {count})").format(number=row, count=len(senders)))
                label.setProperty("verdict", "junk")
            if name.lower() == "date":
                words.setText(written_words(value))
                words.setToolTip(plain_tip(value[:LONGEST_TIP]))
            else:
                _fill(words, *_header_text(name, value))
                if name.lower() in PEOPLE and (everyone := people_text(value, MAX_IN_TIP)) != words.text():
                    words.setToolTip(plain_tip(everyone))
            self.headers.addRow(label, words)
        for note in reversed(notes):
            line = _mail_label()
            line.setText(note.text)
            line.setProperty("verdict", note.kind)
            self.headers.insertRow(max(row, len(senders[:1])), plain_label(), line)

    def _show_attachments(self, message: MessageText) -> None:
        names = [short_name(each.name) for each in message.attachments]
        self.files.show_files(message.attachments, names, there=message.body is Body.WHOLE)
        self._fit()

    def point_at(self, line: BreakdownLine | None) -> None:
        """Highlight the words of a breakdown line in the message. None removes the highlights."""
        words = dict[str, set[str]]()
        for feature in line.features if line is not None else ():
            bare = feature.word.removeprefix(f"{feature.place}:").lower()
            words.setdefault(WHERE.get(feature.place, ""), set()).update(
                bare.split() if feature.place == "pair" else [bare]
            )
        self.body.underline(words.get("text", ()), {each.strip("@") for each in words.get("links", ())} - {""})
        self._select_word(self.subject, words.get("subject") or self._found)
        for row in range(self.headers.rowCount()):
            self._select_word(self._label(row, QFormLayout.ItemRole.FieldRole), words.get("people") or self._found)

    def highlight(self, words: Sequence[str]) -> None:
        """Highlight search matches."""
        self._found = words
        self.body.highlight(words)
        self.point_at(None)

    def _select_word(self, label: QLabel, words: Collection[str]) -> None:
        """Select the longest of these words in a label. Without a match the user's selection stays."""
        text = label.text().lower()
        word = max((each for each in words if each in text), key=len, default="")
        if word or label in self._selected:
            label.setSelection(text.find(word), len(word))
            (self._selected.add if word else self._selected.discard)(label)

    def _tint(self) -> None:
        """Tint the words of the text by their contributions."""
        theme, why = colors(), self._why
        found = [each for each in why.contributions if each.place == "body"] if why is not None and self._shown else []
        most = max((abs(each.contribution) for each in found), default=0.0)
        steps = {step: _tint(step / STEPS, theme) for step in range(-STEPS, STEPS + 1)} if most else {}
        strong = [each for each in found if abs(each.contribution) >= FAINTEST * most > 0]
        self.body.tint(
            {
                each.word.lower(): WordTint(steps[round(STEPS * each.contribution / most)], partial(_numbers, each))
                for each in strong
            },
            theme.text,
        )


def _tint(strength: float, theme: Colors) -> str:
    """Return the color of a word. `strength`: share of the strongest contribution, negative for good mail."""
    soft, base = QColor(theme.junk_soft if strength > 0 else theme.good_soft), QColor(theme.base)
    part = 0.35 + 0.65 * abs(strength)
    pairs = ((soft.redF(), base.redF()), (soft.greenF(), base.greenF()), (soft.blueF(), base.blueF()))
    return QColor.fromRgbF(*(part * one + (1 - part) * other for one, other in pairs)).name()


def _numbers(each: Contribution) -> str:
    text = tr("In {junk} junk and {good} good messages; adds {amount} here. Click for details.")
    amount = phrases.signed(each.contribution)
    return text.format(junk=format_count(each.junk), good=format_count(each.good), amount=amount)


def _header_name(name: str) -> str:
    known = {"from": tr("From"), "to": tr("To"), "cc": tr("Cc"), "date": tr("Date"), "reply-to": tr("Reply to")}
    return known.get(name.lower(), name.capitalize())


def tidy_spaces(text: str) -> str:
    """Return the text in one line with single spaces, without invisible characters, cut to `LONGEST_READ`."""
    return INVISIBLE.sub("", " ".join(text[:LONGEST_READ].split()))


def short_name(name: str) -> str:
    """Return a file's name cut in its middle, with possible line breaks."""
    if len(name) > MAX_NAME:
        name = f"{name[: MAX_NAME - ENDING].rstrip()}…{name[-ENDING:].lstrip()}"
    return breakable(name, STRETCH)


def _header_text(name: str, value: str) -> tuple[str, int]:
    """Return the text of a header and its maximum length. As many people are named as fit, with full addresses."""
    if name.lower() not in PEOPLE:
        return tidy_spaces(value), LONGEST_HEADER
    texts = (people_text(value, most) for most in range(MAX_SHOWN, 0, -1))
    return next((text for text in texts if len(text) <= LONGEST_HEADER), people_text(value, 1)), LONGEST_TIP


def _fill(label: QLabel, text: str, longest: int = LONGEST_HEADER) -> None:
    """Set a label's text, cut to `longest` letters. The tooltip contains the full text."""
    label.setText(text if len(text) <= longest else text[:longest].rstrip() + "…")
    label.setToolTip(plain_tip(text[:LONGEST_TIP]) if len(text) > LONGEST_HEADER else "")


def _mail_label() -> QLabel:
    """Return a label for texts of a mail, aligned to the left in every script."""
    label = selectable_label(by_keyboard=True)
    label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignTop)
    return label
