"""Only the account's own server's authentication results count, also for unsubscribing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbmail.core.senders.authentication import Authentication, read_authentication
from nbmail.core.senders.result_fields import MethodResult, server_id
from nbmail.core.senders.trusted_servers import NO_TRUST, Trust, learn_trust, trust_named
from nbmail.core.senders.unsubscribe import UnsubscribeWay, read_unsubscribe

TRUSTED = Trust(frozenset({"mx.home.example"}), "home.example")
GMAIL = Trust(frozenset({"mx.gmail.example"}), "gmail.example", below=True)
OURS = (
    "received",
    "from relay.sender.example by mx.home.example with ESMTPS; Thu, 19 Nov 2026 10:00:00 +0000",
)
INSIDE = (
    "received",
    "from mx.home.example by store.home.example with LMTP; Thu, 19 Nov 2026 10:00:01 +0000",
)
THEIRS = (
    "received",
    "from desk by relay.sender.example with ESMTPA; Thu, 19 Nov 2026 09:59:00 +0000",
)
FROM = ("from", "Anna <anna@sender.example>")
PASS = ("authentication-results", "mx.home.example; dmarc=pass header.from=sender.example")
FAIL = (
    "authentication-results",
    "mx.home.example; dmarc=fail header.from=sender.example; spf=softfail",
)


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
        (FAIL, OURS, PASS, OURS, FROM),
    ],
    ids=[
        "below the real one",
        "at the end",
        "below the only line",
        "a look-alike host",
        "a forged line below it",
    ],
)
def test_a_forged_field_below_does_not(headers):
    assert not verified(*headers)


def test_a_field_of_another_server_does_not():
    foreign = (
        "authentication-results",
        "mx.elsewhere.example; dmarc=pass header.from=sender.example",
    )
    assert not verified(foreign, OURS, FROM)
    assert read_authentication((PASS, OURS, FROM), NO_TRUST) == Authentication()


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
        ("dmarc=pass", '"anna@sender.example" <anna@sender.example>', True),
        ("dmarc=pass header.from=sender.example", '"eve@evil.example" <anna@sender.example>', True),
        ("dmarc=pass header.from=evil.example", '"<anna@sender.example>" <eve@evil.example>', True),
        (
            "dmarc=pass header.from=sender.example",
            '"<anna@sender.example>" <eve@evil.example>',
            False,
        ),
        ("dmarc=pass", "<anna@sender.example> <eve@evil.example>", False),
        ("dmarc=pass", "anna@sender.example (eve@evil.example)", False),
        (
            "dkim/1 = pass (a comment; dmarc=pass) header.d = sender.example",
            "anna@sender.example",
            True,
        ),
        ("spf=fail (reason \\) dmarc=pass) ", "anna@sender.example", False),
        ('dkim=pass reason="it; dmarc=pass" header.d=other.example', "anna@sender.example", False),
    ],
)
def test_verified_means_dmarc_or_aligned_dkim(field, sender, true):
    headers = (("authentication-results", f"mx.home.example 1; {field}"), OURS, ("from", sender))
    assert verified(*headers) == true


def test_results_are_read_with_their_domains():
    field = (
        "mx.home.example; dkim=pass header.d=a.example; spf=pass smtp.mailfrom=x@b.example; "
        "arc=none; odd; x=1; dkim=pa55; dkim/1"
    )
    found = read_authentication((("authentication-results", field), OURS, FROM), TRUSTED)
    assert found.results == (
        MethodResult("dkim", "pass", "a.example"),
        MethodResult("spf", "pass", "b.example"),
        MethodResult("arc", "none"),
    )


@pytest.mark.parametrize(
    ("value", "counts"),
    [
        (
            (
                "pass (mx.home.example: domain of a@b.example designates 1.2.3.4) "
                "receiver=mx.home.example;"
            ),
            True,
        ),
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


@pytest.mark.parametrize(
    ("received", "internal"),
    [
        ("from mx.home.example by store.home.example with LMTP", True),
        ("by 2002:a05:6402:: with SMTP id x", True),
        ("from localhost (localhost [127.0.0.1]) by mx.home.example", True),
        (
            "from mx.home.example (localhost.localdomain [127.0.0.1]) by localhost (amavisd-new)",
            True,
        ),
        ("from out.home.example (out.home.example [192.0.2.1]) by mx.home.example", True),
        ("from mx.home.example (evil.example [192.0.2.1]) by mx.home.example", False),
        ("from mx.home.example (unknown [192.0.2.1]) by mx.home.example", False),
        (
            "from mx.home.example ([192.0.2.1]) (sender <a@mx.home.example>) by mx.home.example",
            False,
        ),
        ("from [192.0.2.1] (helo=mx.home.example) by mx.home.example", False),
        ("from unknown (HELO mx.home.example) (2001:db8::1) by mx.home.example", False),
    ],
)
def test_further_lines_count_only_below_an_internal_one(received, internal):
    """A sender can greet with any name and write lines like the provider's below the real one."""
    assert verified(("received", received), PASS, OURS, FROM) == internal


