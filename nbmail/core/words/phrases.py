"""Phrases of the user: words that count together."""

from __future__ import annotations

from collections.abc import Sequence

from nbmail.core.mail.message import Mail
from nbmail.core.words.message_texts import read_texts
from nbmail.core.words.splitting import split_words

PHRASE = "phrase:"
"""Place of the user's phrases, before the words of one."""
LONGEST_PHRASE = 100


def phrase_of(text: str) -> str:
    """Return the words of a phrase as they follow each other in the text of a message.

    Empty if the text can't be a phrase.
    """
    words = split_words(text)
    phrase = " ".join(words)
    return phrase if len(words) > 1 and len(phrase) <= LONGEST_PHRASE else ""


def count_phrases(mail: Mail, phrases: Sequence[str]) -> dict[str, int]:
    """Count the phrases in the text of a message, without those that it doesn't contain."""
    if not phrases:
        return {}
    # Two spaces between words: a phrase can follow another without a word in between.
    text = f" {'  '.join(split_words(read_texts(mail).text))} "
    found: dict[str, int] = {}
    for phrase in phrases:
        count = text.count(f" {phrase.replace(' ', '  ')} ")
        if count:
            found[phrase] = count
    return found
