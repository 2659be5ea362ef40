"""The line above the table: which list this is, how many messages it holds, and whether its order is out of date."""

from collections.abc import Callable
from functools import partial

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from nbmail.ui.accounts.sidebar import SidebarModel, folder_name, kind_name
from nbmail.ui.kit import layouts
from nbmail.ui.kit.elided_label import ElidedLabel
from nbmail.ui.kit.language import tr, tr_count
from nbmail.ui.kit.plain_text import plain_label, plain_name
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.list.list_choice import Arrangement, Choice, Kind
from nbmail.ui.window.notices import NARROW_BAR, quiet_button


class ListHeader(QWidget):
    """Names the list; where there is no room for the sidebar it opens the same lists as a menu.

    Has no signals of its own: `choose`, `sort` and, for a list to be decided, `decide` are called.
    """

    def __init__(
        self,
        lists: SidebarModel,
        choose: Callable[[Choice], None],
        sort: Callable[[], None],
        decide: Callable[[], None],
    ) -> None:
        super().__init__()
        self._lists, self._choose = lists, choose
        self._name, self._count = plain_label(kind="title"), plain_label(kind="muted")
        self._chosen, self.searching = plain_label(), ElidedLabel(greedy=False)
        self._chosen.hide()
        self.searching.setProperty("muted", True)
        self.button = QToolButton()
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.button.setAccessibleName(tr("Choose a list"))
        self.button.setProperty("flush", True)
        self.button.setMenu(QMenu(self))
        self.button.menu().aboutToShow.connect(self._fill_menu)
        self.sort = quiet_button("", sort)
        self.sort.setToolTip("F5")
        self.sort.hide()
        self.decide = quiet_button(tr("Decide one by one"), decide)
        self.decide.setToolTip(tr("One message after the other, two keys"))
        said = (self.button, self._name, self._count, self._chosen, self.searching)
        self.setLayout(layouts.row(*said, None, self.decide, self.sort, spacing=8, margins=(16, 0, 10, 0)))
        self.setFixedHeight(self.fontMetrics().height() + 18)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = self.width() >= scaled(self, NARROW_BAR)
        self.sort.setText(tr("Order changed. Sort again") if wide else tr("Sort again"))

    def show_list(self, arrangement: Arrangement, count: int | None, *, stale: bool) -> None:
        """Say what is shown. There is no count before the mail has come."""
        choice = arrangement.choice
        name = folder_name(choice.folder) if choice.folder else kind_name(choice.kind)
        self.button.setText(f"{plain_name(name)}  ▾")
        self._name.setText(name)
        self._count.setText("" if count is None else tr_count("%n message", "%n messages", count))
        self.sort.setVisible(stale)
        self.decide.setVisible(choice.kind == Kind.UNSURE and bool(count))

    def show_chosen(self, chosen: int) -> None:
        """Say how many messages are selected, where that is more than the one under the cursor."""
        self._chosen.setText(tr_count("%n selected", "%n selected", chosen))
        self._chosen.setVisible(chosen > 1)

    def offer_lists(self, alone: bool) -> None:
        """Whether the menu has to stand in for the sidebar."""
        self.button.setVisible(alone)
        self._name.setVisible(not alone)

    def _fill_menu(self) -> None:
        menu = self.button.menu()
        menu.clear()
        for entry in self._lists.entries:
            if entry.choice is None:
                menu.addSection(plain_name(entry.text))
            else:
                menu.addAction(plain_name(entry.text), partial(self._choose, entry.choice))
