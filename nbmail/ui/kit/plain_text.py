"""Untrusted text on the screen. Mail, folder names and server replies may contain what Qt would
render as HTML.

No display name of a sender or recipient can be mistaken for an address, and none can hide the
address.
"""

import re
import unicodedata
from collections import deque
from collections.abc import Iterator
from functools import lru_cache
from html import escape
from itertools import islice
from typing import NamedTuple

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFont, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFormLayout, QLabel, QSizePolicy, QWidget

from nbmail.ui.kit.phrases import tr, tr_count
from nbmail.worker.protocol.messages import MessageText

MAX_PLAIN_TIP = 100
"""Characters of a tooltip without line wrapping. Qt shows longer plain tooltips in one line as wide
as the screen.
"""
INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f\ud800-\udfff]"
)
"""Invisible characters: direction marks, controls, tags. Joiners are not included: scripts and
emoji need them.
"""
BREAK = "\u200b"
"""Zero-width space: a possible line break."""
_LINE = int(Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter) | int(
    Qt.TextFlag.TextSingleLine
)
LEFT = _LINE | int(Qt.AlignmentFlag.AlignLeft)
RIGHT = _LINE | int(Qt.AlignmentFlag.AlignRight)
"""Flags for one painted line of text. Without `AlignAbsolute`, Hebrew text would be on the opposite
side.
"""
MIN_ELIDED_WIDTH = 24
"""Minimum width of an `ElidedLabel` in pixels: room for an ellipsis."""


def visible(text: str, longest: int) -> str:
    """Return at most `longest` characters, without invisible ones: a direction mark makes "cod.exe"
    of "exe.doc".
    """
    some = text[: 4 * longest]
    some = some if some.isascii() and some.isprintable() else INVISIBLE.sub("", some)
    return (
        some if len(some) <= longest and len(text) <= 4 * longest else some[:longest].rstrip() + "…"
    )


def breakable(text: str, stretch: int) -> str:
    """Insert a possible line break after every `stretch` characters without whitespace."""
    return re.sub(rf"(\S{{{stretch}}})(?=\S)", rf"\1{BREAK}", text)


def join_sentences(*texts: str) -> str:
    return " ".join(text for text in texts if text)


def plain_tip(text: str) -> str:
    """Return a tooltip that shows the text literally, loads no pictures and wraps long lines."""
    if len(text) < MAX_PLAIN_TIP and not any(sign in text for sign in "<&"):
        return text
    return f'<p style="white-space: pre-wrap">{escape(text)}</p>'


def plain_label(text: str = "", kind: str = "") -> QLabel:
    """Return a label that shows its text literally. `kind` selects the style: "title" or
    "muted".
    """
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    if kind:
        label.setProperty(kind, True)
    return label


def wrapping_label(text: str = "", kind: str = "") -> QLabel:
    label = plain_label(text, kind)
    label.setWordWrap(True)
    return label


def show_text(label: QLabel, text: str) -> None:
    """Set the text of a label. Without a text, the label is hidden."""
    label.setText(text)
    label.setVisible(bool(text))


def enlarge(label: QLabel, times: float) -> QLabel:
    """Turn a label into a heading with a font `times` as large."""
    font = QFont(label.font())
    font.setPointSizeF(font.pointSizeF() * times)
    font.setWeight(QFont.Weight.DemiBold)
    label.setFont(font)
    return label


def selectable_label(*, by_keyboard: bool = False) -> QLabel:
    """Return a wrapping label of any width with selectable text."""
    label = wrapping_label()
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
    keyboard = (
        Qt.TextInteractionFlag.TextSelectableByKeyboard
        if by_keyboard
        else Qt.TextInteractionFlag(0)
    )
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse | keyboard)
    return label


class ElidedLabel(QLabel):
    """Label of one line that ends in an ellipsis; the tooltip and `text()` are the whole text.
    Signals: `clicked()`.
    """

    clicked = Signal()

    def __init__(self, text: str = "", *, greedy: bool = True) -> None:
        super().__init__(text)
        self.setTextFormat(Qt.TextFormat.PlainText)
        across = QSizePolicy.Policy.Ignored if greedy else QSizePolicy.Policy.Maximum
        self.setSizePolicy(across, QSizePolicy.Policy.Preferred)

    def minimumSizeHint(self) -> QSize:
        return QSize(MIN_ELIDED_WIDTH, super().minimumSizeHint().height())

    def shown(self) -> str:
        width = self.contentsRect().width()
        cut = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, width)
        return self.text() if self.wordWrap() else cut

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if self.rect().contains(event.position().toPoint()):
            self.clicked.emit()

    def event(self, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.ToolTip
            and not self.toolTip()
            and self.shown() != self.text()
        ):
            self.setToolTip(plain_tip(self.text()))
            handled = super().event(event)
            self.setToolTip("")
            return handled
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        shown = self.shown()
        if shown == self.text():
            super().paintEvent(event)
            return
        painter = QPainter(self)
        # In the direction of the text's script, so that the ellipsis is at its end.
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        area = self.contentsRect()
        role = self.foregroundRole()
        self.style().drawItemText(
            painter, area, LEFT, self.palette(), self.isEnabled(), shown, role
        )
        painter.end()


def plain_name(text: str) -> str:
    return text.replace("&", "&&")


def add_plain_row(
    form: QFormLayout, name: str, field: QWidget, named: QWidget | None = None
) -> None:
    """Add a row to a form. `named`: the widget inside `field` that gets the focus of the row's
    mnemonic.
    """
    form.addRow(name, field)
    label = form.labelForField(field)
    if isinstance(label, QLabel):
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setBuddy(named or field)
        # Qt limits the label to 7/4 of a line, which would place its text above the text of the
        # field.
        label.setMinimumHeight(field.sizeHint().height())


