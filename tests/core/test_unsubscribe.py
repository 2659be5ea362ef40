"""Ways to unsubscribe: only verified ones, and one click only where the sender signed both fields."""

import pytest

from nbmail.core.reading.authentication import Authentication, MethodResult, UnsubscribeWay, read_unsubscribe

VERIFIED = Authentication((MethodResult("dkim", "pass", "shop.org"),), verified=True)
ADDRESS = "https://shop.org/out?u=1"
SIGNED = "v=1; a=rsa-sha256; d=shop.org; s=x; h=From:List-Unsubscribe:\r\n List-Unsubscribe-Post: To; b=abc"
HEADERS = (
    ("from", "news@shop.org"),
    ("dkim-signature", SIGNED),
    ("list-unsubscribe", f"<mailto:out@shop.org?subject=1>, <{ADDRESS}>"),
    ("list-unsubscribe-post", "List-Unsubscribe=One-Click"),
)
MAIL = UnsubscribeWay(mail="mailto:out@shop.org?subject=1")


def changed(name, *values):
    return (*(each for each in HEADERS if each[0] != name), *((name, value) for value in values))


def test_one_click():
    assert read_unsubscribe(HEADERS, VERIFIED) == UnsubscribeWay(ADDRESS, "mailto:out@shop.org?subject=1")


@pytest.mark.parametrize(
    "headers",
    [
        changed("list-unsubscribe-post"),
        changed("list-unsubscribe-post", "List-Unsubscribe=One-Click", "List-Unsubscribe=One-Click"),
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
def test_only_the_address_to_write_to_is_left(headers):
    assert read_unsubscribe(headers, VERIFIED) == MAIL


@pytest.mark.parametrize(
    ("headers", "authentication"),
    [
        (HEADERS, Authentication(VERIFIED.results, verified=False)),
        (HEADERS, Authentication()),
        (changed("list-unsubscribe"), VERIFIED),
        (changed("list-unsubscribe", f"<{ADDRESS}>", "<https://evil.org>"), VERIFIED),
    ],
)
def test_nothing_is_offered(headers, authentication):
    assert read_unsubscribe(headers, authentication) == UnsubscribeWay()
