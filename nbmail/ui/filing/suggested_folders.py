"""Controller of suggested folders: buttons, keys and the column of the list."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

from nbmail.ui.actions.action_table import SUGGESTED
from nbmail.ui.actions.marking import MarkingActions
from nbmail.ui.filing.filing_actions import FilingActions
from nbmail.ui.filing.filing_preview import FilingPreviewDialog
from nbmail.ui.filing.folder_reasons import FolderReasonsWindow
from nbmail.ui.message.pane.message_pane import MessagePane
from nbmail.ui.sidebar.list_names import folder_name
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.plain_text import plain_name
from nbmail.ui.window.window_context import WindowContext
from nbmail.values import FolderName
from nbmail.worker.protocol.folders import (
    FilingPreview,
    FolderChance,
    FolderReasons,
    FoldersSuggested,
)

STRONGEST = 40
"""Reasons that are shown one by one."""


class SuggestedFolders(QObject):
    """Queries suggestions for the open message, and moves it when the user accepts one."""

    def __init__(
        self,
        context: WindowContext,
        pane: MessagePane,
        marking: MarkingActions,
        filing: FilingActions,
        actions: Mapping[str, QAction],
    ) -> None:
        super().__init__(pane)
        self._engine = context.engine
        self._table = context.table
        self._report = context.status.report
        self._pane = pane
        self._marking = marking
        self._filing = filing
        self._actions = actions
        self._message = -1
        self._forget: Callable[[], None] = lambda: None
        pane.shown.connect(self._query)
        self._buttons = pane.folders
        self._buttons.accepted.connect(self._accept)
        self._buttons.others_requested.connect(filing.choose_folder)
        self._buttons.reasons_requested.connect(self._show_reasons)
        self._name_actions()

    def handlers(self) -> dict[str, Callable[[], object]]:
        handlers: dict[str, Callable[[], object]] = {"file-sure": self.preview}
        for place, name in enumerate(SUGGESTED):
            handlers[name] = partial(self._buttons.accept, place)
        return handlers

    def receive(self, event: FoldersSuggested) -> None:
        self._table.mails.take_suggestions(event)
        if len(event.names) and self._table.header.empty:
            self._table.header.empty.clear()
            self._table.header.make_room()
        if self._message in event.messages:
            self._query(self._message)

    def preview(self) -> None:
        """List the messages whose folder is nearly sure, before any is moved."""

        self._engine.preview_filing().then(self._show_preview)

    def _show_preview(self, preview: FilingPreview) -> None:
        if not preview.proposals:
            self._report(tr("No message in the inbox has a folder that is sure enough."))
            return
        dialog = FilingPreviewDialog(self._pane.window(), preview, self._table.mails.mail)
        dialog.accepted.connect(lambda: self._filing.move_groups(list(dialog.ticked().items())))
        dialog.open()

    def _query(self, message: int) -> None:
        self._forget()
        if message != self._message:
            self._show(())
        self._message = message
        if message >= 0:
            self._forget = self._engine.suggest_folders(message).then(self._show).drop

    def _show(self, chances: Sequence[FolderChance]) -> None:
        self._buttons.show_chances(chances)
        self._pane.fit()
        self._name_actions()

    def _name_actions(self) -> None:
        general = (
            tr("Move to first suggestion"),
            tr("Move to second suggestion"),
            tr("Move to third suggestion"),
        )
        chances = self._buttons.chances
        for place, name in enumerate(SUGGESTED):
            is_suggested = place < len(chances)
            text = general[place]
            if is_suggested:
                folder = folder_name(chances[place].folder)
                text = tr("Move to {folder}").format(folder=folder)
            self._actions[name].setText(plain_name(text))
            self._actions[name].setEnabled(is_suggested)

    def _accept(self, folder: FolderName) -> None:
        messages = self._marking.target.selected_messages()
        # Otherwise another message was chosen, whose suggestions are not there yet.
        if self._message in messages:
            self._filing.move(messages, folder)

    def _show_reasons(self, place: int) -> None:
        """Explain the suggestion at `place` against the next likeliest folder."""
        folder = self._buttons.chances[place].folder
        _, subject, _ = self._table.mails.mail.heading_of(self._message)

        def show(found: FolderReasons) -> None:
            FolderReasonsWindow(self._pane.window(), subject, found).show()

        self._engine.explain_folder(self._message, folder, STRONGEST).then(show)
