"""Single messages: text, source and attachments, the reasons for its score, and fetching what is
not cached.
"""

import itertools
import os
import shutil
import time
import zlib
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from nbmail.core.counting.sampling import known_sample_of
from nbmail.core.explaining.explaining import explain
from nbmail.core.explaining.explanation import Explanation
from nbmail.core.mail.addresses import author_in
from nbmail.core.mail.decoding import decode_text
from nbmail.core.mail.message import Mail
from nbmail.core.mail.parser import attached_file, inline_files, parse
from nbmail.core.senders.authentication import read_authentication
from nbmail.core.senders.people import KNOWN
from nbmail.core.senders.trusted_servers import NO_TRUST
from nbmail.core.senders.unsubscribe import read_unsubscribe
from nbmail.core.words.places import BODY
from nbmail.core.words.tokenizer import collect
from nbmail.core.words.word_table import PlainTable
from nbmail.errors import ErrorCode, KnownError
from nbmail.private_files import make_private_folder
from nbmail.store.mail.identity import identify
from nbmail.store.store import Store
from nbmail.text.file_names import clean_file_name
from nbmail.values import AccountState, ActionKind, Arrival, Phase, ServerAction
from nbmail.worker.engine.jobs import JobSteps, Pause, Surroundings
from nbmail.worker.mailbox.mail_rows import searched_text
from nbmail.worker.mailbox.senders import HEADERS, TrustedServers, check_sender
from nbmail.worker.model.scores import Scoring, sample_of, typicality_of
from nbmail.worker.protocol.events import BodyFetched
from nbmail.worker.protocol.messages import (
    Body,
    MessageFile,
    MessageSource,
    MessageText,
    SavedAttachment,
    ScoredMail,
)
from nbmail.worker.protocol.senders import UnsubscribeOffer

# Requests of the user that are stored: going through a list without a connection makes many.
MOST_REQUESTS = 20
# Requests for a message that breaks the connection each time are abandoned after so many tries.
TRIES = 3
# Bytes compressed in one time slice: about 5 ms.
COMPRESSED = 250_000
# Actions in the background that an account gets at once, and messages after which their words are
# read.
TOGETHER = 100
READ_AFTER = 400
_PROGRESS_EVERY = 0.1


@dataclass(slots=True)
class _Request:
    """Request for a message to one account."""

    message: int
    action: ServerAction
    tries: int = 0


