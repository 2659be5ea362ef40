"""Actions on the model: its files, and its rebuild."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import QWidget

from nbmail.exchange import FORMATS, OWN, WRITABLE
from nbmail.ui.dialogs.import_dialog import ImportDialog
from nbmail.ui.dialogs.questions import open_question, question_box
from nbmail.ui.kit.file_dialog import FILE, NEW, file_dialog
from nbmail.ui.texts.language import format_count, tr
from nbmail.ui.texts.plain_text import join_sentences
from nbmail.ui.window.window_context import WindowContext
from nbmail.worker.protocol.model_files import Exported, Imported, ImportReport


class ModelActions:
    """Dialogs for model files, and messages about the results."""

    def __init__(self, context: WindowContext) -> None:
        self._engine = context.engine
        self._status = context.status
        self._parent = context.window

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "export": self.export_model,
            "import": self.import_model,
            "drop-imports": self.drop_imports,
            "relearn": self.rebuild,
        }

    def export_model(self) -> None:
        """Open a dialog for the file to write. Its file type is the format."""
        names = {_kind(name): name for name in WRITABLE}

        def write(path: str) -> None:
            self.export_to(Path(path), names.get(dialog.selectedNameFilter(), OWN))

        dialog = file_dialog(self._parent, tr("Export model"), NEW, write, _documents())
        dialog.setNameFilters(list(names))
        dialog.selectFile("nbmail")

        def name_for(kind: str) -> None:
            _, suffix = FORMATS[names.get(kind, OWN)]
            selected = dialog.selectedFiles()
            name = Path(selected[0]).stem if selected else ""
            dialog.setDefaultSuffix(suffix)
            dialog.selectFile(name + suffix)

        name_for(_kind(OWN))
        dialog.filterSelected.connect(name_for)
        dialog.open()

    def export_to(self, path: Path, name: str = OWN) -> None:
        ticket = self._engine.export_model(path, name)
        self._status.follow(ticket, tr("Exporting"), self._report_export)

    def _report_export(self, done: Exported) -> None:
        text = tr("Exported {words} words from {messages} messages to {name}.")
        exported = text.format(
            words=format_count(done.words),
            messages=format_count(done.messages),
            name=done.path.name,
        )
        left_out = ""
        if done.left_out:
            text = tr("This format can't store {n} words.")
            left_out = text.format(n=format_count(done.left_out))
        private = tr(
            "The file contains words and addresses of your mail: it is as private as the mail."
        )
        self._status.report(join_sentences(exported, left_out, private))

    def import_model(self) -> None:
        def preview(name: str) -> None:
            self.import_from(Path(name))

        dialog = file_dialog(self._parent, tr("Import model"), FILE, preview, _documents())
        models = tr("Model files (*.nbmodel *.txt *.csv *.dat *.db)")
        dialog.setNameFilters([models, tr("All files (*)")])
        dialog.open()

    def import_from(self, path: Path) -> None:
        self._status.follow(self._engine.preview_import(path), tr("Reading model file"), self._ask)

    def _ask(self, report: ImportReport) -> None:
        def import_it(replace: bool) -> None:
            ticket = self._engine.import_model(report.path, replace=replace, format=report.format)
            self._status.follow(ticket, tr("Importing"), self._report_import)

        ImportDialog(self._parent, report, import_it).open()

    def _report_import(self, done: Imported) -> None:
        text = tr("Imported {words} words from {messages} messages.")
        imported = text.format(words=format_count(done.words), messages=format_count(done.messages))
        counts_only = ""
        if done.other_method:
            counts_only = tr(
                "The file was made with another method, so only its word counts were imported."
            )
        backup = ""
        if done.backup is not None:
            backup = tr("The previous model was saved as {name}.").format(name=done.backup)
        self._status.report(join_sentences(imported, counts_only, backup), undo=True)

    def drop_imports(self) -> None:
        ticket = self._engine.drop_imports()
        self._status.follow(ticket, tr("Removing imports"), self._report_dropped)

    def _report_dropped(self, any_dropped: bool) -> None:
        if any_dropped:
            text = tr("All imports were removed. Your marks were not changed.")
            self._status.report(text, undo=True)
        else:
            self._status.report(tr("There are no imports to remove."))

    def rebuild(self) -> None:
        ask_to_rebuild(self._parent, self._rebuild)

    def _rebuild(self) -> None:
        ticket = self._engine.rebuild()
        self._status.follow(ticket, tr("Rebuilding model"), self._report_rebuilt)

    def _report_rebuilt(self, backup: Path) -> None:
        self._status.report(rebuilt_text(backup))


def _documents() -> str:
    """Return the folder of the user's documents, or the home folder without one."""
    location = QStandardPaths.StandardLocation.DocumentsLocation
    documents = Path(QStandardPaths.writableLocation(location))
    return str(documents if documents.is_dir() else Path.home())


def ask_to_rebuild(parent: QWidget, act: Callable[[], None]) -> None:
    text = tr("Rebuild the model from all your marks?")
    more = tr(
        "nbmail saves a backup of the model first. Your marks don't change, and you can "
        "cancel at any time."
    )
    box = question_box(parent, tr("Rebuild model?"), text, more)
    open_question(box, tr("Rebuild"), tr("Cancel"), act)


def rebuilt_text(backup: Path) -> str:
    return join_sentences(tr("The model was rebuilt."), backup_text(backup))


def backup_text(backup: Path) -> str:
    return tr("The previous model was saved to {file}.").format(file=backup)


def _kind(name: str) -> str:
    kinds = {
        OWN: tr("nbmail model"),
        "bogofilter": tr("bogofilter word list (for bogoutil -l)"),
        "spamassassin": tr("SpamAssassin backup (for sa-learn --restore)"),
        "thunderbird": tr("Thunderbird training.dat"),
        "thunderbird-traits": tr("Thunderbird traits.dat"),
    }
    return f"{kinds[name]} (*{FORMATS[name][1]})"
