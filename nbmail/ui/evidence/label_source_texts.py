"""Texts for the source of a label: a word for the list, and sentences."""

import time

from nbmail.ui.accounts.sidebar import folder_name
from nbmail.ui.kit.language import locale, tr
from nbmail.ui.kit.phrases import NO_BREAK
from nbmail.ui.model.model_texts import label_text as mark_name
from nbmail.values import JournalLine, LabelSource, SourcedLabel

LONGEST_FOLDER = 40
"""Maximum number of shown characters of a folder's name, from its end: nested folders differ there."""


def source_text(label_source: LabelSource) -> str:
    """Return one or two words for a narrow column."""
    return _kinds().get(label_source.by, (tr("unknown"), ""))[0]


def _kinds() -> dict[str, tuple[str, str]]:
    """Return for each kind of source its name and the beginning of a sentence about its label."""
    return {
        "user": (tr("you"), tr("You marked it {label}")),
        "folder": (tr("a folder"), tr("Learned as {label} from a folder")),
        "files": (tr("files"), tr("Learned as {label} from files that were handed in")),
        "server": (tr("mail server"), tr("Marked {label} on the mail server by another program")),
        "import": (tr("an import"), tr("Marked {label} by an import")),
        "repair": (tr("a repair"), tr("Kept as {label} by a repair")),
    }


def source_phrase(label_source: LabelSource) -> str:
    """Return the full name of a source."""
    if label_source.by == "server":
        return tr("another program on the mail server")
    if label_source.folder is None:
        return source_text(label_source)
    return tr("the folder “{folder}”").format(folder=_folder(label_source))


def journal_source_text(line: JournalLine) -> str:
    """Return the source of a journal entry."""
    known = {"undo": tr("you, by undo"), "redo": tr("you, by redo"), "travel": tr("you, by going back")}
    known["start"] = tr("you, by starting from nothing")
    return known.get(line.by) or source_phrase(LabelSource(line.by, line.folder))


def label_text(label: str, label_source: LabelSource) -> str:
    """Return the beginning of a sentence with a label and its source."""
    text = _kinds().get(label_source.by, ("", tr("Marked {label}; it isn't known by whom")))[1]
    if label_source.folder is not None:
        text = tr("Learned as {label} from the folder “{folder}”")
    learned = label_source.by in ("folder", "files")
    name = tr("good") if learned and label == "good" else mark_name(label)
    return text.format(label=name, folder=_folder(label_source))


def source_sentence(sourced: SourcedLabel) -> str:
    """Return a sentence with a label, its source and date, and its restoration since."""
    sentence = tr("{said}.").format(said=label_text(sourced.label, sourced.label_source))
    if sourced.moment:
        seen = sourced.label_source.by == "server"
        text = tr("{said}, seen here on {when}.") if seen else tr("{said} on {when}.")
        sentence = text.format(said=label_text(sourced.label, sourced.label_source), when=moment_text(sourced.moment))
    return f"{sentence} {_restored_text(sourced)}".rstrip()


def _restored_text(sourced: SourcedLabel) -> str:
    texts = {
        "undo": tr("Undo brought that back on {when}."),
        "redo": tr("Redo brought that back on {when}."),
        "travel": tr("Going back in time brought that back on {when}."),
    }
    text = texts.get(sourced.back_by, "")
    return text.format(when=moment_text(sourced.back_moment)) if text else ""


def moment_text(moment: float) -> str:
    """Return date and time in full. The text stays valid however long it is shown."""
    then = time.localtime(moment)
    date = tr("{day} {month} {year}").replace(" ", NO_BREAK)
    month = locale().monthName(then.tm_mon, locale().FormatType.ShortFormat)
    words = date.format(day=then.tm_mday, month=month, year=then.tm_year)
    return f"{words}, {then.tm_hour:02}:{then.tm_min:02}"


def _folder(label_source: LabelSource) -> str:
    name = folder_name(label_source.folder) if label_source.folder is not None else ""
    return name if len(name) <= LONGEST_FOLDER else "…" + name[1 - LONGEST_FOLDER :].lstrip()
