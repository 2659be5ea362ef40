"""Attachments of a message: names, warnings about dangerous kinds, and a menu to open and save them."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QLabel, QMenu, QToolButton, QWidget

from nbmail.ui.kit import layouts, phrases
from nbmail.ui.kit.language import tr, tr_count
from nbmail.ui.kit.layouts import scaled
from nbmail.ui.kit.plain_text import plain_name, plain_tip, selectable_label
from nbmail.worker.protocol.results import Attachment

MOST_FILES = 20
NARROW = 280
"""Width in pixels below which the button stands below the names."""


def _extensions(text: str) -> frozenset[str]:
    return frozenset(text.split())


PROGRAMS = _extensions(
    "action airx apk app appimage appinstaller application appref-ms applescript appx appxbundle bas bash bat bin chm "
    "class cmd com command cpl crx csh deb desktop deskthemepack diagcab diagcfg diagpkg dll dmg exe flatpakref gadget "
    "hlp hta htc img inf ins iso isp its jar jnlp js jse ksh lnk mpkg msc msh msh1 msh2 msi msix msixbundle msp mst "
    "msu ocx osx php pif pkg pl plg ppkg ps1 ps1xml ps2 psc1 psd1 psm1 py pyc pyo pyw pyz pyzw rb reg rpm run scf scpt "
    "scptd scr sct settingcontent-ms sh shb shs snap sys terminal theme themepack tool vb vbe vbs vbscript vhd vhdx "
    "vsix vsto workflow ws wsb wsc wsf wsh xap xbap xll xnk xpi zsh"
)
"""Extensions of files that run when opened, or contain such files."""
LINKS = _extensions(
    "afploc atomloc dqy fileloc ftploc inetloc iqy library-ms odc oqy rdp rqy search-ms searchconnector-ms url vncloc "
    "webloc website"
)
"""Extensions of files that open another place when opened."""
MACROS = _extensions(
    "accda accdb accde accdr ade adp doc docm dot dotm mdb mde odb odp ods odt one pot potm ppa ppam pps ppsm ppt pptm "
    "pub sldm slk xla xlam xls xlsb xlsm xlt xltm xlw"
)
PAGES = _extensions("htm html mht mhtml shtml svg svgz xht xhtml xml xsl")
ARCHIVES = _extensions("7z ace arj bz2 cab cpio gz lha lz lzh lzma r00 rar tar tbz2 tgz txz uue wim xz z zip zipx zst")
HARMLESS = _extensions("avi csv doc docx gif jpeg jpg mp3 mp4 pdf png ppt pptx rtf txt xls xlsx zip")
"""Extensions that a disguised program puts in front of its own."""


def warning(name: str) -> str:
    """Return the danger of opening a file, "" for harmless kinds."""
    *front, extension = name.lower().split(".")
    claimed = front[-1] if len(front) > 1 and front[-1] in HARMLESS else ""
    if extension in PROGRAMS and claimed:
        return tr("{name} is a program disguised as a {kind} file.").format(name=name, kind=claimed.upper())
    texts = {
        PROGRAMS: tr("{name} is a program or can start one."),
        LINKS: tr("{name} opens a web page, a folder or another computer."),
        MACROS: tr("{name} may contain macros, which can run harmful code."),
        PAGES: tr("{name} is a web page. It may imitate a sign-in page to steal your password."),
        ARCHIVES: tr("{name} is an archive. nbmail has not checked its contents."),
    }
    return next((text.format(name=name) for kinds, text in texts.items() if front and extension in kinds), "")


class AttachmentRow(QWidget):
    """Names of the attachments, and a button to open or save them. Hidden without attachments.

    `usable`: False hides the button, for messages outside the mailbox. Signals: `open_requested(int)` and
    `save_requested(int)` with the number of a file; `save_all_requested()`.
    """

    open_requested = Signal(int)
    save_requested = Signal(int)
    save_all_requested = Signal()

    def __init__(self, label: QLabel) -> None:
        super().__init__()
        self.names, self.danger = label, selectable_label(by_keyboard=True)
        self.danger.setProperty("verdict", "junk")
        self.names.setAlignment(
            Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute
        )
        self.usable = False
        self._count = self._named = ""
        self._warnings: list[str] = []
        self.button = QToolButton()
        self.button.setProperty("flush", True)
        self.button.setAccessibleName(tr("Open or save attachments"))
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.button.setMenu(QMenu(self.button))
        line = layouts.row(
            (self.names, 1), (self.button, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft), spacing=8
        )
        self.setLayout(layouts.column(line, self.danger, spacing=2))
        self._line = line
        self.hide()

    def show_files(self, files: Sequence[Attachment], names: Sequence[str], *, there: bool) -> None:
        """Show files. `there`: their contents are cached."""
        titles = [name or each.kind for each, name in zip(files, names, strict=True)]
        shown = [f"{name} ({phrases.size_text(each.size)})" for each, name in zip(files, titles, strict=True)]
        self._count = tr_count("%n attachment", "%n attachments", len(files))
        self._named = ", ".join(shown[:MOST_FILES])
        worst_first = sorted(
            (each.name for each in files), key=lambda name: name.lower().rpartition(".")[2] not in PROGRAMS
        )
        self._warnings = [text for name in worst_first if (text := warning(name))][:3]
        self.button.setVisible(there and self.usable)
        self.set_compact(False)
        self._fill(titles)
        self.setVisible(bool(files))

    def set_compact(self, compact: bool) -> None:
        """In a low pane show only the number of files and the worst warning. The menu names all files."""
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
        self._line.setDirection(ways.LeftToRight if self.width() >= scaled(self, NARROW) else ways.TopToBottom)

    def _fill(self, names: Sequence[str]) -> None:
        menu = self.button.menu()
        menu.clear()
        single = len(names) == 1
        for number, name in enumerate(names):
            part = menu if single else menu.addMenu(plain_name(name))
            part.addAction(tr("Open"), partial(self.open_requested.emit, number))
            part.addAction(tr("Save as…"), partial(self.save_requested.emit, number))
        if not single:
            menu.addSeparator()
            menu.addAction(tr("Save all…"), self.save_all_requested.emit)
