"""Tool bar: the most useful buttons and the search field."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QContextMenuEvent
from PySide6.QtWidgets import (
    QLineEdit,
    QMenu,
    QSizePolicy,
    QToolBar,
    QToolButton,
    QWidget,
    QWidgetAction,
)

from nbmail.ui.kit import layouts
from nbmail.ui.kit.drawing import SIZE
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.texts.language import tr

MARKS = ("spam", "ham", "clear")
FILING = ("archive", "delete", "move")
STEPS = ("undo", "redo", "triage")
FILES = ("export", "import")
ROOM_FOR_ALL = 720
"""Width from which filing and files, which the menus have too, have buttons."""
ROOMY = 860
"""Width from which the third mark has a text."""
ROOM_FOR_WORDS = 1100
"""Width from which other buttons can have texts."""
WORDED = ("archive", "delete", "move", "undo", "redo")
"""Buttons that have a text only if the user wants it."""


class ActionBar(QToolBar):
    """Tool bar, arranged for the width of the window by `fit`. Has no signals.

    `words`: the user wants texts beside the icons.
    """

    def __init__(self, actions: Mapping[str, QAction], search: QLineEdit) -> None:
        super().__init__(tr("Actions"))
        self._actions = actions
        self._search = search
        self._all = True
        self.setObjectName("actions")
        self.setMovable(False)
        self.setIconSize(QSize(SIZE, SIZE))
        self.words = False
        self._width = 0
        self._place = QWidgetAction(self)
        self._place.setDefaultWidget(_at_the_end(search))
        self._fill()

    def _fill(self) -> None:
        for action in self.actions():
            self.removeAction(action)
        for name in MARKS:
            self._add_button(name, text=True).setProperty("mark", name)
        if self._all:
            self._add_group(FILING)
        self._add_group(STEPS)
        self.addAction(self._place)
        if self._all:
            for name in FILES:
                self._add_button(name)

    def _add_group(self, names: Sequence[str]) -> None:
        self.addSeparator()
        for name in names:
            self._add_button(name)

    def _add_button(self, name: str, *, text: bool = False) -> QToolButton:
        action = self._actions[name]
        self.addAction(action)
        button = self._button(name)
        button.setToolButtonStyle(_style(text=text))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setAccessibleName(action.text().rstrip("…"))
        return button

    def _button(self, name: str) -> QToolButton:
        button = self.widgetForAction(self._actions[name])
        assert isinstance(button, QToolButton)
        return button

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        words = menu.addAction(tr("Text beside icons"))
        words.setCheckable(True)
        words.setChecked(self.words)
        words.toggled.connect(self.show_words)
        menu.popup(event.globalPos())

    def _show_words(self, *, on: bool) -> None:
        if not self._all:
            return
        for name in WORDED:
            self._button(name).setToolButtonStyle(_style(text=on))

    def show_words(self, on: bool) -> None:
        self.words = on
        self.fit(self._width)

    def fit(self, width: int) -> None:
        """Show as many buttons and texts as this width has room for."""
        self._width = width
        everything = width >= scaled(self, ROOM_FOR_ALL)
        if everything != self._all:
            self._all = everything
            self._fill()

        roomy = width >= scaled(self, ROOMY)
        worded = self.words and width >= scaled(self, ROOM_FOR_WORDS)
        self._button("clear").setToolButtonStyle(_style(text=roomy))
        self._show_words(on=worded)
        if worded and self.sizeHint().width() > width:
            # Some languages have longer words.
            self._show_words(on=False)
        self._search.setPlaceholderText(tr("Search mail") if roomy else tr("Search"))


def _style(*, text: bool) -> Qt.ToolButtonStyle:
    styles = Qt.ToolButtonStyle
    return styles.ToolButtonTextBesideIcon if text else styles.ToolButtonIconOnly


def _at_the_end(search: QWidget) -> QWidget:
    """Wrap the field so that it grows to its maximum width.

    In a tool bar, it would get half of the free width.
    """
    whole = layouts.as_widget(layouts.row(None, (search, 1)))
    whole.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
    return whole
