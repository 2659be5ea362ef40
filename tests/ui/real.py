"""A window over the real engine, on a copy of a learned mailbox of demo mail: open in 50 ms."""

import shutil
import tempfile
import time
import weakref
from email import message_from_bytes
from email.policy import default
from functools import cached_property
from pathlib import Path

import numpy as np

from nbmail.demo.mail import demo_folder, demo_mailbox
from nbmail.paths import Paths
from nbmail.settings import Account, Settings
from nbmail.ui.list.list_choice import Choice
from nbmail.values import AccountState, Arrival, Delivery, FolderName, Phase
from nbmail.worker.engine.engine import Engine
from nbmail.worker.engine.idle_tasks import tidy
from nbmail.worker.engine.jobs import Priority
from tests.ui.helpers import (
    WatchedBridge,
    WatchedEngine,
    end_pauses,
    is_idle,
    main_window,
    wait_for,
)

ACCOUNT = "home"
PATIENCE = 60_000


def settle(mailbox):
    """Wait until engine and window are idle, and the window shows all announced changes."""
    deadline = time.monotonic() + PATIENCE / 1000
    while not _was_idle(mailbox):
        assert time.monotonic() < deadline, "engine and window never come to rest"


def _was_idle(mailbox):
    """Wait for the window, then the engine. True if the window made no requests meanwhile."""
    wait_for(lambda: end_pauses(mailbox.window))
    requests = len(mailbox.engine.calls)
    answers = mailbox.finish()
    wait_for(lambda: answers)
    return answers[0] and requests == len(mailbox.engine.calls) and is_idle(mailbox.window)


def _tidy(parts, show):
    """Run the idle tasks now, if nothing is left to announce."""
    if not parts.changes.pending and (parts.changes.untidy or parts.updates.trainings):
        tidy(parts)


class Mailbox:
    """Engine, bridge and window as in the program. `calls`: of services. `backend`: takes mail."""

    def __init__(self, home, *, size=(1280, 800), clock=time.time, all_mail=True, **choices):
        """`choices`: settings. By default no message counts as read, and all mail is listed."""
        self.home = home
        paths = Paths.under(home)
        paths.make()
        defaults = {
            "accounts": (Account(ACCOUNT, path=str(home)),),
            "theme": "light",
            "opened_is_read": "never",
        }
        self.settings = Settings(**defaults | choices)
        self.bridge = WatchedBridge()
        self.calls = []
        self._engine = Engine(paths, clock, self.bridge.emit_event, settings=self.settings)
        self.backend = self._engine.backend
        self.engine = WatchedEngine(self._engine, self.bridge.emit_event)
        self._engine.start()
        more = {"size": size, "paths": paths, "clock": clock}
        self.window = main_window(self.engine, self.bridge, self.settings, self.calls, **more)
        self.window.mailbox = self
        self.window.closed.connect(self._engine.stop)
        if all_mail and not (paths.state / "window.ini").exists():
            self.window.show_choice(Choice())
        self.bridge.emit_event(AccountState(ACCOUNT, Phase.SYNCED, clock() - 120))

    def finish(self):
        """Run the engine's idle tasks. Return a list that gets, after earlier events, whether
        nothing is left to do.
        """
        answers = []
        self._engine.start_job(_tidy, Priority.IDLE)
        self._engine.is_idle().then(answers.append)
        return answers

    def is_loaded(self):
        """True if the list has all mail with its scores."""
        model = self.window.model
        return (
            model.loaded
            and not self.engine.pending
            and bool(np.isfinite(model.mail.log_odds[model.mail.order]).all())
        )

    def deliver(self, folder, raws, first=1, received=None, flags=frozenset()):
        """Deliver mail as an account does."""
        received = received or [time.time() - 3600 * number for number in range(len(raws))]
        deliver(self.backend, folder, raws, received, first, flags)

    def close(self):
        self.window.close()


def deliver(backend, folder, raws, received, first=1, flags=frozenset()):
    """Deliver messages with the UIDs from `first` on."""
    arrivals = tuple(
        Arrival(first + number, frozenset(flags), moment, raw, len(raw))
        for number, (raw, moment) in enumerate(zip(raws, received, strict=True))
    )
    backend.deliver(Delivery(FolderName(ACCOUNT, folder), 1, arrivals=arrivals, complete=True))


class LearnedHomes:
    """Data folders, made once: `each` learned messages of both kinds, `inbox` unlabelled ones."""

    def __init__(self):
        self._made = {}

    @cached_property
    def _mails(self):
        return demo_mailbox(demo_folder(), time.time())

    @property
    def spam(self):
        """The subjects of the demo's spam."""
        return {
            message_from_bytes(mail.raw, policy=default)["subject"]
            for mail in self._mails
            if mail.is_spam
        }

    def copy(self, home, each, inbox):
        if (each, inbox) not in self._made:
            folder = Path(tempfile.mkdtemp())
            weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
            self._made[each, inbox] = self._make(folder, each, inbox)
        shutil.copytree(self._made[each, inbox], home, dirs_exist_ok=True)

    def _make(self, home, each, inbox):
        spam, ham = (
            [mail for mail in self._mails if mail.is_spam == kind] for kind in (True, False)
        )
        folders = {"Junk": spam[:each], "Sorted": ham[:each]}
        folders["INBOX"] = [*spam[each:][:inbox], *ham[each:][:inbox]]
        engine = Engine(Paths.under(home), time.time, lambda event: None, settings=Settings())
        engine.start()
        for folder, mails in folders.items():
            deliver(
                engine.backend,
                folder,
                [mail.raw for mail in mails],
                [mail.received for mail in mails],
            )
        for folder, label in (("Junk", "spam"), ("Sorted", "ham")):
            engine.label_folder(FolderName(ACCOUNT, folder), label).result(PATIENCE / 1000)
        # Stores the model, so that a copy opens quickly.
        engine.rebuild().result(PATIENCE / 1000)
        engine.stop()
        return home


HOMES = LearnedHomes()


def open_mailbox(each=20, *, inbox=10, home=None, **more):
    """Open a window on a copy of a learned mailbox or on `home`, and wait until it is idle."""
    folder = Path(tempfile.mkdtemp()) if home is None else home
    if home is None and each:
        HOMES.copy(folder, each, inbox)
    mailbox = Mailbox(folder, **more)
    if home is None:
        weakref.finalize(mailbox, shutil.rmtree, folder, ignore_errors=True)
    wait_for(mailbox.is_loaded)
    settle(mailbox)
    return mailbox
