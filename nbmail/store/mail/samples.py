"""Table of samples: what each message is learned with."""

from collections.abc import Iterable, Mapping

import numpy as np

from nbmail.core.counting.sample import Sample
from nbmail.errors import ErrorCode, KnownError
from nbmail.store.files.connection import Connection
from nbmail.store.mail.words_table import WordsTable

_INTEGERS = np.dtype("<i4")


class Samples:
    """Samples by message."""

    def __init__(self, connection: Connection, words: WordsTable) -> None:
        self._connection = connection
        self._words = words
        # Samples of the latest transaction: new messages are often learned next.
        self._latest: dict[int, Sample] = {}
        self._latest_of = 0
        self.most_recent = 0
        """Samples of earlier transactions that stay in memory, approximately."""

    def of(self, messages: Iterable[int]) -> dict[int, Sample]:
        found = dict[int, Sample]()
        others = list[int]()
        for message in messages:
            if message in self._latest:
                found[message] = self._latest[message]
            else:
                others.append(message)
        if others:
            query = "SELECT message, words, occurrences, measures FROM samples WHERE message"
            for message, *columns in self._connection.among(query, others):
                found[message] = sample_from(*columns)
        return found

    def one(self, message: int) -> Sample:
        """Return the sample of a message. Raises NOT_FOUND for an unknown message."""
        sample = self.of([message]).get(message)
        if sample is None:
            raise KnownError(ErrorCode.NOT_FOUND, str(message))
        return sample

    def add(self, samples: Mapping[int, Sample], tokenizer: int) -> None:
        """Store samples of new messages. `tokenizer`: version that made them."""
        self._connection.execute_many(
            "INSERT INTO samples VALUES (?, ?, ?, ?, ?)",
            ((message, tokenizer, *columns_of(sample)) for message, sample in samples.items()),
        )
        self._words.write()
        self._remember(samples)

    def replace(self, samples: Mapping[int, Sample], tokenizer: int | None) -> None:
        """Replace the samples of messages, and the version of the tokenizer unless it is None.

        Joins a transaction in progress.
        """
        self._forget_latest()
        self._connection.execute_many(
            "UPDATE samples SET tokenizer = coalesce(?, tokenizer), "
            "words = ?, occurrences = ?, measures = ? WHERE message = ?",
            ((tokenizer, *columns_of(sample), message) for message, sample in samples.items()),
        )
        self._words.write()

    def outdated(self, tokenizer: int, after: int, most: int) -> dict[int, bytes]:
        """Return the next messages behind `after` with samples of another tokenizer.

        The values are their identities.
        """
        rows = self._connection.rows(
            "SELECT number, identity FROM samples JOIN messages ON number = message "
            "WHERE message > ? AND tokenizer <> ? ORDER BY message LIMIT ?",
            (after, tokenizer, most),
        )
        return dict(rows)

    def outdated_among(self, messages: Iterable[int], tokenizer: int) -> frozenset[int]:
        """Return those of the messages with samples of another tokenizer."""
        query = f"SELECT message FROM samples WHERE tokenizer <> {tokenizer:d} AND message"
        return self._connection.column_among(query, messages)

    def outdate(self, messages: Iterable[int]) -> None:
        self._connection.among("UPDATE samples SET tokenizer = 0 WHERE message", messages)

    def _remember(self, samples: Mapping[int, Sample]) -> None:
        if self._latest_of != self._connection.transactions:
            self._latest_of = self._connection.transactions
            if len(self._latest) >= self.most_recent:
                self._forget_latest()
        self._latest.update(samples)
        # After a rollback another message gets the number.
        self._connection.when_rolled_back.append(self._forget_latest)

    def _forget_latest(self) -> None:
        self._latest = {}


def columns_of(sample: Sample) -> tuple[bytes, bytes, str]:
    """Return the columns of a sample. Arrays are little-endian int32 on all machines."""
    words = sample.words.astype(_INTEGERS, copy=False)
    times = sample.occurrences.astype(_INTEGERS, copy=False)
    # The same text as that of `json.dumps`, in a sixth of its time.
    return words.tobytes(), times.tobytes(), str(list(sample.measures))


def sample_from(words: bytes, occurrences: bytes, measures: str) -> Sample:
    """Return the sample of the columns that `columns_of` made."""
    numbers: tuple[int, ...] = ()
    if len(measures) > len("[]"):
        # A fifth of the time of JSON, which would double the time of a rebuild.
        numbers = tuple(map(int, measures[1:-1].split(",")))
    return Sample(np.frombuffer(words, _INTEGERS), np.frombuffer(occurrences, _INTEGERS), numbers)


def is_sample(words: bytes, occurrences: bytes, measures: str, *, known: int) -> bool:
    """True if the columns are a sample of a vocabulary of `known` words."""
    try:
        sample = sample_from(words, occurrences, measures)
    except (ValueError, TypeError):
        return False
    if not (measures.startswith("[") and measures.endswith("]")):
        return False
    numbers = sample.words
    times = sample.occurrences
    if len(numbers) != len(times):
        return False
    if not len(numbers):
        return True
    is_rising = bool(np.all(numbers[1:] > numbers[:-1]))
    is_inside = bool(numbers[0] >= 0 and numbers[-1] < known)
    return is_rising and is_inside and int(times.min()) > 0
