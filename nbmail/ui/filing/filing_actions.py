"""Moves of messages to the archive, the trash, or a folder that the user chooses."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from nbmail.settings import Account
from nbmail.ui.actions.marking import MarkingActions
from nbmail.ui.filing.folder_field import FolderField
from nbmail.ui.list.list_choice import Choice, Kind
from nbmail.ui.sidebar.list_names import folder_name
from nbmail.ui.texts.error_texts import Notice
from nbmail.ui.texts.language import tr, tr_count
from nbmail.ui.texts.plain_text import join_sentences
from nbmail.ui.window.window_context import WindowContext
from nbmail.values import ARCHIVE, TRASH, FolderName, ServerFolderUse
from nbmail.worker.protocol.events import MoveRefused
from nbmail.worker.protocol.filing import Moved
from nbmail.worker.protocol.ticket import Ticket

HIDDEN = {"\\Drafts", "\\Sent", "\\All"}
"""Special uses of folders to which mail is not filed."""


class FilingActions:
    """Moves messages. `change_account` applies changed settings of an account."""

    def __init__(
        self,
        context: WindowContext,
        marking: MarkingActions,
        change_account: Callable[[Account], None],
    ) -> None:
        self._engine = context.engine
        self._model = context.model
        self._settings = context.settings
        self._window = context.window
        self._status = context.status
        self._banner = context.banner
        self._marking = marking
        self._change_account = change_account

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "move": self.choose_folder,
            "archive": lambda: self._move_selected(FolderName("", ARCHIVE)),
            "delete": lambda: self._move_selected(FolderName("", TRASH)),
        }

    # ---------------------------------------------------------------------------------------------
    # moves

    def choose_folder(self) -> None:
        """Let the user choose a folder for the selected messages."""
        messages = self._marking.target.selected_messages()
        if not messages:
            return
        here = self._model.arrangement.choice.folder
        accounts = self._model.mail.accounts_of(messages)

        def choose(folders: Sequence[ServerFolderUse]) -> None:
            offered = [one for one in folders if one.name.account in accounts and one.name != here]
            if offered:
                move = partial(self.move, messages)
                FolderField(self._window, tr("Move to"), offered, move).open()
            else:
                self._status.report(self._why_not(messages))

        self._list_folders(choose)

    def _move_selected(self, folder: FolderName) -> None:
        messages = self._marking.target.selected_messages()
        if messages:
            self.move(messages, folder)

    def move(self, messages: Sequence[int], folder: FolderName) -> None:
        """Move messages and go to the next one. The engine marks those moved to spam as spam."""
        origin = self._model.arrangement.choice.folder
        report = partial(self._report, folder)
        self._move(messages, lambda: self._engine.move(messages, folder, origin), report)

    def move_groups(self, groups: Sequence[tuple[FolderName, Sequence[int]]]) -> None:
        """Move messages to several folders as one step."""

        def report(moved: Moved) -> None:
            count = len(moved.messages)
            text = tr_count(
                "Message moved to its suggested folder.",
                "%n messages moved to their suggested folders.",
                count,
            )
            self._status.report(text, undo=count > 0)

        messages = [message for _, group in groups for message in group]
        self._move(messages, lambda: self._engine.file_messages(groups), report)

    def drop(self, choice: Choice, messages: Sequence[int]) -> None:
        """Move messages to the folder on which they were dropped, or mark them."""
        if choice.folder is not None:
            self.move(messages, choice.folder)
        else:
            label = "spam" if choice.kind == Kind.SPAM else "ham"
            self._marking.mark(tuple(messages), label)

    def _move(
        self,
        messages: Sequence[int],
        begin: Callable[[], Ticket[Moved]],
        report: Callable[[Moved], None],
    ) -> None:
        self._marking.target.skip(messages)
        self._marking.begun()
        failed = self._banner.show_failure
        self._status.follow(begin(), tr("Moving messages"), report, failed=failed)

    # ---------------------------------------------------------------------------------------------
    # results

    def _report(self, folder: FolderName, moved: Moved) -> None:
        if moved.missing:
            self._ask_folder(moved.missing[0], moved.stayed, folder.folder)
        if moved.messages:
            self._status.report(_result_text(folder, moved), undo=True)
        elif not moved.missing:
            self._status.report(self._why_not(moved.stayed))

    def _why_not(self, messages: Sequence[int]) -> str:
        """Return why none of these messages was moved."""
        names = self._model.mail.accounts_of(messages)
        accounts = [self._settings.account(name) for name in names]
        if accounts and all(account is not None and account.path for account in accounts):
            return tr("nbmail never moves mail on this computer.")
        return tr(
            "Nothing was moved. The messages are there already, or their account was never "
            "connected."
        )

    def show_refusal(self, refused: MoveRefused) -> None:
        where = tr("They are where they were.")
        notice = Notice(_refusal_text(refused), where, refused.detail)
        self._banner.show_notice(notice, "moving")

    # ---------------------------------------------------------------------------------------------
    # folders that an account lacks

    def _ask_folder(self, account: str, messages: Sequence[int], use: str) -> None:
        """Let the user choose, or create, the folder that an account lacks, and move messages."""
        settings = self._settings.account(account)
        if settings is None:
            return
        if use == ARCHIVE:
            title = tr("Archive folder of {account}").format(account=account)
        elif use == TRASH:
            title = tr("Trash folder of {account}").format(account=account)
        else:
            return

        def choose(folder: FolderName) -> None:
            self._change_account(_with_folder(settings, use, folder.folder))
            self.move(messages, folder)

        def show(folders: Sequence[ServerFolderUse]) -> None:
            offered = [one for one in folders if one.name.account == account and not one.special]
            FolderField(self._window, title, offered, choose, create=account).open()

        self._list_folders(show)

    def _list_folders(self, use: Callable[[list[ServerFolderUse]], object]) -> None:
        """Call `use` with the folders to which mail can be filed."""
        self._engine.list_folders().then(
            lambda folders: use([one for one in folders if one.special not in HIDDEN])
        )


def _with_folder(account: Account, use: str, folder: str) -> Account:
    if not folder:
        return account
    if use == ARCHIVE:
        return replace(account, archive_folder=folder)
    return replace(account, trash_folder=folder)


def _result_text(folder: FolderName, moved: Moved) -> str:
    count = len(moved.messages)
    if folder.folder == ARCHIVE:
        text = tr_count("Message archived.", "%n messages archived.", count)
    elif folder.folder == TRASH:
        text = tr_count("Message moved to the trash.", "%n messages moved to the trash.", count)
    else:
        text = tr_count("Message moved to {folder}.", "%n messages moved to {folder}.", count)
        text = text.format(folder=folder_name(folder))

    stayed = len(moved.stayed)
    if not stayed:
        return text
    staying = tr_count("%n message was not moved.", "%n messages were not moved.", stayed)
    return join_sentences(text, staying)


def _refusal_text(refused: MoveRefused) -> str:
    """Return why the server refused a move, by its response code (RFC 5530)."""
    if not refused.target.folder:
        return tr("The mail server refused to delete messages permanently.")

    code = refused.detail.partition("]")[0].lstrip("[").split(" ")[0]
    if code == "OVERQUOTA":
        text = tr("The mailbox is full: nothing can be moved to {folder}.")
    elif code == "NOPERM":
        text = tr("The mail server doesn't let you move messages to {folder}.")
    elif code in ("TRYCREATE", "NONEXISTENT"):
        text = tr("The folder {folder} doesn't exist any more.")
    else:
        text = tr("The mail server refused to move messages to {folder}.")
    return text.format(folder=folder_name(refused.target))
