"""Scenes of reading, and of the reasons, for screenshots and layout tests."""

from PySide6.QtGui import QColor, QImage

from nbmail.core.mail.message import AttachedFile
from nbmail.ui.evidence.breakdown.breakdown_lines import LineKind
from nbmail.ui.evidence.word.word_window import WordWindow
from nbmail.ui.message.file_window import FileWindow
from nbmail.ui.message.source_window import SourceWindow
from nbmail.ui.window.services import FoundMail
from nbmail.worker.protocol.messages import MessageSource
from nbmail.worker.protocol.senders import SenderCheck
from tests.ui.helpers import dialog, offers, place_of, row_called, ticket_of, trigger, wait_for
from tests.ui.scenes import all_scenes, settle

FILES = (
    AttachedFile("minutes of the meeting.pdf", "application/pdf", 184_220),
    AttachedFile("Rechnung_2026-11.pdf.exe", "application/octet-stream", 61_440),
    AttachedFile("photos.zip", "application/zip", 4_210_000),
)


def reading_files(window):
    """Show attachments with a program among them."""
    window.table.go_to(2)
    settle(window)
    window.message.show_message(window.message.shown_message._replace(attachments=FILES))


OFFER = (
    "<h2>Your order has been sent</h2><img src='https://shop.example/boots.png' alt='Brown boots'>"
    "<img src='https://shop.example/hat.png' alt='A hat'><p>Thank you, Ben. Both will arrive "
    "on <b>Thursday</b>.</p>"
    "<table><tr><td>Boots</td><td>89.00</td></tr><tr><td>Hat</td><td>25.00</td></tr></table>"
    "<div style='display:none'>cheap offers newsletter</div>"
    "<p><a href='https://shop.example/track' style='background:#0a6; color:white'>Track your "
    "parcel</a></p>"
)
REPLY = """Hello Ben,

Monday is fine. Two remarks:

> We could take the ferry at nine.

The nine o'clock ferry is full. These are left:

Ferry     Leaves   Seats
Anna       10:15      12
Berta      11:40       7
Clara      12:05      31

Anna

On Tuesday, Ben wrote:
""" + "\n".join(f"> Line {number} of the letter that was answered." for number in range(1, 15))


def show_text(window, **changes):
    """Show a message of a confirmed sender with this text."""
    window.table.go_to(row_called(window, "ham"))
    settle(window)
    text = window.message.shown_message._replace(sender=SenderCheck("mail.example"), **changes)
    window.message.show_message(text)


def reading_pictures(window):
    """Show a page whose pictures were not loaded."""
    show_text(window, html=OFFER)


def reading_loaded(window):
    """Show a page with one picture loaded and one that could not be."""
    show_text(window, html=OFFER)
    next(iter(offers(window).values())).click()
    _, sources, take = [call for call in window.calls if call[0] == "load_pictures"][-1]
    picture = QImage(360, 160, QImage.Format.Format_RGB32)
    picture.fill(QColor("#9a6b3f"))
    for source, image in zip(sources, (picture, None), strict=True):
        take(source, image)
    settle(window)


def reading_quotes(window):
    """Show a reply with a table and a folded quotation."""
    show_text(window, text=REPLY, html="")


def reading_plain(window):
    """Show a page as plain text with its hidden words."""
    show_text(window, html=OFFER)
    window.actions_by_name["plain"].trigger()


def reading_menu(window):
    """Open the menu of attachments."""
    reading_files(window)
    button = window.message.attachments.button
    button.menu().popup(button.mapToGlobal(button.rect().bottomLeft()))


def reading_danger(window):
    """Show the question before a program is opened."""
    reading_files(window)
    window.message.attachments.files.open(1)
    dialog()


def reading_search(window):
    """Show search matches and a search in progress."""
    window.engine.held.add("find_text")
    window.search.setText('free "need to"')
    ticket_of(window, "find_text").report(140, 400, tuple(range(1, 60)))


def reading_source(window):
    window.table.go_to(2)
    settle(window)
    headers = (
        ("return-path", "<x@y.example>"),
        ("received", "from mail.example " * 12),
        ("subject", "Minutes"),
    )
    SourceWindow(window, MessageSource(headers, "Subject: Minutes\n\nHello\n" * 40)).show()


def mail_files(window):
    files = FileWindow(
        window, window.engine, lambda _: None, FoundMail((("a.eml", b"a"), ("b.eml", b"b")))
    )
    files.show()
    wait_for(lambda: files.evidence.why is not None)


def why_all(window):
    """Show the expanded reasons."""
    window.table.go_to(row_called(window, "spam"))
    settle(window)
    trigger(window, "explain")


def why_folded(window):
    why_all(window)
    settle(window)
    panel = window.evidence
    for group, _ in panel.breakdown.groups:
        panel.table.fold(group.group, True)
    panel.parts[1].click()


def why_simulated(window):
    """Simulate a mark."""
    why_all(window)
    window.evidence.if_ham.click()


def why_held_back(window):
    """Open a likely spam message with the verdict unsure."""
    mail = window.model.mail
    chances = [mail.probabilities[place] for place in mail.order]
    window.table.go_to(next(row for row, chance in enumerate(chances) if 0.9 < chance < 0.99))


def why_moved(window):
    """Show the changed verdicts of a mark."""
    why_all(window)
    window.reasons.show_latest()
    wait_for(lambda: place_of(window) is not window)


def why_word(window):
    why_all(window)
    settle(window)
    panel = window.evidence
    row = next(row for row, line in enumerate(panel.table.lines) if line.kind is LineKind.WORD)
    panel.table.clicked.emit(panel.table.model().index(row, 0))
    settle(window)
    word = wait_for(lambda: window.findChild(WordWindow))
    word.simulate.click()


def why_same_sender(window):
    """Show one fact with several features."""
    why_all(window)
    settle(window)
    panel = window.evidence
    line = next(line for line in panel.table.lines if len(line.features) > 1)
    window.reasons.open_words([each.word for each in line.features])


SCENES = all_scenes(globals())
