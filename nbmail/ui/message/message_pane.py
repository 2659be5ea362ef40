"""The message: who, when, what about, its text, what came along. Nothing in it is ever fetched or run."""

from collections.abc import Callable, Collection, Sequence
from functools import partial

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QColor, QResizeEvent
from PySide6.QtWidgets import QFormLayout, QLabel, QPushButton, QWidget

from nbmail.ui.evidence.score_breakdown import BreakdownLine
from nbmail.ui.kit import phrases
from nbmail.ui.kit.language import format_count, tr
from nbmail.ui.kit.layouts import column
from nbmail.ui.kit.people import MAX_IN_TIP, MAX_SHOWN, people_text
from nbmail.ui.kit.phrases import written_words
from nbmail.ui.kit.plain_text import BREAK, INVISIBLE, breakable, enlarge, plain_label, plain_tip, selectable_label
from nbmail.ui.kit.theme import LIGHT, Colors, colors
from nbmail.ui.message.attachments import AttachmentRow
from nbmail.ui.message.mail_body import MailBody, WordTint
from nbmail.worker.protocol import Body, Contribution, Explanation, MessageText

LONGEST_HEADER = 160
LONGEST_READ = 8_000
"""Letters of a header that are looked at: it may have a million."""
LONGEST_TIP = 2000
MOST_HEADERS = 12
PEOPLE = frozenset({"from", "to", "cc", "bcc", "reply-to", "sender"})
MAX_NAME = 60
"""Characters of a file's name; of a longer one the middle is left out, for its ending says what it does."""
ENDING = 24
AROUND = 48
"""Pixels of a line of the head that are not its words."""
MARGIN = 16
TEXT_LINES = 8
"""Lines of the text for which the head makes room, up to half of the pane."""
STRETCH = 18
"""Letters after which a name without a space may be broken."""
PAPER = Colors(False, {**LIGHT.names, "base": "#d9dce1"})
"""What a mail's own page stands on in a dark window: it was written for white, which would glare."""
STEPS = 10
"""Strengths of colour to either side."""
WHERE = {
    **dict.fromkeys(("body", "start", "pair"), "text"),
    **dict.fromkeys(("from", "to", "reply", "return", "sender"), "people"),
    **dict.fromkeys(("link", "path"), "links"),
    "subject": "subject",
}
"""Where the message shows the words of a place."""
FAINTEST = 0.05
"""Words that add less than this of what the strongest adds are not marked."""


