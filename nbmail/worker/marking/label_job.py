"""A long job of labelling, while the user goes on marking."""

from collections.abc import Sequence

# Labels given in one transaction of a long job: about 8 ms.
PIECE = 100


class LabelJob:
    """Labels many messages piece by piece.

    What is marked by hand meanwhile is left out, since the later word counts; an undo ends it, so that it takes back
    all of it.
    """

    def __init__(self, messages: Sequence[int]) -> None:
        self._left = dict.fromkeys(messages)
        self.marked: list[int] = []
        self.step = 0

    def next_piece(self) -> list[int]:
        chunk = [message for message, _ in zip(self._left, range(PIECE), strict=False)]
        self.leave_out(chunk)
        return chunk

    def leave_out(self, messages: Sequence[int]) -> None:
        for message in messages:
            self._left.pop(message, None)

    def end(self) -> None:
        self._left.clear()

    @property
    def left(self) -> int:
        return len(self._left)
