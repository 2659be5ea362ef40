"""A data folder with very many messages, made without parsing any mail."""

import random
from pathlib import Path

import numpy as np

from nbmail.chunks import drain
from nbmail.core.counting.sample import Sample
from nbmail.core.mail.message import Heading
from nbmail.core.scoring.model import Model
from nbmail.core.words.tokenizer import TOKENIZER_VERSION
from nbmail.paths import Paths
from nbmail.store.labels.journal import By
from nbmail.store.mail.messages import Content
from nbmail.store.store import Store
from nbmail.values import Arrival, Delivery, FolderName

VOCABULARY = 300_000
WORDS = 150
BATCH = 5000


def make_home(home: Path, messages: int, labels: int = 2000, vocabulary: int = VOCABULARY) -> None:
    """Store messages of 150 words each, drawn as words are in language; half of the labels spam,
    half ham.
    """
    chance = np.random.default_rng(1)
    with Store(Paths.under(home), 0.0) as store:
        store.words.vocabulary.numbers_of(_words(vocabulary))
        drain(store.model.opening(Model(store.words.vocabulary)))
        for first in range(0, messages, BATCH):
            count = min(BATCH, messages - first)
            samples = draw_samples(chance, count, vocabulary, first)
            numbered = list(enumerate(samples, first))
            arrivals = tuple(
                Arrival(number + 1, frozenset({"\\Seen"}), 0.0, b"", 0) for number, _ in numbered
            )
            contents = [_content(number, sample) for number, sample in numbered]
            delivery = Delivery(FolderName("home", "INBOX"), 1, arrivals=arrivals, complete=True)
            store.take(delivery, contents, TOKENIZER_VERSION, 0.0)
        for first in range(0, labels, 200):
            last = min(first + 200, labels)
            given = {number: ("ham", "spam")[number % 2] for number in range(first + 1, last + 1)}
            for label in ("spam", "ham"):
                mine = {number: its for number, its in given.items() if its == label}
                store.marks.mark(mine, by=By.FOLDER, moment=1.0)


def draw_samples(
    chance: np.random.Generator, count: int, vocabulary: int, first: int = 0
) -> list[Sample]:
    """Return messages of `WORDS` different words; odd ones prefer other words than even ones."""
    found = []
    for number in range(first, first + count):
        drawn = np.unique((vocabulary ** chance.random(2 * WORDS)).astype(np.int64) - 1)
        words = chance.permutation(drawn)[:WORDS]
        words = np.unique(
            np.where(words % 7 == 0, words // 2 * 2 + number % 2, words) % vocabulary
        ).astype(np.int32)
        found.append(Sample(words, np.ones(len(words), np.int32), (len(words),)))
    return found


def _content(number: int, sample: Sample) -> Content:
    date = 1e9 + 60.0 * number
    heading = Heading(
        f"sender{number % 997}@example.org", f"subject number {number}", date, 4000, False
    )
    return Content(number.to_bytes(16, "big"), heading, sample)


def _words(count: int) -> tuple[str, ...]:
    chance = random.Random(1)
    return tuple(f"{chance.choice('abcdefgh')}{number:x}" for number in range(count))
