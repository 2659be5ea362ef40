"""Test of an account, step by step."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from nbmail.errors import ErrorCode
from nbmail.settings import Account, Security
from nbmail.sync.mailbox_values import ConnectionReport, FolderCount, FolderLine, TryStep
from nbmail.ui.dialogs.manual_window import ManualWindow
from nbmail.ui.kit import layouts
from nbmail.ui.kit.accessibility import announce
from nbmail.ui.kit.buttons import quiet_button
from nbmail.ui.kit.plain_labels import show_text, wrapping_label
from nbmail.ui.texts.error_texts import error_notice
from nbmail.ui.texts.language import format_count, tr
from nbmail.ui.texts.plain_text import join_sentences
from nbmail.ui.window import services

CERTIFICATE_STEP = 1
STEPS_DONE = {TryStep.PROTECTED: 2, TryStep.LOGGED_IN: 3}
"""Number of completed steps after each event."""


class AccountTest(QWidget):
    """Test of an account: list of its folders, or report of its server's abilities.

    `worked` is called with the folders, `failed` with the error code, and `busy` at the start and
    the end. `listed`: number of folders on the server if there are very many, otherwise 0.
    """

    def __init__(
        self,
        searches: services.MailboxSearch,
        *,
        worked: Callable[[Sequence[FolderLine]], None],
        failed: Callable[[ErrorCode | None], None],
        busy: Callable[[bool], None],
    ) -> None:
        super().__init__()
        self._searches = searches
        self._worked = worked
        self._failed = failed
        self._busy = busy
        self._account = Account("")
        self._done = 0
        self.listed = 0
        self._give_up: services.StopSearch = lambda: None
        self.steps = wrapping_label()
        self.detail = wrapping_label(kind="muted")
        self.advice = wrapping_label(kind="title")
        self.stop_button = quiet_button(tr("Stop test"), self.stop)
        self.manual = quiet_button(tr("Manual"), lambda: ManualWindow(self, "trouble").show())
        top = Qt.AlignmentFlag.AlignTop
        first = layouts.row((self.steps, 1), (self.stop_button, top), (self.manual, top), spacing=6)
        self.setLayout(layouts.column(first, self.detail, self.advice, spacing=6))
        self.hide()

    def begin(self, account: Account, password: str, *, examine: bool = False) -> None:
        """Test an account.

        `password`: empty for the stored one. `examine`: report the abilities of the server.
        """
        self._account = account
        self._done = 0
        self.listed = 0
        self._show()
        self._busy(True)
        self._give_up = self._searches.test_account(
            account, password, self._receive, examine=examine
        )

    def stop(self) -> None:
        self._give_up()
        self.hide()
        self._busy(False)

    def _receive(self, news: services.TestEvent) -> None:
        if isinstance(news, TryStep):
            self._done = STEPS_DONE[news]
            self._show()
        elif isinstance(news, FolderCount):
            self.listed = news.listed
            self._show()
        else:
            self._busy(False)
            self._receive_end(news)

    def _receive_end(
        self, news: services.SearchFailed | ConnectionReport | Sequence[FolderLine]
    ) -> None:
        if isinstance(news, services.SearchFailed):
            self._fail(news)
        elif isinstance(news, ConnectionReport):
            self._show_abilities(news)
        elif self._account.path and not news:
            self._fail(services.SearchFailed(ErrorCode.NOT_FOUND))
        else:
            self.hide()
            self._worked(news)

    def _show_abilities(self, report: ConnectionReport) -> None:
        self._show()
        self.steps.setText(_abilities_text(self._account, report))
        show_text(self.detail, missing_text(report))
        self.stop_button.hide()
        announce(self, f"{self.steps.text()} {self.detail.text()}")

    def _fail(self, failure: services.SearchFailed) -> None:
        error_code = failure.error_code
        if error_code in (ErrorCode.CERTIFICATE, ErrorCode.NOT_ENCRYPTED) and not self._done:
            self._done = CERTIFICATE_STEP
        sentence = error_notice(error_code).sentence
        advice = _advice_text(error_code)
        if self._account.path:
            sentence = tr("No mail found in this folder or file.")
            advice = tr("Choose another folder or file.")
        self._show(sentence, advice, failure.detail[:300])
        self._failed(error_code)

    def _show(self, failure: str = "", what_to_do: str = "", detail: str = "") -> None:
        """Show the steps. `detail`: reply of the server or message of the system."""
        steps = step_texts(self._account)
        lines = [f"✓  {done}" for _, done in steps[: self._done]]
        if failure:
            lines.append(f"✗  {failure}")
        else:
            running, _ = steps[self._done]
            count = f" {format_count(self.listed)}" if self.listed else ""
            lines.append(f"…  {running}{count}")
        self.steps.setText("\n".join(lines))
        show_text(self.advice, what_to_do)
        show_text(self.detail, detail)
        self.stop_button.setVisible(not failure)
        self.manual.setVisible(bool(failure))
        announce(self, f"{lines[-1]} {what_to_do}")
        self.show()


def _advice_text(error_code: ErrorCode | None) -> str:
    """Return what to do about a failed test. The dialog shows the fields of the settings."""
    texts = {
        ErrorCode.NO_NETWORK: tr("Check the server name, the port and your internet connection."),
        ErrorCode.SERVER_GONE: tr(
            "Check the port and the security setting, or try again in a moment."
        ),
        ErrorCode.NO_PASSWORD: tr("Enter the password above."),
    }
    if error_code in texts:
        return texts[error_code]
    return error_notice(error_code).advice


def step_texts(account: Account) -> tuple[tuple[str, str], ...]:
    """Return the texts of each step while it runs, and when it is done."""
    if account.path:
        return ((tr("Looking for mail in {path}…").format(path=account.path), ""),)
    connecting = tr("Connecting to {host}…").format(host=account.host)
    connected = tr("Connected to {host}.").format(host=account.host)
    safe = tr("Connection encrypted, server certificate verified.")
    if account.security is Security.PLAIN:
        safe = tr("Connection not encrypted, as you chose.")
    signing_in = tr("Signing in as {user}…").format(user=account.user)
    accepted = tr("User name and password accepted.")
    if account.sign_in:
        accepted = tr("Sign-in accepted.")
    return (
        (connecting, connected),
        (tr("Checking the server certificate…"), safe),
        (signing_in, accepted),
        (tr("Listing folders…"), ""),
    )


def _abilities_text(account: Account, report: ConnectionReport) -> str:
    safe = tr("not encrypted")
    if report.tls:
        safe = tr("encrypted with {tls}").format(tls=report.tls)
    text = tr("✓  Signed in to {host} by {mechanism}, {safe}.")
    text = text.format(host=account.host, mechanism=report.mechanism, safe=safe)
    if not report.used:
        return text
    used = tr("✓  Used: {abilities}").format(abilities=", ".join(report.used))
    return f"{text}\n{used}"


def missing_text(report: ConnectionReport) -> str:
    """Return what nbmail can't do because the server lacks an ability."""
    texts = {
        "MOVE": tr(
            "Missing: MOVE. nbmail copies a message to the other folder and then deletes the "
            "original."
        ),
        "CONDSTORE": tr(
            "Missing: CONDSTORE. nbmail compares the flags of all messages to notice changes "
            "by other programs. Automatic sorting waits five seconds before each move."
        ),
        "KEYWORDS": tr(
            "Missing: keywords. Your marks stay on this computer, and only one computer can "
            "sort automatically."
        ),
        "SPECIAL-USE": tr(
            "Missing: SPECIAL-USE. nbmail recognizes the spam folder by its name only."
        ),
    }
    found = [texts[name] for name in report.missing]
    return "\n".join(found) or tr("Nothing that nbmail needs is missing.")


def success_text(account: Account, folders: int, listed: int = 0) -> str:
    """Return the result of a successful test.

    `listed`: number of folders on the server, if some are left out.
    """
    if listed > folders:
        found = success_text(account, listed)
        shown = tr("Showing {n} of them.").format(n=format_count(folders))
        return join_sentences(f"{found}.", shown)
    text = tr("✓  Signed in to {host} as {user}, connection encrypted. Folders: {count}")
    if account.path:
        text = tr("✓  Folders with mail: {count}")
    elif account.security is Security.PLAIN:
        text = tr(
            "✓  Signed in to {host} as {user}, not encrypted: others can read your mail. "
            "Folders: {count}"
        )
    return text.format(host=account.host, user=account.user, count=format_count(folders))
