"""Search for a mail server, and test of an account before it is added. Both show each step."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from nbmail.errors import ErrorCode
from nbmail.settings import Account, Security
from nbmail.ui.kit import layouts
from nbmail.ui.kit.error_texts import error_notice
from nbmail.ui.kit.language import format_count, tr
from nbmail.ui.kit.plain_text import join_sentences, plain_tip, wrapping_label
from nbmail.ui.window.notices import announce, make_button, quiet_button
from nbmail.ui.window.services import FolderEvent, OnFolderEvent, OnSearchEvent, SearchEvent, SearchFailed, StopSearch
from nbmail.values import FolderCount, FolderLine, MailServer, ServerFound, ServerTried, TryStep

FindSettings = Callable[[str, OnSearchEvent], StopSearch]
ListFolders = Callable[[Account, str, OnFolderEvent], StopSearch]
CERTIFICATE_STEP = 1
STEPS_DONE = {TryStep.PROTECTED: 2, TryStep.LOGGED_IN: 3}
"""Number of completed steps after each event."""


class ServerSearch(QWidget):
    """Search for a mail server. `found` is called with the settings.

    `find` starts a search and returns a function that ends it. An ended search calls no callback.
    """

    def __init__(
        self, find: FindSettings, found: Callable[[ServerFound], None], *, open_address: Callable[[str], None]
    ) -> None:
        super().__init__()
        self._find, self._found, self._open_address = find, found, open_address
        self._end_search: StopSearch = lambda: None
        self.changed: Callable[[], None] = lambda: None
        """Called after each change of the texts."""
        self._page = self._address = ""
        self.busy = False
        self._steps: dict[MailServer, ServerTried] = {}
        self.steps, self.outcome = wrapping_label(kind="muted"), wrapping_label()
        self.steps.setAccessibleName(tr("Servers tried"))
        self.stop_button = quiet_button(tr("Stop search"), self.give_up)
        self.page_button = make_button(tr("Create app password…"), lambda: self._open_address(self._page))
        first = layouts.row((self.outcome, 1), (self.stop_button, Qt.AlignmentFlag.AlignTop), spacing=6)
        page = (self.page_button, Qt.AlignmentFlag.AlignLeft)
        self.setLayout(layouts.column(first, self.steps, page, spacing=6))
        for widget in (self.stop_button, self.page_button, self):
            widget.hide()

    def look(self, address: str, *, again: bool = False) -> None:
        """Search for the server of an address, unless that is running or done. `again`: search again if it is done."""
        if address == self._address and (self.busy or not again):
            return
        self.stop()
        self._address, self.busy = address, True
        self._steps.clear()
        self.steps.clear()
        self._show_outcome(tr("Looking for your mail server. Your user name and password are not sent."))
        self._end_search = self._find(address, self._receive)

    def stop(self) -> None:
        self.busy = False
        self._end_search()

    def give_up(self) -> None:
        self.stop()
        self._show_outcome(tr("Search stopped. Enter the server above, or choose “Find settings” to search again."))

    def _receive(self, news: SearchEvent) -> None:
        if isinstance(news, ServerTried):
            self._steps[news.server] = news
            self.steps.setText("\n".join(attempt_text(each) for each in self._steps.values()))
            self.steps.show()
            return
        self.busy = False
        if isinstance(news, ServerFound):
            self._show_outcome(found_text(news), news.password_page)
            self._found(news)
        else:
            self._address = ""
            self._show_outcome(not_found_text(news))

    def _show_outcome(self, text: str, page: str = "") -> None:
        self._page = page
        self.outcome.setText(text)
        announce(self, text)
        self.page_button.setVisible(bool(page))
        self.page_button.setToolTip(plain_tip(page))
        self.stop_button.setVisible(self.busy)
        self.steps.setVisible(bool(self.steps.text()))
        self.setVisible(bool(text))
        self.changed()


def attempt_text(tried: ServerTried) -> str:
    """Return the state of an attempt to connect to a server."""
    server = tried.server
    where = tr("{host}, port {port}").format(host=server.host, port=server.port)
    if not tried.tested:
        return tr("{where}: known settings, not tested yet.").format(where=where)
    if tried.worked is None:
        return tr("{where}: connecting…").format(where=where)
    if tried.worked:
        return tr("{where}: encrypted connection works.").format(where=where)
    return f"{where}: {_failure_reason(tried.error_code)}"


def _failure_reason(error_code: ErrorCode | None) -> str:
    if error_code in (None, ErrorCode.NO_NETWORK):
        return tr("no answer.")
    if error_code == ErrorCode.CERTIFICATE:
        return tr("certificate not valid for this server.")
    if error_code == ErrorCode.NOT_ENCRYPTED:
        return tr("no encrypted connection offered.")
    return error_notice(error_code).sentence


def found_text(found: ServerFound) -> str:
    """Return the result of a successful search and the next step."""
    if found.closed:
        text = tr(
            "{provider} requires sign-in on its own web page, which nbmail doesn't support yet. Some company "
            "and school accounts accept a password; otherwise forward your mail to another account."
        )
        return text.format(provider=found.provider)
    if found.bridge:
        text = tr("{provider} needs its own bridge program on this computer. Start it and enter the password it shows.")
        return text.format(provider=found.provider)
    if found.password_page:
        text = tr(
            "{provider} requires an app password. Create one for nbmail and enter it instead of your usual password."
        )
        return text.format(provider=found.provider)
    if found.provider:
        return tr("Settings for {provider} are filled in. Enter your password.").format(provider=found.provider)
    return tr("Found your mail server: {host}. Enter your password.").format(host=found.server.host)


def not_found_text(end: SearchFailed) -> str:
    """Return what to do after an unsuccessful search."""
    if end.error_code == ErrorCode.BAD_INPUT:
        return tr("Enter a full email address, such as you@example.org.")
    return tr("No mail server found. Enter it above; your provider lists it in its help pages under “IMAP”.")


class AccountTest(QWidget):
    """Test of an account: lists its folders.

    `worked` is called with the folders, `failed` with the error code, and `busy` at the start and the end. `listed`:
    number of folders on the server if there are very many, otherwise 0.
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
        self._account, self._done, self.listed = Account(""), 0, 0
        self._give_up: StopSearch = lambda: None
        self.steps, self.advice, self.detail = (
            wrapping_label(),
            wrapping_label(kind="title"),
            wrapping_label(kind="muted"),
        )
        self.steps.setAccessibleName(tr("Connection test"))
        self.stop_button = quiet_button(tr("Stop test"), self.stop)
        first = layouts.row((self.steps, 1), (self.stop_button, Qt.AlignmentFlag.AlignTop), spacing=6)
        self.setLayout(layouts.column(first, self.detail, self.advice, spacing=6))
        self.hide()

    def begin(self, account: Account, password: str) -> None:
        """Test an account. An empty `password` means the stored one."""
        self._account, self._done, self.listed = account, 0, 0
        self._show()
        self._busy(True)
        self._give_up = self._list_folders(account, password, self._receive)

    def stop(self) -> None:
        self._give_up()
        self.hide()
        self._busy(False)

    def _receive(self, news: FolderEvent) -> None:
        if isinstance(news, TryStep):
            self._done = STEPS_DONE[news]
            self._show()
            return
        if isinstance(news, FolderCount):
            self.listed = news.listed
            self._show()
            return
        self._busy(False)
        if isinstance(news, SearchFailed):
            self._fail(news.error_code, news.detail)
        elif self._account.path and not news:
            self._fail(ErrorCode.NOT_FOUND, "")
        else:
            self.hide()
            self._worked(news)

    def _fail(self, error_code: ErrorCode | None, detail: str) -> None:
        if error_code in (ErrorCode.CERTIFICATE, ErrorCode.NOT_ENCRYPTED) and not self._done:
            self._done = CERTIFICATE_STEP
        sentence, what_to_do = _failure_texts(error_code, self._account)
        self._show(sentence, what_to_do, detail[:300])
        self._failed(error_code)

    def _show(self, failure: str = "", what_to_do: str = "", detail: str = "") -> None:
        """Show the steps. `detail`: reply of the server or message of the system."""
        names = step_texts(self._account)
        lines = [f"✓  {done}" for _, done in names[: self._done]]
        count = f" {format_count(self.listed)}" if self.listed else ""
        lines.append(f"✗  {failure}" if failure else f"…  {names[self._done][0]}{count}")
        self.steps.setText("\n".join(lines))
        for label, text in ((self.advice, what_to_do), (self.detail, detail)):
            label.setText(text)
            label.setVisible(bool(text))
        self.stop_button.setVisible(not failure)
        announce(self, f"{lines[-1]} {what_to_do}")
        self.show()


