"""Foreign text on the screen: mail, folders, servers and files may hold what Qt would read as a page of HTML."""

import re
from html import escape

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFormLayout, QLabel, QSizePolicy, QWidget

WRAPS_FROM = 100
"""Characters from which on a tooltip is given lines; Qt shows plain ones in one line as wide as the screen."""
UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f\ud800-\udfff]"
)
"""Letters that nobody sees: marks of direction, controls, tags. Those that join letters and signs are none of them."""
BREAK = "\u200b"
"""Where a line may end, and nothing is seen."""
_LINE = int(Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter) | int(Qt.TextFlag.TextSingleLine)
LEFT, RIGHT = _LINE | int(Qt.AlignmentFlag.AlignLeft), _LINE | int(Qt.AlignmentFlag.AlignRight)
"""How a painter writes one line at either side of an area. Without `AlignAbsolute` Hebrew would change sides."""


def visible(text: str, longest: int) -> str:
    """Foreign text as it is written, no longer than that: without marks that turn the direction of what follows.

    They make "cod.exe" of a name that ends in "exe.doc", and somebody's address of another's.
    """
    some = text[: 4 * longest]
    some = some if some.isascii() and some.isprintable() else UNSEEN.sub("", some)
    return some if len(some) <= longest and len(text) <= 4 * longest else some[:longest].rstrip() + "…"


def breakable(text: str, stretch: int) -> str:
    """The text with places where a line may end in what has none for so many letters: none of it is beyond the edge."""
    return re.sub(rf"(\S{{{stretch}}})(?=\S)", rf"\1{BREAK}", text)


def join_sentences(*texts: str) -> str:
    """Those of the texts that say something, one after the other."""
    return " ".join(text for text in texts if text)


def plain_tip(text: str) -> str:
    """The text as a tooltip that shows it letter by letter: a picture it names is not loaded, its long lines wrap."""
    if len(text) < WRAPS_FROM and not any(sign in text for sign in "<&"):
        return text
    return f'<p style="white-space: pre-wrap">{escape(text)}</p>'


def plain_label(text: str = "", kind: str = "") -> QLabel:
    """A label that shows its text letter by letter; the style sheet knows it by its `kind`: title, muted."""
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    if kind:
        label.setProperty(kind, True)
    return label


def wrapping_label(text: str = "", kind: str = "") -> QLabel:
    """One that takes as many lines as it needs."""
    label = plain_label(text, kind)
    label.setWordWrap(True)
    return label


def enlarge(label: QLabel, times: float) -> QLabel:
    """Make it a heading, so many times as large as other texts."""
    font = QFont(label.font())
    font.setPointSizeF(font.pointSizeF() * times)
    font.setWeight(QFont.Weight.DemiBold)
    label.setFont(font)
    return label


def selectable_label(*, by_keyboard: bool = False) -> QLabel:
    """A plain label of as many lines as it needs in whatever width there is; its words can be selected."""
    label = plain_label()
    label.setWordWrap(True)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
    keyboard = Qt.TextInteractionFlag.TextSelectableByKeyboard if by_keyboard else Qt.TextInteractionFlag(0)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse | keyboard)
    return label


def plain_name(text: str) -> str:
    """The text as the name of an action or a button, where a single ampersand would be swallowed."""
    return text.replace("&", "&&")


def add_plain_row(form: QFormLayout, name: str, field: QWidget, named: QWidget | None = None) -> None:
    """A row of a form whose name is shown letter by letter; of several in it `named` is what the name belongs to."""
    form.addRow(name, field)
    label = form.labelForField(field)
    if isinstance(label, QLabel):
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setBuddy(named or field)
        # Qt makes it at most seven quarters of a line high, which leaves it above the words of the field.
        label.setMinimumHeight(field.sizeHint().height())
