"""What the cells of a row say, and the whole row as a sentence."""

from __future__ import annotations

from collections.abc import Callable
from math import isnan
from typing import TYPE_CHECKING

from nbmail.ui.accounts.sidebar import folder_name
from nbmail.ui.evidence.label_source_texts import label_words, source_phrase, source_word
from nbmail.ui.kit import phrases
from nbmail.ui.kit.language import tr
from nbmail.ui.kit.people import people_words, sender_name
from nbmail.ui.kit.plain_text import visible
from nbmail.ui.list.list_choice import Column
from nbmail.ui.message.message_date import moment_in_full
from nbmail.values import VERDICTS

if TYPE_CHECKING:
    from nbmail.ui.list.mail_list import MailList


LONGEST = 400
"""Characters of a subject that are looked at: more than any screen shows, and a subject may have a million."""


class RowWords:
    """Words for the messages of one list, by position."""

    def __init__(self, mail: MailList, clock: Callable[[], float]) -> None:
        self.mail = mail
        self._clock = clock
        self._dates: dict[float, str] = {}
        self._today = 0

    def text(self, position: int, column: Column) -> str:
        """What a cell says."""
        mail = self.mail
        if column == Column.SENDER:
            return sender_name(mail.senders[position]) or tr("(no sender)")
        if column == Column.SUBJECT:
            return " ".join(visible(mail.subjects[position], LONGEST).split()) or tr("(no subject)")
        if column == Column.DATE:
            return self._date(float(mail.dates[position]))
        others = {Column.CHANCE: self.chance, Column.VERDICT: self.verdict, Column.FOLDER: self._folder}
        return others.get(column, self._decided)(position)

    def chance(self, position: int) -> str:
        """The probability, or which way the words lean while none can be promised."""
        probability = float(self.mail.probabilities[position])
        if isnan(probability):
            return phrases.lean_word(float(self.mail.log_odds[position]))
        return phrases.percent(probability)

    def verdict(self, position: int) -> str:
        """The label if the message has one, else the verdict."""
        label = int(self.mail.labels[position])
        name = self.mail.label_names[label] if label >= 0 else VERDICTS[int(self.mail.verdicts[position])]
        return phrases.verdict_word(name)

    def _folder(self, position: int) -> str:
        folders = self.mail.folder_sets.of(self.mail.folders[position])
        return ", ".join(folder_name(self.mail.folder_names[folder]) for folder in folders)

    def _decided(self, position: int) -> str:
        label_source = self.mail.label_source(position)
        if label_source is not None:
            return source_word(label_source)
        return tr("nbmail") if self.mail.verdicts[position] else tr("nobody yet")

    def spoken(self, position: int) -> str:
        """The whole row as a sentence, for a screen reader."""
        mail, label_source = self.mail, self.mail.label_source(position)
        who = source_phrase(label_source) if label_source is not None else self._decided(position)
        parts = (
            tr("selected") if mail.selected[position] else "",
            tr("unread") if mail.unread(position) else "",
            self.verdict(position),
            tr("chance of junk {chance}").format(chance=self.chance(position)),
            tr("decided by {who}").format(who=who),
            tr("from {sender}").format(sender=sender_name(mail.senders[position])),
            visible(mail.subjects[position], LONGEST) or tr("no subject"),
            self._date(float(mail.dates[position])),
        )
        return ", ".join(part for part in parts if part)

    def hint(self, position: int, column: Column) -> str | None:
        """What a tooltip adds."""
        if column == Column.CHANCE and isnan(self.mail.probabilities[position]):
            return tr("A percentage follows once enough of your marks have been checked.")
        if column == Column.SENDER:
            return people_words(self.mail.senders[position])
        label_source = self.mail.label_source(position)
        if column in (Column.VERDICT, Column.DECIDED) and label_source is not None:
            return tr("{said}. By itself nbmail would say {verdict}.").format(
                said=label_words(self.mail.label_names[self.mail.labels[position]], label_source),
                verdict=phrases.verdict_word(VERDICTS[int(self.mail.verdicts[position])]).lower(),
            )
        if column in (Column.SUBJECT, Column.FOLDER):
            return self.text(position, column)
        if column == Column.DATE:
            return moment_in_full(float(self.mail.dates[position]))
        return None

    def _date(self, moment: float) -> str:
        now = self._clock()
        if int(now // 3600) != self._today or len(self._dates) > 5000:
            self._today = int(now // 3600)
            self._dates.clear()
        words = self._dates.get(moment)
        if words is None:
            words = self._dates[moment] = phrases.date_words(moment, now)
        return words
