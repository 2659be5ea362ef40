"""Reading with the real engine: read flags, attachments, source, dates and search matches."""

import os
import time
from dataclasses import replace
from urllib.parse import quote

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtWidgets import QFileDialog, QLabel

from nbmail.ui.list.list_choice import Choice
from nbmail.ui.list.search_words import found_places
from nbmail.ui.message.attachments import attachment_files
from nbmail.ui.message.attachments.file_warnings import warning
from nbmail.ui.message.body.text_marks import FOUND
from nbmail.ui.message.read_timer import DELAYS
from nbmail.ui.message.source_window import SourceWindow
from nbmail.ui.texts.date_texts import written_words
from nbmail.values import AccountState, FolderName, Phase
from tests.ui.helpers import answer, question, ticket_of
from tests.ui.real import ACCOUNT, PATIENCE, settle

LETTER = """\
From: "Zoë" <zoe@example.org>
To: me@example.org
Subject: letter {number}
Date: Mon, 2 Nov 2026 23:30:00 -0500
Message-ID: <{number}@example.org>
X-Odd: =?utf-8?q?caf=C3=A9?=
Content-Type: multipart/mixed; boundary="b"

--b
Content-Type: text/plain; charset=utf-8

The quarterly figures of the Café in the straße, number {number}.
--b
Content-Type: text/plain; name="notes.txt"
Content-Disposition: attachment

some notes
--b
Content-Type: application/octet-stream; name="bill.pdf.exe"
Content-Disposition: attachment; filename="bill.pdf.exe"
Content-Transfer-Encoding: base64

TVqQAAMA
--b--
"""


@pytest.fixture
def reading(empty_mailbox, qtbot):
    """Return a window with three messages, the newest of them open."""
    mailbox = empty_mailbox
    mailbox.deliver("INBOX", [LETTER.format(number=number).encode() for number in range(3)])
    window = mailbox.window
    qtbot.waitUntil(lambda: window.model.rowCount() == 3)
    qtbot.waitUntil(lambda: window.message.shown_message is not None)
    settle(mailbox)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.parts.settings.change(replace(window.settings, opened_is_read="moment"))
    return mailbox


def unread(window):
    mail = window.model.mail
    return {mail.subjects[place] for place in mail.order.tolist() if mail.unread(place)}


def test_an_open_message_counts_as_read_after_a_delay_and_a_key_toggles_it(
    reading, qtbot, monkeypatch
):
    window = reading.window
    assert unread(window) == {"letter 0", "letter 1", "letter 2"}
    monkeypatch.setitem(DELAYS, "moment", 50)
    window.table.go_to(1)
    qtbot.waitUntil(lambda: unread(window) == {"letter 0", "letter 2"})
    qtbot.keyClick(window.table, Qt.Key.Key_M)
    qtbot.waitUntil(lambda: unread(window) == {"letter 0", "letter 1", "letter 2"})
    settle(reading)
    assert "letter 1" in unread(window), "a message marked as unread stays unread while it is open"
    window.table.select_all()
    qtbot.keyClick(window.table, Qt.Key.Key_M)
    qtbot.waitUntil(lambda: unread(window) == set())
    qtbot.keyClick(window.table, Qt.Key.Key_M)
    qtbot.waitUntil(lambda: len(unread(window)) == 3)


def test_only_a_chosen_message_counts_as_read_and_with_never_none(reading, qtbot, monkeypatch):
    window = reading.window
    monkeypatch.setitem(DELAYS, "moment", 20)
    for choice in (Choice(), Choice(folder=FolderName(ACCOUNT, "INBOX"))):
        window.show_choice(choice)
        settle(reading)
        assert window.message.shown_message is not None
        assert len(unread(window)) == window.model.rowCount() >= 3
    window.parts.settings.change(replace(window.settings, opened_is_read="never"))
    window.table.go_to(1)
    qtbot.waitUntil(lambda: window.message.shown_message.headers[2][1] == "letter 1")
    settle(reading)
    assert len(unread(window)) == 3
    window.parts.settings.change(replace(window.settings, opened_is_read="moment"))
    window.table.go_to(0)
    qtbot.waitUntil(lambda: len(unread(window)) == window.model.rowCount() - 1)


