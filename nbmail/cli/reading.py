"""Messages of a command line, taken apart: by several processes where there are many.

Each process numbers words for itself and sends each word once; here its numbers are turned into the vocabulary's.
Chunks come back in order, so the vocabulary grows exactly as if one process had read everything.

The processes are forked before numpy is loaded: it starts threads, and a process with threads can't be forked safely.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import TYPE_CHECKING

from nbmail.cli.files import Source
from nbmail.errors import KnownError, Trouble

if TYPE_CHECKING:
    from nbmail.cli.chunks import Letter
    from nbmail.cli.taking import Chunk, Taker
    from nbmail.core.counting.sample import Vocabulary

CHUNK = 50
PIPE_BYTES = 1 << 20
# Who numbers words where no other process does.
HERE = -1
# Fewer messages are read before another process has started.
WORTH_A_PROCESS = 400


class Reading:
    """Messages being taken apart, from `with` on; `letters` hands them over, each as a sample of the vocabulary.

    `whole` asks for identities and heads too, which only what is kept needs.
    """

    def __init__(self, sources: Sequence[Source], *, whole: bool) -> None:
        self._whole = whole
        self._pieces = list(_pieces(sources))
        self._processes = processes_for(sum(source.messages for source in sources))
        self._helpers: list[tuple[BaseProcess, Connection]] = []
        self._collected = False

    def letters(self, vocabulary: Vocabulary, *, grow: bool) -> Iterator[Letter]:
        """The messages in order. New words grow the vocabulary, or are dropped."""
        from nbmail.cli.chunks import letters_of
        from nbmail.core.reading.vocabulary_joining import Joiner

        joiners = {binder: Joiner(vocabulary, grow=grow) for binder in (HERE, *range(self._processes))}
        for piece, (binder, chunk) in zip(self._pieces, self._chunks(), strict=True):
            yield from letters_of(piece, chunk, joiners[binder])

    def __enter__(self) -> Reading:
        """Begin."""
        self._collected = gc.isenabled()
        # Hundreds of thousands of words and numbers, and no rings: looking for those took a tenth of the time.
        gc.disable()
        # Nothing here multiplies matrices: starting threads for it took numpy as long as all else it does at its start.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        if self._processes:
            # Loaded once rather than by each process; and the kind of table is settled, which all have to share.
            import nbmail.cli.taking  # noqa: F401
        try:
            for place in range(self._processes):
                self._start(place)
        except OSError:
            # No more processes or files are given to us: it takes longer without.
            self._end_all()
            self._processes = 0
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End all processes, also those that are still at work."""
        if self._collected:
            gc.enable()
        self._end_all()

    def _end_all(self) -> None:
        for process, channel in self._helpers:
            channel.close()
            process.terminate()
            process.join()
        self._helpers = []

    def _start(self, place: int) -> None:
        context = multiprocessing.get_context("fork")
        ours, theirs = context.Pipe(duplex=False)
        _widen(theirs)
        pieces = self._pieces[place :: self._processes]
        others = [ours, *(channel for _, channel in self._helpers)]
        process = context.Process(target=_work, args=(pieces, self._whole, theirs, others), daemon=True)
        try:
            process.start()
        except OSError:
            ours.close()
            raise
        finally:
            theirs.close()
        self._helpers.append((process, ours))

    def _chunks(self) -> Iterator[tuple[int, Chunk]]:
        """The chunks in their order, each with who numbered its words: a process, or nobody but this one."""
        taker: Taker | None = None
        for place, piece in enumerate(self._pieces):
            helper = place % len(self._helpers) if self._helpers else HERE
            reply = self._reply(helper)
            if reply is not None:
                yield helper, reply
            else:
                taker = taker or _taker(self._whole)
                yield HERE, taker.take(piece)

    def _reply(self, helper: int) -> Chunk | None:
        """What a process answers next; None if there is none, or it was ended, as by a system without memory."""
        if helper == HERE:
            return None
        try:
            reply: Chunk | tuple[Trouble, str] = self._helpers[helper][1].recv()
        except (EOFError, OSError):
            return None
        if isinstance(reply, tuple):
            raise KnownError(*reply)
        return reply


def _pieces(sources: Sequence[Source]) -> Iterator[list[Source]]:
    """The sources in pieces of about as many messages each."""
    piece: list[Source] = []
    messages = 0
    for source in sources:
        piece.append(source)
        messages += source.messages
        if messages >= CHUNK:
            yield piece
            piece, messages = [], 0
    if piece:
        yield piece


def _widen(channel: Connection) -> None:
    """Let a process be some chunks ahead while the other end writes to the disk; smaller pipes work too."""
    import fcntl

    with suppress(OSError):
        fcntl.fcntl(channel.fileno(), fcntl.F_SETPIPE_SZ, PIPE_BYTES)


def processes_for(messages: int) -> int:
    """How many processes to read with; 0: this one alone. Where forking isn't sound, as on macOS, never more."""
    if messages < WORTH_A_PROCESS or sys.platform != "linux" or "numpy" in sys.modules:
        return 0
    return min(len(os.sched_getaffinity(0)), 4)


def _work(
    pieces: Sequence[Sequence[Source]],
    whole: bool,
    channel: Connection,
    others: Sequence[Connection],
) -> None:
    """What a process does: send one reply for each piece."""
    # Copies of the ends that the program reads from: as long as they are open, nobody here sees that it is gone.
    for other in others:
        other.close()
    try:
        taker = _taker(whole)
        for piece in pieces:
            channel.send(taker.take(piece))
    except KnownError as error:
        channel.send((error.trouble, error.detail))
    except (BrokenPipeError, KeyboardInterrupt):
        # Ctrl+C reaches every process; the one that was called says so.
        return


def _taker(whole: bool) -> Taker:
    from nbmail.cli.taking import Taker

    return Taker(whole)
