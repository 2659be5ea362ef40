"""Evidence for folders besides words: how the user files mail."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from nbmail.core.counting.arrays import FloatArray
from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import Sample
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.folders.filed_mail import FiledMail
from nbmail.core.methods.folder_evidence import filled_classes
from nbmail.core.words.splitting import split_words

SENDER = "sender"
MAILING_LIST = "list"
THREAD = "thread"
RECENT = "recent"
NAME = "name"

# Number m of imaginary messages in `Habits`.
_IMAGINARY = {SENDER: 10.0, MAILING_LIST: 10.0, THREAD: 1.0}
_SENDER_WEIGHT = 3.0
_THREAD_WEIGHT = 6.0
_RECENT_WEIGHT = 0.5
_NAME_WEIGHT = 16.0
# Number of folders from which senders have their full weight.
_MANY_FOLDERS = 60
# Half-lives of messages as evidence, in later messages of the same sender, list or thread, and of
# any.
_HALF_LIFE = 5
_RECENT_HALF_LIFE = 100
_FADING = 0.5 ** (1 / _HALF_LIFE)
_RECENT_FADING = 0.5 ** (1 / _RECENT_HALF_LIFE)
_IMAGINARY_SHARE = 0.5
# Added to the number of messages with a word of a name.
_COMMON = 3
# Places of a word of a name; "" is the body.
_NAME_PLACES = ("", "subject:", "from:", "to:")


class Uses(NamedTuple):
    """Decayed number of messages by folder.

    `step`: number of messages up to the latest one that counts here.
    """

    counts: Mapping[str, float]
    step: int = 0


Forgotten = Mapping[str, Uses | None]
"""Values that `Habits.learn` replaced and `unlearn` restores."""


class Habits:
    """Evidence for folders besides words: how the user files mail.

    * Sender and mailing list: where their mail was filed, log((c + m q) / (n + m) / q). c: decayed
      count of n messages; q: share of the folder in all mail.
    * Thread: the same for messages that refer to each other, with a smaller m.
    * Recent use: the log of the decayed share of the folder.
    * Name: words of the folder's name that the message contains. Rare words count more.

    Measurements: `tests/bench/MEASUREMENTS.md`, "Suggested folders".
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self.uses: dict[str, Uses] = {}

    def keys(self, mail: FiledMail) -> list[str]:
        """Return the sender, mailing lists and threads of a message, by which it counts."""
        words = [self._vocabulary.word(number) for number in mail.sample.words.tolist()]
        senders = [word for word in words if word.startswith("from:") and "@" in word]
        # A long address has no word, but its domain has.
        sender = min(senders, key=lambda word: (word.startswith("from:@"), word), default="")
        keys = [f"{SENDER} {sender}"] if sender else []
        keys += [f"{MAILING_LIST} {word}" for word in words if word.startswith("list-id:")]
        keys += [f"{THREAD} {name}" for name in dict.fromkeys(mail.thread)]
        return keys

    def learn(self, keys: Sequence[str], folder: str) -> Forgotten:
        forgotten = {key: self.uses.get(key) for key in (RECENT, *keys)}
        for key in forgotten:
            fading = _RECENT_FADING if key == RECENT else _FADING
            before = self.uses.get(key, Uses({}))
            counts = {each: count * fading for each, count in before.counts.items()}
            counts[folder] = counts.get(folder, 0.0) + 1.0
            self.uses[key] = Uses(counts, before.step + 1)
        return forgotten

    def unlearn(self, forgotten: Forgotten) -> None:
        for key, uses in forgotten.items():
            if uses is None:
                del self.uses[key]
            else:
                self.uses[key] = uses

    def evidence(
        self, counts: Counts, mail: FiledMail, keys: Sequence[str]
    ) -> dict[str, FloatArray]:
        """Return what each kind of evidence adds to the score of each class of `counts`."""
        shares = np.array(counts.messages, np.float64) + _IMAGINARY_SHARE
        shares /= shares.sum()
        recent = self._counts(RECENT, counts.classes) + _IMAGINARY_SHARE
        found = {RECENT: _RECENT_WEIGHT * np.log(recent / recent.sum())}
        sender_weight = _SENDER_WEIGHT * math.sqrt(min(1.0, filled_classes(counts) / _MANY_FOLDERS))
        weights = {
            SENDER: sender_weight,
            MAILING_LIST: sender_weight,
            THREAD: _THREAD_WEIGHT,
        }
        for kind, weight in weights.items():
            filed = self._filed(kind, keys, counts.classes)
            if np.any(filed):
                imaginary = _IMAGINARY[kind]
                share = (filed + imaginary * shares) / (np.sum(filed) + imaginary)
                found[kind] = weight * np.log(share / shares)
        found[NAME] = _NAME_WEIGHT * self._name_matches(counts, mail.sample)
        return found

    def _filed(self, kind: str, keys: Sequence[str], folders: Sequence[str]) -> FloatArray:
        """Return the decayed counts of all keys of one kind together."""
        found = np.zeros(len(folders))
        for key in keys:
            if key.startswith(f"{kind} "):
                found += self._counts(key, folders)
        return found

    def _counts(self, key: str, folders: Sequence[str]) -> FloatArray:
        counts = self.uses.get(key, Uses({})).counts
        return np.array([counts.get(folder, 0.0) for folder in folders])

    def _name_matches(self, counts: Counts, sample: Sample) -> FloatArray:
        """Return for each folder the mean over the words of its name of 1 / ln(3 + holders).

        An absent word counts 0.
        """
        names = [name_words(folder) for folder in counts.classes]
        forms = [place + word for words in names for word in words for place in _NAME_PLACES]
        numbers = np.array(self._vocabulary.known_numbers_of(forms), np.int32)
        is_present = np.isin(numbers, sample.words)
        holders = np.where(is_present, counts.documents_with(numbers), -1)
        most = holders.reshape(-1, len(_NAME_PLACES)).max(axis=1, initial=-1)
        rareness = 1 / np.log(_COMMON + np.maximum(most, 0))
        matches = np.where(most >= 0, rareness, 0.0).tolist()

        means: list[float] = []
        first = 0
        for words in names:
            last = first + len(words)
            means.append(sum(matches[first:last]) / max(1, len(words)))
            first = last
        return np.array(means)


def name_words(folder: str) -> list[str]:
    """Return the words of a folder's name, in their order."""
    plain = "".join(sign if sign.isalnum() else " " for sign in folder)
    return list(dict.fromkeys(split_words(plain)))
