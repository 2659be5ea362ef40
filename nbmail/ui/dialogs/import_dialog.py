"""Preview of a model file before its import: add it to the model, replace earlier imports with it,
or cancel.
"""

from collections.abc import Callable

from PySide6.QtWidgets import QDialogButtonBox, QPushButton, QWidget

from nbmail.exchange import FORMATS
from nbmail.ui.kit import layouts
from nbmail.ui.kit.dialogs import ScrollDialog
from nbmail.ui.kit.labels import wrapping_label
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.texts.language import format_count, tr
from nbmail.ui.texts.plain_text import visible
from nbmail.worker.protocol.model_files import Agreement, ImportReport

MAX_NAME = 80
MAX_CLASSES = 8


class ImportDialog(ScrollDialog):
    """Preview with the choice between adding, replacing and canceling, the default.

    `take` is called with True to replace earlier imports, or False to add the file.
    """

    def __init__(self, parent: QWidget, report: ImportReport, take: Callable[[bool], None]) -> None:
        super().__init__(parent, tr("Import this model?"))
        self._take = take
        owner, _ = FORMATS.get(report.format, (report.format, ""))
        self.heading = wrapping_label(_heading(report, owner), "title")
        texts = _agreement_text(report.agreement), *_content_texts(report, owner)
        self.lines = [wrapping_label(text) for text in texts]
        notes = wrapping_label("\n\n".join(_notes(report)), "muted")
        kinds = QDialogButtonBox.ButtonRole
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.add_button = QPushButton(tr("Add to model"))
        self.replace_button = QPushButton(tr("Replace earlier imports"))
        for button, replace in ((self.add_button, False), (self.replace_button, True)):
            buttons.addButton(button, kinds.ActionRole)
            button.clicked.connect(lambda _=False, replace=replace: self._answer(replace))
            button.setEnabled(not report.counted)
        self.leave_button = self.default_button = buttons.button(
            QDialogButtonBox.StandardButton.Cancel
        )
        self.leave_button.setText(tr("Cancel"))
        buttons.rejected.connect(self.reject)
        contents = layouts.column(self.heading, *self.lines, notes, spacing=12)
        self.set_contents(contents, buttons, scaled(self, 520))

    def _answer(self, replace: bool) -> None:
        self._take(replace)
        self.accept()


def _heading(report: ImportReport, owner: str) -> str:
    shown = [
        f"{format_count(messages)} {visible(_class_name(name), MAX_NAME)}"
        for name, messages in report.classes[:MAX_CLASSES]
    ]
    if len(report.classes) > MAX_CLASSES:
        shown.append(tr("and more"))
    name = visible(report.path.name, MAX_NAME)
    if not shown:
        return tr("{name} contains no {owner} training.").format(name=name, owner=owner)
    text = tr("{name}: {owner} training. Messages: {list}.")
    return text.format(name=name, owner=owner, list=", ".join(shown))


def _class_name(name: str) -> str:
    return {"spam": tr("spam"), "ham": tr("not spam")}.get(name, name)


def _agreement_text(mine: Agreement) -> str:
    if not mine.spam + mine.ham:
        return tr("Mark some messages first to see how well this model fits your mail.")
    text = tr(
        "It agrees with {right} of your {all} marks: {spam_right} of {spam} spam and "
        "{ham_right} of {ham} not spam."
    )
    counts = {
        **mine._asdict(),
        "right": mine.spam_right + mine.ham_right,
        "all": mine.spam + mine.ham,
    }
    return text.format(**{name: format_count(count) for name, count in counts.items()})


def _content_texts(report: ImportReport, owner: str) -> list[str]:
    """Return which words of the file nbmail uses, stores or ignores."""
    text = tr("nbmail can use {ours} of its {n} words and already knows {known} of them.")
    counts = {"n": report.words, "ours": report.ours, "known": report.known}
    found = [text.format(**{name: format_count(count) for name, count in counts.items()})]
    if report.parts:
        text = tr("Buckets: {list}.")
        taken = tr("{name} (imported as {label})")
        shown = [
            taken.format(name=visible(name, MAX_NAME), label=_class_name(label))
            for name, label in report.parts[:MAX_CLASSES]
        ]
        more = [tr("and more")] if len(report.parts) > MAX_CLASSES else []
        found.insert(0, text.format(list="; ".join([*shown, *more])))
    if report.kept:
        text = tr(
            "The other {n} words have no effect here. nbmail keeps them for exports to {owner}."
        )
        found.append(text.format(n=format_count(report.kept), owner=owner))
    names = {
        "dates": tr("last-seen dates of {n} words"),
        "zero": tr("{n} words with a count of 0"),
        "foreign": tr("{n} words specific to that filter"),
        "magnets": tr("{n} magnets (rules, not training)"),
        "robx": tr("values calculated by bogoutil -R (run it again)"),
        "reckoned": tr("the number of messages (not in the file; nbmail estimates it)"),
    }
    dropped = [names[what].format(n=format_count(number)) for what, number in report.dropped]
    return (
        [*found, tr("Not imported: {list}.").format(list="; ".join(dropped))] if dropped else found
    )


def _notes(report: ImportReport) -> list[str]:
    found = []
    if report.counted:
        found.append(
            tr(
                "This file was already imported or was exported from here. Importing it "
                "again would count everything "
                "twice."
            )
        )
    if report.other_method:
        found.append(
            tr("It was made with another method, so only its word counts would be imported.")
        )
    return [
        *found,
        tr(
            "Your marks don't change, and you can undo the import. Before replacing earlier "
            "imports, nbmail "
            "saves a backup of the current model."
        ),
    ]
