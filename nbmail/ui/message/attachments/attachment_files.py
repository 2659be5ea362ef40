"""Opening and saving attachments."""

from collections.abc import Callable, Collection, Sequence
from itertools import count
from pathlib import Path

from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import QWidget

from nbmail.ui.dialogs.questions import open_question, question_box
from nbmail.ui.kit.file_dialog import FOLDER, NEW, file_dialog
from nbmail.ui.message.attachments.file_warnings import warning
from nbmail.ui.texts.language import tr, tr_count
from nbmail.ui.window.services import open_file
from nbmail.worker.engine.engine import Engine
from nbmail.worker.protocol.messages import SavedAttachment

Use = Callable[[SavedAttachment], object]


class AttachmentFiles:
    """Files of one message. Dangerous ones are opened only after a question.

    `engine`: None for messages outside the mailbox, whose files can't be opened. `report`: called
    with a text about what was saved.
    """

    def __init__(
        self, parent: QWidget, engine: Engine | None, report: Callable[[str], None]
    ) -> None:
        self._parent = parent
        self._engine = engine
        self._report = report
        self._message = -1
        self._names: Sequence[str] = ()

    @property
    def are_available(self) -> bool:
        return self._engine is not None

    def set_message(self, message: int, names: Sequence[str]) -> None:
        self._message = message
        self._names = names

    def open(self, number: int) -> None:
        """Open a file with the desktop's program, a dangerous one only after a question."""
        message = self._message
        name = self._names[number]
        danger = warning(name)

        def open_if_harmless(saved: SavedAttachment) -> None:
            if saved.runs:
                text = tr("{name} is a program, despite its name.").format(name=name)
                self._ask(text, lambda: _open(saved))
            else:
                _open(saved)

        if danger:
            self._ask(danger, lambda: self._fetch(message, number, None, _open))
        else:
            self._fetch(message, number, None, open_if_harmless)

    def _ask(self, danger: str, act: Callable[[], None]) -> None:
        more = tr(
            "Open it only if you know the sender and expected this file. If in doubt, ask "
            "the sender."
        )
        box = question_box(self._parent, tr("Open this attachment?"), danger, more, icon="warning")
        open_question(box, tr("Open"), tr("Don't open"), act)

    def save(self, number: int) -> None:
        """Save a file to a path that the user chooses."""
        if number >= len(self._names):
            # Another message came while the menu was open.
            return

        def report(saved: SavedAttachment) -> None:
            self._report(tr("Saved {name}.").format(name=saved.path.name))

        message = self._message

        def save_to(name: str) -> None:
            self._fetch(message, number, Path(name), report)

        dialog = file_dialog(self._parent, tr("Save attachment"), NEW, save_to, _downloads())
        dialog.selectFile(self._names[number] or tr("attachment"))
        dialog.open()

    def save_all(self) -> None:
        """Save all files in a folder that the user chooses. No file replaces another."""
        message = self._message
        names = self._names

        def save_in(folder: str) -> None:
            saved = list[SavedAttachment]()

            def note(file: SavedAttachment) -> None:
                saved.append(file)
                if len(saved) == len(names):
                    self._report(tr_count("Saved %n file.", "Saved %n files.", len(saved)))

            taken = set[Path]()
            for number, name in enumerate(names):
                path = _free_path(Path(folder) / (name or tr("attachment")), taken)
                taken.add(path)
                self._fetch(message, number, path, note)

        title = tr("Save all attachments")
        file_dialog(self._parent, title, FOLDER, save_in, _downloads()).open()

    def _fetch(self, message: int, number: int, path: Path | None, use: Use) -> None:
        """Write a file to `path`, None for a temporary one, and call `use` with it."""
        if self._engine is not None:
            self._engine.save_attachment(message, number, path).then(use)


def _open(saved: SavedAttachment) -> None:
    open_file(saved.path)


def _free_path(path: Path, taken: Collection[Path]) -> Path:
    """Return the path, or with the first number that makes it new."""
    if path not in taken and not path.exists():
        return path
    for number in count(2):
        numbered = path.with_stem(f"{path.stem} ({number})")
        if numbered not in taken and not numbered.exists():
            return numbered
    raise AssertionError


def _downloads() -> str:
    return QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DownloadLocation)
