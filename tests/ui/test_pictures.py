"""Pictures of mail: what is decoded, what is fetched, and for whom it is offered."""

import subprocess
import sys
import threading
from dataclasses import replace
from math import nan
from pathlib import Path

import pytest
from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QColor, QImage

from nbmail.app.threads.desktop_threads import DesktopThreads
from nbmail.app.threads.picture_loading import LARGEST
from nbmail.settings import Settings
from nbmail.ui.message.printing import printed_document
from nbmail.ui.page.pictures import LARGEST_SIDE, decode_picture
from nbmail.ui.window.bridge import Bridge
from nbmail.values import VERDICTS
from nbmail.worker.protocol.messages import MessageText
from nbmail.worker.protocol.senders import SenderCheck
from tests.ui.helpers import Calls, is_idle, offers, put_away
from tests.ui.real import PATIENCE, open_mailbox
from tests.web_server import WebServer


def picture(kind, width=40, height=20):
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor("navy"))
    data = QByteArray()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    assert image.save(buffer, kind)
    return bytes(buffer.data().data()) or bytes(data.data())


GIF = bytes.fromhex(
    "47494638396101000100800000ffffff00000021f90401000000002c00000000010001000002024401003b"
)


def test_only_some_formats_are_decoded_by_their_content_and_reduced(qapp):
    for kind in ("PNG", "JPEG", "WEBP"):
        assert decode_picture(picture(kind)).size().toTuple() == (40, 20)
        assert max(decode_picture(picture(kind, 3000, 1500)).size().toTuple()) == LARGEST_SIDE
    assert decode_picture(GIF).size().toTuple() == (1, 1)
    others = [picture(kind) for kind in ("BMP", "PPM", "XPM", "TIFF", "ICO")]
    for refused in (
        *others,
        b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
        b"",
    ):
        assert decode_picture(refused) is None
    huge = bytearray(picture("PNG"))
    huge[16:24] = (5000).to_bytes(4, "big") + (4000).to_bytes(4, "big")
    assert decode_picture(bytes(huge)) is None


# --------------------------------------------------------------------------------------------------
# fetching


@pytest.fixture
def server(tmp_path):
    server = WebServer(tmp_path)
    yield server
    server.close()


def test_pictures_are_fetched_and_each_result_is_delivered_once(server, qtbot, tmp_path):
    server.answer("/good", picture("PNG"), Content_Type="text/html")
    server.answer("/page", b"<html>", Content_Type="image/png")
    server.answer("/vector", b"<svg/>", Content_Type="image/svg+xml")
    server.answer("/large", picture("PNG") + b"x" * LARGEST)
    server.answer("/moved", status=302, Location="/good")
    bridge = Bridge()
    came = []
    desktop = DesktopThreads(bridge.call, web=server.web(largest=LARGEST))
    paths = ("good", "page", "vector", "large", "moved", "missing")
    sources = {path: server.address(f"/{path}") for path in paths} | {
        "inside": picture("JPEG"),
        "broken": b"x",
    }

    def take(source, image):
        assert threading.current_thread() is threading.main_thread()
        came.append((source, image is not None))

    desktop.load_pictures(sources, take)
    qtbot.waitUntil(lambda: len(came) == len(sources))
    assert dict(came) == {name: name in ("good", "moved", "inside") for name in sources}
    assert {request.headers["Accept"] for request in server.requests} == {
        "image/webp,image/png,image/jpeg,image/gif"
    }
    bridge.close()


def test_no_picture_is_fetched_from_this_computer(server, qtbot, tmp_path):
    bridge = Bridge()
    came = []
    desktop = DesktopThreads(bridge.call)
    desktop.load_pictures({"near": server.address("/good")}, lambda *result: came.append(result))
    qtbot.waitUntil(lambda: came == [("near", None)])
    assert server.requests == []
    bridge.close()


def test_after_the_end_nothing_is_delivered(server, qtbot, tmp_path):
    goes_on = threading.Event()
    came = []
    server.answer("/slow", lambda file: goes_on.wait(PATIENCE / 1000))
    bridge = Bridge()
    desktop = DesktopThreads(bridge.call, web=server.web())
    end = desktop.load_pictures(
        {"slow": server.address("/slow")}, lambda *result: came.append(result)
    )
    qtbot.waitUntil(lambda: len(server.requests) == 1)
    end()
    goes_on.set()
    qtbot.waitUntil(lambda: all(thread.name != "pictures" for thread in threading.enumerate()))
    qtbot.wait(0)
    assert came == []
    bridge.close()


CLOSED_WHILE_LOADING = """
import sys
from pathlib import Path
from nbmail.app.run import run
from nbmail.app.run_options import RunOptions
from nbmail.paths import Paths

home = Path(sys.argv[1])
pictures = {str(number): (home / "large.png").read_bytes() for number in range(100)}

def load(program):
    program.desktop.load_pictures(pictures, lambda source, image: program.window.close())

sys.exit(run(RunOptions(Paths.under(home), users_home=home), load))
"""


