"""Texts of the preview of a model file."""

from nbmail.exchange import FORMATS
from nbmail.ui.texts.language import format_count, tr
from nbmail.ui.texts.plain_text import visible
from nbmail.worker.protocol.model_files import Agreement, ImportReport

MAX_NAME = 80
MAX_CLASSES = 8
"""Characters of a name from the file, and classes that are listed."""


def heading(report: ImportReport) -> str:
    """Return the file's name, its filter and its numbers of messages."""
    name = visible(report.path.name, MAX_NAME)
    if not report.classes:
        return tr("{name} contains no {owner} training.").format(name=name, owner=_owner(report))

    shown = []
    for label, messages in report.classes:
        shown.append(f"{format_count(messages)} {visible(_class_name(label), MAX_NAME)}")
    text = tr("{name}: {owner} training. Messages: {list}.")
    listed = ", ".join(_shortened(shown))
    return text.format(name=name, owner=_owner(report), list=listed)


def agreement(mine: Agreement) -> str:
    """Return how many of the user's marks the file alone confirms."""
    marks = mine.spam + mine.ham
    if not marks:
        return tr("Mark some messages first to see how well this model fits your mail.")
    text = tr(
        "It agrees with {right} of your {all} marks: {spam_right} of {spam} spam and "
        "{ham_right} of {ham} not spam."
    )
    return text.format(
        right=format_count(mine.spam_right + mine.ham_right),
        all=format_count(marks),
        spam_right=format_count(mine.spam_right),
        spam=format_count(mine.spam),
        ham_right=format_count(mine.ham_right),
        ham=format_count(mine.ham),
    )


def contents(report: ImportReport) -> list[str]:
    """Return which words of the file nbmail uses and keeps."""
    found = []
    if report.parts:
        found.append(_buckets(report))

    text = tr("nbmail can use {ours} of its {n} words and already knows {known} of them.")
    found.append(
        text.format(
            ours=format_count(report.ours),
            n=format_count(report.words),
            known=format_count(report.known),
        )
    )
    if report.kept:
        text = tr(
            "The other {n} words have no effect here. nbmail keeps them for exports to {owner}."
        )
        found.append(text.format(n=format_count(report.kept), owner=_owner(report)))
    if report.is_estimated:
        found.append(tr("The file has no numbers of messages. nbmail estimates them."))
    return found


def notes(report: ImportReport) -> list[str]:
    """Return what the user should know before an import."""
    found = []
    if report.counted:
        found.append(
            tr(
                "This file was already imported or was exported from here. Importing it again "
                "would count everything twice."
            )
        )
    if report.other_method:
        found.append(
            tr("It was made with another method, so only its word counts would be imported.")
        )
    found.append(
        tr(
            "Your marks don't change, and you can undo the import. Before replacing earlier "
            "imports, nbmail saves a backup of the current model."
        )
    )
    return found


def _buckets(report: ImportReport) -> str:
    text = tr("{name} (imported as {label})")
    shown = []
    for name, label in report.parts:
        shown.append(text.format(name=visible(name, MAX_NAME), label=_class_name(label)))
    return tr("Buckets: {list}.").format(list="; ".join(_shortened(shown)))


def _shortened(texts: list[str]) -> list[str]:
    if len(texts) <= MAX_CLASSES:
        return texts
    return [*texts[:MAX_CLASSES], tr("and more")]


def _owner(report: ImportReport) -> str:
    """Return the program whose format the file has."""
    owner, _ = FORMATS.get(report.format, (report.format, ""))
    return owner


def _class_name(name: str) -> str:
    return {"spam": tr("spam"), "ham": tr("not spam")}.get(name, name)
