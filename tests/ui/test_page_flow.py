"""Pages become bounded, readable paragraphs and tables that fetch and run nothing."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QTextDocument

from nbmail.core.mail.html_page import read_page
from nbmail.ui.kit.theme import DARK, LIGHT
from nbmail.ui.page import page_tree, page_writer
from nbmail.ui.page.long_lines import LONGEST_PARAGRAPH
from nbmail.ui.page.page_colors import LEAST_CONTRAST, contrast, ink_on, read_color, readable
from nbmail.ui.page.page_flow import flatten_page
from nbmail.ui.page.page_writer import LONGEST_MIXED, MOST_BLOCKS, MOST_LETTERS
from nbmail.worker.reading.message_text import text_of
from tests.core.test_hidden_text import HIDDEN, SHOWN
from tests.needs import need_corpus
from tests.ui.hostile_pages import HOSTILE

FETCHING = re.compile(
    r"<[^>]*\b(?:src|background|poster|data|srcset|action|on\w+)\s*=|url\(|<(?:img|link|meta|script)"
)
ALLOWED = {
    **{name: {"style", "align"} for name in ("div", "span")},
    **{name: {"colspan", "style", "width"} for name in ("td", "th")},
    "a": {"href", "style"},
    "table": {"border", "cellspacing", "cellpadding", "style"},
    "tr": set(),
    "hr": set(),
}


class Checker(HTMLParser):
    """Checks that all tags are known and nest properly; collects texts, blocks and links."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open = []
        self.addresses = []
        self.blocks = [""]

    def handle_starttag(self, tag, attrs):
        assert {name for name, _ in attrs} <= ALLOWED[tag]
        self.addresses += [value for name, value in attrs if name == "href"]
        if tag not in ("a", "span"):
            self.blocks.append("")
        if tag != "hr":
            assert tag not in self.open
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.blocks[-1] += data


def check(html, theme=LIGHT):
    page = flatten_page(html, theme)
    checker = Checker()
    checker.feed(page.html)
    checker.close()
    assert checker.open == []
    assert all(re.match(r"(?i)https?://|mailto:", address) for address in checker.addresses)
    assert not FETCHING.search(page.html)
    return page, [block for block in checker.blocks if block]


def blocks_of(html):
    return check(html)[1]


PIECES = st.sampled_from(
    [
        *(
            "<table>",
            "</table>",
            "<tr><td>",
            "</td>",
            "<div>",
            "</div>",
            "<b",
            ">",
            "<!--",
            "-->",
            "<script>",
            "<li>",
        ),
        *(
            "</script>",
            "<style>",
            "<img src=x>",
            "<a href='javascript:x'>",
            '<a href="http://h">',
            "</a>",
            "words",
        ),
        *(
            "&lt;",
            "&#0;",
            "<",
            "</",
            "<td style='display:none'>",
            "<p onclick=x style='background:url(http://h)'>",
        ),
        *(
            "\0",
            "<![CDATA[",
            "<?xml",
            "]]>",
            '"',
            "<ol start=3>",
            "<pre>",
            "<h1>",
            "<font size=7 color=red>",
            "<th>",
        ),
        *(
            "<td bgcolor=navy>",
            "<span style='font-size:0'>",
            "<br>",
            "<hr>",
            "<table border=1>",
            "<tr>",
            "א",
            "\u00a0",
        ),
    ]
)


@given(st.lists(PIECES, max_size=60).map("".join) | st.text(max_size=300))
def test_any_input_is_safe(html):
    check(html)


@pytest.mark.parametrize("html", HOSTILE.values(), ids=HOSTILE)
def test_hostile_pages_are_bounded(html):
    page, blocks = check(html)
    assert len(blocks) <= MOST_BLOCKS + 1
    assert sum(map(len, blocks)) <= MOST_LETTERS + 4 * MOST_BLOCKS
    assert len(page.html) <= 6 * MOST_LETTERS


def test_a_page_is_cut_at_every_bound(monkeypatch):
    for name, bound in (("MOST_LETTERS", 20), ("MOST_BLOCKS", 3), ("MOST_RUNS", 3)):
        monkeypatch.setattr(page_writer, name, bound)
        page, blocks = check("<p>one <b>two</b> three</p>" * 5)
        assert page.is_cut
        assert blocks[0].startswith("one")
        monkeypatch.undo()
    monkeypatch.setattr(page_tree, "MOST_TAGS", 3)
    assert check("<p>one<p>two<p>three<p>four")[0].is_cut
    assert not check("<p>one")[0].is_cut


