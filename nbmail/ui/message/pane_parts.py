"""Parts of the message pane: headers, attachments, the conversation, and buttons for folders."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QLabel, QMenu, QPushButton, QSizePolicy, QToolButton, QWidget

from nbmail.ui.accounts.sidebar import folder_name
from nbmail.ui.kit import layouts, phrases
from nbmail.ui.kit.layouts import scaled
from nbmail.ui.kit.phrases import percent, tr, tr_count
from nbmail.ui.kit.plain_text import (
    INVISIBLE,
    MAX_SHOWN,
    addresses_of,
    breakable,
    people_text,
    plain_label,
    plain_name,
    plain_tip,
    selectable_label,
)
from nbmail.ui.window.notices import quiet_button
from nbmail.worker.protocol.folders import FolderChance
from nbmail.worker.protocol.results import Attachment

LONGEST_HEADER = 160
LONGEST_READ = 8_000
"""Maximum number of letters of a header that are read; a header may have a million."""
LONGEST_TIP = 2000
PEOPLE = frozenset({"from", "to", "cc", "bcc", "reply-to", "sender"})
MAX_NAME = 60
"""Maximum number of shown characters of a file's name. Longer names lose their middle, not their extension."""
ENDING = 24
STRETCH = 18
"""Letters after which a name without spaces may be broken."""


def header_name(name: str) -> str:
    """Return the shown name of a header."""
    known = {"from": tr("From"), "to": tr("To"), "cc": tr("Cc"), "date": tr("Date"), "reply-to": tr("Reply to")}
    return known.get(name.lower(), name.capitalize())


def tidy_spaces(text: str) -> str:
    """Return the text in one line with single spaces, without invisible characters, cut to `LONGEST_READ`."""
    return INVISIBLE.sub("", " ".join(text[:LONGEST_READ].split()))


def short_name(name: str) -> str:
    """Return a file's name cut in its middle, with possible line breaks."""
    if len(name) > MAX_NAME:
        name = f"{name[: MAX_NAME - ENDING].rstrip()}…{name[-ENDING:].lstrip()}"
    return breakable(name, STRETCH)


def header_text(name: str, value: str) -> tuple[str, int]:
    """Return the text of a header and its maximum length. As many people are named as fit, with full addresses."""
    if name.lower() not in PEOPLE:
        return tidy_spaces(value), LONGEST_HEADER
    texts = (people_text(value, most) for most in range(MAX_SHOWN, 0, -1))
    return next((text for text in texts if len(text) <= LONGEST_HEADER), people_text(value, 1)), LONGEST_TIP


def fill_label(label: QLabel, text: str, longest: int = LONGEST_HEADER) -> None:
    """Set a label's text, cut to `longest` letters. The tooltip contains the full text."""
    label.setText(text if len(text) <= longest else text[:longest].rstrip() + "…")
    label.setToolTip(plain_tip(text[:LONGEST_TIP]) if len(text) > LONGEST_HEADER else "")


def offer_addresses(label: QLabel, people: str) -> None:
    """Let the context menu of a label copy its selection and the addresses of people."""
    entries = [(tr("Copy"), label.selectedText)]
    for address in addresses_of(people):
        entries.append((tr("Copy {address}").format(address=plain_name(address)), partial(str, address)))
    for text, copied in entries:
        action = QAction(text, label)
        action.triggered.connect(partial(_copy, copied))
        label.addAction(action)
    # Qt's own menu of actions waits in a nested loop, and the program ends if the label is deleted meanwhile.
    label.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    label.customContextMenuRequested.connect(partial(_open_menu, label))


def _open_menu(label: QLabel, place: QPoint) -> None:
    menu = QMenu(label)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.addActions(label.actions())
    menu.popup(label.mapToGlobal(place))


def _copy(text: Callable[[], str]) -> None:
    if copied := text():
        QGuiApplication.clipboard().setText(copied)


def mail_label() -> QLabel:
    """Return a label for texts of a mail, aligned to the left in every script."""
    label = selectable_label(by_keyboard=True)
    label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignTop)
    return label


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


MOST_LINES = 6
"""Lines that are shown."""


