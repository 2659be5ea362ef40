"""Single messages: text, source and attachments, the reasons for its score, and fetching what is not cached."""

import os
import shutil
from dataclasses import replace
from itertools import starmap
from pathlib import Path

from nbmail.core.counting.sample import known_sample_of
from nbmail.core.reading.authentication import NO_TRUST, read_authentication, read_unsubscribe
from nbmail.core.reading.mail import Mail, attached_file, inline_files, parse
from nbmail.core.reading.part_text import decode_text
from nbmail.core.reading.people import KNOWN
from nbmail.core.reading.tokenizer import PlainTable, collect
from nbmail.core.reading.words import BODY, author_in
from nbmail.core.scoring.explaining import explain
from nbmail.core.scoring.explanation import Explanation
from nbmail.errors import ErrorCode, KnownError
from nbmail.foreign_text import clean_file_name
from nbmail.paths import make_private_folder
from nbmail.store.mail.identity import identify
from nbmail.worker.engine.job_queue import JobSteps
from nbmail.worker.mailbox.fetches import Fetches
from nbmail.worker.mailbox.rereading import HEADERS, TrustedServers, check_sender
from nbmail.worker.model.scores import sample_of, typicality_of
from nbmail.worker.model.updates import Updates
from nbmail.worker.protocol import results
from nbmail.worker.protocol.filing import MessageFile, UnsubscribeOffer

# Bytes of a message that are fetched at most when all of it is wanted: more than any provider accepts.
WHOLE = 64_000_000
# Words in the reasons for a message that is in no mailbox.
ALL_WORDS = 1_000_000
UNSUBSCRIBED = "unsubscribed"
"""Setting with moment and answer of each request to unsubscribe, by list."""
OPENED = "opened"
"""Folder in the cache for attachments that are opened without saving them."""
INLINE = 20_000_000
"""Bytes of the pictures inside a message that are decoded."""
LONGEST_NAME = 80
"""Characters of a subject in the name of a file."""
LONGEST_SOURCE = 1_000_000
"""Characters of the raw text that are shown."""
ATTACHED = "attached"
"""Place, in an explanation, of words that only an attached page contains."""
# Copies of a message differ by the headers that servers add on the way, and some servers only estimate sizes.
SLACK = 4000
_HEADERS = ("to", "cc", "reply-to", "subject", "date")
# Different From headers that are shown. A message should have one.
MOST_SENDERS = 3
# First bytes of programs: Windows, Linux, macOS, scripts.
_PROGRAMS = (b"MZ", b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"#!")


