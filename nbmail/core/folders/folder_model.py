"""Model of the folders of an account: a function of its filed messages in their order.

* `learn` scores the message, notes how good that suggestion was, and learns it.
* `unlearn` of the latest learned message is exact, as if it had never been learned.
* Any other `unlearn` keeps the counts exact and sets `is_exact` to False: the owner rebuilds the
  model.
"""

import math
from collections import deque
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import FloatArray, LongArray, Sample, Vocabulary, WordRows
from nbmail.core.folders.suggestions import SHOWN, PastSuggestion, Suggestion, SuggestionLines
from nbmail.core.methods.balanced import Balanced
from nbmail.core.methods.method import Part, class_log_chances
from nbmail.core.reading.words import split_words
from nbmail.core.scoring.explaining import ScoreSource
from nbmail.core.scoring.explanation import Reasons

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


class FiledMail(NamedTuple):
    """Evidence of one message. `thread`: its Message-ID and those that it refers to, or any other
    names of them.
    """

    sample: Sample
    thread: tuple[str, ...] = ()


class Uses(NamedTuple):
    """Decayed number of messages by folder. `step`: number of messages up to the latest one that
    counts here.
    """

    counts: Mapping[str, float]
    step: int = 0


Forgotten = Mapping[str, Uses | None]
"""Values that `Habits.learn` replaced and `unlearn` restores."""


