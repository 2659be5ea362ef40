"""Moving about: in the list, between the lists, to the evidence and to the search field."""

from __future__ import annotations

from PySide6.QtWidgets import QLineEdit

from nbmail.ui.evidence.evidence_panel import EvidencePanel
from nbmail.ui.list.list_choice import Choice, Kind
from nbmail.ui.list.list_updates import ListUpdates
from nbmail.ui.list.mail_table import MailTable


class ListActions:
    """Changes what is looked at, and no mark."""

    def __init__(self, table: MailTable, updates: ListUpdates, search: QLineEdit, evidence: EvidencePanel) -> None:
        self._table, self._updates, self._search, self._evidence = table, updates, search, evidence

    def go_next(self) -> None:
        """One message down."""
        self._table.go_to(self._table.currentIndex().row() + 1)

    def go_back(self) -> None:
        """One message up."""
        self._table.go_to(self._table.currentIndex().row() - 1)

    def select_all(self) -> None:
        """Select everything the list shows."""
        self._table.choose_all()

    def explain(self) -> None:
        """Bring the evidence into view and put the keyboard there."""
        self._evidence.show()
        self._evidence.table.setFocus()

    def search(self) -> None:
        """Put the keyboard into the search field."""
        self._search.setFocus()
        self._search.selectAll()

    def leave_search(self) -> None:
        """Show everything again; with nothing to search for go back to the list."""
        if self._search.text():
            self._search.clear()
        else:
            self._table.setFocus()

    def sort_again(self) -> None:
        """Put every row where its present score belongs."""
        self._table.mails.arrange(self._table.mails.arrangement)

    def show_kind(self, kind: Kind) -> None:
        """Show a smart list."""
        self._updates.show_choice(Choice(kind))
