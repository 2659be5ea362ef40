"""Actions on the open message: read status, source, plain text, printing."""

from collections.abc import Callable, Sequence
from functools import partial

from nbmail.ui.actions.marking import MarkingActions
from nbmail.ui.message.body_actions import BodyActions
from nbmail.ui.message.pane.message_pane import MessagePane
from nbmail.ui.message.printing import print_message
from nbmail.ui.message.read_timer import ReadTimer
from nbmail.ui.message.search_highlight import SearchHighlight
from nbmail.ui.message.source_window import SourceWindow
from nbmail.ui.texts.language import tr_count
from nbmail.ui.window.window_context import WindowContext
from nbmail.worker.protocol.messages import MessageSource


class MessageActions:
    """Actions on the open message and, for the read status, on the selected ones."""

    def __init__(self, context: WindowContext, pane: MessagePane, marking: MarkingActions) -> None:
        self._engine = context.engine
        self._mail = context.model.mail
        self._pane = pane
        self._marking = marking
        self._report = context.status.report
        self.body = BodyActions(context, pane)
        self.highlight = SearchHighlight(context, pane)
        self.reading = ReadTimer(context, pane)

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "read": self.toggle_read,
            "source": self.show_source,
            "plain": self.body.toggle_plain,
            "tints": self.body.toggle_tints,
            "print": partial(print_message, self._pane),
        }

    def toggle_read(self) -> None:
        """Mark the selected messages as read, or as unread if all of them are read."""
        self.reading.stop()
        selected = self._marking.target.selected_messages()
        unread = self._unread(selected)
        ticket = self._engine.mark_read(unread or selected, read=bool(unread))
        ticket.then(self._report_changed)

    def _report_changed(self, changed: Sequence[int]) -> None:
        if len(changed) > 1:
            text = tr_count(
                "Read status of %n message changed.",
                "Read status of %n messages changed.",
                len(changed),
            )
            self._report(text)

    def _unread(self, messages: Sequence[int]) -> tuple[int, ...]:
        positions = self._mail.find(messages).tolist()
        return tuple(
            message
            for message, position in zip(messages, positions, strict=True)
            if position >= 0 and self._mail.unread(position)
        )

    def show_source(self) -> None:
        shown = self._pane.shown_message
        if shown is not None:
            self._engine.read_source(shown.message).then(self._open_source)

    def _open_source(self, source: MessageSource) -> None:
        SourceWindow(self._pane.window(), source).show()
