"""Settings of the user: accounts without passwords, costs and preferences."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

# A shorter beginning doesn't identify a message (`store.mail.identity`).
LEAST_OF_MESSAGE = 600_000


class Security(StrEnum):
    """Protection of a connection. PLAIN requires an explicit choice."""

    TLS = "tls"
    STARTTLS = "starttls"
    PLAIN = "plain"


class Sorting(StrEnum):
    """Automatic sorting of an account: only show verdicts, list what would be moved, or move it."""

    SHOW = "show"
    REHEARSE = "rehearse"
    SORT = "sort"


class LearnMoves(StrEnum):
    """Learning from messages that other programs move into spam folders and out of them."""

    ASK = "ask"
    ALWAYS = "always"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Account:
    """IMAP account, or local mailbox if `path` is set.

    - `folders`: watched folders.
    - `spam_folder`, `archive_folder`, `trash_folder`: chosen by the user; if empty, found by
      special use or name.
    - `watch_spam`: also watch the spam folder, to notice moves by other clients.
    - `largest_message`: bytes to fetch of a message, at least `LEAST_OF_MESSAGE`.
    - `suggested_folders`: folders to suggest for moves, "*" for all of the user's own. Their newest
      mail is fetched.
    - `automatic_folders`: suggested folders into which arriving mail is filed automatically.
    - `training_paused`: fetch nothing from folders that are only used for training or suggestions.
    - `trusted_servers`: authserv-ids whose checks of senders count; if empty, they are learned from
      the inbox.
    - `sorting_loss`: sorting begins once the 95 % interval of lost good mail ends below this share.
    - `begun_early`: the user let sorting begin before that.
    - `learn_moves`: whether moves by other programs are labels; the window asks by default.
    - `sign_in`: authorization server (OAuth 2) whose tokens replace the password; empty for an
      account with a password.
    - `sorts_alone`: the user chose this computer to sort on a server that stores no keywords.
    """

    name: str
    host: str = ""
    port: int = 993
    security: Security = Security.TLS
    user: str = ""
    path: str = ""
    folders: tuple[str, ...] = ("INBOX",)
    ham_folders: tuple[str, ...] = ()
    spam_folders: tuple[str, ...] = ()
    suggested_folders: tuple[str, ...] = ()
    automatic_folders: tuple[str, ...] = ()
    spam_folder: str = ""
    archive_folder: str = ""
    trash_folder: str = ""
    authority_file: str = ""
    largest_message: int = 1_000_000
    poll_seconds: float = 60.0
    watch_spam: bool = True
    training_paused: bool = False
    trusted_servers: tuple[str, ...] = ()
    sorting: Sorting = Sorting.SHOW
    sorting_loss: float = 0.02
    begun_early: bool = False
    learn_moves: LearnMoves = LearnMoves.ASK
    sorts_alone: bool = False
    sign_in: str = ""

    def with_renamed_folder(self, old: str, new: str) -> Account:
        """Return the account with the new name of a folder wherever the user chose that folder."""
        several = (
            "folders",
            "ham_folders",
            "spam_folders",
            "suggested_folders",
            "automatic_folders",
        )
        changed: dict[str, Any] = {
            name: tuple(new if each == old else each for each in getattr(self, name))
            for name in several
        }
        single = [
            name
            for name in ("spam_folder", "archive_folder", "trash_folder")
            if getattr(self, name) == old
        ]
        return replace(self, **changed | dict.fromkeys(single, new))

    @property
    def sorting_choice(self) -> tuple[object, ...]:
        """All choices about automatic sorting."""
        return (
            self.sorting,
            self.sorting_loss,
            self.begun_early,
            self.learn_moves,
            self.automatic_folders,
        )

    @property
    def named_servers(self) -> tuple[str, ...] | None:
        """The trusted servers; None if they must be learned, as for any mailbox on a server."""
        return self.trusted_servers if self.trusted_servers or self.path else None


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings.

    `sorting_offered`, `keyring_noted`: the window has offered automatic sorting, or noted that the
    system has no keyring. `tinted_words`: maximum number in a text. `first_senders`: the sidebar
    has the list of first-time senders. `plain_senders`, `picture_senders`: addresses whose mail is
    shown as plain text, or with its pictures.
    """

    accounts: tuple[Account, ...] = ()
    spam_seen_per_lost: float = 100.0
    missed_spam_cost: float = 9.0
    unsure_cost: float = 1.0
    unsure_spam_cost: float = 1.0
    move_mail: bool = False
    method: str = "balanced"
    theme: str = "system"
    language: str = "system"
    after_mark: str = "next"
    opened_is_read: str = "moment"
    keys: str = "usual"
    tray: str = "none"
    cache_megabytes: int = 500
    keyring_noted: bool = False
    sorting_offered: bool = False
    tints_words: bool = True
    tinted_words: int = 10
    first_senders: bool = False
    plain_senders: tuple[str, ...] = ()
    picture_senders: tuple[str, ...] = ()

    @property
    def costs(self) -> tuple[float, float, float, float]:
        """The costs in the order of `core.scoring.verdict.Costs`."""
        return (
            self.spam_seen_per_lost,
            self.missed_spam_cost,
            self.unsure_cost,
            self.unsure_spam_cost,
        )

    def with_costs(self, costs: tuple[float, float, float, float]) -> Settings:
        lost, missed, unsure, unsure_spam = costs
        return replace(
            self,
            spam_seen_per_lost=lost,
            missed_spam_cost=missed,
            unsure_cost=unsure,
            unsure_spam_cost=unsure_spam,
        )
