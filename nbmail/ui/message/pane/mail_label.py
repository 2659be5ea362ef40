"""Labels for texts of a mail, which may be long, and copied."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QLabel, QMenu

from nbmail.ui.kit.plain_labels import selectable_label
from nbmail.ui.message.pane.header_texts import LONGEST_HEADER, LONGEST_TIP
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.people import addresses_of
from nbmail.ui.texts.plain_text import plain_name, plain_tip


def mail_label() -> QLabel:
    """Return a label for texts of a mail, aligned to the left in every script."""
    label = selectable_label(by_keyboard=True)
    places = Qt.AlignmentFlag
    label.setAlignment(places.AlignLeft | places.AlignAbsolute | places.AlignTop)
    return label


def fill_label(label: QLabel, text: str, longest: int = LONGEST_HEADER) -> None:
    """Set a label's text, cut to `longest` letters. The tooltip contains the full text."""
    shown = text
    if len(text) > longest:
        shown = text[:longest].rstrip() + "…"
    label.setText(shown)
    label.setToolTip(plain_tip(text[:LONGEST_TIP]) if len(text) > LONGEST_HEADER else "")


def offer_addresses(label: QLabel, people: str) -> None:
    """Let the context menu of a label copy its selection and the addresses of people."""
    _add_copy(label, tr("Copy"), label.selectedText)
    for address in addresses_of(people):
        text = tr("Copy {address}").format(address=plain_name(address))
        _add_copy(label, text, partial(str, address))
    # Qt's own menu of actions waits in a nested loop, and the program ends if the label is deleted
    # meanwhile.
    label.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    label.customContextMenuRequested.connect(partial(_open_menu, label))


def _add_copy(label: QLabel, text: str, copied: Callable[[], str]) -> None:
    action = QAction(text, label)
    action.triggered.connect(partial(_copy, copied))
    label.addAction(action)


def _copy(text: Callable[[], str]) -> None:
    copied = text()
    if copied:
        QGuiApplication.clipboard().setText(copied)


def _open_menu(label: QLabel, place: QPoint) -> None:
    menu = QMenu(label)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.addActions(label.actions())
    menu.popup(label.mapToGlobal(place))