def test_texts_of_a_page_are_preserved():
    page, blocks = check(
        "<html><head><title>no</title><style>no</style></head><body><h1>Hello &amp; welcome</h1>"
        "<script>no()</script><p>1 &lt; 2</p><img src='http://x/y.gif' alt='A picture'>"
        "<div style='display: none'>no <b>no</b></div><p>seen</p></body></html>"
    )
    assert blocks == ["Hello & welcome", "1 < 2", "[A picture]", "seen"]
    assert (page.pictures, page.hidden_words, page.is_cut) == (1, 2, False)


NESTED = "<table><tr><td>" * 30 + "the message" + "</td></tr></table>" * 30
FLATTENED = {
    NESTED: ["the message"],
    (
        "<table><tr><td width=300>Left side of a letter.<p>More.</td><td><p>Right "
        "side</td></tr></table>"
    ): [
        "Left side of a letter.",
        "More.",
        "Right side",
    ],
    "<table><tr><td>Total</td><td align=right>12.00</td></tr></table>": ["Total\u200312.00"],
    (
        "<table><tr><td>•</td><td>A long point of a list, which is in the second column of its "
        "table.</td></tr></table>"
    ): ["•\u2003A long point of a list, which is in the second column of its table."],
    "<table>stray<tr>text<td>cell</table>": ["stray", "text\u2003cell"],
    "<td>one</p></div></td><td>two</td>": ["one", "two"],
    "<ol start=3><li>three<ul><li>inner</ul><li>four</ol>": ["3. three", "• inner", "4. four"],
    "a<br>b<br><br>c": ["a", "b", "c"],
    "<pre>one  two\n  three</pre>": ["one \u00a0two", "\u00a0\u00a0three"],
    "one<span> </span>two <b>three </b><i> four</i>": ["one two three four"],
    "<img alt=logo><img alt=logo> <img alt=logo><img alt=other><img width=1 height=1 alt=pixel>": [
        "[logo] [other]"
    ],
    "<p>\u00a0</p><p><br></p><table><tr><td height=20>\u00a0</td></tr></table>text": ["text"],
}


@pytest.mark.parametrize("html", FLATTENED)
def test_layout_becomes_paragraphs(html):
    assert blocks_of(html) == FLATTENED[html]


def rows(*lines, cell="td"):
    """Return table rows of cells separated by bars."""
    return "".join(
        "<tr>" + "".join(f"<{cell}>{text}</{cell}>" for text in line.split("|")) for line in lines
    )


PRICES = rows("30 years|6.50 %|7.1 %", "15 years|6.25 %|6.9 %", "1 year|5.51 %|6.0 %")
LONG = (
    "A long text that fills the column of a letter that was laid out with a table, as many "
    "letters are. "
) * 2
DATA = {
    "three columns": f"<table>{PRICES}</table>",
    "three columns with a title": f"<table><tr><td colspan=3>Rates</td></tr>{PRICES}</table>",
    "border": f"<table border=1>{rows('Name|Anna', 'City|Bonn')}</table>",
    "headings": f"<table>{rows('Item|Price', cell='th')}{rows('Tea|3.00', 'Cake|4.50')}</table>",
    "inner": (
        f"<table "
        f"border=1><tr><td>a</td><td><table>"
        f"{PRICES.replace('years', 'y')}</table></td></tr></table>"
    ),
    "groups": f"<table><thead>{rows('A|B', cell='th')}</thead><tbody>{rows('1|2')}</tbody></table>",
}
LETTERS = "|".join("abcdefghijklmn")
LAYOUT = {
    "presentation": f"<table border=1 role=presentation>{PRICES}</table>",
    "one column": f"<table border=1>{rows('one', 'two', 'three')}</table>",
    "long texts": f"<table border=1>{rows(f'{LONG}|{LONG}', 'a|b')}</table>",
    "two columns": f"<table>{rows('Subtotal|10.00', 'Tax|1.90', 'Total|11.90')}</table>",
    "two rows": f"<table>{rows('Home|Shop|Sale', 'Help|About|Contact')}</table>",
    "too wide": f"<table border=1>{rows('|'.join(['x' * 30] * 7), 'a|b|c|d|e|f|g')}</table>",
    "many columns": f"<table border=1>{rows(LETTERS, LETTERS)}</table>",
}


