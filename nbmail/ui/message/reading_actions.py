"""What somebody does who reads: messages read and unread, files opened, the source shown, found words lit."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject

from nbmail.ui.actions.marking import MarkingActions
from nbmail.ui.kit.language import tr_count
from nbmail.ui.kit.layouts import one_shot
from nbmail.ui.list.mail_model import MailModel
from nbmail.ui.list.search_words import search_words
from nbmail.ui.message.attachment_actions import AttachmentActions
from nbmail.ui.message.message_pane import MessagePane
from nbmail.ui.window.current_settings import CurrentSettings
from nbmail.ui.window.engine_requests import EngineRequests
from nbmail.worker.protocol.reading import MarkRead, MessageSource, ReadSource

DELAYS = {"moment": 2000, "at-once": 200}
"""Milliseconds after which a message that is open counts as read, by what the user has chosen; else it never does."""


class ReadingActions(QObject):
    """Connects the open message with its files, its source and the mark of reading. Has no signals of its own."""

    def __init__(
        self,
        requests: EngineRequests,
        model: MailModel,
        pane: MessagePane,
        settings: CurrentSettings,
        marking: MarkingActions,
        *,
        open_file: Callable[[Path], None],
        say: Callable[[str], None],
    ) -> None:
        super().__init__(pane)
        self._requests, self._model, self._pane, self._settings = requests, model, pane, settings
        self._marking, self._say = marking, say
        self.files = AttachmentActions(requests, pane, open_file, say)
        self._timer = one_shot(self, 0, self._note_read)
        self._opened = self._shown = -1
        self._lit = (-1, "")
        pane.shown.connect(self._take_shown)
        model.arranged.connect(self._light)

    def turn_read(self) -> None:
        """Mark the chosen messages as read; as unread where all of them are read."""
        chosen = self._marking.target.chosen_messages()
        unread = self._unread(chosen)
        self._timer.stop()
        self._requests.ask(MarkRead(unread or chosen, read=bool(unread)), self._tell)

    def show_source(self) -> None:
        shown = self._pane.shown_message
        if shown is not None:
            self._requests.ask(ReadSource(shown.message), self._show_source)

    def _show_source(self, source: MessageSource) -> None:
        from nbmail.ui.message.source_window import SourceWindow

        SourceWindow(self._pane.window(), source).show()

    def _tell(self, changed: Sequence[int]) -> None:
        if len(changed) > 1:
            self._say(tr_count("Changed %n message.", "Changed %n messages.", len(changed)))

    def _unread(self, messages: Sequence[int]) -> tuple[int, ...]:
        mail = self._model.mail
        if mail is None:
            return ()
        places = zip(messages, mail.find(messages).tolist(), strict=True)
        return tuple(message for message, place in places if place >= 0 and mail.unread(place))

    def _take_shown(self, message: int) -> None:
        self._shown, self._lit = message, (-1, "")
        self._light()
        delay = DELAYS.get(self._settings.value.opened_is_read)
        if message != self._opened:
            self._opened = message
            self._timer.stop()
            if message >= 0 and delay is not None:
                self._timer.start(delay)

    def _note_read(self) -> None:
        """Nobody reads in a window that lies behind others: then it waits."""
        if not self._pane.isActiveWindow():
            self._timer.start()
        elif self._unread([self._opened]):
            self._requests.ask(MarkRead((self._opened,)))

    def _light(self) -> None:
        """Only when it is another message or other words: lighting scrolls to the first."""
        lit = (self._shown, self._model.arrangement.choice.words)
        if lit != self._lit:
            self._lit = lit
            self._pane.light(search_words(lit[1]))
