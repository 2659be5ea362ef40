"""Messages of the list with their order and selection."""

from collections.abc import Iterable

import numpy as np

from nbmail.ui.list.contents.mail_columns import MailColumns
from nbmail.ui.list.contents.mail_filter import MailFilter
from nbmail.ui.list.contents.mail_order import MailOrder
from nbmail.ui.list.contents.positions import Positions
from nbmail.ui.list.list_choice import USUAL, Arrangement, Choice, Kind
from nbmail.values import FolderName


class MailList(MailColumns):
    """Columns, and which messages are shown and selected.

    `order`: positions of the shown messages, top first. It changes only on request: new scores
    alone never move a row.
    """

    def __init__(self) -> None:
        super().__init__()
        self.order: Positions = np.zeros(0, np.int64)
        self.arrangement = Arrangement()
        self._filter = MailFilter(self)
        self._sorter = MailOrder(self)
        self.mask = self._filter.mask
        self.take_found = self._filter.take_found

    def __len__(self) -> int:
        return len(self.order)

    def unread(self, position: int) -> bool:
        """True if a message is unread in the shown folder, or otherwise in its first folder."""
        return self._filter.is_unread(position, self.arrangement.choice.folder)

    # ---------------------------------------------------------------------------------------------
    # order

    def arrange(self, arrangement: Arrangement) -> None:
        """Filter and sort. Another choice clears the selection."""
        if arrangement.choice != self.arrangement.choice:
            self.selected[:] = False
        self.arrangement = arrangement
        order = self._sorter.all_sorted(arrangement)
        mask = self.mask(arrangement.choice)
        self.order = order[mask[order]]
        # Hidden messages are never selected: a key would mark them unnoticed.
        self.selected &= mask

    def place(self, positions: Positions) -> None:
        """Insert messages at their places, or leave them out. No other row moves."""
        chosen = self.mask(self.arrangement.choice, positions)
        self.selected[positions[~chosen]] = False
        self.remove(positions)
        self.order = self._sorter.insert(self.order, positions[chosen], self.arrangement)

    def remove(self, positions: Positions) -> None:
        self.order = self.order[~np.isin(self.order, positions)]

    def holds_others(self) -> bool:
        """True if the shown messages are not those of the choice any more."""
        mask = self.mask(self.arrangement.choice)
        same_count = len(np.flatnonzero(mask)) == len(self.order)
        return not (same_count and mask[self.order].all())

    def moved(self, known: Positions) -> tuple[Positions, Positions]:
        """Return which known messages entered the shown folder, and which left it.

        Messages also leave a smart list when they move into a spam folder, and return to the list
        of all mail.
        """
        kind = self.arrangement.choice.kind
        folder = self.arrangement.choice.folder
        if not len(known) or (folder is None and kind in (Kind.SPAM, Kind.SORTED)):
            return known[:0], known[:0]

        shown = np.zeros(len(self.messages), bool)
        shown[self.order] = True
        was_shown = shown[known]
        inside = self.mask(Choice(folder=folder), known)
        # New scores and labels alone insert no row into the other smart lists.
        enters = folder is not None or kind == Kind.ALL
        return known[inside & ~was_shown & enters], known[was_shown & ~inside]

    # ---------------------------------------------------------------------------------------------
    # selection

    def selection(self) -> tuple[int, ...]:
        """Return the selected messages that are shown, top first."""
        selected = self.order[self.selected[self.order]]
        return tuple(self.messages[selected].tolist())

    def count_selected(self) -> int:
        return int(np.count_nonzero(self.selected[self.order]))

    # ---------------------------------------------------------------------------------------------
    # counts

    def count_kinds(
        self, folder: FolderName | None, kinds: Iterable[Kind] = USUAL
    ) -> dict[Kind, int]:
        return {kind: int(np.count_nonzero(self.mask(Choice(kind, folder)))) for kind in kinds}

    def count_folders(self) -> dict[FolderName, tuple[int, int]]:
        """Count messages and unread ones of each folder. Spam folders have no unread count."""
        present = self.folders[self.present]
        held, unread = self.folder_sets.count(present, len(self.folder_names))
        counts = {}
        for number, name in enumerate(self.folder_names):
            shown_unread = 0 if name in self.spam_folders else int(unread[number])
            counts[name] = (int(held[number]), shown_unread)
        return counts

    def unlabelled(self) -> int:
        return int(np.count_nonzero(self.present & (self.labels < 0)))

    def undecided(self) -> list[int]:
        """Return the unlabelled messages with the verdict unsure, newest first."""
        here = np.flatnonzero(self.mask(Choice(Kind.UNSURE)) & (self.labels < 0))
        newest_first = here[np.argsort(-self.dates[here], kind="stable")]
        messages: list[int] = self.messages[newest_first].tolist()
        return messages