@pytest.mark.parametrize("name", (*DATA, *LAYOUT))
def test_only_tables_of_data_stay_tables(name):
    html = DATA.get(name) or LAYOUT[name]
    assert flatten_page(html, LIGHT).html.count("<table") == (name in DATA)


MARKED = """
hard-ham-1/00048.edce23084d9ebd5cd49924ba4bd2c344 4
hard-ham-1/00076.5775c01eef4784032d58e85f76c541da 4
spam-1/00352.19a8ba03f566612e0b9e124609d9dbd0 3
spam-1/00380.a262abe251ca7cc3026e4e146d9cf817 7
spam-1/00454.1bb460b3ade9801644e4eb60e18d1f8d 2
spam-1/00470.32f31d3d1598f840a6471fa25332336d 4
spam-2/00032.3b93a3c65e0a2454fc9646ce01363938 0
spam-2/00176.644d65f0ab0d19f706a493bd5c3dc5df 1
spam-2/00316.6127940652124130611907ee0c20ab5e 5
spam-2/00457.f4325a4aa30dce61bf6c442b887733dd 1
spam-2/00469.d2c0c55b686454f38eee312c5e190816 3
spam-2/00541.b3145925dccfa163547afa1299e61807 3
spam-2/01013.c6cf4f54eda63230389baccc02702034 3
spam-2/01013.c6cf4f54eda63230389baccc02702034 6
spam-2/01019.994b153571324a2adad60a129c65546a 2
spam-2/01230.0589bade8df0c343a49c6712f62dfca0 3
spam-2/01242.3743099b115c6a8a273d8eca34a9c738 2
spam-2/01363.85518bca7c7cb9f35e57f3adda762ac9 6
sample-1510.eml 0
sample-3243.eml 0
"""
"""Messages of two corpora, each with the number of a table that a person marked as one of data."""


def tables_in(element):
    for child in element.elements():
        if child.name == "table":
            yield child
        yield from tables_in(child)


def letters_of(element):
    return "".join(each if isinstance(each, str) else letters_of(each) for each in element.children)


def test_tables_that_a_person_marked_stay_tables():
    folders = {
        True: need_corpus("modern-junk") / "data",
        False: need_corpus("spamassassin") / "data",
    }
    lost = []
    for line in MARKED.strip().split("\n"):
        name, number = line.split()
        raw = (folders[name.startswith("sample")] / name).read_bytes()
        html = text_of(1, raw, len(raw)).html
        root, _ = page_tree.read_tree(html)
        wanted = re.sub(r"\W+", "", letters_of([*tables_in(root)][int(number)]))
        shown = re.findall(r"<table.*?</table>", flatten_page(html, LIGHT).html, re.DOTALL)
        document = QTextDocument()
        found = [
            document.setHtml(table) or re.sub(r"\W+", "", document.toPlainText()) for table in shown
        ]
        lost += (
            []
            if any(wanted[:40] in each or (each[:40] in wanted and each) for each in found)
            else [line]
        )
    assert lost == []


def test_links_and_buttons():
    html = '<a href="javascript:x" onclick=x>one</a> <a href=" HTTPS://h?a&amp;b">two</a>'
    assert flatten_page(html, LIGHT).html == (
        f'<div>one <a href="https://h/?a&amp;b" style="color:{LIGHT.link}">two</a></div>'
    )
    for button in (
        '<a href="http://a.example" style="background:#c00;color:#d00">Go</a>',
        '<table><tr><td bgcolor="#cc0000"><a href="http://a.example">Go</a></td></tr></table>',
    ):
        for theme in (LIGHT, DARK):
            assert "color:#ffffff;background-color:#cc0000" in flatten_page(button, theme).html
    assert (
        "background"
        not in flatten_page(
            f'<div style="background:#c00">{LONG}<a href="http://a.b">x</a>', LIGHT
        ).html
    )


COLORS = st.tuples(*[st.integers(0, 255)] * 3).map(
    lambda parts: "#{:02x}{:02x}{:02x}".format(*parts)
)


