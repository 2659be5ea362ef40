"""Self-test of an installed program, on the mailbox of the demo."""

from PySide6.QtGui import QImage

from nbmail.app.scripted.scripted_run import ScriptedRun
from nbmail.app.scripted.window_driver import CheckFailed, WindowDriver

MIN_INBOX = 250
"""Messages in the inbox; the demo has more."""
MIN_TRAINED = 30
"""Messages of each class in the sorted folders of the demo."""
MIN_COLORS = 10
"""Colors of a window that is drawn with its texts."""
_STEP = 7


class SelfTest(ScriptedRun):
    """Checks that mail arrives, the model learns, the window draws, and a mark can be undone."""

    failed = "Self-test failed"
    passed = "All checks passed."

    def perform(self, driver: WindowDriver) -> None:
        driver.wait_for_mail(MIN_INBOX)
        self.print_line("The mail of the demo arrived.")
        self._check_learning(driver)
        self._check_drawing(driver)
        self._check_mark_and_undo(driver)

    def _check_learning(self, driver: WindowDriver) -> None:
        spam = driver.known("spam")
        ham = driver.known("ham")
        if min(spam, ham) < MIN_TRAINED:
            raise CheckFailed("too little was learned from the sorted mail")
        self.print_line(f"The model learned {spam} spam and {ham} good messages.")

    def _check_drawing(self, driver: WindowDriver) -> None:
        driver.open_message(driver.inbox()[0])
        if _count_colors(driver.window.grab().toImage()) < MIN_COLORS:
            raise CheckFailed("the window stays empty")
        self.print_line("The window shows a message with its reasons.")

    def _check_mark_and_undo(self, driver: WindowDriver) -> None:
        before = driver.known("spam")
        driver.open_message(driver.inbox()[0])
        driver.mark("spam", "spam", 1)
        driver.mark("undo", "spam", -1)
        if driver.known("spam") != before:
            raise CheckFailed("undo did not restore the counts")
        self.print_line("A message was marked, and the mark undone.")


def _count_colors(image: QImage) -> int:
    """Return the number of colors of some pixels."""
    colors = set()
    for x in range(0, image.width(), _STEP):
        for y in range(0, image.height(), _STEP):
            colors.add(image.pixel(x, y))
    return len(colors)
