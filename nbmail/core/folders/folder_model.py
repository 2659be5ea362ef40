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
from nbmail.core.folders.filing_habits import Forgotten, Habits, Uses
from nbmail.core.folders.folder_vocabulary import OwnWords
from nbmail.core.folders.suggestion_lines import SuggestionLines
from nbmail.core.folders.suggestions import SHOWN, PastSuggestion, Suggestion
from nbmail.core.methods.balanced import Balanced
from nbmail.core.methods.class_chances import class_log_chances
from nbmail.core.methods.decomposition import Part
from nbmail.core.methods.folder_evidence import filled_classes

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
    is_noted: bool


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

    `all_words`: the vocabulary of the samples.
    """

    def __init__(self, all_words: Vocabulary, known_words: Sequence[str] = ()) -> None:
        self._words = OwnWords(all_words, known_words)
        self.counts = Counts()
        self.method = Balanced(self.vocabulary)
        self.habits = Habits(self.vocabulary)
        self.lines = SuggestionLines()
        self.past: list[PastSuggestion] = []
        self.is_exact = True
        self._latest: deque[_Learned] = deque(maxlen=LATEST)

    @classmethod
    def of(cls, all_words: Vocabulary, content: FolderContent) -> "FolderModel":
        model = cls(all_words, content.words)
        model.counts = content.counts
        model.method.restore(content.counts, content.corrections)
        model.habits.uses = dict(content.uses)
        model.lines = content.lines
        model.past = list(content.past)
        return model

    @property
    def vocabulary(self) -> Vocabulary:
        """The words that the model met."""
        return self._words.vocabulary

    def content(self) -> FolderContent:
        """Return the content, not copied."""
        return FolderContent(
            counts=self.counts,
            corrections=self.method.state(),
            words=self.vocabulary.words_from(0),
            uses=self.habits.uses,
            lines=self.lines,
            past=self.past,
        )

    def learn(self, mail: FiledMail, folders: Sequence[str], *, recorded: bool = True) -> None:
        """Learn that a message is in these folders. `recorded`: False if a program put it there."""
        mail = self._renumbered(mail)
        chances = None
        if recorded and filled_classes(self.counts) > 1:
            chances = self._chances([mail])[0]
        keys = self.habits.keys(mail)
        for folder in folders:
            lines = self.lines
            is_noted = chances is not None and folder == folders[0]
            if chances is not None and is_noted:
                self._note(chances, folders)
            undo_data = self.method.learn(self.counts, mail.sample, folder)
            self.counts.learn(mail.sample, folder)
            forgotten = self.habits.learn(keys, folder)
            self._latest.append(
                _Learned(mail.sample, folder, undo_data, forgotten, lines, is_noted)
            )

    def unlearn(self, mail: FiledMail, folder: str) -> None:
        """Revert `learn` of one folder. Exact if it was the latest."""
        sample = self._renumbered(mail).sample
        latest = self._latest.pop() if self._latest else None
        self.counts.unlearn(sample, folder)
        if latest is None or latest.folder != folder or latest.sample != sample:
            self.method.unlearn(self.counts, sample, folder, None)
            self.is_exact = False
            self._latest.clear()
            return
        self.method.unlearn(self.counts, sample, folder, latest.undo_data)
        self.habits.unlearn(latest.forgotten)
        self.lines = latest.lines
        if latest.is_noted:
            self.past.pop()

    def suggest(self, mails: Sequence[FiledMail]) -> list[Suggestion | None]:
        """Return the likeliest folders of each message.

        None while fewer than two folders have messages.
        """
        if filled_classes(self.counts) < 2:
            return [None] * len(mails)
        found: list[Suggestion | None] = []
        for chances in self._chances([self._renumbered(mail) for mail in mails]):
            folders, highest = self._likeliest(chances)
            found.append(self.lines.suggestion(folders, highest))
        return found

    def explain(self, mail: FiledMail, folder: str, other: str, strongest: int = 12) -> Reasons:
        """Decompose the log ratio of the probabilities of two suggested folders."""
        suggestion = self.suggest([mail])[0]
        if suggestion is None or not {folder, other} <= set(suggestion.folders):
            raise ValueError(f"{folder} or {other} is not suggested")
        chance_of = dict(zip(suggestion.folders, suggestion.probabilities, strict=True))
        log_ratio = math.log(chance_of[folder] / chance_of[other])

        mail = self._renumbered(mail)
        wanted = self.counts.row_to_be(folder)
        rival = self.counts.row_to_be(other)
        evidence = self.habits.evidence(self.counts, mail, self.habits.keys(mail))
        others = [
            Part(f"{FILED}:{name}", float(part[wanted] - part[rival]))
            for name, part in evidence.items()
        ]
        shares = self.method.decompose(self.counts, (wanted, rival), mail.sample)
        shares = shares._replace(others=tuple(others), total=None)
        source = ScoreSource(self.counts, self.vocabulary, self.method)
        parts = source.parts(mail.sample, shares, (wanted, rival), strongest, log_ratio)
        return Reasons(
            prior=parts.prior,
            contributions=parts.contributions,
            weaker_count=parts.weaker_count,
            weaker=parts.weaker,
            calibration=parts.calibration,
            log_odds=parts.log_odds,
        )

    def _renumbered(self, mail: FiledMail) -> FiledMail:
        return FiledMail(self._words.renumbered(mail.sample), mail.thread)

    def _note(self, chances: FloatArray, folders: Sequence[str]) -> None:
        """Record the suggestion for a message that is in these folders."""
        suggested, highest = self._likeliest(chances)
        made = self.lines.suggestion(suggested, highest)
        place = next((place for place, name in enumerate(suggested) if name in folders), -1)
        self.past.append(
            PastSuggestion(
                filed=suggested[place] if place >= 0 else folders[0],
                first=suggested[0],
                probability=made.probabilities[0],
                together=made.together,
                place=place,
            )
        )
        self.lines = self.lines.learn(highest, place)

    def _likeliest(self, chances: FloatArray) -> tuple[list[str], list[float]]:
        """Return the folders to suggest, and their uncalibrated probabilities."""
        highest = np.argsort(-chances, kind="stable")[:SHOWN].tolist()
        rows = [row for row in highest if self.counts.messages[row]]
        return [self.counts.classes[row] for row in rows], chances[rows].tolist()

    def _chances(self, mails: Sequence[FiledMail]) -> FloatArray:
        """Return the uncalibrated probability of each class."""
        counts = self.counts
        scores = self._word_scores(WordRows.of([mail.sample for mail in mails]))
        for place, mail in enumerate(mails):
            evidence = self.habits.evidence(counts, mail, self.habits.keys(mail))
            for part in evidence.values():
                scores[place] += part
        return np.exp(class_log_chances(scores, counts.messages))

    def _word_scores(self, rows: WordRows) -> FloatArray:
        """Return the score of each message (row) and class (column) by its words."""
        filled = [row for row, messages in enumerate(self.counts.messages) if messages]
        if len(filled) != 2:
            return self.method.scores(self.counts, rows)
        # Each class against the rest would count everything twice.
        wanted, other = filled
        scores = np.zeros((len(rows), len(self.counts.classes)))
        scores[:, wanted] = self.method.odds(self.counts, (wanted, other), rows)
        return scores
