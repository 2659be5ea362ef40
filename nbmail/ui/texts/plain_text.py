"""Untrusted text as the window can show it.

Mail, folder names and server replies may contain what Qt would render as HTML, and invisible
characters.
"""

import re
from html import escape

from nbmail.ui.texts.language import tr

MAX_PLAIN_TIP = 100
"""Characters of a tooltip without line wrapping.

Qt shows longer plain tooltips in one line as wide as the screen.
"""
INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f\ud800-\udfff]"
)
"""Invisible characters: direction marks, controls, tags.

Joiners are not included: scripts and emoji need them.
"""
BREAK = "\u200b"
"""Zero-width space: a possible line break."""
LONGEST_SUBJECT = 400


def visible(text: str, longest: int) -> str:
    """Return at most `longest` characters, without invisible ones.

    A direction mark makes "cod.exe" of "exe.doc".
    """
    read = 4 * longest
    shown = text[:read]
    if not (shown.isascii() and shown.isprintable()):
        shown = INVISIBLE.sub("", shown)
    if len(shown) <= longest and len(text) <= read:
        return shown
    return shown[:longest].rstrip() + "…"


def breakable(text: str, stretch: int) -> str:
    """Insert a possible line break after every `stretch` characters without whitespace."""
    return re.sub(rf"(\S{{{stretch}}})(?=\S)", rf"\1{BREAK}", text)


def join_sentences(*texts: str) -> str:
    return " ".join(text for text in texts if text)


def plain_tip(text: str) -> str:
    """Return a tooltip that shows the text literally, loads no pictures and wraps long lines."""
    is_plain = "<" not in text and "&" not in text
    if is_plain and len(text) < MAX_PLAIN_TIP:
        return text
    return f'<p style="white-space: pre-wrap">{escape(text)}</p>'


def plain_name(text: str) -> str:
    """Return the text of a button or an action, without a mnemonic."""
    return text.replace("&", "&&")


def subject_cell(subject: str) -> str:
    """Return the subject of a message as lists show it."""
    return " ".join(visible(subject, LONGEST_SUBJECT).split()) or tr("(no subject)")
