"""What an account thread does, whether its mail is on a server or on the disk."""

from __future__ import annotations

from typing import Protocol

from nbmail.errors import KnownError


class Work(Protocol):
    """Opened, then rounds and rests in turn, then closed; after trouble all over again."""

    def open(self) -> None:
        """Connect."""

    def round(self) -> KnownError | None:
        """Run errands and bring all watched folders in step; trouble that is to be shown but stops nothing."""

    def rest(self) -> None:
        """Wait until there is reason for another round."""

    def close(self) -> None:
        """Let go of everything. May be called at any time, and twice."""
