"""Forms and their fields."""

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QFormLayout, QLabel, QWidget

from nbmail.ui.kit.accessibility import name_combo


def add_plain_row(
    form: QFormLayout, name: str, field: QWidget, named: QWidget | None = None
) -> None:
    """Add a row to a form.

    `named`: the widget inside `field` that gets the focus of the row's mnemonic.
    """
    form.addRow(name, field)
    label = form.labelForField(field)
    if isinstance(label, QLabel):
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setBuddy(named or field)
        # Qt limits the label to 7/4 of a line: its text would be above the text of the field.
        label.setMinimumHeight(field.sizeHint().height())


def form_layout() -> QFormLayout:
    made = QFormLayout()
    made.setContentsMargins(0, 0, 0, 0)
    made.setHorizontalSpacing(16)
    made.setVerticalSpacing(9)
    made.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    made.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
    made.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    return made


def combo_of(entries: Iterable[tuple[str, object]], name: str = "") -> QComboBox:
    """Return a combo box with these texts and their values. `name`: its accessible name."""
    choice = QComboBox()
    for text, value in entries:
        choice.addItem(text, value)
    if name:
        name_combo(choice, name)
    return choice
