"""Background searches of the account dialog: for a mail server, and the test of an account. Both
show each step.
"""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from nbmail.errors import ErrorCode
from nbmail.settings import Account, Security
from nbmail.sync.mailbox_values import (
    ConnectionReport,
    FolderCount,
    FolderLine,
    ServerFound,
    ServerTried,
    SettingsSource,
    SourceAsked,
    TryStep,
)
from nbmail.ui.dialogs.manual_window import ManualWindow
from nbmail.ui.kit import layouts
from nbmail.ui.kit.accessibility import announce
from nbmail.ui.kit.buttons import make_button, quiet_button
from nbmail.ui.kit.labels import show_text, wrapping_label
from nbmail.ui.texts.error_texts import error_notice
from nbmail.ui.texts.language import format_count, tr
from nbmail.ui.texts.plain_text import join_sentences, plain_tip
from nbmail.ui.window import services

CERTIFICATE_STEP = 1
STEPS_DONE = {TryStep.PROTECTED: 2, TryStep.LOGGED_IN: 3}
"""Number of completed steps after each event."""


class AccountTest(QWidget):
    """Test of an account: lists its folders, or reports the abilities of its server.

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
        buttons = [
            (button, Qt.AlignmentFlag.AlignTop) for button in (self.stop_button, self.manual)
        ]
        first = layouts.row((self.steps, 1), *buttons, spacing=6)
        self.setLayout(layouts.column(first, self.detail, self.advice, spacing=6))
        self.hide()

    def begin(self, account: Account, password: str, *, examine: bool = False) -> None:
        """Test an account. `password`: empty for the stored one; `examine`: report the abilities of
        the server.
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
        if isinstance(news, TryStep | FolderCount):
            if isinstance(news, TryStep):
                self._done = STEPS_DONE[news]
            else:
                self.listed = news.listed
            self._show()
            return
        self._busy(False)
        if isinstance(news, services.SearchFailed):
            self._fail(news)
        elif isinstance(news, ConnectionReport):
            self._show()
            safe = (
                tr("encrypted with {tls}").format(tls=news.tls) if news.tls else tr("not encrypted")
            )
            text = tr("✓  Signed in to {host} by {mechanism}, {safe}.")
            text = text.format(host=self._account.host, mechanism=news.mechanism, safe=safe)
            used = "\n" + tr("✓  Used: {abilities}").format(abilities=", ".join(news.used))
            self.steps.setText(text + used if news.used else text)
            show_text(self.detail, missing_text(news))
            self.stop_button.hide()
            announce(self, f"{self.steps.text()} {self.detail.text()}")
        elif self._account.path and not news:
            self._fail(services.SearchFailed(ErrorCode.NOT_FOUND))
        else:
            self.hide()
            self._worked(news)

    def _fail(self, failure: services.SearchFailed) -> None:
        error_code = failure.error_code
        if error_code in (ErrorCode.CERTIFICATE, ErrorCode.NOT_ENCRYPTED) and not self._done:
            self._done = CERTIFICATE_STEP
        notice = error_notice(error_code)
        sentence = notice.sentence
        advice = notice.advice
        if error_code == ErrorCode.NO_NETWORK:
            advice = tr("Check the server name, the port and your internet connection.")
        elif error_code == ErrorCode.SERVER_GONE:
            advice = tr("Check the port and the security setting, or try again in a moment.")
        elif error_code == ErrorCode.NO_PASSWORD:
            advice = tr("Enter the password above.")
        if self._account.path:
            sentence = tr("No mail found in this folder or file.")
            advice = tr("Choose another folder or file.")
        self._show(sentence, advice, failure.detail[:300])
        self._failed(error_code)

    def _show(self, failure: str = "", what_to_do: str = "", detail: str = "") -> None:
        """Show the steps. `detail`: reply of the server or message of the system."""
        names = step_texts(self._account)
        lines = [f"✓  {done}" for _, done in names[: self._done]]
        count = f" {format_count(self.listed)}" if self.listed else ""
        lines.append(f"✗  {failure}" if failure else f"…  {names[self._done][0]}{count}")
        self.steps.setText("\n".join(lines))
        show_text(self.advice, what_to_do)
        show_text(self.detail, detail)
        self.stop_button.setVisible(not failure)
        self.manual.setVisible(bool(failure))
        announce(self, f"{lines[-1]} {what_to_do}")
        self.show()


