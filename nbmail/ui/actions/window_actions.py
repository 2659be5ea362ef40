"""Actions of the window: their texts and keys."""

from typing import NamedTuple

from nbmail.ui.list.list_choice import Kind
from nbmail.ui.sidebar.list_names import kind_name
from nbmail.ui.texts.language import tr


class WindowAction(NamedTuple):
    """Texts and keys of an action.

    `thunderbird`: keys of the second key map, None if they are the same.
    """

    name: str
    text: str
    keys: tuple[str, ...] = ()
    hint: str = ""
    thunderbird: tuple[str, ...] | None = None


def window_actions() -> tuple[WindowAction, ...]:
    """Return all actions."""
    return (*_actions_on_messages(), *_list_actions(), *_other_actions())


def _actions_on_messages() -> tuple[WindowAction, ...]:
    return (
        WindowAction("spam", tr("Spam"), ("!",), tr("Mark as spam"), ("J", "!")),
        WindowAction("ham", tr("Not spam"), ("N",), tr("Mark as not spam"), ("Shift+J",)),
        WindowAction("clear", tr("Clear mark"), ("U",), tr("Remove the spam or not-spam mark")),
        WindowAction("undo", tr("Undo"), ("Ctrl+Z",), tr("Undo the last change")),
        WindowAction(
            "redo", tr("Redo"), ("Ctrl+Shift+Z", "Ctrl+Y"), tr("Redo the last undone change")
        ),
        WindowAction("archive", tr("Archive"), ("A",), tr("Move to the archive")),
        WindowAction("delete", tr("Delete"), ("Del",), tr("Move to the trash")),
        WindowAction("delete-permanently", tr("Delete permanently…"), ("Shift+Del",)),
        WindowAction("move", tr("Move to…"), ("V", "0"), tr("Move to a folder")),
        WindowAction("suggested-1", tr("Move to first suggestion"), ("1",)),
        WindowAction("suggested-2", tr("Move to second suggestion"), ("2",)),
        WindowAction("suggested-3", tr("Move to third suggestion"), ("3",)),
        WindowAction(
            "file-sure",
            tr("File all above 95 %…"),
            (),
            tr("List the messages whose folder is nearly sure"),
        ),
        WindowAction("open", tr("Open in mail program"), ("O",)),
        WindowAction("reply", tr("Reply in mail program"), ("R",)),
        WindowAction("rule", tr("Rule for this sender…"), ("Shift+R",)),
        WindowAction("rules", tr("Rules for senders…")),
        WindowAction("unsubscribe", tr("Unsubscribe…"), ("Shift+U",)),
        WindowAction("flag", tr("Flag"), ("S",), tr("Flag, or remove the flag")),
    )


def _list_actions() -> tuple[WindowAction, ...]:
    return tuple(
        WindowAction(list_action(kind), kind_name(kind), (f"Ctrl+{kind + 1}",)) for kind in Kind
    )


def _other_actions() -> tuple[WindowAction, ...]:
    return (
        WindowAction("next", tr("Next message"), ("J",), thunderbird=("F",)),
        WindowAction("previous", tr("Previous message"), ("K",), thunderbird=("B",)),
        WindowAction("all", tr("Select all"), ("Ctrl+A",)),
        WindowAction(
            "explain",
            tr("Show all reasons"),
            ("E",),
            tr("Show all reasons, or go back to the list"),
        ),
        WindowAction("search", tr("Search"), ("/", "Ctrl+F")),
        WindowAction("sort", tr("Sort again"), ("F5",)),
        WindowAction(
            "triage", tr("Review unsure messages"), ("T",), tr("Mark unsure messages one at a time")
        ),
        WindowAction("read", tr("Mark as read or unread"), ("M",), tr("Mark as read or unread")),
        WindowAction("source", tr("View headers and source"), ("Ctrl+U",)),
        WindowAction(
            "plain",
            tr("Plain text"),
            ("Ctrl+Shift+P",),
            tr("Show the message as plain text, or formatted"),
        ),
        WindowAction("print", tr("Print…"), ("Ctrl+P",)),
        WindowAction(
            "in-folder",
            tr("Show in folder"),
            (),
            tr("Show the message among the others of its folder"),
        ),
        WindowAction(
            "tints",
            tr("Switch word highlighting"),
            (),
            tr("Highlight the words that decided, or stop it"),
        ),
        WindowAction("beside", tr("Switch message pane layout"), ("F8",)),
        WindowAction("export", tr("Export model…"), ("Ctrl+E",), tr("Save the model to a file")),
        WindowAction(
            "import",
            tr("Import model…"),
            ("Ctrl+I",),
            tr("Import training from nbmail or another filter"),
        ),
        WindowAction("drop-imports", tr("Remove all imports")),
        WindowAction("relearn", tr("Rebuild model…")),
        WindowAction("history", tr("Training and accuracy"), ("Ctrl+H",)),
        WindowAction(
            "sorting", tr("Sorting…"), ("Ctrl+T",), tr("Let nbmail move spam out of the inbox")
        ),
        WindowAction("account", tr("Add account…")),
        WindowAction("check", tr("Check for mail"), ("F9",)),
        WindowAction("preferences", tr("Preferences…"), ("Ctrl+,",)),
        WindowAction("keys", tr("Keyboard shortcuts"), ("?", "F1")),
        WindowAction("manual", tr("Manual")),
        WindowAction("about", tr("About nbmail")),
        WindowAction("quit", tr("Quit"), ("Ctrl+Q",)),
    )


def list_action(kind: Kind) -> str:
    """Return the name of the action that shows a smart list."""
    return f"list-{kind.name.lower()}"
