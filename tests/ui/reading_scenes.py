"""The states of reading that pictures are made of."""

from dataclasses import replace

from nbmail.ui.files.file_window import FileWindow
from nbmail.ui.window.app_services import FoundMail
from nbmail.worker.protocol import Attachment, Progress
from nbmail.worker.protocol.reading import FindText, MessageSource
from tests.ui import scenes
from tests.ui.helpers import ticket_of

FILES = (
    Attachment("minutes of the meeting.pdf", "application/pdf", 184_220),
    Attachment("Rechnung_2026-11.pdf.exe", "application/octet-stream", 61_440),
    Attachment("photos.zip", "application/zip", 4_210_000),
)


def reading_files():
    """Attachments, one of which is a program, with their menu open."""
    window = scenes.open_window()
    window.table.go_to(2)
    scenes.wait(200)
    window.message.show_message(replace(window.message.shown_message, attachments=FILES))
    return window


def reading_menu():
    """The menu of attachments."""
    window = reading_files()
    button = window.message.files.button
    button.menu().popup(button.mapToGlobal(button.rect().bottomLeft()))
    return window


def reading_danger():
    """The question before a program is opened."""
    window = reading_files()
    window.parts.reading.files.open(1)
    scenes.dialog()
    return window


def reading_search():
    """Words that were searched for, and a search that still reads texts."""
    window = scenes.open_window()
    window.engine.silent = (FindText,)
    window.search.setText('free "need to"')
    scenes.wait(300)
    window.bridge.emit_event(Progress(ticket_of(window, FindText), 140, 400, tuple(range(1, 60))))
    return window


def reading_source():
    """All headers of a message."""
    window = scenes.open_window()
    window.table.go_to(2)
    scenes.wait(200)
    headers = (("return-path", "<x@y.example>"), ("received", "from mail.example " * 12), ("subject", "Minutes"))
    window.parts.reading._show_source(MessageSource(3, headers, "Subject: Minutes\n\nHello\n" * 40))
    return window


def mail_files():
    """Mail that belongs to no mailbox."""
    window = scenes.open_window(3)
    files = FileWindow(window, window.requests, lambda _: None, FoundMail((("a.eml", b"a"), ("b.eml", b"b"))))
    files.show()
    scenes.wait_for(lambda: files.evidence.why is not None)
    return window


SCENES = scenes.all_scenes(globals())
