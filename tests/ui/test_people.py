"""Senders and recipients: addresses are visible, no name imitates one, texts are bounded."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbmail.ui.texts.people import MAX_ADDRESS, MAX_NAME, people_text, read_person, sender_name
from nbmail.ui.texts.plain_text import visible

PEOPLE = {
    '"Adam L. Beberg" <beberg@mithral.example>': "Adam L. Beberg <beberg@mithral.example>",
    "<a@b.example>": "a@b.example",
    "<a@b.example>,    <c@d.example>": "a@b.example, c@d.example",
    '"Meltsner, Kenneth" <k@x.example>': "Meltsner, Kenneth <k@x.example>",
    "a@b.example": "a@b.example",
    '"a@bank.example" <x@evil.example>': "x@evil.example (shown name: “a@bank.example”)",
    "service\uff20bank.example <x@evil.example>": "x@evil.example (shown name: \
“service\uff20bank.example”)",
    "a@b.example <a@b.example>": "a@b.example",
    "\u202emoc.knab@secivres\u202c <x@evil.example>": "x@evil.example (shown name: \
“moc.knab@secivres”)",
    "": "",
}


@pytest.mark.parametrize("written", PEOPLE)
def test_people_are_named_with_their_addresses(written):
    assert people_text(written) == PEOPLE[written]


NAMES = {
    "Anna <anna@mail.example>": "Anna",
    '"Lindqvist, Anna" <anna@mail.example>': "Lindqvist, Anna",
    "<anna@mail.example>": "anna@mail.example",
    "info@bank.example <x@evil.example>": "x@evil.example (shown name: “info@bank.example”)",
    "": "",
}


@pytest.mark.parametrize("sender", NAMES)
def test_sender_names(sender):
    assert sender_name(sender) == NAMES[sender]


def test_many_recipients_are_counted():
    words = people_text(", ".join(f"P{number} <p{number}@x.example>" for number in range(40)))
    assert words.startswith("P0 <p0@x.example>, P1 ")
    assert words.endswith(" and 35 more")


@given(st.text(max_size=400), st.text(alphabet="ab.-_\u202e\u200b", min_size=1, max_size=200))
def test_the_address_is_visible_after_a_name_of_any_length(name, address):
    person = read_person(f"{name} <{address}@evil.example>")
    assert len(person.name) <= MAX_NAME + 1
    assert len(person.address) <= MAX_ADDRESS + 1
    if len(address) < MAX_ADDRESS - 20:
        assert person.address == visible(f"{address}@evil.example", MAX_ADDRESS)
        assert person.address in person.text
    assert not any(mark in person.text for mark in "\u202e\u200b\x00")


HIDDEN = (
    '"Bank <service@bank.example> {}" <evil@evil.example>',
    '"Bank <service@bank.example>" {} <evil@evil.example>, <service@bank.example>',
    "Bank <service@bank.example>{} <evil@evil.example>",
    '{} <evil@evil.example> "<service@bank.example>"',
    '"Bank, {}, <service@bank.example>, " <evil@evil.example>',
    '"Bank \\" <service@bank.example> {}" <evil@evil.example>',
)


@pytest.mark.parametrize("sender", HIDDEN)
@pytest.mark.parametrize("letters", [0, 1, 8_100, 1_000_000])
def test_no_name_hides_its_address(sender, letters):
    written = sender.format("a" * letters)
    for words in (people_text(written), people_text(written, 1)):
        assert words.startswith("evil@evil.example") or "<evil@evil.example>" in words
        assert not words.startswith("Bank <service@bank.example>")
    assert "@bank" not in sender_name(written).partition("evil@evil.example")[0]


@pytest.mark.parametrize(
    "sender",
    [
        "x" * 1_000_000 + " <a@b.example>",
        *(each * 500_000 for each in ('"', '""', "<", "<>", '\\"', "a@b.example,", ">,")),
    ],
)
def test_a_sender_of_a_megabyte_is_bounded(sender):
    began = time.process_time()
    assert len(people_text(sender)) < 1000
    assert len(sender_name(sender)) <= 2 * MAX_ADDRESS
    # Quadratic time would take hours.
    assert time.process_time() - began < 30
