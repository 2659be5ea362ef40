"""Whatever a mail's HTML holds, what reaches the screen fetches nothing, runs nothing and stays small."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbmail.ui.message import safe_html
from nbmail.ui.message.safe_html import make_safe
from tests.needs import need_corpus

FETCHING = re.compile(
    r"<[^>]*\b(?:src|background|poster|data|srcset|action|on\w+)\s*=|url\(|<(?:img|link|meta|script|base)"
)


class Counting(str):
    """A text that counts how often it is searched through."""

    searched = 0

    def find(self, *arguments):
        self.searched += 1
        return super().find(*arguments)


def test_tags_without_an_end_are_looked_through_once():
    text, writer, place = Counting("<a" * 500), safe_html._Writer(), 0
    while place < len(text):
        place = writer.step(text, place)
    assert "".join(writer.out) == "&lt;a" * 500
    # Once for each beginning, from where it stands; once for all ends.
    assert text.searched <= 1 + 2 * 500
    assert writer.end == len(text)
    row = Counting("<" * 10_000)
    assert safe_html._Writer().step(row, 0) == 9_999
    assert row.searched == 2


class Checker(HTMLParser):
    """Reads the tags back: none unknown, all closed in order, none nested too deep."""

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


@given(st.lists(PIECES, max_size=60).map("".join))
def test_anything_made_of_tags_comes_out_sound(html):
    check(html)


@given(st.text(max_size=300))
def test_anything_at_all_comes_out_sound(html):
    check(html)


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><td>" * 10_000 + "deep",
        "<div>" * 100_000 + "deep",
        "<td>" * 50_000,
        "<" * 200_000,
        "<!--" * 50_000,
        "<a " + "b=" * 100_000 + ">",
        "<script>" * 30_000,
        "</b>" * 60_000,
        "<b>" * 70 + "<i></b>" * 30_000,
        "<p style='" + "color:" * 40_000 + "'>",
        "&" * 200_000,
        '<td colspan="99999999" rowspan="77777">' * 20,
    ],
)
def test_hostile_pages_stay_bounded(html):
    page, _ = check(html)
    assert len(page.html) <= 5 * safe_html.MOST_CHARACTERS


def test_the_words_of_a_page_survive():
    page, text = check(
        "<html><head><title>no</title><style>no</style></head><body><h1>Hello &amp; welcome</h1>"
        "<script>no()</script><p>1 &lt; 2</p><img src='http://x/y.gif' alt='A picture'></body></html>"
    )
    assert text.split() == ["Hello", "&", "welcome", "1", "<", "2", "[A", "picture]"]
    assert page.pictures == 1
    assert not page.shortened


def test_deep_tables_keep_their_text():
    page, text = check("<table><tr><td>" * 30 + "the message" + "</td></tr></table>" * 30)
    assert "the message" in text
    assert page.shortened


def test_hidden_text_is_not_shown_and_what_follows_is():
    _, text = check("<div style='display: none'>secret <b>words</b></div><p>seen</p>")
    assert text.strip() == "seen"


def test_a_stray_closing_tag_does_not_tear_a_table():
    page, _ = check("<table><tr><td>one</p></div></td><td>two</td></tr></table>")
    assert page.html == "<table><tr><td>one</td><td>two</td></tr></table>"


def test_colours_and_spans_stay():
    page, _ = check('<td colspan=2 bgcolor="#ff0000" style="color: red; position: fixed; text-align:center">x</td>')
    assert page.html == '<td bgcolor="#ff0000" colspan="2" style="color:red;text-align:center">x</td>'


@pytest.mark.parametrize("name", ["mime-torture", "modern-junk"])
def test_real_hostile_mail(name):
    folder = need_corpus(name)
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()][:1500]
    assert paths
    for path in paths:
        check(path.read_bytes()[:300_000].decode("utf-8", "replace"))
