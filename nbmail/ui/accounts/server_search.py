"""Search for the mail server of an address, with the state of each source and server."""

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from nbmail.errors import ErrorCode
from nbmail.sync.mailbox_values import ServerFound, ServerTried, SettingsSource, SourceAsked
from nbmail.ui.kit import layouts
from nbmail.ui.kit.error_texts import error_notice
from nbmail.ui.kit.phrases import tr
from nbmail.ui.kit.plain_text import join_sentences, plain_tip, wrapping_label
from nbmail.ui.window.notices import announce, make_button, quiet_button
from nbmail.ui.window.services import OnSearchEvent, SearchEvent, SearchFailed, StopSearch


class FindSettings(Protocol):
    """Starts a search and returns a function that ends it."""

    def __call__(self, address: str, on_result: OnSearchEvent, directory: bool = False, /) -> StopSearch:
        """Search for the mail server of `address`; with `directory`, ask only Thunderbird's directory."""


class ServerSearch(QWidget):
    """Search for a mail server. `found` is called with the settings, `changed` after each change of the state."""

    def __init__(
        self, find: FindSettings, found: Callable[[ServerFound], None], *, open_address: Callable[[str], None]
    ) -> None:
        super().__init__()
        self._find, self._found, self._open_address = find, found, open_address
        self._end_search: StopSearch = lambda: None
        self.changed: Callable[[], None] = lambda: None
        self._page = self._address = ""
        self.busy = False
        self._steps: dict[object, SourceAsked | ServerTried] = {}
        self.steps, self.outcome = wrapping_label(kind="muted"), wrapping_label()
        self.stop_button = quiet_button(tr("Stop search"), self.give_up)
        self.page_button = make_button(tr("Create app password…"), lambda: self._open_address(self._page))
        self.directory_button = make_button("", self._ask_directory)
        self.directory_button.setToolTip(plain_tip(tr("Sends the part of your address after the @ to Thunderbird.")))
        first = layouts.row((self.outcome, 1), (self.stop_button, Qt.AlignmentFlag.AlignTop), spacing=6)
        buttons = layouts.row(self.page_button, self.directory_button, None, spacing=6)
        self.setLayout(layouts.column(first, self.steps, buttons, spacing=6))
        for widget in (self.stop_button, self.page_button, self.directory_button, self):
            widget.hide()

    def look(self, address: str, *, again: bool = False) -> None:
        """Search for the server of an address, unless that is running or done. `again`: search again if it is done."""
        if address == self._address and (self.busy or not again):
            return
        self._begin(address, directory=False)

    def _ask_directory(self) -> None:
        self._begin(self._address, directory=True)

    def _begin(self, address: str, *, directory: bool) -> None:
        self.stop()
        self._address, self.busy = address, True
        if not directory:
            self._steps.clear()
            self.steps.clear()
        self._show_outcome(tr("Looking for your mail server. Your user name and password are not sent."))
        self._end_search = self._find(address, self._receive, directory)

    def stop(self) -> None:
        self.busy = False
        self._end_search()

    def give_up(self) -> None:
        self.stop()
        self._show_outcome(tr("Search stopped. Enter the server above, or choose “Find settings” to search again."))

    def forget(self) -> None:
        """End the search and clear its texts: the address has another domain."""
        self.stop()
        self._address = ""
        self._steps.clear()
        self.steps.clear()
        self._show_outcome("")

    def _receive(self, news: SearchEvent) -> None:
        if isinstance(news, SourceAsked | ServerTried):
            self._steps[news[:2] if isinstance(news, SourceAsked) else news.server] = news
            # A stable order: sources by their rank, then servers.
            shown = sorted(self._steps.values(), key=_rank)
            self.steps.setText("\n".join(step_text(each) for each in shown))
            self.steps.show()
            return
        self.busy = False
        if isinstance(news, ServerFound):
            self._show_outcome(found_text(news), news.password_page)
            self._found(news)
        else:
            self._show_outcome(not_found_text(news), domain=self._domain_to_ask(news))

    def _domain_to_ask(self, end: SearchFailed) -> str:
        """Return the domain that Thunderbird's directory can be asked about; empty if it was asked already."""
        asked = any(
            isinstance(each, SourceAsked) and each.source == SettingsSource.DIRECTORY for each in self._steps.values()
        )
        return "" if asked or end.error_code == ErrorCode.BAD_INPUT else self._address.rpartition("@")[2]

    def _show_outcome(self, text: str, page: str = "", domain: str = "") -> None:
        self._page = page
        self.outcome.setText(text)
        announce(self, text)
        self.page_button.setVisible(bool(page))
        self.page_button.setToolTip(plain_tip(page))
        self.directory_button.setText(tr("Ask Thunderbird's directory about {domain}").format(domain=domain))
        self.directory_button.setVisible(bool(domain))
        self.stop_button.setVisible(self.busy)
        self.steps.setVisible(bool(self.steps.text()))
        self.setVisible(bool(text))
        self.changed()


