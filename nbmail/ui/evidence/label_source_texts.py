"""Texts about the source of a label."""

from typing import NamedTuple

from nbmail.ui.sidebar.list_names import folder_name
from nbmail.ui.texts.date_texts import moment_text
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.mark_texts import label_name
from nbmail.values import JournalLine, LabelSource, SourcedLabel

LONGEST_FOLDER = 40
"""Maximum number of shown characters of a folder's name: its end, where nested folders differ."""


class SourceTexts(NamedTuple):
    """Name of a kind of source, and the beginning of a sentence about its label."""

    name: str
    sentence: str


def _texts_of(kind: str) -> SourceTexts:
    texts = {
        "user": SourceTexts(tr("you"), tr("You marked it as {label}")),
        "folder": SourceTexts(tr("folder"), tr("Learned as {label} from a folder")),
        "files": SourceTexts(tr("mail files"), tr("Learned as {label} from mail files")),
        "server": SourceTexts(tr("other program"), tr("Marked as {label} by another mail program")),
        "import": SourceTexts(tr("import"), tr("Marked as {label} by an import")),
        "rule": SourceTexts(tr("your rule"), tr("Decided as {label} by your rule")),
    }
    unknown = SourceTexts(tr("unknown"), tr("Marked as {label} by an unknown source"))
    return texts.get(kind, unknown)


def source_text(label_source: LabelSource) -> str:
    """Return one or two words for a narrow column."""
    return _texts_of(label_source.by).name


def source_phrase(label_source: LabelSource) -> str:
    if label_source.by == "server":
        return tr("another mail program")
    if label_source.folder is None:
        return source_text(label_source)
    return tr("the folder “{folder}”").format(folder=_folder_text(label_source))


def journal_source_text(line: JournalLine) -> str:
    """Return who made an entry of the journal."""
    own = {
        "undo": tr("you (undo)"),
        "redo": tr("you (redo)"),
        "restore": tr("you (restored)"),
        "start": tr("you (reset)"),
    }
    return own.get(line.by) or source_phrase(LabelSource(line.by, line.folder))


def label_text(label: str, label_source: LabelSource) -> str:
    text = _texts_of(label_source.by).sentence
    if label_source.folder is not None:
        text = tr("Learned as {label} from the folder “{folder}”")
    return text.format(label=label_name(label), folder=_folder_text(label_source))


def source_sentence(sourced: SourcedLabel) -> str:
    """Return who assigned a label, when, and whether that was restored since."""
    text = tr("{said}.")
    if sourced.moment:
        is_received = sourced.label_source.by == "server"
        text = tr("{said}, received on {when}.") if is_received else tr("{said} on {when}.")
    said = label_text(sourced.label, sourced.label_source)
    sentence = text.format(said=said, when=moment_text(sourced.moment))
    return f"{sentence} {_restored_text(sourced)}".rstrip()


def _restored_text(sourced: SourcedLabel) -> str:
    texts = {
        "undo": tr("Restored by Undo on {when}."),
        "redo": tr("Restored by Redo on {when}."),
        "restore": tr("Restored from the history on {when}."),
    }
    text = texts.get(sourced.back_by, "")
    return text.format(when=moment_text(sourced.back_moment))


def _folder_text(label_source: LabelSource) -> str:
    if label_source.folder is None:
        return ""
    name = folder_name(label_source.folder)
    if len(name) <= LONGEST_FOLDER:
        return name
    return "…" + name[1 - LONGEST_FOLDER :].lstrip()
