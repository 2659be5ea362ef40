"""Header line above the table: name, number of messages, buttons; and the search field, which
offers operators.
"""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QStringListModel
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCompleter, QLineEdit, QListView, QMenu, QToolButton, QWidget

from nbmail.text.search_query import OPERATORS
from nbmail.ui.accounts.sidebar import SidebarModel, folder_name, kind_name
from nbmail.ui.kit import layouts
from nbmail.ui.kit.buttons import quiet_button
from nbmail.ui.kit.labels import ElidedLabel, plain_label
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.list.list_choice import Arrangement, Choice, Column, Kind
from nbmail.ui.notices.bars import NARROW_BAR
from nbmail.ui.texts.language import tr, tr_count
from nbmail.ui.texts.plain_text import plain_name


class ListHeader(QWidget):
    """Name of the shown list. Without room for the sidebar its button opens a menu of the same
    lists.

    `choose` is called with a list of that menu, `sort` and `decide` after a click on their buttons.
    `put_back_day`: button that is shown with the list of sorted mail.
    """

    def __init__(
        self,
        lists: SidebarModel,
        choose: Callable[[Choice], None],
        sort: Callable[[], None],
        decide: Callable[[], None],
        put_back_day: QWidget,
    ) -> None:
        super().__init__()
        self._lists = lists
        self._choose = choose
        self._name = plain_label(kind="title")
        self.selected = plain_label()
        self._count = ElidedLabel(greedy=False)
        self.searching = ElidedLabel(greedy=False)
        self.selected.hide()
        self._count.setProperty("muted", True)
        self.searching.setProperty("muted", True)
        self.button = QToolButton()
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.button.setAccessibleName(tr("Choose a list"))
        self.button.setProperty("flush", True)
        self.button.setMenu(QMenu(self))
        self.button.menu().aboutToShow.connect(self._fill_menu)
        self.elsewhere = quiet_button("", lambda: choose(Choice(self._other)))
        self.elsewhere.hide()
        self._other = Kind.ALL
        self.sort = quiet_button("", sort)
        self.sort.setToolTip("F5")
        self.sort.hide()
        self.decide = quiet_button(tr("Review unsure messages"), decide)
        self.decide.setToolTip(tr("Mark unsure messages one at a time"))
        self._put_back_day = put_back_day
        put_back_day.hide()
        parts = (
            self.button,
            self._name,
            self.elsewhere,
            self._count,
            self.selected,
            self.searching,
        )
        self.setLayout(
            layouts.row(
                *parts,
                None,
                self.decide,
                put_back_day,
                self.sort,
                spacing=8,
                margins=(16, 0, 10, 0),
            )
        )
        self.show_menu(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = self.width() >= scaled(self, NARROW_BAR)
        self.sort.setText(tr("Order is out of date. Sort again") if wide else tr("Sort again"))

    def show_list(self, arrangement: Arrangement, count: int | None, *, stale: bool) -> None:
        """Show name and count of a list. `count`: None before the mail is loaded."""
        choice = arrangement.choice
        name = folder_name(choice.folder) if choice.folder else kind_name(choice.kind)
        self.button.setText(f"{plain_name(name)}  ▾")
        self._show_search(name, choice)
        text = "" if count is None else tr_count("%n message", "%n messages", count)
        if text and choice.kind == Kind.SORTED and arrangement.column == Column.DATE:
            text = tr("{messages}, by day, nearest to the spam threshold first").format(
                messages=text
            )
        self._count.setText(text)
        self.sort.setVisible(stale)
        self.decide.setVisible(choice.kind == Kind.UNSURE and bool(count))
        self._put_back_day.setVisible(choice.kind == Kind.SORTED and bool(count))

    def _show_search(self, name: str, choice: Choice) -> None:
        """Show where a search looks, and offer another list: all mail, or spam, which all mail
        doesn't contain.
        """
        searching = bool(choice.words.strip())
        self._name.setText(tr("In {list}").format(list=name) if searching else name)
        everywhere = choice == Choice(words=choice.words)
        self._other = Kind.SPAM if everywhere else Kind.ALL
        self.elsewhere.setText(tr("Search spam") if everywhere else tr("Search all mail"))
        self.elsewhere.setVisible(searching)

    def show_selected(self, count: int) -> None:
        self.selected.setText(tr_count("%n selected", "%n selected", count))
        self.selected.setVisible(count > 1)

    def show_menu(self, visible: bool) -> None:
        self.button.setVisible(visible)
        self._name.setVisible(not visible)
        self.setFixedHeight(self.fontMetrics().height() + (18 if visible else 12))

    def _fill_menu(self) -> None:
        menu = self.button.menu()
        menu.clear()
        for entry in self._lists.entries:
            if entry.choice is None:
                menu.addSection(plain_name(entry.text))
            else:
                menu.addAction(plain_name(entry.text), partial(self._choose, entry.choice))


class SearchField(QLineEdit):
    """Search field. No own signals."""

    def __init__(self) -> None:
        super().__init__()
        self.setPlaceholderText(tr("Search mail"))
        self.setAccessibleName(tr("Search mail"))
        what = tr(
            "Searches senders, recipients, subjects and message text. Put a phrase in quotes."
        )
        self.setToolTip(
            f"{what}\n{'  '.join((*OPERATORS[:-2], 'before:2026-11-30', 'after:2026-11'))}"
        )
        self.setClearButtonEnabled(True)
        self.setMaximumWidth(scaled(self, 320))
        for button in self.findChildren(QToolButton):
            button.setAccessibleName(tr("Clear search"))
        self._offers = QStringListModel(self)
        completer = QCompleter(self._offers, self)
        offered = QListView()
        offered.setProperty("offers", True)
        completer.setPopup(offered)
        self.setCompleter(completer)
        self.textEdited.connect(self._offer)

    def _offer(self, text: str) -> None:
        """Offer the operators that begin with the last word. The completer matches whole texts."""
        before, space, last = text.rpartition(" ")
        fitting = (
            each for each in OPERATORS if last and each.startswith(last.lower()) and each != last
        )
        self._offers.setStringList([before + space + last + each[len(last) :] for each in fitting])
