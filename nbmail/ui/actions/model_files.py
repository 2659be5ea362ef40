"""The model as a file: exported, imported; and learned anew from the labels."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import QFileDialog, QWidget

from nbmail.ui.actions.long_work import LongWork
from nbmail.ui.kit.language import grouped, tr
from nbmail.ui.window.notices import StatusLine
from nbmail.worker.protocol import Exported, ExportModel, Imported, ImportModel, Relearn


class ModelFileActions:
    """Asks which file, has the engine do the work, and says what came of it."""

    def __init__(self, work: LongWork, status: StatusLine, parent: QWidget) -> None:
        self._work, self._status, self._parent = work, status, parent

    def export_model(self) -> None:
        """Ask where to, then write the model there."""
        dialog = self._ask_file(tr("Export model"), self.export_to)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.selectFile("nbmail.nbmodel")
        dialog.open()

    def export_to(self, path: Path) -> None:
        """Write the model to this file."""
        self._work.run(ExportModel(path), tr("Exporting"), self._say_exported)

    def _say_exported(self, done: Exported) -> None:
        text = tr("Exported {words} words of {messages} messages to {name}.")
        self._status.say(text.format(words=grouped(done.words), messages=grouped(done.messages), name=done.path.name))

    def import_model(self) -> None:
        """Ask which file, then learn it."""
        dialog = self._ask_file(tr("Import model"), self.import_from)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.open()

    def import_from(self, path: Path) -> None:
        """Add the model in this file to what is known."""
        self._work.run(ImportModel(path), tr("Importing"), self._say_imported)

    def _say_imported(self, done: Imported) -> None:
        text = tr("Imported {words} words of {messages} messages.")
        said = text.format(words=grouped(done.words), messages=grouped(done.messages))
        if done.other_method:
            said += " " + tr("The file was made by another way of learning: only its counts were taken.")
        self._status.say(said, undo=True)

    def relearn(self) -> None:
        """Build what is learned anew from the labels."""
        told = tr("Learned everything anew.")
        self._work.run(Relearn(), tr("Learning anew"), lambda _: self._status.say(told))

    def _ask_file(self, title: str, then: Callable[[Path], None]) -> QFileDialog:
        """A dialog that gives the chosen file to `then`."""
        dialog = QFileDialog(self._parent, title)
        dialog.setNameFilter(tr("nbmail models (*.nbmodel)"))
        dialog.setDefaultSuffix("nbmodel")
        documents = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
        dialog.setDirectory(str(documents if documents.is_dir() else Path.home()))
        dialog.fileSelected.connect(lambda name: then(Path(name)))
        dialog.finished.connect(dialog.deleteLater)
        return dialog
