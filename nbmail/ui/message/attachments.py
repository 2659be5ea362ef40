"""Attachments of the open message: names, warnings, and a menu that opens and saves them."""

from collections.abc import Callable
from functools import partial
from itertools import chain, count
from pathlib import Path

from PySide6.QtCore import QStandardPaths, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QMenu, QToolButton, QWidget

from nbmail.ui.dialogs.questions import open_question, question_box
from nbmail.ui.kit import layouts
from nbmail.ui.kit.dialogs import FOLDER, NEW, file_dialog
from nbmail.ui.kit.labels import selectable_label
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.texts.language import tr, tr_count
from nbmail.ui.texts.number_texts import size_text
from nbmail.ui.texts.plain_text import breakable, plain_name, plain_tip
from nbmail.ui.window.services import open_file
from nbmail.worker.engine.engine import Engine
from nbmail.worker.protocol.messages import Body, MessageText, SavedAttachment

MAX_NAME = 60
"""Maximum number of shown characters of a file's name. Longer names lose their middle, not their
extension.
"""
ENDING = 24
STRETCH = 18
"""Letters after which a name without spaces may be broken."""
MOST_FILES = 20
NARROW = 280
"""Width in pixels below which the button stands below the names."""


def _extensions(text: str) -> frozenset[str]:
    return frozenset(text.split())


PROGRAMS = _extensions(
    "action airx apk app appimage appinstaller application appref-ms applescript appx "
    "appxbundle bas bash bat bin chm "
    "class cmd com command cpl crx csh deb desktop deskthemepack diagcab diagcfg diagpkg dll "
    "dmg exe flatpakref gadget "
    "hlp hta htc img inf ins iso isp its jar jnlp js jse ksh lnk mpkg msc msh msh1 msh2 msi "
    "msix msixbundle msp mst "
    "msu ocx osx php pif pkg pl plg ppkg ps1 ps1xml ps2 psc1 psd1 psm1 py pyc pyo pyw pyz "
    "pyzw rb reg rpm run scf scpt "
    "scptd scr sct settingcontent-ms sh shb shs snap sys terminal theme themepack tool vb "
    "vbe vbs vbscript vhd vhdx "
    "vsix vsto workflow ws wsb wsc wsf wsh xap xbap xll xnk xpi zsh"
)
"""Extensions of files that run when opened, or contain such files."""
LINKS = _extensions(
    "afploc atomloc dqy fileloc ftploc inetloc iqy library-ms odc oqy rdp rqy search-ms "
    "searchconnector-ms url vncloc "
    "webloc website"
)
"""Extensions of files that open another place when opened."""
MACROS = _extensions(
    "accda accdb accde accdr ade adp doc docm dot dotm mdb mde odb odp ods odt one pot potm "
    "ppa ppam pps ppsm ppt pptm "
    "pub sldm slk xla xlam xls xlsb xlsm xlt xltm xlw"
)
PAGES = _extensions("htm html mht mhtml shtml svg svgz xht xhtml xml xsl")
ARCHIVES = _extensions(
    "7z ace arj bz2 cab cpio gz lha lz lzh lzma r00 rar tar tbz2 tgz txz uue wim xz z zip zipx zst"
)
HARMLESS = _extensions(
    "avi csv doc docx gif jpeg jpg mp3 mp4 pdf png ppt pptx rtf txt xls xlsx zip"
)
"""Extensions that a disguised program puts in front of its own."""


def warning(name: str) -> str:
    """Return the danger of opening a file, "" for harmless kinds."""
    *front, extension = name.lower().split(".")
    claimed = front[-1] if len(front) > 1 and front[-1] in HARMLESS else ""
    if extension in PROGRAMS and claimed:
        return tr("{name} is a program disguised as a {kind} file.").format(
            name=name, kind=claimed.upper()
        )
    texts = {
        PROGRAMS: tr("{name} is a program or can start one."),
        LINKS: tr("{name} opens a web page, a folder or another computer."),
        MACROS: tr("{name} may contain macros, which can run harmful code."),
        PAGES: tr("{name} is a web page. It may imitate a sign-in page to steal your password."),
        ARCHIVES: tr("{name} is an archive. nbmail has not checked its contents."),
    }
    return next(
        (text.format(name=name) for kinds, text in texts.items() if front and extension in kinds),
        "",
    )


def short_name(name: str) -> str:
    """Return a file's name cut in its middle, with possible line breaks."""
    if len(name) > MAX_NAME:
        name = f"{name[: MAX_NAME - ENDING].rstrip()}…{name[-ENDING:].lstrip()}"
    return breakable(name, STRETCH)


