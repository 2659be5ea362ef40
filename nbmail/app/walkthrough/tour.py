"""The demo without a display: the same window, drawn into memory, walks the main path and shows what it sees."""

from collections.abc import Callable
from pathlib import Path

from nbmail.app.program import Program
from nbmail.app.walkthrough.terminal_table import TerminalLine, table
from nbmail.app.walkthrough.walk import Wait, Walk, WalkFailed, WalkSteps, Watch, leave
from nbmail.ui.evidence.clue_texts import bare_word, place_words
from nbmail.ui.list.columns import Column
from nbmail.worker.protocol import Contribution, Explain, Explanation

SHOWN = 36
"""Messages of the table: the newest, as a window shows them first."""
COLUMNS = (Column.CHANCE, Column.VERDICT, Column.SENDER, Column.SUBJECT)
JUNK_SUBJECT = "lovely to bump into you"
GOOD_SUBJECT = "You have won!!! (raffle, second prize)"
"""Two that nobody could tell by their looks: an investment swindle in a friend's voice, and the choir's own raffle."""


class Tour:
    """Sync, score, mark one junk and one good, export; tables to the terminal, pictures to a folder."""

    def __init__(self, pictures: Path, say: Callable[[str], None]) -> None:
        self._pictures, self._say = pictures, say
        self._before: dict[int, TerminalLine] = {}

    def begin(self, program: Program) -> None:
        """Start walking; the program ends when the walk does."""
        self._watch = Watch(program)
        Walk(self._steps(), self._end, program)

    def _end(self, failure: str) -> None:
        if failure:
            self._say(f"\nThe tour broke off: {failure}.")
        leave(1 if failure else 0)

    def _steps(self) -> WalkSteps:
        watch = self._watch
        self._say("There is no display here, so nbmail draws its window into memory and shows its main path by itself.")
        yield Wait("the mail to arrive", lambda: watch.in_step and watch.inbox() and watch.quiet())
        marked = [self._find(subject) for subject in (JUNK_SUBJECT, GOOD_SUBJECT)]
        newest = list(dict.fromkeys([*watch.inbox()[:SHOWN], *marked]))
        self._say(self._summary())
        yield from self._show("The inbox, before any mark of yours:", newest)
        self._picture("1-inbox")
        yield from self._mark("junk", JUNK_SUBJECT, "2-marked-junk")
        yield from self._mark("good", GOOD_SUBJECT, "3-marked-good")
        yield from self._show("The same messages after these two marks (in brackets: before):", newest)
        yield from self._export()
        self._say(f"\nPictures of the window: {self._pictures}")

    def _summary(self) -> str:
        watch = self._watch
        mail = watch.window.model.mail
        assert mail is not None
        folders = {name.folder: held for name, (held, _) in mail.count_folders().items()}
        parts = ", ".join(f"{held} in {name}" for name, held in folders.items())
        learned = f"{watch.known('junk')} junk and {watch.known('good')} good messages"
        return (
            f"Synced {sum(folders.values())} messages ({parts}); learned from the {learned} that were already sorted."
        )

    def _show(self, title: str, messages: list[int]) -> WalkSteps:
        """Print these messages with their strongest words."""
        answers = {message: self._watch.ask(Explain(message, strongest=3)) for message in messages}
        yield Wait("the words behind the scores", lambda: all(answer() for answer in answers.values()))
        lines = {message: self._line(message, answers[message]()[0]) for message in messages}
        self._say(f"\n{title}\n")
        for line in table(list(lines.values())):
            self._say(line)
        self._before = lines

    def _line(self, message: int, why: Explanation) -> TerminalLine:
        model = self._watch.window.model
        assert model.mail is not None
        assert model.words is not None
        place = int(model.mail.find([message])[0])
        cells = [model.words.text(place, column) for column in COLUMNS]
        before = self._before.get(message)
        if before and before.cells[0] != cells[0]:
            cells[0] += f" ({before.cells[0]})"
        return TerminalLine(tuple(cells), [_spoken(each) for each in why.contributions[:3]])

    def _mark(self, label: str, subject: str, picture: str) -> WalkSteps:
        """Choose the message in the window, look at why it has its score, and press the button."""
        watch = self._watch
        message = self._find(subject)
        known = watch.known(label)
        watch.choose(message)
        yield watch.until_quiet("the message's text")
        watch.press(label)
        yield Wait(f"the mark as {label}", lambda: watch.known(label) == known + 1)
        yield watch.until_quiet("the new scores")
        said = watch.window.status.text()
        watch.choose(message)
        yield watch.until_quiet("the message's evidence")
        self._say(f"\n“{subject}”: {said}")
        self._picture(picture)

    def _find(self, subject: str) -> int:
        mail = self._watch.window.model.mail
        assert mail is not None
        for message in self._watch.inbox():
            if mail.subjects[int(mail.find([message])[0])] == subject:
                return message
        raise WalkFailed(f"there is no message “{subject}” in the inbox")

    def _export(self) -> WalkSteps:
        path = self._pictures / "demo.nbmodel"
        path.unlink(missing_ok=True)
        self._watch.window.model_files.export_to(path)
        yield Wait("the export", path.exists)
        yield self._watch.until_quiet("the end of the export")
        self._say(f"\nExported what was learned: {path} ({path.stat().st_size:,} bytes)")

    def _picture(self, name: str) -> None:
        self._pictures.mkdir(parents=True, exist_ok=True)
        path = self._pictures / f"{name}.png"
        if not self._watch.window.grab().save(str(path)):
            raise WalkFailed(f"the picture {path} could not be written")


def _spoken(one: Contribution) -> str:
    """A word with the sign of what it speaks for, and where it stood if that was not the text."""
    bare, place = bare_word(one.word, one.place), place_words(one.place)
    where = "" if place in ("", place_words("body")) else f" ({place})"
    return f"{'+' if one.contribution > 0 else '-'}{bare}{where}"
