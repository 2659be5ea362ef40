"""Callbacks of the searches for mail servers, for the folders of an account, and for mail on this computer."""

from collections.abc import Callable
from dataclasses import dataclass

from nbmail.errors import ErrorCode
from nbmail.values import FolderLine, ServerFound, ServerTried, TryStep


@dataclass(frozen=True, slots=True)
class Refused:
    """End of an unsuccessful search. `detail`: reply of the server."""

    error_code: ErrorCode | None = None
    detail: str = ""


SearchNews = ServerTried | ServerFound | Refused
TellSearch = Callable[[SearchNews], None]
GiveUp = Callable[[], None]


FolderNews = TryStep | tuple[FolderLine, ...] | Refused
"""Steps of the connection, then the folders of the account, inbox first, or an error."""
TellFolders = Callable[[FolderNews], None]
