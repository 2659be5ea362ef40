"""A process that takes mail apart beside the engine, where much of it comes at once.

Python runs one thread of a process at a time: what is parsed elsewhere costs neither the window nor the engine time.
"""

from __future__ import annotations

import logging
import multiprocessing
import threading
from collections.abc import Sequence
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from nbmail.core.collecting import Choices
from nbmail.sync.desk import Arrival
from nbmail.worker.parcels import Parcel, serve

log = logging.getLogger(__name__)

# Fewer messages are read before they have been sent there and back.
WORTH = 60
# A delivery is read in a tenth of a second; a process that takes so long is stuck.
PATIENCE = 60.0
# A process that rests so long isn't worth its memory.
REST = 60.0


class ReadingProcess:
    """Started by the first delivery that is worth it; ends by itself after `rest` seconds without another.

    Safe from any thread. Whatever goes wrong here, the engine can read the mail itself.
    """

    def __init__(self, choices: Choices, *, patience: float = PATIENCE, rest: float = REST) -> None:
        self._choices, self._patience, self._rest = choices, patience, rest
        self._lock = threading.Lock()
        self._process: BaseProcess | None = None
        self._channel: Connection | None = None
        self._ready = self._over = False

    def read(self, arrivals: Sequence[Arrival]) -> list[Parcel] | None:
        """The mail taken apart; None where it is little, or the process isn't there yet or busy for another account."""
        if len(arrivals) < WORTH or not self._lock.acquire(blocking=False):
            return None
        try:
            if self._over or not self._is_ready():
                return None
            parcels: list[Parcel] = self._answer([arrival.raw for arrival in arrivals])
            return parcels
        except (EOFError, OSError) as error:
            if not self._over:
                log.warning("the process that reads mail is gone, the engine reads it: %r", error)
            self._over = True
            self._let_go()
            return None
        finally:
            self._lock.release()

    def close(self) -> None:
        """End the process, also one that is at work. Nothing is read from now on."""
        self._over = True
        if (process := self._process) is not None:
            process.kill()
        with self._lock:
            self._let_go()

    def _is_ready(self) -> bool:
        """Whether the process is there; it is started if it isn't, and read for once it has said so."""
        if self._process is None or not self._process.is_alive():
            if self._process is not None and self._process.exitcode:
                raise ChildProcessError(f"it ended with {self._process.exitcode}")
            self._let_go()
            self._start()
        elif not self._ready and self._channel is not None and self._channel.poll():
            self._channel.recv()
            self._ready = True
        return self._ready

    def _start(self) -> None:
        # A process with threads can't be forked safely: this one begins from nothing.
        context = multiprocessing.get_context("spawn")
        self._channel, theirs = context.Pipe()
        self._process = context.Process(
            target=serve, args=(theirs, self._choices, self._rest), name="reading", daemon=True
        )
        self._process.start()
        # The process must hold its end alone, to see when this one goes.
        theirs.close()

    def _answer(self, raws: list[bytes]) -> Any:
        assert self._channel is not None
        self._channel.send(raws)
        if not self._channel.poll(self._patience):
            raise TimeoutError(f"no answer within {self._patience:g} s")
        return self._channel.recv()

    def _let_go(self) -> None:
        self._ready = False
        if self._channel is not None:
            self._channel.close()
            self._channel = None
        if self._process is not None:
            # There is nothing that it would have to clear up.
            self._process.kill()
            self._process.join()
            self._process = None
