"""Messages of a command line, tokenized: by several processes where there are many.

Each process numbers words for itself and sends each word once; here its numbers are turned into the vocabulary's.
Batches come back in order, so the vocabulary grows exactly as if one process had read everything.

The processes are forked before numpy is loaded, hence the late imports: it starts threads, and a process with threads
can't be forked safely.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import TYPE_CHECKING, NamedTuple

from nbmail.cli.sources import Source
from nbmail.core.reading.mail import Heading, heading_of, parse
from nbmail.core.reading.tokenizer import Taken, Tokenizer
from nbmail.errors import ErrorCode, KnownError
from nbmail.store.mail.identity import identify

if TYPE_CHECKING:
    from nbmail.core.counting.sample import Sample, Vocabulary

BATCH = 50
PIPE_BYTES = 1 << 20
# Who numbers words where no other process does.
HERE = -1
# Fewer messages are read before another process has started.
WORTH_A_PROCESS = 400
MOST_PROCESSES = 4
_NO_HEADING = Heading("", "", 0.0, 0, False)


class SampledMessage(NamedTuple):
    """A message as a sample of the vocabulary. `number` is its place in an mbox file, from 1, 0 in other files.

    Identity and heading are there if they were asked for.
    """

    source: Source
    sample: Sample
    number: int
    identity: bytes
    heading: Heading

    @property
    def name(self) -> str:
        """How the command line speaks of it."""
        return f"{self.source.path}:{self.number}" if self.number else str(self.source.path)


@dataclass(frozen=True, slots=True)
class _Batch:
    """Messages taken apart, and for each the place of its source, its number there, identity and heading."""

    taken: list[Taken]
    about: list[tuple[int, int, bytes, Heading]]
    new_words: list[str]


def _read(sources: Sequence[Source], tokenizer: Tokenizer, whole: bool) -> _Batch:
    taken: list[Taken] = []
    about: list[tuple[int, int, bytes, Heading]] = []
    for place, source in enumerate(sources):
        for number, raw in source.read():
            mail = parse(raw)
            taken.append(tokenizer.take(mail))
            about.append((place, number, *((identify(raw), heading_of(mail)) if whole else (b"", _NO_HEADING))))
    return _Batch(taken, about, tokenizer.new_words())


@contextmanager
def start_reading(sources: Sequence[Source], *, whole: bool) -> Iterator[Reading]:
    """Begin to tokenize messages. `whole` asks for identities and headings too, which only what is kept needs."""
    collected = gc.isenabled()
    # Hundreds of thousands of words and numbers, and no rings: looking for those took a tenth of the time.
    gc.disable()
    # Nothing here multiplies matrices: starting threads for it took numpy as long as all else it does at its start.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    reading = Reading(sources, whole=whole)
    try:
        reading.start()
        yield reading
    finally:
        reading.end()
        if collected:
            gc.enable()


class Reading:
    """Messages being tokenized; `messages` hands them over."""

    def __init__(self, sources: Sequence[Source], *, whole: bool) -> None:
        self._whole = whole
        self._pieces = list(_pieces(sources))
        self._processes = processes_for(sum(source.messages for source in sources))
        self._helpers: list[tuple[BaseProcess, Connection]] = []

    def messages(self, vocabulary: Vocabulary) -> Iterator[SampledMessage]:
        """The messages in order. New words grow the vocabulary."""
        from nbmail.core.counting.sample import Joiner

        joiners = {helper: Joiner(vocabulary) for helper in (HERE, *range(self._processes))}
        for sources, (helper, batch) in zip(self._pieces, self._batches(), strict=True):
            samples = joiners[helper].join(batch.new_words, batch.taken)
            for about, sample in zip(batch.about, samples, strict=True):
                yield SampledMessage(sources[about[0]], sample, *about[1:])

    def start(self) -> None:
        """Start the processes."""
        try:
            for place in range(self._processes):
                self._start(place)
        except OSError:
            # No more processes or files are given to us: it takes longer without.
            self.end()
            self._processes = 0

    def end(self) -> None:
        """End all processes, also those that are still at work."""
        for process, channel in self._helpers:
            channel.close()
            process.terminate()
            process.join()
        self._helpers = []

    def _start(self, place: int) -> None:
        import fcntl

        context = multiprocessing.get_context("fork")
        ours, theirs = context.Pipe(duplex=False)
        # A process may be some batches ahead while the other end writes to the disk; smaller pipes work too.
        with suppress(OSError):
            fcntl.fcntl(theirs.fileno(), fcntl.F_SETPIPE_SZ, PIPE_BYTES)
        chunks = self._pieces[place :: self._processes]
        others = [ours, *(channel for _, channel in self._helpers)]
        process = context.Process(target=_work, args=(chunks, self._whole, theirs, others), daemon=True)
        try:
            process.start()
        except OSError:
            ours.close()
            raise
        finally:
            theirs.close()
        self._helpers.append((process, ours))

    def _batches(self) -> Iterator[tuple[int, _Batch]]:
        """The batches in their order, each with who numbered its words: a process, or nobody but this one."""
        tokenizer = Tokenizer()
        for place, sources in enumerate(self._pieces):
            helper = place % len(self._helpers) if self._helpers else HERE
            reply = self._reply(helper)
            yield (helper, reply) if reply is not None else (HERE, _read(sources, tokenizer, self._whole))

    def _reply(self, helper: int) -> _Batch | None:
        """What a process answers next; None if there is none, or it was ended, as by a system without memory."""
        if helper == HERE:
            return None
        try:
            reply: _Batch | tuple[ErrorCode, str] = self._helpers[helper][1].recv()
        except (EOFError, OSError):
            return None
        if isinstance(reply, tuple):
            raise KnownError(*reply)
        return reply


def processes_for(messages: int) -> int:
    """How many processes to read with; 0: this one alone. Where forking isn't sound, as on macOS, never more."""
    if messages < WORTH_A_PROCESS or sys.platform != "linux" or "numpy" in sys.modules:
        return 0
    return min(len(os.sched_getaffinity(0)), MOST_PROCESSES)


def _pieces(sources: Sequence[Source]) -> Iterator[list[Source]]:
    """The sources in pieces of about as many messages each."""
    chunk: list[Source] = []
    messages = 0
    for source in sources:
        chunk.append(source)
        messages += source.messages
        if messages >= BATCH:
            yield chunk
            chunk, messages = [], 0
    if chunk:
        yield chunk


def _work(chunks: Sequence[Sequence[Source]], whole: bool, channel: Connection, others: Sequence[Connection]) -> None:
    """What a process does: send one reply for each piece."""
    # Copies of the ends that the program reads from: as long as they are open, nobody here sees that it is gone.
    for other in others:
        other.close()
    try:
        tokenizer = Tokenizer()
        for sources in chunks:
            channel.send(_read(sources, tokenizer, whole))
    except KnownError as error:
        channel.send((error.error_code, error.detail))
    except (BrokenPipeError, KeyboardInterrupt):
        # Ctrl+C reaches every process; the one that was called says so.
        return