def test_a_text_that_comes_after_its_message_left_the_list_is_not_shown(reading, qtbot):
    window = reading.window
    text = reading.engine.read_message(window.table.current_message()).result(PATIENCE / 1000)
    window.engine.held.add("read_message")
    window.table.go_to(1)
    qtbot.waitUntil(lambda: window.engine.ticket("read_message") is not None)
    window.search.setText("no message contains these words")
    qtbot.waitUntil(lambda: window.message.shown_message is None)
    window.engine.ticket("read_message").finish(text)
    settle(reading)
    assert window.message.shown_message is None


def highlighted(window):
    """Return the search matches of the shown text."""
    marks = window.message.body.extraSelections()
    return [
        each.cursor.selectedText()
        for each in marks
        if each.format.background().color() == QColor(FOUND)
    ]


def test_search_matches_are_highlighted(reading, qtbot):
    window = reading.window
    window.search.setText('"quarterly figures" straße number')
    qtbot.waitUntil(lambda: highlighted(window) == ["quarterly figures", "straße", "number"])
    assert window.model.rowCount() == 3
    window.search.setText("CAFE")
    qtbot.waitUntil(lambda: highlighted(window) == ["Café"])
    settle(reading)
    assert window.model.rowCount() == 3
    window.table.go_to(2)
    qtbot.waitUntil(lambda: window.message.shown_message.headers[2][1] == "letter 2")
    assert highlighted(window) == ["Café"]
    window.search.setText("letter")
    subject = window.message.subject
    qtbot.waitUntil(lambda: subject.selectedText() == "letter")
    window.message.point_at(None)
    assert subject.selectedText() == "letter"
    window.search.clear()
    qtbot.waitUntil(lambda: highlighted(window) == [] and subject.selectedText() == "")


FOUND_IN = {
    ("Strasse, STRAẞE und straße", "strasse"): ["Strasse", "STRAẞE", "straße"],
    ("unfree freedom free", "free"): ["free", "free"],
    ("one, two - three", "one two three"): ["one, two - three"],
    ("下周三上午十点开会", "开会"): ["开会"],
    ("e\u0301te\u0301 x", "été"): ["e\u0301te\u0301"],
    ("a.b (c) [d]", "(", ".", "c)"): ["c"],
    ("ﬁle ﬁ", "file"): ["ﬁle"],
}


@pytest.mark.parametrize("text", FOUND_IN, ids=lambda case: case[0])
def test_matches_ignore_case_and_accents_in_every_script(text):
    assert [text[0][start:end] for start, end in found_places(text[0], text[1:])] == FOUND_IN[text]


@pytest.mark.parametrize(("phase", "said"), [(Phase.WORKING, False), (Phase.SYNCED, True)])
def test_a_first_message_is_noted_only_when_no_more_mail_is_coming(
    empty_mailbox, qtbot, phase, said
):
    empty_mailbox.bridge.emit_event(AccountState(ACCOUNT, phase, 0.0))
    empty_mailbox.deliver("INBOX", [LETTER.format(number=1).encode()])
    pane = empty_mailbox.window.message
    qtbot.waitUntil(lambda: pane.shown_message is not None)
    settle(empty_mailbox)
    texts = [label.text() for label in pane.findChildren(QLabel)]
    assert any("First message from this sender" in text for text in texts) is said


# -----------------------------------------------------------------------------------------------
# attachments


@pytest.fixture
def files(reading, monkeypatch):
    """Return the actions on the attachments. `opened`: files opened on the desktop."""
    files = reading.window.message.attachments.files
    files.opened = []
    monkeypatch.setattr(attachment_files, "open_file", files.opened.append)
    return files


def test_attachments_are_named_with_warnings(reading):
    row = reading.window.message.attachments
    assert row.names.text().replace("\u200b", "").startswith("2 attachments: notes.txt (10 byte")
    assert not row.button.isHidden()
    assert row.danger.text() == "bill.pdf.exe is a program disguised as a PDF file."
    menu = row.button.menu()
    assert [each.text() for each in menu.actions() if not each.isSeparator()] == [
        "notes.txt",
        "bill.pdf.exe",
        "Save all…",
    ]


