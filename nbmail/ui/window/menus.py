"""Menus of the window and of the list."""

from collections.abc import Mapping

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from nbmail.ui.actions.action_table import SUGGESTED
from nbmail.ui.list.list_choice import Kind
from nbmail.ui.texts.language import tr

MODEL_FILES = ("export", "import", "drop-imports", "relearn")
FILED = (
    *(
        "spam",
        "ham",
        "clear",
        "",
        "archive",
        "delete",
        "delete-permanently",
        "move",
        *SUGGESTED,
        "flag",
    ),
    *("", "reply", "open", "rule", "unsubscribe"),
)
READING = ("read", "in-folder", "plain", "source", "print")
Actions = Mapping[str, QAction]


def fill_menus(bar: QMenuBar, actions: Actions) -> None:
    menus = (
        (tr("&Mail"), ("check", "account", "", *MODEL_FILES, "", "preferences", "", "quit")),
        (tr("&Edit"), ("undo", "redo", "", "all", "search")),
        (
            tr("M&essage"),
            (*FILED, "file-sure", "", "explain", "triage", "", *READING, "", "next", "previous"),
        ),
        (
            tr("&View"),
            (
                *(f"list-{kind.name.lower()}" for kind in Kind),
                "",
                "sort",
                "beside",
                "tints",
                "",
                "history",
                "sorting",
                "rules",
            ),
        ),
        (tr("&Help"), ("manual", "keys", "", "about")),
    )
    for title, names in menus:
        _fill(bar.addMenu(title), actions, names)


def _fill(menu: QMenu, actions: Actions, names: tuple[str, ...]) -> None:
    for name in names:
        if name:
            menu.addAction(actions[name])
        else:
            menu.addSeparator()


def make_message_menu(parent: QWidget, actions: Actions) -> QMenu:
    menu = QMenu(parent)
    _fill(menu, actions, (*FILED, "", "explain", "", *READING, "", "undo", "redo"))
    return menu