@given(COLORS, st.sampled_from([LIGHT, DARK]))
def test_every_color_is_readable_in_both_themes(color, theme):
    assert contrast(readable(color, theme.base, theme.text), theme.base) >= LEAST_CONTRAST
    assert contrast(ink_on(color), color) >= LEAST_CONTRAST
    style = flatten_page(f'<p style="color:{color};background:#808080">x</p>', theme).html
    shown = re.search(r"color:(#\w+)", style)
    assert shown is None or contrast(shown[1], theme.base) >= LEAST_CONTRAST


READ = {
    **{
        "#FFF": "#ffffff",
        "ff8000": "#ff8000",
        "rgb(1, 2,3)": "#010203",
        "Navy !important": "#000080",
    },
    **{
        "white url(x.png)": "#ffffff",
        "rgba(1,2,3,0)": "",
        "#11223300": "",
        "transparent": "",
        "no-repeat": "",
    },
}


def test_colors_are_read():
    assert {written: read_color(written) for written in READ} == READ


# --------------------------------------------------------------------------------------------------
# paragraphs

MIXED = "aא" * 32_000


def test_long_paragraphs_are_broken_and_keep_their_link():
    for html in (MIXED, f"<p>{MIXED}</p>", "<b>aא</b>" * 2_000, f"<p>x<br>{MIXED}"):
        blocks = blocks_of(html)
        assert max(map(len, blocks)) <= LONGEST_MIXED + 2
        assert sum(block.count("א") for block in blocks) == html.count("א")
    assert max(map(len, blocks_of("x" * 9_000))) == LONGEST_PARAGRAPH
    document = QTextDocument()
    document.setHtml(flatten_page(f"<p>x <a href='http://x.example'>{MIXED}</a></p>", LIGHT).html)
    lengths = [length for length, link in links(document) if link == "http://x.example/"]
    assert len(lengths) >= len(MIXED) / LONGEST_MIXED
    assert sum(lengths) == len(MIXED)


def links(document):
    """Return length and link of each fragment of the text."""
    block = document.begin()
    while block.isValid():
        for part in block:
            yield part.fragment().length(), part.fragment().charFormat().anchorHref()
        block = block.next()


@pytest.mark.parametrize("name", ["mime-torture", "modern-junk"])
def test_real_hostile_mail(name):
    folder = need_corpus(name)
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()][:1500]
    assert paths
    for path in paths:
        check(path.read_bytes()[:300_000].decode("utf-8", "replace"))


PARTS = [
    *(
        "<div>",
        "</div>",
        "<p>",
        "</p>",
        "<td>",
        "</td>",
        "<tr>",
        "</tr>",
        "<table>",
        "</table>",
        "<b>",
        "</b>",
        "<li>",
    ),
    *(
        "<title>",
        "</title>",
        "<div hidden>",
        "<p style='display:none'>",
        "<td style='font-size:0'>",
        "<ul>",
        "</ul>",
    ),
    *(
        "<span style='font-size:12px'>",
        "</span>",
        "<td bgcolor=blue>",
        "<font color=white>",
        "</font>",
        "<template>",
    ),
    *(
        "<span style='mso-hide:all'>",
        "<div style='opacity:0.0'>",
        "<div class='a hidden b'>",
        "<td background=x.png>",
    ),
    *(
        "<td style='max-height:0'>",
        "<div style='max-height:0.5em'>",
        "<body text=white>",
        "</a>",
        "</template>",
    ),
    *("<a href='http://x.example/'>", *(part.format("\1") for part in HIDDEN + SHOWN)),
]


@given(st.lists(st.one_of(st.sampled_from(PARTS), st.just("\1")), max_size=30))
@settings(max_examples=300)
def test_the_words_that_count_are_those_that_are_shown_and_all_others_are_hidden(parts):
    first, *texts = "".join(parts).split("\1")
    words = [f"w{number}" for number in range(len(texts))]
    page = first + "".join(f" {word} {text}" for word, text in zip(words, texts, strict=True))
    shown = set(re.findall(r"w\d+", flatten_page(page, LIGHT).html))
    found = read_page(page)
    assert shown == set(re.findall(r"w\d+", found.text))
    assert set(words) - shown == set(re.findall(r"w\d+", found.hidden))
