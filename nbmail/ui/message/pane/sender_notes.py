"""Notes about the sender of a message."""

import unicodedata
from typing import NamedTuple

from nbmail.ui.texts.language import tr
from nbmail.ui.texts.plain_text import visible
from nbmail.worker.protocol.messages import MessageText

MOST_LETTERS = 4
LONGEST_DOMAIN = 60


class SenderNote(NamedTuple):
    """A line of text. `kind`: "spam" for warnings, "ham" for confirmations, otherwise "muted"."""

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
