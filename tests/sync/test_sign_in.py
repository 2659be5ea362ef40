"""Sign-in with OAuth 2 at a real authorization server, which Dovecot asks about tokens."""

import ssl
import subprocess
import sys
import threading
import urllib.request
from urllib.error import HTTPError
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Security
from nbmail.sync.imap.protocol.token_login import AccessToken
from nbmail.sync.imap.session import Session
from nbmail.sync.mailbox_values import SignInRequest
from nbmail.sync.sign_in.access_tokens import AccessTokens
from nbmail.sync.sign_in.browser_sign_in import sign_in_with_browser
from nbmail.sync.sign_in.code_sign_in import sign_in_with_code
from nbmail.sync.sign_in.grants import Grant
from nbmail.sync.sign_in.issuers import discover, find_issuer, register
from nbmail.sync.sign_in.known_issuers import KNOWN
from nbmail.sync.wake_signal import WakeSignal
from nbmail.sync.web import Web
from nbmail.values import Phase
from tests.waiting import wait_for

PATIENCE = 60.0
DONE, _ = PAGE = ("Signed in. You can close this page.", "The sign-in failed.")


class Stored:
    """A grant in memory. `order` tells what happened to it."""

    def __init__(self, grant=None):
        self.grant = grant
        self.stored = []

    def load(self):
        return self.grant

    def store(self, grant):
        self.grant = Grant.read(grant.text())
        self.stored.append(grant.refresh_token)


class Place:
    """The authorization server, Dovecot behind it, and a way in."""

    def __init__(self, internet):
        self.authority = internet.authority
        self.server = internet.sign_in
        self.dovecot = internet.dovecot
        self.web = Web(lambda: ssl.create_default_context(cafile=str(self.authority)))

    def issuer(self, **changes):
        return register(discover(self.server.issuer, self.web), self.web)._replace(**changes)

    def browse(self, address, **choices):
        return self.server.browse(address, self.authority, **choices)

    def sign_in(self, issuer=None, user="alice"):
        """Sign in by the browser; the tokens and the place where the grant is stored."""
        self.server.user = user
        signed, shown = self.meet(issuer or self.issuer(), user)
        assert DONE in shown and "code" not in shown.replace("charset", "")
        stored = Stored()
        tokens = AccessTokens(stored, self.web)
        tokens.take(signed)
        return tokens, stored

    def meet(self, issuer, user="", **choices):
        """Sign in with a browser. Return the grant and the text of the last page."""
        shown = []
        people = []

        def open_page(page):
            self.asked = query_of(page.address)
            people.append(
                threading.Thread(target=lambda: shown.append(self.browse(page.address, **choices)))
            )
            people[0].start()

        try:
            grant = sign_in_with_browser(issuer, self.web, user, PAGE, open_page, patience=PATIENCE)
        finally:
            people[0].join()
        return grant, shown[0]

    def open(self, token, user="alice", **more):
        signal = WakeSignal()
        try:
            Session.open(
                self.dovecot.account(user, **more), token, signal, PATIENCE
            ).client.shutdown()
        finally:
            signal.close()


def query_of(address):
    return {key: values[0] for key, values in parse_qs(urlsplit(address).query).items()}


@pytest.fixture
def place(session_internet):
    session_internet.empty()
    return Place(session_internet)


@pytest.mark.parametrize("mechanism", ["OAUTHBEARER", "XOAUTH2"])
def test_a_browser_sign_in_opens_the_mailbox(place, mechanism, monkeypatch):
    tokens, stored = place.sign_in()
    if mechanism == "XOAUTH2":
        monkeypatch.setattr("nbmail.sync.imap.protocol.token_login._MECHANISMS", ("XOAUTH2",))
    place.open(tokens())
    assert {"code_challenge_method": "S256"}.items() <= place.asked.items()
    assert Grant.read(stored.grant.text()).refresh_token == stored.grant.refresh_token


def test_a_token_is_sent_only_over_tls(place):
    token = AccessToken("secret-token", lambda: pytest.fail("renewed"))
    asked = len(place.server.requests)
    with failing(ErrorCode.NOT_ENCRYPTED):
        place.open(token, security=Security.PLAIN)
    assert "/introspect" not in [path for path, _ in place.server.requests[asked:]]


