"""Tour of the demo where there is no display: the inbox before and after two marks."""

from collections.abc import Callable, Sequence
from pathlib import Path

from nbmail.app.scripted.scripted_run import ScriptedRun
from nbmail.app.scripted.self_test import MIN_INBOX
from nbmail.app.scripted.window_driver import CheckFailed, WindowDriver
from nbmail.core.explaining.explanation import Contribution
from nbmail.ui.evidence.features.feature_texts import feature_text
from nbmail.ui.evidence.features.place_texts import place_text
from nbmail.ui.list.list_choice import Column

SHOWN = 36
"""Newest messages that are listed."""
COLUMNS = {Column.CHANCE: 17, Column.VERDICT: 8, Column.SENDER: 20, Column.SUBJECT: 42}
"""Columns of the table and their widths."""
STRONGEST = 3
"""Reasons of each message."""
SPAM_SUBJECT = "lovely to bump into you"
HAM_SUBJECT = "You have won!!! (raffle, second prize)"
"""Subjects that mislead: an investment fraud in a friend's tone, and a raffle of the user's
choir.
"""


class Tour(ScriptedRun):
    """Marks two messages, prints the inbox before and after, and stores pictures of the window.

    `folder`: for the pictures and the exported model.
    """

    failed = "The tour failed"
    passed = "The tour is over."

    def __init__(self, print_line: Callable[[str], None], folder: Path) -> None:
        super().__init__(print_line)
        self._folder = folder
        self._chances: dict[int, str] = {}

    def perform(self, driver: WindowDriver) -> None:
        driver.wait_for_mail(MIN_INBOX)
        self._print_arrival(driver)

        spam = _find(driver, SPAM_SUBJECT)
        ham = _find(driver, HAM_SUBJECT)
        shown = list(dict.fromkeys([*driver.inbox()[:SHOWN], spam, ham]))
        self._print_table(driver, "The inbox before your marks:", shown)
        self._picture(driver, "1-inbox")

        self._mark(driver, "spam", spam)
        self._picture(driver, "2-marked-spam")
        self._mark(driver, "ham", ham)
        self._picture(driver, "3-marked-ham")
        title = "The same messages after two marks (earlier chance in brackets):"
        self._print_table(driver, title, shown)
        self._export(driver)

    def _print_arrival(self, driver: WindowDriver) -> None:
        counts = driver.mail.count_folders()
        folders = {name.folder: count for name, (count, _) in counts.items()}
        parts = ", ".join(f"{count} in {name}" for name, count in folders.items())
        self.print_line(f"Synced {sum(folders.values())} messages ({parts}).")
        spam = driver.known("spam")
        ham = driver.known("ham")
        self.print_line(
            f"Learned from {spam} spam and {ham} good messages that were already sorted."
        )

    def _mark(self, driver: WindowDriver, label: str, message: int) -> None:
        driver.open_message(message)
        driver.mark(label, label, 1)
        reported = driver.parts.status.text()
        subject = _cell(driver, message, Column.SUBJECT)
        self.print_line(f"“{subject}”: {reported}")
        driver.open_message(message)

    def _print_table(self, driver: WindowDriver, title: str, messages: list[int]) -> None:
        self.print_line(f"\n{title}\n")
        headings = ["chance", "verdict", "from", "subject", "strongest reasons (+ spam, - ham)"]
        self.print_line(_row(headings))
        engine = driver.program.engine
        requests = {one: engine.explain(one, strongest=STRONGEST) for one in messages}
        for message, request in requests.items():
            why = driver.result(request, "the reasons of the scores")
            reasons = "  ".join(map(_reason, why.contributions[:STRONGEST]))
            cells = [_cell(driver, message, column) for column in COLUMNS]
            before = self._chances.setdefault(message, cells[0])
            if before != cells[0]:
                cells[0] += f" ({before})"
            self.print_line(_row([*cells, reasons]))
        self.print_line("")

    def _picture(self, driver: WindowDriver, name: str) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / f"{name}.png"
        if not driver.window.grab().save(str(path)):
            raise CheckFailed(f"the picture {path} could not be written")

    def _export(self, driver: WindowDriver) -> None:
        path = self._folder / "demo.nbmodel"
        path.unlink(missing_ok=True)
        driver.parts.model_files.export_to(path)
        status = driver.parts.status
        driver.wait("the export", lambda: path.exists() and path.name in status.text())
        self.print_line(f"Exported the model: {path} ({path.stat().st_size:,} bytes)")
        self.print_line(f"Pictures of the window: {self._folder}")


def _find(driver: WindowDriver, subject: str) -> int:
    """Return the message of the inbox with a subject."""
    for message in driver.inbox():
        place = int(driver.mail.find([message])[0])
        if driver.mail.subjects[place] == subject:
            return message
    raise CheckFailed(f"there is no message “{subject}” in the inbox")


def _cell(driver: WindowDriver, message: int, column: Column) -> str:
    place = int(driver.mail.find([message])[0])
    return driver.parts.model.texts.text(place, column)


def _row(cells: Sequence[str]) -> str:
    fixed = []
    for cell, width in zip(cells, COLUMNS.values(), strict=False):
        fixed.append(f"{cell:<{width}.{width}}")
    return "  ".join([*fixed, cells[-1]])


def _reason(one: Contribution) -> str:
    """Return a word with the sign of its contribution, and its place if that is not the text."""
    sign = "+" if one.contribution > 0 else "-"
    text = sign + feature_text(one.word)
    place = place_text(one.place)
    if place in ("", place_text("body")):
        return text
    return f"{text} ({place})"
