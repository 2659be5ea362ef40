"""The actions of the window: their words, keys and icons, and which tiny function of `deeds` each one calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QLineEdit, QToolButton

from nbmail.ui.accounts.sidebar import kind_name
from nbmail.ui.actions import user_actions
from nbmail.ui.kit.icons import make_icon
from nbmail.ui.kit.language import tr, written
from nbmail.ui.kit.theme import Shades
from nbmail.ui.list.list_choice import Kind
from nbmail.ui.past.open_past import show_history
from nbmail.ui.window.notices import BETWEEN_KEYS

if TYPE_CHECKING:
    from nbmail.ui.window.main_window import MainWindow


@dataclass(frozen=True, slots=True)
class Plan:
    """An action before it is made. `keys` are those of the usual key map, `thunderbird` of the other one."""

    name: str
    text: str
    act: Callable[[MainWindow], None]
    keys: tuple[str, ...] = ()
    icon: str = ""
    shade: str = ""
    hint: str = ""
    thunderbird: tuple[str, ...] | None = None


def plans() -> tuple[Plan, ...]:
    """All actions, in the order in which the key map shows them."""
    return (*_marking_plans(), *_moving_plans(), *_list_plans(), *_model_plans(), *_window_plans())


def _marking_plans() -> tuple[Plan, ...]:
    return (
        Plan(
            "junk",
            tr("Junk"),
            user_actions.mark_junk,
            ("!",),
            "junk",
            "junk",
            tr("Teach that this is junk"),
            ("J", "!"),
        ),
        Plan(
            "good",
            tr("Not junk"),
            user_actions.mark_good,
            ("N",),
            "good",
            "good",
            tr("Teach that this is good"),
            ("Shift+J",),
        ),
        Plan(
            "clear", tr("Clear mark"), user_actions.clear_mark, ("U",), "clear", "", tr("Forget what I said about this")
        ),
        Plan("undo", tr("Undo"), user_actions.undo, ("Ctrl+Z",), "undo", "", tr("Take the last mark back")),
        Plan("redo", tr("Redo"), user_actions.redo, ("Ctrl+Shift+Z", "Ctrl+Y"), "redo", "", tr("Mark it again")),
    )


def _moving_plans() -> tuple[Plan, ...]:
    return (
        Plan("next", tr("Next message"), user_actions.go_next, ("J",), thunderbird=("F",)),
        Plan("previous", tr("Previous message"), user_actions.go_back, ("K",), thunderbird=("B",)),
        Plan("all", tr("Select all"), user_actions.select_all, ("Ctrl+A",)),
        Plan("explain", tr("Why?"), user_actions.explain, ("E",), "explain", "", tr("Show the words that decided")),
        Plan("search", tr("Search"), user_actions.search, ("/", "Ctrl+F"), "search"),
        Plan("sort", tr("Sort again"), user_actions.sort_again, ("F5",), "refresh"),
    )


def _list_plans() -> tuple[Plan, ...]:
    return tuple(
        Plan(
            f"list-{kind.name.lower()}",
            kind_name(kind),
            partial(user_actions.show_kind, kind=kind),
            (f"Ctrl+{kind + 1}",),
        )
        for kind in Kind
    )


def _model_plans() -> tuple[Plan, ...]:
    return (
        Plan(
            "export",
            tr("Export model…"),
            user_actions.export_model,
            ("Ctrl+E",),
            "export",
            "",
            tr("Save what was learned"),
        ),
        Plan(
            "import",
            tr("Import model…"),
            user_actions.import_model,
            ("Ctrl+I",),
            "import",
            "",
            tr("Add what was learned elsewhere"),
        ),
        Plan("relearn", tr("Learn everything anew"), user_actions.relearn),
        Plan("history", tr("What nbmail has learned…"), show_history, ("Ctrl+H",)),
    )


def _window_plans() -> tuple[Plan, ...]:
    return (
        Plan("account", tr("Add a mailbox…"), user_actions.add_account, (), "account"),
        Plan("check", tr("Check for mail"), user_actions.check_mail, ("F9",)),
        Plan("preferences", tr("Preferences…"), user_actions.open_preferences, ("Ctrl+,",), "settings"),
        Plan("keys", tr("Keys"), user_actions.show_keys, ("?", "F1")),
        Plan("about", tr("About nbmail"), user_actions.show_about),
        Plan("quit", tr("Quit"), user_actions.leave, ("Ctrl+Q",)),
    )


def make_actions(window: MainWindow, key_map: str) -> dict[str, QAction]:
    """Make them all, as children of the window."""
    made = {}
    for plan in plans():
        action = QAction(plan.text, window)
        keys = plan.thunderbird if key_map == "thunderbird" and plan.thunderbird is not None else plan.keys
        action.setShortcuts([QKeySequence(key) for key in keys])
        words = plan.hint or plan.text.rstrip("…")
        action.setToolTip(f"{words} ({written(keys[0])})" if keys else words)
        action.triggered.connect(lambda _=False, act=plan.act: act(window))
        window.addAction(action)
        made[plan.name] = action
    return made


def hint_words(actions: dict[str, QAction]) -> str:
    """The keys worth knowing, in one line."""
    names = (("next", tr("next")), ("previous", tr("back")), ("junk", tr("junk")), ("good", tr("not junk")))
    more = (("undo", tr("undo")), ("explain", tr("why")), ("search", tr("search")), ("keys", tr("all keys")))
    native = QKeySequence.SequenceFormat.NativeText
    return BETWEEN_KEYS.join(f"{actions[name].shortcut().toString(native)} {words}" for name, words in (*names, *more))


def wear_icons(actions: dict[str, QAction], shades: Shades) -> None:
    """Draw the icons in the colours of a theme."""
    for plan in plans():
        if plan.icon:
            colour = getattr(shades, plan.shade) if plan.shade else ""
            actions[plan.name].setIcon(make_icon(plan.icon, shades, colour))


def wear_search(search: QLineEdit, shades: Shades) -> None:
    """Draw the icon that clears the search as well; Qt's own is another in every style."""
    for button in search.findChildren(QToolButton):
        button.setIcon(make_icon("close", shades, shades.muted))
