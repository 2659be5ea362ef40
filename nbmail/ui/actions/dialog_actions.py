"""Dialogs that are the same whatever the window shows; each is imported when it is asked for."""

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QWidget

from nbmail.ui.dialogs.preferences import PreferencesDialog
from nbmail.ui.dialogs.questions import KeyMapDialog, show_about
from nbmail.ui.list.mail_model import MailModel
from nbmail.ui.window.current_settings import CurrentSettings
from nbmail.ui.window.engine_requests import EngineRequests
from nbmail.worker.protocol import PlannedMove, PreviewMoves


class DialogActions:
    """Opens them over `parent`."""

    def __init__(self, parent: QWidget, requests: EngineRequests, settings: CurrentSettings, model: MailModel) -> None:
        self._parent, self._requests, self._settings, self._model = parent, requests, settings, model

    def show_preferences(self) -> None:
        settings, count = self._settings, self._model.mail.count_above
        PreferencesDialog(self._parent, settings.value, settings.change, self._preview_moves, count).open()

    def _preview_moves(self, show: Callable[[Sequence[PlannedMove]], None]) -> None:
        """Ask what moving would have done. Mail on this computer is never moved."""
        local = {account.name for account in self._settings.value.accounts if account.path}
        command = PreviewMoves()
        self._requests.ask(command, lambda moves: show([one for one in moves if one.folder.account not in local]))

    def show_keys(self) -> None:
        KeyMapDialog(self._parent, self._parent.actions()).open()

    def show_about(self) -> None:
        show_about(self._parent)
