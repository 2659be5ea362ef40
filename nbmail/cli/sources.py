"""Sources of messages that a command line names, and their tokens, found in several processes if
there are many.

Each process numbers words itself and sends each word once; `Joiner` replaces its numbers by those
of the vocabulary. Batches are joined in order, so that the vocabulary grows exactly as if one
process had read everything.

`ProcessPoolExecutor` took the same time, but all its processes send through one pipe. If one of
them is killed while it sends, the executor waits forever for the rest.

On Linux the processes are forked before numpy is imported, hence the late imports. Numpy starts
threads, and a process with threads can't be forked safely.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import re
import signal
import sys
import threading
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from queue import Queue
from typing import TYPE_CHECKING, NamedTuple

from nbmail.core.mail.message import Heading, heading_of
from nbmail.core.mail.parser import parse
from nbmail.core.senders.trusted_servers import Trust, trust_named
from nbmail.core.words.tokenizer import Tokenizer, Tokens
from nbmail.errors import ErrorCode, KnownError
from nbmail.store.mail.identity import identify
from nbmail.sync.local.mail_files import files_below
from nbmail.sync.local.mbox_files import mbox_ranges, messages_in

if TYPE_CHECKING:
    from multiprocessing.context import ForkContext, SpawnContext

    from nbmail.core.counting.sample import Sample
    from nbmail.core.counting.vocabulary import Vocabulary


KNOWN_LABELS = ("spam", "ham")
# Names of spam and ham in earlier builds; nobody means a class of this name.
FORMER_LABELS = ("junk", "good")
# Larger mbox files are cut into parts of about this size, so that several processes can share them.
LARGE = 1_000_000
PART = 250_000
# The usual size of a message in an mbox file, to estimate their number.
_MESSAGE = 5000
# The headers of a bare message.
_KEPT = re.compile(
    rb"(?:from|to|subject|date|mime-version|content-type|content-transfer-encoding):", re.IGNORECASE
)


class Source(NamedTuple):
    """A file, or the part of an mbox file from byte `start` to `end`.

    `label`: class of its messages, if known. `single`: the file is one message, whatever its
    content looks like. `end`: 0 for a whole file. `messages`: estimated number. `bare`: most
    headers were dropped.
    """

    path: Path
    label: str = ""
    single: bool = False
    start: int = 0
    end: int = 0
    messages: int = 1
    bare: bool = False

    def read(self) -> Iterator[bytes]:
        try:
            for message in messages_in(self.path, self.start, self.end or None, single=self.single):
                if self.single or message.end > message.begin:
                    yield bare(message.raw) if self.bare else message.raw
        except OSError as error:
            raise unreadable(self.path, error) from error


def all_sources(paths: Sequence[Path], label: str = "") -> list[Source]:
    """Return the sources below these paths, files of a folder ordered by name."""
    found = [source for path in paths for source in _sources_in(path, label)]
    return _some(found, ", ".join(map(str, paths)))


def labelled_sources(index: Path) -> list[Source]:
    """Return the sources that an index names, with their classes, in its order."""
    found = [
        source
        for label, path in index_lines(index)
        for source in _sources_in(path, class_named(label))
    ]
    return _some(found, str(index))


def indexed_messages(index: Path, *, bare: bool = False) -> list[Source]:
    """Return one source for each line of an index in which every line names one message."""
    lines = index_lines(index)
    found = [Source(path, _known_class(label), single=True, bare=bare) for label, path in lines]
    return _some(found, str(index))


def bare(raw: bytes) -> bytes:
    """Return the message with From, To, Subject, Date and MIME headers: others show how a corpus
    was collected.
    """
    head, border, body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    fields = re.split(rb"\n(?![ \t])", head)
    return b"\n".join(field for field in fields if _KEPT.match(field)) + border + body


def index_lines(index: Path) -> Iterator[tuple[str, Path]]:
    """Yield the unchanged labels of an index with its paths, which are relative to the folder of
    the index.
    """
    try:
        content = index.read_bytes()
    except OSError as error:
        raise unreadable(index, error) from error
    for number, line in enumerate(content.decode("utf-8", "surrogateescape").splitlines(), 1):
        label, _, rest = line.strip().partition(" ")
        if label and (not rest.strip() or "\0" in rest):
            raise KnownError(ErrorCode.BAD_INPUT, f"{index}, line {number}: not LABEL PATH")
        if label:
            yield label, index.parent / rest.strip()


def class_named(label: str) -> str:
    """Return the class of a label. One that is not valid UTF-8 is an error."""
    try:
        label.encode()
    except UnicodeEncodeError as error:
        raise KnownError(ErrorCode.BAD_INPUT, f"the label {label} is no UTF-8") from error
    return _known_class(label)


def _known_class(label: str) -> str:
    """Return spam and ham in any spelling in small letters, and other classes unchanged."""
    lowered = label.lower()
    if lowered in FORMER_LABELS:
        raise KnownError(ErrorCode.BAD_INPUT, f"the label {label}: say spam / ham")
    return lowered if lowered in KNOWN_LABELS else label


def unreadable(path: Path, error: OSError) -> KnownError:
    missing = isinstance(error, FileNotFoundError | NotADirectoryError)
    return KnownError(
        ErrorCode.NOT_FOUND if missing else ErrorCode.BAD_INPUT, f"{path}: {error.strerror}"
    )


def _some(found: list[Source], named: str) -> list[Source]:
    if not found:
        raise KnownError(ErrorCode.BAD_INPUT, f"no messages in {named}")
    return found


def _sources_in(named: Path, label: str) -> Iterator[Source]:
    try:
        if named.exists() and not (named.is_file() or named.is_dir()):
            raise KnownError(ErrorCode.BAD_INPUT, f"{named}: neither a file nor a folder")
        for path, single in files_below(named):
            ranges = mbox_ranges(path, PART) if path.stat().st_size > LARGE and not single else []
            if len(ranges) < 2:
                yield Source(path, label, single)
            for start, end in ranges if len(ranges) > 1 else ():
                yield Source(
                    path, label, start=start, end=end, messages=(end - start) // _MESSAGE + 1
                )
    except OSError as error:
        raise unreadable(named, error) from error


BATCH = 50
# Batches that a process prepares ahead: about 0.3 s of work while the first process writes to the
# disk.
AHEAD = 16
MOST_PROCESSES = 4
# Fewer messages are read before other processes have started. A process that isn't forked imports
# everything again.
WORTH_FORKING = 400
WORTH_SPAWNING = 3000
_THIS_PROCESS = 0
_NO_HEADING = Heading("", "", 0.0, 0, False)


class SampledMessage(NamedTuple):
    """Message as a sample. `number`: from 1 in an mbox file, otherwise 0. `identity`, `heading`:
    only on request.
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
    """Tokenized messages; for each the index of its source, its identity and heading. `process`
    numbered the words.
    """

    process: int
    taken: list[Tokens]
    about: list[tuple[int, bytes, Heading]]
    new_words: list[str]


