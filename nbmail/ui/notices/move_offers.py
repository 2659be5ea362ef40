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
    """A message that was moved, and the suggested label.

    `contradicted`: its verdict is the opposite.
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
        """Remove offers. True if there were any."""
        before = len(self._waiting)
        for message in messages:
            self._waiting.pop(message, None)
        return len(self._waiting) < before

    def _shown(self) -> dict[int, _Offer]:
        """Return the offers of the banner's label."""
        waiting = self._waiting.items()
        return {message: offer for message, offer in waiting if offer.label == self.about}

    def _show_next(self) -> None:
        if not self._waiting:
            self.dismiss()
            return
        if not self._shown():
            oldest = next(iter(self._waiting.values()))
            self.about = oldest.label
        shown = self._shown().values()
        texts = _offer_texts(self.about, len(shown))
        contradicted = sum(one.contradicted for one in shown)
        warning = ""
        if contradicted:
            warning = texts.warning.format(n=format_count(contradicted))
        notice = Notice(
            sentence=texts.moved.format(n=format_count(len(shown))),
            advice=join_sentences(warning, texts.question),
            detail=_names(one.subject for one in shown),
        )
        self.show_notice(notice, self.about, Remedy(texts.button, self._accept))

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
            self._answer_for_all({one.account: None for one in shown.values()}, choice)
        self._show_next()

    def _answer_for_all(self, accounts: Iterable[str], choice: LearnMoves) -> None:
        """Keep the answer for all moves in these accounts."""
        accounts = list(accounts)
        # Those that the choice doesn't answer are offered again.
        answered = [message for message, one in self._waiting.items() if one.account in accounts]
        self._drop(answered)
        for account in accounts:
            self.remembered.emit(account, choice)


class _OfferTexts(NamedTuple):
    """Texts of an offer. `warning`: shown if verdicts contradict the label."""

    moved: str
    question: str
    warning: str
    button: str


def _offer_texts(label: str, count: int) -> _OfferTexts:
    if label == "spam":
        return _spam_texts() if count == 1 else _many_spam_texts()
    return _ham_texts() if count == 1 else _many_ham_texts()


def _spam_texts() -> _OfferTexts:
    return _OfferTexts(
        tr("Another mail program moved 1 message to Spam."),
        tr("Mark it as spam?"),
        tr("nbmail classifies it as not spam."),
        tr("Mark as spam"),
    )


def _many_spam_texts() -> _OfferTexts:
    return _OfferTexts(
        tr("Another mail program moved {n} messages to Spam."),
        tr("Mark them as spam?"),
        tr("nbmail classifies {n} of them as not spam."),
        tr("Mark as spam"),
    )


def _ham_texts() -> _OfferTexts:
    return _OfferTexts(
        tr("Another mail program moved 1 message out of Spam."),
        tr("Mark it as not spam?"),
        tr("nbmail classifies it as spam."),
        tr("Mark as not spam"),
    )


def _many_ham_texts() -> _OfferTexts:
    return _OfferTexts(
        tr("Another mail program moved {n} messages out of Spam."),
        tr("Mark them as not spam?"),
        tr("nbmail classifies {n} of them as spam."),
        tr("Mark as not spam"),
    )


def _names(subjects: Iterable[str]) -> str:
    """Return the first subjects in quotes."""
    known = [subject for subject in subjects if subject]
    names = []
    for subject in known[:NAMED]:
        short = shorten(subject, SUBJECT_LENGTH, placeholder="…")
        names.append(f"“{short}”")
    if len(known) > NAMED:
        names.append("…")
    return ", ".join(names)
