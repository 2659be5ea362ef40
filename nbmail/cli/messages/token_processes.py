"""Processes that tokenize messages, each with its own pipe to the first process.

`ProcessPoolExecutor` took the same time, but all its processes send through one pipe. If one of
them is killed while it sends, the executor waits forever for the rest.

On Linux the processes are forked before numpy is imported, hence the late imports. Numpy starts
threads, and a process with threads can't be forked safely.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from queue import Queue
from typing import TYPE_CHECKING

from nbmail.cli.messages.sources import Source
from nbmail.cli.messages.token_batches import TokenBatch, tokenize
from nbmail.core.senders.trusted_servers import Trust
from nbmail.core.words.tokenizer import Tokenizer
from nbmail.errors import KnownError

if TYPE_CHECKING:
    from multiprocessing.context import ForkContext, SpawnContext

AHEAD = 16
"""Batches that a process prepares ahead: about 0.3 s of work while the first process writes to the
disk.
"""
MOST_PROCESSES = 4
# Fewer messages are read before other processes have started. A process that isn't forked imports
# everything again.
WORTH_FORKING = 400
WORTH_SPAWNING = 3000

_Groups = Sequence[Sequence[Source]]


class TokenProcesses:
    """Processes that tokenize groups of sources: each takes every n-th group."""

    def __init__(self) -> None:
        self._running: list[tuple[BaseProcess, Connection]] = []

    def start(self, groups: _Groups, trust: Trust, *, whole: bool, count: int) -> None:
        """Start `count` processes, none if the system refuses one."""
        context = _context()
        try:
            for number in range(count):
                receiving, sending = context.Pipe(duplex=False)
                arguments = (groups[number::count], whole, trust, sending)
                process = context.Process(target=_work, args=arguments, daemon=True)
                # The next process must not inherit this end: it shows here that the process has
                # ended.
                with sending:
                    process.start()
                self._running.append((process, receiving))
        except OSError:
            # The first process alone takes longer.
            self.stop()

    def stop(self) -> None:
        for process, receiving in self._running:
            receiving.close()
            process.terminate()
            process.join()
        self._running = []

    def receive(self, number: int) -> TokenBatch | None:
        """Return the batch of a group. None if there is no process, or it was killed.

        Raises the `KnownError` that stopped the process.
        """
        if not self._running:
            return None
        _, receiving = self._running[number % len(self._running)]
        found: TokenBatch | KnownError | None = None
        with suppress(EOFError, OSError):
            found = receiving.recv()
        if isinstance(found, KnownError):
            raise found
        return found


def processes_for(messages: int) -> int:
    """Return the number of processes for about this many messages; 0: the first one suffices."""
    if _start_method() == "fork":
        # A process with numpy's threads can't be forked.
        is_worth = messages >= WORTH_FORKING and "numpy" not in sys.modules
    else:
        is_worth = messages >= WORTH_SPAWNING
    return min(_processors(), MOST_PROCESSES) if is_worth else 0


def _processors() -> int:
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _start_method() -> str:
    # Elsewhere the system's own libraries start threads, so that forking isn't safe.
    return "fork" if sys.platform == "linux" else "spawn"


def _context() -> ForkContext | SpawnContext:
    if _start_method() == "fork":
        return multiprocessing.get_context("fork")
    return multiprocessing.get_context("spawn")


def _work(groups: _Groups, whole: bool, trust: Trust, sending: Connection) -> None:
    """Tokenize groups in another process.

    A thread sends the batches, so that work continues while the pipe is full.
    """
    gc.disable()
    # Ctrl+C reaches every process; the first one ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    ready: Queue[TokenBatch | KnownError | None] = Queue(AHEAD)

    def send() -> None:
        while (batch := ready.get()) is not None:
            sending.send(batch)

    sender = threading.Thread(target=send)
    sender.start()
    tokenizer = Tokenizer(trust)
    process = os.getpid()
    try:
        for sources in groups:
            ready.put(tokenize(sources, tokenizer, process, whole=whole))
    except KnownError as error:
        ready.put(error)
    ready.put(None)
    sender.join()


def _end_with_parent() -> None:
    """Exit when the first process is gone, however it ended.

    Other processes have copies of the pipes.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