def test_an_account_waits_for_its_authorization_server_with_growing_pauses(
    place, watch, backend, monkeypatch
):
    tokens, _ = place.sign_in()
    monkeypatch.setattr(place.server, "refusal", "temporarily_unavailable")
    with failing(ErrorCode.SIGN_IN_LATER):
        tokens().renew()
    watch(place.dovecot.account(), tokens)
    backend.wait(lambda: len(backend.of("alice", Phase.OFFLINE)) >= 4)
    outages = backend.of("alice", Phase.OFFLINE)
    assert {state.error_code for state in outages} == {ErrorCode.SIGN_IN_LATER}
    pauses = [state.retry_at - state.at for state in outages]
    assert pauses[3] > 2 * pauses[0]
    place.server.refusal = ""
    backend.wait_synced("alice")


def test_a_code_typed_on_another_device_opens_the_mailbox(place):
    looks = []
    pages = []

    def pause(seconds):
        looks.append(seconds)
        if len(looks) == 2:
            place.server.agree_on_device(pages[0].code)

    signed = sign_in_with_code(place.issuer(), place.web, pages.append, pause)
    assert len(looks) == 2
    place.open(AccessToken(signed.access_token, lambda: pytest.fail("renewed")))
    refuse = lambda page: place.server.agree_on_device(page.code, agree=False)  # noqa: E731
    with failing(ErrorCode.SIGN_IN_FAILED):
        sign_in_with_code(place.issuer(), place.web, refuse, lambda seconds: None)


def failing(code):
    return pytest.raises(KnownError, check=lambda error: error.error_code is code)


def test_another_users_token_and_a_wrong_scope_are_refused(place):
    tokens, _ = place.sign_in(user="bob")
    with failing(ErrorCode.SIGN_IN_AGAIN):
        place.open(tokens(), user="alice")
    tokens, _ = place.sign_in(place.issuer(scope="offline_access"))
    with pytest.raises(KnownError) as refused:
        place.open(tokens())
    assert refused.value.error_code in (ErrorCode.WRONG_SCOPE, ErrorCode.SIGN_IN_AGAIN)


def test_an_expired_token_is_renewed_and_the_new_refresh_token_stored_first(place):
    tokens, stored = place.sign_in()
    first = stored.grant.refresh_token
    old = tokens()
    place.server.find(access_token=str(old)).expires_at = 0
    place.open(old)
    assert stored.stored == [first, stored.grant.refresh_token]
    assert stored.grant.refresh_token != first
    assert place.server.find(refresh_token=first).revoked
    # As if the program were killed before it used the new access token: the next run has the new
    # refresh token.
    place.open(AccessTokens(Stored(Grant.read(stored.grant.text())), place.web)())


def test_a_revoked_grant_needs_a_new_sign_in(place):
    tokens, _ = place.sign_in()
    place.open(tokens())
    place.server.revoke("alice")
    with failing(ErrorCode.SIGN_IN_AGAIN):
        place.open(tokens())
    fresh, _ = place.sign_in()
    place.open(fresh())


def test_a_token_that_could_not_be_stored_is_not_used(place):
    """The program may be killed between the server's answer and the keyring."""
    tokens, stored = place.sign_in()
    token = tokens()
    used = []

    def broken(grant):
        used.append(grant.refresh_token)
        raise KnownError(ErrorCode.NO_KEYRING)

    stored.store = broken
    with failing(ErrorCode.NO_KEYRING):
        token.renew()
    assert len(used) == 1
    # The old refresh token is void at the server by now: nothing but a new sign-in helps, and that
    # is what is said.
    with failing(ErrorCode.SIGN_IN_AGAIN):
        tokens()


def status_of(address):
    try:
        with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
            return answer.status
    except HTTPError as error:
        with error:
            return error.code


