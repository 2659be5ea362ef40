"""A screen without a monitor: Xvfb, with key presses."""

import os
import subprocess

import pytest

from tests.needs import need_program
from tests.waiting import wait_for

# Without -r a key would be repeated whose release comes late.
SETTINGS = ("-screen", "0", "1280x800x24", "-nolisten", "tcp", "-noreset", "-r")


class Screen:
    """An X server. Keys go to the window with focus."""

    def __init__(self):
        self._xdotool = need_program("xdotool")
        reading, writing = os.pipe()
        # Without -noreset it starts anew whenever its last client leaves, and each `xdotool` may be
        # the last.
        command = [need_program("Xvfb"), "-displayfd", str(writing), *SETTINGS]
        self._server = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as answer:
            self.display = ":" + answer.readline().strip()

    def focus(self, name):
        """Wait for a window with this title and give it focus. There is no window manager."""
        search = ("search", "--onlyvisible", "--name", name)
        found = wait_for(lambda: self._ask(*search).split(), f"a window called {name}", every=0.05)
        self._ask("windowfocus", "--sync", found[-1])

    def titles(self):
        windows = self._ask("search", "--onlyvisible", "--name", ".").split()
        return [self._ask("getwindowname", window).strip() for window in windows]

    def press(self, *keys):
        """Press and release keys, by their X names: `exclam`, `ctrl+z`, `Home`."""
        self._ask("key", "--clearmodifiers", *keys)

    def type(self, text):
        self._ask("type", "--delay", "5", text)

    def point(self, x, y):
        """Move the mouse to a point."""
        self._ask("mousemove", "--sync", str(x), str(y))

    def hold(self):
        """Press the mouse button."""
        self._ask("mousedown", "1")

    def release(self):
        self._ask("mouseup", "1")

    def close(self):
        self._server.terminate()
        self._server.wait(60)

    def _ask(self, *words):
        environment = {**os.environ, "DISPLAY": self.display}
        answer = subprocess.run(
            [self._xdotool, *words], capture_output=True, text=True, env=environment, check=False
        )
        return answer.stdout


@pytest.fixture(scope="session")
def screen():
    one = Screen()
    yield one
    one.close()
