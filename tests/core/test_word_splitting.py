import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbmail.core.counting.sampling import sample_of
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.mail.parser import parse
from nbmail.core.words import splitting
from nbmail.core.words.measures import MEASURES
from nbmail.core.words.splitting import lookalikes_in, split_mixed, split_words
from nbmail.core.words.word_places import PLACES, WORDED_HEADERS, PlacedWords, place_of
from tests.core.material import words_of
from tests.demo_letters import raw_letters
from tests.needs import need_corpus

PAGE = (
    b"From: anna@example.org\nTo: b@example.org\nSubject: Hello\nX-Spam-Flag: YES\n"
    b'Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html; charset=utf-8\n\n'
    b'<p>Hello <b>you</b> <a href="http://evil.example/path">http://bank.example</a>'
    b'<img src="http://img.example/x.gif"></p>'
    b'<i style="display:none">unseen</i>\n--b\nContent-Type: application/pdf; name="Your '
b'Invoice.PDF"\n'
    b"\nx\n--b--\n"
)  # fmt: skip


def measure(raw, name):
    return sample_of(parse(raw), Vocabulary()).measures[MEASURES.index(name)]


def test_every_place_yields_words():
    found = words_of(PAGE)
    assert {
        "hello", "you", "subject:hello", "from:anna@example.org", "from:@example.org",
        "to:b@example.org",
        "link:evil.example", "link:@evil.example", "link:elsewhere", "path:path", "path:gif",
        "html:hiding",
        "hidden:unseen", "file:invoice", "file:application/pdf", "file:.pdf", "fact:charset=utf-8",
        "measure:images=1",
    } <= found.keys()  # fmt: skip
    assert not any(word.startswith("x-spam") for word in found)


def test_body_words_are_plain_and_all_others_have_a_place_prefix():
    found = words_of(b"Subject: a\n\nsubject: a:b from:x")
    assert found["a"] == words_of(b"Subject: a\n\nSpam spam")["spam"] - 1 == 1
    assert {"subject", "a", "b", "from", "x"} <= found.keys()
    assert {"subject:a", "subject:^ a", "subject:a $"} == {
        word for word in found if word.startswith("subject:")
    }


def test_the_first_pairs_of_a_text_are_its_beginning():
    raw = b"Subject: a\n\n" + b"\n" * 50 + b" ".join(b"w%d" % number for number in range(30))
    assert {word for word in words_of(raw) if word.startswith("start:")} == {
        f"start:w{number} w{number + 1}" for number in range(5)
    }
    assert "start:\u65e5\u672c \u672c\u8a9e" in words_of(
        "Subject: a\n\n\u65e5\u672c\u8a9e".encode()
    )


def test_mixed_scripts_are_noted():
    assert "text:mixed-scripts" in words_of("Subject: a\n\npаypal".encode())
    assert "text:mixed-scripts" not in words_of(b"Subject: a\n\npaypal")


@pytest.mark.parametrize(
    ("name", "value"),
    [("size", len(PAGE)), ("words", 5), ("links", 4), ("link-hosts", 3), ("images", 1), ("tags",
     9), ("files", 1),
     ("headers", 5), ("hops", 0), ("recipients", 1), ("subject-length", 5), ("quoted-lines", 0)],
)  # fmt: skip
def test_measures(name, value):
    assert measure(PAGE, name) == value
    assert measure(b"Subject: a\n\nyou said\n> one\n> two\nyes", "quoted-lines") == 2


# Words at every place there is.
EVERYWHERE = b"\n".join(
    [b"From: a@x.example", b"To: b@x.example", b"Subject: hello", b"Reply-To: c@x.example",
     b"Return-Path: <d@x>",
     b"Sender: e@x.example", b"Received: from f.example by g.example; Mon",
     b"Message-ID: <1@x.example>",
     b"DKIM-Signature: d=x.example", b"User-Agent: mutt", b"List-Id: <friends.example>",
     b"X-Made-Up: yes",
     *(name.encode() + b": word" for name in WORDED_HEADERS),
     b"Content-Type: multipart/mixed; boundary=b", b"", b"--b",
     b"Content-Type: text/html; charset=utf-8", b"",
     "<!-- --><a href=http://h.example/way>two words p\u0430ypal</a><i hidden>unseen</i>".encode(),
     b"--b", b"Content-Type: image/png; name=i.png", b"", b"x", b"--b--", b""]
)  # fmt: skip


