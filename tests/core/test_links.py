import pytest

from nbmail.core.reading.links import LINK_CAP, Link, domain_of, links_in, read_target


def test_addresses_written_out_in_text_are_found():
    text = "See (http://a.example/x?y) or <https://b.example>, www.c.example/z. Not www. or ://\nhttp://www.d.example"
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
        ("http://3221225991/", "3221225991", "3221225991", ["link:3221225991", "link:@3221225991", "link:number"]),
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
