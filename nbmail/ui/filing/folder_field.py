"""Field that finds a folder by parts of its name."""

import re
from collections.abc import Callable, Iterator, Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem, QWidget

from nbmail.ui.kit import layouts
from nbmail.ui.kit.dialogs import BriefDialog
from nbmail.ui.kit.plain_labels import plain_label
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.sidebar.list_names import folder_name
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.plain_text import visible
from nbmail.values import FolderName, ServerFolderUse

WIDTH = 420
HEIGHT = 320
LONGEST = 200
_PARTS = re.compile(r"[\s/.\\_-]+")
_KEYS = {Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp}
"""Keys in the field that move through the list."""


def find_folders(folders: Sequence[ServerFolderUse], text: str) -> list[ServerFolderUse]:
    """Return the folders with words that begin like those of `text`, in this order.

    The latest used come first, then those whose last part begins like the first word.
    """
    wanted = _split(text)

    def rank(one: ServerFolderUse) -> tuple[float, bool, str, FolderName]:
        shown = folder_name(one.name).casefold()
        parts = _split(shown)
        ends_so = bool(wanted and parts) and parts[-1].startswith(wanted[0])
        return (-one.used, not ends_so, shown, one.name)

    return sorted((each for each in folders if _matches(each, wanted, text)), key=rank)


def _matches(folder: ServerFolderUse, wanted: Sequence[str], text: str) -> bool:
    """True if the name contains `text`, or words that begin like `wanted`, in the same order."""
    shown = folder_name(folder.name).casefold()
    if text.casefold().strip() in shown:
        return True
    left = iter(_split(shown))
    return all(any(part.startswith(word) for part in left) for word in wanted)


def _split(text: str) -> list[str]:
    return [part for part in _PARTS.split(text.casefold()) if part]


class FolderField(BriefDialog):
    """Field with the matching folders below. `choose`: called with the chosen folder.

    `create`: account in which an unknown name creates a folder.
    """

    def __init__(
        self,
        parent: QWidget,
        title: str,
        folders: Sequence[ServerFolderUse],
        choose: Callable[[FolderName], object],
        *,
        create: str = "",
    ) -> None:
        super().__init__(parent, title)
        self._folders = folders
        self._choose = choose
        self._create = create
        self._several = len({each.name.account for each in folders}) > 1
        self.field = self._make_field(title)
        self.list = self._make_list()
        self.hint = plain_label("", "muted")
        margins = (14, 14, 14, 12)
        self.setLayout(
            layouts.column(self.field, (self.list, 1), self.hint, spacing=8, margins=margins)
        )
        # Rows have the height of the style only in a styled list.
        self.list.ensurePolished()
        self._show()
        self.resize(scaled(self, WIDTH), scaled(self, HEIGHT))
        self.field.setFocus()

    def _make_field(self, title: str) -> QLineEdit:
        field = QLineEdit()
        field.setAccessibleName(title)
        field.setPlaceholderText(tr("Folder name, or parts of it"))
        field.installEventFilter(self)
        field.textChanged.connect(self._show)
        field.returnPressed.connect(self._take)
        return field

    def _make_list(self) -> QListWidget:
        found = QListWidget()
        found.setAccessibleName(tr("Folders"))
        found.setUniformItemSizes(True)
        found.setProperty("mails", True)
        found.itemActivated.connect(self._take)
        found.itemClicked.connect(self._take)
        return found

    def _show(self) -> None:
        self.list.clear()
        for shown, name in self._lines(self.field.text().strip()):
            item = QListWidgetItem(shown, self.list)
            # A list: Qt turns tuples into lists.
            item.setData(Qt.ItemDataRole.UserRole, list(name))
        self.list.setCurrentRow(0)
        self.hint.setText("" if self.list.count() else self._nothing_text())

    def _lines(self, text: str) -> Iterator[tuple[str, FolderName]]:
        """Yield texts and folders of the list."""
        is_known = False
        for one in find_folders(self._folders, text):
            is_known = is_known or one.name.folder == text
            shown = visible(folder_name(one.name), LONGEST)
            if self._several:
                shown = tr("{folder} – {account}").format(folder=shown, account=one.name.account)
            yield shown, one.name
        if self._create and text and not is_known:
            yield tr("Create folder “{name}”").format(name=text), FolderName(self._create, text)

    def _nothing_text(self) -> str:
        if self._folders:
            return tr("No folder has this name.")
        return tr("nbmail has no list of folders yet.")

    def _take(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            self.accept()
            self._choose(FolderName(*item.data(Qt.ItemDataRole.UserRole)))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the arrow keys in the field move through the list."""
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() in _KEYS
        ):
            self.list.event(event)
            return True
        return super().eventFilter(watched, event)
