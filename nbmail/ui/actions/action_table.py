"""The actions of the window: their words, keys and icons, and which method each one calls."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QLineEdit, QWidget

from nbmail.ui.accounts.account_actions import AccountActions
from nbmail.ui.accounts.sidebar import kind_name
from nbmail.ui.actions.dialog_actions import DialogActions
from nbmail.ui.actions.marking import MarkingActions
from nbmail.ui.actions.model_files import ModelFileActions
from nbmail.ui.actions.undo_redo import UndoActions
from nbmail.ui.evidence.evidence_panel import EvidencePanel
from nbmail.ui.kit.icons import make_icon
from nbmail.ui.kit.language import tr, written
from nbmail.ui.list.list_choice import Choice, Kind
from nbmail.ui.list.list_updates import ListUpdates
from nbmail.ui.list.mail_table import MailTable
from nbmail.ui.message.reading_actions import ReadingActions
from nbmail.ui.window.current_settings import CurrentSettings
from nbmail.ui.window.notices import BETWEEN_KEYS

ICONS = {
    "junk": "junk",
    "good": "good",
    "clear": "clear",
    "undo": "undo",
    "redo": "redo",
    "explain": "explain",
    "search": "search",
    "triage": "triage",
    "sort": "refresh",
    "export": "export",
    "import": "import",
    "account": "account",
    "preferences": "settings",
}
COLOURED = ("junk", "good")
"""Icons in the theme's colour of that name."""


@dataclass(frozen=True, slots=True)
class WindowAction:
    """An action before Qt makes it. `keys` are those of the usual key map, `thunderbird` of the other one."""

    name: str
    text: str
    act: Callable[[], object]
    keys: tuple[str, ...] = ()
    hint: str = ""
    thunderbird: tuple[str, ...] | None = None


def marking_entries(marking: MarkingActions, undoing: UndoActions) -> tuple[WindowAction, ...]:
    """Marks, and taking them back."""
    junk, good, clear = marking.mark_junk, marking.mark_good, marking.clear_mark
    return (
        WindowAction("junk", tr("Junk"), junk, ("!",), tr("Teach that this is junk"), ("J", "!")),
        WindowAction("good", tr("Not junk"), good, ("N",), tr("Teach that this is good"), ("Shift+J",)),
        WindowAction("clear", tr("Clear mark"), clear, ("U",), tr("Forget what I said about this")),
        WindowAction("undo", tr("Undo"), undoing.undo, ("Ctrl+Z",), tr("Take the last mark back")),
        WindowAction("redo", tr("Redo"), undoing.redo, ("Ctrl+Shift+Z", "Ctrl+Y"), tr("Mark it again")),
    )


def list_entries(
    marking: MarkingActions, table: MailTable, updates: ListUpdates, search: QLineEdit, evidence: EvidencePanel
) -> tuple[WindowAction, ...]:
    """Moving about: in the list, between the lists, to the evidence and to the search field."""

    def look_for_words() -> None:
        search.setFocus()
        search.selectAll()

    def sort_again() -> None:
        table.mails.arrange(table.mails.arrangement)

    kinds = [
        (f"list-{kind.name.lower()}", kind_name(kind), partial(updates.show_choice, Choice(kind))) for kind in Kind
    ]
    return (
        WindowAction("next", tr("Next message"), lambda: marking.target.step(1), ("J",), thunderbird=("F",)),
        WindowAction("previous", tr("Previous message"), lambda: marking.target.step(-1), ("K",), thunderbird=("B",)),
        WindowAction("all", tr("Select all"), table.choose_all, ("Ctrl+A",)),
        WindowAction("explain", tr("Why?"), evidence.whole.click, ("E",), tr("Show all that decided, or the list")),
        WindowAction("search", tr("Search"), look_for_words, ("/", "Ctrl+F")),
        WindowAction("sort", tr("Sort again"), sort_again, ("F5",)),
        *(WindowAction(*kind, (f"Ctrl+{number}",)) for number, kind in enumerate(kinds, 1)),
    )


def triage_entry(begin: Callable[[], None]) -> WindowAction:
    """One message after the other."""
    return WindowAction("triage", tr("Decide one by one"), begin, ("T",), tr("One message after the other, two keys"))


