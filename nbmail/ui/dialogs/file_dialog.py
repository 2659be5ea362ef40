"""Asks for a file or a folder of this computer."""

from collections.abc import Callable

from PySide6.QtWidgets import QFileDialog, QWidget

FILE, NEW, FOLDER = (getattr(QFileDialog.FileMode, name) for name in ("ExistingFile", "AnyFile", "Directory"))


def file_dialog(
    parent: QWidget, title: str, kind: QFileDialog.FileMode, take: Callable[[str], object], folder: str = ""
) -> QFileDialog:
    """A dialog, still to be opened, for a file that is there, a new one to be written, or a folder."""
    dialog = QFileDialog(parent, title, folder)
    dialog.setFileMode(kind)
    if kind == NEW:
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.fileSelected.connect(take)
    dialog.finished.connect(dialog.deleteLater)
    return dialog