def test_a_harmless_file_is_opened_and_a_program_only_after_a_question(reading, files, qtbot):
    files.open(0)
    qtbot.waitUntil(lambda: files.opened != [])
    assert files.opened.pop().read_bytes().strip() == b"some notes"
    for yes in (False, True):
        files.open(1)
        box = question(reading.window.message)
        assert files.opened == []
        assert box.text() == "bill.pdf.exe is a program disguised as a PDF file."
        assert box.defaultButton().text() == "Don't open"
        answer(reading.window.message, yes=yes)
        qtbot.waitUntil(lambda yes=yes: len(files.opened) == yes)


def choose(window, path):
    """Answer the open file dialog."""
    dialog = window.message.findChildren(QFileDialog)[-1]
    dialog.fileSelected.emit(str(path))
    dialog.done(1)


def test_files_are_saved_at_the_chosen_path_and_replace_no_other(reading, files, qtbot, tmp_path):
    window = reading.window
    files.save(0)
    assert window.message.findChildren(QFileDialog)[-1].selectedFiles()[0].endswith("notes.txt")
    choose(window, tmp_path / "mine.txt")
    qtbot.waitUntil(lambda: window.status.text() == "Saved mine.txt.")
    assert (tmp_path / "mine.txt").exists()
    (tmp_path / "notes.txt").write_text("before")
    files.save_all()
    choose(window, tmp_path)
    qtbot.waitUntil(lambda: window.status.text() == "Saved 2 files.")
    assert (tmp_path / "bill.pdf.exe").exists()
    assert (tmp_path / "notes.txt").read_text() == "before"
    assert (tmp_path / "notes (2).txt").read_text().strip() == "some notes"
    window.status.report("")
    files.save_all()
    choose(window, tmp_path / "gone")
    settle(reading)
    assert window.status.text() == ""


HIDDEN = "invoice.e\u00adxe"
LONG = "ä" * 140 + ".docm"


def test_the_shown_name_is_the_checked_and_the_saved_name(empty_mailbox, qtbot, tmp_path):
    parts = (
        f"Content-Disposition: attachment; filename*=utf-8''{quote(name)}\n\nMZ\n"
        for name in (HIDDEN, LONG)
    )
    head = "Subject: files\nContent-Type: multipart/mixed; boundary=b\n\n"
    mailbox = empty_mailbox
    mailbox.deliver(
        "INBOX", [(head + "".join(f"--b\n{part}" for part in parts) + "--b--\n").encode()]
    )
    window = mailbox.window
    qtbot.waitUntil(lambda: window.message.shown_message is not None)
    settle(mailbox)
    assert "invoice.exe is a program" in window.message.attachments.danger.text()
    assert "invoice.exe (" in window.message.attachments.names.text().replace("\u200b", "")
    files = window.message.attachments.files
    folder = tmp_path / "saved"
    folder.mkdir()
    files.save(0)
    assert window.message.findChildren(QFileDialog)[-1].selectedFiles()[0].endswith("/invoice.exe")
    window.message.findChildren(QFileDialog)[-1].reject()
    files.save_all()
    choose(window, folder)
    qtbot.waitUntil(lambda: len(list(folder.iterdir())) == 2)
    first, second = sorted(folder.iterdir())
    assert (first.name, second.suffix, len(second.name.encode()) <= 255) == (
        "invoice.exe",
        ".docm",
        True,
    )


WARNINGS = {
    "photo.jpg report.PDF README": "",
    "photo.jpg.scr": "disguised as a JPG file",
    "setup.EXE update.ps1 a.jnlp a.wsc a.sct a.pyw a.terminal a.scpt a.diagcab a.xpi": "is a \
program",
    "offer.docm table.slk": "may contain macros",
    "login.html": "is a web page",
    "scan.zip": "is an archive",
    "remote.rdp Files.library-ms page.webloc a.search-ms a.iqy a.fileloc a.inetloc": "opens a \
web page, a folder or",
}


