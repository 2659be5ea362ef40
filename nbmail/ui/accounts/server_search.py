"""Search for the mail server of an address."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from nbmail.errors import ErrorCode
from nbmail.sync.mailbox_values import ServerFound, ServerTried, SettingsSource, SourceAsked
from nbmail.ui.kit import layouts
from nbmail.ui.kit.accessibility import announce
from nbmail.ui.kit.buttons import make_button, quiet_button
from nbmail.ui.kit.plain_labels import wrapping_label
from nbmail.ui.texts.error_texts import error_notice
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.plain_text import join_sentences, plain_tip
from nbmail.ui.window import services


class ServerSearch(QWidget):
    """Search for a mail server, with its steps and its outcome.

    `found` is called with the settings, `changed` after each change of the state.
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
        self._page = ""
        self._address = ""
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
        self.stop_button.hide()
        self.page_button.hide()
        self.directory_button.hide()
        self.hide()

    def look(self, address: str, *, again: bool = False) -> None:
        """Search for the server of an address, unless that is running or done.

        `again`: search again if it is done.
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
        if isinstance(news, SourceAsked):
            self._show_step((news.source, news.place), news)
            return
        if isinstance(news, ServerTried):
            self._show_step(news.server, news)
            return

        self.busy = False
        if isinstance(news, ServerFound):
            self._show_outcome(found_text(news), news.password_page)
            self._found(news)
        elif news.error_code == ErrorCode.BAD_INPUT:
            self._show_outcome(tr("Enter a full email address, such as you@example.org."))
        else:
            self._show_not_found()

    def _show_step(self, key: object, step: SourceAsked | ServerTried) -> None:
        """Show the state of a source or server in place of its earlier state."""
        self._steps[key] = step
        shown = sorted(self._steps.values(), key=_rank)
        self.steps.setText("\n".join(step_text(each) for each in shown))
        self.steps.show()

    def _show_not_found(self) -> None:
        """Report that there is no server. Offer Thunderbird's directory, unless it was asked."""
        text = tr(
            "No mail server found. Enter it above; your provider lists it in its help "
            "pages under “IMAP”."
        )
        asked = {each.source for each in self._steps.values() if isinstance(each, SourceAsked)}
        domain = self._address.rpartition("@")[2]
        if SettingsSource.DIRECTORY in asked:
            domain = ""
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


def _rank(step: SourceAsked | ServerTried) -> int:
    """Return the place of a step in a stable order: sources by their rank, then servers."""
    ranks = list(SettingsSource)
    return ranks.index(step.source) if isinstance(step, SourceAsked) else len(ranks)


def step_text(step: SourceAsked | ServerTried) -> str:
    """Return the state of a source, or of an attempt to connect to a server."""
    if isinstance(step, ServerTried):
        return _attempt_text(step)
    places = {
        SettingsSource.TABLE: tr("Known provider {place}"),
        SettingsSource.EXCHANGER: tr("DNS, incoming mail of {place}"),
        SettingsSource.SERVICE: tr("DNS, IMAP server of {place}"),
    }
    where = places.get(step.source, "{place}").format(place=step.place)
    if step.names is None:
        return tr("{where}: asking…").format(where=where)
    if step.names:
        return f"{where}: {', '.join(step.names)}"
    if step.error_code in (None, ErrorCode.NOT_FOUND):
        return tr("{where}: no settings.").format(where=where)
    return f"{where}: {failure_reason(step.error_code)}"


def _attempt_text(attempt: ServerTried) -> str:
    server = attempt.server
    where = tr("{host}, port {port}").format(host=server.host, port=server.port)
    if attempt.worked is None:
        return tr("{where}: connecting…").format(where=where)
    if attempt.worked:
        return tr("{where}: encrypted connection works.").format(where=where)
    return f"{where}: {failure_reason(attempt.error_code)}"


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
    host = found.server.host
    next_step = _next_step_text(found).format(provider=found.provider or host, host=host)
    if found.worked or found.bridge:
        return next_step
    text = tr("nbmail knows the server of {provider}, {host}, but has not reached it: {reason}")
    reason = failure_reason(found.error_code)
    text = text.format(provider=found.provider, host=host, reason=reason)
    return join_sentences(text, next_step)


def _next_step_text(found: ServerFound) -> str:
    """Return what the user does with the found settings, with the fields {provider} and {host}."""
    if found.closed:
        return tr("{provider} accepts no passwords, only a sign-in on its own web page.")
    if found.bridge:
        return tr(
            "{provider} needs its own bridge program on this computer. Start it and enter "
            "the password it shows."
        )
    if found.foreign:
        return tr(
            "Found a mail server in another domain: {host}. Confirm its name above, then sign in."
        )
    if found.password_page:
        return tr(
            "{provider} requires an app password. Create one for nbmail and enter it instead "
            "of your usual password."
        )
    if found.provider:
        return tr("Settings for {provider} are filled in. Enter your password.")
    return tr("Found your mail server: {host}. Enter your password.")