@contextmanager
def start_tokenizing(
    sources: Sequence[Source], *, whole: bool, trusted: Sequence[str] = ()
) -> Iterator[MessageTokenizer]:
    """Start to tokenize messages, `whole` ones with identities and headings. `trusted`: servers
    whose checks count.
    """
    collected = gc.isenabled()
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
        if collected:
            gc.enable()


class MessageTokenizer:
    """Tokenizes batches of messages in other processes, or in this one if there are none."""

    def __init__(self, sources: Sequence[Source], *, whole: bool, trust: Trust) -> None:
        self._whole = whole
        self._trust = trust
        self._chunks = list(_chunks(sources))
        self._wanted = processes_for(sum(source.messages for source in sources))
        self._processes: list[tuple[BaseProcess, Connection]] = []

    def messages(self, vocabulary: Vocabulary) -> Iterator[SampledMessage]:
        """Yield the messages in order. New words are added to the vocabulary. Raises `KnownError`
        without messages.
        """
        from nbmail.core.counting.sampling import Joiner

        if vocabulary.phrases:
            # The other processes started before the phrases were known.
            self.stop()
        joiners: defaultdict[int, Joiner] = defaultdict(lambda: Joiner(vocabulary))
        last = dict[Path, int]()
        none = True
        for sources, batch in zip(self._chunks, self._batches(vocabulary.phrases), strict=True):
            samples = joiners[batch.process].join(batch.new_words, batch.taken)
            numbers = _numbers(sources, (about[0] for about in batch.about), last)
            for (index, identity, heading), sample, number in zip(
                batch.about, samples, numbers, strict=True
            ):
                none = False
                yield SampledMessage(sources[index], sample, number, identity, heading)
        if none:
            raise KnownError(ErrorCode.BAD_INPUT, "no messages found in the given files")

    def start(self) -> None:
        """Start the processes. Each tokenizes every n-th chunk and sends the batches through its
        own pipe.
        """
        context = _context()
        try:
            for number in range(self._wanted):
                receiving, sending = context.Pipe(duplex=False)
                arguments = (
                    self._chunks[number :: self._wanted],
                    self._whole,
                    self._trust,
                    sending,
                )
                process = context.Process(target=_work, args=arguments, daemon=True)
                # The next process must not inherit this end: it shows here that the process has
                # ended.
                with sending:
                    process.start()
                self._processes.append((process, receiving))
        except OSError:
            # The system refused another process: this process alone takes longer.
            self.stop()

    def stop(self) -> None:
        for process, receiving in self._processes:
            receiving.close()
            process.terminate()
            process.join()
        self._processes = []

    def _batches(self, phrases: Sequence[str]) -> Iterator[_Batch]:
        tokenizer = Tokenizer(self._trust, phrases)
        for number, sources in enumerate(self._chunks):
            yield self._received(number) or _tokenize(
                sources, tokenizer, _THIS_PROCESS, self._whole
            )

    def _received(self, number: int) -> _Batch | None:
        """Return a batch of another process; None if there is no process, or it was killed."""
        found: _Batch | KnownError | None = None
        with suppress(EOFError, OSError):
            found = (
                self._processes[number % len(self._processes)][1].recv()
                if self._processes
                else None
            )
        if isinstance(found, KnownError):
            raise found
        return found


