"""What answers to FETCH say: regular expressions over the text between the literals, one pass each."""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from nbmail.core.reading.mail import moment_of
from nbmail.sync.connection.imap_connection import Reply

# Six thousand bytes: Dovecot takes 8,000 UIDs in a command and not 12,000, other servers less.
MOST_IN_A_SET = 500
LONGEST_RANGE = 21

_FETCH = re.compile(rb"\* \d+ FETCH \(", re.IGNORECASE)
# Numbers have as many digits as the protocol allows, and nothing is matched over the next opening bracket: a line that
# repeats a beginning without its end would be searched in quadratic time.
_UID = re.compile(rb"[( ]UID (\d{1,10})(?!\d)", re.IGNORECASE)
_FLAGS = re.compile(rb"[( ]FLAGS \(([^()]*)\)", re.IGNORECASE)
_SIZE = re.compile(rb"[( ]RFC822\.SIZE (\d{1,18})(?!\d)", re.IGNORECASE)
_DATE = re.compile(rb'[( ]INTERNALDATE "([^"]*)"', re.IGNORECASE)
_BODY = re.compile(rb'[( ]BODY\[[^\[\]]*\](?:<\d{1,18}>)? (?:(NIL)|"((?:[^"\\]|\\.)*)"|(?=\{))', re.IGNORECASE)
_VANISHED = re.compile(rb"(?:\(EARLIER\) )?([\d:,]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Fetched:
    """One message of an answer to FETCH; None where the answer doesn't say."""

    uid: int
    flags: frozenset[str] | None = None
    size: int = 0
    received: float = 0.0
    body: bytes | None = None


def fetched(reply: Reply) -> Fetched | None:
    """The message that a reply speaks of; None for any other reply, and for one that names no UID."""
    if not _FETCH.match(reply[0]):
        return None
    text, body = _without_body(reply)
    uid = _UID.search(text)
    if uid is None:
        return None
    flags, size, date = _FLAGS.search(text), _SIZE.search(text), _DATE.search(text)
    return Fetched(
        int(uid.group(1)),
        flag_set(flags.group(1)) if flags else None,
        int(size.group(1)) if size else 0,
        moment_of(date.group(1).decode("latin-1")) if date else 0.0,
        body,
    )


def _without_body(reply: Reply) -> tuple[bytes, bytes | None]:
    """The text of a reply without the message's own words, which could look like anything, and those words."""
    if len(reply) > 1:
        return b" ".join(reply[::2]), reply[1]
    found = _BODY.search(reply[0])
    if found is None:
        return reply[0], None
    nothing, inline = found.groups()
    # NIL is said of what isn't there any more: it is no empty message.
    body = None if nothing else re.sub(rb"\\(.)", rb"\1", inline or b"")
    return reply[0][: found.start()] + b" " + reply[0][found.end() :], body


@lru_cache(maxsize=4096)
def flag_set(text: bytes) -> frozenset[str]:
    """Flags and keywords; \\Recent is a matter between the server and one session, never of the message."""
    names = text.decode("ascii", "replace").split()
    return frozenset(name for name in names if name.lower() != "\\recent")


def vanished(text: bytes) -> list[range]:
    """The UIDs that are named behind VANISHED, as ranges: a server may name four billion of them at once."""
    found = _VANISHED.match(text)
    return list(uid_ranges(found.group(1))) if found else []


def among(known: Collection[int], ranges: Iterable[range]) -> set[int]:
    """Those of the known UIDs that lie in the ranges, in about as many steps as there are of both."""
    ordered, found, done = sorted(known), set[int](), 0
    for each in sorted(ranges, key=lambda each: each.start):
        first = max(done, bisect_left(ordered, each.start))
        done = max(done, bisect_left(ordered, each.stop))
        found.update(ordered[first:done])
    return found


def uid_ranges(text: bytes) -> Iterator[range]:
    """The UIDs of a set as the protocol writes it."""
    for part in text.split(b","):
        low, _, high = part.partition(b":")
        if low.isdigit() and (high.isdigit() or not high) and len(part) <= LONGEST_RANGE:
            first, last = sorted((int(low), int(high or low)))
            yield range(first, last + 1)


def uid_sets(uids: Iterable[int], most: int = MOST_IN_A_SET) -> Iterator[bytes]:
    """UIDs as the protocol writes them, in the given order cut into sets that no server finds too long."""
    listed = list(uids)
    for start in range(0, len(listed), most):
        yield b",".join(b"%d" % uid for uid in listed[start : start + most])
