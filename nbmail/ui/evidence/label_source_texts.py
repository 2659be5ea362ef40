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
        "user": (tr("you"), tr("You marked it as {label}")),
        "folder": (tr("folder"), tr("Learned as {label} from a folder")),
        "files": (tr("mail files"), tr("Learned as {label} from mail files")),
        "server": (tr("other program"), tr("Marked as {label} by another mail program")),
        "import": (tr("import"), tr("Marked as {label} by an import")),
        "rule": (tr("your rule"), tr("Decided as {label} by your rule")),
        "repair": (tr("repair"), tr("Restored as {label} by a repair")),
    }


def source_phrase(label_source: LabelSource) -> str:
    """Return the full name of a source."""
    if label_source.by == "server":
        return tr("another mail program")
    if label_source.folder is None:
        return source_text(label_source)
    return tr("the folder “{folder}”").format(folder=_folder(label_source))


def journal_source_text(line: JournalLine) -> str:
    """Return the source of a journal entry."""
    known = {"undo": tr("you (undo)"), "redo": tr("you (redo)"), "travel": tr("you (restored)")}
    known["start"] = tr("you (reset)")
    return known.get(line.by) or source_phrase(LabelSource(line.by, line.folder))


def label_text(label: str, label_source: LabelSource) -> str:
    """Return the beginning of a sentence with a label and its source."""
    text = _kinds().get(label_source.by, ("", tr("Marked as {label} by an unknown source")))[1]
    if label_source.folder is not None:
        text = tr("Learned as {label} from the folder “{folder}”")
    return text.format(label=mark_name(label), folder=_folder(label_source))


def source_sentence(sourced: SourcedLabel) -> str:
    """Return a sentence with a label, its source and date, and its restoration since."""
    sentence = tr("{said}.").format(said=label_text(sourced.label, sourced.label_source))
    if sourced.moment:
        seen = sourced.label_source.by == "server"
        text = tr("{said}, received on {when}.") if seen else tr("{said} on {when}.")
        sentence = text.format(said=label_text(sourced.label, sourced.label_source), when=moment_text(sourced.moment))
    return f"{sentence} {_restored_text(sourced)}".rstrip()


def _restored_text(sourced: SourcedLabel) -> str:
    texts = {
        "undo": tr("Restored by Undo on {when}."),
        "redo": tr("Restored by Redo on {when}."),
        "travel": tr("Restored from the history on {when}."),
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