def test_the_program_ends_while_pictures_are_loaded(tmp_path, qapp):
    """Qt crashes if a thread decodes a picture while the program exits."""
    (tmp_path / "large.png").write_bytes(picture("PNG", 3900, 3900))
    command = [sys.executable, "-c", CLOSED_WHILE_LOADING, str(tmp_path)]
    subprocess.run(command, cwd=Path(__file__).parents[2], check=True, timeout=300)


# --------------------------------------------------------------------------------------------------
# the pane

ADDRESS = "anna@shop.example"
PAGE = (
    '<p>Hello</p><img src=" https://pictures.example/a.png" alt="A watch" width=30><img '
    'src="https://x.example/b.png">'
    '<img src="http://plain.example/c.png"><img src="https://track.example/d.gif" width=1 '
    "height=1>"
    '<img src="file:///etc/passwd"><img src="https://127.1/e.png">'
)
WEB = ["https://pictures.example/a.png", "https://x.example/b.png", "https://127.1/e.png"]
ALWAYS = "Always for this sender"
NEVER = "No longer for this sender"
ONCE = "Load pictures once"


@pytest.fixture
def window(window):
    window.script.read_pictures = lambda _: {"logo@x": b"content"}
    return window


def message_of(window, verdict):
    """Return the number of a message that counts as this."""
    mail = window.model.mail
    wanted = VERDICTS.index(verdict)
    return next(
        int(mail.messages[place])
        for place in mail.order.tolist()
        if mail.effective_class[place] == wanted
    )


def show(window, html=PAGE, *, verdict="ham", domain="shop.example", text="", senders=(ADDRESS,)):
    headers = tuple(("From", f"Anna <{sender}>") for sender in senders)
    message = message_of(window, verdict)
    window.message.show_message(
        MessageText(message, headers, text, html, (), sender=SenderCheck(domain))
    )


def requests(window):
    return [call for call in window.calls if call[0] == "load_pictures"]


def image():
    return QImage(60, 30, QImage.Format.Format_RGB32)


def test_pictures_are_loaded_only_after_a_click(window, qtbot):
    show(window)
    assert requests(window) == []
    assert window.message.notes.left_out.text() == (
        "5 pictures were not loaded. Loading them tells the sender when you read this, and "
        "your internet address."
    )
    offers(window)[ONCE].click()
    ((_, sources, take),) = requests(window)
    assert [*sources.values()] == [*WEB[:2], "https://127.0.0.1/e.png"]
    assert window.message.notes.left_out.text().endswith("Loading pictures: 0 of 3…")
    for source, shown in zip(sources, (image(), None, None), strict=True):
        take(source, shown)
    qtbot.waitUntil(lambda: "picture:0" in window.message.body.toHtml())
    assert (
        window.message.notes.left_out.text()
        == "2 pictures were not loaded. 2 pictures could not be loaded."
    )
    assert window.message.body.refused == 0
    assert "picture:0" in printed_document(window.message).toHtml()
    assert ONCE not in offers(window)


def test_stop_ends_loading_and_another_message_shows_no_picture_of_it(window, qtbot):
    show(window)
    for name in (ONCE, "Stop"):
        offers(window)[name].click()
    assert ONCE in offers(window)
    show(window, "<p>another</p><img src='https://pictures.example/a.png'>")
    requests(window)[0][2]("https://pictures.example/a.png", image())
    qtbot.waitUntil(lambda: is_idle(window))
    assert "picture:0" not in window.message.body.toHtml()


def test_loading_ends_with_the_window(monkeypatch, qtbot):
    ends = []
    monkeypatch.setattr(
        Calls, "results", {**Calls.results, "load_pictures": lambda: ends.append(True)}
    )
    window = open_mailbox().window
    qtbot.waitUntil(lambda: is_idle(window))
    show(window)
    offers(window)[ONCE].click()
    put_away(window)
    qtbot.waitUntil(lambda: ends == [True])


def test_nothing_is_offered_or_loaded_for_spam(window):
    window.parts.settings.change(replace(window.settings, picture_senders=(ADDRESS,)))
    show(window, PAGE + "<img src='cid:logo@x'>", verdict="spam")
    assert offers(window) == {}
    assert requests(window) == []
    assert window.message.notes.left_out.text() == "6 pictures were not loaded."


def test_a_mark_as_spam_ends_loading_and_withdraws_the_offer(window, qtbot):
    window.parts.settings.change(replace(window.settings, after_mark="stay"))
    show(window)
    message = window.message.shown_message.message
    offers(window)[ONCE].click()
    window.engine.mark((message,), "spam")
    qtbot.waitUntil(lambda: offers(window) == {})
    window.engine.mark((message,), "ham")
    qtbot.waitUntil(lambda: ONCE in offers(window))


