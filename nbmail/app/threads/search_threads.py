"""Background threads of the account dialogs: searches, tests and sign-ins."""

import threading
from collections.abc import Callable
from concurrent.futures import CancelledError
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

from nbmail.app.threads.background import CallOnGui, run_in_background
from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Account
from nbmail.sync.accounts.account_threads import AccountThreads
from nbmail.sync.mailbox_values import LocalMailbox, MailServer, SignInRequest
from nbmail.ui.window.services import (
    OnSearchEvent,
    OnSignInEvent,
    OnTestEvent,
    SearchEvent,
    SearchFailed,
    SignInEvent,
    StopSearch,
    TestEvent,
)

Result = TypeVar("Result")


class SearchThreads:
    """Runs each search on a thread, with its imports. Every method returns at once.

    `call`: passes callbacks to the GUI thread; `home`: the user's home directory; `accounts`:
    passwords and sign-ins; `guess`: candidate servers of a domain. The threads are daemons because
    a name look-up can't be interrupted: an ended search stops at its next step, and its results are
    dropped.
    """

    def __init__(
        self,
        call: CallOnGui,
        home: Path,
        accounts: AccountThreads,
        guess: Callable[[str], list[MailServer]] | None = None,
    ) -> None:
        self._call = call
        self._home = home
        self._accounts = accounts
        self._guess = guess

    def find_settings(
        self, address: str, on_result: OnSearchEvent, directory: bool = False
    ) -> StopSearch:
        def search(pass_on: OnSearchEvent, ended: threading.Event) -> SearchEvent:
            from nbmail.sync.discovery.server_search import SearchStep, find_server
            from nbmail.sync.discovery.settings_sources import usual_guesses

            def step(event: SearchStep) -> None:
                if ended.is_set():
                    raise CancelledError
                pass_on(event)

            try:
                found = find_server(
                    address, step, guess=self._guess or usual_guesses, directory=directory
                )
                return found or SearchFailed()
            except KnownError as error:
                return SearchFailed(error.error_code)
            except CancelledError:
                return SearchFailed()

        return self._run("finding", search, on_result)

    def find_places(self, on_result: Callable[[tuple[LocalMailbox, ...]], None]) -> None:
        def find() -> tuple[LocalMailbox, ...]:
            from nbmail.sync.local.thunderbird_profiles import thunderbird_places

            with suppress(OSError):  # An unreadable profile contains no readable mail.
                return tuple(thunderbird_places(self._home))
            return ()

        run_in_background(self._call, "places", find, on_result)

    def test_account(
        self, account: Account, password: str, on_result: OnTestEvent, *, examine: bool = False
    ) -> StopSearch:
        def work(pass_on: OnTestEvent, ended: threading.Event) -> TestEvent:
            from nbmail.sync.discovery.mailbox_listing import list_mailbox
            from nbmail.sync.discovery.server_abilities import examine_server
            from nbmail.sync.wake_signal import WakeSignal

            try:
                known = password or ("" if account.path else self._accounts.password_of(account))
                if known is None:
                    return SearchFailed(ErrorCode.NO_PASSWORD)
                with closing(WakeSignal()) as wake_signal:
                    return (examine_server if examine else list_mailbox)(
                        account, known, wake_signal, pass_on
                    )
            except KnownError as error:
                return SearchFailed(error.error_code, error.detail)
            except OSError as error:
                return SearchFailed(ErrorCode.NOT_FOUND, str(error))

        return self._run("folders", work, on_result)

    def sign_in(
        self,
        account: Account,
        request: SignInRequest,
        page: tuple[str, str],
        on_result: OnSignInEvent,
    ) -> StopSearch:
        def work(pass_on: OnSignInEvent, ended: threading.Event) -> SignInEvent:
            from nbmail.sync.sign_in.account_sign_in import sign_in

            try:
                signed, grant = sign_in(
                    account, request, page, pass_on, self._accounts.issuer_at, cancel=ended
                )
                if not ended.is_set():
                    self._accounts.keep_sign_in(signed, grant)
            except KnownError as error:
                return SearchFailed(error.error_code, error.detail)
            return signed

        return self._run("sign-in", work, on_result)

    def _run(
        self,
        name: str,
        work: Callable[[Callable[[Result], None], threading.Event], Result],
        on_result: Callable[[Result], None],
    ) -> StopSearch:
        """Run `work` on a thread.

        It gets a function that reports a step, and an event that is set when it is ended.
        """
        ended = threading.Event()

        def deliver(event: Result) -> None:
            if not ended.is_set():
                on_result(event)

        run_in_background(
            self._call,
            name,
            lambda: work(lambda event: self._call(partial(deliver, event)), ended),
            deliver,
        )
        return ended.set

    def forget_sign_in(self, account: Account) -> None:
        self._accounts.run(self._accounts.keep_sign_in, account, None)
