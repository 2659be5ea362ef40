"""Message pane: nothing is fetched, links are shown first, hostile mail is bounded."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, Qt, QUrl
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QTextDocument
from PySide6.QtPrintSupport import QPrintDialog
from PySide6.QtWidgets import QApplication, QFormLayout, QMenu

from nbmail.core.explaining.explanation import Contribution
from nbmail.core.mail.message import AttachedFile
from nbmail.ui.kit.theme import DARK, LIGHT, apply_theme
from nbmail.ui.message import printing
from nbmail.ui.message.attachments.attachments import ENDING, MAX_NAME, Attachments, short_name
from nbmail.ui.message.body.text_marks import MOST_MARKS
from nbmail.ui.message.body.word_tints import word_tints
from nbmail.ui.message.pane.header_texts import LONGEST_HEADER
from nbmail.ui.message.pane.message_pane import MessagePane
from nbmail.ui.message.printing import printed_document
from nbmail.worker.protocol.messages import MessageText
from nbmail.worker.protocol.senders import SenderCheck
from tests.ui.helpers import dialog, printer_to
from tests.ui.hostile_pages import HOSTILE
from tests.ui.made import make_explanation

HEADERS = (("Subject", "Hello"), ("From", "Anna <anna@mail.example>"), ("To", "you@home.example"))

SPAM_HTML = """<html><head><style>p {color: red}</style></head><body bgcolor="#ffffff"><table \
width="100%"><tr><td>
<h2>Claim your free reward today</h2>
<p>Dear customer, you have been <b>selected</b>. Click below to claim your <b>free</b> watch \
before tonight.</p>
<p><a href="http://rewards.example/claim?id=77812">Claim now</a></p>
<img src="http://tracker.example/pixel.gif" width="1" height="1">
<img src="http://rewards.example/watch.jpg" alt="A golden watch">
<p><font size="1" color="#777777">To unsubscribe, click <a href="http://rewards.example/out">here</a>.</font></p>
</td></tr></table></body></html>"""


@pytest.fixture
def pane(qtbot, request):
    """An empty pane. Parameter: its attachments, by default those outside the mailbox."""
    followed = []
    pane = MessagePane(followed.append, Attachments(*getattr(request, "param", ())))
    pane.followed = followed
    qtbot.addWidget(pane)
    pane.resize(500, 500)
    pane.show()
    return pane


def mail(text="", html="", headers=HEADERS, attachments=()):
    return MessageText(1, headers, text, html, attachments)


FETCHERS = [
    '<img src="http://tracker.example/a.gif">',
    '<link rel="stylesheet" href="http://tracker.example/a.css">',
    '<body background="http://tracker.example/b.png">x</body>',
    '<div style="background:url(http://tracker.example/c.png)">x</div>',
    "<style>@import url(http://tracker.example/d.css);</style>",
    '<iframe src="http://tracker.example"></iframe>',
    '<meta http-equiv="refresh" content="0;url=http://tracker.example">',
    '<object data="http://tracker.example/e.swf"></object>',
    '<img src="file:///etc/hostname">',
    '<img src="data:image/png;base64,AAAA">',
    '<table background="http://tracker.example/f.png"><tr><td>x</td></tr></table>',
    '<li style="list-style-image:url(http://tracker.example/g.png)">x</li>',
]


def test_no_resource_is_requested_and_requests_are_refused(pane):
    for html in FETCHERS:
        pane.show_message(mail(html=html))
        pane.grab()
        assert pane.body.refused == 0, html
    for html in FETCHERS:
        pane.body.setHtml(html)
        pane.grab()
    kinds = QTextDocument.ResourceType
    for kind in (kinds.ImageResource, kinds.StyleSheetResource, kinds.HtmlResource):
        assert bytes(pane.body.loadResource(kind, QUrl("http://tracker.example/a"))) == b""
    pane.body.setSource(QUrl("http://tracker.example"))
    assert pane.body.source().isEmpty()


def test_a_clicked_link_is_reported_and_not_followed(pane):
    pane.show_message(mail(html=SPAM_HTML))
    pane.body.anchorClicked.emit(QUrl("http://rewards.example/claim"))
    assert pane.followed == ["http://rewards.example/claim"]
    pane.body.highlighted.emit(QUrl("http://rewards.example/claim"))
    assert pane.body.toolTip() == "http://rewards.example/claim"
    pane.body.highlighted.emit(QUrl())
    assert pane.body.toolTip() == ""


def test_a_plain_message_inherits_no_link_from_the_previous_one(qtbot, pane):
    for show in (
        lambda: pane.show_message(mail("Dear Anna,\n\nsee you.\n")),
        lambda: pane.clear("Nothing."),
    ):
        pane.show_message(
            mail(
                html=(
                    '<p><a href="http://evil.example/">Click here to go on, it is a long '
                    "link</a></p>"
                )
            )
        )
        cursor = pane.body.textCursor()
        cursor.setPosition(pane.body.document().find("here").selectionStart())
        pane.body.setTextCursor(cursor)
        assert pane.body.currentCharFormat().anchorHref() == "http://evil.example/"
        show()
        assert "href" not in pane.body.document().toHtml()
        assert not pane.body.currentCharFormat().fontUnderline()
        qtbot.mouseClick(
            pane.body.viewport(), Qt.MouseButton.LeftButton, pos=pane.body.cursorRect().center()
        )
    assert pane.followed == []


def test_an_endless_line_is_broken(pane):
    pane.show_message(mail("aא" * 32_000))
    document = pane.body.document()
    assert document.blockCount() >= 32
    assert document.toPlainText().count("א") == 32_000


@pytest.mark.parametrize("pane", [(print, print)], indirect=True)
def test_in_a_low_pane_a_sign_warns_of_a_dangerous_attachment(pane):
    pane.show_message(
        mail("x", attachments=(AttachedFile("bill.pdf.exe", "application/pdf", 1000),))
    )
    sentence = "bill.pdf.exe is a program disguised as a PDF file."
    assert pane.attachments.danger.isVisible()
    assert pane.attachments.danger.text() == sentence
    pane.setMinimumHeight(1)
    pane.resize(260, 120)
    assert not pane.attachments.danger.isVisible()
    assert pane.attachments.button.text() == "⚠ 1 attachment  ▾"
    assert pane.attachments.button.toolTip() == sentence
    pane.resize(500, 500)
    assert pane.attachments.danger.isVisible()


def test_headers_and_attachments(pane):
    pane.show_message(
        mail("text", attachments=(AttachedFile("a.pdf", "application/pdf", 184_220),))
    )
    assert pane.subject.text() == "Hello"
    assert pane.headers.rowCount() == 2
    assert pane.attachments.names.text() == "1 attachment: a.pdf (184 kB)"
    assert pane.attachments.button.isHidden(), "a message that is in no mailbox"
    pane.show_message(mail("text", headers=()))
    assert pane.subject.text() == "(no subject)"
    assert not pane.attachments.names.isVisible()
    pane.show_message(mail(" \n\n", headers=(("Subject", "<b>bold</b><img src=x>"),)))
    assert pane.subject.text() == "<b>bold</b><img src=x>"
    assert (pane.body.placeholderText(), pane.body.toPlainText()) == (
        "This message has no text.",
        "",
    )
    pane.clear()
    assert pane.body.placeholderText() == ""


def test_an_address_wider_than_the_pane_is_wrapped(pane):
    address = "service" * 12 + "@evil.example"
    pane.show_message(
        mail(
            "text",
            headers=(("From", f"Your bank {'x' * 100_000} <{address}>"), ("To", "a@b.example")),
        )
    )
    words = pane.headers.itemAt(0, pane.headers.ItemRole.FieldRole).widget()
    assert words.text().replace("\u200b", "").endswith(f"… <{address}>")
    assert (
        max(
            words.fontMetrics().horizontalAdvance(chunk)
            for chunk in re.split("[\u200b ]", words.text())
        )
        < 300
    )
    assert words.height() >= words.heightForWidth(words.width())
    pane.resize(1600, 500)
    assert "\u200b" not in words.text()


def test_an_endless_subject_leaves_room_for_the_text(pane):
    pane.show_message(mail("text", headers=(("Subject", "x" * 100_000), ("From", "y " * 50_000))))
    assert len(pane.subject.text()) == LONGEST_HEADER + 1
    assert pane.body.height() > 150
    assert pane.width() == 500


def test_after_an_error_nothing_of_the_previous_message_is_shown(pane, monkeypatch):
    pane.show_message(
        mail("Dear customer, this is your bank.", attachments=(AttachedFile("a.pdf", "x/y", 1),))
    )
    monkeypatch.setattr("nbmail.ui.message.body.mail_body.flatten_page", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        pane.show_message(
            mail(html="<p>x</p>", headers=(("Subject", "evil"), ("From", "x@evil.example")))
        )
    assert pane.body.toPlainText() == "This message can't be shown."
    assert pane.subject.text() == ""
    assert pane.headers.rowCount() == 0
    monkeypatch.undo()
    pane.show_message(mail(html="<p>&#" + "1" * 4301 + ";later</p>"))
    assert "later" in pane.body.toPlainText()


def test_an_open_page_follows_the_theme_at_its_position(pane, qapp):
    def background(pane):
        image = pane.body.grab().toImage()
        return image.pixelColor(4, pane.body.height() - 4).name()

    page = (
        '<p style="color:#000080">hello</p><table bgcolor="#FFFFFF"><tr><td>white</td></tr></table>'
    )
    pane.show_message(mail(html=page + "<p>text" * 400))
    pane.body.verticalScrollBar().setValue(300)
    for theme in (DARK, LIGHT):
        apply_theme(qapp, "dark" if theme.dark else "light")
        assert background(pane) == theme.base
        assert ("color:#000080" in pane.body.toHtml()) == (not theme.dark)
        assert "#ffffff" not in pane.body.toHtml()
        assert pane.body.verticalScrollBar().value() == 300
    apply_theme(qapp, "dark")
    pane.show_message(mail("hello"))
    assert background(pane) == DARK.base
    qapp.setStyleSheet("")


def test_notes_name_what_is_left_out_of_a_page(pane):
    pane.show_message(mail(html='<img src=a><p style="display:none">one two</p>' + "<p>x" * 4000))
    notes = (
        "1 picture was not loaded. 2 hidden words. Only the beginning of this long page is shown."
    )
    assert pane.notes.left_out.text() == notes


TINTED = {
    "Minutes of the MEETING. Free? A minute is not minutes-like freedom.": [
        "Minutes",
        "MEETING",
        "Free",
    ],
    "\U0001f600\U0001f680 the minutes \U0001f600 of the meeting\n\U0001f600 free": [
        "minutes",
        "meeting",
        "free",
    ],
    "free " * 5000: ["free"] * MOST_MARKS,
}


@pytest.mark.parametrize("text", TINTED, ids=("words", "emoji", "bounded"))
def test_words_with_evidence_are_tinted(pane, text):
    pane.show_message(mail(text))
    pane.tint_words(make_explanation(-3.0))
    assert [tint.cursor.selectedText() for tint in pane.body.extraSelections()] == TINTED[text]
    pane.show_message(mail("another"))
    assert pane.body.extraSelections() == []
    pane.show_message(
        mail(html='<p style="background: black; color: white">the minutes of the meeting</p>')
    )
    pane.tint_words(make_explanation(-3.0))
    assert {tint.format.foreground().color().name() for tint in pane.body.extraSelections()} == {
        LIGHT.text
    }


def test_only_the_strongest_words_are_tinted_and_a_tooltip_has_their_log_ratio(window):
    words = [f"word{number}" for number in range(30)]
    found = [
        Contribution(word, "body", 3, 1, 0.1 * n, 0.0, 0.2 * n) for n, word in enumerate(words, 1)
    ]
    why = replace(make_explanation(2.0), contributions=tuple(found))
    window.message.show_message(mail(" ".join(words)))

    def tinted():
        window.message.tint_words(why)
        return [tint.cursor.selectedText() for tint in window.message.body.extraSelections()]

    assert tinted() == words[20:]
    (strongest,) = word_tints(why, 1, LIGHT).values()
    assert strongest.tooltip().startswith(
        "Log-ratio +3.00: in 3 spam and 1 good messages; adds +6.00 here."
    )
    window.parts.settings.change(replace(window.settings, tinted_words=5))
    assert tinted() == words[25:]
    window.actions_by_name["tints"].trigger()
    assert tinted() == []
    window.actions_by_name["tints"].trigger()
    assert tinted() == words[25:]


def test_a_pane_without_room_can_be_cleared(pane):
    pane.show_message(mail("x", headers=(("From", "Anna <anna@x.example>"),)))
    pane.resize(200, 60)
    pane.clear()
    assert pane.headers.rowCount() == 0


def test_the_menu_of_an_address_copies_it(pane):
    pane.show_message(
        mail(
            "x",
            headers=(("From", "Anna <anna@x.example>"), ("To", "b@x.example, C <c&d@x.example>")),
        )
    )
    sender, recipients = (
        pane.headers.itemAt(row, QFormLayout.ItemRole.FieldRole).widget() for row in (0, 1)
    )
    assert [action.text() for action in recipients.actions()] == [
        "Copy",
        "Copy b@x.example",
        "Copy c&&d@x.example",
    ]
    sender.actions()[1].trigger()
    assert QGuiApplication.clipboard().text() == "anna@x.example"
    recipients.actions()[2].trigger()
    assert QGuiApplication.clipboard().text() == "c&d@x.example"
    # A message that is replaced takes its open menu along.
    place = recipients.rect().center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, recipients.mapToGlobal(place))
    QApplication.sendEvent(recipients, event)
    assert QApplication.activePopupWidget() is recipients.findChild(QMenu)
    pane.show_message(mail("y"))
    assert QApplication.activePopupWidget() is None


def test_a_message_is_printed_to_the_chosen_printer(window, tmp_path, monkeypatch):
    path = tmp_path / "printed.pdf"
    monkeypatch.setattr(printing, "QPrinter", lambda: printer_to(path))
    window.actions_by_name["print"].trigger()
    dialog(QPrintDialog).accept()
    assert path.read_bytes().startswith(b"%PDF")


def test_the_printed_message_is_complete_and_dark_on_white(pane, qapp, monkeypatch):
    apply_theme(qapp, "dark")
    pane.changeEvent(QEvent(QEvent.Type.StyleChange))
    quoted = "\n".join(f"> line {number}" for number in range(30))
    pane.show_message(
        mail(f"Dear Ben,\n{quoted}\n", headers=(("Subject", "Minutes"), ("From", "anna@x.example")))
    )
    document = printed_document(pane)
    text = document.toPlainText()
    assert text.startswith("Minutes\nFrom: anna@x.example\n")
    assert "line 29" in text
    assert "quoted text" not in text
    assert LIGHT.muted in document.toHtml()
    assert DARK.muted not in document.toHtml()
    apply_theme(qapp, "light")


def test_hostile_pages_are_laid_out(pane):
    for html in HOSTILE.values():
        pane.show_message(mail(html=html))
        pane.grab()
        assert pane.body.document().blockCount() < 4_000


@given(st.text(max_size=200))
def test_file_names_are_short_and_breakable_and_keep_their_extension(name):
    shown = short_name(name)
    plain = shown.replace("\u200b", "")
    assert len(plain) <= MAX_NAME + 1
    assert all(len(chunk) <= 30 for chunk in shown.replace("\u200b", " ").split())
    assert plain.endswith(name[-ENDING:].replace("\u200b", "").lstrip())


def test_several_from_headers_are_all_shown_with_a_warning(pane):
    headers = (
        ("from", "Your bank <bank@bank.example>"),
        ("from", "x@evil.example"),
        ("subject", "Hello"),
    )
    pane.show_message(mail("text", headers=headers))
    names, texts = (
        [each.text() for each in column(pane, role)] for role in ("LabelRole", "FieldRole")
    )
    assert names == ["From (1 of 2)", "From (2 of 2)", ""]
    assert texts[:2] == ["Your bank <bank@bank.example>", "x@evil.example"]
    assert "has several From headers" in texts[2]
    pane.resize(400, 130)
    assert names[0] in [each.text() for each in column(pane, "LabelRole") if each.isVisible()]
    pane.show_message(mail("text"))
    assert [each.text() for each in column(pane, "LabelRole")] == ["From", "To"]


def column(pane, role):
    return [
        pane.headers.itemAt(row, pane.headers.ItemRole[role]).widget()
        for row in range(pane.headers.rowCount())
    ]


@pytest.mark.parametrize(
    ("check", "wanted"),
    [
        (SenderCheck("paypal.example"), ["✓ Mail server confirmed the domain paypal.example"]),
        (SenderCheck(""), ["Sender not verified"]),
        (SenderCheck(), []),
        (
            SenderCheck("", first=True),
            ["Sender not verified · First message from this sender in nbmail"],
        ),
        (
            SenderCheck(None, True, ("а", "ο")),
            ["Latin letters: “а” (Cyrillic), “ο” (Greek)", "First message"],
        ),
    ],
)
def test_notes_below_the_sender_state_the_result_of_checks(pane, check, wanted):
    pane.show_message(
        mail("text", headers=(("from", "a@b.example"), ("to", "me@home.example")))._replace(
            sender=check
        )
    )
    notes = [each.text() for each in column(pane, "FieldRole")][1:-1]
    assert len(notes) == len(wanted)
    assert all(text in note for text, note in zip(wanted, notes, strict=True))
