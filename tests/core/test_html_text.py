import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbmail.core.mail import html_page
from nbmail.core.mail.html_page import TAG_CAP, read_page
from nbmail.core.mail.links import LINK_CAP, Link, links_in, read_target
from nbmail.core.mail.parser import parse
from nbmail.text.web_addresses import domain_of
from tests.core.test_hidden_text import HIDDEN, SHOWN
from tests.needs import need_compiled, need_corpus


def read(source):
    return " ".join(read_page(source).text.split())


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<p>Hello<br>you</p>", "Hello you"),
        ("V<b></b>ia<!-- x -->g<font color=red>ra</font>", "Viagra"),
        ("<table><tr><td>a</td><td>b</td></table>", "a b"),
        ("a<style>p {color: red}</style>b<SCRIPT type=x>if (a < b) c</Script >d", "abd"),
        ("a<style>never closed <p>b", "a"),
        ("a<!-- never closed <p>b", "a"),
        ("<!--[if !mso]><!-->seen<!--<![endif]-->too", "seentoo"),
        ("&lt;b&gt; &amp;amp; &nbsp;&euro;5", "<b> &amp; €5"),
        ("a < b and c > d", "a < b and c > d"),
        ("1<2 <3", "1<2 <3"),
        ("<p\nclass=x>a<br/>b", "a b"),
        ("<a href=x", "<a href=x"),
        ("<styled>a", "a"),
        ("", ""),
    ],
)
def test_the_text_a_person_sees(source, text):
    assert read(source) == text


def test_tags_are_counted():
    page = read_page("<P class=a><b>x</b><br/><p><img src=y>")
    assert page.tag_count == 6


def test_links_and_where_they_lead():
    page = read_page(
        "<a class=x HREF = \" http://a.example/?x=1&amp;y=2 \">go</a><img src='cid:1'><td "
        'background="//b.example">'
        "<form action=http://c.example><a name=here><p href=no>"
    )
    assert page.links == [
        Link("a", "http://a.example/?x=1&y=2"),
        Link("img", "cid:1"),
        Link("td", "//b.example"),
        Link("form", "http://c.example"),
    ]


@pytest.mark.parametrize(
    ("source", "misleads"),
    [
        ('<a href="http://evil.example/">http://www.bank.example/login</a>', True),
        ('<a href="http://evil.example/">www.bank.test</a>', True),
        ('<a href="http://login.bank.example/">http://www.bank.example</a>', False),
        ('<a href="http://evil.example/">click</a> http://bank.test', False),
        ('<a href="mailto:a@b.example">http://bank.example</a>', False),
        ("<b>http://bank.example</b>", False),
    ],
)
def test_a_link_that_shows_another_domain_misleads(source, misleads):
    found = [link.target for link in read_page(source).links if link.kind == "elsewhere"]
    assert bool(found) == misleads


@pytest.mark.parametrize(
    ("source", "tricks"),
    [
        ('<div style="display: none">x', ["hiding"]),
        ('<span style="font-size:0px">x', ["hiding"]),
        ('<font color="#FFFFFF">x', ["hiding"]),
        ('<p style="color: #fff">', ["hiding"]),
        ('<table bgcolor="#ffffff"><p style="background-color:#fff">', []),
        ("<!-- note -->", ["comment"]),
        ("<p>", []),
    ],
)
def test_tricks(source, tricks):
    assert read_page(source).tricks == tricks


def test_caps():
    page = read_page("a<b>" * (TAG_CAP + 10) + "<p>end")
    assert (page.tag_count, "end" in page.text) == (TAG_CAP, False)
    many = "".join(f"<a href=http://x{number}.example>" for number in range(LINK_CAP + 10))
    assert len(read_page(many).links) == LINK_CAP


def test_the_memory_for_tags_is_bounded():
    before = len(html_page._TAGS)
    read_page(f"<a href=http://once.example/><p class={'x' * 300}>")
    assert len(html_page._TAGS) == before


def test_addresses_written_out_in_text_are_found():
    text = (
        "See (http://a.example/x?y) or <https://b.example>, www.c.example/z. Not www. or "
        "://\nhttp://www.d.example"
    )
    assert links_in(text) == [
        Link("text", "http://a.example/x?y"),
        Link("text", "http://b.example"),
        Link("text", "http://www.d.example"),
        Link("text", "http://www.c.example/z."),
    ]
    assert links_in("none here") == []
    assert len(links_in("http://a.example " * 1000)) == LINK_CAP


