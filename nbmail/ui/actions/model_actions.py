"""Export, import and rebuild of the model."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import QWidget

from nbmail.exchange import FORMATS, OWN, WRITABLE
from nbmail.ui.dialogs.import_dialog import ImportDialog
from nbmail.ui.dialogs.questions import open_question, question_box
from nbmail.ui.kit.dialogs import FILE, NEW, file_dialog
from nbmail.ui.texts.language import format_count, tr
from nbmail.ui.texts.plain_text import join_sentences
from nbmail.ui.window.context import WindowContext
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
            dialog.setDefaultSuffix(suffix)
            dialog.selectFile(Path(*dialog.selectedFiles()[:1]).stem + suffix)

        name_for(_kind(OWN))
        dialog.filterSelected.connect(name_for)
        dialog.open()

    def export_to(self, path: Path, name: str = OWN) -> None:
        self._status.follow(
            self._engine.export_model(path, name), tr("Exporting"), self._report_export
        )

    def _report_export(self, done: Exported) -> None:
        text = tr("Exported {words} words from {messages} messages to {name}.")
        report = [
            text.format(
                words=format_count(done.words),
                messages=format_count(done.messages),
                name=done.path.name,
            )
        ]
        if done.left_out:
            report.append(
                tr("This format can't store {n} words.").format(n=format_count(done.left_out))
            )
        report.append(
            tr("The file contains words and addresses of your mail: it is as private as the mail.")
        )
        self._status.report(join_sentences(*report))

    def import_model(self) -> None:
        preview = self.import_from
        dialog = file_dialog(
            self._parent, tr("Import model"), FILE, lambda name: preview(Path(name)), _documents()
        )
        dialog.setNameFilters(
            [tr("Model files (*.nbmodel *.txt *.csv *.dat *.db)"), tr("All files (*)")]
        )
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
        report = [text.format(words=format_count(done.words), messages=format_count(done.messages))]
        if done.other_method:
            report.append(
                tr("The file was made with another method, so only its word counts were imported.")
            )
        if done.backup is not None:
            report.append(tr("The previous model was saved as {name}.").format(name=done.backup))
        self._status.report(join_sentences(*report), undo=True)

    def drop_imports(self) -> None:
        self._status.follow(
            self._engine.drop_imports(), tr("Removing imports"), self._report_dropped
        )

    def _report_dropped(self, any_dropped: bool) -> None:
        if any_dropped:
            self._status.report(
                tr("All imports were removed. Your marks were not changed."), undo=True
            )
        else:
            self._status.report(tr("There are no imports to remove."))

    def rebuild(self) -> None:

        def report(backup: Path) -> None:
            self._status.report(rebuilt_text(backup))

        ask_to_rebuild(
            self._parent,
            lambda: self._status.follow(self._engine.rebuild(), tr("Rebuilding model"), report),
        )


def _documents() -> str:
    documents = Path(
        QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    )
    return str(documents if documents.is_dir() else Path.home())


def ask_to_rebuild(parent: QWidget, act: Callable[[], None]) -> None:
    more = tr(
        "nbmail saves a backup of the model first. Your marks don't change, and you can "
        "cancel at any time."
    )
    box = question_box(
        parent, tr("Rebuild model?"), tr("Rebuild the model from all your marks?"), more
    )
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
