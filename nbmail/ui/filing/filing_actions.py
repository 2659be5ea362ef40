"""Moves of the selected messages to a folder, the archive or the trash; and answers in the user's mail program."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from email.utils import getaddresses
from functools import partial
from pathlib import Path
from urllib.parse import quote

from PySide6.QtCore import QProcess, QSettings, QStandardPaths
from PySide6.QtWidgets import QWidget

from nbmail.settings import Account
from nbmail.ui.accounts.sidebar import folder_name
from nbmail.ui.actions.action_table import LongWork
from nbmail.ui.actions.marking import MarkingActions
from nbmail.ui.dialogs.questions import open_question, question_box
from nbmail.ui.filing.folder_field import FolderField
from nbmail.ui.filing.senders import SenderRuleActions, UnsubscribeActions
from nbmail.ui.kit import phrases
from nbmail.ui.kit.error_texts import Notice
from nbmail.ui.kit.phrases import tr, tr_count
from nbmail.ui.kit.plain_text import join_sentences, sender_name, visible
from nbmail.ui.list.list_choice import Choice, Kind
from nbmail.ui.list.mail_model import MailModel
from nbmail.ui.window.current_settings import CurrentSettings
from nbmail.ui.window.notices import Banner, StatusLine
from nbmail.ui.window.services import MailboxSearch, open_address, open_file
from nbmail.values import ARCHIVE, TRASH, FolderName, ServerFolderUse
from nbmail.worker.protocol.client import Engine
from nbmail.worker.protocol.events import MoveRefused
from nbmail.worker.protocol.filing import JunkPreview, MessageFile, Moved, NearJunk

HIDDEN = {"\\Drafts", "\\Sent", "\\All"}
"""Special uses of folders to which mail is not filed."""


class FilingActions:
    """Moves messages. `change_account` applies changed settings of an account."""

    def __init__(
        self,
        engine: Engine,
        work: LongWork,
        marking: MarkingActions,
        status: StatusLine,
        window: QWidget,
        *,
        model: MailModel,
        settings: CurrentSettings,
        banner: Banner,
        change_account: Callable[[Account, str], None],
        searches: MailboxSearch,
    ) -> None:
        self._engine, self._work, self._marking, self._status, self._window = engine, work, marking, status, window
        self._model, self._settings, self._banner = model, settings, banner
        self._begun, self._change_account = marking.begun, change_account
        self._program = MailProgram(engine, marking, status.report)
        self._rules = SenderRuleActions(engine, work, marking, status, window)
        self._unsubscribing = UnsubscribeActions(engine, marking, model, status, window, searches=searches)

    def handlers(self) -> dict[str, Callable[[], object]]:
        """Return the handlers of actions by name."""
        return {
            "move": self.choose_folder,
            "archive": lambda: self._move_selected(FolderName("", ARCHIVE)),
            "delete": lambda: self._move_selected(FolderName("", TRASH)),
            "delete-permanently": self.ask_deletion,
            "flag": self.flag,
            **self._program.handlers(),
            "unsubscribe": self._unsubscribing.begin,
            "rule": lambda: self._rules.ask(self._model),
            "rules": self._rules.show,
        }

    def choose_folder(self) -> None:
        """Move the selected messages to a folder that the user chooses."""
        messages = self._marking.target.selected_messages()
        if messages:
            self._with_folders(lambda folders: self._open_field(messages, folders))

    def folder_actions(self, folder: FolderName) -> list[tuple[str, Callable[[], object]]]:
        """Return texts and handlers of the actions on a folder."""
        found: list[tuple[str, Callable[[], object]]] = [
            (tr("Mark all as read"), partial(self.read_folder, folder)),
        ]
        if folder in self._model.mail.junk_folders:
            found.append((tr("Empty junk folder…"), partial(self.ask_to_empty, folder)))
        return found

    def ask_deletion(self) -> None:
        """Delete the selected messages permanently, after a question."""
        messages = self._marking.target.selected_messages()
        if messages:
            text = tr_count("Delete this message permanently?", "Delete %n messages permanently?", len(messages))
            self._ask(text, tr("Only messages in Trash and Junk are deleted. You can't undo this."), messages)

    def ask_to_empty(self, folder: FolderName) -> None:
        """Delete the messages of a junk folder permanently, after showing those nearest to good mail."""
        self._engine.preview_junk(folder).then(self._ask_to_empty)

    def flag(self) -> None:
        """Flag the selected messages, or remove their flags if all are flagged."""
        messages = self._marking.target.selected_messages()
        places = self._model.mail.find(messages)
        unflagged = tuple(
            each for each, place in zip(messages, places, strict=True) if not self._model.mail.flagged[place]
        )
        if messages:
            self._begun()
            self._engine.flag(unflagged or messages, on=bool(unflagged)).then(self._report_flagged)

    def read_folder(self, folder: FolderName) -> None:
        self._begun()
        name = tr("Marking messages")
        self._work.show(self._engine.read_folder(folder), name, self._report_read)

    def move(self, messages: Sequence[int], folder: FolderName) -> None:
        """Move messages, and go to the next one. Dropped on the junk folder they are marked as junk too."""
        self._marking.target.skip(messages)
        self._begun()
        origin = self._model.arrangement.choice.folder
        self._work.show(
            self._engine.move(messages, folder, origin),
            tr("Moving messages"),
            lambda moved: self._report(moved, folder),
            failed=self._banner.show_failure,
        )

    def move_groups(self, groups: Sequence[tuple[FolderName, Sequence[int]]]) -> None:
        """Move messages to several folders as one step."""
        self._marking.target.skip([message for _, messages in groups for message in messages])
        self._begun()
        self._work.show(
            self._engine.file_messages(groups),
            tr("Moving messages"),
            self._report_groups,
            failed=self._banner.show_failure,
        )

    def drop(self, choice: Choice, messages: Sequence[int]) -> None:
        """Move messages to the folder on which they were dropped, or mark them."""
        if choice.folder is not None:
            self.move(messages, choice.folder)
        else:
            label = "junk" if choice.kind == Kind.JUNK else "good"
            self._marking.mark(tuple(messages), label)

    def show_refusal(self, refused: MoveRefused) -> None:
        """Say which messages stayed where they were."""
        self._banner.show_notice(refusal_notice(refused), "moving")

    def _ask_to_empty(self, found: JunkPreview) -> None:
        if not found.messages:
            self._status.report(tr("{folder} is empty.").format(folder=folder_name(found.folder)))
            return
        text = tr_count("Delete this message permanently?", "Delete %n messages permanently?", len(found.messages))
        lines = (f"{phrases.percent(each.probability)} · {_named(each)}" for each in found.nearest)
        nearest = "\n".join((tr("These have the lowest chance of junk:"), *lines))
        more = tr("Messages that arrive in the meantime stay. You can't undo this.")
        self._ask(text, f"{nearest}\n\n{more}", found.messages)

    def _ask(self, text: str, more: str, messages: Sequence[int]) -> None:
        box = question_box(self._window, tr("Delete permanently?"), text, more, icon="warning")
        open_question(box, tr("Delete permanently"), tr("Cancel"), lambda: self._delete(messages))

    def _delete(self, messages: Sequence[int]) -> None:
        self._marking.target.skip(messages)
        self._work.show(self._engine.delete(messages), tr("Deleting messages"), self._report_deleted)

    def _report_deleted(self, done: Moved) -> None:
        none = tr("Nothing was deleted: only messages in Trash and Junk can be deleted permanently.")
        count = len(done.messages)
        text = tr_count("Message deleted permanently.", "%n messages deleted permanently.", count) if count else none
        self._status.report(text)

    def _report_flagged(self, changed: Sequence[int]) -> None:
        text = tr_count("Flag of %n message changed.", "Flags of %n messages changed.", len(changed))
        self._status.report(text, undo=True)

    def _report_read(self, changed: Sequence[int]) -> None:
        count = len(changed)
        text = tr_count("%n message marked as read.", "%n messages marked as read.", count)
        self._status.report(text if count else tr("All messages are read already."), undo=count > 0)

    def _move_selected(self, folder: FolderName) -> None:
        messages = self._marking.target.selected_messages()
        if messages:
            self.move(messages, folder)

    def _with_folders(self, use: Callable[[list[ServerFolderUse]], object]) -> None:
        self._engine.list_folders().then(lambda folders: use([one for one in folders if one.special not in HIDDEN]))

    def _open_field(self, messages: Sequence[int], folders: Sequence[ServerFolderUse]) -> None:
        here, accounts = self._model.arrangement.choice.folder, self._model.mail.accounts_of(messages)
        offered = [one for one in folders if one.name.account in accounts and one.name != here]
        if offered:
            FolderField(self._window, tr("Move to"), offered, lambda folder: self.move(messages, folder)).open()
        else:
            self._status.report(self._why_not(messages))

    def _report(self, moved: Moved, folder: FolderName) -> None:
        if moved.missing:
            self._ask_folder(moved.missing[0], moved.stayed, folder.folder)
        stayed = len(moved.stayed) if moved.messages else 0
        staying = tr_count("%n message was not moved.", "%n messages were not moved.", stayed) if stayed else ""
        if moved.messages:
            text = move_text(len(moved.messages), folder)
            self._status.report(join_sentences(text, staying), undo=True)
        elif not moved.missing:
            self._status.report(self._why_not(moved.stayed))

    def _report_groups(self, moved: Moved) -> None:
        count = len(moved.messages)
        text = tr_count(
            "Message moved to its suggested folder.", "%n messages moved to their suggested folders.", count
        )
        self._status.report(text, undo=count > 0)

    def _why_not(self, messages: Sequence[int]) -> str:
        """Return why none of these messages was moved."""
        accounts = [self._settings.account(name) for name in self._model.mail.accounts_of(messages)]
        if accounts and all(account is not None and account.path for account in accounts):
            return tr("nbmail never moves mail on this computer.")
        return tr("Nothing was moved. The messages are there already, or their account was never connected.")

    def _ask_folder(self, account: str, messages: Sequence[int], use: str) -> None:
        """Let the user choose, or create, the folder that an account lacks. Then move the messages there."""
        settings = self._settings.account(account)
        titles = {ARCHIVE: tr("Archive folder of {account}"), TRASH: tr("Trash folder of {account}")}
        if settings is None or use not in titles:
            return

        def choose(folder: FolderName) -> None:
            archive, trash = (folder.folder if use == each else "" for each in (ARCHIVE, TRASH))
            changed = replace(settings, archive_folder=archive or settings.archive_folder)
            self._change_account(replace(changed, trash_folder=trash or settings.trash_folder), "")
            self.move(messages, folder)

        def show(folders: Sequence[ServerFolderUse]) -> None:
            offered = [one for one in folders if one.name.account == account and not one.special]
            title = titles[use].format(account=account)
            FolderField(self._window, title, offered, choose, create=account).open()

        self._with_folders(show)


def _named(one: NearJunk) -> str:
    """Return sender and subject in one line."""
    return f"{visible(sender_name(one.sender), 40)}: {visible(one.subject, 60)}"


def move_text(count: int, folder: FolderName) -> str:
    """Return the result of a move."""
    if folder.folder == ARCHIVE:
        return tr_count("Message archived.", "%n messages archived.", count)
    if folder.folder == TRASH:
        return tr_count("Message moved to the trash.", "%n messages moved to the trash.", count)
    text = tr_count("Message moved to {folder}.", "%n messages moved to {folder}.", count)
    return text.format(folder=folder_name(folder))


def refusal_notice(refused: MoveRefused) -> Notice:
    """Return the reason why messages were not moved."""
    code = refused.detail.partition("]")[0].lstrip("[").split(" ")[0]
    name = folder_name(refused.target)
    sentences = {
        "OVERQUOTA": tr("The mailbox is full: nothing can be moved to {folder}."),
        "NOPERM": tr("The mail server doesn't let you move messages to {folder}."),
        "TRYCREATE": tr("The folder {folder} doesn't exist any more."),
        "NONEXISTENT": tr("The folder {folder} doesn't exist any more."),
    }
    text = sentences.get(code, tr("The mail server refused to move messages to {folder}."))
    if not refused.target.folder:
        text = tr("The mail server refused to delete messages permanently.")
    return Notice(text.format(folder=name), tr("They are where they were."), refused.detail)


MID, MAIL_FILE = "x-scheme-handler/mid", "message/rfc822"
OWN = "nbmail"
"""Part of the name under which nbmail is registered itself."""
MESSAGE_KEYS = {MID: r"HKEY_CLASSES_ROOT\mid\shell\open\command", MAIL_FILE: r"HKEY_CLASSES_ROOT\.eml"}


def message_address(message_id: str, platform: str = sys.platform) -> str:
    """Return the address of a message by its Message-ID, for programs on this system."""
    name = message_id.strip().removeprefix("<").removesuffix(">")
    return f"message://%3C{quote(name, safe='')}%3E" if platform == "darwin" else f"mid:{quote(name, safe='')}"


def reply_address(headers: Mapping[str, str]) -> str:
    """Return the address that starts an answer: recipient, subject and In-Reply-To; empty without a sender."""
    people = getaddresses([headers.get("reply-to", "")]) + getaddresses([headers.get("from", "")])
    recipient = next((address for _, address in people if "@" in address), "")
    subject = headers.get("subject", "").strip()
    fields = {"subject": subject if subject[:3].casefold() == "re:" else f"Re: {subject}"}
    if message_id := headers.get("message-id", "").strip():
        fields["In-Reply-To"] = message_id
    query = "&".join(f"{name}={quote(value, safe='')}" for name, value in fields.items())
    return f"mailto:{quote(recipient, safe='@')}?{query}" if recipient else ""


def programs_for(kind: str) -> list[str]:
    """Return the programs that open this kind, the user's choice first. Not on macOS, which has none to read."""
    if sys.platform == "win32":
        found = str(QSettings(MESSAGE_KEYS[kind], QSettings.Format.NativeFormat).value(".") or "")
        return [found] if found else []
    places = (
        (QStandardPaths.StandardLocation.GenericConfigLocation, "mimeapps.list"),
        (QStandardPaths.StandardLocation.ApplicationsLocation, "mimeapps.list"),
        (QStandardPaths.StandardLocation.ApplicationsLocation, "mimeinfo.cache"),
    )
    files = (path for place, name in places for path in QStandardPaths.locateAll(place, name))
    return list(dict.fromkeys(each for path in files for each in _registered(Path(path), kind)))


