"""The field for what is searched for."""

from PySide6.QtWidgets import QLineEdit, QToolButton

from nbmail.ui.kit.language import tr
from nbmail.ui.kit.letter_sizes import grown


def make_search() -> QLineEdit:
    """The field of the tool bar."""
    search = QLineEdit()
    search.setPlaceholderText(tr("Search mail"))
    search.setAccessibleName(tr("Search mail"))
    search.setToolTip(tr("In senders, subjects and texts. Words in quotes stand one behind the other."))
    search.setClearButtonEnabled(True)
    search.setMaximumWidth(grown(search, 320))
    for button in search.findChildren(QToolButton):
        button.setAccessibleName(tr("Clear the search"))
    return search
