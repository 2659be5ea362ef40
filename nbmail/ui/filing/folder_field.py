"""Field that completes folder names by their parts, and the search behind it."""

import re
from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QLineEdit, QListWidget, QListWidgetItem, QWidget

from nbmail.ui.accounts.sidebar import folder_name
from nbmail.ui.kit import layouts
from nbmail.ui.kit.layouts import scaled
from nbmail.ui.kit.phrases import tr
from nbmail.ui.kit.plain_text import plain_label, visible
from nbmail.values import FolderName, ServerFolderUse

_PARTS = re.compile(r"[\s/.\\_-]+")
WIDTH, HEIGHT, LONGEST = 420, 320, 200
_KEYS = {Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp}


def find_folders(folders: Sequence[ServerFolderUse], text: str) -> list[ServerFolderUse]:
    """Return the folders with words that begin like those of `text`: the last used, then those whose last part does."""
    wanted = [part for part in _PARTS.split(text.casefold()) if part]
    ranked = []
    for each in folders:
        shown = folder_name(each.name).casefold()
        parts = [part for part in _PARTS.split(shown) if part]
        left = iter(parts)
        if all(any(part.startswith(word) for part in left) for word in wanted) or text.casefold().strip() in shown:
            ends_so = bool(wanted and parts) and parts[-1].startswith(wanted[0])
            ranked.append((-each.used, not ends_so, shown, each))
    return [each for *_, each in sorted(ranked, key=lambda rank: (*rank[:3], rank[3].name))]


class FolderField(QDialog):
    """Field with the matching folders below. `choose`: called with the choice. `create`: allow an unknown name."""

    def __init__(
        self,
        parent: QWidget,
        title: str,
        folders: Sequence[ServerFolderUse],
        choose: Callable[[FolderName], object],
        *,
        create: str = "",
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self._folders, self._choose, self._create = folders, choose, create
        self._several = len({each.name.account for each in folders}) > 1
        self.field, self.list = QLineEdit(), QListWidget()
        self.field.setAccessibleName(title)
        self.field.setPlaceholderText(tr("Folder name, or parts of it"))
        self.field.installEventFilter(self)
        self.list.setAccessibleName(tr("Folders"))
        self.list.setUniformItemSizes(True)
        self.list.setProperty("mails", True)
        self.hint = plain_label("", "muted")
        self.setLayout(layouts.column(self.field, (self.list, 1), self.hint, spacing=8, margins=(14, 14, 14, 12)))
        self.field.textChanged.connect(self._show)
        self.field.returnPressed.connect(self._take)
        self.list.itemActivated.connect(self._take)
        self.list.itemClicked.connect(self._take)
        # Rows have the height of the style only in a styled list.
        self.list.ensurePolished()
        self._show()
        self.resize(scaled(self, WIDTH), scaled(self, HEIGHT))
        self.field.setFocus()

    def _show(self) -> None:
        """List the matching folders, the first one selected."""
        text = self.field.text()
        self.list.clear()
        found = find_folders(self._folders, text)
        for each in found:
            self._add(self._text(each), each.name)
        if self._create and text.strip() and all(each.name.folder != text.strip() for each in found):
            self._add(tr("Create folder “{name}”").format(name=text.strip()), FolderName(self._create, text.strip()))
        self.list.setCurrentRow(0)
        none = tr("No folder has this name.") if self._folders else tr("nbmail has no list of folders yet.")
        self.hint.setText("" if self.list.count() else none)

    def _add(self, text: str, name: FolderName) -> None:
        item = QListWidgetItem(text, self.list)
        # A list: Qt turns tuples into lists.
        item.setData(Qt.ItemDataRole.UserRole, list(name))

    def _text(self, each: ServerFolderUse) -> str:
        name = visible(folder_name(each.name), LONGEST)
        return tr("{folder} – {account}").format(folder=name, account=each.name.account) if self._several else name

    def _take(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            self.accept()
            self._choose(FolderName(*item.data(Qt.ItemDataRole.UserRole)))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the arrow keys in the field move through the list."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() in _KEYS:
            self.list.event(event)
            return True
        return super().eventFilter(watched, event)
