"""No paragraph grows beyond what Qt lays out in a moment, and no letter is lost."""

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QTextDocument

from nbmail.ui.message.safe_html import LONGEST_PARAGRAPH, make_safe, split_paragraph

MIXED = "aא" * 32_000
long_texts = st.lists(st.text(max_size=300), min_size=1, max_size=40).map("".join).map(lambda text: text * 30)


@given(long_texts, st.integers(-10, LONGEST_PARAGRAPH))
def test_pieces_are_short_and_whole(text, first):
    chunks = list(split_paragraph(text, first))
    assert "".join(chunks) == text
    assert all(len(chunk) <= LONGEST_PARAGRAPH for chunk in chunks)
    assert len(chunks[0]) <= max(1, first)


def paragraphs(html):
    document = QTextDocument()
    document.setHtml(make_safe(html).html)
    block, lengths = document.begin(), []
    while block.isValid():
        lengths.append(block.length() - 1)
        block = block.next()
    return lengths, document.toPlainText().replace("\n", "")


def test_long_html_paragraphs_are_broken(qapp):
    for html in (
        MIXED,
        f"<p>{MIXED}</p>",
        f"<a href='http://x.example'>{MIXED}",
        "<b>aא</b>" * 5_000,
        "<p>x<br>" + MIXED,
    ):
        lengths, text = paragraphs(html)
        assert max(lengths) <= LONGEST_PARAGRAPH + 2
        assert text.count("א") == html.count("א")


def test_what_goes_on_after_a_break_keeps_its_link(qapp):
    document = QTextDocument()
    document.setHtml(make_safe(f"<p>x <a href='http://x.example'>{MIXED}</a></p>").html)
    lengths = [length for length, link in links(document) if link == "http://x.example/"]
    assert len(lengths) >= len(MIXED) / LONGEST_PARAGRAPH
    assert sum(lengths) == len(MIXED)


def links(document):
    """The length of each piece of the text, and where it leads."""
    block = document.begin()
    while block.isValid():
        for part in block:
            yield part.fragment().length(), part.fragment().charFormat().anchorHref()
        block = block.next()
