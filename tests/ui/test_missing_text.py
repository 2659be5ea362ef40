"""Messages whose text is missing or incomplete: the notice about it, and the text when it arrives."""

import pytest

from nbmail.values import Phase
from nbmail.worker.protocol.events import BodyFetched
from nbmail.worker.protocol.results import Body
from tests.ui.helpers import show_account
from tests.ui.scripted import ScriptedEngine

SENTENCES = {
    "again": "Loading the message again…",
    "away": "The text is no longer stored here and home is offline. nbmail loads it when the account is back online.",
    "lost": "The text of this message is no longer available on this computer or in its account.",
    "part": "Only the first part of this large message is loaded.",
    "rest": "Loading the full message…",
    "rest away": "home is offline. nbmail loads the rest when it is back online.",
}


@pytest.fixture
def lacking(open_window, qtbot, monkeypatch):
    """Return a function that opens a window with this state of all texts. `window.script.body` changes it."""

    def read(self, message):
        text = plain_read(self, message)
        if self.body is Body.WHOLE:
            return text
        accounts = ("home",) if self.body is Body.COMING else ()
        return text._replace(text="", html="", body=self.body, accounts=accounts)

    plain_read = ScriptedEngine.read_message
    monkeypatch.setattr(ScriptedEngine, "body", Body.WHOLE, raising=False)
    monkeypatch.setattr(ScriptedEngine, "read_message", read)
    monkeypatch.setattr(ScriptedEngine, "fetch_whole", lambda self, message: ("home",), raising=False)

    def open_lacking(body):
        monkeypatch.setattr(ScriptedEngine, "body", body)
        window = open_window()
        show_account(window)
        window.table.go_to(4)
        qtbot.waitUntil(lambda: shown(window) is not None and shown(window).message == window.table.current_message())
        return window

    return open_lacking


def shown(window):
    return window.message.shown_message


def said(window):
    return window.message.missing.text() if window.message.missing.isVisible() else ""


def tell(window, event, qtbot, sentence):
    if isinstance(event, Phase):
        show_account(window, event)
    else:
        window.receive(event)
    qtbot.waitUntil(lambda: said(window) == (SENTENCES[sentence] if sentence else ""))


def test_a_text_that_comes_is_shown_when_it_has_come(lacking, qtbot):
    window = lacking(Body.COMING)
    assert said(window) == SENTENCES["again"]
    assert not window.message.load_whole.isVisible()
    tell(window, Phase.OFFLINE, qtbot, "away")
    window.sidebar_model.states.clear()
    window.reader.update_missing()
    assert said(window) == SENTENCES["away"]
    tell(window, Phase.CONNECTING, qtbot, "again")
    window.script.body = Body.WHOLE
    tell(window, BodyFetched(window.table.current_message() + 1, found=True), qtbot, "again")
    tell(window, BodyFetched(window.table.current_message(), found=True), qtbot, "")
    qtbot.waitUntil(lambda: window.message.body.toPlainText() != "")
    assert not window.message.load_whole.isVisible()


def test_a_text_that_will_not_come_is_said_to_be_lost(lacking, qtbot):
    window = lacking(Body.COMING)
    tell(window, BodyFetched(window.table.current_message(), found=False), qtbot, "lost")
    assert said(lacking(Body.ABSENT)) == SENTENCES["lost"]


def test_the_rest_of_a_large_message_is_loaded_when_asked_for(lacking, qtbot):
    window = lacking(Body.PART)
    assert said(window) == SENTENCES["part"]
    assert window.message.load_whole.isVisible()
    window.message.load_whole.click()
    qtbot.waitUntil(lambda: said(window) == SENTENCES["rest"])
    assert not window.message.load_whole.isVisible()
    tell(window, Phase.OFFLINE, qtbot, "rest away")
    # After a failure, the button requests the text again.
    tell(window, BodyFetched(window.table.current_message(), found=False), qtbot, "part")
    assert window.message.load_whole.isVisible()
    window.script.body = Body.WHOLE
    tell(window, BodyFetched(window.table.current_message(), found=True), qtbot, "")
