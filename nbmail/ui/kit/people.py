"""People as mail names them: foreign text, shown so that no name can pass for an address, and none hides one."""

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from nbmail.ui.kit.language import tr, tr_count
from nbmail.ui.kit.plain_text import visible

MAX_NAME, MAX_ADDRESS = 60, 120
MOST_SHOWN, MOST_TOLD = 5, 50
# A header may have a million letters, and the address that counts may stand at their end: each takes each letter once.
_QUOTED, _BRACKETED = r'"(?:[^"\\]|\\.)*+"', r"<[^<>]*+>?+"
_CLOSED = re.compile(f'(?:[^"]|{_QUOTED})*+', re.DOTALL)
_ONE = re.compile(f'(?:{_QUOTED}|{_BRACKETED}|[^",<>]|>)++', re.DOTALL)
_QUOTED_OR_BRACKETED = re.compile(f"{_QUOTED}|{_BRACKETED}", re.DOTALL)
_ADDRESS_SIGNS = re.compile("[@\uff20\ufe6b]")


@dataclass(frozen=True, slots=True)
class Person:
    """A name, empty where there is none, and the address that mail comes from or goes to."""

    name: str
    address: str

    @property
    def is_deceptive(self) -> bool:
        """Whether the name looks like an address, and is another than theirs."""
        return bool(self.address and _ADDRESS_SIGNS.search(self.name)) and self.name.lower() != self.address.lower()

    @property
    def words(self) -> str:
        """Name and address; where the name poses as an address, that it is none."""
        if not self.name or not self.address or self.name == self.address:
            return self.address or self.name
        if self.is_deceptive:
            return tr("{address}, who goes by the name “{name}”").format(address=self.address, name=self.name)
        return f"{self.name} <{self.address}>"


def read_person(written: str) -> Person:
    """One person. The address is what stands in the last brackets that are in no quotes, however long the name is."""
    last = deque(_brackets(written := _close(written)), maxlen=1)
    if not last:
        return Person("", _address(written))
    name = visible(" ".join(written[: min(last[0].start(), 8 * MAX_NAME)].split()).strip('" '), MAX_NAME)
    return Person(name, _address(last[0].group().strip("<>")))


def _close(written: str) -> str:
    """Without quotes that are never closed, which would hide all that follows."""
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


def people_text(written: str, most: int = MOST_SHOWN) -> str:
    """All people of a header, or the first of them and how many more there are."""
    found = _each_of(written)
    shown = ", ".join(read_person(one).words for one in found[:most])
    more = len(found) - most
    return f"{shown} {tr_count('and %n more', 'and %n more', more)}" if more > 0 else shown


def sender_name(sender: str) -> str:
    """A sender's name where there is one, else the address; the address too where the name poses as one."""
    if len(list(islice(_brackets(_close(sender)), 2))) > 1:
        return people_text(sender)
    person = read_person(sender)
    return person.words if person.is_deceptive else person.name or person.address
