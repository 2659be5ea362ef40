"""Who gave a message its label, in a word for the list and in a sentence where there is room."""

import time

from nbmail.ui.accounts.sidebar import folder_name
from nbmail.ui.kit.language import locale, tr
from nbmail.ui.kit.phrases import NO_BREAK
from nbmail.ui.model.model_texts import label_text as mark_name
from nbmail.values import JournalLine, LabelSource, SourcedLabel

LONGEST_FOLDER = 40
"""Characters of a folder's name that are shown, its last ones: folders in folders differ at their ends."""


def source_text(label_source: LabelSource) -> str:
    """In a word or two, for a narrow column."""
    return _kinds().get(label_source.by, (tr("unknown"), ""))[0]


def _kinds() -> dict[str, tuple[str, str]]:
    """For each that gives labels what it is called, and the beginning of a sentence about a label it gave."""
    return {
        "user": (tr("you"), tr("You marked it {label}")),
        "folder": (tr("a folder"), tr("Learned as {label} from a folder")),
        "files": (tr("files"), tr("Learned as {label} from files that were handed in")),
        "server": (tr("mail server"), tr("Marked {label} on the mail server by another program")),
        "import": (tr("an import"), tr("Marked {label} by an import")),
        "repair": (tr("a repair"), tr("Kept as {label} by a repair")),
    }


def source_phrase(label_source: LabelSource) -> str:
    """All that is known of who it was."""
    if label_source.by == "server":
        return tr("another program on the mail server")
    if label_source.folder is None:
        return source_text(label_source)
    return tr("the folder “{folder}”").format(folder=_folder(label_source))


def journal_source_text(line: JournalLine) -> str:
    """Who changed a mark."""
    known = {"undo": tr("you, by undo"), "redo": tr("you, by redo"), "travel": tr("you, by going back")}
    known["start"] = tr("you, by starting from nothing")
    return known.get(line.by) or source_phrase(LabelSource(line.by, line.folder))


def label_text(label: str, label_source: LabelSource) -> str:
    """The beginning of a sentence: what label it is and who gave it."""
    text = _kinds().get(label_source.by, ("", tr("Marked {label}; it isn't known by whom")))[1]
    if label_source.folder is not None:
        text = tr("Learned as {label} from the folder “{folder}”")
    learned = label_source.by in ("folder", "files")
    name = tr("good") if learned and label == "good" else mark_name(label)
    return text.format(label=name, folder=_folder(label_source))


def source_sentence(given: SourcedLabel) -> str:
    """Who gave the label and when, and what brought it back since."""
    sentence = tr("{said}.").format(said=label_text(given.label, given.label_source))
    if given.moment:
        seen = given.label_source.by == "server"
        text = tr("{said}, seen here on {when}.") if seen else tr("{said} on {when}.")
        sentence = text.format(said=label_text(given.label, given.label_source), when=moment_text(given.moment))
    return f"{sentence} {_back_words(given)}".rstrip()


def _back_words(given: SourcedLabel) -> str:
    texts = {
        "undo": tr("Undo brought that back on {when}."),
        "redo": tr("Redo brought that back on {when}."),
        "travel": tr("Going back in time brought that back on {when}."),
    }
    text = texts.get(given.back_by, "")
    return text.format(when=moment_text(given.back_moment)) if text else ""


def moment_text(moment: float) -> str:
    """A date and an hour in full: what stands there for long mustn't become wrong."""
    then = time.localtime(moment)
    date = tr("{day} {month} {year}").replace(" ", NO_BREAK)
    month = locale().monthName(then.tm_mon, locale().FormatType.ShortFormat)
    words = date.format(day=then.tm_mday, month=month, year=then.tm_year)
    return f"{words}, {then.tm_hour:02}:{then.tm_min:02}"


def _folder(label_source: LabelSource) -> str:
    name = folder_name(label_source.folder) if label_source.folder is not None else ""
    return name if len(name) <= LONGEST_FOLDER else "…" + name[1 - LONGEST_FOLDER :].lstrip()
