"""Controller of the suggested folders: the buttons of the open message, their keys, the column of the list."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

from nbmail.ui.accounts.sidebar import folder_name
from nbmail.ui.actions.action_table import SUGGESTED
from nbmail.ui.actions.marking import MarkingActions
from nbmail.ui.filing.filing_actions import FilingActions
from nbmail.ui.filing.filing_preview import FilingPreviewDialog
from nbmail.ui.filing.folder_buttons import FolderButtons
from nbmail.ui.filing.folder_reasons import FolderReasonsWindow
from nbmail.ui.kit.language import tr
from nbmail.ui.kit.plain_text import plain_name
from nbmail.ui.list.mail_table import MailTable
from nbmail.ui.message.message_pane import MessagePane
from nbmail.ui.window.notices import Report
from nbmail.values import FolderName
from nbmail.worker.protocol.client import Engine
from nbmail.worker.protocol.folders import FilingPreview, FolderChance, FoldersSuggested

STRONGEST = 40
"""Reasons that are shown one by one."""


class SuggestedFolders(QObject):
    """Queries suggestions for the open message, and moves it when the user accepts one."""

    def __init__(
        self,
        engine: Engine,
        pane: MessagePane,
        table: MailTable,
        marking: MarkingActions,
        actions: Mapping[str, QAction],
        *,
        filing: FilingActions,
        report: Report,
    ) -> None:
        super().__init__(pane)
        self._engine, self._pane, self._table, self._marking, self._actions = engine, pane, table, marking, actions
        self._filing, self._report = filing, report
        self._message = -1
        self._forget: Callable[[], None] = lambda: None
        pane.shown.connect(self._query)
        self._buttons.accepted.connect(self._accept)
        self._buttons.others_requested.connect(filing.choose_folder)
        self._buttons.reasons_requested.connect(self._show_reasons)
        self._name_actions()

    @property
    def _buttons(self) -> FolderButtons:
        return self._pane.folders

    def handlers(self) -> dict[str, Callable[[], object]]:
        """Return the handlers of actions by name."""
        keys = {name: partial(self._buttons.accept, place) for place, name in enumerate(SUGGESTED)}
        return {**keys, "file-sure": self.preview}

    def receive(self, event: FoldersSuggested) -> None:
        """Show new suggestions in the list, and those of the open message."""
        self._table.mails.take(event)
        if len(event.names) and self._table.header.empty:
            self._table.header.empty.clear()
            self._table.header.make_room()
        if self._message in event.messages:
            self._query(self._message)

    def preview(self) -> None:
        """List the messages whose folder is nearly sure, before any is moved."""
        self._engine.preview_filing().then(self._show_preview)

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
        """Show the suggested folders in the menus."""
        general = (tr("Move to first suggestion"), tr("Move to second suggestion"), tr("Move to third suggestion"))
        for place, name in enumerate(SUGGESTED):
            action, offered = self._actions[name], place < len(self._buttons.chances)
            named = tr("Move to {folder}")
            text = named.format(folder=folder_name(self._buttons.chances[place].folder)) if offered else general[place]
            action.setText(plain_name(text))
            action.setEnabled(offered)

    def _accept(self, folder: FolderName) -> None:
        messages = self._marking.target.selected_messages()
        # Otherwise another message was chosen, whose suggestions are not there yet.
        if self._message in messages:
            self._filing.move(messages, folder)

    def _show_reasons(self, place: int) -> None:
        """Explain the suggestion at `place` against the next likeliest folder."""
        folder, subject = self._buttons.chances[place].folder, self._table.mails.mail.heading_of(self._message)[1]
        show = lambda found: FolderReasonsWindow(self._pane.window(), subject, found).show()  # noqa: E731
        self._engine.explain_folder(self._message, folder, STRONGEST).then(show)

    def _show_preview(self, preview: FilingPreview) -> None:
        if not preview.proposals:
            self._report(tr("No message in the inbox has a folder that is sure enough."))
            return
        FilingPreviewDialog(self._pane.window(), preview, self._filing.move_groups).open()
