"""Texts of messages: from the cache of raw mail, and from files."""

from nbmail.core.counting.sampling import known_sample_of
from nbmail.core.explaining.explaining import explain
from nbmail.core.mail.decoding import decode_text
from nbmail.core.mail.parser import parse
from nbmail.errors import ErrorCode, KnownError
from nbmail.store.mail.identity import identify
from nbmail.store.store import Store
from nbmail.worker.engine.jobs import JobSteps
from nbmail.worker.protocol.messages import Body, MessageSource, MessageText, ScoredMail
from nbmail.worker.reading.fetches import Fetches
from nbmail.worker.reading.message_text import is_whole, text_of
from nbmail.worker.scores.scores import Scoring
from nbmail.worker.senders.sender_checks import check_sender
from nbmail.worker.senders.trusted_servers import HEADERS, TrustedServers

# Bytes of a message that are fetched at most when all of it is wanted: more than any provider
# accepts.
WHOLE = 64_000_000
# Words in the reasons for a message that is in no mailbox.
ALL_WORDS = 1_000_000
LONGEST_SOURCE = 1_000_000
"""Characters of the raw text that are shown."""


class MessageReader:
    """Reads messages from the cache of raw mail, and requests those that it lacks."""

    def __init__(
        self, store: Store, scoring: Scoring, trust: TrustedServers, fetches: Fetches
    ) -> None:
        self._store = store
        self._scoring = scoring
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
            known = (("from", heading.sender), ("subject", heading.subject))
            body = Body.COMING if accounts else Body.ABSENT
            return MessageText(message, known, "", "", (), body, accounts)
        headers = parse(raw[:HEADERS]).headers
        check = yield from check_sender(self._store, self._trust, message, headers)
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
        return MessageSource(parse(raw).headers, text, is_whole(raw, heading.size))

    def score_mail(self, raw: bytes) -> ScoredMail:
        """Score a raw message that is in no mailbox. Nothing is stored."""
        model = self._scoring.model
        identity = identify(raw)
        message = self._store.messages.find([identity]).get(identity, 0)
        why = explain(model, known_sample_of(parse(raw), model.vocabulary), ALL_WORDS)
        return ScoredMail(text_of(message, raw, len(raw)), why)
