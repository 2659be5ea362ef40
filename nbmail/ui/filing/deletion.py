"""Permanent deletion of messages in trash and spam folders, after a question."""

from collections.abc import Callable, Sequence

from nbmail.ui.actions.marking import MarkingActions
from nbmail.ui.dialogs.questions import open_question, question_box
from nbmail.ui.texts.language import tr, tr_count
from nbmail.ui.window.window_context import WindowContext
from nbmail.worker.protocol.filing import Moved


class Deletion:
    """Deletes messages permanently. The engine skips those outside of trash and spam folders."""

    def __init__(self, context: WindowContext, marking: MarkingActions) -> None:
        self._window = context.window
        self._engine = context.engine
        self._status = context.status
        self._marking = marking

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {"delete-permanently": self._ask_for_selected}

    def _ask_for_selected(self) -> None:
        messages = self._marking.target.selected_messages()
        if messages:
            more = tr("Only messages in Trash and Spam are deleted. You can't undo this.")
            self.ask(more, messages)

    def ask(self, more: str, messages: Sequence[int]) -> None:
        """Delete the messages after a question. `more`: text below the question."""
        text = tr_count(
            "Delete this message permanently?", "Delete %n messages permanently?", len(messages)
        )
        box = question_box(self._window, tr("Delete permanently?"), text, more, icon="warning")
        delete = tr("Delete permanently")
        open_question(box, delete, tr("Cancel"), lambda: self._delete(messages))

    def _delete(self, messages: Sequence[int]) -> None:
        self._marking.target.skip(messages)
        self._status.follow(self._engine.delete(messages), tr("Deleting messages"), self._report)

    def _report(self, done: Moved) -> None:
        count = len(done.messages)
        if count:
            text = tr_count(
                "Message deleted permanently.", "%n messages deleted permanently.", count
            )
        else:
            text = tr(
                "Nothing was deleted: only messages in Trash and Spam can be deleted permanently."
            )
        self._status.report(text)
