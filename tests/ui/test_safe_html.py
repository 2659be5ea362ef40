"""Sanitized HTML fetches nothing, runs nothing and is bounded."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QTextDocument

from nbmail.ui.message import safe_html
from nbmail.ui.message.safe_html import LONGEST_PARAGRAPH, make_safe, split_paragraph
from tests.needs import need_corpus

FETCHING = re.compile(
    r"<[^>]*\b(?:src|background|poster|data|srcset|action|on\w+)\s*=|url\(|<(?:img|link|meta|script|base)"
)


class Checker(HTMLParser):
    """Check that all tags are known, closed in order and not nested too deep."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.deepest, self.deepest_table, self.cells, self.addresses, self.text = [], 0, 0, 0, [], []

    def handle_starttag(self, tag, attrs):
        assert tag in safe_html._TABLE | safe_html._PLAIN | safe_html._BREAKS
        allowed = {"href", "bgcolor", "color", "colspan", "rowspan", "align", "style"}
        assert {name for name, _ in attrs} <= allowed
        self.addresses += [value for name, value in attrs if name == "href"]
        if tag in safe_html._BREAKS:
            return
        self.open.append(tag)
        self.cells += tag in ("td", "th")
        self.deepest = max(self.deepest, len(self.open))
        self.deepest_table = max(self.deepest_table, self.open.count("table"))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def check(html):
    page = make_safe(html)
    checker = Checker()
    checker.feed(page.html)
    checker.close()
    assert checker.open == []
    assert checker.deepest <= safe_html.DEEPEST
    assert checker.deepest_table <= safe_html.DEEPEST_TABLE
    assert checker.cells <= safe_html.MOST_CELLS
    assert all(re.match(r"(?i)https?://|mailto:", address) for address in checker.addresses)
    assert not FETCHING.search(page.html)
    return page, " ".join(checker.text)


PIECES = st.sampled_from(
    [
        *("<table>", "</table>", "<tr><td>", "</td>", "<div>", "</div>", "<b", ">", "<!--", "-->", "<script>"),
        *("</script>", "<style>", "<img src=x>", "<a href='javascript:x'>", '<a href="http://h">', "</a>", "words"),
        *("&lt;", "&#0;", "<", "</", "<td style='display:none'>", "<p onclick=x style='background:url(http://h)'>"),
        *("\0", "<![CDATA[", "<?xml", "]]>", '"'),
    ]
)


@given(st.lists(PIECES, max_size=60).map("".join) | st.text(max_size=300))
def test_any_input_is_safe(html):
    check(html)


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><td>" * 10_000 + "deep",
        "<div>" * 100_000 + "deep",
        "<td>" * 50_000,
        "<" * 200_000,
        "<a" * 30_000,
        "<!--" * 50_000,
        "<a " + "b=" * 100_000 + ">",
        "<script>" * 30_000,
        "</b>" * 60_000,
        "<b>" * 70 + "<i></b>" * 30_000,
        "<p style='" + "color:" * 20_000 + "'>",
        "&" * 200_000,
        "&#" + "1" * 4301 + ";<a href='http://h/&#" + "1" * 4301 + ";'>x</a>",
        '<td colspan="99999999" rowspan="77777">' * 20,
    ],
)
def test_hostile_pages_stay_bounded(html):
    page, _ = check(html)
    assert len(page.html) <= 5 * safe_html.MOST_CHARACTERS


def test_the_words_of_a_page_survive():
    page, text = check(
        "<html><head><title>no</title><style>no</style></head><body><h1>Hello &amp; welcome</h1>"
        "<script>no()</script><p>1 &lt; 2</p><img src='http://x/y.gif' alt='A picture'>"
        "<div style='display: none'>no <b>no</b></div><p>seen</p></body></html>"
    )
    assert text.split() == ["Hello", "&", "welcome", "1", "<", "2", "[A", "picture]", "seen"]
    assert (page.pictures, page.shortened) == (1, False)


def test_deep_tables_keep_their_text():
    page, text = check("<table><tr><td>" * 30 + "the message" + "</td></tr></table>" * 30)
    assert "the message" in text
    assert page.shortened


KEPT = {
    # A stray closing tag in a cell doesn't end the table around it.
    "<table><tr><td>one</p></div></td><td>two</td></tr></table>": ("<table><tr><td>one</td><td>two</td></tr></table>"),
    '<td colspan=2 bgcolor="#ff0000" style="color: red; position: fixed; text-align:center">x</td>': (
        '<td bgcolor="#ff0000" colspan="2" style="color:red;text-align:center">x</td>'
    ),
    '<td colspan="99999" rowspan=x align=LEFT style="background: url(x); color: rgb(1, 2, 3)">x</td>': (
        '<td colspan="20" align="left" style="color:rgb(1,2,3)">x</td>'
    ),
    '<a href="javascript:x" onclick=x>one</a><a href=" HTTPS://h?a&amp;b">two</a>': (
        '<a>one</a><a href="https://h/?a&amp;b">two</a>'
    ),
}


@pytest.mark.parametrize("html", KEPT)
def test_shape_and_safe_links_stay(html):
    assert check(html)[0].html == KEPT[html]


@pytest.mark.parametrize("name", ["mime-torture", "modern-junk"])
def test_real_hostile_mail(name):
    folder = need_corpus(name)
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()][:1500]
    assert paths
    for path in paths:
        check(path.read_bytes()[:300_000].decode("utf-8", "replace"))


MIXED = "aא" * 32_000
long_texts = st.lists(st.text(max_size=300), min_size=1, max_size=40).map("".join).map(lambda text: text * 30)


@given(long_texts, st.integers(-10, LONGEST_PARAGRAPH))
def test_chunks_are_short_and_complete(text, first):
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


def test_a_broken_paragraph_keeps_its_link(qapp):
    document = QTextDocument()
    document.setHtml(make_safe(f"<p>x <a href='http://x.example'>{MIXED}</a></p>").html)
    lengths = [length for length, link in links(document) if link == "http://x.example/"]
    assert len(lengths) >= len(MIXED) / LONGEST_PARAGRAPH
    assert sum(lengths) == len(MIXED)


def links(document):
    """Return length and link of each fragment of the text."""
    block = document.begin()
    while block.isValid():
        for part in block:
            yield part.fragment().length(), part.fragment().charFormat().anchorHref()
        block = block.next()