class ConversationLines(QWidget):
    """Conversation: sender, date and verdict of each message; hidden for one alone. `choose`, `select`: on a click."""

    def __init__(self) -> None:
        super().__init__()
        self.choose: Callable[[int], object] = lambda message: None
        self.select: Callable[[], object] = lambda: None
        self.all = quiet_button("", self._select, flush=True)
        self.lines = [quiet_button("", flush=True) for _ in range(MOST_LINES)]
        self.messages: Sequence[int] = ()
        for place, line in enumerate(self.lines):
            line.clicked.connect(partial(self._choose, place))
        self.setLayout(layouts.column(layouts.Flow(*self.lines, self.all, gap=16), margins=(0, 2, 0, 2)))
        self.show_lines(())

    def show_lines(self, lines: Sequence[tuple[int, str, bool]]) -> None:
        """Show the latest messages: number, text, and whether the user can go to it."""
        self.setVisible(len(lines) > 1)
        count = sum(is_reachable for *_, is_reachable in lines) + 1
        self.all.setVisible(count > 1)
        self.all.setText(tr_count("Select this message", "Select %n messages of this conversation", count))
        shown = lines[-MOST_LINES:]
        self.messages = [message for message, *_ in shown]
        for button, (_, text, is_reachable) in zip(self.lines, shown, strict=False):
            button.setText(plain_name(text))
            button.setEnabled(is_reachable)
        self.set_compact(False)

    def set_compact(self, compact: bool) -> None:
        """Show only the button for all messages, or all lines again."""
        for place, button in enumerate(self.lines):
            button.setVisible(place < len(self.messages) and not compact)

    def _select(self) -> None:
        self.select()

    def _choose(self, place: int, _: bool = False) -> None:
        self.choose(self.messages[place])


SHOWN = 3
NAME_WIDTHS = (150, 100, 60)
"""Pixels of a folder name, the first ones that fit. Longer names lose their middle."""
GAP = 6


class FolderButtons(QWidget):
    """A line of buttons; the last ones are hidden if the line is too short. Hidden without suggestions.

    Signals: `accepted(FolderName)`; `reasons_requested(int)` with the place of a suggestion; `others_requested()`.
    """

    accepted = Signal(object)
    reasons_requested = Signal(int)
    others_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.chances: Sequence[FolderChance] = ()
        self._label = plain_label(tr("Move to:"), "muted")
        self.buttons = [FolderButton(place) for place in range(SHOWN)]
        self.others = quiet_button(tr("Other…"), self.others_requested.emit, flush=True)
        self.reasons = quiet_button(tr("Why?"), partial(self.reasons_requested.emit, 0), flush=True)
        self.reasons.setToolTip(tr("Why this folder, and not the next one"))
        for place, button in enumerate(self.buttons):
            button.clicked.connect(partial(self.accept, place))
            button.reasons_requested.connect(partial(self.reasons_requested.emit, place))
        # The width of the pane decides which parts are shown, and not the other way round.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setLayout(
            layouts.row(self._label, *self.buttons, self.others, self.reasons, None, spacing=GAP, margins=(0, 4, 0, 2))
        )
        self.show_chances(())

    def show_chances(self, chances: Sequence[FolderChance]) -> None:
        """Show suggested folders, likeliest first; none hides the line."""
        self.chances = chances[:SHOWN]
        self.setVisible(bool(chances))
        self._fit()

    def accept(self, place: int, _: bool = False) -> None:
        """Move to the folder at this place, if it is suggested."""
        if place < len(self.chances):
            self.accepted.emit(self.chances[place].folder)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Shorten the names, then hide the last parts, until the line fits. The first folder stays."""
        buttons = self.buttons[: len(self.chances)]
        for width in NAME_WIDTHS:
            for button, chance in zip(buttons, self.chances, strict=True):
                button.show_chance(chance, width)
            if sum(each.sizeHint().width() + GAP for each in (*buttons, self.others)) <= self.width():
                break
        shown: list[QWidget] = [self._label, *buttons, self.others, *([self.reasons] if buttons else [])]
        for part in (self._label, self.reasons, *reversed(buttons[1:]), self.others):
            if part in shown and sum(each.sizeHint().width() + GAP for each in shown) > self.width():
                shown.remove(part)
        # A part that is shown and hidden again would resize the line, and never end that.
        for part in (self._label, *self.buttons, self.others, self.reasons):
            part.setVisible(part in shown)


class FolderButton(QPushButton):
    """Button of a suggested folder. The key E on it requests the reasons."""

    reasons_requested = Signal()

    def __init__(self, place: int) -> None:
        super().__init__()
        self._place = place

    def show_chance(self, chance: FolderChance, width: int) -> None:
        """Show a folder in a name of at most `width` pixels, and its probability."""
        name, shown = folder_name(chance.folder), percent(chance.probability)
        short = self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, scaled(self, width))
        self.setText(plain_name(f"{short}  {shown}"))
        text = tr("Move to {folder} (key {key}). The key E shows the reasons.")
        self.setToolTip(plain_tip(text.format(folder=name, key=self._place + 1)))
        spoken = tr("Move to {folder}, {chance}, key {key}")
        self.setAccessibleName(spoken.format(folder=name, chance=shown, key=self._place + 1))

    def event(self, event: QEvent) -> bool:
        # Claims the key before the window's shortcut of the same key.
        plain = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_E and not event.modifiers()
        if plain and event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if plain and event.type() == QEvent.Type.KeyPress:
            self.reasons_requested.emit()
            return True
        return super().event(event)
