"""Notes about the opening of the data folder, and the offer to restore labels that the database has
lost.
"""

from collections.abc import Sequence

from nbmail.ui.notices.banner import Remedy
from nbmail.ui.texts.error_texts import Notice
from nbmail.ui.texts.language import tr, tr_count
from nbmail.ui.texts.plain_text import join_sentences
from nbmail.ui.window.context import WindowContext
from nbmail.values import NoteKind, OpeningNote
from nbmail.worker.protocol.marks import Marked


def show_opening_notes(context: WindowContext, notes: Sequence[OpeningNote]) -> None:
    """Show notes in the banner. The offer comes first. Its dismissal is permanent."""
    engine = context.engine
    banner = context.banner

    def take_back() -> None:
        banner.dismiss()
        engine.take_back_labels().then(taken_back)

    def taken_back(done: Marked) -> None:
        count = len(done.messages)
        text = tr_count("1 mark was restored.", "%n marks were restored.", count) if count else ""
        later = tr("Marks of missing messages are restored when the messages arrive.")
        context.status.report(join_sentences(text, later), undo=count > 0)

    if notes:
        first, *others = sorted(notes, key=lambda note: note.kind is not NoteKind.LABELS_MISSING)
        missing = first.kind is NoteKind.LABELS_MISSING
        notice = _notice(first)
        advice = join_sentences(notice.advice, *(_notice(other).sentence for other in others))
        banner.show_notice(
            Notice(notice.sentence, advice, first.path, "trouble"),
            remedy=Remedy(tr("Restore marks"), take_back) if missing else None,
            dismissed=engine.leave_labels if missing else lambda: None,
        )


def _notice(note: OpeningNote) -> Notice:
    if note.kind is NoteKind.UPGRADED:
        return Notice(
            tr("nbmail has upgraded the file with your marks."),
            tr("The old file is kept as a backup."),
        )
    if note.kind is NoteKind.LOG_REPLACED:
        sentence = tr("labels.log, the second copy of your marks, was damaged.")
        return Notice(sentence, tr("nbmail has rewritten it and kept the damaged file."))
    if note.kind is NoteKind.REFILLED:
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
        return Notice(
            sentence,
            tr(
                "nbmail downloads mail again and restores its marks. Imports, ignored words "
                "and phrases are missing."
            ),
        )
    sentence = tr_count(
        "The file with your marks lacks 1 mark that labels.log contains.",
        "The file with your marks lacks %n marks that labels.log contains.",
        note.number,
    )
    return Notice(
        sentence,
        tr(
            "The file may be an older copy. Restore the marks, or dismiss this message to "
            "continue without them."
        ),
    )
