"""Preview of a model file before its import."""

from collections.abc import Callable

from PySide6.QtWidgets import QDialogButtonBox, QPushButton, QWidget

from nbmail.ui.dialogs import import_texts
from nbmail.ui.kit import layouts
from nbmail.ui.kit.dialogs import ScrollDialog
from nbmail.ui.kit.plain_labels import wrapping_label
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.texts.language import tr
from nbmail.worker.protocol.model_files import ImportReport


class ImportDialog(ScrollDialog):
    """Preview with the choice between adding, replacing and canceling, the default.

    `take` is called with True to replace earlier imports, or False to add the file.
    """

    def __init__(self, parent: QWidget, report: ImportReport, take: Callable[[bool], None]) -> None:
        super().__init__(parent, tr("Import this model?"))
        self._take = take
        self.heading = wrapping_label(import_texts.heading(report), "title")
        texts = [import_texts.agreement(report.agreement), *import_texts.contents(report)]
        self.lines = [wrapping_label(text) for text in texts]
        notes = wrapping_label("\n\n".join(import_texts.notes(report)), "muted")

        contents = layouts.column(self.heading, *self.lines, notes, spacing=12)
        self.set_contents(contents, self._make_buttons(report), scaled(self, 520))

    def _make_buttons(self, report: ImportReport) -> QDialogButtonBox:
        cancel = QDialogButtonBox.StandardButton.Cancel
        buttons = QDialogButtonBox(cancel)
        self.leave_button = buttons.button(cancel)
        self.leave_button.setText(tr("Cancel"))
        self.default_button = self.leave_button
        buttons.rejected.connect(self.reject)

        self.add_button = QPushButton(tr("Add to model"))
        self.add_button.clicked.connect(lambda: self._answer(replace=False))
        self.replace_button = QPushButton(tr("Replace earlier imports"))
        self.replace_button.clicked.connect(lambda: self._answer(replace=True))
        for button in (self.add_button, self.replace_button):
            button.setEnabled(not report.counted)
            buttons.addButton(button, QDialogButtonBox.ButtonRole.ActionRole)
        return buttons

    def _answer(self, *, replace: bool) -> None:
        self._take(replace)
        self.accept()
