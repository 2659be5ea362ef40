"""How one account sorts: the choice, its state, and buttons."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from nbmail.settings import Account, Sorting
from nbmail.ui.kit import layouts
from nbmail.ui.kit.buttons import quiet_button
from nbmail.ui.kit.fields import combo_of
from nbmail.ui.kit.plain_labels import plain_label, wrapping_label
from nbmail.ui.texts.language import tr
from nbmail.worker.protocol.sorting import SortingPreview
from nbmail.worker.protocol.ticket import Progress, Ticket


class AccountRow(QWidget):
    """Sorting of one account, with buttons that sort the inbox now and choose folders."""

    def __init__(
        self,
        account: Account,
        *,
        choose: Callable[[], None],
        sort_now: Callable[[], None],
        choose_folders: Callable[[], None],
    ) -> None:
        super().__init__()
        entries = (
            (tr("Only show"), Sorting.SHOW),
            (tr("Rehearse: list what would be moved"), Sorting.REHEARSE),
            (tr("Sort: move spam to the spam folder"), Sorting.SORT),
        )
        self.combo = combo_of(entries, tr("Sorting of {account}").format(account=account.name))
        self.combo.activated.connect(lambda _: choose())
        self.state = wrapping_label("", "muted")
        self.now = quiet_button(tr("Sort what is here now…"), sort_now)
        self.stop = quiet_button(tr("Cancel"), self.cancel)
        self.stop.hide()
        self.folders = quiet_button(tr("Folders…"), choose_folders)
        self.folders.setToolTip(tr("Folders that fill automatically"))
        self.folders.setVisible(bool(account.suggested_folders))
        self._work: Ticket[SortingPreview] | None = None

        title = plain_label(account.name, "title")
        choices = layouts.Flow(self.combo, self.now, self.folders, self.stop, gap=10)
        self.setLayout(layouts.column(title, choices, self.state, spacing=4))

    @property
    def is_working(self) -> bool:
        """True if a preview is running."""
        return self._work is not None

    def show_choice(self, sorting: Sorting) -> None:
        self.combo.setCurrentIndex(self.combo.findData(sorting))

    def show_work(
        self, text: str, ticket: Ticket[SortingPreview], done: Callable[[SortingPreview], None]
    ) -> None:
        """Show the progress of a preview, with a button that cancels it. End a running one."""

        def progressed(progress: Progress[SortingPreview]) -> None:
            share = 100 * progress.done // max(1, progress.total)
            self.state.setText(tr("{work} {share} %").format(work=text, share=share))

        self.cancel()
        self._work = ticket
        self.state.setText(text)
        self.now.hide()
        self.stop.show()
        ticket.then(done, progressed=progressed, ended=self.cancel)

    def cancel(self) -> None:
        """Cancel the running preview, if there is one."""
        if self._work is not None:
            self._work.drop()
            self._work = None
            self.stop.hide()
            self.now.show()
