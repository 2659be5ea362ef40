"""Senders and recipients. No display name can be mistaken for an address, and none can hide the address."""

import re
import unicodedata
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from nbmail.ui.kit.language import tr, tr_count
from nbmail.ui.kit.plain_text import visible
from nbmail.worker.protocol.results import MessageText

MAX_NAME, MAX_ADDRESS = 60, 120
MAX_SHOWN, MAX_IN_TIP = 5, 50
MOST_LETTERS, LONGEST_DOMAIN = 4, 60
# A header may have a million characters with the address at its end: each pattern reads each character once.
_QUOTED, _BRACKETED = r'"(?:[^"\\]|\\.)*+"', r"<[^<>]*+>?+"
_CLOSED = re.compile(f'(?:[^"]|{_QUOTED})*+', re.DOTALL)
_ONE = re.compile(f'(?:{_QUOTED}|{_BRACKETED}|[^",<>]|>)++', re.DOTALL)
_QUOTED_OR_BRACKETED = re.compile(f"{_QUOTED}|{_BRACKETED}", re.DOTALL)
_ADDRESS_SIGNS = re.compile("[@\uff20\ufe6b]")


@dataclass(frozen=True, slots=True)
class Person:
    """Display name, possibly empty, and address."""

    name: str
    address: str

    @property
    def is_deceptive(self) -> bool:
        """True if the name looks like an address and differs from the actual address."""
        return bool(self.address and _ADDRESS_SIGNS.search(self.name)) and self.name.lower() != self.address.lower()

    @property
    def text(self) -> str:
        """Name and address, with a note if the name looks like another address."""
        if not self.name or not self.address or self.name == self.address:
            return self.address or self.name
        if self.is_deceptive:
            return tr("{address} (shown name: “{name}”)").format(address=self.address, name=self.name)
        return f"{self.name} <{self.address}>"


def read_person(written: str) -> Person:
    """Parse one person. The address is the text in the last angle brackets outside quotes."""
    last = deque(_brackets(written := _close(written)), maxlen=1)
    if not last:
        return Person("", _address(written))
    name = visible(" ".join(written[: min(last[0].start(), 8 * MAX_NAME)].split()).strip('" '), MAX_NAME)
    return Person(name, _address(last[0].group().strip("<>")))


def _close(written: str) -> str:
    """Remove a quote that is never closed and would hide all following text."""
    closed = _CLOSED.match(written)
    end = closed.end() if closed else 0
    return written[:end] + written[end:].replace('"', "")


def _brackets(written: str) -> Iterator[re.Match[str]]:
    return (found for found in _QUOTED_OR_BRACKETED.finditer(written) if written[found.start()] == "<")


def _address(written: str) -> str:
    return visible(" ".join(written[: 8 * MAX_ADDRESS].split()), MAX_ADDRESS)


@lru_cache(maxsize=4)
def _each_of(written: str) -> list[str]:
    return [one for one in _ONE.findall(_close(written)) if one.strip()]


def people_text(written: str, most: int = MAX_SHOWN) -> str:
    """Return the people of a header: the first `most` and the number of all others."""
    found = _each_of(written)
    shown = ", ".join(read_person(one).text for one in found[:most])
    more = len(found) - most
    return f"{shown} {tr_count('and %n more', 'and %n more', more)}" if more > 0 else shown


def addresses_of(written: str, most: int = MAX_SHOWN) -> list[str]:
    """Return the addresses of at most `most` people."""
    found = (read_person(each).address for each in _each_of(written)[:most])
    return [address for address in found if "@" in address]


def sender_name(sender: str) -> str:
    """Return the name of a sender, or the address if there is no name or if the name looks like another address."""
    if len(list(islice(_brackets(_close(sender)), 2))) > 1:
        return people_text(sender)
    person = read_person(sender)
    return person.text if person.is_deceptive else person.name or person.address


class SenderNote(NamedTuple):
    """A line of text. `kind`: "junk" for a warning, "good" for a confirmation, otherwise "muted"."""

    text: str
    kind: str = "muted"


def sender_notes(message: MessageText) -> list[SenderNote]:
    """Return what is known of the sender, warnings first."""
    check, notes, quiet = message.sender, list[SenderNote](), list[str]()
    if sum(name.lower() == "from" for name, _ in message.headers) > 1:
        text = tr("This message has several From headers. Other programs may show a different sender.")
        notes.append(SenderNote(text, "junk"))
    if check.lookalikes:
        named = ", ".join(map(_letter_text, check.lookalikes[:MOST_LETTERS]))
        text = tr("The sender contains letters that look like Latin letters: {letters}")
        notes.append(SenderNote(text.format(letters=named), "junk"))
    if check.domain:
        text = tr("✓ Mail server confirmed the domain {domain}")
        notes.append(SenderNote(text.format(domain=visible(check.domain, LONGEST_DOMAIN)), "good"))
    elif check.domain is not None:
        quiet.append(tr("Sender not verified"))
    if check.first:
        quiet.append(tr("First message from this sender in nbmail"))
    return [*notes, SenderNote(" · ".join(quiet))] if quiet else notes


def _letter_text(letter: str) -> str:
    scripts = {"CYRILLIC": tr("Cyrillic"), "GREEK": tr("Greek"), "ARMENIAN": tr("Armenian")}
    script = scripts.get(unicodedata.name(letter, "").partition(" ")[0], f"U+{ord(letter):04X}")
    return tr("“{letter}” ({script})").format(letter=letter, script=script)