class Fetches:
    """Messages that the user wants to read are requested from all their accounts; the first result
    counts.

    Mail of labels whose words are outdated is requested once each, in the background, from one
    account. `read` is called when some of it was fetched.
    """

    def __init__(self, store: Store, around: Surroundings, read: Callable[[], None]) -> None:
        self._store = store
        self._around = around
        self._read = read
        self._numbers = itertools.count(-1, -1)
        self._wanted: dict[int, _Request] = {}
        # In the background, by account and number.
        self._waiting: dict[str, dict[int, _Request]] = {}
        self._totals: dict[str, int] = {}
        self._requested: set[int] = set()
        self._reported_at = 0.0

    def request(self, message: int, most: int = 0) -> tuple[str, ...]:
        """Request at most `most` bytes of a message (0: the size limit) for the user. Return its
        accounts.
        """
        places = {
            place.account: place for place in reversed(self._store.folders.locations([message]))
        }
        self._drop(message)
        for place in places.values():
            number = next(self._numbers)
            action = ServerAction(
                number, ActionKind.FETCH, place.name, place.validity, place.uid, most=most
            )
            self._wanted[number] = _Request(message, action)
        for number in list(self._wanted)[:-MOST_REQUESTS]:
            del self._wanted[number]
        for account in places:
            self._around.wake(account)
        return tuple(places)

    def request_in_background(self, messages: Collection[int]) -> None:
        """Request messages from the first account that has each, unless they were requested
        before.
        """
        wanted = [message for message in messages if message not in self._requested]
        self._requested.update(wanted)
        places = {place.message: place for place in reversed(self._store.folders.locations(wanted))}
        for place in places.values():
            number = next(self._numbers)
            action = ServerAction(number, ActionKind.FETCH, place.name, place.validity, place.uid)
            self._waiting.setdefault(place.account, {})[number] = _Request(place.message, action)
            self._totals[place.account] = self._totals.get(place.account, 0) + 1
        for account in {place.account for place in places.values()}:
            self._around.wake(account)

    def pending_actions(self, account: str) -> tuple[ServerAction, ...]:
        """Return what this account must fetch for the user, the latest first."""
        return self._tried(
            [
                each
                for each in reversed(self._wanted.values())
                if each.action.folder.account == account
            ]
        )

    def background_actions(self, account: str) -> tuple[ServerAction, ...]:
        """Return what this account must fetch next in the background."""
        return self._tried(itertools.islice(self._waiting.get(account, {}).values(), TOGETHER))

    def _tried(self, requests: Iterable[_Request]) -> tuple[ServerAction, ...]:
        tried = list(requests)
        for request in tried:
            request.tries += 1
            if request.tries > TRIES:
                self.complete_without(request.action)
        return tuple(request.action for request in tried if request.tries <= TRIES)

    def complete_without(self, action: ServerAction) -> None:
        """End a request of an account that doesn't have the message, or refuses it."""
        if request := self._wanted.pop(action.number, None):
            if all(other.message != request.message for other in self._wanted.values()):
                self._around.emit(BodyFetched(request.message, found=False))
        elif action.number in self._waiting.get(action.folder.account, {}):
            self._end_in_background(action)

    def store(self, action: ServerAction, arrival: Arrival) -> JobSteps[None]:
        request = self._wanted.get(action.number)
        is_wanted = request is not None
        request = request or self._waiting.get(action.folder.account, {}).get(action.number)
        if request is None:
            return
        packer = zlib.compressobj(1)
        packed = list[bytes]()
        for start in range(0, len(arrival.raw), COMPRESSED):
            packed.append(packer.compress(arrival.raw[start : start + COMPRESSED]))
            yield Pause()
        identity = self._store.messages.identities([request.message]).get(request.message)
        if identity is not None:
            self._store.raw_mail.put(
                [(identity, b"".join([*packed, packer.flush()]))], self._around.clock()
            )
        # In the background, no text is indexed again, and no commit waits for the disk: thousands
        # of messages may come.
        if identity is not None and is_wanted:
            if request.message <= self._store.texts.upto:
                self._store.texts.add([(request.message, *searched_text(parse(arrival.raw)))])
                yield Pause()
            if arrival.size == len(arrival.raw):
                self._store.messages.resize(request.message, arrival.size)
        if is_wanted:
            self._drop(request.message)
            self._around.emit(BodyFetched(request.message, found=identity is not None))
        else:
            self.complete_without(action)

    def _drop(self, message: int) -> None:
        for number in [
            number for number, request in self._wanted.items() if request.message == message
        ]:
            del self._wanted[number]

    def _end_in_background(self, action: ServerAction) -> None:
        """Forget a request, report progress, and have the words read from time to time."""
        account = action.folder.account
        remaining = self._waiting[account]
        del remaining[action.number]
        done = self._totals[account] - len(remaining)
        total = self._totals[account]
        if not remaining:
            del self._totals[account], self._waiting[account]
        elif done % TOGETHER == 0:
            self._around.wake(account)
        if not remaining or done % READ_AFTER == 0:
            self._read()
        if not remaining or time.monotonic() - self._reported_at >= _PROGRESS_EVERY:
            self._reported_at = time.monotonic()
            state = AccountState(
                account, Phase.WORKING, self._around.clock(), done=done, total=total
            )
            self._around.emit(state)


# Bytes of a message that are fetched at most when all of it is wanted: more than any provider
# accepts.
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
# Copies of a message differ by the headers that servers add on the way, and some servers only
# estimate sizes.
SLACK = 4000
_HEADERS = ("to", "cc", "reply-to", "subject", "date")
# Different From headers that are shown. A message should have one.
MOST_SENDERS = 3
# First bytes of programs: Windows, Linux, macOS, scripts.
_PROGRAMS = (b"MZ", b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"#!")


