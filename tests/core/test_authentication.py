"""Authentication results count only as the account's own server wrote them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbmail.core.reading.authentication import (
    Authentication,
    MethodResult,
    own_verdict_headers,
    read_authentication,
    server_id,
    topmost_server,
    trusted_servers,
)

TRUSTED = frozenset({"mx.home.example"})
OURS = ("received", "from relay.sender.example by mx.home.example with ESMTPS; Thu, 19 Nov 2026 10:00:00 +0000")
INSIDE = ("received", "from mx.home.example by store.home.example with LMTP; Thu, 19 Nov 2026 10:00:01 +0000")
THEIRS = ("received", "from desk by relay.sender.example with ESMTPA; Thu, 19 Nov 2026 09:59:00 +0000")
FROM = ("from", "Anna <anna@sender.example>")
PASS = ("authentication-results", "mx.home.example; dmarc=pass header.from=sender.example")
FAIL = ("authentication-results", "mx.home.example; dmarc=fail header.from=sender.example; spf=softfail")


def verified(*headers):
    return read_authentication(headers, TRUSTED).verified


def test_the_servers_own_field_counts():
    assert verified(PASS, OURS, THEIRS, FROM)
    assert verified(INSIDE, PASS, OURS, THEIRS, FROM), "between two of the provider's own lines"
    assert not verified(FAIL, OURS, THEIRS, FROM)


@pytest.mark.parametrize(
    "headers",
    [
        (FAIL, OURS, PASS, THEIRS, FROM),
        (OURS, THEIRS, PASS, FROM),
        (OURS, PASS, FROM),
        (("received", "from x by mx.home.example.attacker.example"), PASS, OURS, FROM),
    ],
    ids=["below the real one", "at the end", "below the only line", "a look-alike host"],
)
def test_a_forged_field_below_does_not(headers):
    assert not verified(*headers)


def test_a_field_of_another_server_does_not():
    foreign = ("authentication-results", "mx.elsewhere.example; dmarc=pass header.from=sender.example")
    assert not verified(foreign, OURS, FROM)
    assert read_authentication((PASS, OURS, FROM), frozenset()) == Authentication()
    assert own_verdict_headers((PASS, OURS, FROM), frozenset()) == ()


def test_local_mail_without_received_has_its_own_fields_only_above():
    assert verified(PASS, FROM)


@pytest.mark.parametrize(
    ("field", "sender", "true"),
    [
        ("dkim=pass header.d=mail.sender.example", "anna@sender.example", True),
        ("dkim=pass header.i=@sender.example", "Anna <anna@mail.sender.example>", True),
        ("dkim=pass header.d=bulk.example", "anna@sender.example", False),
        ("dkim=pass", "anna@sender.example", False),
        ("dkim=fail header.d=sender.example", "anna@sender.example", False),
        ("spf=pass smtp.mailfrom=anna@sender.example", "anna@sender.example", False),
        ("dmarc=pass header.from=other.example", "anna@sender.example", False),
        ("dmarc=pass", "anna@sender.example", True),
        ("dmarc=pass", "anna@sender.example, eve@evil.example", False),
        ("dmarc=pass", "", False),
        ("dkim/1 = pass (a comment; dmarc=pass) header.d = sender.example", "anna@sender.example", True),
        ("spf=fail (reason \\) dmarc=pass) ", "anna@sender.example", False),
        ('dkim=pass reason="it; dmarc=pass" header.d=other.example', "anna@sender.example", False),
    ],
)
def test_verified_means_dmarc_or_aligned_dkim(field, sender, true):
    headers = (("authentication-results", f"mx.home.example 1; {field}"), OURS, ("from", sender))
    assert verified(*headers) == true


def test_results_are_read_with_their_domains():
    field = "mx.home.example; dkim=pass header.d=a.example; spf=pass smtp.mailfrom=x@b.example; arc=none; odd; x=1"
    found = read_authentication((("authentication-results", field), OURS, FROM), TRUSTED)
    assert found.results == (
        MethodResult("dkim", "pass", "a.example"),
        MethodResult("spf", "pass", "b.example"),
        MethodResult("arc", "none"),
    )


@pytest.mark.parametrize(
    ("value", "counts"),
    [
        ("pass (mx.home.example: domain of a@b.example designates 1.2.3.4) receiver=mx.home.example;", True),
        ("Pass (mx.home.example: domain of a@b.example)", True),
        ("pass (mx.elsewhere.example: all is well)", False),
        ("pass", False),
    ],
)
def test_received_spf_counts_from_the_same_provider(value, counts):
    found = read_authentication((("received-spf", value), OURS, FROM), TRUSTED)
    assert found.results == ((MethodResult("spf", "pass"),) if counts else ())


def test_the_server_is_the_first_word_of_the_field():
    assert server_id("MX.Home.Example; none") == "mx.home.example"
    assert server_id('"mx.home.example" 1; spf=pass') == "mx.home.example"
    assert server_id("(a comment) mx.home.example (another) ; none") == "mx.home.example"
    assert server_id("spf=pass smtp.mailfrom=x") == "", "older servers of Microsoft leave it out"
    assert server_id("") == ""
    assert server_id("; spf=pass") == ""


def test_an_inbox_of_twenty_messages_tells_whom_to_trust():
    assert trusted_servers(["mx.home.example"] * 20) == TRUSTED
    assert trusted_servers(["mx.home.example"] * 19) == frozenset()
    assert trusted_servers(["mx.home.example"] * 18 + ["x.example"] * 2) == TRUSTED
    assert trusted_servers(["mx.home.example"] * 17 + ["x.example"] * 3) == frozenset()
    assert trusted_servers([""] * 30) == frozenset()
    both = ["dkim.home.example"] * 10 + ["dmarc.home.example"] * 10
    assert trusted_servers(both) == {"dkim.home.example", "dmarc.home.example"}


def test_the_topmost_field_is_the_providers():
    assert topmost_server((PASS, OURS, THEIRS)) == "mx.home.example"
    assert topmost_server((OURS, PASS, THEIRS)) == "", "below the only line of the provider"
    assert topmost_server((("received", "garbage"), PASS)) == ""
    assert topmost_server(()) == ""


@given(st.text(alphabet='ab=;()"\\/. \t', max_size=60))
def test_any_field_can_be_read(value):
    headers = (("authentication-results", f"mx.home.example; {value}"), OURS, FROM)
    for result in read_authentication(headers, TRUSTED).results:
        assert result.method in ("spf", "dkim", "dmarc", "arc")
    server_id(value)