def _numbers(
    sources: Sequence[Source], indexes: Iterable[int], last: dict[Path, int]
) -> Iterator[int]:
    """Yield each message's number in its file. `indexes`: their sources. `last`: last number of
    files read in parts.
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
    """Return the number of processes for about this many messages; 0: tokenize them in this
    process.
    """
    forks = _start_method() == "fork"
    if messages < (WORTH_FORKING if forks else WORTH_SPAWNING) or (
        forks and "numpy" in sys.modules
    ):
        return 0
    processors = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return min(processors, MOST_PROCESSES)


def _start_method() -> str:
    # Elsewhere the system's own libraries start threads, so that forking isn't safe.
    return "fork" if sys.platform == "linux" else "spawn"


def _context() -> ForkContext | SpawnContext:
    return (
        multiprocessing.get_context("fork")
        if _start_method() == "fork"
        else multiprocessing.get_context("spawn")
    )


def _chunks(sources: Sequence[Source]) -> Iterator[list[Source]]:
    chunk: list[Source] = []
    messages = 0
    for source in sources:
        chunk.append(source)
        messages += source.messages
        if messages >= BATCH:
            yield chunk
            chunk = []
            messages = 0
    if chunk:
        yield chunk


def _tokenize(sources: Sequence[Source], tokenizer: Tokenizer, process: int, whole: bool) -> _Batch:
    taken: list[Tokens] = []
    about: list[tuple[int, bytes, Heading]] = []
    for index, source in enumerate(sources):
        for raw in source.read():
            mail = parse(raw)
            taken.append(tokenizer.read(mail))
            about.append(
                (index, identify(raw), heading_of(mail)) if whole else (index, b"", _NO_HEADING)
            )
    return _Batch(process, taken, about, tokenizer.new_words())


def _work(
    chunks: Sequence[Sequence[Source]], whole: bool, trust: Trust, sending: Connection
) -> None:
    """Tokenize chunks in another process. A thread sends the batches, so that work continues while
    the pipe is full.
    """
    gc.disable()
    # Ctrl+C reaches every process; the first one ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    batches: Queue[_Batch | KnownError | None] = Queue(AHEAD)

    def send() -> None:
        while (batch := batches.get()) is not None:
            sending.send(batch)

    sender = threading.Thread(target=send)
    sender.start()
    tokenizer = Tokenizer(trust)
    process = os.getpid()
    try:
        for sources in chunks:
            batches.put(_tokenize(sources, tokenizer, process, whole))
    except KnownError as error:
        batches.put(error)
    batches.put(None)
    sender.join()


def _end_with_parent() -> None:
    """Exit when the first process is gone, however it ended. Other processes have copies of the
    pipes.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