class MessageReader:
    """Reads messages from the cache of raw mail."""

    def __init__(
        self,
        store: Store,
        scoring: Scoring,
        clock: Callable[[], float],
        trust: TrustedServers,
        fetches: Fetches,
    ) -> None:
        self._store = store
        self._scoring = scoring
        self._clock = clock
        self._trust = trust
        self._fetches = fetches

    def read_message(self, message: int) -> JobSteps[MessageText]:
        """Return the text of a message.

        A text that is not cached is fetched: `BodyFetched` follows.
        """
        heading = self._store.messages.headings([message]).get(message)
        if heading is None:
            raise KnownError(ErrorCode.NOT_FOUND, str(message))
        raw = self._store.cached_mail(message)
        if not raw:
            accounts = self._fetches.request(message)
            headers = (("from", heading.sender), ("subject", heading.subject))
            body = Body.COMING if accounts else Body.ABSENT
            return MessageText(message, headers, "", "", (), body, accounts)
        check = yield from check_sender(
            self._store, self._trust, message, parse(raw[:HEADERS]).headers
        )
        return text_of(message, raw, heading.size)._replace(sender=check)

    def fetch_whole(self, message: int) -> tuple[str, ...]:
        """Fetch a large message beyond its first part, and return its accounts.

        `BodyFetched` follows.
        """
        return self._fetches.request(message, WHOLE)

    def read_source(self, message: int) -> MessageSource:
        """Return all headers of a message and its raw text."""
        raw = self._store.raw_of(message)
        heading = self._store.messages.headings([message])[message]
        text = decode_text(raw[:LONGEST_SOURCE], "").replace("\r\n", "\n")
        return MessageSource(parse(raw).headers, text, _is_whole(raw, heading.size))

    def read_pictures(self, message: int) -> dict[str, bytes]:
        """Return the pictures inside a message that its page can refer to."""
        return inline_files(self._store.raw_of(message), INLINE)

    def write_message(self, message: int) -> MessageFile:
        """Write a message to a temporary `.eml` file, which the next start deletes."""
        raw = self._store.raw_of(message)
        mail = parse(raw)
        folder = self._store.paths.cache / OPENED / str(message)
        make_private_folder(folder)
        path = folder / f"{clean_file_name(mail.header('subject'))[:LONGEST_NAME] or 'message'}.eml"
        _write(path, raw)
        return MessageFile(path, mail.first_headers)

    def save_attachment(
        self, message: int, number: int, path: Path | None = None
    ) -> SavedAttachment:
        """Write an attachment to `path`, or to a file that the next start deletes.

        `number`: index in `MessageText.attachments`.
        """
        found = attached_file(self._store.raw_of(message), number)
        if found is None:
            raise KnownError(ErrorCode.NOT_FOUND, f"attachment {number + 1}")
        name, content = found
        if path is None:
            folder = self._store.paths.cache / OPENED / f"{message}-{number}"
            make_private_folder(folder)
            path = folder / (clean_file_name(name) or "attachment")
        _write(path, content)
        return SavedAttachment(path, content.startswith(_PROGRAMS))

    def explain(self, message: int, strongest: int = 12) -> Explanation:
        """Explain the score of a message by its `strongest` words and the sum of all others."""
        model = self._scoring.model
        why = explain(model, sample_of(self._store, message), strongest)
        why = replace(
            why,
            typicality=typicality_of(self._store, model, message),
            chance_at_arrival=self._store.messages.chance_at_arrival(message),
        )
        if known := self._store.people.stored([message]):
            found = (
                each._replace(written=known[message].written)
                if each.word.startswith(KNOWN)
                else each
                for each in why.contributions
            )
            why = replace(why, contributions=tuple(found))
        heading = self._store.messages.headings([message])[message]
        raw = self._store.cached_mail(message)
        return _with_attached_words(why, raw) if heading.attachments and raw else why

    def read_unsubscribe(self, message: int) -> UnsubscribeOffer:
        """Return the verified ways to unsubscribe from the list of a message."""
        mail = parse(self._store.raw_of(message))
        trust = self._trust.of_messages([message]).get(message, NO_TRUST)
        way = read_unsubscribe(mail.headers, read_authentication(mail.headers, trust))
        moment, answer = self._unsubscribed().get(_list_of(mail), (0.0, ""))
        return UnsubscribeOffer(
            message, author_in(mail.header("from")), way.one_click, way.mail, moment, answer
        )

    def note_unsubscribed(self, message: int, answer: str) -> None:
        """Remember the answer to a request to unsubscribe from the list of a message."""
        mine = {_list_of(parse(self._store.raw_of(message))): (self._clock(), answer)}
        with self._store.transaction():
            self._store.settings.set(UNSUBSCRIBED, self._unsubscribed() | mine)

    def _unsubscribed(self) -> dict[str, tuple[float, str]]:
        return self._store.settings.get(UNSUBSCRIBED, {})

    def score_mail(self, raw: bytes) -> ScoredMail:
        """Score a raw message that is in no mailbox. Nothing is stored."""
        sample = known_sample_of(parse(raw), self._scoring.model.vocabulary)
        identity = identify(raw)
        known = self._store.messages.find([identity]).get(identity, 0)
        return ScoredMail(
            text_of(known, raw, len(raw)), explain(self._scoring.model, sample, ALL_WORDS)
        )


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


def text_of(message: int, raw: bytes, size: int) -> MessageText:
    """Return the first plain text and the first HTML page of raw mail. `size`: bytes of the whole
    message.
    """
    mail = parse(raw)
    senders = dict.fromkeys(value for name, value in mail.headers if name == "from" and value)
    shown = [("from", value) for value in senders][:MOST_SENDERS]
    headers = (*shown, *((name, value) for name in _HEADERS if (value := mail.header(name))))
    files = tuple(file._replace(name=clean_file_name(file.name)) for file in mail.files)
    body = Body.WHOLE if _is_whole(raw, size) else Body.PART
    plain = "\n".join(part.text for part in mail.texts if part.kind != "text/html")
    # An attached page is not the text.
    page = next(
        (part.text for part in mail.texts if part.kind == "text/html" and not part.attached), ""
    )
    return MessageText(message, headers, plain, page, files, body)


def _is_whole(raw: bytes, size: int) -> bool:
    """True if `raw` is all of a message of this size. A mail file has other line ends than a
    server.
    """
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
        each._replace(place=ATTACHED) if each.place == BODY and each.word not in own else each
        for each in why.contributions
    )
    return replace(why, contributions=tuple(found))
