"""A window over the real engine, on a copy of a learned mailbox of demo mail: open in 50 ms."""

import shutil
import time
from email import message_from_bytes
from email.policy import default

import numpy as np

from nbmail.demo.mail import demo_folder, demo_mailbox
from nbmail.paths import Paths
from nbmail.settings import Account, Settings
from nbmail.ui.window.bridge import Bridge
from nbmail.values import AccountState, Arrival, Delivery, FolderName, Phase
from nbmail.worker.engine.engine import Engine
from nbmail.worker.protocol.events import AccountChanged, TicketChanged
from nbmail.worker.protocol.ticket import Ticket
from tests.ui.helpers import build, main_window

ACCOUNT = "home"
PATIENCE = 10_000


def settle(mailbox, qtbot):
    """Wait until every request of the window has ended."""
    qtbot.waitUntil(lambda: not mailbox.engine.pending, timeout=PATIENCE)


class WatchedEngine:
    """An engine as the window sees it. Notes its requests, and can hold them.

    `calls`: names and arguments of the requests, named arguments as a last dictionary. `held`: names of requests that
    only the test ends, by their tickets.
    """

    def __init__(self, engine, emit):
        self._engine, self._emit = engine, emit
        self.calls, self.held, self.cancelled, self._tickets = [], set(), [], []

    def __getattr__(self, name):
        method = getattr(self._engine, name)

        def request(*given, **more):
            self.calls.append((name, *given, more) if more else (name, *given))
            ticket = self._hold() if name in self.held else method(*given, **more)
            self._tickets.append((name, ticket))
            return ticket

        return request

    def _hold(self):
        ticket = Ticket(lambda each: self._emit(TicketChanged(each)), lambda: self.cancelled.append(ticket))
        return ticket

    def requests(self, name):
        """The arguments of all requests of this name."""
        return [given for called, *given in self.calls if called == name]

    @property
    def pending(self):
        """The tickets whose end is not delivered yet."""
        return [ticket for _, ticket in self._tickets if ticket.is_pending]

    def ticket(self, name):
        """The first ticket of a request of this name that has not ended, None without one."""
        return next((ticket for called, ticket in self._tickets if called == name and ticket.is_pending), None)


class Mailbox:
    """Engine, bridge and window, connected as the program connects them. `calls`: those of accounts and searches.

    `backend` takes deliveries of mail; `engine` is the engine of the window.
    """

    def __init__(self, home, *, size=(1280, 800), clock=time.time, **choices):
        """`choices`: settings. By default no message counts as read: a test can take long."""
        self.home, paths = home, Paths.under(home)
        paths.make()
        defaults = {"accounts": (Account(ACCOUNT, path=str(home)),), "theme": "light", "opened_is_read": "never"}
        self.settings = Settings(**defaults | choices)
        self.bridge, self.calls = Bridge(), []
        self._engine = Engine(paths, clock, self.bridge.emit_event, settings=self.settings)
        self.backend, self.engine = self._engine.backend, WatchedEngine(self._engine, self.bridge.emit_event)
        self._engine.start()
        self.window = main_window(self.engine, self.bridge, self.settings, self.calls, paths=paths, clock=clock)
        if size is not None:
            self.window.resize(*size)
        build(self.window)
        self.bridge.emit_event(AccountChanged(AccountState(ACCOUNT, Phase.SYNCED, clock() - 120)))

    def is_loaded(self):
        """True if the list has all mail with its scores."""
        model = self.window.model
        return (
            model.loaded and not self.engine.pending and bool(np.isfinite(model.mail.log_odds[model.mail.order]).all())
        )

    def deliver(self, folder, raws, first=1, received=None, flags=frozenset()):
        """Deliver mail as an account does."""
        received = received or [time.time() - 3600 * number for number in range(len(raws))]
        deliver(self.backend, folder, raws, received, first, flags)

    def close(self):
        """Close the window, then stop the engine."""
        self.window.close()
        self._engine.stop()


def deliver(backend, folder, raws, received, first=1, flags=frozenset()):
    """Deliver messages with the UIDs from `first` on."""
    arrivals = tuple(
        Arrival(first + number, frozenset(flags), moment, raw, len(raw))
        for number, (raw, moment) in enumerate(zip(raws, received, strict=True))
    )
    backend.deliver(Delivery(FolderName(ACCOUNT, folder), 1, arrivals=arrivals, complete=True))


class LearnedHomes:
    """Data folders with demo mail, made once a session: `each` messages of both kinds learned from two folders.

    `inbox`: unlabelled messages of both kinds in the inbox, at most.
    """

    def __init__(self, folder):
        self._folder, self._made = folder, {}
        self._mails = demo_mailbox(demo_folder(), time.time())

    @property
    def junk(self):
        """The subjects of the demo's junk."""
        return {message_from_bytes(mail.raw, policy=default)["subject"] for mail in self._mails if mail.is_junk}

    def copy(self, home, each, inbox):
        """Copy such a data folder to `home`."""
        if (each, inbox) not in self._made:
            self._made[each, inbox] = self._make(self._folder / f"{each}-{inbox}", each, inbox)
        shutil.copytree(self._made[each, inbox], home)

    def _make(self, home, each, inbox):
        junk, good = ([mail for mail in self._mails if mail.is_junk == kind] for kind in (True, False))
        folders = {"Junk": junk[:each], "Sorted": good[:each]}
        folders["INBOX"] = [*junk[each:][:inbox], *good[each:][:inbox]]
        engine = Engine(Paths.under(home), time.time, lambda event: None, settings=Settings())
        engine.start()
        for folder, mails in folders.items():
            deliver(engine.backend, folder, [mail.raw for mail in mails], [mail.received for mail in mails])
        for folder, label in (("Junk", "junk"), ("Sorted", "good")):
            engine.label_folder(FolderName(ACCOUNT, folder), label).result(PATIENCE / 1000)
        # Stores the model, so that a copy opens quickly.
        engine.rebuild().result(PATIENCE / 1000)
        engine.stop()
        return home
