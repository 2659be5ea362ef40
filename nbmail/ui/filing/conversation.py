"""The other messages of a conversation, above the open message."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from nbmail.ui.kit import layouts
from nbmail.ui.kit.language import tr_count
from nbmail.ui.kit.plain_text import plain_name
from nbmail.ui.window.notices import quiet_button

MOST_LINES = 6
"""Lines that are shown."""


class ConversationLines(QWidget):
    """A line for each message: who, when, verdict. Hidden for a message without any other in its conversation.

    `choose`: called with the message of a line. `select`: called with all messages.
    """

    def __init__(self) -> None:
        super().__init__()
        self.choose: Callable[[int], object] = lambda message: None
        self.select: Callable[[], object] = lambda: None
        self.all = quiet_button("", self._select, flush=True)
        self.lines = [quiet_button("", flush=True) for _ in range(MOST_LINES)]
        self.messages: Sequence[int] = ()
        for place, line in enumerate(self.lines):
            line.clicked.connect(partial(self._choose, place))
        left = Qt.AlignmentFlag.AlignLeft
        parts = [(each, left) for each in (*self.lines, self.all)]
        self.setLayout(layouts.column(*parts, spacing=0, margins=(0, 2, 0, 2)))
        self.show_lines(())

    def show_lines(self, lines: Sequence[tuple[int, str, bool]]) -> None:
        """Show the latest messages: number, text, and whether the user can go to it."""
        self.setVisible(len(lines) > 1)
        count = len(lines)
        self.all.setText(tr_count("Select this message", "Select %n messages of this conversation", count))
        shown = lines[-MOST_LINES:]
        self.messages = [message for message, *_ in shown]
        for place, button in enumerate(self.lines):
            button.setVisible(place < len(shown))
            if place < len(shown):
                _, text, is_reachable = shown[place]
                button.setText(plain_name(text))
                button.setEnabled(is_reachable)

    def _select(self) -> None:
        self.select()

    def _choose(self, place: int, _: bool = False) -> None:
        self.choose(self.messages[place])
