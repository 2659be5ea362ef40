"""Marks of the user on messages and folders."""

from collections.abc import Callable
from functools import partial

from nbmail.ui.actions.action_target import ActionTarget, ListTarget
from nbmail.ui.list.list_updates import ListUpdates
from nbmail.ui.notices.move_offers import MoveOffers
from nbmail.ui.notices.status_line import Report, progress_text
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.mark_texts import changed_verdicts_text, mark_text
from nbmail.ui.texts.plain_text import join_sentences
from nbmail.ui.window.window_context import WindowContext
from nbmail.values import FolderName
from nbmail.worker.protocol.marks import Marked
from nbmail.worker.protocol.ticket import Failed, Progress


class MarkingActions:
    """Labels messages. `target`: the list, or the triage while it is open.

    The list shows a mark before the engine confirms it.
    """

    def __init__(
        self,
        context: WindowContext,
        updates: ListUpdates,
        offers: MoveOffers,
        begun: Callable[[], None],
    ) -> None:
        """Target the list at first. `begun`: called with each mark, which can be undone."""
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
        """Label the messages of a folder. Nothing is reported if `only_unlabelled` finds none."""

        def report(done: Marked) -> None:
            if done.messages or not only_unlabelled:
                self._report(done, self._status.report)

        self._status.follow(
            self._engine.label_folder(folder, label, only_unlabelled=only_unlabelled),
            tr("Learning {folder}").format(folder=folder.folder),
            report,
            stopped=self._report_stopped,
        )

    def _report(self, done: Marked, report: Report) -> None:
        if done.messages:
            marked = mark_text(done.label, len(done.messages))
            changed = changed_verdicts_text(done.changed_verdicts)
            report(join_sentences(marked, changed), undo=True)
            if report == self._status.report:
                self._status.offer_changes(done.changed_verdicts)
        elif done.label is not None:
            report(tr("Already marked."))

    def _report_stopped(self, reached: Progress[Marked] | None) -> None:
        if reached is None:
            self._status.report(tr("Stopped. Nothing was changed."))
        else:
            text = tr("Stopped: {done} of {total} messages were marked. Undo removes these marks.")
            self._status.report(progress_text(text, reached), undo=True)
        self._updates.list_mail()
