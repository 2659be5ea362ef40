"""Texts of the list's cells, for the screen, tooltips and screen readers."""

from collections.abc import Callable
from math import isnan

from nbmail.core.sorting.sorted_message import SortedState
from nbmail.ui.evidence.label_source_texts import label_text, source_phrase, source_text
from nbmail.ui.list.contents.mail_list import MailList
from nbmail.ui.list.list_choice import Column
from nbmail.ui.sidebar.list_names import folder_name
from nbmail.ui.sorting.sorting_texts import result_text
from nbmail.ui.texts.date_texts import date_text, moment_in_full
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.mark_texts import lean_text, verdict_text
from nbmail.ui.texts.number_texts import percent
from nbmail.ui.texts.people import people_text, sender_cell, sender_name
from nbmail.ui.texts.plain_text import subject_cell, visible
from nbmail.values import VERDICTS

PENDING = "…"
"""Text of a cell that waits for the first score of its message."""
LONGEST = 400
"""Characters of a subject that are read: more than any screen shows.

A subject may have a million.
"""
MOST_DATES = 5000
"""Dates whose texts are stored."""


class RowTexts:
    """Texts of the cells, by position."""

    def __init__(self, mail: MailList, clock: Callable[[], float]) -> None:
        self.mail = mail
        self._clock = clock
        self._dates: dict[float, str] = {}
        self._hour = 0
        self._columns: dict[Column, Callable[[int], str]] = {
            Column.CHANCE: self.chance,
            Column.VERDICT: self.verdict,
            Column.DECIDED: self._decided,
            Column.SENDER: self._sender,
            Column.SUBJECT: self._subject,
            Column.FOLDER: self._folder,
            Column.DATE: self._date,
            Column.VERIFIED: self._verified,
            Column.SUGGESTED: self._suggested,
        }
        self._hints: dict[Column, Callable[[int], str]] = {
            Column.CHANCE: self._chance_hint,
            Column.VERDICT: self._label_hint,
            Column.DECIDED: self._decided_hint,
            Column.SENDER: self._people,
            Column.DATE: self._moment,
        }

    def text(self, position: int, column: Column) -> str:
        return self._columns[column](position)

    def chance(self, position: int) -> str:
        """Return the probability, or the tendency while the score is not calibrated."""
        log_odds = float(self.mail.log_odds[position])
        if isnan(log_odds):
            return PENDING
        probability = float(self.mail.probabilities[position])
        if isnan(probability):
            return lean_text(log_odds)
        return percent(probability)

    def verdict(self, position: int) -> str:
        """Return the label, otherwise the verdict; "…" before the first score."""
        if not self.mail.has_class(position):
            return PENDING
        return verdict_text(self.mail.label_of(position))

    def _decided(self, position: int) -> str:
        label_source = self.mail.label_source(position)
        if label_source is not None:
            return source_text(label_source)
        if not self.mail.has_class(position):
            return PENDING
        done = self.mail.sorted.get(int(self.mail.messages[position]))
        if done is not None and done.state in (SortedState.MOVING, SortedState.MOVED):
            return tr("nbmail, filed") if done.target else tr("nbmail, moved")
        if done is not None and done.state is SortedState.REHEARSED:
            return tr("rehearsed")
        return tr("nbmail") if self.mail.verdicts[position] else tr("undecided")

    def _sender(self, position: int) -> str:
        return sender_cell(self.mail.senders[position])

    def _subject(self, position: int) -> str:
        return subject_cell(self.mail.subjects[position])

    def _folder(self, position: int) -> str:
        names = self.mail.folder_names
        folders = self.mail.folder_sets.of(self.mail.folders[position])
        return ", ".join(folder_name(names[folder]) for folder in folders)

    def _verified(self, position: int) -> str:
        verified = int(self.mail.verified[position])
        if verified < 0:
            return "–"
        return tr("✓ Yes") if verified else tr("No")

    def _suggested(self, position: int) -> str:
        number = int(self.mail.suggested[position])
        if not number:
            return ""
        chance = percent(float(self.mail.suggested_chances[position]))
        return f"{folder_name(self.mail.folder_names[number - 1])}  {chance}"

    def _date(self, position: int) -> str:
        moment = float(self.mail.dates[position])
        now = self._clock()
        hour = int(now // 3600)
        if hour != self._hour or len(self._dates) > MOST_DATES:
            self._hour = hour
            self._dates.clear()
        text = self._dates.get(moment)
        if text is None:
            text = date_text(moment, now)
            self._dates[moment] = text
        return text

    # ---------------------------------------------------------------------------------------------
    # screen readers

    def accessible_text(self, position: int) -> str:
        parts = [
            *self._states(position),
            self.verdict(position),
            self._spoken_chance(position),
            self._spoken_source(position),
            *self._spoken_contents(position),
        ]
        return ", ".join(part for part in parts if part)

    def _states(self, position: int) -> list[str]:
        states = []
        if self.mail.selected[position]:
            states.append(tr("selected"))
        if self.mail.unread(position):
            states.append(tr("unread"))
        if self.mail.flagged[position]:
            states.append(tr("flagged"))
        return states

    def _spoken_chance(self, position: int) -> str:
        chance = self.chance(position)
        if isnan(self.mail.probabilities[position]):
            return chance
        return tr("{chance} chance of spam").format(chance=chance)

    def _spoken_source(self, position: int) -> str:
        """Return who decided on the message, "" if it is undecided."""
        label_source = self.mail.label_source(position)
        if label_source is not None:
            who = source_phrase(label_source)
        elif self.mail.verdicts[position]:
            who = self._decided(position)
        else:
            return ""
        return tr("decided by {who}").format(who=who)

    def _spoken_contents(self, position: int) -> list[str]:
        mail = self.mail
        parts = [
            tr("from {sender}").format(sender=sender_name(mail.senders[position])),
            visible(mail.subjects[position], LONGEST) or tr("no subject"),
        ]
        if mail.attachments[position]:
            parts.append(tr("with attachments"))
        parts.append(self._date(position))
        if mail.suggested[position]:
            folder = self._suggested(position)
            parts.append(tr("suggested folder {folder}").format(folder=folder))
        return parts

    # ---------------------------------------------------------------------------------------------
    # tooltips

    def hint(self, position: int, column: Column) -> str:
        """Return what a cell has no room for, "" for nothing."""
        return self._hints.get(column, self._columns[column])(position)

    def _people(self, position: int) -> str:
        return people_text(self.mail.senders[position])

    def _moment(self, position: int) -> str:
        return moment_in_full(float(self.mail.dates[position]))

    def _chance_hint(self, position: int) -> str:
        if isnan(self.mail.log_odds[position]):
            return tr("nbmail has not scored this message yet.")
        if isnan(self.mail.probabilities[position]):
            return tr("Mark more messages to get a chance of spam.")
        return ""

    def _label_hint(self, position: int) -> str:
        """Return label, source and verdict of a labelled message, "" for others."""
        label_source = self.mail.label_source(position)
        if label_source is None:
            return ""
        verdict = verdict_text(VERDICTS[int(self.mail.verdicts[position])])
        return tr("{said}. nbmail's current verdict: {verdict}.").format(
            said=label_text(self.mail.label_of(position), label_source), verdict=verdict.lower()
        )

    def _decided_hint(self, position: int) -> str:
        label = self._label_hint(position)
        if label:
            return label
        done = self.mail.sorted.get(int(self.mail.messages[position]))
        if done is not None:
            return result_text(done)
        return self._decided(position)
