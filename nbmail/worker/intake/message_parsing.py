"""From a fetched message to what the store keeps of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nbmail.core.counting.sample import Sample, Vocabulary
from nbmail.core.reading.clues import sample_of
from nbmail.core.reading.mail import parse
from nbmail.core.reading.tokenized_mail import Heading, heading_of
from nbmail.core.reading.vocabulary_joining import Joiner
from nbmail.store.mail.raw_mail import pack
from nbmail.store.values import Content, Head, Placed
from nbmail.sync.desk import Arrival
from nbmail.worker.intake.parcels import Parcel

_NO_HEAD = Head("", "", 0.0, 0)
_NO_SAMPLE = Sample(np.empty(0, np.int32), np.empty(0, np.int32), ())


def take_apart(arrival: Arrival, identity: bytes, vocabulary: Vocabulary) -> Placed:
    """Parse, gather, number the words, pack: all that needs no transaction."""
    mail = parse(arrival.raw)
    sample = sample_of(mail, vocabulary)
    return _placed(arrival, Content(identity, _head(heading_of(mail), arrival), sample, arrival.raw, pack(arrival.raw)))


def unpack(arrivals: Sequence[Arrival], names: Sequence[bytes], parcel: Parcel, vocabulary: Vocabulary) -> list[Placed]:
    """The same for messages that were parsed and packed elsewhere."""
    samples = Joiner(vocabulary, grow=True).join(parcel.sheaf)
    several = zip(arrivals, names, parcel.headings, samples, parcel.packed, strict=True)
    return [
        _placed(arrival, Content(identity, _head(heading, arrival), sample, arrival.raw, packed))
        for arrival, identity, heading, sample, packed in several
    ]


def pass_on(arrival: Arrival, identity: bytes, packed: bytes) -> Placed:
    """A message that is known: its head and sample are kept as they are, so nothing is parsed."""
    return _placed(arrival, Content(identity, _NO_HEAD, _NO_SAMPLE, arrival.raw, packed or pack(arrival.raw)))


def _placed(arrival: Arrival, content: Content) -> Placed:
    return Placed(arrival.uid, arrival.flags, content)


def _head(heading: Heading, arrival: Arrival) -> Head:
    """What the list shows. The server's date is believed before the sender's."""
    date, size = arrival.received or heading.date, arrival.size or heading.size
    return Head(heading.sender, heading.subject, date, size, heading.attachments)
