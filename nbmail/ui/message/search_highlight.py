"""Highlights the words of the search in the open message."""

from PySide6.QtCore import QObject

from nbmail.ui.list.search_words import search_words
from nbmail.ui.message.pane.message_pane import MessagePane
from nbmail.ui.window.window_context import WindowContext


class SearchHighlight(QObject):
    """Keeps the highlights equal to the search of the list."""

    def __init__(self, context: WindowContext, pane: MessagePane) -> None:
        super().__init__(pane)
        self._model = context.model
        self._pane = pane
        self._highlighted = ""
        pane.shown.connect(self._highlight)
        context.model.arranged.connect(self._update)

    def _update(self) -> None:
        # Setting highlights scrolls to the first: unchanged ones stay.
        if self._model.arrangement.choice.words != self._highlighted:
            self._highlight()

    def _highlight(self) -> None:
        self._highlighted = self._model.arrangement.choice.words
        self._pane.highlight(search_words(self._highlighted))
