"""A window over the real engine in a home of its own, fed with real-looking mail."""

import time
from email import message_from_bytes
from email.policy import default

from nbmail.demo.mail import demo_folder, demo_mailbox
from nbmail.paths import Paths
from nbmail.settings import Account, Settings
from nbmail.ui.window.bridge import Bridge
from nbmail.values import AccountState, Arrival, Delivery, FolderName, Phase
from nbmail.worker.engine.engine import Engine
from nbmail.worker.protocol import AccountChanged
from tests.ui.helpers import build, main_window, said

ACCOUNT = "home"
PATIENCE = 10_000


def settle(house, qtbot):
    """Wait until every command has been answered."""
    qtbot.waitUntil(lambda: not house.engine.pending, timeout=PATIENCE)


class WatchedEngine(Engine):
    """The engine, which keeps the tickets of its requests."""

    def __init__(self, *given, **more):
        super().__init__(*given, **more)
        self._tickets = []

    def _start_growing(self, *given, **more):
        self._tickets.append(super()._start_growing(*given, **more))
        return self._tickets[-1]

    @property
    def pending(self):
        """The tickets whose end is not delivered yet."""
        self._tickets = [ticket for ticket in self._tickets if ticket.is_pending]
        return self._tickets


class RealHouse:
    """Engine, bridge and window, wired as the program wires them."""

    def __init__(self, home, *, theme="light", size=(1280, 800), clock=time.time):
        paths = Paths.under(home)
        paths.make()
        # Whatever takes long would else become read in the middle of it.
        self.settings = Settings(accounts=(Account(ACCOUNT, path=str(home)),), theme=theme, opened_is_read="never")
        self.bridge = Bridge()
        self.engine = WatchedEngine(paths, clock, self.bridge.emit_event, settings=self.settings)
        self.engine.start()
        self.window = main_window(self.engine, self.bridge, self.settings, paths=paths, clock=clock)
        self.window.resize(*size)
        build(self.window)
        self.junk = set[str]()
        """The subjects of the demo's junk."""
        self.bridge.emit_event(AccountChanged(AccountState(ACCOUNT, Phase.SYNCED, clock() - 120)))

    def deliver(self, folder, raws, first=1, received=None, flags=frozenset()):
        """Hand mail in as an account does."""
        received = received or [time.time() - 3600 * number for number in range(len(raws))]
        arrivals = tuple(
            Arrival(first + number, frozenset(flags), moment, raw, len(raw))
            for number, (raw, moment) in enumerate(zip(raws, received, strict=True))
        )
        self.engine.backend.deliver(Delivery(FolderName(ACCOUNT, folder), 1, arrivals=arrivals, complete=True))

    def learn_demo(self, qtbot, each, *, rest=False):
        """Take in the demo's mail: so many messages of each kind, learned from two folders, and the rest if wanted."""
        mails = demo_mailbox(demo_folder(), time.time())
        junk, good = ([mail for mail in mails if mail.is_junk == kind] for kind in (True, False))
        self.junk = {message_from_bytes(mail.raw, policy=default)["subject"] for mail in junk}
        here = {"Junk": junk[:each], "Sorted": good[:each]}
        if rest:
            here["INBOX"] = [*junk[each:], *good[each:]]
        for folder, few in here.items():
            self.deliver(folder, [mail.raw for mail in few], received=[mail.received for mail in few])
        count = sum(map(len, here.values()))
        qtbot.waitUntil(lambda: self.window.model.rowCount() == count, timeout=PATIENCE)
        self.label_folder("Junk", "junk")
        self.label_folder("Sorted", "good")
        learned = f"Learned {each} junk · {each} good"
        qtbot.waitUntil(lambda: learned in said(self.window.learning_bar), timeout=PATIENCE)
        settle(self, qtbot)

    def label_folder(self, folder, label):
        """Learn a whole folder."""
        self.engine.label_folder(FolderName(ACCOUNT, folder), label)

    def mark(self, messages, label):
        """Mark without the window's help."""
        self.engine.mark(messages, label)

    def close(self):
        """Close the window, then the engine."""
        self.window.close()
        self.engine.stop()
