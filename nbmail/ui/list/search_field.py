"""Search field of the tool bar. While the user types, it offers the operators of a query."""

from PySide6.QtCore import QStringListModel
from PySide6.QtWidgets import QCompleter, QLineEdit, QListView, QToolButton

from nbmail.foreign_text import OPERATORS
from nbmail.ui.kit.language import tr
from nbmail.ui.kit.layouts import scaled


class SearchField(QLineEdit):
    """Search field. No own signals."""

    def __init__(self) -> None:
        super().__init__()
        self.setPlaceholderText(tr("Search mail"))
        self.setAccessibleName(tr("Search mail"))
        what = tr("Searches senders, recipients, subjects and message text. Put a phrase in quotes.")
        self.setToolTip(f"{what}\n{'  '.join((*OPERATORS[:-2], 'before:2026-11-30', 'after:2026-11'))}")
        self.setClearButtonEnabled(True)
        self.setMaximumWidth(scaled(self, 320))
        for button in self.findChildren(QToolButton):
            button.setAccessibleName(tr("Clear search"))
        self._offers = QStringListModel(self)
        completer, offered = QCompleter(self._offers, self), QListView()
        offered.setProperty("offers", True)
        completer.setPopup(offered)
        self.setCompleter(completer)
        self.textEdited.connect(self._offer)

    def _offer(self, text: str) -> None:
        """Offer the operators that begin with the last word. The completer matches whole texts."""
        before, space, last = text.rpartition(" ")
        fitting = (each for each in OPERATORS if last and each.startswith(last.lower()) and each != last)
        self._offers.setStringList([before + space + last + each[len(last) :] for each in fitting])
