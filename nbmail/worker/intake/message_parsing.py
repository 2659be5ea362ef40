"""From a fetched message to what the store keeps of it."""

import numpy as np

from nbmail.core.counting.sample import Sample, Vocabulary
from nbmail.core.reading.mail import parse
from nbmail.core.reading.mail_samples import sample_of
from nbmail.core.reading.tokenized_mail import Heading, heading_of
from nbmail.store.mail.messages import Content
from nbmail.store.mail.raw_mail import pack
from nbmail.values import Arrival

_NO_HEADING = Heading("", "", 0.0, 0, False)
_NO_SAMPLE = Sample(np.empty(0, np.int32), np.empty(0, np.int32), ())


def content_of(arrival: Arrival, identity: bytes, vocabulary: Vocabulary) -> Content:
    """Parse, gather, number the words, pack: all that needs no transaction."""
    mail = parse(arrival.raw)
    said = heading_of(mail)
    # The server's date is believed before the sender's.
    heading = said._replace(date=arrival.received or said.date, size=arrival.size or said.size)
    return Content(identity, heading, sample_of(mail, vocabulary), pack(arrival.raw))


def known_content_of(arrival: Arrival, identity: bytes) -> Content:
    """A message that is known: its heading and sample are kept as they are, so nothing is parsed."""
    return Content(identity, _NO_HEADING, _NO_SAMPLE, pack(arrival.raw))
