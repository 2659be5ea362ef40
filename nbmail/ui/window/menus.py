"""Menus of the window and of the list."""

from collections.abc import Mapping, Sequence

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from nbmail.ui.actions.action_table import SUGGESTED
from nbmail.ui.actions.window_actions import list_action
from nbmail.ui.list.list_choice import Kind
from nbmail.ui.texts.language import tr

ACCOUNTS = ("check", "account")
MODEL_FILES = ("export", "import", "drop-imports", "relearn")
MARKS = ("spam", "ham", "clear")
FILING = ("archive", "delete", "delete-permanently", "move", *SUGGESTED, "flag")
SENDER = ("reply", "open", "rule", "unsubscribe")
READING = ("read", "in-folder", "plain", "source", "print")
LISTS = tuple(list_action(kind) for kind in Kind)
Actions = Mapping[str, QAction]


def fill_menus(bar: QMenuBar, actions: Actions) -> None:
    """Add the menus of the window."""
    mail = bar.addMenu(tr("&Mail"))
    _fill(mail, actions, ACCOUNTS, MODEL_FILES, ("preferences",), ("quit",))

    edit = bar.addMenu(tr("&Edit"))
    _fill(edit, actions, ("undo", "redo"), ("all", "search"))

    message = bar.addMenu(tr("M&essage"))
    sender = (*SENDER, "file-sure")
    steps = ("next", "previous")
    _fill(message, actions, MARKS, FILING, sender, ("explain", "triage"), READING, steps)

    view = bar.addMenu(tr("&View"))
    arrangement = ("sort", "beside", "tints")
    _fill(view, actions, LISTS, arrangement, ("history", "sorting", "rules"))

    about = bar.addMenu(tr("&Help"))
    _fill(about, actions, ("manual", "keys"), ("about",))


def make_message_menu(parent: QWidget, actions: Actions) -> QMenu:
    """Return the menu of a message in the list."""
    menu = QMenu(parent)
    _fill(menu, actions, MARKS, FILING, SENDER, ("explain",), READING, ("undo", "redo"))
    return menu


def _fill(menu: QMenu, actions: Actions, *groups: Sequence[str]) -> None:
    """Add groups of actions to a menu, with lines between them."""
    for number, names in enumerate(groups):
        if number > 0:
            menu.addSeparator()
        for name in names:
            menu.addAction(actions[name])