def test_every_place_that_is_listed_occurs():
    """Except the place of the user's phrases, which occurs only where the user has some."""
    assert {place_of(word) for word in words_of(EVERYWHERE)} == set(PLACES) - {"phrase"}
    assert len(set(PLACES)) == len(PLACES)


def torture():
    return [path.read_bytes() for path in need_corpus("mime-torture").rglob("*") if path.is_file()]


@pytest.mark.parametrize("mail", [raw_letters, torture])
def test_every_place_that_occurs_is_listed(mail):
    met = {place_of(word) for raw in mail() for word in words_of(raw)}
    assert "body" in met
    assert met <= set(PLACES)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Hello, World!", ["hello", "world!"]),
        ("save $100 (50% off) -- don't_wait", ["save", "$100", "50%", "off", "--", "don't_wait"]),
        ("a\x00b\nc\td", ["a", "b", "c", "d"]),
        ("Grüße, Ökonomie", ["grüße", "ökonomie"]),
        ("it’s “free” – now… V\u200bia\xadgra", ["it's", "free", "-", "now", "viagra"]),
        ("ＦＲＥＥ ｍｏｎｅｙ", ["free", "money"]),
        ("𝐅𝐫𝐞𝐞 𝓶𝓸𝓷𝓮𝔂", ["free", "money"]),
        ("Vi\u0301a\u0300gra", ["viagra"]),
        ("Привет, мир", ["привет", "мир"]),
        ("€50 £20", ["€50", "£20"]),
        ("win 🎁 now", ["win", "🎁", "now"]),
        ("①②", ["12"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("中", ["中"]),
        ("中文邮件", ["中文", "文邮", "邮件"]),
        ("免费abc领取 now", ["abc", "now", "免费", "领取"]),
        ("カタカナ", ["カタ", "タカ", "カナ"]),
        ("ภาษา", ["ภา", "าษ", "ษา"]),
        ("한국어", ["한국", "국어"]),
        ("", []),
    ],
)
def test_words(text, words):
    assert split_words(text) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [("pаypаl аccount", ["paypal", "account"]), ("αpple", ["apple"]), ("ΡΑypal", ["paypal"])],
)
def test_words_that_imitate_latin_are_read_as_latin(text, words):
    assert split_mixed(text) == (words, True)


@pytest.mark.parametrize("text", ["paypal", "счет в банке", "bank банк", "αβγ abc", "中文 abc"])
def test_several_scripts_in_a_text_are_no_imitation(text):
    assert not split_mixed(text)[1]


@given(st.text(st.characters(max_codepoint=255)))
def test_western_text_splits_alike_by_the_byte_and_by_the_character(text):
    slow = text.translate(splitting._NORMALIZED).lower()
    assert split_words(text) == slow.split()


@given(st.text())
def test_words_hold_no_space_and_no_invisible_character(text):
    for word in split_words(text):
        assert word.split() == [word]
        assert not set(word) & set("\u200b\u200d\ufeff\u00ad\u2060")


def test_letters_that_look_like_latin_ones():
    """With Latin letters beside them, or in a whole word of them where that counts as well."""
    assert lookalikes_in("Pаypal банк") == ["а"]
    assert (lookalikes_in("асе"), lookalikes_in("асе", whole=True)) == ([], ["а", "с", "е"])
    assert lookalikes_in("жди", whole=True) == []


def test_long_words_are_placed_and_not_cached():
    words = PlacedWords("subject")
    assert words.place(["free", "x" * 60]) == ["subject:free", "subject:" + "x" * 60]
    assert list(words) == ["free"]
