"""Samples of stored messages."""

from nbmail.core.counting.sample import Sample
from nbmail.errors import ErrorCode, KnownError
from nbmail.store.store import Store


def sample_of(store: Store, message: int) -> Sample:
    """Return the words of a message. Raises NOT_FOUND for an unknown message."""
    sample = store.samples.of([message]).get(message)
    if sample is None:
        raise KnownError(ErrorCode.NOT_FOUND, str(message))
    return sample
