"""Evidence for folders besides words: how the user files mail.

* Sender and mailing list: where their mail was filed. With decayed counts c of n messages and the share q of the folder
  in all mail: log((c + m q) / (n + m) / q).
* Thread: the same for messages that refer to each other, with a smaller m.
* Recent use: the log of the decayed share of the folder.
* Name: words of the folder's name that the message contains. Rare words count more.

Measurements: `tests/bench/MEASUREMENTS.md`, "Suggested folders".
"""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import FloatArray, Sample, Vocabulary
from nbmail.core.reading.word_splitting import split_words

SENDER, MAILING_LIST, THREAD, RECENT, NAME = "sender", "list", "thread", "recent", "name"

# The number m of imaginary messages.
_IMAGINARY = {SENDER: 10.0, MAILING_LIST: 10.0, THREAD: 1.0}
_SENDER_WEIGHT, _THREAD_WEIGHT, _RECENT_WEIGHT, _NAME_WEIGHT = 3.0, 6.0, 0.5, 16.0
# Folders from which on senders have their whole weight.
_MANY_FOLDERS = 60
# An earlier message counts half after so many of the same sender, list or thread, or of any.
_HALF_LIFE, _RECENT_HALF_LIFE = 5, 100
_FADING, _RECENT_FADING = 0.5 ** (1 / _HALF_LIFE), 0.5 ** (1 / _RECENT_HALF_LIFE)
_IMAGINARY_SHARE = 0.5
# Added to the number of messages with a word of a name.
_COMMON = 3
# Places of a word of a name; "" is the body.
_NAME_PLACES = ("", "subject:", "from:", "to:")


class FiledMail(NamedTuple):
    """Evidence of one message. `thread`: its Message-ID and those that it refers to, or any other names of them."""

    sample: Sample
    thread: tuple[str, ...] = ()


class Uses(NamedTuple):
    """Decayed number of messages by folder. `step`: number of messages up to the latest one that counts here."""

    counts: Mapping[str, float]
    step: int = 0


Forgotten = Mapping[str, Uses | None]
"""What `Habits.learn` replaced: exactly what `unlearn` restores."""


class Habits:
    """Decayed numbers of messages that were filed in each folder, by sender, list and thread, and altogether."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self.uses: dict[str, Uses] = {}

    def keys(self, mail: FiledMail) -> list[str]:
        """Return the sender, the mailing list and the threads of a message, each with its kind."""
        words = [self._vocabulary.word(number) for number in mail.sample.words.tolist()]
        senders = [word for word in words if word.startswith("from:") and "@" in word]
        # A long address has no word, but its domain has.
        sender = min(senders, key=lambda word: (word.startswith("from:@"), word), default="")
        keys = [f"{SENDER} {sender}"] if sender else []
        keys += [f"{MAILING_LIST} {word}" for word in words if word.startswith("list-id:")]
        return keys + [f"{THREAD} {name}" for name in dict.fromkeys(mail.thread)]

    def learn(self, keys: Sequence[str], folder: str) -> Forgotten:
        """Count a message of this folder."""
        forgotten = {key: self.uses.get(key) for key in (RECENT, *keys)}
        for key in forgotten:
            fading = _RECENT_FADING if key == RECENT else _FADING
            before = self.uses.get(key, Uses({}))
            counts = {each: count * fading for each, count in before.counts.items()}
            counts[folder] = counts.get(folder, 0.0) + 1.0
            self.uses[key] = Uses(counts, before.step + 1)
        return forgotten

    def unlearn(self, forgotten: Forgotten) -> None:
        """Take the latest `learn` back."""
        for key, uses in forgotten.items():
            if uses is None:
                del self.uses[key]
            else:
                self.uses[key] = uses

    def evidence(self, counts: Counts, mail: FiledMail, keys: Sequence[str]) -> dict[str, FloatArray]:
        """Return the contribution of each kind of evidence to the score of each class of `counts`."""
        shares = np.array(counts.messages, np.float64) + _IMAGINARY_SHARE
        shares /= shares.sum()
        found = {RECENT: _RECENT_WEIGHT * np.log(self._shares(counts.classes))}
        by_sender = _SENDER_WEIGHT * math.sqrt(min(1.0, sum(map(bool, counts.messages)) / _MANY_FOLDERS))
        weights = {SENDER: by_sender, MAILING_LIST: by_sender, THREAD: _THREAD_WEIGHT}
        for kind, imaginary in _IMAGINARY.items():
            filed = sum(self._counts(key, counts.classes) for key in keys if key.startswith(f"{kind} "))
            if np.any(filed):
                share = (filed + imaginary * shares) / (np.sum(filed) + imaginary)
                found[kind] = weights[kind] * np.log(share / shares)
        found[NAME] = _NAME_WEIGHT * self._name_matches(counts, mail.sample)
        return found

    def _counts(self, key: str, folders: Sequence[str]) -> FloatArray:
        counts = self.uses.get(key, Uses({})).counts
        return np.array([counts.get(folder, 0.0) for folder in folders])

    def _shares(self, folders: Sequence[str]) -> FloatArray:
        counts = self._counts(RECENT, folders) + _IMAGINARY_SHARE
        return np.asarray(counts / counts.sum())

    def _name_matches(self, counts: Counts, sample: Sample) -> FloatArray:
        """Return for each folder the mean over the words of its name of 1 / ln(3 + holders), 0 for absent words."""
        names = [name_words(folder) for folder in counts.classes]
        forms = [place + word for words in names for word in words for place in _NAME_PLACES]
        numbers = np.array(self._vocabulary.known_numbers_of(forms), np.int32)
        holders = np.where(np.isin(numbers, sample.words), counts.documents_with(numbers), -1)
        most = holders.reshape(-1, len(_NAME_PLACES)).max(axis=1, initial=-1)
        matches = np.where(most >= 0, 1 / np.log(_COMMON + np.maximum(most, 0)), 0.0).tolist()
        return np.array([sum(matches.pop(0) for _ in words) / max(1, len(words)) for words in names])


def name_words(folder: str) -> list[str]:
    """Return the words of a folder's name."""
    return list(dict.fromkeys(split_words("".join(each if each.isalnum() else " " for each in folder))))
