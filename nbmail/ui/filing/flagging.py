"""Flags of the selected messages."""

from collections.abc import Callable, Sequence

from nbmail.ui.actions.marking import MarkingActions
from nbmail.ui.texts.language import tr_count
from nbmail.ui.window.window_context import WindowContext


class Flagging:
    """Sets and removes flags."""

    def __init__(self, context: WindowContext, marking: MarkingActions) -> None:
        self._engine = context.engine
        self._mail = context.model.mail
        self._status = context.status
        self._marking = marking

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {"flag": self.flag}

    def flag(self) -> None:
        """Flag the selected messages, or remove their flags if all are flagged."""
        messages = self._marking.target.selected_messages()
        if not messages:
            return
        flagged = self._mail.flagged[self._mail.find(messages)].tolist()
        unflagged = tuple(
            message for message, is_flagged in zip(messages, flagged, strict=True) if not is_flagged
        )
        self._marking.begun()
        ticket = self._engine.flag(unflagged or messages, on=bool(unflagged))
        ticket.then(self._report)

    def _report(self, changed: Sequence[int]) -> None:
        text = tr_count(
            "Flag of %n message changed.", "Flags of %n messages changed.", len(changed)
        )
        self._status.report(text, undo=True)
