"""Texts and labels of the headers of a message."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QLabel

from nbmail.ui.kit.language import tr
from nbmail.ui.kit.people import MAX_SHOWN, addresses_of, people_text
from nbmail.ui.kit.plain_text import INVISIBLE, breakable, plain_name, plain_tip, selectable_label

LONGEST_HEADER = 160
LONGEST_READ = 8_000
"""Maximum number of letters of a header that are read; a header may have a million."""
LONGEST_TIP = 2000
PEOPLE = frozenset({"from", "to", "cc", "bcc", "reply-to", "sender"})
MAX_NAME = 60
"""Maximum number of shown characters of a file's name. Longer names lose their middle, not their extension."""
ENDING = 24
STRETCH = 18
"""Letters after which a name without spaces may be broken."""


def header_name(name: str) -> str:
    """Return the shown name of a header."""
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


def header_text(name: str, value: str) -> tuple[str, int]:
    """Return the text of a header and its maximum length. As many people are named as fit, with full addresses."""
    if name.lower() not in PEOPLE:
        return tidy_spaces(value), LONGEST_HEADER
    texts = (people_text(value, most) for most in range(MAX_SHOWN, 0, -1))
    return next((text for text in texts if len(text) <= LONGEST_HEADER), people_text(value, 1)), LONGEST_TIP


def fill_label(label: QLabel, text: str, longest: int = LONGEST_HEADER) -> None:
    """Set a label's text, cut to `longest` letters. The tooltip contains the full text."""
    label.setText(text if len(text) <= longest else text[:longest].rstrip() + "…")
    label.setToolTip(plain_tip(text[:LONGEST_TIP]) if len(text) > LONGEST_HEADER else "")


def offer_addresses(label: QLabel, people: str) -> None:
    """Let the context menu of a label copy its selection and the addresses of people."""
    entries = [(tr("Copy"), label.selectedText)]
    for address in addresses_of(people):
        entries.append((tr("Copy {address}").format(address=plain_name(address)), partial(str, address)))
    for text, copied in entries:
        action = QAction(text, label)
        action.triggered.connect(partial(_copy, copied))
        label.addAction(action)
    label.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)


def _copy(text: Callable[[], str]) -> None:
    if copied := text():
        QGuiApplication.clipboard().setText(copied)


def mail_label() -> QLabel:
    """Return a label for texts of a mail, aligned to the left in every script."""
    label = selectable_label(by_keyboard=True)
    label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignTop)
    return label
