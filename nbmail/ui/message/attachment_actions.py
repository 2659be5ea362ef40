"""Opening and saving attachments: where to is asked, what is dangerous is said first."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QStandardPaths

from nbmail.ui.dialogs.file_dialog import FOLDER, NEW, file_dialog
from nbmail.ui.kit.language import tr, tr_count
from nbmail.ui.message.attachments import warning
from nbmail.ui.message.message_pane import MessagePane
from nbmail.ui.window.engine_requests import EngineRequests
from nbmail.worker.protocol.reading import SaveAttachment, SavedAttachment


class AttachmentActions:
    """What follows from the buttons of a message's attachments. `open_file` hands a file to the desktop."""

    def __init__(
        self, requests: EngineRequests, pane: MessagePane, open_file: Callable[[Path], None], say: Callable[[str], None]
    ) -> None:
        self._requests, self._pane, self._open_file, self._say = requests, pane, open_file, say
        pane.files.usable = True
        pane.files.open_asked.connect(self.open)
        pane.files.save_asked.connect(self.save)
        pane.files.all_asked.connect(self.save_all)

    def open(self, number: int) -> None:
        """Open a file with the desktop's program for it; what is dangerous only if the user says so."""
        message, files = self._shown()
        danger = warning(files[number])

        def opened(saved: SavedAttachment) -> None:
            if saved.runs and not danger:
                said = tr("{name} is a program, whatever its name says.").format(name=files[number])
                self._ask(said, lambda: self._open_file(saved.path))
            else:
                self._open_file(saved.path)

        def fetch() -> None:
            self._requests.ask(SaveAttachment(message, number), opened)

        self._ask(danger, fetch) if danger else fetch()

    def save(self, number: int) -> None:
        """Ask where to, then save a file there."""
        message, files = self._shown()

        def save_to(name: str) -> None:
            command = SaveAttachment(message, number, Path(name))
            self._requests.ask(command, lambda saved: self._say(tr("Saved {name}.").format(name=saved.path.name)))

        dialog = file_dialog(self._pane, tr("Save attachment"), NEW, save_to, _downloads())
        dialog.selectFile(_plain(files[number]) or tr("attachment"))
        dialog.open()

    def save_all(self) -> None:
        """Ask for a folder, then save all files there; none takes the place of another."""
        message, files = self._shown()

        def save_in(folder: str) -> None:
            taken = set[Path]()
            for number, name in enumerate(files):
                path = _free(Path(folder) / (_plain(name) or tr("attachment")), taken)
                taken.add(path)
                self._requests.ask(SaveAttachment(message, number, path))
            self._say(tr_count("Saved %n file.", "Saved %n files.", len(files)))

        file_dialog(self._pane, tr("Save all attachments"), FOLDER, save_in, _downloads()).open()

    def _shown(self) -> tuple[int, list[str]]:
        shown = self._pane.shown_message
        return (shown.message, [each.name for each in shown.attachments]) if shown is not None else (-1, [])

    def _ask(self, danger: str, act: Callable[[], None]) -> None:
        from nbmail.ui.dialogs.questions import offer_choice, question_box

        more = tr("Open it only if you know who sent it and expected it. Where you aren't sure, ask the sender.")
        box = question_box(self._pane, tr("Open this attachment?"), danger, more, icon="warning")
        offer_choice(box, tr("Open"), tr("Don't open"), act)


def _downloads() -> str:
    return QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DownloadLocation)


def _plain(name: str) -> str:
    """The last part of a name, without what means a folder or a drive, and without marks that nobody sees."""
    last = name.replace("\\", "/").rpartition("/")[2]
    return "".join(each for each in last if each.isprintable() and each not in ':*?"<>|').strip(" .")


def _free(path: Path, taken: set[Path]) -> Path:
    """A path that is nobody's yet, with a number behind the name where it needs one."""
    number, free = 1, path
    while free in taken or free.exists():
        number += 1
        free = path.with_stem(f"{path.stem} ({number})")
    return free
