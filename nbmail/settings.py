"""What the user chose: accounts (without passwords), costs, habits. A JSON file, written whole or not at all."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

METHODS = (
    "balanced", "multinomial", "complement", "bernoulli", "bernoulli-complete", "categorical", "gaussian", "tree",
    "logistic",
)  # fmt: skip
"""The names of all methods, the default first; apart from the methods, which need numpy."""


class Security(StrEnum):
    """How a connection is protected. PLAIN only ever by explicit choice."""

    TLS = "tls"
    STARTTLS = "starttls"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class Account:
    """An IMAP account, or a local mailbox where `path` is set. `folders` are the watched ones.

    With `watch_junk` the account's junk folder is watched too, so that what others move there is noticed. Of messages
    above `largest_message` bytes only so much is fetched; a settings file that asks for less than 600,000 gets these,
    so that a message is the same wherever it lies. While `training_paused`, nothing is fetched of the folders to learn
    from.
    """

    name: str
    host: str = ""
    port: int = 993
    security: Security = Security.TLS
    user: str = ""
    path: str = ""
    folders: tuple[str, ...] = ("INBOX",)
    good_folders: tuple[str, ...] = ()
    junk_folders: tuple[str, ...] = ()
    junk_folder: str = ""
    authority_file: str = ""
    largest_message: int = 1_000_000
    poll_seconds: float = 60.0
    watch_junk: bool = True
    training_paused: bool = False


@dataclass(frozen=True, slots=True)
class Settings:
    """All choices."""

    accounts: tuple[Account, ...] = ()
    junk_seen_per_lost: float = 100.0
    move_mail: bool = False
    method: str = "balanced"
    theme: str = "system"
    language: str = "system"
    after_mark: str = "next"
    opened_is_read: str = "moment"
    keys: str = "usual"
    tray: str = "none"
    cache_megabytes: int = 500
