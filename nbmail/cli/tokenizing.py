"""Tokenize the messages of a command line, in several processes if there are many.

Each process numbers words itself and sends each word once; `Joiner` replaces its numbers by those of the vocabulary.
Batches are joined in order, so that the vocabulary grows exactly as if one process had read everything.

On Linux the processes are forked before numpy is imported, hence the late imports. Numpy starts threads, and a process
with threads can't be forked safely.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from nbmail.cli.sources import Source
from nbmail.core.reading.mail import Heading, heading_of, parse
from nbmail.core.reading.tokenizer import Tokenizer, Tokens
from nbmail.errors import ErrorCode, KnownError
from nbmail.store.mail.identity import identify

if TYPE_CHECKING:
    from nbmail.core.counting.sample import Sample, Vocabulary

BATCH = 50
# Batches submitted ahead for each process: about 0.3 s of work while this process writes to the disk.
AHEAD = 16
MOST_PROCESSES = 4
# Fewer messages are read before other processes have started. A process that isn't forked imports everything again.
WORTH_FORKING, WORTH_SPAWNING = 400, 3000
_THIS_PROCESS = 0
_NO_HEADING = Heading("", "", 0.0, 0, False)


class SampledMessage(NamedTuple):
    """A message as a sample of the vocabulary. `number` counts the messages of an mbox file from 1, 0 in other files.

    `identity` and `heading` are empty unless requested.
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


class _Batch(NamedTuple):
    """Tokenized messages; for each the index of its source, its identity and heading. `process` numbered the words."""

    process: int
    taken: list[Tokens]
    about: list[tuple[int, bytes, Heading]]
    new_words: list[str]


@contextmanager
def start_tokenizing(sources: Sequence[Source], *, whole: bool) -> Iterator[MessageTokenizer]:
    """Start to tokenize messages. `whole`: with identities and headings, which only stored messages need."""
    collected = gc.isenabled()
    # There are millions of objects and no reference cycles: the collector took a tenth of the time.
    gc.disable()
    # Nothing here multiplies matrices: starting the threads of BLAS took half of the time of importing numpy.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    tokenizer = MessageTokenizer(sources, whole=whole)
    try:
        tokenizer.start()
        yield tokenizer
    finally:
        tokenizer.stop()
        if collected:
            gc.enable()


class MessageTokenizer:
    """Tokenizes batches of messages in other processes, or in this one if there are none."""

    def __init__(self, sources: Sequence[Source], *, whole: bool) -> None:
        self._whole = whole
        self._chunks = list(_chunks(sources))
        self._processes = processes_for(sum(source.messages for source in sources))
        self._executor: ProcessPoolExecutor | None = None
        self._submitted: deque[Future[_Batch]] = deque()
        self._waiting = iter(self._chunks)

    def messages(self, vocabulary: Vocabulary) -> Iterator[SampledMessage]:
        """Yield the messages in order. New words are added to the vocabulary. Raises `KnownError` without messages."""
        from nbmail.core.counting.sample import Joiner

        joiners: defaultdict[int, Joiner] = defaultdict(lambda: Joiner(vocabulary))
        last, none = dict[Path, int](), True
        for sources, batch in zip(self._chunks, self._batches(), strict=True):
            samples = joiners[batch.process].join(batch.new_words, batch.taken)
            numbers = _numbers(sources, (about[0] for about in batch.about), last)
            for (index, identity, heading), sample, number in zip(batch.about, samples, numbers, strict=True):
                none = False
                yield SampledMessage(sources[index], sample, number, identity, heading)
        if none:
            raise KnownError(ErrorCode.BAD_INPUT, "no messages found in the given files")

    def start(self) -> None:
        """Start the processes and submit the first batches."""
        if not self._processes:
            return
        context = multiprocessing.get_context(_start_method())
        self._executor = ProcessPoolExecutor(self._processes, context, _prepare_process)
        try:
            self._submit()
        except (OSError, RuntimeError):
            # The system refused another process or thread: this process alone takes longer.
            self.stop()

    def stop(self) -> None:
        """End all processes, even while they work."""
        executor, self._executor = self._executor, None
        if executor is not None:
            self._submitted.clear()
            for process in multiprocessing.active_children():
                process.terminate()
            executor.shutdown(cancel_futures=True)

    def _submit(self) -> None:
        while self._executor and len(self._submitted) < self._processes * AHEAD:
            sources = next(self._waiting, None)
            if sources is None:
                return
            self._submitted.append(self._executor.submit(_tokenize_there, sources, self._whole))

    def _batches(self) -> Iterator[_Batch]:
        tokenizer = Tokenizer()
        for sources in self._chunks:
            yield self._result() or _tokenize(sources, tokenizer, _THIS_PROCESS, self._whole)

    def _result(self) -> _Batch | None:
        """Return the next batch of the other processes; None if there are none, or one was killed."""
        if self._executor is None:
            return None
        try:
            found = self._submitted.popleft().result()
            self._submit()
        except BrokenProcessPool:
            self.stop()
            return None
        return found


def _numbers(sources: Sequence[Source], indexes: Iterable[int], last: dict[Path, int]) -> Iterator[int]:
    """Yield the number of each message in its file; `indexes` are those of their sources, in order.

    `last`: the last number in each file that is read in parts.
    """
    counts = Counter(indexes)
    for index, source in enumerate(sources):
        count = counts[index]
        if source.end:
            first = last.get(source.path, 0) if source.start else 0
            last[source.path] = first + count
            yield from range(first + 1, first + count + 1)
        else:
            yield from range(1, count + 1) if count > 1 else [0] * count


def processes_for(messages: int) -> int:
    """Return the number of processes for about this many messages; 0: tokenize them in this process."""
    forks = _start_method() == "fork"
    if messages < (WORTH_FORKING if forks else WORTH_SPAWNING) or (forks and "numpy" in sys.modules):
        return 0
    return min(_processors(), MOST_PROCESSES)


def _start_method() -> str:
    # Elsewhere the system's own libraries start threads, so that forking isn't safe.
    return "fork" if sys.platform == "linux" else "spawn"


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def _chunks(sources: Sequence[Source]) -> Iterator[list[Source]]:
    """Yield the sources in chunks of about `BATCH` messages."""
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


def _tokenize(sources: Sequence[Source], tokenizer: Tokenizer, process: int, whole: bool) -> _Batch:
    taken: list[Tokens] = []
    about: list[tuple[int, bytes, Heading]] = []
    for index, source in enumerate(sources):
        for raw in source.read():
            mail = parse(raw)
            taken.append(tokenizer.read(mail))
            about.append((index, identify(raw), heading_of(mail)) if whole else (index, b"", _NO_HEADING))
    return _Batch(process, taken, about, tokenizer.new_words())


@cache
def _tokenizer_of_process() -> Tokenizer:
    return Tokenizer()


def _tokenize_there(sources: Sequence[Source], whole: bool) -> _Batch:
    """Tokenize a batch in another process."""
    return _tokenize(sources, _tokenizer_of_process(), os.getpid(), whole)


def _prepare_process() -> None:
    gc.disable()
    # Ctrl+C reaches every process; the first one ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Exit when the first process is gone, however it ended: the queues of an executor don't show that."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
