"""Notes about the opening of the data folder."""

from collections.abc import Sequence

from nbmail.ui.texts.error_texts import Notice
from nbmail.ui.texts.language import tr, tr_count
from nbmail.ui.texts.plain_text import join_sentences
from nbmail.ui.window.window_context import WindowContext
from nbmail.values import NoteKind, OpeningNote


def show_opening_notes(context: WindowContext, notes: Sequence[OpeningNote]) -> None:
    """Show all notes in one banner."""
    if not notes:
        return
    first, *others = map(_notice, notes)
    advice = join_sentences(first.advice, *(other.sentence for other in others))
    detail = notes[0].path
    context.banner.show_notice(Notice(first.sentence, advice, detail, "trouble"))


def _notice(note: OpeningNote) -> Notice:
    if note.kind is NoteKind.LOG_REPLACED:
        sentence = tr("labels.log, the second copy of your marks, was damaged.")
        return Notice(sentence, tr("nbmail has rewritten it and kept the damaged file."))
    if note.path:
        sentence = tr_count(
            (
                "The file with your marks was damaged. nbmail created a new one with 1 mark from "
                "labels.log."
            ),
            (
                "The file with your marks was damaged. nbmail created a new one with %n marks "
                "from labels.log."
            ),
            note.number,
        )
        advice = tr(
            "nbmail downloads mail again and restores its marks. Imports, ignored words and "
            "phrases are missing."
        )
        return Notice(sentence, advice)
    sentence = tr_count(
        "nbmail restored 1 mark from labels.log, which the file with your marks lacked.",
        "nbmail restored %n marks from labels.log, which the file with your marks lacked.",
        note.number,
    )
    advice = tr("Marks of missing messages are restored when the messages arrive.")
    return Notice(sentence, advice)
