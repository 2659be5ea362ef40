import base64
import quopri
from encodings import aliases

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbmail.core.mail.decoding import (
    TEXT_CAP,
    charset_codec,
    decode_parameter,
    decode_text,
    decode_transfer,
    decode_words,
    decoded_size,
)


@pytest.mark.parametrize(
    ("text", "bytes_in", "declared"),
    [
        ("Grüße", "utf-8", "utf-8"),
        ("Grüße", "utf-8", "iso-8859-1"),
        ("Grüße", "utf-8", ""),
        ("Grüße", "latin-1", "iso-8859-1"),
        ("Grüße", "latin-1", "utf-8"),
        ("“quoted”", "cp1252", "iso-8859-1"),
        ("“quoted”", "cp1252", "us-ascii"),
        ("Grüße", "latin-1", "no-such-charset"),
        ("中文邮件说明", "gb18030", "gb2312"),
        ("中文邮件说明", "gb18030", ""),
        ("中文邮件说明", "gb18030", "iso-8859-1"),
        ("镕", "gb18030", "gb2312"),
        ("漢字信箱", "big5", "big5"),
        ("日本語のメール", "shift_jis", "x-sjis"),
        ("日本語のメール", "iso-2022-jp", "iso-2022-jp"),
        ("한국어 메일", "euc-kr", "ks_c_5601-1987"),
        ("новости", "koi8-r", "koi8-r"),
        ("новости", "cp1251", "windows-1251"),
        ("ภาษาไทย", "cp874", "tis-620"),
        ("naïve", "utf-16", "utf-16"),
        ("naïve", "utf-7", "unicode-1-1-utf-7"),
    ],
)
def test_text_is_read_whatever_charset_was_declared(text, bytes_in, declared):
    assert decode_text(text.encode(bytes_in), declared) == text


def test_text_cut_in_the_middle_of_a_character_is_still_utf_8():
    assert decode_text("Grüße".encode()[:-3], "iso-8859-1") == "Grü"


@pytest.mark.parametrize("declared", ["utf-8", "UTF8", "", "no-such-charset"])
def test_a_broken_byte_in_utf_8_spoils_only_its_character(declared):
    text = "Grüße aus Köln – schön, daß Sie schreiben. "
    body = text.encode() + b"\xfc " + text.encode()
    assert decode_text(body, declared) == f"{text}\ufffd {text}"
    assert decode_text(body[:-4] + "ü".encode()[:1], declared) == f"{text}\ufffd {text[:-4]}"


@pytest.mark.parametrize("declared", ["utf-8", ""])
@pytest.mark.parametrize(
    ("text", "bytes_in"),
    [
        ("Grüße aus Köln – schön, daß Sie schreiben. ", "cp1252"),
        ("这是一封关于会议的中文邮件，请查收附件并回复。", "gb18030"),
    ],
)
def test_text_that_is_only_declared_as_utf_8_is_guessed(text, bytes_in, declared):
    assert decode_text(text.encode(bytes_in), declared) == text


def test_smart_quotes_among_english_are_not_chinese():
    assert decode_text(
        "It\u2019s \u201cfree\u201d \u2013 don\u2019t wait, it\u2019s now".encode("cp1252"), ""
    ).startswith("It\u2019s")


@pytest.mark.parametrize(
    "name", ["zip", "rot13", "idna", "undefined", "", "no such\0", "unicode_escape", "../x"]
)
def test_what_is_no_charset_has_no_codec(name):
    assert charset_codec(name) is None


@given(st.binary(max_size=300))
def test_transfer_encodings_are_undone(body):
    assert decode_transfer(base64.encodebytes(body), " BASE64 ") == body
    # Where lines end in two ways, the library's encoder writes all ends alike.
    if b"\r\n" not in body:
        assert decode_transfer(quopri.encodestring(body), "quoted-printable") == body
    assert decode_transfer(body, "8bit") == body
    assert decoded_size(base64.encodebytes(body), "base64") == len(body)
    assert decoded_size(body, "binary") == len(body)


def test_no_more_is_decoded_than_the_cap():
    body = b"abc" * TEXT_CAP
    for encoded, how in (
        (base64.encodebytes(body), "base64"),
        (quopri.encodestring(body), "quoted-printable"),
    ):
        assert decode_transfer(encoded, how) == body[:TEXT_CAP]
    assert decode_transfer(body, "") == body[:TEXT_CAP]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (b"QUJD", b"ABC"),
        (b"QUI", b"AB"),
        (b"QQ", b"A"),
        (b"QUJDR", b"ABC"),
        (b"Q!U*J=D", b"AB"),
        (b"", b""),
    ],
)
def test_broken_base64_gives_what_can_be_had(body, found):
    assert decode_transfer(body, "base64") == found


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("plain", "plain"),
        ("=?utf-8?q?Gr=C3=BC=C3=9Fe_an?= Anna", "Grüße an Anna"),
        ("=?UTF-8?B?R3LDvMOfZQ==?=", "Grüße"),
        ("=?utf-8?q?a?= =?utf-8?q?b?=", "ab"),
        ("=?utf-8?q?a?= =?latin-1?q?=FC?= c", "aü c"),
        ("=?utf-8?b?w7w?= x =?utf-8?q?y?=", "ü x y"),
        ("=?utf-8?b?w?=\t=?utf-8?b?7w=?=", ""),
        ("=?gb2312?B?1tDOxA==?=", "中文"),
        ("=?utf-8*de?q?H=C3=B6flich?=", "Höflich"),
        ("half =?utf-8?q?open", "half =?utf-8?q?open"),
        ("=?klingon?q?=FC?=", "ü"),
    ],
)
def test_encoded_words(value, text):
    assert decode_words(value) == text


def test_a_character_split_over_two_encoded_words_is_put_together():
    assert decode_words("=?utf-8?q?=C3?= =?utf-8?q?=BC?=") == "ü"


@pytest.mark.parametrize(
    ("value", "text"), [("utf-8'de'%C3%BC", "ü"), ("%C3%BC", "ü"), ("latin-1''%FC", "ü")]
)
def test_extended_parameters(value, text):
    assert decode_parameter(value) == text


CHARSETS = sorted(
    {
        *aliases.aliases,
        *aliases.aliases.values(),
        "utf-7",
        "utf-16-le",
        "utf-32-be",
        "no-such-charset",
    }
)
SHIFTED = st.text(st.sampled_from("+-2AAB3DEfg =")).map(str.encode)


@given(st.sampled_from(CHARSETS) | st.text(max_size=12), st.binary() | SHIFTED)
def test_any_bytes_in_any_charset_give_a_text_that_can_be_stored(charset, body):
    decode_text(body, charset).encode()
    decode_words(f"=?{charset}?b?{base64.b64encode(body).decode()}?=").encode()


def test_half_a_surrogate_pair_is_replaced_and_a_complete_one_stays():
    assert decode_text(b"a+2AA-b", "utf-7") == "a\ufffdb"
    assert decode_text(b"+2D3eAA-", "utf-7") == "😀"
    assert decode_words("=?utf-7?q?+2D0-?= =?utf-7?q?+3gA-?=") == "\ufffd\ufffd"
