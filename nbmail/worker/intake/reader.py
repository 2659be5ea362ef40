"""One process that reads mail, from its start to its end."""

from __future__ import annotations

import logging
import multiprocessing
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from nbmail.worker.intake.parcels import Parcel, manner, serve

log = logging.getLogger(__name__)


class Reader:
    """Starts the process at once. All that goes wrong with it is an `OSError` or an `EOFError`.

    Only `kill` may be called while another thread is in one of the other methods.
    """

    def __init__(self, *, patience: float, rest: float) -> None:
        self._patience, self._ready = patience, False
        # The number of the question that it is at work on, and how many it was asked: first, whether it is there.
        self._question = self._asked = 1
        # A process with threads can't be forked safely: this one begins from nothing.
        context = multiprocessing.get_context("spawn")
        self._channel, theirs = context.Pipe()
        self.process = context.Process(target=serve, args=(theirs, rest), name="reading", daemon=True)
        try:
            with _interrupts_withheld():
                self.process.start()
            self._watching = self._begin_watch()
        except RuntimeError as error:
            # No thread to watch over it; or the program's first file starts the program when it is only looked at.
            self._channel.close()
            raise ChildProcessError(str(error)) from error
        except BaseException:
            self._channel.close()
            raise
        finally:
            # The process must hold its end alone, to see when this one goes.
            theirs.close()

    def is_ready(self) -> bool:
        """Whether it has said that it is there; it is asked nothing before."""
        if not self._ready and self._channel.poll():
            theirs = self._channel.recv()
            if theirs != manner():
                raise ChildProcessError(f"it reads mail in another way, {theirs} instead of {manner()}")
            self._ready, self._question = True, 0
        return self._ready

    def has_ended(self) -> bool:
        """Whether it has, by itself or not."""
        return not self._watching.is_alive()

    def answer(self, raws: list[bytes]) -> list[Parcel] | None:
        """This mail taken apart; None if it couldn't be. After an error there may still be half an answer to come."""
        self._asked += 1
        self._question = self._asked
        try:
            self._channel.send(raws)
            answer: list[Parcel] | str = self._channel.recv()
        finally:
            self._question = 0
        if isinstance(answer, str):
            log.warning("some mail can't be read elsewhere, the engine reads it: %s", answer)
            return None
        return answer

    def kill(self) -> None:
        """There is nothing that it would have to clear up."""
        self.process.kill()

    def close(self) -> None:
        """Leave nothing of it."""
        self.kill()
        self._watching.join()
        self._channel.close()

    def _begin_watch(self) -> threading.Thread:
        watch = threading.Thread(target=self._watch, name="watch over reading", daemon=True)
        try:
            watch.start()
        except RuntimeError:
            self.process.kill()
            self.process.join()
            raise
        return watch

    def _watch(self) -> None:
        """Wait for its end, so that the system can forget it; bring that about where it is stuck.

        A process that takes in nothing more, or stops in the middle of an answer, would keep the other end for ever.
        """
        while self.process.exitcode is None:
            question = self._question
            self.process.join(self._patience)
            waiting = question and question == self._question and self.process.exitcode is None
            if waiting and not self._has_begun():
                log.warning("the process that reads mail had no answer within %g s", self._patience)
                self.process.kill()

    def _has_begun(self) -> bool:
        """Whether it waits only for someone to hear that it is there."""
        with suppress(OSError):
            return not self._ready and self._channel.poll()
        return False


@contextmanager
def _interrupts_withheld() -> Iterator[None]:
    """What is started meanwhile never hears Ctrl+C, which reaches every process of a terminal: not even as it begins.

    Windows can't withhold them.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    # Started on the way otherwise, where it would lift what is withheld here.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