def _registered(path: Path, kind: str) -> Iterator[str]:
    """Yield the programs that a list of the desktop names for this kind, except removed ones."""
    section = ""
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        if line.startswith("["):
            section = line
        elif line.startswith(f"{kind}=") and section != "[Removed Associations]":
            yield from filter(None, line.partition("=")[2].strip().split(";"))


def _launch(program: str, path: Path) -> bool:
    """Open a file with a program that is not the desktop's default. False if that fails."""
    return bool(QProcess.startDetached("gtk-launch", [program.removesuffix(".desktop"), str(path)])[0])


class MailProgram:
    """Hands the selected message to another program. `report` is called with a text when that is impossible."""

    def __init__(self, engine: Engine, marking: MarkingActions, report: Callable[[str], None]) -> None:
        self._engine, self._marking, self._report = engine, marking, report

    def handlers(self) -> dict[str, Callable[[], object]]:
        """Return the handlers of actions by name."""
        return {"open": self.open, "reply": self.reply}

    def open(self) -> None:
        """Open the message by its Message-ID where another program is registered for that, otherwise as a file."""
        self._with_message(self._open)

    def reply(self) -> None:
        self._with_message(self._reply)

    def _with_message(self, use: Callable[[MessageFile], None]) -> None:
        messages = self._marking.target.selected_messages()
        if len(messages) == 1:
            self._engine.write_message(messages[0]).then(use)
        else:
            self._report(tr("Select one message."))

    def _open(self, found: MessageFile) -> None:
        message_id = found.headers.get("message-id", "")
        others = [each for each in programs_for(MID) if OWN not in each] if sys.platform != "darwin" else [""]
        if message_id and others:
            open_address(message_address(message_id))
            return
        programs = programs_for(MAIL_FILE) if sys.platform != "darwin" else []
        others = [each for each in programs if OWN not in each]
        if not programs or OWN not in programs[0]:
            open_file(found.path)
        elif not (others and _launch(others[0], found.path)):
            self._report(tr("No other program on this computer opens messages."))

    def _reply(self, found: MessageFile) -> None:
        address = reply_address(found.headers)
        if address:
            open_address(address)
        else:
            self._report(tr("This message has no sender to answer."))
