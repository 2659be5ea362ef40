"""Mail to clues: its words with their places, its facts and measures."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from nbmail.core.mail import Mail
from nbmail.core.sample import Clues

TOKENIZER_VERSION = 1
_WORD = re.compile(r"[\w$!'-]{2,24}")


@dataclass(frozen=True, slots=True)
class Choices:
    """What the user may choose about words: trust other filters' verdict headers, count neighbouring pairs."""

    verdict_headers: bool = False
    pairs: bool = False


def gather(mail: Mail, choices: Choices | None = None) -> Clues:
    """All the evidence of one message."""
    found: Counter[str] = Counter()
    found.update(f"subject:{word}" for word in _WORD.findall(mail.header("subject").lower()))
    found.update(f"from:{word}" for word in _WORD.findall(mail.header("from").lower()))
    for part in mail.texts:
        found.update(_WORD.findall(part.text.lower()))
    return Clues(tuple(found), tuple(found.values()), (mail.size,))