class Attachments(QWidget):
    """Names of the attachments, warnings, and a button to open or save them. Hidden without
    attachments.

    Messages outside the mailbox have no button, and no `engine`. Dangerous files are opened only
    after a question. `report`: called with a text about what was saved.
    """

    def __init__(
        self, engine: Engine | None = None, report: Callable[[str], None] = lambda text: None
    ) -> None:
        super().__init__()
        self.names, self.danger = (selectable_label(by_keyboard=True) for _ in range(2))
        self.danger.setProperty("verdict", "spam")
        alignments = Qt.AlignmentFlag
        self.names.setAlignment(
            alignments.AlignVCenter | alignments.AlignLeft | alignments.AlignAbsolute
        )
        self._engine = engine
        self._report = report
        self._message = -1
        self._files = list[str]()
        self._warnings = list[str]()
        self._count = self._named = ""
        self.button, self._menu = QToolButton(), QMenu(self)
        self.button.setProperty("flush", True)
        self.button.setAccessibleName(tr("Open or save attachments"))
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.button.setMenu(self._menu)
        self._line = layouts.row(
            (self.names, 1), (self.button, alignments.AlignTop | alignments.AlignLeft), spacing=8
        )
        self.setLayout(layouts.column(self._line, self.danger, spacing=2))
        self.hide()

    def show_files(self, message: MessageText) -> None:
        files = message.attachments
        self._message = message.message
        self._files = [each.name for each in files]
        titles = [short_name(each.name) or each.kind for each in files]
        shown = [
            f"{title} ({size_text(each.size)})" for each, title in zip(files, titles, strict=True)
        ]
        self._count = tr_count("%n attachment", "%n attachments", len(files))
        self._named = ", ".join(shown[:MOST_FILES])
        worst_first = sorted(
            self._files, key=lambda name: name.lower().rpartition(".")[2] not in PROGRAMS
        )
        self._warnings = [text for name in worst_first if (text := warning(name))][:3]
        self.button.setVisible(message.body is Body.WHOLE and self._engine is not None)
        self.set_compact(False)
        self._menu.clear()
        for number, title in enumerate(titles):
            part = self._menu if len(titles) == 1 else self._menu.addMenu(plain_name(title))
            part.addAction(tr("Open"), partial(self.open, number))
            part.addAction(tr("Save as…"), partial(self.save, number))
        if len(titles) > 1:
            self._menu.addSeparator()
            self._menu.addAction(tr("Save all…"), self.save_all)
        self.setVisible(bool(files))

    def set_compact(self, compact: bool) -> None:
        """Show only the number of files and the worst warning, for a low pane. The menu names all
        files.
        """
        alone = compact and not self.button.isHidden()
        self.names.setText(self._count if compact else f"{self._count}: {self._named}")
        self.names.setVisible(not alone)
        self.button.setText(f"{self._count if alone else tr('Open or save')}  ▾")
        for part in (self.names, self.button):
            part.setToolTip(plain_tip(self._named) if compact else "")
        self.danger.setText("\n".join(self._warnings[:1] if compact else self._warnings))
        self.danger.setVisible(bool(self._warnings))

    def show_warning_sign(self) -> None:
        """Replace the warning by a sign on the button, whose tooltip contains it."""
        if self._warnings and self.names.isHidden():
            self.danger.hide()
            self.button.setText(f"⚠ {self.button.text()}")
            self.button.setToolTip(plain_tip(self._warnings[0]))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        ways = QBoxLayout.Direction
        self._line.setDirection(
            ways.LeftToRight if self.width() >= scaled(self, NARROW) else ways.TopToBottom
        )

    # ------------------------------------------------------------------------------------------------------
    # actions

    def open(self, number: int) -> None:
        """Open a file with the desktop's program, a dangerous one only after a question."""
        name = self._files[number]
        danger = warning(self._files[number])

        def opened(saved: SavedAttachment) -> None:
            if saved.runs and not danger:
                text = tr("{name} is a program, despite its name.").format(name=name)
                self._ask(text, lambda: open_file(saved.path))
            else:
                open_file(saved.path)

        fetch = partial(self._fetch, self._message, number, None, opened)
        self._ask(danger, fetch) if danger else fetch()

    def save(self, number: int) -> None:
        """Save a file to a path that the user chooses."""
        if number >= len(self._files):
            # Another message came while the menu was open.
            return
        message = self._message

        def save_to(name: str) -> None:
            report = lambda saved: self._report(tr("Saved {name}.").format(name=saved.path.name))  # noqa: E731
            self._fetch(message, number, Path(name), report)

        dialog = file_dialog(self, tr("Save attachment"), NEW, save_to, _downloads())
        dialog.selectFile(self._files[number] or tr("attachment"))
        dialog.open()

    def save_all(self) -> None:
        """Save all files in a folder that the user chooses. No file replaces another."""
        message = self._message
        files = self._files

        def save_in(folder: str) -> None:
            taken = set[Path]()
            saved = list[Path]()

            def note(file: SavedAttachment) -> None:
                saved.append(file.path)
                if len(saved) == len(files):
                    self._report(tr_count("Saved %n file.", "Saved %n files.", len(saved)))

            for number, name in enumerate(files):
                path = Path(folder) / (name or tr("attachment"))
                paths = chain(
                    (path,), (path.with_stem(f"{path.stem} ({again})") for again in count(2))
                )
                free = next(each for each in paths if each not in taken and not each.exists())
                taken.add(free)
                self._fetch(message, number, free, note)

        file_dialog(self, tr("Save all attachments"), FOLDER, save_in, _downloads()).open()

    def _fetch(
        self, message: int, number: int, path: Path | None, use: Callable[[SavedAttachment], object]
    ) -> None:
        if self._engine is not None:
            self._engine.save_attachment(message, number, path).then(use)

    def _ask(self, danger: str, act: Callable[[], None]) -> None:
        more = tr(
            "Open it only if you know the sender and expected this file. If in doubt, ask "
            "the sender."
        )
        box = question_box(self, tr("Open this attachment?"), danger, more, icon="warning")
        open_question(box, tr("Open"), tr("Don't open"), act)


def _downloads() -> str:
    return QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DownloadLocation)
