"""A home with very many messages, made without parsing any mail: for benches of the store and the engine."""

from __future__ import annotations

import random
import time
from pathlib import Path

import numpy as np
from nbmail.store.values import Batch, By, Content, Head, Placed

from nbmail.core.counting.sample import Sample
from nbmail.core.judging.model import Model
from nbmail.core.reading.tokenizer import TOKENIZER_VERSION
from nbmail.paths import Paths
from nbmail.store.store import Store

VOCABULARY = 300_000
WORDS = 150
BATCH = 5000


def make_home(home: Path, messages: int, labels: int = 2000, vocabulary: int = VOCABULARY) -> None:
    """So many messages of 150 words each, drawn as words are in language; half of the labels junk, half good."""
    chance = np.random.default_rng(1)
    with Store(Paths.under(home), 0.0) as store:
        store.words.vocabulary.numbers_of(_words(vocabulary))
        for first in range(0, messages, BATCH):
            count = min(BATCH, messages - first)
            samples = draw_samples(chance, count, vocabulary, first)
            placed = tuple(
                Placed(number + 1, frozenset({"\\Seen"}), _content(number, sample))
                for number, sample in enumerate(samples, first)
            )
            store.take(Batch("home", "INBOX", 1, TOKENIZER_VERSION, placed=placed, complete=True), 0.0)
        model = Model(store.words.vocabulary)
        store.load_model(model)
        for first in range(0, labels, 200):
            for label, odd in (("junk", 1), ("good", 0)):
                mine = [n for n in range(first + 1, min(first + 200, labels) + 1) if n % 2 == odd]
                store.marks.mark(model, mine, label, by=By.FOLDER, moment=1.0)


def draw_samples(chance: np.random.Generator, count: int, vocabulary: int, first: int = 0) -> list[Sample]:
    """Messages of `WORDS` different words; odd ones prefer other words than even ones."""
    found = []
    for number in range(first, first + count):
        drawn = np.unique((vocabulary ** chance.random(2 * WORDS)).astype(np.int64) - 1)
        words = chance.permutation(drawn)[:WORDS]
        words = np.unique(np.where(words % 7 == 0, words // 2 * 2 + number % 2, words) % vocabulary).astype(np.int32)
        found.append(Sample(words, np.ones(len(words), np.int32), (len(words),)))
    return found


def _content(number: int, sample: Sample) -> Content:
    head = Head(f"sender{number % 997}@example.org", f"subject number {number}", 1e9 + 60.0 * number, 4000)
    return Content(number.to_bytes(16, "big"), head, sample)


def _words(count: int) -> tuple[str, ...]:
    chance = random.Random(1)
    return tuple(f"{chance.choice('abcdefgh')}{number:x}" for number in range(count))


def report_time(name: str, started: float) -> None:
    """How long the preparation took."""
    print(f"({name}: {time.perf_counter() - started:.1f} s)", flush=True)
