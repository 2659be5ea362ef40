"""Scanner of HTML pages: tags, comments, unread elements, attributes, references."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbmail.html.tags import LONGEST_TAG, read_references, read_tag, scan_page

MOST = 1000
CHUNKS = st.sampled_from(
    [
        "<",
        ">",
        "<b>",
        "</b>",
        "<!--",
        "-->",
        "<!-->",
        "<style>",
        "</style>",
        "<script x",
        "a",
        " ",
        '"',
        "&",
        "<?",
        "!",
    ]
)


@pytest.mark.parametrize(
    ("page", "texts", "tags"),
    [
        ("a<b>c</B >d", ["a", "c", "d"], ["b", "/B "]),
        ("<!DOCTYPE html><?x?>a", ["", "", "a"], ["!DOCTYPE html", "?x?"]),
        ("1 < 2 <3> <b", ["1 < 2 <3> <b"], []),
        ("<a<b>", ["<a", ""], ["b"]),
        ("a<!-- <b> -->c<!-->d<!---->e", ["acde"], []),
        ("a<style><b><!--</style>b", ["ab"], []),
        ("a<!-- <style> -->b</style>c", ["ab", "c"], ["/style"]),
        ("a<SCRIPT x=1>b</style></script y>c", ["ac"], []),
        ("a<style>never closed", ["a"], []),
        ("a<!-- never closed", ["a"], []),
        ("a<styled><style-x><style", ["a", "", "<style"], ["styled", "style-x"]),
    ],
)
def test_texts_and_the_tags_between_them(page, texts, tags):
    assert scan_page(page, MOST) == (texts, tags)


@given(st.lists(CHUNKS, max_size=60).map("".join) | st.text())
def test_any_page_has_one_text_more_than_tags_and_none_of_them_contains_a_tag(page):
    texts, tags = scan_page(page, MOST)
    assert len(texts) == len(tags) + 1
    assert all(len(scan_page(text, MOST)[1]) == 0 for text in texts)
    assert all(not set("<>") & set(tag) for tag in tags)


def test_tags_beyond_the_limit_are_dropped_with_their_texts():
    assert scan_page("a<b>c<i>d<p>e", 2) == (["a", "c", ""], ["b", "i"])


@pytest.mark.parametrize(
    ("written", "name", "closes", "attributes"),
    [
        ("BR/", "br", False, {}),
        ("/o:p ", "o:p", True, {}),
        ("!doctype html", "", False, {}),
        ("a\tHREF = x class=y", "a", False, {"href": "x", "class": "y"}),
        ("img alt='a > b' src=\"x&amp;y\"", "img", False, {"alt": "a > b", "src": "x&y"}),
        ('a href="never closed', "a", False, {"href": "never closed"}),
        ("a data-x=1 -y=2 title=", "a", False, {"data-x": "1"}),
        ("a b=" + "x" * LONGEST_TAG, "a", False, {}),
    ],
)
def test_names_and_attributes(written, name, closes, attributes):
    tag = read_tag(written)
    assert (tag.name, tag.closes, tag.attributes()) == (name, closes, attributes)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("a &amp; b &lt;", "a & b <"),
        ("&#" + "1" * 5000 + ";&eacute;", "\ufffdé"),
        ("&unknown; & b", "&unknown; & b"),
    ],
)
def test_references(text, read):
    assert read_references(text) == read
