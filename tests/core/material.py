"""Random samples over a small vocabulary, from a seed."""

import os
from functools import lru_cache

import numpy as np
from hypothesis import strategies as st

from nbmail.core.counting.sample import Sample
from nbmail.core.counting.sampling import sample_of
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.evaluation.trials import Case
from nbmail.core.mail.parser import parse
from nbmail.core.scoring.model import Model
from nbmail.values import HAM, SPAM
from nbmail.worker.model.laboratory import method_named

WORDS = 60
MEASURES = 3
LONGER = 20 if os.environ.get("NBMAIL_TORTURE") else 1
"""By how much longer the torture tries."""


def vocabulary(size=WORDS):
    return Vocabulary(
        f"fact:shade{i % 3}=v{i}" if i % 5 == 0 else f"subject:w{i}" if i % 3 == 0 else f"w{i}"
        for i in range(size)
    )


def sample(words, occurrences=None, measures=()):
    """Return a sample with these words, each once by default."""
    words = np.array(sorted(words), np.int32)
    times = (
        np.ones(len(words), np.int32) if occurrences is None else np.array(occurrences, np.int32)
    )
    return Sample(words, times, tuple(measures))


def text_sample(vocabulary, words, occurrences=None, measures=()):
    """Return a sample of words given as text. New words are added to the vocabulary."""
    numbers = np.array(vocabulary.numbers_of(words), np.int32)
    order = np.argsort(numbers)
    times = (
        np.ones(len(numbers), np.int32) if occurrences is None else np.array(occurrences, np.int32)
    )
    return Sample(numbers[order], times[order], tuple(measures))


def words_of(raw):
    words = Vocabulary()
    found = sample_of(parse(raw), words)
    return dict(zip(map(words.word, found.words.tolist()), found.occurrences.tolist(), strict=True))


def draw(random, size=WORDS, label=HAM):
    """A message: spam prefers the upper half of the words and larger measures."""
    middle = size * (0.65 if label == SPAM else 0.35)
    picked = np.clip(
        random.normal(middle, size / 4, random.integers(0, 25)).astype(int), 0, size - 1
    )
    words, times = np.unique(picked, return_counts=True)
    measures = random.integers(0, 60 if label == SPAM else 40, MEASURES)
    return Sample(
        words.astype(np.int32), times.astype(np.int32), tuple(int(value) for value in measures)
    )


def mailbox(messages=120, seed=1, labels=(SPAM, HAM), size=WORDS):
    random = np.random.default_rng(seed)
    picked = [labels[int(i)] for i in random.integers(0, len(labels), messages)]
    return [(draw(random, size, label), label) for label in picked]


def trained(method, messages=120, seed=1, labels=(SPAM, HAM)):
    model = Model(vocabulary(), method_named(method))
    for one, label in mailbox(messages, seed, labels):
        model.learn(one, label)
    return model


def cases(messages, labels=(SPAM, HAM), seed=1):
    return [Case(label, one) for one, label in mailbox(messages, seed, labels)]


def fresh(method="bernoulli"):
    return Model(vocabulary(), method_named(method))


def class_scores(model, rows):
    return model.implementation.scores(model.counts, rows)


once_trained = lru_cache(trained)
"""One model for all tests that only ask it."""


@st.composite
def samples(draw, size=WORDS):
    words = draw(st.sets(st.integers(0, size - 1), max_size=20))
    times = [draw(st.integers(1, 9)) for _ in words]
    return sample(words, times, [draw(st.integers(0, 1000)) for _ in range(MEASURES)])
