"""Short questions to the user. None blocks: what follows from the answer is called with it."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QMessageBox, QWidget

from nbmail import __version__
from nbmail.ui.dialogs.form_dialog import FormDialog, answer_buttons
from nbmail.ui.kit import layouts
from nbmail.ui.kit.icons import draw_icon, window_icon
from nbmail.ui.kit.language import tr
from nbmail.ui.kit.plain_text import breakable, plain_label, visible, wrapping_label
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.message.link_targets import LinkTarget, owner_of, read_link
from nbmail.ui.window.notices import make_button

MAX_ADDRESS = 600
ICON_SIZE = 40
LEAST_WIDTH = 300
STRETCH = 40
"""Letters of an address after which it may be broken, where no sign in it allows that."""


def ask_link(parent: QWidget, address: str, follow: Callable[[str], None]) -> QMessageBox:
    """Show where a link really leads, and open that only if the user says so. Not opening is the default."""
    target = read_link(address)
    if target is None:
        more = tr("No browser could tell where it leads.")
        return _tell(question_box(parent, tr("Open this link?"), tr("This link is broken."), more, icon="warning"))
    text = tr("This link leads to {server}. Open it in your browser?")
    if target.recipients:
        text = tr("This link writes to {server}. Open it in your mail program?")
    whole = target.address
    shown = whole if len(whole) <= MAX_ADDRESS else whole[:MAX_ADDRESS] + "…"
    where = target.server or ", ".join(visible(each, MAX_ADDRESS) for each in target.recipients)
    more = "\n\n".join((*_looks(target), breakable(shown, STRETCH)))
    box = question_box(parent, tr("Open this link?"), text.format(server=breakable(where, STRETCH)), more)
    offer_choice(box, tr("Open"), tr("Don't open"), lambda: follow(whole))
    return box


def _looks(target: LinkTarget) -> list[str]:
    """What else is to be known of the server's name."""
    lines, owner = [], owner_of(target.server)
    if owner != target.server:
        lines.append(tr("That server belongs to {owner}.").format(owner=breakable(owner, STRETCH)))
    if target.foreign:
        lines.append(tr("Its name has letters of other scripts, which may look like those of a name you know."))
    return lines


def show_about(parent: QWidget) -> QMessageBox:
    """What this program is, and which version."""
    text = tr("nbmail {version}").format(version=__version__)
    more = tr("Sorts your mail, learns from your marks, and shows the words that decide.")
    box = question_box(parent, tr("About nbmail"), text, more)
    box.setIconPixmap(window_icon().pixmap(64, 64))
    return _tell(box)


def _tell(box: QMessageBox) -> QMessageBox:
    box.addButton(QMessageBox.StandardButton.Close)
    box.open()
    return box


def question_box(parent: QWidget, title: str, text: str, more: str, *, icon: str = "unsure") -> QMessageBox:
    """A question whose texts are shown letter by letter."""
    box = QMessageBox(parent)
    box.setIconPixmap(draw_icon(icon, box.palette().link().color().name(), ICON_SIZE, box.devicePixelRatioF()))
    box.setWindowTitle(title)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(text)
    box.setInformativeText(more)
    for label in box.findChildren(QLabel):
        label.setTextFormat(Qt.TextFormat.PlainText)
        if label.text() == more:
            # Qt makes a short question's box so narrow that what is said in it becomes a tower.
            label.setMinimumWidth(scaled(box, LEAST_WIDTH))
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return box


def offer_choice(box: QMessageBox, yes: str, no: str, act: Callable[[], None]) -> None:
    """Two answers, the harmless one as the default, and show the question."""
    go = box.addButton(yes, QMessageBox.ButtonRole.AcceptRole)
    stay = box.addButton(no, QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(stay)
    box.setEscapeButton(stay)
    box.buttonClicked.connect(lambda pressed: act() if pressed is go else None)
    box.open()


def ask_removal(parent: QWidget, account: str, remove: Callable[[], None]) -> QMessageBox:
    """Ask before a mailbox is let go."""
    text = tr("Remove {account} from nbmail?").format(account=account)
    more = tr("None of its mail is deleted where it lies, and what was learned from it stays.")
    box = question_box(parent, tr("Remove this mailbox?"), text, more)
    offer_choice(box, tr("Remove"), tr("Keep"), remove)
    return box


class PasswordDialog(FormDialog):
    """Asks for a password and hands it to `give`. Signals: those of every dialog.

    `show_page` leads to where the provider gives out passwords for programs, if it does.
    """

    def __init__(
        self, parent: QWidget, account: str, give: Callable[[str], None], show_page: Callable[[], None] | None = None
    ) -> None:
        super().__init__(parent, tr("Password"))
        self._give = give
        self.field = QLineEdit()
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.field.setAccessibleName(tr("Password"))
        self.page_button = make_button(tr("Make an app password…"), show_page)
        self.page_button.setVisible(show_page is not None)
        heading = plain_label(tr("Password of {account}").format(account=account))
        text = tr("It is kept in this system's keyring where there is one, and sent to the mail server only.")
        page = (self.page_button, Qt.AlignmentFlag.AlignLeft)
        contents = layouts.column(heading, self.field, wrapping_label(text, "muted"), page, spacing=10)
        self.hold(contents, answer_buttons(self), 380)
        self.field.setFocus()

    def accept(self) -> None:
        self._give(self.field.text())
        super().accept()