class MessageReader:
    """Reads messages from the cache of raw mail."""

    def __init__(self, updates: Updates, trust: TrustedServers, fetches: Fetches) -> None:
        self._store, self._scoring, self._clock = updates.store, updates.scoring, updates.around.clock
        self._trust, self._fetches = trust, fetches

    def read_message(self, message: int) -> JobSteps[results.MessageText]:
        heading = self._store.messages.headings([message]).get(message)
        if heading is None:
            raise KnownError(ErrorCode.NOT_FOUND, str(message))
        raw = self._store.cached_mail(message)
        if not raw:
            accounts = self._fetches.request(message)
            headers = (("from", heading.sender), ("subject", heading.subject))
            body = results.Body.COMING if accounts else results.Body.ABSENT
            return results.MessageText(message, headers, "", "", (), body, accounts)
        check = yield from check_sender(self._store, self._trust, message, parse(raw[:HEADERS]).headers)
        return text_of(message, raw, heading.size)._replace(sender=check)

    def fetch_whole(self, message: int) -> tuple[str, ...]:
        return self._fetches.request(message, WHOLE)

    def read_source(self, message: int) -> results.MessageSource:
        raw = self._store.raw_of(message)
        heading = self._store.messages.headings([message])[message]
        text = decode_text(raw[:LONGEST_SOURCE], "").replace("\r\n", "\n")
        return results.MessageSource(message, parse(raw).headers, text, _is_whole(raw, heading.size))

    def read_pictures(self, message: int) -> tuple[results.InlinePicture, ...]:
        return tuple(starmap(results.InlinePicture, inline_files(self._store.raw_of(message), INLINE)))

    def write_message(self, message: int) -> MessageFile:
        raw = self._store.raw_of(message)
        mail, folder = parse(raw), self._store.paths.cache / OPENED / str(message)
        make_private_folder(folder)
        path = folder / f"{clean_file_name(mail.header('subject'))[:LONGEST_NAME] or 'message'}.eml"
        _write(path, raw)
        return MessageFile(path, mail.first_headers)

    def save_attachment(self, message: int, number: int, path: Path | None = None) -> results.SavedAttachment:
        found = attached_file(self._store.raw_of(message), number)
        if found is None:
            raise KnownError(ErrorCode.NOT_FOUND, f"attachment {number + 1}")
        name, content = found
        if path is None:
            folder = self._store.paths.cache / OPENED / f"{message}-{number}"
            make_private_folder(folder)
            path = folder / (clean_file_name(name) or "attachment")
        _write(path, content)
        return results.SavedAttachment(path, content.startswith(_PROGRAMS))

    def explain(self, message: int, strongest: int = 12) -> Explanation:
        model = self._scoring.model
        why = explain(model, sample_of(self._store, message), strongest)
        why = replace(why, typicality=typicality_of(self._store, model, message))
        if known := self._store.people.stored([message]):
            found = (
                replace(each, written=known[message].written) if each.word.startswith(KNOWN) else each
                for each in why.contributions
            )
            why = replace(why, contributions=tuple(found))
        heading = self._store.messages.headings([message])[message]
        raw = self._store.cached_mail(message)
        return _with_attached_words(why, raw) if heading.attachments and raw else why

    def read_unsubscribe(self, message: int) -> UnsubscribeOffer:
        mail = parse(self._store.raw_of(message))
        trust = self._trust.of_messages([message]).get(message, NO_TRUST)
        way = read_unsubscribe(mail.headers, read_authentication(mail.headers, trust))
        moment, answer = self._store.settings.get(UNSUBSCRIBED, {}).get(_list_of(mail), (0.0, ""))
        return UnsubscribeOffer(message, author_in(mail.header("from")), way.one_click, way.mail, moment, answer)

    def note_unsubscribed(self, message: int, answer: str) -> None:
        done = self._store.settings.get(UNSUBSCRIBED, {})
        mine = {_list_of(parse(self._store.raw_of(message))): (self._clock(), answer)}
        with self._store.transaction():
            self._store.settings.set(UNSUBSCRIBED, done | mine)

    def score_mail(self, raw: bytes) -> results.ScoredMail:
        sample = known_sample_of(parse(raw), self._scoring.model.vocabulary)
        identity = identify(raw)
        known = self._store.messages.find([identity]).get(identity, 0)
        return results.ScoredMail(text_of(known, raw, len(raw)), explain(self._scoring.model, sample, ALL_WORDS))


def _write(path: Path, content: bytes) -> None:
    try:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(content)
    except OSError as error:
        raise KnownError(ErrorCode.READ_ONLY, f"{path}: {error.strerror}") from error


def _list_of(mail: Mail) -> str:
    """Return the name of the list, otherwise the sender."""
    return (mail.header("list-id") or author_in(mail.header("from"))).strip().lower()


def forget_opened(cache: Path) -> None:
    shutil.rmtree(cache / OPENED, ignore_errors=True)


def text_of(message: int, raw: bytes, size: int) -> results.MessageText:
    """Return the first plain text and the first HTML page of raw mail. `size`: bytes of the whole message."""
    mail = parse(raw)
    senders = dict.fromkeys(value for name, value in mail.headers if name == "from" and value)
    shown = [("from", value) for value in senders][:MOST_SENDERS]
    headers = (*shown, *((name, value) for name in _HEADERS if (value := mail.header(name))))
    files = tuple(results.Attachment(clean_file_name(file.name), file.kind, file.size) for file in mail.files)
    body = results.Body.WHOLE if _is_whole(raw, size) else results.Body.PART
    plain = "\n".join(part.text for part in mail.texts if part.kind != "text/html")
    # An attached page is not the text.
    page = next((part.text for part in mail.texts if part.kind == "text/html" and not part.attached), "")
    return results.MessageText(message, headers, plain, page, files, body)


def _is_whole(raw: bytes, size: int) -> bool:
    """True if `raw` is all of a message of this size. A mail file has other line ends than a server."""
    return size <= len(raw) + raw.count(b"\n") - raw.count(b"\r\n") + SLACK


def _with_attached_words(why: Explanation, raw: bytes) -> Explanation:
    """Set the place of words that only attached pages contain to `ATTACHED`."""
    mail = parse(raw)
    if not any(part.attached for part in mail.texts):
        return why
    table = PlainTable()
    collect(mail._replace(texts=tuple(part for part in mail.texts if not part.attached)), table)
    own = set(table.words_from(0))
    found = (
        replace(each, place=ATTACHED) if each.place == BODY and each.word not in own else each
        for each in why.contributions
    )
    return replace(why, contributions=tuple(found))