MAX_NAME = 60
MAX_ADDRESS = 120
MAX_SHOWN = 5
MAX_IN_TIP = 50
MOST_LETTERS = 4
LONGEST_DOMAIN = 60
LONGEST_SUBJECT = 400
# A header may have a million characters with the address at its end: each pattern reads each
# character once.
_QUOTED = r'"(?:[^"\\]|\\.)*+"'
_BRACKETED = r"<[^<>]*+>?+"
_CLOSED = re.compile(f'(?:[^"]|{_QUOTED})*+', re.DOTALL)
_ONE = re.compile(f'(?:{_QUOTED}|{_BRACKETED}|[^",<>]|>)++', re.DOTALL)
_QUOTED_OR_BRACKETED = re.compile(f"{_QUOTED}|{_BRACKETED}", re.DOTALL)
_ADDRESS_SIGNS = re.compile("[@\uff20\ufe6b]")


class Person(NamedTuple):
    """Display name, possibly empty, and address."""

    name: str
    address: str

    @property
    def is_deceptive(self) -> bool:
        """True if the name looks like an address and differs from the actual address."""
        return (
            bool(self.address and _ADDRESS_SIGNS.search(self.name))
            and self.name.lower() != self.address.lower()
        )

    @property
    def text(self) -> str:
        """Name and address, with a note if the name looks like another address."""
        if not self.name or not self.address or self.name == self.address:
            return self.address or self.name
        if self.is_deceptive:
            return tr("{address} (shown name: “{name}”)").format(
                address=self.address, name=self.name
            )
        return f"{self.name} <{self.address}>"


def read_person(written: str) -> Person:
    """Parse one person. The address is the text in the last angle brackets outside quotes."""
    last = deque(_brackets(written := _close(written)), maxlen=1)
    if not last:
        return Person("", _address(written))
    name = visible(
        " ".join(written[: min(last[0].start(), 8 * MAX_NAME)].split()).strip('" '), MAX_NAME
    )
    return Person(name, _address(last[0].group().strip("<>")))


def _close(written: str) -> str:
    """Remove a quote that is never closed and would hide all following text."""
    closed = _CLOSED.match(written)
    end = closed.end() if closed else 0
    return written[:end] + written[end:].replace('"', "")


def _brackets(written: str) -> Iterator[re.Match[str]]:
    return (
        found for found in _QUOTED_OR_BRACKETED.finditer(written) if written[found.start()] == "<"
    )


def _address(written: str) -> str:
    return visible(" ".join(written[: 8 * MAX_ADDRESS].split()), MAX_ADDRESS)


@lru_cache(maxsize=4)
def _each_of(written: str) -> list[str]:
    return [one for one in _ONE.findall(_close(written)) if one.strip()]


def people_text(written: str, most: int = MAX_SHOWN) -> str:
    """Return the people of a header: the first `most` and the number of all others."""
    found = _each_of(written)
    shown = ", ".join(read_person(one).text for one in found[:most])
    more = len(found) - most
    return f"{shown} {tr_count('and %n more', 'and %n more', more)}" if more > 0 else shown


def addresses_of(written: str) -> list[str]:
    found = (read_person(each).address for each in _each_of(written)[:MAX_SHOWN])
    return [address for address in found if "@" in address]


def sender_name(sender: str) -> str:
    """Return the name of a sender, or the address if there is no name or if the name looks like
    another address.
    """
    if len(list(islice(_brackets(_close(sender)), 2))) > 1:
        return people_text(sender)
    person = read_person(sender)
    return person.text if person.is_deceptive else person.name or person.address


def sender_cell(sender: str) -> str:
    """Return the sender of a message as lists show it."""
    return sender_name(sender) or tr("(no sender)")


def subject_cell(subject: str) -> str:
    return " ".join(visible(subject, LONGEST_SUBJECT).split()) or tr("(no subject)")


class SenderNote(NamedTuple):
    """A line of text. `kind`: "spam" for a warning, "ham" for a confirmation, otherwise
    "muted".
    """

    text: str
    kind: str = "muted"


def sender_notes(message: MessageText) -> list[SenderNote]:
    """Return what is known of the sender, warnings first."""
    check = message.sender
    notes = list[SenderNote]()
    quiet = list[str]()
    if sum(name.lower() == "from" for name, _ in message.headers) > 1:
        text = tr(
            "This message has several From headers. Other programs may show a different sender."
        )
        notes.append(SenderNote(text, "spam"))
    if check.lookalikes:
        named = ", ".join(map(_letter_text, check.lookalikes[:MOST_LETTERS]))
        text = tr("The sender contains letters that look like Latin letters: {letters}")
        notes.append(SenderNote(text.format(letters=named), "spam"))
    if check.domain:
        text = tr("✓ Mail server confirmed the domain {domain}")
        notes.append(SenderNote(text.format(domain=visible(check.domain, LONGEST_DOMAIN)), "ham"))
    elif check.domain is not None:
        quiet.append(tr("Sender not verified"))
    if check.first:
        quiet.append(tr("First message from this sender in nbmail"))
    return [*notes, SenderNote(" · ".join(quiet))] if quiet else notes


def _letter_text(letter: str) -> str:
    scripts = {"CYRILLIC": tr("Cyrillic"), "GREEK": tr("Greek"), "ARMENIAN": tr("Armenian")}
    script = scripts.get(unicodedata.name(letter, "").partition(" ")[0], f"U+{ord(letter):04X}")
    return tr("“{letter}” ({script})").format(letter=letter, script=script)
