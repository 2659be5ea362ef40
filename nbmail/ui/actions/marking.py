"""Marks of the user: on the selected messages, on one message, on a folder, and after moves in
another program.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from textwrap import shorten
from typing import NamedTuple, Protocol

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox

from nbmail.settings import LearnMoves
from nbmail.ui.kit import phrases
from nbmail.ui.kit.error_texts import Notice
from nbmail.ui.kit.phrases import format_count, tr
from nbmail.ui.kit.plain_text import join_sentences
from nbmail.ui.list.list_updates import ListUpdates
from nbmail.ui.list.mail_table import MailTable
from nbmail.ui.window.context import WindowContext
from nbmail.ui.window.current_settings import CurrentSettings
from nbmail.ui.window.notices import Banner, Remedy, Report, progress_text
from nbmail.values import FolderName
from nbmail.worker.protocol.events import MovedByOthers
from nbmail.worker.protocol.marks import Marked
from nbmail.worker.protocol.ticket import Failed, Progress

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


class ActionTarget(Protocol):
    """Messages that the keys act on, with a next and a previous one."""

    def selected_messages(self) -> tuple[int, ...]:
        """Return the messages to mark."""

    def go_on(self, messages: tuple[int, ...], label: str | None) -> None:
        """Go to the next message after a mark on `messages`."""

    def skip(self, messages: Sequence[int]) -> None:
        """Go to the next message, because these leave."""

    def learned(self) -> None:
        """Continue after the mark is learned and all scores are current."""

    def go_to_message(self, message: int) -> None:
        """Show a message."""

    def step(self, steps: int) -> None:
        """Go `steps` messages forward, or back if negative."""


class ListTarget:
    """Selection of the list."""

    def __init__(self, table: MailTable, settings: CurrentSettings) -> None:
        self._table = table
        self._settings = settings
        self.selected_messages = table.selected_messages
        self.go_to_message = table.go_to_message
        self.step = table.step

    def go_on(self, messages: tuple[int, ...], label: str | None) -> None:
        """Go to the row after the last message, if set so."""
        if self._settings.value.after_mark == "next" and label is not None:
            self._table.go_to(self._table.mails.row_of(messages[-1]) + 1)

    def skip(self, messages: Sequence[int]) -> None:
        """Go to the next row that stays, or to the last one before."""
        mails = self._table.mails
        leaving = set(messages)
        rows = [row for row in map(mails.row_of, messages) if row >= 0]
        if rows:
            after = next(
                (
                    row
                    for row in range(max(rows), mails.rowCount())
                    if mails.message_at(row) not in leaving
                ),
                -1,
            )
            before = (
                row for row in range(min(rows), -1, -1) if mails.message_at(row) not in leaving
            )
            self._table.go_to(after if after >= 0 else next(before, 0))

    def learned(self) -> None:
        """Do nothing: the list keeps its selection."""


class MarkingActions:
    """Labels messages; the list shows a mark before the engine confirms it. `target`: list, or
    triage while open.
    """

    def __init__(
        self,
        context: WindowContext,
        updates: ListUpdates,
        offers: MoveOffers,
        begun: Callable[[], None],
    ) -> None:
        """Target the list at first. `begun`: called with each mark, which can be undone from then
        on.
        """
        self._engine = context.engine
        self._mails = context.model
        self._updates = updates
        self.target: ActionTarget = ListTarget(context.table, context.settings)
        self._offers = offers
        self._banner = context.banner
        self._status = context.status
        self.begun = begun
        offers.accepted.connect(self.mark)
        offers.declined.connect(context.engine.decline_moves)
        offers.remembered.connect(context.settings.learn_moves)

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "spam": partial(self._mark_selected, "spam"),
            "ham": partial(self._mark_selected, "ham"),
            "clear": partial(self._mark_selected, None),
            "next": lambda: self.target.step(1),
            "previous": lambda: self.target.step(-1),
        }

    def _mark_selected(self, label: str | None) -> None:
        messages = self.target.selected_messages()
        target = self.target
        if label is None:
            messages = self._mails.mail.labelled(messages)
        if messages:
            self.mark(messages, label, ended=target.learned)
            target.go_on(messages, label)

    def mark(
        self,
        messages: tuple[int, ...],
        label: str | None,
        *,
        report: Report | None = None,
        failed: Callable[[Failed], None] | None = None,
        ended: Callable[[], None] = lambda: None,
    ) -> None:
        """Label messages. The result is passed to `report`, by default to the status line."""

        def restore_rows(failure: Failed) -> None:
            (failed or self._banner.show_failure)(failure)
            self._updates.list_mail()

        self._mails.label(messages, label)
        self._offers.forget(messages)
        self.begun()
        self._status.follow(
            self._engine.mark(messages, label),
            tr("Marking messages"),
            lambda done: self._report(done, report or self._status.report),
            stopped=self._report_stopped,
            failed=restore_rows,
            ended=ended,
        )

    def learn_folder(
        self, folder: FolderName, label: str, *, only_unlabelled: bool = False
    ) -> None:
        self._status.follow(
            self._engine.label_folder(folder, label, only_unlabelled=only_unlabelled),
            tr("Learning {folder}").format(folder=folder.folder),
            lambda done: (
                None
                if only_unlabelled and not done.messages
                else self._report(done, self._status.report)
            ),
            stopped=self._report_stopped,
        )

    def _report(self, done: Marked, report: Report) -> None:
        if done.messages:
            marked = phrases.mark_text(done.label, len(done.messages))
            report(
                join_sentences(marked, phrases.changed_verdicts_text(done.changed_verdicts)),
                undo=True,
            )
            if report == self._status.report:
                self._status.offer_changes(done.changed_verdicts)
        elif done.label is not None:
            report(tr("Already marked."))

    def _report_stopped(self, reached: Progress[Marked] | None) -> None:
        text = tr("Stopped. Nothing was changed.")
        if reached is not None:
            stopped = tr(
                "Stopped: {done} of {total} messages were marked. Undo removes these marks."
            )
            text = progress_text(stopped, reached)
        self._status.report(text, undo=reached is not None)
        self._updates.list_mail()