@pytest.mark.parametrize("names", WARNINGS)
def test_the_extension_determines_the_warning(names):
    for name in names.split():
        assert (WARNINGS[names] in warning(name)) if WARNINGS[names] else warning(name) == ""


# ------------------------------------------------------------------------------------------ source
# and dates


def test_the_source_is_shown_searched_and_copied(reading, qtbot):
    window = reading.window
    qtbot.keyClick(window.table, Qt.Key.Key_U, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.findChildren(SourceWindow) != [])
    (source,) = window.findChildren(SourceWindow)
    assert "X-odd: café" in source.page.toPlainText()
    source.tabs.setCurrentIndex(1)
    source.field.setText("TVqQ")
    assert source.page.textCursor().selectedText() == "TVqQ"
    source.field.setText("nowhere")
    assert source.status.text() == "Not found."
    source.copy_all()
    assert QGuiApplication.clipboard().text() == LETTER.format(number=0)
    source.close()


@pytest.fixture
def zone(monkeypatch):
    """Return a function that sets time zone and language."""
    before = QLocale()

    def go(name, language):
        monkeypatch.setenv("TZ", name)
        time.tzset()
        QLocale.setDefault(QLocale(language))

    yield go
    QLocale.setDefault(before)
    monkeypatch.undo()
    time.tzset()


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the system has no tzset")
def test_dates_are_shown_in_the_time_zone_and_language_of_the_reader(zone):
    assert os.name == "posix"
    zone("Europe/Berlin", "de_DE")
    said = written_words("Mon, 2 Nov 2026 23:30:00 -0500")
    assert said.startswith("Dienstag, 3. November 2026, 05:30")
    assert "23:30 -05:00" in said
    assert written_words("Mon, 2 Nov 2026 23:30:00 +0100") == "Montag, 2. November 2026, 23:30"
    zone("America/New_York", "en_US")
    assert (
        written_words("Mon, 2 Nov 2026 23:30:00 -0500").replace("\u202f", " ")
        == "Monday, November 2, 2026, 11:30 PM"
    )
    assert written_words(" next  Tuesday") == "next Tuesday"
    assert written_words("Mon, 2 Nov 99999 23:30:00 -0500") == "Mon, 2 Nov 99999 23:30:00 -0500"


def test_a_search_shows_its_progress(window, qtbot):
    window.engine.held.add("find_text")
    window.search.setText("bus")
    ticket = ticket_of(window, "find_text")
    ticket.report(20, 60, (1, 2))
    qtbot.waitUntil(lambda: "33 %" in window.head.searching.text())
    ticket.finish((1, 2, 3))
    qtbot.waitUntil(lambda: window.head.searching.text() == "")


def test_a_message_is_shown_in_its_folder_without_the_search(reading, qtbot):
    window = reading.window
    window.search.setText("letter 1")
    qtbot.waitUntil(lambda: window.model.rowCount() == 1)
    window.table.go_to(0)
    message = window.table.current_message()
    window.actions_by_name["in-folder"].trigger()
    qtbot.waitUntil(lambda: window.model.rowCount() == 3)
    assert (window.search.text(), window.table.current_message()) == ("", message)
    assert window.model.arrangement.choice.folder.folder == "INBOX"
    settle(reading)
    assert window.model.arrangement.choice.folder.folder == "INBOX"


RELATED = """\
From: anna@shop.example
Subject: a picture
Message-ID: <picture@example.org>
Content-Type: multipart/related; boundary="b"

--b
Content-Type: text/html

<p>Hello</p><img src="cid:logo@x">
--b
Content-Type: image/png
Content-ID: <logo@x>
Content-Transfer-Encoding: base64

cGljdHVyZQ==
--b--
"""


def test_pictures_inside_a_message_come_from_the_engine(empty_mailbox, qtbot):
    """Even before anything was learned."""
    empty_mailbox.deliver("INBOX", [RELATED.encode()])
    calls = empty_mailbox.calls
    qtbot.waitUntil(lambda: any(call[0] == "load_pictures" for call in calls))
    assert next(call[1] for call in calls if call[0] == "load_pictures") == {
        "cid:logo@x": b"picture"
    }
