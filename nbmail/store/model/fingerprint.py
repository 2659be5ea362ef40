"""Fingerprint of a method of scoring."""

import hashlib
import json

import numpy as np

from nbmail.core.calibration import cross_validation
from nbmail.core.counting.sample import Sample
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.methods.method import MethodFactory
from nbmail.core.scoring.model import Model
from nbmail.values import HAM, SPAM

# Generated messages, their words, and words of a message.
_SAMPLES = 48
_WORDS = 64
_WORDS_OF_MESSAGE = 12


def fingerprint(method: MethodFactory) -> str:
    """Return a digest of what a method learns from some generated messages. Takes about 10 ms.

    A snapshot contains corrections and held-out scores. A new version of a method computes others
    from the same labels, so that an old snapshot must not be used. The digest detects this without
    a version number in the source.
    """
    model = Model(Vocabulary(f"word{number}" for number in range(_WORDS)), method)
    state = 1
    for number in range(_SAMPLES):
        is_spam = number % 2 == 1
        # Spam has lower numbers, with enough exceptions for every method to make some errors.
        spam_words = _WORDS if number % 5 == 0 else _WORDS * 2 // 3
        words = set()
        for _ in range(_WORDS_OF_MESSAGE):
            state = (state * 1103515245 + 12345) % 2**31
            words.add((state >> 8) % spam_words if is_spam else state % _WORDS)
        sample = np.array(sorted(words), np.int32)
        occurrences = (sample % 3 + 1).astype(np.int32)
        label = SPAM if is_spam else HAM
        model.learn(Sample(sample, occurrences, (len(words), number)), label)

    kept = model.content()
    # Rounded: the last digits of a logarithm differ from machine to machine.
    scores = [f"{score:.6f}" for score in kept.held_out.parts.ravel().tolist()]
    # Computing which labels are scored by cross-validation would take too long.
    dealing = [
        cross_validation.MOST,
        cross_validation.FOLDS,
        cross_validation.EACH,
        cross_validation.DIGITS,
    ]
    content = [np.asarray(kept.corrections).tolist(), scores, kept.held_out.spam.tolist(), dealing]
    text = json.dumps(content, sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
