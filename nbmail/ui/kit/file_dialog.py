"""Dialog that asks for a file or a folder."""

from collections.abc import Callable

from PySide6.QtWidgets import QFileDialog, QWidget

FILE = QFileDialog.FileMode.ExistingFile
NEW = QFileDialog.FileMode.AnyFile
FOLDER = QFileDialog.FileMode.Directory


def file_dialog(
    parent: QWidget,
    title: str,
    kind: QFileDialog.FileMode,
    take: Callable[[str], object],
    folder: str = "",
) -> QFileDialog:
    """Return a file dialog that is not open yet. `take` is called with the selected path."""
    dialog = QFileDialog(parent, title, folder)
    dialog.setFileMode(kind)
    if kind == NEW:
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.fileSelected.connect(take)
    dialog.finished.connect(dialog.deleteLater)
    return dialog