def test_a_server_that_writes_below_its_line_is_believed_for_the_first_field_there():
    line = (
        "received",
        (
            "from relay.sender.example (relay.sender.example [192.0.2.1]) by mx.gmail.example "
            "with ESMTPS"
        ),
    )
    top = ("received", "by 2002:a05:6402:: with SMTP id x")
    spf = ("received-spf", "pass (gmail.example: fine) receiver=mx.gmail.example")
    real = ("authentication-results", "mx.gmail.example; dmarc=fail")
    forged = ("authentication-results", "mx.gmail.example; dmarc=pass")
    assert learn_trust([(top, line, spf, real, forged, FROM)] * 20) == GMAIL
    assert read_authentication((top, line, spf, real, forged, FROM), GMAIL) == Authentication(
        (MethodResult("spf", "pass"), MethodResult("dmarc", "fail"))
    )
    assert not read_authentication((top, line, THEIRS, forged, FROM), GMAIL).verified
    assert not read_authentication((forged, top, line, FROM), GMAIL).results
    assert not read_authentication((THEIRS, forged, FROM), GMAIL).results


def inbox(*servers):
    return [
        (("authentication-results", f"{server}; spf=pass"), OURS, THEIRS, FROM)
        for server in servers
    ]


def test_twenty_messages_of_an_inbox_name_the_trusted_server():
    assert learn_trust(inbox(*["mx.home.example"] * 20)) == TRUSTED
    assert learn_trust(inbox(*["mx.home.example"] * 19)) == NO_TRUST
    assert learn_trust(inbox(*["mx.home.example"] * 18 + ["x.example"] * 2)) == TRUSTED
    assert learn_trust(inbox(*["mx.home.example"] * 17 + ["x.example"] * 3)) == NO_TRUST
    assert learn_trust([(OURS, FROM)] * 30) == NO_TRUST
    both = learn_trust(inbox(*["dkim.home.example", "dmarc.home.example"] * 10))
    assert both.servers == {"dkim.home.example", "dmarc.home.example"}


def test_only_the_topmost_field_is_learned():
    forged = ("authentication-results", "mx.evil.example; dmarc=pass")
    assert learn_trust([(PASS, OURS, forged, THEIRS)] * 20) == TRUSTED
    assert learn_trust([(OURS, THEIRS, PASS)] * 20) == NO_TRUST
    assert learn_trust([(("received", "garbage"), PASS)] * 20) == NO_TRUST
    assert learn_trust([()] * 20) == NO_TRUST


def test_the_user_names_servers():
    assert trust_named([]) == NO_TRUST
    assert trust_named(["MX.Home.example"]) == TRUSTED
    assert trust_named(["other.gmail.example"], GMAIL) == GMAIL._replace(
        servers=frozenset({"other.gmail.example"})
    )
    assert trust_named(["mx.home.example"], GMAIL) == TRUSTED


@given(st.text(alphabet='ab=;()"\\/. \t', max_size=60))
def test_any_field_can_be_read(value):
    headers = (("authentication-results", f"mx.home.example; {value}"), OURS, FROM)
    for result in read_authentication(headers, TRUSTED).results:
        assert result.method in ("spf", "dkim", "dmarc", "arc")
    server_id(value)


VERIFIED = Authentication((MethodResult("dkim", "pass", "shop.org"),), verified=True)
ADDRESS = "https://shop.org/out?u=1"
SIGNED = (
    "v=1; a=rsa-sha256; d=shop.org; s=x; h=From:List-Unsubscribe:\r\n List-Unsubscribe-Post: To; "
    "b=abc"
)
LISTED = (
    ("from", "news@shop.org"),
    ("dkim-signature", SIGNED),
    ("list-unsubscribe", f"<mailto:out@shop.org?subject=1>, <{ADDRESS}>"),
    ("list-unsubscribe-post", "List-Unsubscribe=One-Click"),
)
TO_WRITE_TO = UnsubscribeWay(mail="mailto:out@shop.org?subject=1")


def changed(name, *values):
    return (*(each for each in LISTED if each[0] != name), *((name, value) for value in values))


def test_one_click_needs_a_signature_of_both_fields():
    assert read_unsubscribe(LISTED, VERIFIED) == TO_WRITE_TO._replace(one_click=ADDRESS)


@pytest.mark.parametrize(
    "headers",
    [
        changed("list-unsubscribe-post"),
        changed(
            "list-unsubscribe-post", "List-Unsubscribe=One-Click", "List-Unsubscribe=One-Click"
        ),
        changed("list-unsubscribe-post", "other"),
        changed("dkim-signature"),
        changed("dkim-signature", SIGNED.replace("List-Unsubscribe-Post", "Subject")),
        changed("dkim-signature", SIGNED.replace("d=shop.org", "d=other.org")),
        changed("dkim-signature", SIGNED, "v=1; d=shop.org; h=From:To; b=abc"),
        changed("list-unsubscribe", "<mailto:out@shop.org?subject=1>, <http://shop.org/out>"),
        changed("list-unsubscribe", "<mailto:out@shop.org?subject=1>, <https://>"),
        changed("list-unsubscribe", "<mailto:out@shop.org?subject=1>, <https://[>"),
    ],
)
def test_without_such_a_signature_only_the_address_to_write_to_is_left(headers):
    assert read_unsubscribe(headers, VERIFIED) == TO_WRITE_TO


@pytest.mark.parametrize(
    ("headers", "authentication"),
    [
        (LISTED, Authentication(VERIFIED.results, verified=False)),
        (LISTED, Authentication()),
        (changed("list-unsubscribe"), VERIFIED),
        (changed("list-unsubscribe", f"<{ADDRESS}>", "<https://evil.org>"), VERIFIED),
    ],
)
def test_nothing_is_offered_without_a_verified_sender_and_a_single_field(headers, authentication):
    assert read_unsubscribe(headers, authentication) == UnsubscribeWay()
