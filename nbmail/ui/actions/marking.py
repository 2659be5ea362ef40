"""Marks given by the user: to the selected messages, to one of them, or to a whole folder."""

from collections.abc import Callable
from typing import Protocol

from nbmail.ui.actions.long_work import LongWork, at_words
from nbmail.ui.actions.move_offers import MoveOffers
from nbmail.ui.kit import phrases
from nbmail.ui.kit.language import tr
from nbmail.ui.kit.plain_text import join_sentences
from nbmail.ui.list.list_updates import ListUpdates
from nbmail.ui.list.mail_table import MailTable
from nbmail.ui.window.current_settings import CurrentSettings
from nbmail.ui.window.notices import Banner, Say, StatusLine
from nbmail.values import FolderName
from nbmail.worker.protocol import Failed, LabelFolder, Mark, Marked, Progress


class ActionTarget(Protocol):
    """Messages that can be marked, with a next and a previous one."""

    def selected_messages(self) -> tuple[int, ...]:
        """Those that a mark is about."""

    def go_on(self, messages: tuple[int, ...], label: str | None) -> None:
        """They have been marked: go to what comes next."""

    def learned(self) -> None:
        """The mark has been learned, and all scores are those that follow from it."""

    def go_to_message(self, message: int) -> None:
        """Show this one."""

    def step(self, steps: int) -> None:
        """Go so many further, or back."""


class ListTarget:
    """The list: its selection, and the row behind it."""

    def __init__(self, table: MailTable, settings: CurrentSettings) -> None:
        self._table, self._settings = table, settings
        self.selected_messages, self.go_to_message, self.step = table.selected_messages, table.go_to_message, table.step

    def go_on(self, messages: tuple[int, ...], label: str | None) -> None:
        """To the row behind the last one, if that is wished."""
        if self._settings.value.after_mark == "next" and label is not None:
            self._table.go_to(self._table.mails.row_of(messages[-1]) + 1)

    def learned(self) -> None:
        """The list stays as it is."""


class MarkingActions:
    """Labels messages: the list shows a mark at once, the engine's answer says what followed from it.

    `target` is what a key marks: the list, unless something stands in its place.
    """

    def __init__(
        self,
        work: LongWork,
        table: MailTable,
        updates: ListUpdates,
        settings: CurrentSettings,
        *,
        offers: MoveOffers,
        banner: Banner,
        status: StatusLine,
        begun: Callable[[], None],
    ) -> None:
        """`begun` is called with each mark: it can be taken back from then on, before the engine says so."""
        self._work, self._mails, self._updates = work, table.mails, updates
        self.target: ActionTarget = ListTarget(table, settings)
        self._offers, self._banner, self._status, self._begun = offers, banner, status, begun

    def mark_junk(self) -> None:
        self._mark_selected("junk")

    def mark_good(self) -> None:
        self._mark_selected("good")

    def clear_mark(self) -> None:
        self._mark_selected(None)

    def _mark_selected(self, label: str | None) -> None:
        messages, target = self.target.selected_messages(), self.target
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
        say: Say | None = None,
        failed: Callable[[Failed], None] | None = None,
        ended: Callable[[], None] = lambda: None,
    ) -> None:
        """Label these messages. What came of it is said in the status line, or where `say` and `failed` say it."""
        self._mails.label(messages, label)
        self._offers.forget(messages)
        self._begun()
        self._work.run(
            Mark(messages, label),
            tr("Marking"),
            lambda done: self._tell(done, say or self._status.say),
            stopped=self._say_stopped,
            failed=lambda failure: self._show_rows_as_they_are(failure, failed or self._banner.show_failure),
            ended=ended,
        )

    def learn_folder(self, folder: FolderName, label: str, *, spare: bool = False) -> None:
        """Everything in this folder is of this kind; with `spare`, messages that have a label already keep it."""
        self._work.run(
            LabelFolder(folder, label, spare=spare),
            tr("Learning {folder}").format(folder=folder.folder),
            lambda done: None if spare and not done.messages else self._tell(done, self._status.say),
            stopped=self._say_stopped,
        )

    def _tell(self, done: Marked, say: Say) -> None:
        if done.messages:
            marked = phrases.mark_text(done.label, len(done.messages))
            say(join_sentences(marked, phrases.changed_verdicts_text(done.turned)), undo=True)
            if say == self._status.say:
                self._status.offer_moved(done.turned)
        elif done.label is not None:
            say(tr("That mark is there already."))

    def _show_rows_as_they_are(self, failure: Failed, say: Callable[[Failed], None]) -> None:
        say(failure)
        self._updates.list_mail()

    def _say_stopped(self, reached: Progress[object] | None) -> None:
        words = tr("Stopped before anything was changed.")
        if reached is not None:
            text = tr("Stopped: {done} of {total} messages are marked. Undo takes these marks back.")
            words = at_words(text, reached)
        self._status.say(words, undo=reached is not None)
        self._updates.list_mail()
