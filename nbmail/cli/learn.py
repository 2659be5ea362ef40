"""The command `nbmail learn`: label messages and keep what that teaches.

An index is learned in its order; files and folders of one class as if they were shuffled, so that it doesn't matter
which class is taught first.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from difflib import get_close_matches
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nbmail.cli.command import CliCommand, report
from nbmail.cli.home import open_store
from nbmail.cli.reading import Reading, start_reading
from nbmail.cli.sources import KNOWN_LABELS, Source, all_sources, class_named, labelled_sources
from nbmail.errors import ErrorCode, KnownError

if TYPE_CHECKING:
    from nbmail.core.counting.sample import Vocabulary
    from nbmail.store.labels.bulk_learning import Lesson

# Messages kept in one transaction, and those learned at once in it while others are being read.
AT_ONCE = 10_000
PIECE = 250
# Labels as alike as this to a known one ("jnuk", "goood") are slips of the hand.
ALIKE = 0.7


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH", help="a message, mail file, Maildir or folder")
    parser.add_argument("--as", dest="label", metavar="LABEL", help="what they are: junk, good, or a class of your own")
    parser.add_argument("--index", type=Path, metavar="FILE", help="lines LABEL PATH, learned in their order")


def _run(arguments: argparse.Namespace) -> int:
    began = time.perf_counter()
    sources = _sources(arguments)
    read: Counter[str] = Counter()
    with start_reading(sources, whole=True) as reading, open_store(arguments.home) as store:
        from nbmail.core.reading.tokenizer import TOKENIZER_VERSION

        # A folder of junk and then one of good mail would teach little more than which came last.
        shuffled = arguments.index is None
        learning = store.learning(tokenizer=TOKENIZER_VERSION, moment=time.time(), shuffled=shuffled)
        changed = 0
        chunks = _lessons(reading, store.words.vocabulary, read)
        for first in chunks:
            changed += learning.learn(chain([first], islice(chunks, AT_ONCE // PIECE - 1)))
    if not read:
        raise KnownError(ErrorCode.BAD_INPUT, "no messages in what is named here")
    found = {
        "messages": read.total(),
        "classes": dict(sorted(read.items())),
        "learned": changed,
        "known": read.total() - changed,
        "seconds": round(time.perf_counter() - began, 3),
    }
    report(arguments, found, _in_words(found))
    return 0


def _sources(arguments: argparse.Namespace) -> list[Source]:
    """What is to be learned, in order, each with its class."""
    if bool(arguments.index) == bool(arguments.paths):
        arguments.complain("name either PATHs, with --as, or an --index")
    if bool(arguments.paths) != bool(arguments.label):
        arguments.complain("--as and PATHs belong together: nbmail learn --as junk PATH")
    if arguments.index:
        return labelled_sources(arguments.index)
    spelled = arguments.label.lower()
    if spelled not in KNOWN_LABELS and (near := get_close_matches(spelled, KNOWN_LABELS, 1, ALIKE)):
        arguments.complain(f"--as {arguments.label}: did you mean {near[0]}? A class of your own needs another name")
    return all_sources(arguments.paths, class_named(arguments.label))


def _lessons(reading: Reading, vocabulary: Vocabulary, read: Counter[str]) -> Iterator[list[Lesson]]:
    """The messages, so many at a time, counted by class as they come."""
    from nbmail.store.labels.bulk_learning import Lesson
    from nbmail.store.mail.messages import Content

    messages = reading.messages(vocabulary)
    while some := list(islice(messages, PIECE)):
        read.update(one.source.label for one in some)
        yield [Lesson(Content(one.identity, one.heading, one.sample), one.source.label) for one in some]


def _in_words(found: dict[str, Any]) -> str:
    classes = ", ".join(f"{number} {name}" for name, number in found["classes"].items())
    known = f" {found['known']} of them were known already." if found["known"] else ""
    return f"Read {found['messages']} messages ({classes or 'none'}), learned {found['learned']}.{known}"


LEARN = CliCommand(_add_options, _run)