class Habits:
    """Evidence for folders besides words: how the user files mail.

    * Sender and mailing list: where their mail was filed, log((c + m q) / (n + m) / q). c: decayed
      count of n messages;
      q: share of the folder in all mail.
    * Thread: the same for messages that refer to each other, with a smaller m.
    * Recent use: the log of the decayed share of the folder.
    * Name: words of the folder's name that the message contains. Rare words count more.

    Measurements: `tests/bench/MEASUREMENTS.md`, "Suggested folders".
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self.uses: dict[str, Uses] = {}

    def keys(self, mail: FiledMail) -> list[str]:
        words = [self._vocabulary.word(number) for number in mail.sample.words.tolist()]
        senders = [word for word in words if word.startswith("from:") and "@" in word]
        # A long address has no word, but its domain has.
        sender = min(senders, key=lambda word: (word.startswith("from:@"), word), default="")
        keys = [f"{SENDER} {sender}"] if sender else []
        keys += [f"{MAILING_LIST} {word}" for word in words if word.startswith("list-id:")]
        return keys + [f"{THREAD} {name}" for name in dict.fromkeys(mail.thread)]

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
        """Return the contribution of each kind of evidence to the score of each class of
        `counts`.
        """
        shares = np.array(counts.messages, np.float64) + _IMAGINARY_SHARE
        shares /= shares.sum()
        recent = self._counts(RECENT, counts.classes) + _IMAGINARY_SHARE
        found = {RECENT: _RECENT_WEIGHT * np.log(recent / recent.sum())}
        by_sender = _SENDER_WEIGHT * math.sqrt(
            min(1.0, sum(map(bool, counts.messages)) / _MANY_FOLDERS)
        )
        weights = {SENDER: by_sender, MAILING_LIST: by_sender, THREAD: _THREAD_WEIGHT}
        for kind, imaginary in _IMAGINARY.items():
            filed = sum(
                self._counts(key, counts.classes) for key in keys if key.startswith(f"{kind} ")
            )
            if np.any(filed):
                share = (filed + imaginary * shares) / (np.sum(filed) + imaginary)
                found[kind] = weights[kind] * np.log(share / shares)
        found[NAME] = _NAME_WEIGHT * self._name_matches(counts, mail.sample)
        return found

    def _counts(self, key: str, folders: Sequence[str]) -> FloatArray:
        counts = self.uses.get(key, Uses({})).counts
        return np.array([counts.get(folder, 0.0) for folder in folders])

    def _name_matches(self, counts: Counts, sample: Sample) -> FloatArray:
        """Return for each folder the mean over the words of its name of 1 / ln(3 + holders), 0 for
        absent words.
        """
        names = [name_words(folder) for folder in counts.classes]
        forms = [place + word for words in names for word in words for place in _NAME_PLACES]
        numbers = np.array(self._vocabulary.known_numbers_of(forms), np.int32)
        holders = np.where(np.isin(numbers, sample.words), counts.documents_with(numbers), -1)
        most = holders.reshape(-1, len(_NAME_PLACES)).max(axis=1, initial=-1)
        matches = np.where(most >= 0, 1 / np.log(_COMMON + np.maximum(most, 0)), 0.0).tolist()
        return np.array(
            [sum(matches.pop(0) for _ in words) / max(1, len(words)) for words in names]
        )


def name_words(folder: str) -> list[str]:
    return list(
        dict.fromkeys(split_words("".join(each if each.isalnum() else " " for each in folder)))
    )


LATEST = 100
"""Latest messages that can be unlearned exactly."""

FILED = "filed"
"""Place of the reasons that are no words of the message."""


class _Learned(NamedTuple):
    """Data to undo one `learn`."""

    sample: Sample
    folder: str
    undo_data: tuple[int, ...]
    forgotten: Forgotten
    lines: SuggestionLines
    recorded: bool


class FolderContent(NamedTuple):
    """State of a model, to be stored. `words`: its own vocabulary."""

    counts: Counts
    corrections: LongArray
    words: list[str]
    uses: Mapping[str, Uses]
    lines: SuggestionLines
    past: Sequence[PastSuggestion]


class FolderModel:
    """Suggests folders. `past`: the record of past suggestions, in the order of learning.

    `words`: the vocabulary of the samples. The model numbers the words that it meets in a
    `vocabulary` by itself. Its tables have a row for each folder, and would be large with all words
    of a mailbox.
    """

    def __init__(self, words: Vocabulary) -> None:
        self.vocabulary = Vocabulary()
        self.counts = Counts()
        self.habits = Habits(self.vocabulary)
        self.lines = SuggestionLines()
        self._words = words
        self._numbers = np.zeros(0, np.int32)
        self.past: list[PastSuggestion] = []
        self.is_exact = True
        self.method = Balanced()
        self._latest: deque[_Learned] = deque(maxlen=LATEST)

    @classmethod
    def of(cls, words: Vocabulary, content: FolderContent) -> "FolderModel":
        model = cls(words)
        numbers = words.numbers_of(content.words)
        model._numbers = np.full(max(numbers, default=-1) + 1, -1, np.int32)
        model._numbers[numbers] = model.vocabulary.numbers_of(content.words)
        model.counts, model.habits.uses = content.counts, dict(content.uses)
        model.lines, model.past = content.lines, list(content.past)
        model.method.restore(content.counts, content.corrections)
        return model

    def content(self) -> FolderContent:
        """Return the content, not copied."""
        words = self.vocabulary.words_from(0)
        corrections = self.method.state()
        return FolderContent(
            self.counts, corrections, words, self.habits.uses, self.lines, self.past
        )

    def learn(self, mail: FiledMail, folders: Sequence[str], *, recorded: bool = True) -> None:
        """Learn that a message is in these folders. `recorded`: False if a program put it there."""
        mail = self._renumbered(mail)
        chances = (
            self._chances([mail])[0]
            if recorded and sum(map(bool, self.counts.messages)) > 1
            else None
        )
        keys = self.habits.keys(mail)
        for folder in folders:
            lines = self.lines
            suggested = chances is not None and folder == folders[0]
            if chances is not None and suggested:
                self._note(chances, folders)
            undo_data = self.method.learn(self.counts, mail.sample, folder)
            self.counts.learn(mail.sample, folder)
            forgotten = self.habits.learn(keys, folder)
            self._latest.append(
                _Learned(mail.sample, folder, undo_data, forgotten, lines, suggested)
            )

    def unlearn(self, mail: FiledMail, folder: str) -> None:
        mail = self._renumbered(mail)
        latest = self._latest.pop() if self._latest else None
        exact = latest is not None and latest.folder == folder and latest.sample == mail.sample
        self.counts.unlearn(mail.sample, folder)
        self.method.unlearn(
            self.counts, mail.sample, folder, latest.undo_data if latest and exact else None
        )
        if latest is None or not exact:
            self.is_exact = False
            self._latest.clear()
            return
        self.habits.unlearn(latest.forgotten)
        self.lines = latest.lines
        if latest.recorded:
            self.past.pop()

    def suggest(self, mails: Sequence[FiledMail]) -> list[Suggestion | None]:
        """Return the likeliest folders of each message; None while fewer than two folders have
        messages.
        """
        if sum(map(bool, self.counts.messages)) < 2:
            return [None] * len(mails)
        chances = self._chances([self._renumbered(mail) for mail in mails])
        return [self.lines.suggestion(*self._likeliest(each)) for each in chances]

    def explain(self, mail: FiledMail, folder: str, other: str, strongest: int = 12) -> Reasons:
        """Decompose the log ratio of the probabilities of two suggested folders."""
        suggestion = self.suggest([mail])[0]
        if suggestion is None or not {folder, other} <= set(suggestion.folders):
            raise ValueError(f"{folder} or {other} is not suggested")
        mail = self._renumbered(mail)
        pair = (self.counts.row_to_be(folder), self.counts.row_to_be(other))
        shares = self.method.decompose(self.counts, pair, mail.sample)
        evidence = self.habits.evidence(self.counts, mail, self.habits.keys(mail))
        others = (
            Part(f"{FILED}:{name}", float(part[pair[0]] - part[pair[1]]))
            for name, part in evidence.items()
        )
        shares = shares._replace(others=tuple(others), total=None)
        chances = [
            suggestion.probabilities[suggestion.folders.index(each)] for each in (folder, other)
        ]
        ratio = math.log(chances[0] / chances[1])
        source = ScoreSource(self.counts, self.vocabulary, self.method)
        return Reasons(*source.parts(mail.sample, shares, pair, strongest, ratio))

    def _renumbered(self, mail: FiledMail) -> FiledMail:
        """Return the message with word numbers of this vocabulary, to which new words are added."""
        words = mail.sample.words
        if len(words) and words[-1] >= len(self._numbers):
            self._numbers = np.pad(
                self._numbers, (0, 2 * int(words[-1]) + 1 - len(self._numbers)), constant_values=-1
            )
        new = words[self._numbers[words] < 0]
        self._numbers[new] = self.vocabulary.numbers_of(map(self._words.word, new.tolist()))
        own = self._numbers[words]
        order = np.argsort(own)
        return FiledMail(Sample(own[order], mail.sample.occurrences[order], ()), mail.thread)

    def _note(self, chances: FloatArray, folders: Sequence[str]) -> None:
        suggested, their = self._likeliest(chances)
        made = self.lines.suggestion(suggested, their)
        place = next((place for place, each in enumerate(suggested) if each in folders), -1)
        filed = suggested[place] if place >= 0 else folders[0]
        self.past.append(
            PastSuggestion(filed, suggested[0], made.probabilities[0], made.together, place)
        )
        self.lines = self.lines.learn(their, place)

    def _likeliest(self, chances: FloatArray) -> tuple[list[str], list[float]]:
        rows = [
            row
            for row in np.argsort(-chances, kind="stable")[:SHOWN].tolist()
            if self.counts.messages[row]
        ]
        return [self.counts.classes[row] for row in rows], chances[rows].tolist()

    def _chances(self, mails: Sequence[FiledMail]) -> FloatArray:
        """Return the uncalibrated probability of each class."""
        rows = WordRows.of([mail.sample for mail in mails])
        counts = self.counts
        filled = [row for row, messages in enumerate(counts.messages) if messages]
        if len(filled) == 2:
            # Each class against the rest would count everything twice.
            scores = np.zeros((len(mails), len(counts.classes)))
            scores[:, filled[0]] = self.method.odds(counts, (filled[0], filled[1]), rows)
        else:
            scores = self.method.scores(counts, rows)
        for place, mail in enumerate(mails):
            for part in self.habits.evidence(counts, mail, self.habits.keys(mail)).values():
                scores[place] += part
        return np.exp(class_log_chances(scores, counts.messages))