def step_texts(account: Account) -> tuple[tuple[str, str], ...]:
    """Return the texts of each step: during the step and after it."""
    if account.path:
        return ((tr("Looking for mail in {path}…").format(path=account.path), ""),)
    safe = tr("Connection encrypted, server certificate verified.")
    if account.security is Security.PLAIN:
        safe = tr("Connection not encrypted, as you chose.")
    return (
        (tr("Connecting to {host}…").format(host=account.host), tr("Connected to {host}.").format(host=account.host)),
        (tr("Checking the server certificate…"), safe),
        (tr("Signing in as {user}…").format(user=account.user), tr("User name and password accepted.")),
        (tr("Listing folders…"), ""),
    )


def success_text(account: Account, folders: int, listed: int = 0) -> str:
    """Return the result of a successful test. `listed`: number of folders on the server, if some are left out."""
    if listed > folders:
        found = success_text(account, listed)
        return join_sentences(found + ".", tr("Showing {n} of them.").format(n=format_count(folders)))
    count = format_count(folders)
    if account.path:
        return tr("✓  Folders with mail: {count}").format(count=count)
    text = tr("✓  Signed in to {host} as {user}, connection encrypted. Folders: {count}")
    if account.security is Security.PLAIN:
        text = tr("✓  Signed in to {host} as {user}, not encrypted: others can read your mail. Folders: {count}")
    return text.format(host=account.host, user=account.user, count=count)


def _failure_texts(error_code: ErrorCode | None, account: Account) -> tuple[str, str]:
    if account.path:
        return tr("No mail found in this folder or file."), tr("Choose another folder or file.")
    notice = error_notice(error_code)
    here = {
        ErrorCode.NO_NETWORK: tr("Check the server name, the port and your internet connection."),
        ErrorCode.SERVER_GONE: tr("Check the port and the security setting, or try again in a moment."),
        ErrorCode.NO_PASSWORD: tr("Enter the password above."),
    }
    return notice.sentence, here.get(error_code, notice.advice) if error_code else notice.advice
