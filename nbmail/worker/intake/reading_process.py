"""A process that takes mail apart beside the engine, where much of it comes at once.

Python runs one thread of a process at a time: what is parsed elsewhere costs neither the window nor the engine time.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence

from nbmail.sync.desk import Arrival
from nbmail.worker.intake.parcels import Parcel
from nbmail.worker.intake.reader import Reader

log = logging.getLogger(__name__)

# Fewer messages are read before they have been sent there and back.
WORTH = 60
# A delivery is read in a tenth of a second, in up to three where four programs want each processor; a process that
# takes so long is stuck.
PATIENCE = 20.0
# A process that rests so long isn't worth its memory.
REST = 60.0
# After so many failures on end no other process is started: this machine won't have one.
LIVES = 3


class ReadingProcess:
    """Started by the first delivery that is worth it; ends by itself after `rest` seconds without another.

    Safe from any thread. Whatever goes wrong here, the engine can read the mail itself.
    """

    def __init__(self, *, patience: float = PATIENCE, rest: float = REST) -> None:
        self._patience, self._rest = patience, rest
        self._lock = threading.Lock()
        self._reader: Reader | None = None
        self._lives = LIVES
        self._closed = False

    def read(self, arrivals: Sequence[Arrival]) -> list[Parcel] | None:
        """The mail taken apart; None where it is little, or the process isn't there yet or busy for another account."""
        if len(arrivals) < WORTH or not self._lock.acquire(blocking=False):
            return None
        try:
            return None if self._closed or not self._lives else self._read([arrival.raw for arrival in arrivals])
        finally:
            self._lock.release()

    def close(self) -> None:
        """End the process, also one that is at work. Nothing is read from now on."""
        self._closed = True
        if (reader := self._reader) is not None:
            reader.kill()
        with self._lock:
            self._let_go()

    def _read(self, raws: list[bytes]) -> list[Parcel] | None:
        whole, answer = False, None
        try:
            reader = self._living()
            if reader.is_ready():
                answer = reader.answer(raws)
                self._lives = LIVES
            whole = True
        except (EOFError, OSError, MemoryError) as error:
            if not self._closed:
                log.warning("the process that reads mail is gone, the engine reads it: %r", error)
        finally:
            if not whole:
                self._lives -= 1
                # What may still be on its way must not be taken for the answer to the next question.
                self._let_go()
        return answer

    def _living(self) -> Reader:
        """The process; it is started if there is none, or if it has gone to rest."""
        if self._reader is not None and self._reader.has_ended():
            code = self._reader.process.exitcode
            self._let_go()
            if code:
                raise ChildProcessError(f"it ended with {code}")
        if self._reader is None:
            self._reader = Reader(patience=self._patience, rest=self._rest)
        return self._reader

    def _let_go(self) -> None:
        if self._reader is not None:
            self._reader.close()
            self._reader = None
