"""Batches of tokenized messages, whichever process makes them."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from nbmail.cli.messages.sources import Source
from nbmail.core.mail.message import Heading, heading_of
from nbmail.core.mail.parser import parse
from nbmail.core.words.tokenizer import Tokenizer, Tokens
from nbmail.store.mail.identity import identify

BATCH = 50
"""Messages of a batch."""
_NO_HEADING = Heading("", "", 0.0, 0, False)


class About(NamedTuple):
    """What is known of a message besides its tokens. `source`: index of its source in the batch.

    Identity and heading are empty unless they were requested.
    """

    source: int
    identity: bytes
    heading: Heading


class TokenBatch(NamedTuple):
    """Tokenized messages. `process`: the one that numbered the words, 0 for the first process."""

    process: int
    taken: list[Tokens]
    about: list[About]
    new_words: list[str]


def batches_of(sources: Sequence[Source]) -> Iterator[list[Source]]:
    """Yield the sources in groups of about `BATCH` messages."""
    group: list[Source] = []
    messages = 0
    for source in sources:
        group.append(source)
        messages += source.messages
        if messages >= BATCH:
            yield group
            group = []
            messages = 0
    if group:
        yield group


def tokenize(
    sources: Sequence[Source], tokenizer: Tokenizer, process: int, *, whole: bool
) -> TokenBatch:
    """Tokenize the messages of some sources. `whole`: with identities and headings."""
    taken: list[Tokens] = []
    about: list[About] = []
    for index, source in enumerate(sources):
        for raw in source.read():
            mail = parse(raw)
            taken.append(tokenizer.read(mail))
            if whole:
                about.append(About(index, identify(raw), heading_of(mail)))
            else:
                about.append(About(index, b"", _NO_HEADING))
    return TokenBatch(process, taken, about, tokenizer.new_words())
