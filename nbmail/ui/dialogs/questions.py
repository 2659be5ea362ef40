"""Small dialogs: questions, password, keys, about. None blocks; each answer goes to a callback."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QGridLayout, QLabel, QLineEdit, QMessageBox, QWidget

from nbmail.ui.kit import layouts
from nbmail.ui.kit.dialogs import ScrollDialog, answer_buttons, close_button
from nbmail.ui.kit.layouts import scaled
from nbmail.ui.kit.phrases import key_text, tr
from nbmail.ui.kit.plain_text import breakable, plain_label, visible, wrapping_label
from nbmail.ui.kit.theme import draw_icon, window_icon
from nbmail.ui.list.list_choice import Kind
from nbmail.ui.message.link_targets import owner_of, read_link
from nbmail.ui.window.notices import make_button
from nbmail.version import read_version

MAX_ADDRESS = 600
MIN_WIDTH = 300
STRETCH = 40
"""Characters of an address without a possible line break after which one is inserted."""


def ask_link(parent: QWidget, address: str, follow: Callable[[str], None]) -> QMessageBox:
    """Show the actual target of a link. `follow` is called if the user confirms; the default is not
    to open it.
    """
    target = read_link(address)
    if target is None:
        text = tr("This link is broken.")
        more = tr("Its address is not valid.")
        return _show(question_box(parent, tr("Open this link?"), text, more, icon="warning"))
    text = tr("This link leads to {server}. Open it in your browser?")
    if target.recipients:
        text = tr("This link starts a message to {server}. Open it in your mail program?")
    whole = target.address
    shown = whole if len(whole) <= MAX_ADDRESS else whole[:MAX_ADDRESS] + "…"
    where = target.server or ", ".join(visible(each, MAX_ADDRESS) for each in target.recipients)
    warnings = list[str]()
    owner = owner_of(target.server)
    if owner != target.server:
        warnings.append(
            tr("Its registered domain is {owner}.").format(owner=breakable(owner, STRETCH))
        )
    if target.foreign:
        warnings.append(
            tr("Its name contains non-English letters, which can imitate a name you know.")
        )
    more = "\n\n".join((*warnings, breakable(shown, STRETCH)))
    box = question_box(
        parent, tr("Open this link?"), text.format(server=breakable(where, STRETCH)), more
    )
    open_question(box, tr("Open"), tr("Don't open"), lambda: follow(whole))
    return box


def show_about(parent: QWidget) -> QMessageBox:
    text = tr("nbmail {version}").format(version=read_version().line)
    more = tr("Sorts your mail, learns from your marks and shows the reasons for every verdict.")
    box = question_box(parent, tr("About nbmail"), text, more)
    box.setIconPixmap(window_icon().pixmap(64, 64))
    return _show(box)


def _show(box: QMessageBox) -> QMessageBox:
    box.addButton(QMessageBox.StandardButton.Close)
    box.open()
    return box


def question_box(
    parent: QWidget | None, title: str, text: str, more: str, *, icon: str = "unsure"
) -> QMessageBox:
    """Return a question with plain texts that is not open yet."""
    box = QMessageBox(parent)
    box.setIconPixmap(
        draw_icon(icon, box.palette().link().color().name(), 40, box.devicePixelRatioF())
    )
    box.setWindowTitle(title)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(text)
    box.setInformativeText(more)
    for label in box.findChildren(QLabel):
        label.setTextFormat(Qt.TextFormat.PlainText)
        if label.text() == more:
            # Qt makes the box of a short question so narrow that the informative text becomes very
            # high.
            label.setMinimumWidth(scaled(box, MIN_WIDTH))
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return box


def open_question(box: QMessageBox, yes: str, no: str, act: Callable[[], object]) -> None:
    """Add two answers, the harmless one as the default, and open the question. `act` is called for
    the other.
    """
    go = box.addButton(yes, QMessageBox.ButtonRole.AcceptRole)
    stay = box.addButton(no, QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(stay)
    box.setEscapeButton(stay)
    box.buttonClicked.connect(lambda pressed: act() if pressed is go else None)
    box.open()


def ask_removal(parent: QWidget, account: str, remove: Callable[[], None]) -> QMessageBox:
    text = tr("Remove {account} from nbmail?").format(account=account)
    more = tr(
        "Its mail is not deleted from the server or your disk. nbmail keeps what it has learned."
    )
    box = question_box(parent, tr("Remove account?"), text, more)
    open_question(box, tr("Remove"), tr("Cancel"), remove)
    return box


class PasswordDialog(ScrollDialog):
    """Password prompt. `give` gets the password; `show_page` opens the provider's page for app
    passwords, if any.
    """

    def __init__(
        self,
        parent: QWidget,
        account: str,
        give: Callable[[str], None],
        show_page: Callable[[], None] | None = None,
    ) -> None:
        super().__init__(parent, tr("Password"))
        self.field = QLineEdit(echoMode=QLineEdit.EchoMode.Password)
        self.accepted.connect(lambda: give(self.field.text()))
        self.field.setAccessibleName(tr("Password"))
        self.page_button = make_button(tr("Create app password…"), show_page)
        self.page_button.setVisible(show_page is not None)
        heading = plain_label(tr("Password for {account}").format(account=account))
        text = tr(
            "nbmail stores it in the system keyring if there is one, and sends it only to "
            "your mail server."
        )
        page = (self.page_button, Qt.AlignmentFlag.AlignLeft)
        contents = layouts.column(
            heading, self.field, wrapping_label(text, "muted"), page, spacing=10
        )
        self.set_contents(contents, answer_buttons(self), 380)
        self.field.setFocus()


def key_rows(actions: Sequence[QAction]) -> list[tuple[str, str]]:
    native = QKeySequence.SequenceFormat.NativeText
    rows = [
        (
            action.iconText().rstrip("…"),
            "  ".join(key.toString(native) for key in action.shortcuts()),
        )
        for action in actions
        if action.shortcuts() and not action.objectName().startswith("list-")
    ]
    return [
        *rows,
        (tr("Smart lists"), f"{key_text('Ctrl+1')} … {key_text(f'Ctrl+{len(Kind)}')}"),
        (tr("Extend selection"), f"{key_text('Shift+Up')}  {key_text('Shift+Down')}"),
        (tr("Leave search field"), tr("Enter")),
        (tr("Clear search"), tr("Esc")),
    ]


class KeyMapDialog(ScrollDialog):
    """List of all keys."""

    def __init__(self, parent: QWidget, actions: Sequence[QAction]) -> None:
        super().__init__(parent, tr("Keyboard shortcuts"))
        grid = QGridLayout()
        grid.setHorizontalSpacing(18)
        grid.setVerticalSpacing(8)
        for row, (name, keys) in enumerate(key_rows(actions)):
            key = plain_label(keys, "title")
            key.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            grid.addWidget(key, row, 0)
            grid.addWidget(plain_label(name), row, 1)
        grid.setColumnStretch(1, 1)
        self.set_contents(grid, close_button(self))