class MessagePane(QWidget):
    """Headers, text and attachments of the current message; `whole` is the button that asks for the rest of it.

    Signals: `shown(int)`, the message that is shown now, -1 for none.
    """

    shown = Signal(int)

    def __init__(self, follow: Callable[[str], None]) -> None:
        super().__init__()
        self.setProperty("page", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._subject, self._attached, self._left_out, self._lacks = (_mail_label() for _ in range(4))
        enlarge(self._subject, 1.3)
        self._left_out.setProperty("muted", True)
        self._lacks.setProperty("muted", True)
        self._cut: dict[QLabel, str] = {}
        """Labels that say less than all, and all of it."""
        self._headers, self._lit = QFormLayout(), set[QLabel]()
        self._found: Sequence[str] = ()
        self.whole = QPushButton(tr("Load the whole message"))
        self.body = MailBody(follow)
        self.files = AttachmentRow(self._attached)
        self._lay_out()
        self.clear()

    def _lay_out(self) -> None:
        self._headers.setContentsMargins(0, 4, 0, 0)
        self._headers.setHorizontalSpacing(12)
        self._headers.setVerticalSpacing(2)
        self._headers.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        head = column(
            self._subject,
            self._headers,
            *(self.files, self._left_out, self._lacks),
            (self.whole, Qt.AlignmentFlag.AlignLeft),
            spacing=4,
            margins=(MARGIN, 12, MARGIN, 8),
        )
        self.setLayout(column(head, (self.body, 1)))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._colour_body()

    def clear(self, text: str = "") -> None:
        """Show no message, perhaps a word on why."""
        self._shown: MessageText | None = None
        self._why: Explanation | None = None
        self._cut.clear()
        self._subject.clear()
        self._subject.hide()
        self._show_headers(())
        for part in (self.files, self._left_out):
            part.hide()
        self._left_out.clear()
        self.say_lack("", offer=False)
        self._colour_body()
        self.body.setPlaceholderText("")
        self.body.show_plain(text)
        self.shown.emit(-1)

    @property
    def shown_message(self) -> MessageText | None:
        return self._shown

    def show_message(self, message: MessageText) -> None:
        """Show this one."""
        # Whatever goes wrong from here on, nothing of another message stands above or below what is shown.
        self.clear(tr("This message can't be shown."))
        self._shown = message
        self._colour_body()
        notes = self.body.show_page(message.html, self._body_shades().base) if message.html else []
        if not message.html:
            self.body.show_plain(message.text if message.text.strip() else "")
        headers = dict(reversed([(name.lower(), value) for name, value in message.headers]))
        _fill(self._subject, tidy_spaces(headers.get("subject", "")) or tr("(no subject)"))
        self._subject.show()
        self._show_headers([pair for pair in message.headers if pair[0].lower() != "subject"])
        self._left_out.setText(" ".join(notes))
        self._show_attachments(message)
        self.body.setPlaceholderText(tr("This message has no text.") if message.body is Body.WHOLE else "")
        self.body.verticalScrollBar().setValue(0)
        self.shown.emit(message.message)

    def say_lack(self, words: str, *, offer: bool) -> None:
        """Say what of the text isn't there, and perhaps offer to load it."""
        self._lacks.setText(words)
        self.whole.setToolTip(words)
        self.whole.setVisible(offer)
        self._fit()

    def tint_words(self, why: Explanation) -> None:
        self._why = why
        self._tint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Where the pane is low its head leaves room for the text, one part after the other.

        The names of attachments go, then headers from the last on, then notes; then there is one line each of what it
        is about and from whom; in the end the button that loads the rest stands for what is missing.
        """
        rows = range(self._headers.rowCount())
        self._be_brief(False)
        for row in rows:
            self._headers.setRowVisible(row, True)
        self._break_long(rows)
        self.files.shorten(False)
        for label in (self._left_out, self._lacks):
            label.setVisible(bool(label.text()))
        steps: list[Callable[[], object]] = [partial(self.files.shorten, True)]
        steps += [partial(self._headers.setRowVisible, row, False) for row in reversed(rows[1:])]
        steps += [self._left_out.hide, partial(self._be_brief, True)]
        last = [*[self._lacks.hide] * self.whole.isVisibleTo(self), self.files.warn_briefly]
        for lines, step in (*((TEXT_LINES, each) for each in steps), *((0, each) for each in last)):
            if not self._fits(lines):
                step()

    def _fits(self, lines: int) -> bool:
        """Whether so many lines of the text can be seen, or half of the pane is the text's."""
        layout = self.layout()
        assert layout is not None
        layout.activate()
        text = min(lines * self.fontMetrics().height(), self.height() // 2)
        head = layout.minimumHeightForWidth(self.width()) - self.body.minimumHeight()
        return head + max(text, self.body.minimumHeight()) <= self.height()

    def _be_brief(self, brief: bool) -> None:
        """Keep the subject and the sender to one line each, or say them whole again."""
        for label, text in self._cut.items():
            label.setText(text)
        self._cut.clear()
        if brief:
            sender = [self._label(0, QFormLayout.ItemRole.FieldRole)] * (self._headers.rowCount() > 0)
            for label in (self._subject, *sender):
                self._cut[label], width = label.text(), label.width()
                label.setText(label.fontMetrics().elidedText(label.text(), Qt.TextElideMode.ElideRight, width))

    def _break_long(self, rows: range) -> None:
        """An address that is wider than the pane goes on in the next line: none of it is beyond the edge."""
        room = self.width() - AROUND - max((self._label(row).sizeHint().width() for row in rows), default=0)
        for label in (self._label(row, QFormLayout.ItemRole.FieldRole) for row in rows):
            whole = label.text().replace(BREAK, "")
            longest = max(whole.split(), key=len, default="")
            wide = label.fontMetrics().horizontalAdvance(longest) > room
            label.setText(breakable(whole, STRETCH) if wide else whole)

    def _label(self, row: int, role: QFormLayout.ItemRole = QFormLayout.ItemRole.LabelRole) -> QLabel:
        item = self._headers.itemAt(row, role)
        label = item.widget() if item is not None else None
        assert isinstance(label, QLabel)
        return label

    def _show_headers(self, headers: Sequence[tuple[str, str]]) -> None:
        self._lit.clear()
        while self._headers.rowCount():
            self._headers.removeRow(0)
        for name, value in headers[:MOST_HEADERS]:
            label, words = plain_label(_header_name(name), "muted"), _mail_label()
            if name.lower() == "date":
                words.setText(written_words(value))
                words.setToolTip(plain_tip(value[:LONGEST_TIP]))
            else:
                _fill(words, *_told(name, value))
                if name.lower() in PEOPLE and (everyone := people_text(value, MAX_IN_TIP)) != words.text():
                    words.setToolTip(plain_tip(everyone))
            self._headers.addRow(label, words)

    def _show_attachments(self, message: MessageText) -> None:
        names = [file_name(each.name) for each in message.attachments]
        self.files.show_files(message.attachments, names, there=message.body is Body.WHOLE)
        self._fit()

    def _body_shades(self) -> Colors:
        if self._shown is None or not self._shown.html:
            return colors()
        return PAPER if colors().dark else LIGHT

    def _colour_body(self) -> None:
        self.body.wear(self._body_shades())
        self._tint()

    def point_at(self, line: BreakdownLine | None) -> None:
        """Light up the words of this line of the ledger wherever the message shows them."""
        words = dict[str, set[str]]()
        for feature in line.features if line is not None else ():
            bare = feature.word.removeprefix(f"{feature.place}:").lower()
            words.setdefault(WHERE.get(feature.place, ""), set()).update(
                bare.split() if feature.place == "pair" else [bare]
            )
        self.body.point_at(words.get("text", ()), {each.strip("@") for each in words.get("links", ())} - {""})
        self._light(self._subject, words.get("subject") or self._found)
        for row in range(self._headers.rowCount()):
            self._light(self._label(row, QFormLayout.ItemRole.FieldRole), words.get("people") or self._found)

    def light(self, words: Sequence[str]) -> None:
        """Light the words that somebody searched for."""
        self._found = words
        self.body.light(words)
        self.point_at(None)

    def _light(self, label: QLabel, words: Collection[str]) -> None:
        """The longest of these that the label holds; where none is, what the user has selected stays."""
        text = label.text().lower()
        word = max((each for each in words if each in text), key=len, default="")
        if word or label in self._lit:
            label.setSelection(text.find(word), len(word))
            (self._lit.add if word else self._lit.discard)(label)

    def _tint(self) -> None:
        """The more a word adds, the stronger its colour; what adds next to nothing stays plain."""
        worn, why = self._body_shades(), self._why
        found = [each for each in why.contributions if each.place == "body"] if why is not None and self._shown else []
        most = max((abs(each.contribution) for each in found), default=0.0)
        steps = {step: _tint(step / STEPS, worn) for step in range(-STEPS, STEPS + 1)} if most else {}
        strong = [each for each in found if abs(each.contribution) >= FAINTEST * most > 0]
        self.body.tint(
            {
                each.word.lower(): WordTint(steps[round(STEPS * each.contribution / most)], partial(_numbers, each))
                for each in strong
            },
            worn.text,
        )


def _tint(strength: float, worn: Colors) -> str:
    """The colour of a word that adds so much of what the strongest adds."""
    soft, base = QColor(worn.junk_soft if strength > 0 else worn.good_soft), QColor(worn.base)
    part = 0.35 + 0.65 * abs(strength)
    pairs = ((soft.redF(), base.redF()), (soft.greenF(), base.greenF()), (soft.blueF(), base.blueF()))
    return QColor.fromRgbF(*(part * one + (1 - part) * other for one, other in pairs)).name()


def _numbers(each: Contribution) -> str:
    text = tr("In {junk} of your junk and {good} of your good messages; adds {amount} here. Click for more.")
    amount = phrases.signed(each.contribution)
    return text.format(junk=format_count(each.junk), good=format_count(each.good), amount=amount)


def _header_name(name: str) -> str:
    known = {"from": tr("From"), "to": tr("To"), "cc": tr("Copy"), "date": tr("Date"), "reply-to": tr("Answers to")}
    return known.get(name.lower(), name.capitalize())


def tidy_spaces(text: str) -> str:
    """The text in one line, its words one space apart, without marks that nobody sees; of an endless one the start."""
    return INVISIBLE.sub("", " ".join(text[:LONGEST_READ].split()))


def file_name(name: str) -> str:
    """A file's name with its ending, whatever its length, in the order in which it is written.

    Marks that turn the direction of writing are left out: they make "cod.exe" of a name that ends in "exe.doc".
    """
    seen = tidy_spaces(name)
    if len(seen) > MAX_NAME:
        seen = f"{seen[: MAX_NAME - ENDING].rstrip()}…{seen[-ENDING:].lstrip()}"
    return breakable(seen, STRETCH)


def _told(name: str, value: str) -> tuple[str, int]:
    """A header in words, and how long they may be. Of people as many are named as fit, each with the whole address."""
    if name.lower() not in PEOPLE:
        return tidy_spaces(value), LONGEST_HEADER
    texts = (people_text(value, most) for most in range(MAX_SHOWN, 0, -1))
    return next((text for text in texts if len(text) <= LONGEST_HEADER), people_text(value, 1)), LONGEST_TIP


def _fill(label: QLabel, text: str, longest: int = LONGEST_HEADER) -> None:
    """Long ones are cut, so that a header can't push the message off the screen; all of it is in the tooltip."""
    label.setText(text if len(text) <= longest else text[:longest].rstrip() + "…")
    label.setToolTip(plain_tip(text[:LONGEST_TIP]) if len(text) > LONGEST_HEADER else "")


def _mail_label() -> QLabel:
    """For words of a mail: they stand beside their heading, whatever language they are in."""
    label = selectable_label(by_keyboard=True)
    label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignTop)
    return label
