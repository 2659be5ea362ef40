"""Events while the home was opened, and the offer to take back labels that the database has lost."""

from collections.abc import Sequence

from nbmail.ui.kit.error_texts import Notice
from nbmail.ui.kit.language import tr, tr_count
from nbmail.ui.window.notices import Banner, Remedy, Report
from nbmail.values import NoteKind, OpeningNote
from nbmail.worker.protocol.client import Engine
from nbmail.worker.protocol.results import Marked


class OpeningNotes:
    """Shows notes in the banner, the offer before all others: it can be accepted or dismissed for good."""

    def __init__(self, engine: Engine, banner: Banner, report: Report) -> None:
        self._engine, self._banner, self._report = engine, banner, report

    def show(self, notes: Sequence[OpeningNote]) -> None:
        missing = [note for note in notes if note.kind is NoteKind.LABELS_MISSING]
        others = [note for note in notes if note.kind is not NoteKind.LABELS_MISSING]
        for note in [*missing, *others][:1]:
            more = [_notice(other).sentence for other in others if other is not note]
            notice = _notice(note)
            notice = Notice(notice.sentence, " ".join([notice.advice, *more]), note.path)
            remedy = Remedy(tr("Take them back"), self._take_back) if note in missing else None
            self._banner.show_notice(notice, remedy=remedy, dismissed=self._leave if note in missing else None)

    def _take_back(self) -> None:
        self._banner.dismiss()
        self._engine.take_back_labels().then(self._taken_back)

    def _taken_back(self, done: Marked) -> None:
        count = len(done.messages)
        text = tr_count("1 mark is back.", "%n marks are back.", count) if count else ""
        self._report(f"{text} {tr('Marks of mail that is not here yet come with it.')}".strip(), undo=count > 0)

    def _leave(self) -> None:
        self._engine.leave_labels()


def _notice(note: OpeningNote) -> Notice:
    if note.kind is NoteKind.UPGRADED:
        return Notice(tr("nbmail has upgraded the file with your marks."), tr("The old one is kept as a backup."))
    if note.kind is NoteKind.LOG_REPLACED:
        sentence = tr("labels.log, the second copy of your marks, was damaged.")
        return Notice(sentence, tr("nbmail has written it again and keeps the damaged file."))
    if note.kind is NoteKind.REFILLED:
        sentence = tr_count(
            "The file with your marks was damaged. A new one has 1 mark from the second copy.",
            "The file with your marks was damaged. A new one has %n marks from the second copy.",
            note.number,
        )
        return Notice(
            sentence, tr("Mail is fetched again and gets its marks. Imported models and ignored words are missing.")
        )
    sentence = tr_count(
        "1 mark is missing in the file with your marks, but not in labels.log.",
        "%n marks are missing in the file with your marks, but not in labels.log.",
        note.number,
    )
    return Notice(
        sentence,
        tr("An older copy of the file may have been put back. Dismiss this to go on without these marks."),
    )
