"""Notes about the opening of the data folder, and the offer to restore labels that the database has lost."""

from collections.abc import Sequence

from nbmail.ui.kit.error_texts import Notice
from nbmail.ui.kit.phrases import tr, tr_count
from nbmail.ui.window.notices import Banner, Remedy, Report
from nbmail.values import NoteKind, OpeningNote
from nbmail.worker.protocol.client import Engine
from nbmail.worker.protocol.results import Marked


class OpeningNotes:
    """Shows notes in the banner. The offer comes first. Its dismissal is permanent."""

    def __init__(self, engine: Engine, banner: Banner, report: Report) -> None:
        self._engine, self._banner, self._report = engine, banner, report

    def show(self, notes: Sequence[OpeningNote]) -> None:
        missing = [note for note in notes if note.kind is NoteKind.LABELS_MISSING]
        others = [note for note in notes if note.kind is not NoteKind.LABELS_MISSING]
        for note in [*missing, *others][:1]:
            more = [_notice(other).sentence for other in others if other is not note]
            notice = _notice(note)
            notice = Notice(notice.sentence, " ".join([notice.advice, *more]), note.path, "trouble")
            remedy = Remedy(tr("Restore marks"), self._take_back) if note in missing else None
            self._banner.show_notice(notice, remedy=remedy, dismissed=self._leave if note in missing else None)

    def _take_back(self) -> None:
        self._banner.dismiss()
        self._engine.take_back_labels().then(self._taken_back)

    def _taken_back(self, done: Marked) -> None:
        count = len(done.messages)
        text = tr_count("1 mark was restored.", "%n marks were restored.", count) if count else ""
        self._report(
            f"{text} {tr('Marks of missing messages are restored when the messages arrive.')}".strip(), undo=count > 0
        )

    def _leave(self) -> None:
        self._engine.leave_labels()


def _notice(note: OpeningNote) -> Notice:
    if note.kind is NoteKind.UPGRADED:
        return Notice(tr("nbmail has upgraded the file with your marks."), tr("The old file is kept as a backup."))
    if note.kind is NoteKind.LOG_REPLACED:
        sentence = tr("labels.log, the second copy of your marks, was damaged.")
        return Notice(sentence, tr("nbmail has rewritten it and kept the damaged file."))
    if note.kind is NoteKind.REFILLED:
        sentence = tr_count(
            "The file with your marks was damaged. nbmail created a new one with 1 mark from labels.log.",
            "The file with your marks was damaged. nbmail created a new one with %n marks from labels.log.",
            note.number,
        )
        return Notice(
            sentence,
            tr("nbmail downloads mail again and restores its marks. Imports, ignored words and phrases are missing."),
        )
    sentence = tr_count(
        "The file with your marks lacks 1 mark that labels.log contains.",
        "The file with your marks lacks %n marks that labels.log contains.",
        note.number,
    )
    return Notice(
        sentence,
        tr("The file may be an older copy. Restore the marks, or dismiss this message to continue without them."),
    )