def step_texts(account: Account) -> tuple[tuple[str, str], ...]:
    if account.path:
        return ((tr("Looking for mail in {path}…").format(path=account.path), ""),)
    safe = tr("Connection encrypted, server certificate verified.")
    if account.security is Security.PLAIN:
        safe = tr("Connection not encrypted, as you chose.")
    accepted = (
        tr("Sign-in accepted.") if account.sign_in else tr("User name and password accepted.")
    )
    return (
        (
            tr("Connecting to {host}…").format(host=account.host),
            tr("Connected to {host}.").format(host=account.host),
        ),
        (tr("Checking the server certificate…"), safe),
        (tr("Signing in as {user}…").format(user=account.user), accepted),
        (tr("Listing folders…"), ""),
    )


def missing_text(report: ConnectionReport) -> str:
    """Return what nbmail can't do because the server lacks an ability."""
    texts = {
        "MOVE": tr(
            "Missing: MOVE. nbmail copies a message to the other folder and then deletes the "
            "original."
        ),
        "CONDSTORE": tr(
            "Missing: CONDSTORE. nbmail compares the flags of all messages to notice changes "
            "by other programs. "
            "Automatic sorting waits five seconds before each move."
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
    """Return the result of a successful test. `listed`: number of folders on the server, if some
    are left out.
    """
    if listed > folders:
        found = success_text(account, listed)
        return join_sentences(
            found + ".", tr("Showing {n} of them.").format(n=format_count(folders))
        )
    text = tr("✓  Signed in to {host} as {user}, connection encrypted. Folders: {count}")
    if account.path:
        text = tr("✓  Folders with mail: {count}")
    elif account.security is Security.PLAIN:
        text = tr(
            "✓  Signed in to {host} as {user}, not encrypted: others can read your mail. "
            "Folders: {count}"
        )
    return text.format(host=account.host, user=account.user, count=format_count(folders))


class ServerSearch(QWidget):
    """Search for a mail server. `found` is called with the settings, `changed` after each change of
    the state.
    """

    def __init__(
        self,
        searches: services.MailboxSearch,
        *,
        found: Callable[[ServerFound], None],
        changed: Callable[[], None],
    ) -> None:
        super().__init__()
        self._searches = searches
        self._found = found
        self._changed = changed
        self._end_search: services.StopSearch = lambda: None
        self._page = self._address = ""
        self.busy = False
        self._steps: dict[object, SourceAsked | ServerTried] = {}
        self.steps = wrapping_label(kind="muted")
        self.outcome = wrapping_label()
        self.stop_button = quiet_button(tr("Stop search"), self.give_up)
        self.page_button = make_button(
            tr("Create app password…"), lambda: services.open_address(self._page)
        )
        self.directory_button = make_button("", lambda: self._begin(directory=True))
        self.directory_button.setToolTip(
            plain_tip(tr("Sends the part of your address after the @ to Thunderbird."))
        )
        first = layouts.row(
            (self.outcome, 1), (self.stop_button, Qt.AlignmentFlag.AlignTop), spacing=6
        )
        buttons = layouts.row(self.page_button, self.directory_button, None, spacing=6)
        self.setLayout(layouts.column(first, self.steps, buttons, spacing=6))
        for widget in (self.stop_button, self.page_button, self.directory_button, self):
            widget.hide()

    def look(self, address: str, *, again: bool = False) -> None:
        """Search for the server of an address, unless that is running or done. `again`: search
        again if it is done.
        """
        if address != self._address or (again and not self.busy):
            self._clear(address)
            self._begin()

    def _begin(self, *, directory: bool = False) -> None:
        self.stop()
        self.busy = True
        self._show_outcome(
            tr("Looking for your mail server. Your user name and password are not sent.")
        )
        self._end_search = self._searches.find_settings(self._address, self._receive, directory)

    def stop(self) -> None:
        self.busy = False
        self._end_search()

    def give_up(self) -> None:
        self.stop()
        self._show_outcome(
            tr("Search stopped. Enter the server above, or choose “Find settings” to search again.")
        )

    def forget(self) -> None:
        """End the search and clear its texts: the address has another domain."""
        self._clear("")
        self._show_outcome("")

    def _clear(self, address: str) -> None:
        self.stop()
        self._address = address
        self._steps.clear()
        self.steps.clear()

    def _receive(self, news: services.SearchEvent) -> None:
        if isinstance(news, SourceAsked | ServerTried):
            self._steps[news[:2] if isinstance(news, SourceAsked) else news.server] = news
            # A stable order: sources by their rank, then servers.
            ranks = list(SettingsSource)
            shown = sorted(
                self._steps.values(),
                key=lambda each: (
                    ranks.index(each.source) if isinstance(each, SourceAsked) else len(ranks)
                ),
            )
            self.steps.setText("\n".join(step_text(each) for each in shown))
            self.steps.show()
            return
        self.busy = False
        if isinstance(news, ServerFound):
            self._show_outcome(found_text(news), news.password_page)
            self._found(news)
        elif news.error_code == ErrorCode.BAD_INPUT:
            self._show_outcome(tr("Enter a full email address, such as you@example.org."))
        else:
            text = tr(
                "No mail server found. Enter it above; your provider lists it in its help "
                "pages under “IMAP”."
            )
            asked = (each.source for each in self._steps.values() if isinstance(each, SourceAsked))
            domain = "" if SettingsSource.DIRECTORY in asked else self._address.rpartition("@")[2]
            self._show_outcome(text, domain=domain)

    def _show_outcome(self, text: str, page: str = "", domain: str = "") -> None:
        """Show a result. `domain`: offer to ask Thunderbird's directory about it."""
        self._page = page
        self.outcome.setText(text)
        announce(self, text)
        self.page_button.setVisible(bool(page))
        self.page_button.setToolTip(plain_tip(page))
        self.directory_button.setText(
            tr("Ask Thunderbird's directory about {domain}").format(domain=domain)
        )
        self.directory_button.setVisible(bool(domain))
        self.stop_button.setVisible(self.busy)
        self.steps.setVisible(bool(self.steps.text()))
        self.setVisible(bool(text))
        self._changed()


def step_text(step: SourceAsked | ServerTried) -> str:
    """Return the state of a source, or of an attempt to connect to a server."""
    if isinstance(step, ServerTried):
        where = tr("{host}, port {port}").format(host=step.server.host, port=step.server.port)
        if step.worked is False:
            return f"{where}: {failure_reason(step.error_code)}"
        text = (
            tr("{where}: encrypted connection works.")
            if step.worked
            else tr("{where}: connecting…")
        )
        return text.format(where=where)
    where = {
        SettingsSource.TABLE: tr("Known provider {place}"),
        SettingsSource.EXCHANGER: tr("DNS, incoming mail of {place}"),
        SettingsSource.SERVICE: tr("DNS, IMAP server of {place}"),
    }.get(step.source, "{place}")
    where = where.format(place=step.place)
    if step.names is None:
        return tr("{where}: asking…").format(where=where)
    if not step.names and step.error_code in (None, ErrorCode.NOT_FOUND):
        return tr("{where}: no settings.").format(where=where)
    return f"{where}: {', '.join(step.names) or failure_reason(step.error_code)}"


def failure_reason(error_code: ErrorCode | None) -> str:
    if error_code in (None, ErrorCode.NO_NETWORK):
        return tr("no answer.")
    if error_code == ErrorCode.CERTIFICATE:
        return tr("certificate not valid for this server.")
    if error_code == ErrorCode.NOT_ENCRYPTED:
        return tr("no encrypted connection offered.")
    return error_notice(error_code).sentence


def found_text(found: ServerFound) -> str:
    """Return the result of a search, whether the server answered, and the next step."""
    provider = found.provider or found.server.host
    host = found.server.host
    if found.closed:
        text = tr("{provider} accepts no passwords, only a sign-in on its own web page.")
    elif found.bridge:
        text = tr(
            "{provider} needs its own bridge program on this computer. Start it and enter "
            "the password it shows."
        )
    elif found.foreign:
        text = tr(
            "Found a mail server in another domain: {host}. Confirm its name above, then sign in."
        )
    elif found.password_page:
        text = tr(
            "{provider} requires an app password. Create one for nbmail and enter it instead "
            "of your usual password."
        )
    elif found.provider:
        text = tr("Settings for {provider} are filled in. Enter your password.")
    else:
        text = tr("Found your mail server: {host}. Enter your password.")
    what_now = text.format(provider=provider, host=host)
    if found.worked or found.bridge:
        return what_now
    text = tr("nbmail knows the server of {provider}, {host}, but has not reached it: {reason}")
    reason = failure_reason(found.error_code)
    return join_sentences(text.format(provider=found.provider, host=host, reason=reason), what_now)
