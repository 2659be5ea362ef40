"""A window over the real engine in a home of its own, fed with real-looking mail."""

import time

from nbmail.paths import Paths
from nbmail.settings import Account, Settings
from nbmail.ui.window.bridge import Bridge
from nbmail.ui.window.main_window import MainWindow
from nbmail.values import Arrival, Delivery, FolderName
from nbmail.worker.engine.engine import Engine
from nbmail.worker.protocol import AccountChanged, AccountState, LabelFolder, Mark, Phase

ACCOUNT = "home"


class RealHouse:
    """Engine, bridge and window, wired as the program wires them."""

    def __init__(self, home, *, theme="light", size=(1280, 800), clock=time.time):
        paths = Paths.under(home)
        paths.make()
        self.settings = Settings(accounts=(Account(ACCOUNT, path=str(home)),), theme=theme)
        self.bridge = Bridge()
        self.engine = Engine(paths, clock, self.bridge.emit_event, settings=self.settings)
        self.engine.start()
        self.window = MainWindow(self.engine, self.bridge, self.settings, paths=paths, clock=clock)
        self.window.resize(*size)
        self.window.show()
        self.window.furnish()
        self.bridge.emit_event(AccountChanged(AccountState(ACCOUNT, Phase.IN_STEP, clock() - 120)))

    def deliver(self, folder, raws, first=1, received=None, flags=frozenset()):
        """Hand mail in as an account does."""
        received = received or [time.time() - 3600 * number for number in range(len(raws))]
        arrivals = tuple(
            Arrival(first + number, frozenset(flags), moment, raw, len(raw))
            for number, (raw, moment) in enumerate(zip(raws, received, strict=True))
        )
        self.engine.desk.deliver(Delivery(FolderName(ACCOUNT, folder), 1, arrivals=arrivals, complete=True))

    def label_folder(self, folder, label):
        """Learn a whole folder."""
        self.window.requests.ask(LabelFolder(FolderName(ACCOUNT, folder), label))

    def mark(self, messages, label):
        """Mark without the window's help."""
        self.window.requests.ask(Mark(tuple(messages), label))

    def close(self):
        """Close the window, then the engine."""
        self.window.close()
        self.engine.stop()
