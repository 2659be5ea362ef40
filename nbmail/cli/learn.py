"""The command `nbmail learn`: label messages and learn them.

Messages of an index are learned in its order. Files and folders of one class are learned as if they were shuffled, so
that the order of the commands makes no difference.
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

from nbmail.cli.main import CliCommand, add_method, add_trust, open_store, report
from nbmail.cli.sources import (
    KNOWN_LABELS,
    MessageTokenizer,
    Source,
    all_sources,
    class_named,
    labelled_sources,
    start_tokenizing,
)

if TYPE_CHECKING:
    from nbmail.core.counting.sample import Vocabulary
    from nbmail.store.labels.label_import import TrainingExample

# Messages stored in one transaction, and by one statement. The disk writes one transaction while the next is read.
TRANSACTION = 2000
CHUNK = 250
# Labels that are this similar to a known one ("jnuk", "goood") are taken for typing errors.
_SIMILAR = 0.7


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH", help="a message, mail file, Maildir or folder")
    parser.add_argument("--as", dest="label", metavar="LABEL", help="label: junk, good, or a class of your own")
    parser.add_argument("--index", type=Path, metavar="FILE", help="file with lines LABEL PATH, learned in this order")
    add_method(parser)
    add_trust(parser)


def _run(arguments: argparse.Namespace) -> int:
    began = time.perf_counter()
    if not (sources := _sources(arguments)):
        return _learn_again(arguments)
    read: Counter[str] = Counter()
    with (
        start_tokenizing(sources, whole=True, trusted=arguments.trust_server) as tokenizer,
        open_store(arguments.home, options=arguments) as store,
    ):
        from nbmail.core.reading.tokenizer import TOKENIZER_VERSION

        # A folder of junk followed by one of good mail would teach little more than which came last.
        shuffled = arguments.index is None
        learning = store.learning(tokenizer=TOKENIZER_VERSION, moment=time.time(), shuffled=shuffled)
        changed = 0
        chunks = _examples(tokenizer, store.words.vocabulary, read)
        for first in chunks:
            changed += learning.learn(chain([first], islice(chunks, TRANSACTION // CHUNK - 1)))
            if not shuffled:
                store.model.make_exact(more_follow=True)
    found = {
        "messages": read.total(),
        "classes": dict(sorted(read.items())),
        "learned": changed,
        "known": read.total() - changed,
        "seconds": round(time.perf_counter() - began, 3),
    }
    report(arguments, found, _text(found))
    return 0


def _learn_again(arguments: argparse.Namespace) -> int:
    with open_store(arguments.home, options=arguments) as store:
        found = {"labels": len(store.labels), "method": store.model.model.method}
    report(arguments, found, f"Learned {found['labels']} labels again with this method: {found['method']}")
    return 0


def _sources(arguments: argparse.Namespace) -> list[Source]:
    """Return what is to be learned, in order, with classes; nothing if only the method is to change."""
    if arguments.method and not (arguments.index or arguments.paths or arguments.label):
        return []
    if bool(arguments.index) == bool(arguments.paths):
        arguments.usage_error("give either --as LABEL and PATHs, or --index FILE")
    if bool(arguments.paths) != bool(arguments.label):
        arguments.usage_error("--as requires PATHs and PATHs require --as: nbmail learn --as junk PATH")
    if arguments.index:
        return labelled_sources(arguments.index)
    spelled = arguments.label.lower()
    if spelled not in KNOWN_LABELS and (near := get_close_matches(spelled, KNOWN_LABELS, 1, _SIMILAR)):
        arguments.usage_error(
            f"--as {arguments.label}: did you mean {near[0]}? Choose a different name for your own class"
        )
    return all_sources(arguments.paths, class_named(arguments.label))


def _examples(
    tokenizer: MessageTokenizer, vocabulary: Vocabulary, read: Counter[str]
) -> Iterator[list[TrainingExample]]:
    """Yield the messages in chunks. `read` counts them by class on the way."""
    from nbmail.store.labels.label_import import TrainingExample
    from nbmail.store.mail.messages import Content

    messages = tokenizer.messages(vocabulary)
    while chunk := list(islice(messages, CHUNK)):
        read.update(one.source.label for one in chunk)
        contents = [Content(one.identity.current, one.heading, one.sample, former=one.identity.former) for one in chunk]
        yield [TrainingExample(each, one.source.label) for each, one in zip(contents, chunk, strict=True)]


def _text(found: dict[str, Any]) -> str:
    classes = ", ".join(f"{number} {name}" for name, number in found["classes"].items())
    known = f" {found['known']} were already labelled." if found["known"] else ""
    return f"Read {found['messages']} messages ({classes}), learned {found['learned']}.{known}"


LEARN = CliCommand(_add_options, _run)