def _rank(step: SourceAsked | ServerTried) -> int:
    return list(SettingsSource).index(step.source) if isinstance(step, SourceAsked) else len(SettingsSource)


def step_text(step: SourceAsked | ServerTried) -> str:
    """Return the state of a source, or of an attempt to connect to a server."""
    return _source_text(step) if isinstance(step, SourceAsked) else _attempt_text(step)


def _source_text(asked: SourceAsked) -> str:
    where = {
        SettingsSource.TABLE: tr("Known provider {place}").format(place=asked.place),
        SettingsSource.EXCHANGER: tr("DNS, incoming mail of {place}").format(place=asked.place),
        SettingsSource.SERVICE: tr("DNS, IMAP server of {place}").format(place=asked.place),
    }.get(asked.source, asked.place)
    if asked.names is None:
        return tr("{where}: asking…").format(where=where)
    if asked.names:
        return f"{where}: {', '.join(asked.names)}"
    if asked.error_code in (None, ErrorCode.NOT_FOUND):
        return tr("{where}: no settings.").format(where=where)
    return f"{where}: {failure_reason(asked.error_code)}"


def _attempt_text(tried: ServerTried) -> str:
    server = tried.server
    where = tr("{host}, port {port}").format(host=server.host, port=server.port)
    if tried.worked is None:
        return tr("{where}: connecting…").format(where=where)
    if tried.worked:
        return tr("{where}: encrypted connection works.").format(where=where)
    return f"{where}: {failure_reason(tried.error_code)}"


def failure_reason(error_code: ErrorCode | None) -> str:
    """Return the reason of a failed connection, as the end of a sentence."""
    if error_code in (None, ErrorCode.NO_NETWORK):
        return tr("no answer.")
    if error_code == ErrorCode.CERTIFICATE:
        return tr("certificate not valid for this server.")
    if error_code == ErrorCode.NOT_ENCRYPTED:
        return tr("no encrypted connection offered.")
    return error_notice(error_code).sentence


def found_text(found: ServerFound) -> str:
    """Return the result of a search, whether the server answered, and the next step."""
    what_now = _next_step(found)
    if found.worked or found.bridge:
        return what_now
    text = tr("nbmail knows the server of {provider}, {host}, but has not reached it: {reason}")
    reason = failure_reason(found.error_code)
    return join_sentences(text.format(provider=found.provider, host=found.server.host, reason=reason), what_now)


def _next_step(found: ServerFound) -> str:
    provider = found.provider or found.server.host
    if found.closed:
        return tr("{provider} accepts no passwords, only a sign-in on its own web page.").format(provider=provider)
    if found.bridge:
        text = tr("{provider} needs its own bridge program on this computer. Start it and enter the password it shows.")
        return text.format(provider=provider)
    if found.foreign:
        text = tr("Found a mail server in another domain: {host}. Confirm its name above, then sign in.")
        return text.format(host=found.server.host)
    if found.password_page:
        text = tr(
            "{provider} requires an app password. Create one for nbmail and enter it instead of your usual password."
        )
        return text.format(provider=provider)
    if found.provider:
        return tr("Settings for {provider} are filled in. Enter your password.").format(provider=provider)
    return tr("Found your mail server: {host}. Enter your password.").format(host=provider)


def not_found_text(end: SearchFailed) -> str:
    """Return what to do after an unsuccessful search."""
    if end.error_code == ErrorCode.BAD_INPUT:
        return tr("Enter a full email address, such as you@example.org.")
    return tr("No mail server found. Enter it above; your provider lists it in its help pages under “IMAP”.")
