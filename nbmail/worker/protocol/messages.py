"""Texts and files of messages."""

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from nbmail.core.explaining.explanation import Explanation
from nbmail.core.mail.message import AttachedFile
from nbmail.worker.protocol.senders import SenderCheck


class Body(StrEnum):
    """Cached part of a message: all, the first part, none yet (it is being fetched), or none."""

    WHOLE = "whole"
    PART = "part"
    COMING = "coming"
    ABSENT = "absent"


class MessageText(NamedTuple):
    """Text of a message.

    `html`: empty for plain mail. `attachments`: with names by `text.file_names.clean_file_name`.
    `accounts`: those that fetch a text that is `COMING`.
    """

    message: int
    headers: tuple[tuple[str, str], ...]
    text: str
    html: str
    attachments: tuple[AttachedFile, ...]
    body: Body = Body.WHOLE
    accounts: tuple[str, ...] = ()
    sender: SenderCheck = SenderCheck()


class MessageSource(NamedTuple):
    """All headers of a message, decoded and in order, and its raw text.

    `whole`: False for its first part.
    """

    headers: tuple[tuple[str, str], ...]
    text: str
    whole: bool = True


class ScoredMail(NamedTuple):
    """Text and reasons of a message from a file.

    Its number is 0 unless a mailbox contains it as well.
    """

    text: MessageText
    why: Explanation


class SavedAttachment(NamedTuple):
    """Attachment that was written to `path`.

    `runs`: it begins like a program, whatever its name.
    """

    path: Path
    runs: bool = False


class MessageFile(NamedTuple):
    """Message written to a temporary file, and the first header of each name."""

    path: Path
    headers: Mapping[str, str]
