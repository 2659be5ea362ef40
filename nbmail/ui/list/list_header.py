"""Header line above the table: name of the list, number of messages, buttons."""

from collections.abc import Callable
from functools import partial

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from nbmail.ui.kit import layouts
from nbmail.ui.kit.buttons import quiet_button
from nbmail.ui.kit.plain_labels import ElidedLabel, plain_label
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.list.list_choice import Arrangement, Choice, Column, Kind
from nbmail.ui.notices.bars import NARROW_BAR
from nbmail.ui.sidebar.list_names import folder_name, kind_name
from nbmail.ui.sidebar.sidebar_model import SidebarModel
from nbmail.ui.texts.language import tr, tr_count
from nbmail.ui.texts.plain_text import plain_name


class ListHeader(QWidget):
    """Name of the shown list. Without a sidebar its button opens a menu of the same lists.

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
        self.selected.hide()
        self._count = _muted_label()
        self.searching = _muted_label()
        self.button = self._make_menu_button()

        self._other = Kind.ALL
        self.elsewhere = quiet_button("", self._search_elsewhere)
        self.elsewhere.hide()
        self.sort = quiet_button("", sort)
        self.sort.setToolTip("F5")
        self.sort.hide()
        self.decide = quiet_button(tr("Review unsure messages"), decide)
        self.decide.setToolTip(tr("Mark unsure messages one at a time"))
        self._put_back_day = put_back_day
        put_back_day.hide()

        left = (
            self.button,
            self._name,
            self.elsewhere,
            self._count,
            self.selected,
            self.searching,
        )
        right = (self.decide, put_back_day, self.sort)
        self.setLayout(layouts.row(*left, None, *right, spacing=8, margins=(16, 0, 10, 0)))
        self.show_menu(False)

    def _make_menu_button(self) -> QToolButton:
        button = QToolButton()
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setAccessibleName(tr("Choose a list"))
        button.setProperty("flush", True)
        button.setMenu(QMenu(self))
        button.menu().aboutToShow.connect(self._fill_menu)
        return button

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.width() >= scaled(self, NARROW_BAR):
            self.sort.setText(tr("Order is out of date. Sort again"))
        else:
            self.sort.setText(tr("Sort again"))

    def show_list(self, arrangement: Arrangement, count: int | None, *, stale: bool) -> None:
        """Show name and count of a list. `count`: None before the mail is loaded."""
        choice = arrangement.choice
        name = folder_name(choice.folder) if choice.folder else kind_name(choice.kind)
        self.button.setText(f"{plain_name(name)}  ▾")
        self._show_search(name, choice)
        self._count.setText("" if count is None else _count_text(arrangement, count))
        has_mail = bool(count)
        self.sort.setVisible(stale)
        self.decide.setVisible(has_mail and choice.kind == Kind.UNSURE)
        self._put_back_day.setVisible(has_mail and choice.kind == Kind.SORTED)

    def _show_search(self, name: str, choice: Choice) -> None:
        """Show where a search looks, and offer another list.

        That is all mail, or spam, which all mail doesn't contain.
        """
        is_search = bool(choice.words.strip())
        is_everywhere = choice == Choice(words=choice.words)
        self._name.setText(tr("In {list}").format(list=name) if is_search else name)
        if is_everywhere:
            self._other = Kind.SPAM
            self.elsewhere.setText(tr("Search spam"))
        else:
            self._other = Kind.ALL
            self.elsewhere.setText(tr("Search all mail"))
        self.elsewhere.setVisible(is_search)

    def _search_elsewhere(self) -> None:
        self._choose(Choice(self._other))

    def show_selected(self, count: int) -> None:
        self.selected.setText(tr_count("%n selected", "%n selected", count))
        self.selected.setVisible(count > 1)

    def show_menu(self, visible: bool) -> None:
        """Show the button with the menu of lists in place of the name."""
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


def _muted_label() -> ElidedLabel:
    label = ElidedLabel(greedy=False)
    label.setProperty("muted", True)
    return label


def _count_text(arrangement: Arrangement, count: int) -> str:
    text = tr_count("%n message", "%n messages", count)
    if arrangement.choice.kind == Kind.SORTED and arrangement.column == Column.DATE:
        order = tr("{messages}, by day, nearest to the spam threshold first")
        return order.format(messages=text)
    return text