@pytest.mark.parametrize(
    ("target", "host", "domain", "words"),
    [
        ("http://www.shop.example/buy/now?id=77#top", "www.shop.example", "shop.example",
         ["link:www.shop.example", "link:@shop.example", "path:buy", "path:now", "path:id"]),
        ("http://x.example/1/" + "2" * 21 + "/3/4", "x.example", "x.example",
         ["link:x.example", "link:@x.example", "path:1", "path:3"]),
        ("HTTPS://User:pw@Bank.Example", "bank.example", "bank.example",
         ["link:bank.example", "link:@bank.example", "link:user@"]),
        ("http://192.0.2.7:8080/", "192.0.2.7:8080", "2.7:8080",
         ["link:192.0.2.7:8080", "link:@2.7:8080", "link:number"]),
        ("http://3221225991/", "3221225991", "3221225991", ["link:3221225991", "link:@3221225991",
         "link:number"]),
        ("mailto:anna@x.example", "", "", ["link:mailto:"]),
        ("page.html", "", "", ["link:page.html:"]),
    ],
)  # fmt: skip
def test_targets(target, host, domain, words):
    assert read_target(target) == (host, domain, tuple(words))


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("a.b.example.com", "example.com"),
        ("www.shop.co.uk", "shop.co.uk"),
        ("shop.co.uk", "shop.co.uk"),
        ("mail.x.com.br.", "x.com.br"),
        ("localhost", "localhost"),
        ("a.b.co.museum", "co.museum"),
        ("", ""),
    ],
)
def test_domains(host, domain):
    assert domain_of(host) == domain


def read_both_ways(page):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            html_page, "_read_tags", need_compiled("pages", html_page.PAGES_VERSION).read_page
        )
        compiled = read_page(page)
        patch.setattr(html_page, "_read_tags", html_page.read_plainly)
        assert compiled == read_page(page)


CHUNKS = st.sampled_from(
    ["<a href='http://x.example/a'>", "<a href=http://y.example?a&amp;b>", "</a>",
     "http://z.example", "www.", "<p>",
     "<td>", "<tr>", "<table>", "</table>", "<li>", "<ul>", "</ul>", "<hr>", "<br>", "</br>",
     "<div hidden>", "</div>",
     "</p>", "</td>", "<font color=white>", "</font>", "<", ">", "<!", "<?x>", "</>", "<1>",
     "<img src=a>", " ", "a",
     "\xe9", "\u4e2d", "\U0001f600", "<x>" * 120, "</x>" * 3, "<b \u017f>", "&amp;",
     "<A HREF\x85=\x85x>",
     "<a HREF = ' http://X.example/' target=b>", "<img\nalt=src=1 xsrc=2 src='3'>", "<a href=>",
     "=b>",
     "<img src=texts>", "<A id=href HREF= \x1f/b>", "<a\thref=b>", "<a x=1 action",
     "<a href=" + "x" * 501 + ">",
     "<area href=\xa0//a.example>", "<\u212a>"]
)  # fmt: skip
PAGES = st.lists(
    CHUNKS | st.sampled_from([*HIDDEN, *SHOWN]) | st.text(max_size=3), max_size=40
).map("".join)


@given(PAGES)
def test_pages_are_read_alike_in_c_and_in_python(page):
    read_both_ways(page)


@given(PAGES)
def test_pages_of_too_many_tags_are_read_alike(page):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(html_page, "TAG_CAP", 5)
        read_both_ways(page)


@pytest.mark.parametrize("corpus", ["spamassassin", "modern-junk", "mime-torture"])
def test_real_pages_are_read_alike(corpus):
    for path in filter(lambda path: path.is_file(), need_corpus(corpus).rglob("*")):
        for part in parse(path.read_bytes()).texts:
            read_both_ways(part.text)


def test_the_compiled_reader_refuses_what_makes_no_sense():
    read = need_compiled("pages", html_page.PAGES_VERSION).read_page
    meanings = {"b": ("", "b", "", False, None)}
    kind = "b", 1, 0, 0, 0, 0
    ham = [
        "<b>",
        9,
        meanings,
        lambda *_: [],
        lambda *_: {"b": 1},
        lambda *_: kind,
        "",
        lambda *_: "",
        len,
    ]
    assert read(*ham) == ("", [], 1, [])
    bad = {
        0: b"<b>",
        1: 0,
        2: {"b": ("", 1)},
        3: None,
        4: lambda *_: [],
        5: lambda *_: kind[:2],
        7: None,
    }
    bad[8] = lambda _: -1
    for place, wrong in bad.items():
        with pytest.raises((TypeError, ValueError)):
            read(*ham[:place], wrong, *ham[place + 1 :])
