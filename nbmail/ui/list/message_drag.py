"""Messages that are dragged with the mouse."""

from collections.abc import Sequence

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QDrag
from PySide6.QtWidgets import QWidget

DRAGGED = "application/x-nbmail-messages"
"""Format of dragged messages: their numbers, separated by commas."""


def start_drag(source: QWidget, messages: Sequence[int]) -> None:
    data = QMimeData()
    data.setData(DRAGGED, b",".join(b"%d" % message for message in messages))
    drag = QDrag(source)
    drag.setMimeData(data)
    drag.exec(Qt.DropAction.MoveAction)


def dragged_messages(data: QMimeData) -> tuple[int, ...]:
    """Return the numbers of dragged messages, none for anything else that is dragged."""
    numbers = bytes(data.data(DRAGGED).data()).decode("ascii")
    return tuple(int(number) for number in numbers.split(",") if number)
