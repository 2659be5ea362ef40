"""What `splitting.c` does is what the Python beside its calls does, on anything."""

import random
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbmail.core import compiled
from nbmail.core.reading import html_text, mail
from nbmail.core.reading.html_text import TAG_CAP, read_page
from nbmail.core.reading.links import LINK_CAP, links_in
from nbmail.core.reading.mail import HEADER_CAP, parse
from nbmail.core.reading.tokenizer import _weigh
from tests.core.test_mail_hostile import HOSTILE, MUTATIONS, SOUND, mutated
from tests.needs import need_compiled, need_corpus


@pytest.fixture(scope="module")
def splitting():
    return need_compiled("splitting", 2)


def in_plain_python(call, *arguments):
    """The same call without the compiled module."""
    before = compiled.splitting
    compiled.splitting = None
    try:
        return call(*arguments)
    finally:
        compiled.splitting = before


def pieces_of(*pieces):
    return st.lists(st.sampled_from(pieces) | st.text(max_size=5), max_size=40).map("".join)


head = pieces_of(
    ":", "\n", "\n ", "\n\t", "Subject: x\n", "To:\n", " ", "\x1c", "\x85", "\xa0", "é", "中", "a b: c\n", "=?a?q?b?="
)
page = pieces_of(
    "<", ">", "<a href=http://a.example>", "<a href='http://b.example/'>", "</a>", "<b>", "<br/>", "http://c.example",
    "://", "www.", "www.b.example", "<!--", "-->", "<p style=display:none>", "é", "中", "&amp;", " ", "\n", "<style>",
)  # fmt: skip
text = pieces_of("\n>", "\n", ">", "A", "0", "!", "é", "中", "a" * 4094, "B" * 4096)

address = pieces_of(
    "://", "www.", "http://", "a.example", "/", ">", ")", " ", "\x85", "\x1c", "é", "中", "w", ":/", "x" * 501
)


@given(head)
def test_headers_are_split_alike(block):
    assert mail._split_headers(block) == in_plain_python(mail._split_headers, block)


@given(page)
def test_pages_are_read_alike(source):
    assert read_page(source) == in_plain_python(read_page, source)
    found, plain = html_text._strip_tags(source), in_plain_python(html_text._strip_tags, source)
    assert found == plain
    assert list(found[1]) == list(plain[1])


@given(text)
def test_texts_are_weighed_alike(one):
    assert _weigh(one) == in_plain_python(_weigh, one)


@given(address)
def test_addresses_are_found_alike(one):
    assert links_in(one) == in_plain_python(links_in, one)


@pytest.mark.parametrize("count", [LINK_CAP - 1, LINK_CAP, LINK_CAP + 1])
@pytest.mark.parametrize("piece", ["http://a.example ", "www.b.example)", "://www.c.example", "www."])
def test_addresses_are_found_alike_at_the_bound(piece, count):
    one = piece * count + "a" * 501
    assert links_in(one) == in_plain_python(links_in, one)


@pytest.mark.parametrize("count", [TAG_CAP - 1, TAG_CAP, TAG_CAP + 1])
def test_behind_the_last_tag_that_is_read_nothing_is(count):
    source = "<b>x" * count + "rest"
    assert read_page(source) == in_plain_python(read_page, source)


@pytest.mark.parametrize("count", [HEADER_CAP - 1, HEADER_CAP, HEADER_CAP + 1])
def test_behind_the_last_header_that_is_read_nothing_is(count):
    block = "\n".join(["a: b"] * count)
    assert mail._split_headers(block) == in_plain_python(mail._split_headers, block)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_mail_is_read_alike(name):
    check_alike(HOSTILE[name])


def test_mutations_are_read_alike():
    chance = random.Random(5)
    for _ in range(MUTATIONS // 10):
        check_alike(mutated(chance.choice(SOUND), SOUND, chance))


def test_mutations_of_the_torture_corpus_are_read_alike():
    originals = [path.read_bytes() for path in sorted(need_corpus("mime-torture").rglob("*")) if path.is_file()]
    chance = random.Random(6)
    for _ in range(MUTATIONS):
        check_alike(mutated(chance.choice(originals), originals, chance))


@pytest.mark.parametrize("corpus", ["spamassassin", "modern-junk", "mime-torture"])
def test_real_mail_is_read_alike(corpus):
    for path in sorted(need_corpus(corpus).rglob("*")):
        if path.is_file():
            check_alike(path.read_bytes())


def check_alike(raw):
    found = parse(raw)
    assert found == in_plain_python(parse, raw)
    for part in found.texts:
        assert read_page(part.text) == in_plain_python(read_page, part.text)
        assert links_in(part.text) == in_plain_python(links_in, part.text)
        assert _weigh(part.text) == in_plain_python(_weigh, part.text)


def test_text_beyond_western_is_left_to_python(splitting):
    assert splitting.split_headers("a: 中", mail._NAMES, 9) is None
    assert splitting.strip_tags("<b>中", html_text._TAGS, 9) is None
    assert splitting.weigh_text("中") is None
    assert splitting.find_addresses("www.中", 9) is None


def test_a_block_with_a_line_that_is_no_header_is_left_to_python(splitting):
    for block in ("", "a", "a: b\n", ": b", "a b: c"):
        assert splitting.split_headers(block, mail._NAMES, 9) is None


class Refusing(dict):
    def __missing__(self, key):
        raise KeyError(key)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda splitting: splitting.split_headers("a: b", Refusing(), 9), KeyError),
        (lambda splitting: splitting.split_headers("a: b", None, 9), TypeError),
        (lambda splitting: splitting.split_headers(b"a: b", {}, 9), TypeError),
        (lambda splitting: splitting.strip_tags("x<b>", Refusing(), 9), KeyError),
        (lambda splitting: splitting.strip_tags("x<b>", {"b": "no tuple"}, 9), TypeError),
        (lambda splitting: splitting.strip_tags("x<b>", {"b": ()}, 9), TypeError),
        (lambda splitting: splitting.strip_tags("x<b>", {"b": (1,)}, 9), ValueError),
        (lambda splitting: splitting.strip_tags("x<b>", {"b": ("two",)}, 9), ValueError),
        (lambda splitting: splitting.strip_tags("x<b>", {"b": ("é",)}, 9), ValueError),
        (lambda splitting: splitting.strip_tags(b"x", {}, 9), TypeError),
        (lambda splitting: splitting.weigh_text(b"x"), TypeError),
        (lambda splitting: splitting.find_addresses(b"x", 9), TypeError),
    ],
)
def test_what_makes_no_sense_is_refused(splitting, call, error):
    with pytest.raises(error):
        call(splitting)


def test_nothing_is_held_on_to(splitting):
    names, tags, separator = {"name": "name"}, {"b": (" ",)}, " "
    before = sys.getrefcount(names), sys.getrefcount(tags), sys.getrefcount(separator), sys.getrefcount(tags["b"])
    for _ in range(100):
        splitting.split_headers("name: b\nname", names, 9)
        splitting.split_headers("name: b", names, 9)
        splitting.strip_tags("x<b>www.", tags, 9)
        with pytest.raises(KeyError):
            splitting.strip_tags("x<b>www.<c>", tags, 9)
    assert (
        sys.getrefcount(names), sys.getrefcount(tags), sys.getrefcount(separator), sys.getrefcount(tags["b"])
    ) == before  # fmt: skip
