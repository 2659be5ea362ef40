"""Sign-in at a provider from the command line, and a mailbox that is watched with its tokens."""

import re
import threading

import pytest

from nbmail.settings_file import load_settings
from tests.e2e.running import run_nbmail
from tests.e2e.watching import Place
from tests.internet import session_internet
from tests.sync.letters import letter
from tests.waiting import wait_for

__all__ = ["session_internet"]


class Provider(Place):
    """An authorization server, and the Dovecot that asks it about tokens."""

    def __init__(self, folder, internet):
        super().__init__(folder, internet.dovecot)
        self.secret.write_text("not the password\n")
        self.tokens = folder / "tokens"
        self.authority = internet.authority
        self.server = internet.sign_in
        self.proof = ("--sign-in", "--issuer", self.server.issuer)

    def account(self, *words):
        """Run `nbmail account` as a user does who agrees in the browser, or types the code."""
        done = []
        arguments = ("account", *words, "--token-file", self.tokens, "--home", self.home)
        browser = self.folder / "browser"
        browser.write_text(f'#!/bin/sh\necho "$1" > {self.folder}/address\n')
        browser.chmod(0o700)
        (self.folder / "address").unlink(missing_ok=True)
        run = threading.Thread(
            target=lambda: done.append(run_nbmail(self.folder, *arguments, BROWSER=f"{browser} %s"))
        )
        run.start()
        if "--device" in words:
            device = wait_for(lambda: next(iter([*self.server.devices.values()]), None), "a code")
            self.server.agree_on_device(device["user_code"])
        else:
            address = wait_for(self._address, "the browser")
            self.server.browse(address, self.authority)
        run.join()
        return done[0]

    def _address(self):
        path = self.folder / "address"
        return path.read_text().strip() if path.exists() else ""


@pytest.fixture
def provider(tmp_path, session_internet):
    session_internet.empty()
    made = Provider(tmp_path, session_internet)
    yield made
    made.close()


@pytest.mark.parametrize("way", [(), ("--device",)], ids=["browser", "device"])
def test_an_account_signs_in_and_is_watched(provider, way):
    assert "Added alice" in provider.add(*way)
    [account] = load_settings(provider.paths.settings).accounts
    assert account.sign_in == provider.server.issuer
    assert provider.tokens.stat().st_mode & 0o077 == 0
    assert not re.search("refresh|token", provider.paths.settings.read_text())
    provider.sync("--token-file", provider.tokens)


def test_after_a_revocation_signing_in_again_goes_on_without_losing_a_mark(provider):
    provider.add()
    running = provider.watch("--token-file", provider.tokens)
    client = provider.dovecot.client()
    provider.deliver(letter(1))
    running.line("letter 1")
    client.add_flags(client.uids("INBOX", 1), [b"$Junk"])
    provider.server.revoke("alice")
    provider.dovecot.drop_connections()
    running.line("sign-in-again")
    running.stop()
    code, _, err = provider.account("sign-in", "alice")
    assert code == 0, err
    running = provider.watch("--token-file", provider.tokens)
    provider.deliver(letter(2))
    running.line("letter 2")
    assert running.stop() == 0, running.errors
    assert provider.labels() == {"letter 1": "spam"}


def test_a_provider_without_a_client_id_says_so(provider):
    code, _, err = run_nbmail(
        provider.folder,
        "account",
        "add",
        "someone@outlook.com",
        "--sign-in",
        "--home",
        provider.home,
    )
    assert code == 2
    assert "no client ID" in err
    assert load_settings(provider.paths.settings).accounts == ()
