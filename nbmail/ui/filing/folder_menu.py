"""Menu of a folder: mark all its messages as read, empty a spam folder."""

from collections.abc import Callable, Sequence
from functools import partial

from nbmail.ui.actions.marking import MarkingActions
from nbmail.ui.filing.deletion import Deletion
from nbmail.ui.sidebar.list_names import folder_name
from nbmail.ui.texts.language import tr, tr_count
from nbmail.ui.texts.number_texts import percent
from nbmail.ui.texts.people import sender_cell
from nbmail.ui.texts.plain_text import subject_cell, visible
from nbmail.ui.window.window_context import WindowContext
from nbmail.values import FolderName
from nbmail.worker.protocol.filing import SpamPreview

LONGEST_SENDER = 40
LONGEST_SUBJECT = 60


class FolderMenu:
    """Actions in the menu of a folder."""

    def __init__(self, context: WindowContext, marking: MarkingActions, deletion: Deletion) -> None:
        self._engine = context.engine
        self._mail = context.model.mail
        self._status = context.status
        self._marking = marking
        self._deletion = deletion

    def offered(self, folder: FolderName) -> list[tuple[str, Callable[[], object]]]:
        """Return names and functions of the actions on a folder."""
        actions: list[tuple[str, Callable[[], object]]] = []
        actions.append((tr("Mark all as read"), partial(self.mark_read, folder)))
        if folder in self._mail.spam_folders:
            actions.append((tr("Empty spam folder…"), partial(self.ask_to_empty, folder)))
        return actions

    def mark_read(self, folder: FolderName) -> None:
        def report(changed: Sequence[int]) -> None:
            count = len(changed)
            if count:
                text = tr_count("%n message marked as read.", "%n messages marked as read.", count)
            else:
                text = tr("All messages are read already.")
            self._status.report(text, undo=count > 0)

        self._marking.begun()
        self._status.follow(self._engine.read_folder(folder), tr("Marking messages"), report)

    def ask_to_empty(self, folder: FolderName) -> None:
        """Delete the messages of a spam folder, after showing those nearest to good mail."""
        self._engine.preview_spam(folder).then(self._ask)

    def _ask(self, found: SpamPreview) -> None:
        if not found.messages:
            text = tr("{folder} is empty.").format(folder=folder_name(found.folder))
            self._status.report(text)
            return

        lines = [tr("These have the lowest chance of spam:")]
        for message, chance in found.nearest.items():
            lines.append(f"{percent(chance)} · {self._heading(message)}")
        lines.append("")
        lines.append(tr("Messages that arrive in the meantime stay. You can't undo this."))
        self._deletion.ask("\n".join(lines), found.messages)

    def _heading(self, message: int) -> str:
        sender, subject, _ = self._mail.heading_of(message)
        shown_sender = visible(sender_cell(sender), LONGEST_SENDER)
        shown_subject = visible(subject_cell(subject), LONGEST_SUBJECT)
        return f"{shown_sender}: {shown_subject}"
