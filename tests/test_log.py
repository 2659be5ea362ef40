"""The log file contains neither addresses nor secrets."""

import base64
import html
import json
import logging
import quopri
import re
from urllib.parse import quote, quote_from_bytes, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbmail.log import start_log, stop_log
from nbmail.text.redaction import keep_out, redact


@pytest.mark.parametrize(
    "text",
    [
        "LOGIN anna hunter2",
        "password: hunter2",
        "token=hunter2",
        "AUTHENTICATE PLAIN hunter2",
        "Bearer hunter2",
    ],
)
def test_secrets_are_redacted(text):
    assert "hunter2" not in redact(text)
    assert "<secret>" in redact(text)


@pytest.mark.parametrize(
    "secret",
    ["hunter2", 'qu"o\\te', "a<b&c>d", "schlüssel", "ein langer Satz", 'Tr0ub4dor&"3 é', "πάσο/+%"],
)
def test_known_secrets_are_left_out_however_they_are_written(secret):
    keep_out(secret)
    text = f"\0anna\0{secret}"
    said = [
        secret,
        secret.upper(),
        repr(secret)[1:-1],
        json.dumps(secret),
        secret.encode("unicode_escape").decode(),
    ]
    said.append(html.escape(secret))
    for raw in (
        text.encode(each, "replace") for each in ("utf-8", "latin-1", "utf-16-le", "utf-16-be")
    ):
        said += [raw.hex(), raw.hex().upper(), quopri.encodestring(secret.encode()).decode()]
        said += [raw.hex(" "), raw.hex(":")]
        for number in ("\\x{:02x}", "0x{:02x}, ", "\\{:03o}", "{:03o} "):
            said.append("".join(map(number.format, raw)))
        for before in range(3):
            said += [
                coded(b"x" * before + raw).decode()
                for coded in (base64.b64encode, base64.urlsafe_b64encode)
            ]
            wrapped = base64.encodebytes(b"x" * (50 + before) + raw)
            said += [wrapped.decode(), repr(wrapped), wrapped.decode().replace("\n", "\r\n ")]
    for raw in (
        secret.encode(each) for each in ("utf-8", "latin-1")[: 1 + (max(secret) < "\u0100")]
    ):
        said += [
            repr(raw)[2:-1],
            raw.decode("latin-1"),
            *(way(raw) for way in (quote, quote_plus, quote_from_bytes)),
        ]
    for each in said:
        found = redact(f"who is {each}, no such user")
        assert "<secret>" in found and secret not in found and each not in found, each


@pytest.mark.parametrize(
    "address",
    ["anna.b+x@mail.example.org", "m%40example.org", "m@[127.0.0.1]", "m@[IPv6:2001:db8::1]"],
)
def test_addresses_are_redacted_and_the_rest_stays(address):
    assert redact(f"mail from <{address}> refused") == "mail from <<address>> refused"


@given(st.text(st.sampled_from("ab.+%-@ ,:ä")))
def test_no_address_is_left_and_no_word_without_one_is_lost(text):
    found = redact(text)
    assert not re.search(r"[\w.+%-]@[\w.-]", found)
    assert ("<address>" in found) == bool(re.search(r"[\w.+%-]@[\w.-]", text))
    for word in re.split("[ ,:]", text):
        assert "@" in word or word in found


@pytest.mark.parametrize(
    "text", ["x" * 500_000, "@" * 500_000, "pass" + "=" * 500_000 + "\n", "token " * 100_000]
)
def test_a_long_line_is_read_once(text):
    """Read from each of its letters, the first would take hours."""
    assert len(redact(text)) <= len(text) + 20


@pytest.mark.expects_log
def test_the_file_holds_the_redacted_stack(tmp_path):
    handler = start_log(tmp_path / "log")
    try:
        raise ValueError("for anna@example.org")
    except ValueError:
        logging.getLogger("nbmail.test").exception("it broke")
    finally:
        stop_log(handler)
    text = (tmp_path / "log" / "nbmail.log").read_text()
    assert "it broke" in text
    assert "ValueError: for <address>" in text
    assert "anna" not in text


@pytest.mark.expects_log
def test_after_stopping_nothing_is_written(tmp_path):
    handler = start_log(tmp_path)
    stop_log(handler)
    logging.getLogger("nbmail.test").warning("late")
    assert not (tmp_path / "nbmail.log").exists()
