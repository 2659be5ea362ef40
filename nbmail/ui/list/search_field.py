"""Search field, which offers the operators of queries."""

from PySide6.QtCore import QStringListModel
from PySide6.QtWidgets import QCompleter, QLineEdit, QListView, QToolButton

from nbmail.text.search_query import OPERATORS
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.texts.language import tr

WIDEST = 320


class SearchField(QLineEdit):
    """Search field. No own signals."""

    def __init__(self) -> None:
        super().__init__()
        self.setPlaceholderText(tr("Search mail"))
        self.setAccessibleName(tr("Search mail"))
        self.setToolTip(_help_text())
        self.setClearButtonEnabled(True)
        self.setMaximumWidth(scaled(self, WIDEST))
        for button in self.findChildren(QToolButton):
            button.setAccessibleName(tr("Clear search"))
        self._offers = QStringListModel(self)
        self.setCompleter(self._make_completer())
        self.textEdited.connect(self._offer)

    def _make_completer(self) -> QCompleter:
        completer = QCompleter(self._offers, self)
        offered = QListView()
        offered.setProperty("offers", True)
        completer.setPopup(offered)
        return completer

    def _offer(self, text: str) -> None:
        """Offer the operators that begin with the last word. The completer matches whole texts."""
        before, space, last = text.rpartition(" ")
        offers = []
        if last:
            for operator in OPERATORS:
                if operator.startswith(last.lower()) and operator != last:
                    completed = last + operator[len(last) :]
                    offers.append(before + space + completed)
        self._offers.setStringList(offers)


def _help_text() -> str:
    what = tr("Searches senders, recipients, subjects and message text. Put a phrase in quotes.")
    # The last two operators take a date, which an example shows.
    examples = (*OPERATORS[:-2], "before:2026-11-30", "after:2026-11")
    return f"{what}\n{'  '.join(examples)}"
