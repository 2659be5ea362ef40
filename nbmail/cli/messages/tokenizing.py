"""Tokens of the messages that a command line names, in order, as samples of a vocabulary.

Many messages are tokenized in several processes. Each numbers words itself and sends each word
once; `Joiner` replaces its numbers by those of the vocabulary. Batches are joined in order, so that
the vocabulary grows exactly as if one process had read everything.
"""

from __future__ import annotations

import gc
import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from nbmail.cli.messages.sources import Source
from nbmail.cli.messages.token_batches import TokenBatch, batches_of, tokenize
from nbmail.cli.messages.token_processes import TokenProcesses, processes_for
from nbmail.core.mail.message import Heading
from nbmail.core.senders.trusted_servers import Trust, trust_named
from nbmail.core.words.tokenizer import Tokenizer
from nbmail.errors import ErrorCode, KnownError

if TYPE_CHECKING:
    from nbmail.core.counting.sample import Sample
    from nbmail.core.counting.vocabulary import Vocabulary

_THIS_PROCESS = 0


class SampledMessage(NamedTuple):
    """Message as a sample.

    `number`: from 1 in an mbox file, otherwise 0. `identity`, `heading`: only on request.
    """

    source: Source
    sample: Sample
    number: int
    identity: bytes
    heading: Heading

    @property
    def name(self) -> str:
        """Path and number, as the command line prints them."""
        return f"{self.source.path}:{self.number}" if self.number else str(self.source.path)


@contextmanager
def start_tokenizing(
    sources: Sequence[Source], *, whole: bool, trusted: Sequence[str] = ()
) -> Iterator[MessageTokenizer]:
    """Start to tokenize messages, `whole` ones with identities and headings.

    `trusted`: servers whose checks count.
    """
    was_collecting = gc.isenabled()
    # There are millions of objects and no reference cycles: the collector took a tenth of the time.
    gc.disable()
    # Nothing here multiplies matrices: starting the threads of BLAS took half of the time of
    # importing numpy.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    tokenizer = MessageTokenizer(sources, whole=whole, trust=trust_named(trusted))
    try:
        tokenizer.start()
        yield tokenizer
    finally:
        tokenizer.stop()
        if was_collecting:
            gc.enable()


class MessageTokenizer:
    """Tokenizes batches of messages in other processes, or in this one if there are none."""

    def __init__(self, sources: Sequence[Source], *, whole: bool, trust: Trust) -> None:
        self._whole = whole
        self._trust = trust
        self._groups = list(batches_of(sources))
        self._messages = sum(source.messages for source in sources)
        self._processes = TokenProcesses()

    def start(self) -> None:
        count = processes_for(self._messages)
        self._processes.start(self._groups, self._trust, whole=self._whole, count=count)

    def stop(self) -> None:
        self._processes.stop()

    def messages(self, vocabulary: Vocabulary) -> Iterator[SampledMessage]:
        """Yield the messages in order. New words are added to the vocabulary.

        Raises `KnownError` without messages.
        """
        from nbmail.core.counting.sampling import Joiner

        if vocabulary.phrases:
            # The other processes started before the phrases were known.
            self.stop()
        joiners: defaultdict[int, Joiner] = defaultdict(lambda: Joiner(vocabulary))
        numbering = _Numbering()
        none = True
        batches = self._batches(vocabulary.phrases)
        for sources, batch in zip(self._groups, batches, strict=True):
            samples = joiners[batch.process].join(batch.new_words, batch.taken)
            numbers = numbering.numbers(sources, (one.source for one in batch.about))
            for about, sample, number in zip(batch.about, samples, numbers, strict=True):
                none = False
                source = sources[about.source]
                yield SampledMessage(source, sample, number, about.identity, about.heading)
        if none:
            raise KnownError(ErrorCode.BAD_INPUT, "no messages found in the given files")

    def _batches(self, phrases: Sequence[str]) -> Iterator[TokenBatch]:
        tokenizer = Tokenizer(self._trust, phrases)
        for number, sources in enumerate(self._groups):
            batch = self._processes.receive(number)
            yield batch or tokenize(sources, tokenizer, _THIS_PROCESS, whole=self._whole)


class _Numbering:
    """Numbers messages within their files, also of files that are read in parts."""

    def __init__(self) -> None:
        self._last: dict[Path, int] = {}

    def numbers(self, sources: Sequence[Source], indexes: Iterable[int]) -> Iterator[int]:
        """Yield the number of each message, 0 for the only one of a file.

        `indexes`: index of the source of each message.
        """
        counts = Counter(indexes)
        for index, source in enumerate(sources):
            count = counts[index]
            if source.end:
                first = self._last.get(source.path, 0) if source.start else 0
                self._last[source.path] = first + count
                yield from range(first + 1, first + count + 1)
            elif count > 1:
                yield from range(1, count + 1)
            else:
                yield from [0] * count
