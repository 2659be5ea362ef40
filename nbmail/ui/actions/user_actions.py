"""What each action does: one tiny function each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import QFileDialog

from nbmail.ui.actions.long_work import run_long
from nbmail.ui.actions.undo_redo import (
    did_something,
    marking_stopped_words,
    redone_words,
    take_back,
    turn,
    undone_words,
)
from nbmail.ui.kit import phrases
from nbmail.ui.kit.language import grouped, tr
from nbmail.ui.list.list_choice import Choice, Kind
from nbmail.worker.protocol import (
    Exported,
    ExportModel,
    Failed,
    FolderName,
    Imported,
    ImportModel,
    LabelFolder,
    Mark,
    Marked,
    PlannedMove,
    PreviewMoves,
    Progress,
    Redo,
    Relearn,
)

if TYPE_CHECKING:
    from nbmail.ui.window.main_window import MainWindow


def mark_junk(window: MainWindow) -> None:
    """The selected messages are junk."""
    mark(window, "junk")


def mark_good(window: MainWindow) -> None:
    """They are good."""
    mark(window, "good")


def clear_mark(window: MainWindow) -> None:
    """Nothing is said about them any more."""
    mark(window, None)


def mark(window: MainWindow, label: str | None) -> None:
    """Label what is selected, show it at once, and go to the next message."""
    messages = window.table.chosen_messages()
    if not messages:
        window.status.say(tr("Choose a message first."))
        return
    last = window.model.row_of(messages[-1])
    window.model.label(messages, label)
    window.offers.forget(messages)
    run_long(
        window,
        Mark(messages, label),
        tr("Marking"),
        lambda done: say_marked(window, done),
        stopped=lambda reached: _say_stopped(window, reached),
        failed=lambda no: _take_back(window, no),
    )
    if window.settings.after_mark == "next" and label is not None:
        window.table.go_to(last + 1)


def say_marked(window: MainWindow, done: Marked) -> None:
    """Tell what a mark did, with the way back."""
    if not done.messages:
        window.status.say(tr("That mark is there already."))
        return
    texts = [phrases.mark_words(done.label, len(done.messages)), phrases.turned_words(done.turned)]
    window.status.say(" ".join(text for text in texts if text), undo=True)


def _take_back(window: MainWindow, failure: Failed) -> None:
    window.complain(failure)
    window.list_mail()


def _say_stopped(window: MainWindow, reached: Progress | None) -> None:
    """Tell how far a long marking came, and show the rows as they are."""
    words = marking_stopped_words(reached)
    window.status.say(words, undo=reached is not None)
    window.list_mail()


def undo(window: MainWindow) -> None:
    """Take the latest step back."""
    take_back(window, window, lambda done: _say_turned(window, done, undone_words(done), redo=True), window.status.say)


def redo(window: MainWindow) -> None:
    """Do it again."""
    turn(
        window,
        Redo(),
        lambda done: _say_turned(window, done, redone_words(done), undo=True),
        window.status.say,
    )


def _say_turned(window: MainWindow, done: Marked, words: str, *, undo: bool = False, redo: bool = False) -> None:
    some = did_something(done)
    window.status.say(words, undo=undo and some, redo=redo and some)
    if len(done.messages) == 1:
        window.table.go_to_message(done.messages[0])


def go_next(window: MainWindow) -> None:
    """One message down."""
    window.table.go_to(window.table.currentIndex().row() + 1)


def go_back(window: MainWindow) -> None:
    """One message up."""
    window.table.go_to(window.table.currentIndex().row() - 1)


def select_all(window: MainWindow) -> None:
    """Select everything the list shows."""
    window.table.choose_all()


def explain(window: MainWindow) -> None:
    """Bring the evidence into view and put the keyboard there."""
    window.evidence.show()
    window.evidence.table.setFocus()


def search(window: MainWindow) -> None:
    """Put the keyboard into the search field."""
    window.search.setFocus()
    window.search.selectAll()


def leave_search(window: MainWindow) -> None:
    """Show everything again; with nothing to search for go back to the list."""
    if window.search.text():
        window.search.clear()
    else:
        window.table.setFocus()


def sort_again(window: MainWindow) -> None:
    """Put every row where its present score belongs."""
    window.model.arrange(window.model.arrangement)


def export_model(window: MainWindow) -> None:
    """Ask where to, then write the model there."""
    pick_file(window, tr("Export model"), save_as="nbmail.nbmodel", then=lambda path: export_to(window, path))


def export_to(window: MainWindow, path: Path) -> None:
    """Write the model to this file."""
    run_long(window, ExportModel(path), tr("Exporting"), lambda done: _say_exported(window, done))


def _say_exported(window: MainWindow, done: Exported) -> None:
    text = tr("Exported {words} words of {messages} messages to {name}.")
    window.status.say(text.format(words=grouped(done.words), messages=grouped(done.messages), name=done.path.name))


def import_model(window: MainWindow) -> None:
    """Ask which file, then learn it."""
    pick_file(window, tr("Import model"), save_as="", then=lambda path: import_from(window, path))


def import_from(window: MainWindow, path: Path) -> None:
    """Add the model in this file to what is known."""
    run_long(window, ImportModel(path), tr("Importing"), lambda done: _say_imported(window, done))


def _say_imported(window: MainWindow, done: Imported) -> None:
    text = tr("Imported {words} words of {messages} messages.")
    said = text.format(words=grouped(done.words), messages=grouped(done.messages))
    if done.other_method:
        said += " " + tr("The file was made by another way of learning: only its counts were taken.")
    window.status.say(said, undo=True)


def pick_file(window: MainWindow, title: str, *, save_as: str, then: Callable[[Path], None]) -> None:
    """Ask for a file without blocking; `then` gets it once one is chosen."""
    dialog = QFileDialog(window, title)
    dialog.setNameFilter(tr("nbmail models (*.nbmodel)"))
    dialog.setDefaultSuffix("nbmodel")
    dialog.setDirectory(str(_own_folder()))
    if save_as:
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.selectFile(save_as)
    else:
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.fileSelected.connect(lambda name: then(Path(name)))
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()


def _own_folder() -> Path:
    """The folder for the user's documents, where there is one."""
    documents = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
    return documents if documents.is_dir() else Path.home()


