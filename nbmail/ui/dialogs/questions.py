"""Questions over the window. None blocks; each answer goes to a callback."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QMessageBox, QWidget

from nbmail.ui.kit.drawing import draw_icon, window_icon
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.texts.language import tr
from nbmail.version import read_version

MIN_WIDTH = 300


def show_about(parent: QWidget) -> QMessageBox:
    text = tr("nbmail {version}").format(version=read_version().line)
    more = tr("Sorts your mail, learns from your marks and shows the reasons for every verdict.")
    box = question_box(parent, tr("About nbmail"), text, more)
    box.setIconPixmap(window_icon().pixmap(64, 64))
    return show_box(box)


def show_box(box: QMessageBox) -> QMessageBox:
    """Open a box that only reports something."""
    box.addButton(QMessageBox.StandardButton.Close)
    box.open()
    return box


def question_box(
    parent: QWidget | None, title: str, text: str, more: str, *, icon: str = "unsure"
) -> QMessageBox:
    """Return a question with plain texts that is not open yet."""
    box = QMessageBox(parent)
    color = box.palette().link().color().name()
    box.setIconPixmap(draw_icon(icon, color, 40, box.devicePixelRatioF()))
    box.setWindowTitle(title)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(text)
    box.setInformativeText(more)
    for label in box.findChildren(QLabel):
        label.setTextFormat(Qt.TextFormat.PlainText)
        if label.text() == more:
            # Qt makes the box of a short question narrow and its informative text very high.
            label.setMinimumWidth(scaled(box, MIN_WIDTH))
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return box


def open_question(box: QMessageBox, yes: str, no: str, act: Callable[[], object]) -> None:
    """Add two answers, and open the question. `act` is called for the answer `yes`.

    The harmless answer `no` is the default.
    """
    go = box.addButton(yes, QMessageBox.ButtonRole.AcceptRole)
    stay = box.addButton(no, QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(stay)
    box.setEscapeButton(stay)

    def answer(pressed: QAbstractButton) -> None:
        if pressed is go:
            act()

    box.buttonClicked.connect(answer)
    box.open()


def ask_removal(parent: QWidget, account: str, remove: Callable[[], None]) -> QMessageBox:
    text = tr("Remove {account} from nbmail?").format(account=account)
    more = tr(
        "Its mail is not deleted from the server or your disk. nbmail keeps what it has learned."
    )
    box = question_box(parent, tr("Remove account?"), text, more)
    open_question(box, tr("Remove"), tr("Cancel"), remove)
    return box
