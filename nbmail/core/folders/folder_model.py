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

from nbmail.core.counting.arrays import FloatArray, LongArray
from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import Sample
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.counting.word_rows import WordRows
from nbmail.core.explaining.explanation import Reasons
from nbmail.core.explaining.score_parts import ScoreSource
from nbmail.core.folders.filed_mail import FiledMail
from nbmail.core.folders.habits import Forgotten, Habits, Uses
from nbmail.core.folders.suggestion_lines import SuggestionLines
from nbmail.core.folders.suggestions import SHOWN, PastSuggestion, Suggestion
from nbmail.core.methods.balanced import Balanced
from nbmail.core.methods.class_chances import class_log_chances
from nbmail.core.methods.decomposition import Part

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