def model_entries(files: ModelFileActions, show_model: Callable[[], None]) -> tuple[WindowAction, ...]:
    """What was learned."""
    come = tr("Add what was learned elsewhere")
    return (
        WindowAction("export", tr("Export model…"), files.export_model, ("Ctrl+E",), tr("Save what was learned")),
        WindowAction("export-redacted", tr("Export a model to give away…"), files.export_redacted),
        WindowAction("import", tr("Import model…"), files.import_model, ("Ctrl+I",), come),
        WindowAction("drop-imports", tr("Take out what was imported"), files.drop_imports),
        WindowAction("relearn", tr("Learn everything anew…"), files.relearn),
        WindowAction("history", tr("What nbmail has learned…"), show_model, ("Ctrl+H",)),
    )


def window_entries(
    accounts: AccountActions, dialogs: DialogActions, close: Callable[[], object]
) -> tuple[WindowAction, ...]:
    """The program itself."""
    return (
        WindowAction("account", tr("Add a mailbox…"), accounts.ask_new),
        WindowAction("check", tr("Check for mail"), accounts.check_mail, ("F9",)),
        WindowAction("preferences", tr("Preferences…"), dialogs.show_preferences, ("Ctrl+,",)),
        WindowAction("keys", tr("Keys"), dialogs.show_keys, ("?", "F1")),
        WindowAction("about", tr("About nbmail"), dialogs.show_about),
        WindowAction("quit", tr("Quit"), close, ("Ctrl+Q",)),
    )


def reading_entries(reading: ReadingActions) -> tuple[WindowAction, ...]:
    """What is done with a message that is read."""
    turned = tr("Mark as unread what is read, and as read what isn't")
    return (
        WindowAction("read", tr("Read or unread"), reading.turn_read, ("M",), turned),
        WindowAction("source", tr("Headers and source…"), reading.show_source, ("Ctrl+U",)),
    )


def beside_entry(turn: Callable[[], None]) -> WindowAction:
    """Where the message stands."""
    return WindowAction("beside", tr("Message beside the list, or below"), turn, ("F8",))


class ActionTable:
    """Qt's actions for these entries, by name. Each is one of the parent's, in the order of the key map.

    `show_hint` is told the keys worth knowing.
    """

    def __init__(
        self,
        entries: Iterable[WindowAction],
        settings: CurrentSettings,
        parent: QWidget,
        show_hint: Callable[[str], None],
    ) -> None:
        self._entries, self._settings, self._show_hint = tuple(entries), settings, show_hint
        self.by_name = {entry.name: _make(entry, parent) for entry in self._entries}
        settings.keys_changed.connect(self._take_keys)
        self._take_keys()

    def _take_keys(self) -> None:
        """Give each action the keys of the map that is chosen."""
        for entry in self._entries:
            action, keys = self.by_name[entry.name], entry.keys
            if self._settings.value.keys == "thunderbird" and entry.thunderbird is not None:
                keys = entry.thunderbird
            words = entry.hint or entry.text.rstrip("…")
            action.setShortcuts([QKeySequence(key) for key in keys])
            action.setToolTip(f"{words} ({written(keys[0])})" if keys else words)
        self._show_hint(self.hint())

    def draw_icons(self) -> None:
        """Give each action its icon, in the colours of the theme."""
        for name, icon in ICONS.items():
            self.by_name[name].setIcon(make_icon(icon, name if name in COLOURED else "text"))

    def offer_marks(self, offered: bool) -> None:
        """Whether there is something to be marked."""
        for name in ("junk", "good", "clear"):
            self.by_name[name].setEnabled(offered)

    def offer_undo(self) -> None:
        """There is something to be taken back."""
        self.by_name["undo"].setEnabled(True)

    def offer_steps(self, *, undo: bool, redo: bool) -> None:
        """Whether there are steps to be taken back or done again."""
        self.by_name["undo"].setEnabled(undo)
        self.by_name["redo"].setEnabled(redo)

    def hint(self) -> str:
        """The keys worth knowing, in one line."""
        names = (("next", tr("next")), ("previous", tr("back")), ("junk", tr("junk")), ("good", tr("not junk")))
        more = (("undo", tr("undo")), ("explain", tr("why")), ("search", tr("search")), ("keys", tr("all keys")))
        native = QKeySequence.SequenceFormat.NativeText
        keys = {name: self.by_name[name].shortcut().toString(native) for name, _ in (*names, *more)}
        return BETWEEN_KEYS.join(f"{keys[name]} {words}" for name, words in (*names, *more))


def _make(entry: WindowAction, parent: QWidget) -> QAction:
    action = QAction(entry.text, parent)
    action.setObjectName(entry.name)
    action.triggered.connect(lambda _=False: entry.act())
    parent.addAction(action)
    return action
