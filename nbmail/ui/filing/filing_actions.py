"""Moves of the selected messages to the archive, the trash, or a folder that is found by parts of
its name.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem, QWidget

from nbmail.settings import Account
from nbmail.ui.accounts.sidebar import folder_name
from nbmail.ui.actions.marking import MarkingActions
from nbmail.ui.dialogs.questions import open_question, question_box
from nbmail.ui.filing.senders import SenderActions
from nbmail.ui.kit import layouts
from nbmail.ui.kit.dialogs import BriefDialog
from nbmail.ui.kit.labels import plain_label
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.list.list_choice import Choice, Kind
from nbmail.ui.texts.error_texts import Notice
from nbmail.ui.texts.language import tr, tr_count
from nbmail.ui.texts.number_texts import percent
from nbmail.ui.texts.people import sender_cell
from nbmail.ui.texts.plain_text import join_sentences, subject_cell, visible
from nbmail.ui.window.context import WindowContext
from nbmail.values import ARCHIVE, TRASH, FolderName, ServerFolderUse
from nbmail.worker.protocol.events import MoveRefused
from nbmail.worker.protocol.filing import Moved, SpamPreview
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
        self._begun = marking.begun
        self._change_account = change_account
        self.senders = SenderActions(context, marking)

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "move": self.choose_folder,
            "archive": lambda: self._move_selected(FolderName("", ARCHIVE)),
            "delete": lambda: self._move_selected(FolderName("", TRASH)),
            "delete-permanently": self.ask_deletion,
            "flag": self.flag,
            **self.senders.handlers(),
        }

    def choose_folder(self) -> None:
        messages = self._marking.target.selected_messages()
        here = self._model.arrangement.choice.folder
        accounts = self._model.mail.accounts_of(messages)

        def choose(folders: Sequence[ServerFolderUse]) -> None:
            offered = [one for one in folders if one.name.account in accounts and one.name != here]
            if offered:
                FolderField(
                    self._window, tr("Move to"), offered, partial(self.move, messages)
                ).open()
            else:
                self._status.report(self._why_not(messages))

        if messages:
            self._with_folders(choose)

    def folder_actions(self, folder: FolderName) -> list[tuple[str, Callable[[], object]]]:
        read = partial(self.read_folder, folder)
        empty = partial(self.ask_to_empty, folder)
        is_spam = folder in self._model.mail.spam_folders
        return [
            (tr("Mark all as read"), read),
            *([(tr("Empty spam folder…"), empty)] if is_spam else []),
        ]

    def ask_deletion(self) -> None:
        """Delete the selected messages permanently, after a question."""
        messages = self._marking.target.selected_messages()
        if messages:
            self._ask(
                tr("Only messages in Trash and Spam are deleted. You can't undo this."), messages
            )

    def ask_to_empty(self, folder: FolderName) -> None:
        """Delete the messages of a spam folder permanently, after showing those nearest to good
        mail.
        """

        def ask(found: SpamPreview) -> None:
            if not found.messages:
                self._status.report(
                    tr("{folder} is empty.").format(folder=folder_name(found.folder))
                )
                return
            lines = [tr("These have the lowest chance of spam:")]
            for message, chance in found.nearest.items():
                sender, subject, _ = self._model.mail.heading_of(message)
                name = f"{visible(sender_cell(sender), 40)}: {visible(subject_cell(subject), 60)}"
                lines.append(f"{percent(chance)} · {name}")
            more = tr("Messages that arrive in the meantime stay. You can't undo this.")
            self._ask("\n".join((*lines, "", more)), found.messages)

        self._engine.preview_spam(folder).then(ask)

    def _ask(self, more: str, messages: Sequence[int]) -> None:
        def report(done: Moved) -> None:
            none = tr(
                "Nothing was deleted: only messages in Trash and Spam can be deleted permanently."
            )
            count = len(done.messages)
            text = tr_count(
                "Message deleted permanently.", "%n messages deleted permanently.", count
            )
            self._status.report(text if count else none)

        def delete() -> None:
            self._marking.target.skip(messages)
            self._status.follow(self._engine.delete(messages), tr("Deleting messages"), report)

        text = tr_count(
            "Delete this message permanently?", "Delete %n messages permanently?", len(messages)
        )
        box = question_box(self._window, tr("Delete permanently?"), text, more, icon="warning")
        open_question(box, tr("Delete permanently"), tr("Cancel"), delete)

    def flag(self) -> None:
        """Flag the selected messages, or remove their flags if all are flagged."""

        def report(changed: Sequence[int]) -> None:
            text = tr_count(
                "Flag of %n message changed.", "Flags of %n messages changed.", len(changed)
            )
            self._status.report(text, undo=True)

        messages = self._marking.target.selected_messages()
        mail = self._model.mail
        places = zip(messages, mail.find(messages), strict=True)
        unflagged = tuple(message for message, place in places if not mail.flagged[place])
        if messages:
            self._begun()
            self._engine.flag(unflagged or messages, on=bool(unflagged)).then(report)

    def read_folder(self, folder: FolderName) -> None:
        def report(changed: Sequence[int]) -> None:
            count = len(changed)
            text = tr_count("%n message marked as read.", "%n messages marked as read.", count)
            self._status.report(
                text if count else tr("All messages are read already."), undo=count > 0
            )

        self._begun()
        self._status.follow(self._engine.read_folder(folder), tr("Marking messages"), report)

    def move(self, messages: Sequence[int], folder: FolderName) -> None:
        """Move messages, and go to the next one. Dropped on the spam folder they are marked as spam
        too.
        """
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

        messages = [message for _, messages in groups for message in messages]
        self._move(messages, lambda: self._engine.file_messages(groups), report)

    def _move(
        self,
        messages: Sequence[int],
        begin: Callable[[], Ticket[Moved]],
        report: Callable[[Moved], None],
    ) -> None:
        self._marking.target.skip(messages)
        self._begun()
        self._status.follow(
            begin(), tr("Moving messages"), report, failed=self._banner.show_failure
        )

    def drop(self, choice: Choice, messages: Sequence[int]) -> None:
        """Move messages to the folder on which they were dropped, or mark them."""
        if choice.folder is not None:
            self.move(messages, choice.folder)
        else:
            self._marking.mark(tuple(messages), "spam" if choice.kind == Kind.SPAM else "ham")

    def show_refusal(self, refused: MoveRefused) -> None:
        code = refused.detail.partition("]")[0].lstrip("[").split(" ")[0]
        missing = tr("The folder {folder} doesn't exist any more.")
        sentences = {
            "OVERQUOTA": tr("The mailbox is full: nothing can be moved to {folder}."),
            "NOPERM": tr("The mail server doesn't let you move messages to {folder}."),
            **{"TRYCREATE": missing, "NONEXISTENT": missing},
        }
        text = sentences.get(code, tr("The mail server refused to move messages to {folder}."))
        if not refused.target.folder:
            text = tr("The mail server refused to delete messages permanently.")
        text = text.format(folder=folder_name(refused.target))
        self._banner.show_notice(
            Notice(text, tr("They are where they were."), refused.detail), "moving"
        )

    def _move_selected(self, folder: FolderName) -> None:
        messages = self._marking.target.selected_messages()
        if messages:
            self.move(messages, folder)

    def _with_folders(self, use: Callable[[list[ServerFolderUse]], object]) -> None:
        self._engine.list_folders().then(
            lambda folders: use([one for one in folders if one.special not in HIDDEN])
        )

    def _report(self, folder: FolderName, moved: Moved) -> None:
        count = len(moved.messages)
        stayed = len(moved.stayed)
        if moved.missing:
            self._ask_folder(moved.missing[0], moved.stayed, folder.folder)
        if count:
            text = tr_count("Message moved to {folder}.", "%n messages moved to {folder}.", count)
            if folder.folder == ARCHIVE:
                text = tr_count("Message archived.", "%n messages archived.", count)
            elif folder.folder == TRASH:
                text = tr_count(
                    "Message moved to the trash.", "%n messages moved to the trash.", count
                )
            staying = (
                tr_count("%n message was not moved.", "%n messages were not moved.", stayed)
                if stayed
                else ""
            )
            self._status.report(
                join_sentences(text.format(folder=folder_name(folder)), staying), undo=True
            )
        elif not moved.missing:
            self._status.report(self._why_not(moved.stayed))

    def _why_not(self, messages: Sequence[int]) -> str:
        """Return why none of these messages was moved."""
        accounts = [self._settings.account(name) for name in self._model.mail.accounts_of(messages)]
        if accounts and all(account is not None and account.path for account in accounts):
            return tr("nbmail never moves mail on this computer.")
        return tr(
            "Nothing was moved. The messages are there already, or their account was never "
            "connected."
        )

    def _ask_folder(self, account: str, messages: Sequence[int], use: str) -> None:
        """Let the user choose, or create, the folder that an account lacks. Then move the messages
        there.
        """
        settings = self._settings.account(account)
        titles = {
            ARCHIVE: tr("Archive folder of {account}"),
            TRASH: tr("Trash folder of {account}"),
        }
        if settings is None or use not in titles:
            return

        def choose(folder: FolderName) -> None:
            name = folder.folder
            archive = replace(settings, archive_folder=name or settings.archive_folder)
            trash = replace(settings, trash_folder=name or settings.trash_folder)
            self._change_account(archive if use == ARCHIVE else trash)
            self.move(messages, folder)

        def show(folders: Sequence[ServerFolderUse]) -> None:
            offered = [one for one in folders if one.name.account == account and not one.special]
            title = titles[use].format(account=account)
            FolderField(self._window, title, offered, choose, create=account).open()

        self._with_folders(show)


_PARTS = re.compile(r"[\s/.\\_-]+")
WIDTH = 420
HEIGHT = 320
LONGEST = 200
_KEYS = {Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp}


def find_folders(folders: Sequence[ServerFolderUse], text: str) -> list[ServerFolderUse]:
    """Return the folders with words that begin like those of `text`: the last used, then those
    whose last part does.
    """
    wanted = [part for part in _PARTS.split(text.casefold()) if part]
    ranked = []
    for each in folders:
        shown = folder_name(each.name).casefold()
        parts = [part for part in _PARTS.split(shown) if part]
        left = iter(parts)
        if (
            all(any(part.startswith(word) for part in left) for word in wanted)
            or text.casefold().strip() in shown
        ):
            ends_so = bool(wanted and parts) and parts[-1].startswith(wanted[0])
            ranked.append((-each.used, not ends_so, shown, each))
    return [each for *_, each in sorted(ranked, key=lambda rank: (*rank[:3], rank[3].name))]


class FolderField(BriefDialog):
    """Field with the matching folders below. `choose`: called with the choice. `create`: allow an
    unknown name.
    """

    def __init__(
        self,
        parent: QWidget,
        title: str,
        folders: Sequence[ServerFolderUse],
        choose: Callable[[FolderName], object],
        *,
        create: str = "",
    ) -> None:
        super().__init__(parent, title)
        self._folders = folders
        self._choose = choose
        self._create = create
        self._several = len({each.name.account for each in folders}) > 1
        self.field = QLineEdit()
        self.list = QListWidget()
        self.field.setAccessibleName(title)
        self.field.setPlaceholderText(tr("Folder name, or parts of it"))
        self.field.installEventFilter(self)
        self.list.setAccessibleName(tr("Folders"))
        self.list.setUniformItemSizes(True)
        self.list.setProperty("mails", True)
        self.hint = plain_label("", "muted")
        self.setLayout(
            layouts.column(
                self.field, (self.list, 1), self.hint, spacing=8, margins=(14, 14, 14, 12)
            )
        )
        self.field.textChanged.connect(self._show)
        self.field.returnPressed.connect(self._take)
        self.list.itemActivated.connect(self._take)
        self.list.itemClicked.connect(self._take)
        # Rows have the height of the style only in a styled list.
        self.list.ensurePolished()
        self._show()
        self.resize(scaled(self, WIDTH), scaled(self, HEIGHT))
        self.field.setFocus()

    def _show(self) -> None:
        text = self.field.text().strip()
        lines = list[tuple[str, FolderName]]()
        for name in (each.name for each in find_folders(self._folders, text)):
            shown = visible(folder_name(name), LONGEST)
            whole = tr("{folder} – {account}").format(folder=shown, account=name.account)
            lines.append((whole if self._several else shown, name))
        if self._create and text and all(name.folder != text for _, name in lines):
            lines.append(
                (tr("Create folder “{name}”").format(name=text), FolderName(self._create, text))
            )
        self.list.clear()
        for shown, name in lines:
            # A list: Qt turns tuples into lists.
            QListWidgetItem(shown, self.list).setData(Qt.ItemDataRole.UserRole, list(name))
        self.list.setCurrentRow(0)
        none = (
            tr("No folder has this name.")
            if self._folders
            else tr("nbmail has no list of folders yet.")
        )
        self.hint.setText("" if self.list.count() else none)

    def _take(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            self.accept()
            self._choose(FolderName(*item.data(Qt.ItemDataRole.UserRole)))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the arrow keys in the field move through the list."""
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() in _KEYS
        ):
            self.list.event(event)
            return True
        return super().eventFilter(watched, event)
