"""People as mail names them: foreign text, shown so that no name can pass for an address, and none hides one."""

import re
from dataclasses import dataclass

from nbmail.ui.kit.language import tr, tr_count
from nbmail.ui.kit.plain_text import visible

LONGEST_NAME, LONGEST_ADDRESS = 60, 120
READ = 8_000
"""Letters of a header that are read: it may have a million."""
MOST_SHOWN, MOST_TOLD = 5, 50
_ONE = re.compile(r'(?:"(?:[^"\\]|\\.)*"|<[^<>]*>|[^",<>])+')
_ADDRESS_SIGNS = re.compile("[@\uff20\ufe6b]")


@dataclass(frozen=True, slots=True)
class Person:
    """A name, empty where there is none, and the address that mail comes from or goes to."""

    name: str
    address: str

    @property
    def poses(self) -> bool:
        """Whether the name looks like an address, and is another than theirs."""
        return bool(self.address and _ADDRESS_SIGNS.search(self.name)) and self.name.lower() != self.address.lower()

    @property
    def words(self) -> str:
        """Name and address; where the name poses as an address, that it is none."""
        if not self.name or not self.address or self.name == self.address:
            return self.address or self.name
        if self.poses:
            return tr("{address}, who goes by the name “{name}”").format(address=self.address, name=self.name)
        return f"{self.name} <{self.address}>"


def read_person(written: str) -> Person:
    """One person. The address is what stands in the last brackets, however long the name before them is."""
    before, bracket, after = written.rpartition("<")
    if not bracket:
        return Person("", _address(written))
    name = visible(" ".join(before[: 8 * LONGEST_NAME].split()).strip('" '), LONGEST_NAME)
    return Person(name, _address(after.partition(">")[0]))


def _address(written: str) -> str:
    return visible(" ".join(written[: 8 * LONGEST_ADDRESS].split()), LONGEST_ADDRESS)


def people_words(written: str, most: int = MOST_SHOWN) -> str:
    """All people of a header, or the first of them and how many more there are."""
    if len(written) > READ and written.count("<") == 1:
        return read_person(written).words
    found = [read_person(one).words for one in _ONE.findall(written[:READ]) if one.strip()]
    shown = ", ".join(found[:most])
    more = len(found) - most
    return f"{shown} {tr_count('and %n more', 'and %n more', more)}" if more > 0 else shown


def sender_name(sender: str) -> str:
    """A sender's name where there is one, else the address; the address too where the name poses as one."""
    person = read_person(sender)
    return person.words if person.poses else person.name or person.address
