"""The model as a file: exported, imported; and learned anew from the labels."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import QWidget

from nbmail.ui.actions.long_work import LongWork
from nbmail.ui.dialogs.import_dialog import ImportDialog
from nbmail.ui.dialogs.questions import open_question, question_box
from nbmail.ui.kit.dialogs import FILE, NEW, file_dialog
from nbmail.ui.kit.language import format_count, tr
from nbmail.ui.kit.plain_text import join_sentences
from nbmail.ui.window.notices import StatusLine
from nbmail.worker.protocol import Exported, ExportModel, Imported, ImportModel, Relearn
from nbmail.worker.protocol.model_files import OWN, SUFFIXES, DropImports, ImportReport, PreviewImport

REDACTED = 3
"""In a model to give away each word was in so many messages, of so many senders."""


class ModelFileActions:
    """Asks which file, has the engine do the work, and says what came of it."""

    def __init__(self, work: LongWork, status: StatusLine, parent: QWidget) -> None:
        self._work, self._status, self._parent = work, status, parent

    def export_model(self) -> None:
        """Ask where to and for which program, then write the model there."""
        self._ask_target(tr("Export model"), 0)

    def export_redacted(self) -> None:
        """Leave out what tells of somebody, for a model that is given away."""
        self._ask_target(tr("Export a model to give away"), REDACTED)

    def export_to(self, path: Path, name: str = OWN, redact: int = 0) -> None:
        self._work.run(ExportModel(path, name, redact), tr("Exporting"), self._say_exported)

    def _say_exported(self, done: Exported) -> None:
        text = tr("Exported {words} words of {messages} messages to {name}.")
        said = [text.format(words=format_count(done.words), messages=format_count(done.messages), name=done.path.name)]
        if done.left_out:
            said.append(tr("{n} words were left out.").format(n=format_count(done.left_out)))
        if done.caught is not None:
            before, after = (round(100 * share) for share in done.caught)
            text = tr("Junk caught: {before} % with all words, {after} % with these.")
            said.append(text.format(before=before, after=after))
        elif done.redacted:
            said.append(tr("What that costs can't be told: too few of your latest marks are junk, or good."))
        self._status.say(join_sentences(*said))

    def import_model(self) -> None:
        """Ask which file, then show what it would bring."""
        take = self.import_from
        dialog = file_dialog(self._parent, tr("Import model"), FILE, lambda name: take(Path(name)), _documents())
        dialog.setNameFilters([tr("Models (*.nbmodel *.txt *.csv *.dat *.db)"), tr("All files (*)")])
        dialog.open()

    def import_from(self, path: Path) -> None:
        """Say what is in this file, and take it in if the user wants that."""
        self._work.run(PreviewImport(path), tr("Reading the model"), self._ask)

    def _ask(self, report: ImportReport) -> None:
        def take(replace: bool) -> None:
            command = ImportModel(report.path, replace=replace, format=report.format)
            self._work.run(command, tr("Importing"), self._say_imported)

        ImportDialog(self._parent, report, take).open()

    def _say_imported(self, done: Imported) -> None:
        text = tr("Imported {words} words of {messages} messages.")
        said = text.format(words=format_count(done.words), messages=format_count(done.messages))
        if done.other_method:
            said += " " + tr("The file was made by another way of learning: only its counts were taken.")
        if done.backup is not None:
            said += " " + tr("The model of before is kept as {name}.").format(name=done.backup)
        self._status.say(said, undo=True)

    def drop_imports(self) -> None:
        self._work.run(DropImports(), tr("Taking out what was imported"), self._say_dropped)

    def _say_dropped(self, any_was: bool) -> None:
        if any_was:
            self._status.say(tr("What was imported is taken out. Your own marks stay."), undo=True)
        else:
            self._status.say(tr("Nothing was imported."))

    def relearn(self) -> None:
        """Ask, then build what is learned anew from the labels."""

        def say(backup: Path) -> None:
            self._status.say(relearned_words(backup))

        ask_to_relearn(self._parent, lambda: self._work.run(Relearn(), tr("Learning anew"), say))

    def _ask_target(self, title: str, redact: int) -> None:
        """A dialog for the file to write; the kind that is chosen in it is the format."""
        names = {_kind(name): name for name in SUFFIXES}

        def write(path: str) -> None:
            self.export_to(Path(path), names.get(dialog.selectedNameFilter(), OWN), redact)

        dialog = file_dialog(self._parent, title, NEW, write, _documents())
        dialog.setNameFilters(list(names))
        dialog.selectFile("nbmail")

        def name_for(kind: str) -> None:
            suffix = SUFFIXES[names.get(kind, OWN)]
            dialog.setDefaultSuffix(suffix)
            dialog.selectFile(Path(*dialog.selectedFiles()[:1]).stem + suffix)

        name_for(_kind(OWN))
        dialog.filterSelected.connect(name_for)
        dialog.open()


def _documents() -> str:
    documents = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
    return str(documents if documents.is_dir() else Path.home())


def ask_to_relearn(parent: QWidget, act: Callable[[], None]) -> None:
    """Ask before the model is built anew."""
    more = tr("This can be stopped. The model is first saved to a file, and your marks stay as they are.")
    box = question_box(parent, tr("Learn everything anew?"), tr("Learn all your marks once more?"), more)
    open_question(box, tr("Learn anew"), tr("Leave it"), act)


def relearned_words(backup: Path) -> str:
    """That all was learned anew, and where the model of before is."""
    return join_sentences(tr("Learned everything anew."), saved_words(backup))


def saved_words(backup: Path) -> str:
    """Where the model of before is."""
    return tr("The model of before is in {file}.").format(file=backup)


def _kind(name: str) -> str:
    """What the files of a format are called in a dialog, and how their names end."""
    kinds = {
        OWN: tr("nbmail models"),
        "bogofilter": tr("bogofilter word lists, for bogoutil -l"),
        "spamassassin": tr("SpamAssassin backups, for sa-learn --restore"),
        "spambayes": tr("SpamBayes tables"),
        "thunderbird": tr("Thunderbird training.dat"),
        "thunderbird-traits": tr("Thunderbird traits.dat"),
    }
    return f"{kinds[name]} (*{SUFFIXES[name]})"