def relearn(window: MainWindow) -> None:
    """Build what is learned anew from the labels."""
    run_long(window, Relearn(), tr("Learning anew"), lambda _: window.status.say(tr("Learned everything anew.")))


def learn_folder(window: MainWindow, folder: FolderName, label: str) -> None:
    """Everything in this folder is of this kind."""
    name = tr("Learning {folder}").format(folder=folder.folder)
    run_long(
        window,
        LabelFolder(folder, label),
        name,
        lambda done: say_marked(window, done),
        stopped=lambda reached: _say_stopped(window, reached),
    )


def show_kind(window: MainWindow, kind: Kind) -> None:
    """Show a smart list."""
    window.show_choice(Choice(kind))


def check_mail(window: MainWindow) -> None:
    """Look for new mail in all accounts now."""
    window.outside.check_mail()
    window.status.say(tr("Looking for new mail."))


def add_account(window: MainWindow) -> None:
    """Ask for a mailbox."""
    from nbmail.ui.accounts.account_dialog import AccountDialog

    taken = {account.name for account in window.settings.accounts}
    AccountDialog(window, window.outside, window.add_account, taken=taken).open()


def change_account(window: MainWindow, name: str) -> None:
    """Show an account's settings."""
    from nbmail.ui.accounts.account_dialog import AccountDialog
    from nbmail.ui.actions.setting_changes import change_account

    account = next((each for each in window.settings.accounts if each.name == name), None)
    if account is not None:
        AccountDialog(window, window.outside, partial(change_account, window), before=account).open()


def open_preferences(window: MainWindow) -> None:
    """Show what can be chosen."""
    from nbmail.ui.dialogs.preferences import PreferencesDialog

    preview, count = partial(preview_moves, window), window.model.count_above
    PreferencesDialog(window, window.settings, window.choose, preview, count).open()


def preview_moves(window: MainWindow, show: Callable[[Sequence[PlannedMove]], None]) -> None:
    """Ask what moving would have done. Mail on this computer is never moved."""
    local = {account.name for account in window.settings.accounts if account.path}
    window.talk.ask(PreviewMoves(), lambda moves: show([move for move in moves if move.folder.account not in local]))


def show_keys(window: MainWindow) -> None:
    """Show which key does what."""
    from nbmail.ui.actions.key_map import KeyMapDialog

    KeyMapDialog(window, window.actions_by_name).open()


def show_about(window: MainWindow) -> None:
    """Say what this program is, and which version."""
    from nbmail.ui.actions.questions import show_about

    show_about(window)


def leave(window: MainWindow) -> None:
    """Close the window."""
    window.close()
