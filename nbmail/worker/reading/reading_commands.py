"""Mail marked as read, mail in no mailbox judged, attachments written to files, and messages as they came."""

import os
import shutil
from pathlib import Path

from nbmail.core.counting.sample import known_sample_of
from nbmail.core.reading.decoding import decode_text
from nbmail.core.reading.mail import attached_file, parse
from nbmail.errors import ErrorCode, KnownError
from nbmail.file_names import clean_file_name
from nbmail.paths import make_private_folder
from nbmail.store.mail.identity import identify
from nbmail.worker.engine.engine_state import EngineState
from nbmail.worker.engine.job_queue import JobSteps, Pause
from nbmail.worker.intake.message_text import is_whole, text_of
from nbmail.worker.protocol.reading import (
    JudgedMail,
    JudgeMail,
    MarkRead,
    MessageSource,
    ReadSource,
    SaveAttachment,
    SavedAttachment,
)

# Messages marked between two looks at the queue: about 6 ms.
PIECE = 50
STRONGEST = 1_000_000
OPENED = "opened"
"""The folder in the cache for attachments that were only to be looked at."""
LONGEST_SOURCE = 1_000_000
"""Characters of a message that are shown as they came."""
# How programs begin: for Windows, Linux, macOS, scripts.
_PROGRAMS = (b"MZ", b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"#!")


def judge_mail(state: EngineState, command: JudgeMail) -> JudgedMail:
    """Judge it by the words that are known; new ones say nothing, and are not numbered."""
    sample = known_sample_of(parse(command.raw), state.model.vocabulary)
    identity = identify(command.raw)
    known = state.store.messages.find([identity]).get(identity, 0)
    return JudgedMail(text_of(known, command.raw, len(command.raw)), state.model.explain(sample, STRONGEST))


def mark_read(state: EngineState, command: MarkRead) -> JobSteps:
    """At once here, on their servers as soon as those are told. Piece by piece, each in one transaction."""
    changed, accounts = list[int](), set[str]()
    for first in range(0, len(command.messages), PIECE):
        places = state.store.read_marks.mark(command.messages[first : first + PIECE], read=command.read)
        messages = dict.fromkeys(place.message for place in places)
        changed += messages
        accounts.update(place.account for place in places)
        state.announcer.rows_changed(messages)
        state.untidy = state.untidy or bool(places)
        yield Pause(first + PIECE, len(command.messages))
    for account in accounts:
        state.wake(account)
    return tuple(changed)


def save_attachment(state: EngineState, command: SaveAttachment) -> SavedAttachment:
    """Decode it and write it, readable by its owner alone."""
    found = attached_file(_raw(state, command.message), command.number)
    if found is None:
        raise KnownError(ErrorCode.NOT_FOUND, f"attachment {command.number + 1}")
    name, content = found
    path = command.path or _place_to_open(state, command, name)
    try:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(content)
    except OSError as error:
        raise KnownError(ErrorCode.READ_ONLY, f"{path}: {error.strerror}") from error
    return SavedAttachment(path, content.startswith(_PROGRAMS))


def read_source(state: EngineState, command: ReadSource) -> MessageSource:
    """Its headers and its bytes."""
    raw = _raw(state, command.message)
    heading = state.store.messages.headings([command.message])[command.message]
    text = decode_text(raw[:LONGEST_SOURCE], "").replace("\r\n", "\n")
    return MessageSource(command.message, parse(raw).headers, text, is_whole(raw, heading.size))


def forget_opened(cache: Path) -> None:
    """Remove what was written only to be looked at."""
    shutil.rmtree(cache / OPENED, ignore_errors=True)


def _raw(state: EngineState, message: int) -> bytes:
    identity = state.store.messages.identities([message]).get(message)
    raw = state.store.raw_mail.get(identity) if identity is not None else None
    if raw is None:
        raise KnownError(ErrorCode.NOT_FOUND, str(message))
    return raw


def _place_to_open(state: EngineState, command: SaveAttachment, name: str) -> Path:
    folder = state.store.paths.cache / OPENED / f"{command.message}-{command.number}"
    make_private_folder(folder)
    return folder / (clean_file_name(name) or "attachment")