def test_a_message_without_a_verdict_is_treated_as_spam_until_it_has_one(window):
    window.parts.settings.change(replace(window.settings, picture_senders=(ADDRESS,)))
    mail = window.model.mail
    place = int(mail.find([message_of(window, "ham")])[0])
    label = int(mail.labels[place])
    odds = float(mail.log_odds[place])
    mail.labels[place] = -1
    mail.log_odds[place] = nan
    show(window)
    assert (offers(window), requests(window)) == ({}, [])
    mail.labels[place] = label
    mail.log_odds[place] = odds
    window.model.counted.emit()
    assert len(requests(window)) == 1


def test_pictures_follow_the_width_of_the_pane(window, qtbot):
    show(window, "<img src='cid:logo@x'>")
    qtbot.waitUntil(lambda: bool(requests(window)))
    take = requests(window)[0][2]
    take("cid:logo@x", QImage(900, 300, QImage.Format.Format_RGB32))
    body = window.message.body

    def fits():
        document = body.document()
        return "picture:0" in body.toHtml() and document.idealWidth() <= body.viewport().width()

    qtbot.waitUntil(fits)
    window.resize(900, 700)
    qtbot.waitUntil(fits)


def test_always_needs_a_confirmed_sender_and_can_be_ended(window, qtbot):
    for domain, senders in (
        (None, ()),
        ("", ()),
        ("other.example", ()),
        ("shop.example", ("b@x.example",)),
    ):
        show(window, domain=domain, senders=(ADDRESS, *senders))
        assert offers(window).keys() == {ONCE}
    show(window)
    offers(window)[ALWAYS].click()
    assert window.settings.picture_senders == (ADDRESS,)
    assert len(requests(window)) == 1
    show(window)
    assert len(requests(window)) == 2
    show(window, domain="")
    assert len(requests(window)) == 2
    assert NEVER not in offers(window)
    for source in requests(window)[1][1]:
        show(window)
        requests(window)[-1][2](source, image())
    for source in requests(window)[-1][1]:
        requests(window)[-1][2](source, None)
    qtbot.waitUntil(lambda: NEVER in offers(window))
    offers(window)[NEVER].click()
    assert window.settings.picture_senders == ()


def test_pictures_inside_a_message_are_shown_at_once(window, qtbot):
    show(window, "<p>Hello</p><img src='cid:logo%40x'><img src='cid:missing'>", domain=None)
    qtbot.waitUntil(lambda: bool(requests(window)))
    ((_, sources, take),) = requests(window)
    assert sources == {"cid:logo%40x": b"content"}
    take("cid:logo%40x", image())
    qtbot.waitUntil(lambda: "picture:0" in window.message.body.toHtml())
    assert window.message.notes.left_out.text() == "1 picture was not loaded."


def test_pictures_are_loaded_when_plain_text_becomes_formatted(window, qtbot):
    window.parts.settings.change(
        replace(window.settings, plain_senders=(ADDRESS,), picture_senders=(ADDRESS,))
    )
    show(window, PAGE + "<img src='cid:logo@x'>")
    assert requests(window) == []
    window.actions_by_name["plain"].trigger()
    qtbot.waitUntil(lambda: len(requests(window)) == 2)
    assert sum(len(sources) for _, sources, _ in requests(window)) == len(WEB) + 1


# --------------------------------------------------------------------------------------------------
# plain text

HIDING = "<p>Hello <b>Ben</b></p><div style='display:none'>secret words</div>"


def test_plain_text_shows_hidden_text_and_is_remembered_for_the_sender(window):
    act = window.actions_by_name["plain"]
    assert act.shortcut().toString() == "Ctrl+Shift+P"
    show(window, HIDING)
    assert window.message.notes.left_out.text() == "2 hidden words."
    act.trigger()
    assert window.message.body.toPlainText() == "Hello Ben\n\nHidden text:\nsecret words"
    assert window.message.notes.left_out.text() == "Shown as plain text."
    act.trigger()
    assert window.message.body.toPlainText() == "Hello Ben"
    show(window, "<p>Yes.</p><blockquote type=cite>" + "<p>line</p>" * 20)
    act.trigger()
    assert window.message.body.toPlainText().split("\n") == ["Yes.", *["line"] * 20]
    show(window, HIDING, text="Plain part\n> quoted\n")
    act.trigger()
    assert window.message.body.toPlainText() == "Plain part\n> quoted\n\nHidden text:\nsecret words"
    offers(window)[ALWAYS].click()
    assert window.settings.plain_senders == (ADDRESS,)
    show(window, HIDING)
    assert "secret" in window.message.body.toPlainText()
    show(window, HIDING, senders=("ben@x.example",))
    assert window.message.body.toPlainText() == "Hello Ben"
    show(window, HIDING)
    offers(window)[NEVER].click()
    assert window.settings.plain_senders == Settings().plain_senders
    offers(window)["Show formatted text"].click()
    assert window.message.body.toPlainText() == "Hello Ben"
