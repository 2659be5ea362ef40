"""Trying an account before it is taken: each step is shown, and what to do where one fails."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from nbmail.errors import ErrorCode
from nbmail.settings import Account, Security
from nbmail.ui.accounts.settings_search import FolderNews, GiveUp, Refused, TellFolders
from nbmail.ui.kit import layouts
from nbmail.ui.kit.error_texts import error_notice
from nbmail.ui.kit.language import format_count, tr
from nbmail.ui.kit.plain_text import wrapping_label
from nbmail.ui.window.notices import announce, quiet_button
from nbmail.values import FolderLine, TryStep

ListFolders = Callable[[Account, str, TellFolders], GiveUp]
CERTIFICATE_STEP = 1
REACHED = {TryStep.PROTECTED: 2, TryStep.LOGGED_IN: 3}
"""How many steps have been taken then."""


class AccountTrial(QWidget):
    """Has a mailbox list its folders, and hands them to `worked`, or what was in the way to `failed`.

    `busy` hears whether it is at work. Has no signals of its own.
    """

    def __init__(
        self,
        list_folders: ListFolders,
        *,
        worked: Callable[[Sequence[FolderLine]], None],
        failed: Callable[[ErrorCode | None], None],
        busy: Callable[[bool], None],
    ) -> None:
        super().__init__()
        self._list_folders, self._worked, self._failed, self._busy = list_folders, worked, failed, busy
        self._account, self._done = Account(""), 0
        self._give_up: GiveUp = lambda: None
        self.steps, self.advice, self.detail = (
            wrapping_label(),
            wrapping_label(kind="title"),
            wrapping_label(kind="muted"),
        )
        self.steps.setAccessibleName(tr("What was tried"))
        self.stop_button = quiet_button(tr("Stop trying"), self.stop)
        first = layouts.row((self.steps, 1), (self.stop_button, Qt.AlignmentFlag.AlignTop), spacing=6)
        self.setLayout(layouts.column(first, self.detail, self.advice, spacing=6))
        self.hide()

    def begin(self, account: Account, password: str) -> None:
        """Try this one; without a password, with the one that is known for it."""
        self._account, self._done = account, 0
        self._show()
        self._busy(True)
        self._give_up = self._list_folders(account, password, self._hear)

    def stop(self) -> None:
        self._give_up()
        self.hide()
        self._busy(False)

    def _hear(self, news: FolderNews) -> None:
        if isinstance(news, TryStep):
            self._done = REACHED[news]
            self._show()
            return
        self._busy(False)
        if isinstance(news, Refused):
            self._fail(news.error_code, news.detail)
        elif self._account.path and not news:
            self._fail(ErrorCode.NOT_FOUND, "")
        else:
            self.hide()
            self._worked(news)

    def _fail(self, error_code: ErrorCode | None, detail: str) -> None:
        if error_code in (ErrorCode.CERTIFICATE, ErrorCode.NOT_ENCRYPTED) and not self._done:
            self._done = CERTIFICATE_STEP
        sentence, what_to_do = _failure_words(error_code, self._account)
        self._show(sentence, what_to_do, detail[:300])
        self._failed(error_code)

    def _show(self, failure: str = "", what_to_do: str = "", detail: str = "") -> None:
        """`detail` are the server's own words, or the system's, for those who know what to make of them."""
        names = trial_steps(self._account)
        lines = [f"✓  {done}" for _, done in names[: self._done]]
        lines.append(f"✗  {failure}" if failure else f"…  {names[self._done][0]}")
        self.steps.setText("\n".join(lines))
        for label, text in ((self.advice, what_to_do), (self.detail, detail)):
            label.setText(text)
            label.setVisible(bool(text))
        self.stop_button.setVisible(not failure)
        announce(self, f"{lines[-1]} {what_to_do}")
        self.show()


def trial_steps(account: Account) -> tuple[tuple[str, str], ...]:
    """Each step: while it is taken, and once it is."""
    if account.path:
        return ((tr("Looking for mail in {path}…").format(path=account.path), ""),)
    safe = tr("The connection is protected, and the server has proved who it is.")
    if account.security is Security.PLAIN:
        safe = tr("The connection is not protected, as you chose.")
    return (
        (tr("Calling {host}…").format(host=account.host), tr("{host} answers.").format(host=account.host)),
        (tr("Checking who it is…"), safe),
        (tr("Logging in as {user}…").format(user=account.user), tr("User name and password are right.")),
        (tr("Asking which folders it has…"), ""),
    )


def worked_words(account: Account, folders: int) -> str:
    """That all steps were taken."""
    count = format_count(folders)
    if account.path:
        return tr("✓  Folders with mail found there: {count}").format(count=count)
    text = tr("✓  {host} answers, is protected and lets {user} in. Its folders: {count}")
    if account.security is Security.PLAIN:
        text = tr("✓  {host} lets {user} in, without protection: others on the way can read along. Folders: {count}")
    return text.format(host=account.host, user=account.user, count=count)


def _failure_words(error_code: ErrorCode | None, account: Account) -> tuple[str, str]:
    if account.path:
        return tr("No mail was found there."), tr("Choose another folder or file.")
    advice = error_notice(error_code)
    here = {
        ErrorCode.NO_NETWORK: tr("Check the server's name, the port, and your internet connection."),
        ErrorCode.SERVER_GONE: tr("Check the port and the protection, or try again in a moment."),
        ErrorCode.NO_PASSWORD: tr("Type it above."),
    }
    return advice.sentence, here.get(error_code, advice.advice) if error_code else advice.advice
