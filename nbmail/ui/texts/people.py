"""Names and addresses of senders and recipients.

No display name can be mistaken for an address, and none can hide the address.
"""

import re
from collections import deque
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from nbmail.ui.texts.language import tr, tr_count
from nbmail.ui.texts.plain_text import visible

MAX_NAME = 60
MAX_ADDRESS = 120
MAX_SHOWN = 5
MAX_IN_TIP = 50

# A header may have a million characters with the address at its end: each pattern reads each
# character once.
_QUOTED = r'"(?:[^"\\]|\\.)*+"'
_BRACKETED = r"<[^<>]*+>?+"
_CLOSED = re.compile(f'(?:[^"]|{_QUOTED})*+', re.DOTALL)
_ONE = re.compile(f'(?:{_QUOTED}|{_BRACKETED}|[^",<>]|>)++', re.DOTALL)
_QUOTED_OR_BRACKETED = re.compile(f"{_QUOTED}|{_BRACKETED}", re.DOTALL)
_ADDRESS_SIGNS = re.compile("[@\uff20\ufe6b]")


class Person(NamedTuple):
    """Display name, possibly empty, and address."""

    name: str
    address: str

    @property
    def is_deceptive(self) -> bool:
        """True if the name looks like an address and differs from the actual address."""
        if not self.address or self.name.lower() == self.address.lower():
            return False
        return _ADDRESS_SIGNS.search(self.name) is not None

    @property
    def text(self) -> str:
        """Name and address, with a note if the name looks like another address."""
        if not self.name or not self.address or self.name == self.address:
            return self.address or self.name
        if self.is_deceptive:
            text = tr("{address} (shown name: “{name}”)")
            return text.format(address=self.address, name=self.name)
        return f"{self.name} <{self.address}>"


def read_person(written: str) -> Person:
    """Parse one person. The address is the text in the last angle brackets outside quotes."""
    written = _close(written)
    brackets = deque(_brackets(written), maxlen=1)
    if not brackets:
        return Person("", _address(written))
    last = brackets[0]
    name = written[: min(last.start(), 8 * MAX_NAME)]
    name = " ".join(name.split()).strip('" ')
    return Person(visible(name, MAX_NAME), _address(last.group().strip("<>")))


def _close(written: str) -> str:
    """Remove a quote that is never closed and would hide all following text."""
    closed = _CLOSED.match(written)
    end = closed.end() if closed else 0
    return written[:end] + written[end:].replace('"', "")


def _brackets(written: str) -> Iterator[re.Match[str]]:
    """Yield the texts in angle brackets outside quotes."""
    for found in _QUOTED_OR_BRACKETED.finditer(written):
        if written[found.start()] == "<":
            yield found


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
    if more <= 0:
        return shown
    others = tr_count("and %n more", "and %n more", more)
    return f"{shown} {others}"


def addresses_of(written: str) -> list[str]:
    found = (read_person(each).address for each in _each_of(written)[:MAX_SHOWN])
    return [address for address in found if "@" in address]


def sender_name(sender: str) -> str:
    """Return the name of a sender, or the address without a name.

    A name that looks like another address is shown with the address.
    """
    brackets = _brackets(_close(sender))
    if len(list(islice(brackets, 2))) > 1:
        return people_text(sender)
    person = read_person(sender)
    if person.is_deceptive:
        return person.text
    return person.name or person.address


def sender_cell(sender: str) -> str:
    """Return the sender of a message as lists show it."""
    return sender_name(sender) or tr("(no sender)")
