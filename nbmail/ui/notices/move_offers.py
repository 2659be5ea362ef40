"""Offers to mark messages that another program moved."""

from collections.abc import Iterable, Mapping
from textwrap import shorten
from typing import NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox

from nbmail.settings import LearnMoves
from nbmail.ui.notices.banner import Banner, Remedy
from nbmail.ui.texts.error_texts import Notice
from nbmail.ui.texts.language import format_count, tr
from nbmail.ui.texts.plain_text import join_sentences
from nbmail.worker.protocol.events import MovedByOthers

# Messages named in a suggestion, and characters of each subject.
NAMED = 3
SUBJECT_LENGTH = 60


class _Offer(NamedTuple):
    """A message that was moved, and the suggested label. `contradicted`: its verdict is the
    opposite.
    """

    label: str
    subject: str
    account: str
    contradicted: bool


class MoveOffers(Banner):
    """Banner that suggests marks for messages that another program moved: one suggestion at a time,
    one per label.

    With `remember` checked, the answer also counts for later moves in the accounts of the
    suggestion. Signals: `accepted(messages, label)` and `declined(messages)`, when the user
    answers; `remembered(account, LearnMoves)`.
    """

    accepted = Signal(object, str)
    declined = Signal(object)
    remembered = Signal(str, object)

    def __init__(self) -> None:
        super().__init__(icon="spam")
        self.remember = QCheckBox(tr("Remember my answer for this account"))
        self.add_to_texts(self.remember)
        self._waiting: dict[int, _Offer] = {}
        """Offers by message, the oldest first."""

    def suggest(self, moved: MovedByOthers) -> None:
        """Add offers. The latest move of each message counts."""
        self._drop(moved.messages)
        subjects = moved.subjects or ("",) * len(moved.messages)
        for message, subject in zip(moved.messages, subjects, strict=True):
            self._waiting[message] = _Offer(
                moved.label, subject, moved.account, message in moved.contradicted
            )
        self._show_next()

    def forget(self, messages: tuple[int, ...]) -> None:
        if self._drop(messages):
            self._show_next()

    def _drop(self, messages: Iterable[int]) -> bool:
        return any([self._waiting.pop(message, None) is not None for message in messages])

    def _shown(self) -> dict[int, _Offer]:
        return {
            message: offer for message, offer in self._waiting.items() if offer.label == self.about
        }

    def _show_next(self) -> None:
        if not self._waiting:
            self.dismiss()
            return
        if not self._shown():
            self.about = next(iter(self._waiting.values())).label
        shown = self._shown().values()
        sentence, advice, button = _offer_texts(
            self.about, len(shown), sum(one.contradicted for one in shown)
        )
        notice = Notice(sentence, advice, _names(one.subject for one in shown))
        self.show_notice(notice, self.about, Remedy(button, self._accept))

    def _close(self) -> None:
        shown = self._shown()
        self.declined.emit(tuple(shown))
        self._end(shown, LearnMoves.NEVER)

    def _accept(self) -> None:
        shown = self._shown()
        label = self.about
        self._drop(shown)
        if shown:
            self.accepted.emit(tuple(shown), label)
        self._end(shown, LearnMoves.ALWAYS)

    def _end(self, shown: Mapping[int, _Offer], choice: LearnMoves) -> None:
        self._drop(shown)
        if self.remember.isChecked():
            self.remember.setChecked(False)
            accounts = dict.fromkeys(one.account for one in shown.values())
            # Those that the choice doesn't answer are offered again.
            self._drop(
                [message for message, one in self._waiting.items() if one.account in accounts]
            )
            for account in accounts:
                self.remembered.emit(account, choice)
        self._show_next()


def _offer_texts(label: str, count: int, contradicted: int) -> tuple[str, str, str]:
    """Return the event, the question with a warning if verdicts contradict the label, and the text
    of the button.
    """
    if label == "spam":
        moved = (
            tr("Another mail program moved 1 message to Spam."),
            tr("Another mail program moved {n} messages to Spam."),
        )
        asked = (tr("Mark it as spam?"), tr("Mark them as spam?"))
        button = tr("Mark as spam")
        warned = (
            tr("nbmail classifies it as not spam."),
            tr("nbmail classifies {n} of them as not spam."),
        )
    else:
        one = tr("Another mail program moved 1 message out of Spam.")
        moved = one, tr("Another mail program moved {n} messages out of Spam.")
        asked = (tr("Mark it as not spam?"), tr("Mark them as not spam?"))
        button = tr("Mark as not spam")
        warned = tr("nbmail classifies it as spam."), tr("nbmail classifies {n} of them as spam.")
    which = count != 1
    warning = warned[which].format(n=format_count(contradicted)) if contradicted else ""
    return moved[which].format(n=format_count(count)), join_sentences(warning, asked[which]), button


def _names(subjects: Iterable[str]) -> str:
    known = [subject for subject in subjects if subject]
    names = [f"“{shorten(subject, SUBJECT_LENGTH, placeholder='…')}”" for subject in known[:NAMED]]
    return ", ".join([*names, "…"] if len(known) > NAMED else names)
