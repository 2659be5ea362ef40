"""Links are parsed like a browser and shown with their full server; only safe parts are opened."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QWidget

from nbmail.ui.dialogs.link_question import ask_link
from nbmail.ui.message.link_targets import read_link
from tests.ui.helpers import say_yes

SERVERS = {
    "http:///www.bank.example" + "%20" * 230 + "@evil.example/x": "evil.example",
    "http:\\\\evil.example\\x": "evil.example",
    "https:evil.example/x": "evil.example",
    " ht\ntp://ev\til.example": "evil.example",
    "http://bank.example\\@evil.example/": "bank.example",
    "http://bank.example?@evil.example/": "bank.example",
    "https://u:p@bank.com@evil.com/": "evil.com",
    "https://bank.com%2f@evil.com/": "evil.com",
    "https://xn--80ak6aa92e.com/": "xn--80ak6aa92e.com",
    "https://\u0430\u0440\u0440\u04cf\u0435.com/": "xn--80ak6aa92e.com",
    "https://login.bank.co.uk:8443/x": "login.bank.co.uk",
    "http://1.2.3.4/": "1.2.3.4",
    "http://0x7f.1/": "127.0.0.1",
    "http://2130706433/": "127.0.0.1",
    "http://017700000001": "127.0.0.1",
    "http://1.2./": "1.0.0.2",
    "http://[::1]:80/": "::1",
    "http://%65vil.example/": "evil.example",
}


@pytest.mark.parametrize("address", SERVERS)
def test_the_server_is_that_of_a_browser(address):
    found = read_link(address)
    assert found.server == SERVERS[address]
    assert QUrl(found.address).host(QUrl.ComponentFormattingOption.FullyEncoded) == found.server
    assert not QUrl(found.address).userInfo()


NOWHERE = [
    *(
        "https://paypal.com.\u202egro.live/",
        "http://a[b.com/",
        "http://",
        "http:///",
        "http://a b/",
    ),
    *(
        "http://256.1.1.1/",
        "http://1.2.3.4.5/",
        "http://0xffffffffff/",
        "http://a%00b/",
        "http://a%3ab/",
    ),
    *("http://%201/", "http://%2B1/", "http://1.-1/", "http://1.2.3.08/", "http://[v1.a]/"),
    *(
        "http://[::1",
        "http://[::1/x]",
        "http://[::1]80/",
        "http://[fe80::1%251]/",
        "http://[::g]/",
        "http://a:99999/",
    ),
    *("", "javascript:alert(1)", "file:///etc/hostname", "http://%ff/"),
    *("mailto:", "mailto:anna", "ftp://a.example"),
]


@pytest.mark.parametrize("address", NOWHERE)
def test_an_invalid_link_is_not_opened(qtbot, address):
    assert read_link(address) is None
    parent = QWidget()
    followed = []
    qtbot.addWidget(parent)
    box = ask_link(parent, address, followed.append)
    assert "broken" in box.text()
    box.buttons()[0].click()
    assert followed == []


PIECES = st.sampled_from(
    [*"/\\@:?#1.[]", "::1", "http:", "a.example", "%20", "%2f", "\u202e", "\u0430"]
)


@given(
    st.lists(PIECES, max_size=12).map(lambda chunks: "http:" + "".join(chunks))
    | st.text(max_size=60)
)
def test_the_opened_address_leads_to_the_shown_server(address):
    found = read_link(address)
    if found is not None:
        assert found.address.isascii()
        again = read_link(found.address)
        assert (again.address, again.server, again.recipients) == (
            found.address,
            found.server,
            found.recipients,
        )
        if found.server:
            assert (
                QUrl(found.address).host(QUrl.ComponentFormattingOption.FullyEncoded)
                == found.server
            )


LETTERS = {
    "mailto:anna@home.example": ("mailto:anna@home.example", ("anna@home.example",)),
    "MAILTO:a@b.example,c%40d.example?to=e@f.example&bcc=hidden@g.example&body=all%20my%20files&attach=/etc/passwd"
    "&subject=Hello%0d%0aBcc:x": (
        "mailto:a@b.example,c@d.example,e@f.example?subject=HelloBcc%3Ax",
        ("a@b.example", "c@d.example", "e@f.example"),
    ),
}


@pytest.mark.parametrize("address", LETTERS)
def test_a_mail_link_contains_only_recipients_and_subject(qtbot, address):
    whole, recipients = LETTERS[address]
    assert read_link(address).recipients == recipients
    parent = QWidget()
    followed = []
    qtbot.addWidget(parent)
    box = ask_link(parent, address, followed.append)
    assert f"starts a message to {', '.join(recipients)}." in box.text()
    say_yes(box)
    assert followed == [whole]


def test_the_question_shows_the_full_server_and_its_owner(qtbot):
    parent = QWidget()
    followed = []
    qtbot.addWidget(parent)
    long = "www.bank.example." + "a" * 60 + ".evil.example"
    box = ask_link(parent, f"http://{long}/x", followed.append)
    assert f"leads to {long}." in box.text().replace("\u200b", "")
    assert "registered domain is evil.example." in box.informativeText()
    box = ask_link(parent, "https://\u0430\u0440\u0440\u04cf\u0435.com/", followed.append)
    assert "non-English letters" in box.informativeText()
    assert (box.text() + box.informativeText()).isascii()
    say_yes(box)
    assert followed == ["https://xn--80ak6aa92e.com/"]