def test_only_the_right_answer_ends_the_wait(place):
    """Forged answers get an error page each; the right one, and only one, is taken."""
    results = []
    pages = []
    given = place.issuer(), place.web, "", PAGE, pages.append
    waiting = threading.Thread(
        target=lambda: results.append(sign_in_with_browser(*given, patience=PATIENCE))
    )
    waiting.start()
    address = wait_for(lambda: pages and pages[0].address)
    redirect, state = (query_of(address)[name] for name in ("redirect_uri", "state"))
    for query in ("code=x&state=forged", "code=x", "", "code=x&state=" + "y" * 43):
        assert status_of(f"{redirect}?{query}") == 400
    assert status_of(f"{redirect}favicon.ico?{urlencode({'state': state, 'code': 'x'})}") == 400
    assert DONE in place.browse(address)
    waiting.join()
    assert len(results) == 1
    with pytest.raises(OSError):
        urllib.request.urlopen(f"{redirect}?code=x&state={state}", timeout=PATIENCE)


def test_a_refusal_is_reported_in_the_servers_words(place):
    with pytest.raises(KnownError, match="access_denied"):
        place.meet(place.issuer(), agree=False)
    tokens, _ = place.sign_in()
    token = tokens()
    answers = {"temporarily_unavailable": "sign-in-later", "invalid_client": "sign-in-later"}
    for error, code in (answers | {"invalid_grant": "sign-in-again"}).items():
        place.server.refusal = error
        with pytest.raises(KnownError) as refused:
            token.renew()
        assert refused.value.error_code == code
    place.server.refusal = ""
    tokens()


def test_a_cancelled_wait_ends_at_once(place):
    given = place.issuer(), place.web, "", PAGE
    with failing(ErrorCode.SIGN_IN_FAILED):
        sign_in_with_browser(*given, lambda page: None, cancelled=lambda: True)


LIES = {
    "http": {"token_endpoint": "http://localhost/token"},
    "another host": {"token_endpoint": "https://attacker.example/token"},
    "another issuer": {"issuer": "https://attacker.example"},
    "no token endpoint": {"token_endpoint": ""},
}


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
def test_a_server_with_false_metadata_gets_no_request(place, lie, monkeypatch):
    monkeypatch.setattr(place.server, "metadata", lie)
    before = len(place.server.requests)
    with failing(ErrorCode.SIGN_IN_FAILED):
        discover(place.server.issuer, place.web)
    assert all(path.startswith("/.well-known") for path, _ in place.server.requests[before:])


def test_no_redirect_is_followed(place, monkeypatch):
    tokens, _ = place.sign_in()
    token = tokens()
    monkeypatch.setattr(place.server, "elsewhere", f"{place.server.issuer}/activate")
    before = len(place.server.requests)
    with failing(ErrorCode.SIGN_IN_LATER):
        token.renew()
    with failing(ErrorCode.SIGN_IN_FAILED):
        discover(place.server.issuer, place.web)
    assert "/activate" not in [path for path, _ in place.server.requests[before:]]


def test_a_registration_is_used_for_all_accounts_of_the_issuer(place):
    first = place.issuer()
    request = SignInRequest(place.server.issuer)
    again = find_issuer("imap.example", request, place.web, {place.server.issuer: first}.get)
    assert again.client_id == first.client_id
    other = find_issuer("imap.example", request, place.web)
    assert other.client_id not in ("", first.client_id)
    own = find_issuer(
        "imap.example",
        request._replace(client_id="mine"),
        place.web,
        {place.server.issuer: first}.get,
    )
    assert own.client_id == "mine"
    with failing(ErrorCode.NO_CLIENT_ID):
        find_issuer("imap.gmail.com", SignInRequest(), place.web)
    with failing(ErrorCode.SIGN_IN_FAILED):
        find_issuer("imap.example", SignInRequest(), place.web)


def test_libraries_are_imported_when_they_are_needed():
    code = (
        "import sys, nbmail.sync.sign_in.account_sign_in, nbmail.sync.discovery.server_search;"
        "sys.exit(bool({'oauthlib', 'dns'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_two_accounts_of_one_issuer_keep_their_own_tokens(place):
    alice, of_alice = place.sign_in(user="alice")
    bob, of_bob = place.sign_in(user="bob")
    place.open(alice(), "alice")
    place.open(bob(), "bob")
    assert of_alice.grant.refresh_token != of_bob.grant.refresh_token


def test_known_issuers_are_protected_and_preset_no_foreign_client():
    for issuer in KNOWN.values():
        assert issuer.authorization.startswith("https://")
        assert issuer.token.startswith("https://")
        assert issuer.client_id == ""
