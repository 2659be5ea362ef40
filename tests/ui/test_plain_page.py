"""Plain text and quotations: what is fixed-width, what is a bar, and what folds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QUrl
from PySide6.QtGui import QTextDocument

from nbmail.ui.kit.theme import DARK, LIGHT
from nbmail.ui.message.body.mail_body import MailBody
from nbmail.ui.page.drawn_lines import drawn_lines
from nbmail.ui.page.flat_page import LONGEST_QUOTE
from nbmail.ui.page.page_colors import LEAST_CONTRAST, contrast
from nbmail.ui.page.page_flow import flatten_page
from nbmail.ui.page.page_writer import MOST_BLOCKS
from nbmail.ui.page.plain_page import lay_out_text

DRAWN = {
    "a box": "+------+-----+\n| Name | Sum |\n+------+-----+\n| Anna |  12 |\n+------+-----+",
    "a box of line letters": "┌──────┐\n│ Anna │\n└──────┘",
    "columns": (
        "Item     Number   Price\nBread         2    3.40\nMilk          1    1.20\nTotal        "
        "      4.60"
    ),
    "columns by tabs": "Mon\t10:00\tMeeting\nTue\t11:30\tLunch\nWed\t09:15\tTrain",
    "a patch": (
        "--- a/mail.c\n+++ b/mail.c\n@@ -1,4 +1,4 @@\n int main(void)\n-  return 1;\n+  return "
        "0;\n\n }"
    ),
    "a patch of git": "diff --git a/x b/x\nindex 12..34 100644\n--- a/x\n+++ b/x\n@@ -7 +7 \
@@\n-old\n+new",
    "a banner": "  _   _ \n | \\ | |\n |  \\| |\n |_| \\_|",
}
WRITTEN = {
    "a letter": "Dear Anna,\nI was glad to get your letter, and will come.\nSee you on Monday.",
    "sentences with two spaces": "We met.  All was fine.\nHe left.  She did not.\nThey wrote.  \
Nobody read.\nThe end.",
    "a heading": "News of the week\n================\nThe committee met on Monday and agreed.",
    "a list": "- bread\n- milk\n- a very long point that goes on\n- eggs",
    "a signature": "-- \nAnna Example\nhttps://example.org/a_b-c",
    "indented": "    The first line of a quotation,\n    the second of it.",
    "a rule": "----------------------------",
    "text between rules": "--------------\nHere is the news of the week.\n==============",
}


@pytest.mark.parametrize("name", (*DRAWN, *WRITTEN))
def test_only_drawn_text_is_fixed_width(name):
    lines = (DRAWN.get(name) or WRITTEN[name]).split("\n")
    drawn = drawn_lines(["A line before it.", "", *lines, "", "And one behind it."])
    assert drawn == [False, False, *[name in DRAWN] * len(lines), drawn[-2], False]


def blocks(html):
    document = QTextDocument()
    document.setHtml(html)
    block = document.begin()
    found = []
    while block.isValid():
        found.append(block)
        block = block.next()
    return document, found


TEXT = st.text(st.sampled_from("ab>|+- \t\n<&א"), max_size=200)


@given(TEXT)
def test_all_words_and_lines_of_a_text_are_shown(text):
    page = lay_out_text(text, LIGHT, range(100))
    shown = blocks(page.html)[0].toPlainText()
    unsaid = str.maketrans("", "", "> \t\n\u2028")
    assert shown.replace("▾ Hide quoted text", "").translate(unsaid) == text.translate(unsaid)


def test_a_text_with_too_many_lines_is_left_to_qt():
    assert lay_out_text("a\n" * MOST_BLOCKS, LIGHT) is None


LONG = "\n".join(f"> line {number}" for number in range(LONGEST_QUOTE + 3))
PAGE = "<p>Yes.</p><blockquote type=cite>{}</blockquote>"


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_quotations_are_muted_beside_a_bar(theme):
    page = PAGE.format("first<blockquote class=gmail_quote>deeper</blockquote>")
    for html in (
        lay_out_text("Yes.\n> first\n> > deeper", theme).html,
        flatten_page(page, theme).html,
    ):
        _, found = blocks(html)
        assert [block.userState() for block in (found[0], found[1], found[-1])] == [-1, 1, 2]
        assert found[1].begin().fragment().charFormat().foreground().color().name() == theme.muted
    assert contrast(theme.muted, theme.base) >= LEAST_CONTRAST


def test_an_indented_block_without_a_sign_of_quotation_is_none():
    _, found = blocks(
        flatten_page("<p>a</p><blockquote style='margin:0 0 0 40px'>b</blockquote>", LIGHT).html
    )
    assert [block.userState() for block in found] == [-1, -1]


@pytest.mark.parametrize("is_page", [False, True])
def test_a_long_quotation_folds_and_opens(qtbot, is_page):
    followed = []
    body = MailBody(followed.append)
    qtbot.addWidget(body)
    quoted = [f"line {number}" for number in range(LONGEST_QUOTE + 3)]
    body.show_page(PAGE.format("<br>".join(quoted))) if is_page else body.show_plain(
        f"Yes.\n{LONG}"
    )
    assert body.toPlainText().split("\n") == ["Yes.", f"▸ Show quoted text ({len(quoted)} lines)"]
    body.anchorClicked.emit(QUrl("quote:0"))
    assert body.toPlainText().split("\n") == ["Yes.", "▾ Hide quoted text", *quoted]
    body.anchorClicked.emit(QUrl("quote:0"))
    assert "line 1" not in body.toPlainText()
    body.highlight(["line"])
    assert body.toPlainText().split("\n") == ["Yes.", *quoted]
    assert followed == []


def test_a_message_that_is_all_quotation_does_not_fold():
    assert lay_out_text(LONG, LIGHT).quotes == 0
    assert flatten_page(f"<blockquote type=cite>{LONG}</blockquote>", LIGHT).quotes == 0


def test_a_link_in_mail_cannot_open_a_quotation():
    assert 'href="quote' not in flatten_page('<p>a <a href="quote:0">b</a></p>', LIGHT).html
