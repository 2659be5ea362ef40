"""Scenes of reading for screenshots and layout tests."""

from nbmail.ui.message.file_window import FileWindow
from nbmail.ui.message.message_actions import SourceWindow
from nbmail.ui.window.services import FoundMail
from nbmail.worker.protocol.results import Attachment, MessageSource
from tests.ui.helpers import dialog, ticket_of, wait, wait_for
from tests.ui.scenes import all_scenes, opened

FILES = (
    Attachment("minutes of the meeting.pdf", "application/pdf", 184_220),
    Attachment("Rechnung_2026-11.pdf.exe", "application/octet-stream", 61_440),
    Attachment("photos.zip", "application/zip", 4_210_000),
)


def reading_files(window):
    """Show attachments with a program among them."""
    window.table.go_to(2)
    wait(200)
    window.message.show_message(window.message.shown_message._replace(attachments=FILES))


def reading_menu(window):
    """Open the menu of attachments."""
    reading_files(window)
    button = window.message.files.button
    button.menu().popup(button.mapToGlobal(button.rect().bottomLeft()))


def reading_danger(window):
    """Show the question before a program is opened."""
    reading_files(window)
    window.parts.reading.files.open(1)
    dialog()


def reading_search(window):
    """Show search matches and a search in progress."""
    window.engine.held.add("find_text")
    window.search.setText('free "need to"')
    wait(300)
    ticket_of(window, "find_text").report(140, 400, tuple(range(1, 60)))


def reading_source(window):
    """Show the headers of a message."""
    window.table.go_to(2)
    wait(200)
    headers = (("return-path", "<x@y.example>"), ("received", "from mail.example " * 12), ("subject", "Minutes"))
    SourceWindow(window, MessageSource(3, headers, "Subject: Minutes\n\nHello\n" * 40)).show()


@opened(3)
def mail_files(window):
    """Show mail from files."""
    files = FileWindow(window, window.engine, lambda _: None, FoundMail((("a.eml", b"a"), ("b.eml", b"b"))))
    files.show()
    wait_for(lambda: files.evidence.why is not None)


SCENES = all_scenes(globals())
