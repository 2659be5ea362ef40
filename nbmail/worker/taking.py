"""From a fetched message to what the store keeps of it."""

from __future__ import annotations

import numpy as np

from nbmail.core.dates import moment_of
from nbmail.core.mail import Mail, parse
from nbmail.core.sample import Sample, Vocabulary
from nbmail.core.words import Choices, sample_of
from nbmail.store.bodies import pack
from nbmail.store.values import Content, Head, Placed
from nbmail.sync.desk import Arrival

_NO_HEAD = Head("", "", 0.0, 0)
_NO_SAMPLE = Sample(np.empty(0, np.int32), np.empty(0, np.int32), ())


def take_apart(arrival: Arrival, identity: bytes, vocabulary: Vocabulary, choices: Choices) -> Placed:
    """Parse, gather, number the words, pack: all that needs no transaction."""
    mail = parse(arrival.raw)
    sample = sample_of(mail, vocabulary, choices)
    head = head_of(mail, arrival.received, arrival.size)
    return Placed(arrival.uid, arrival.flags, Content(identity, head, sample, arrival.raw, pack(arrival.raw)))


def pass_on(arrival: Arrival, identity: bytes) -> Placed:
    """A message that is known: its head and sample are kept as they are, so nothing is parsed."""
    return Placed(arrival.uid, arrival.flags, Content(identity, _NO_HEAD, _NO_SAMPLE, arrival.raw, pack(arrival.raw)))


def head_of(mail: Mail, received: float, size: int) -> Head:
    """What the list shows. The server's date is believed before the sender's."""
    date = received or moment_of(mail.header("date"))
    return Head(mail.header("from"), mail.header("subject"), date, size or mail.size, bool(mail.files))
