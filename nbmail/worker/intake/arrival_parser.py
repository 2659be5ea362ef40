"""Parsing of arrived messages: everything that needs no transaction."""

from collections.abc import Sequence

import numpy as np

from nbmail.core.counting.sample import Sample
from nbmail.core.mail.message import Heading, heading_of
from nbmail.core.mail.parser import parse
from nbmail.core.senders.people import thread_of
from nbmail.core.senders.trusted_servers import Trust
from nbmail.store.mail.identity import identify
from nbmail.store.mail.messages import Content
from nbmail.store.store import Store
from nbmail.values import Arrival
from nbmail.worker.scores.scores import Scoring
from nbmail.worker.senders.sender_checks import sample_and_check
from nbmail.worker.senders.trusted_servers import TrustedServers

_NO_HEADING = Heading("", "", 0.0, 0, False)
_NO_SAMPLE = Sample(np.empty(0, np.int32), np.empty(0, np.int32), ())


class ArrivalParser:
    """Parses messages, numbers their words, and checks their senders."""

    def __init__(self, store: Store, scoring: Scoring, trust: TrustedServers) -> None:
        self._store = store
        self._scoring = scoring
        self._trust = trust

    def parse(
        self, account: str, arrivals: Sequence[Arrival], packed: Sequence[bytes]
    ) -> list[Content]:
        """Return the contents of messages. `packed`: as the cache stores them.

        Heading and sample of a known message stay unchanged, so it is not parsed.
        """
        trust = self._trust.of(account)
        is_sent_mail_known = self._store.people.is_complete(account)
        identities = [identify(arrival.raw) for arrival in arrivals]
        known = self._store.messages.find(identities)
        contents = list[Content]()
        for arrival, identity, stored in zip(arrivals, identities, packed, strict=True):
            if identity in known:
                content = Content(identity, _NO_HEADING, _NO_SAMPLE, stored)
            else:
                content = self._content(arrival, identity, stored, trust, is_sent_mail_known)
            contents.append(content)
        return contents

    def with_chances(self, contents: Sequence[Content]) -> list[Content]:
        """Return the contents with their chances of spam by the current model."""
        model = self._scoring.model
        if not model.has_chances:
            return list(contents)
        rows = model.rows([content.sample for content in contents])
        chances = model.probabilities(model.log_odds(rows)).tolist()
        return [
            content._replace(chance=chance)
            for content, chance in zip(contents, chances, strict=True)
        ]

    def _content(
        self,
        arrival: Arrival,
        identity: bytes,
        packed: bytes,
        trust: Trust,
        is_sent_mail_known: bool,
    ) -> Content:
        mail = parse(arrival.raw)
        heading = heading_of(mail)
        # The server's date is trusted more than the sender's.
        heading = heading._replace(
            date=arrival.received or heading.date, size=arrival.size or heading.size
        )
        sender = None
        if is_sent_mail_known:
            sender = self._store.people.acquaintance(mail, heading.date)
        vocabulary = self._store.words.vocabulary
        sample, verified = sample_and_check(mail, vocabulary, trust, sender)
        return Content(identity, heading, sample, packed, sender, verified, thread_of(mail))
