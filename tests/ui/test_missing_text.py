"""Messages whose text is missing or incomplete: the notice, and the text once it arrives."""

import pytest

from nbmail.values import Phase
from nbmail.worker.protocol.events import BodyFetched
from nbmail.worker.protocol.messages import Body, MessageText
from tests.ui.helpers import show_account

SENTENCES = {
    "again": "Loading the message again…",
    "away": (
        "The text is no longer stored here and home is offline. nbmail loads it when the account "
        "is back online."
    ),
    "lost": "The text of this message is no longer available on this computer or in its account.",
    "part": "Only the first part of this large message is loaded.",
    "rest": "Loading the full message…",
    "rest away": "home is offline. nbmail loads the rest when it is back online.",
}


@pytest.fixture
def lacking(open_window, qtbot):
    """Return a function that opens a window on texts in this state. `window.body` changes it."""

    def open_lacking(body):
        window = open_window()

        def read(message):
            accounts = ("home",) if window.body is Body.COMING else ()
            text = "All of it." if window.body is Body.WHOLE else ""
            return MessageText(message, (), text, "", (), body=window.body, accounts=accounts)

        window.body = body
        window.script.read_message = read
        window.script.fetch_whole = lambda message: ("home",)
        show_account(window)
        window.table.go_to(4)
        qtbot.waitUntil(
            lambda: (
                shown(window) is not None
                and shown(window).message == window.table.current_message()
            )
        )
        return window

    return open_lacking


def shown(window):
    return window.message.shown_message


def said(window):
    return window.message.notes.missing.text() if window.message.notes.missing.isVisible() else ""


def tell(window, event, qtbot, sentence):
    if isinstance(event, Phase):
        show_account(window, event)
    else:
        window.receive(event)
    qtbot.waitUntil(lambda: said(window) == (SENTENCES[sentence] if sentence else ""))


def test_a_text_that_comes_is_shown_when_it_has_come(lacking, qtbot):
    window = lacking(Body.COMING)
    assert said(window) == SENTENCES["again"]
    assert not window.message.notes.load_whole.isVisible()
    tell(window, Phase.OFFLINE, qtbot, "away")
    window.sidebar_model.states.clear()
    window.reader.update_missing()
    assert said(window) == SENTENCES["away"]
    tell(window, Phase.CONNECTING, qtbot, "again")
    window.body = Body.WHOLE
    tell(window, BodyFetched(window.table.current_message() + 1, found=True), qtbot, "again")
    tell(window, BodyFetched(window.table.current_message(), found=True), qtbot, "")
    qtbot.waitUntil(lambda: window.message.body.toPlainText() != "")
    assert not window.message.notes.load_whole.isVisible()


def test_a_text_that_cannot_be_loaded_is_reported_as_lost(lacking, qtbot):
    window = lacking(Body.COMING)
    tell(window, BodyFetched(window.table.current_message(), found=False), qtbot, "lost")
    assert said(lacking(Body.ABSENT)) == SENTENCES["lost"]


def test_the_rest_of_a_large_message_is_loaded_on_request(lacking, qtbot):
    window = lacking(Body.PART)
    assert said(window) == SENTENCES["part"]
    assert window.message.notes.load_whole.isVisible()
    window.message.notes.load_whole.click()
    qtbot.waitUntil(lambda: said(window) == SENTENCES["rest"])
    assert not window.message.notes.load_whole.isVisible()
    tell(window, Phase.OFFLINE, qtbot, "rest away")
    # After a failure, the button requests the text again.
    tell(window, BodyFetched(window.table.current_message(), found=False), qtbot, "part")
    assert window.message.notes.load_whole.isVisible()
    window.body = Body.WHOLE
    tell(window, BodyFetched(window.table.current_message(), found=True), qtbot, "")
