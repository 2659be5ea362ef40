"""The command `nbmail learn`: label messages and learn them.

Messages of an index are learned in its order. Files and folders of one class are learned as if they
were shuffled, so that the order of the commands makes no difference.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from difflib import get_close_matches
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from nbmail.chunks import batches
from nbmail.cli.command import CliCommand
from nbmail.cli.messages.index_files import KNOWN_LABELS, class_named, labelled_sources
from nbmail.cli.messages.sources import Source, all_sources
from nbmail.cli.messages.tokenizing import MessageTokenizer, start_tokenizing
from nbmail.cli.opened_store import open_store
from nbmail.cli.output import report
from nbmail.cli.scoring_options import add_scoring

if TYPE_CHECKING:
    from nbmail.core.counting.vocabulary import Vocabulary
    from nbmail.store.labels.bulk_learning import TrainingExample
    from nbmail.store.store import Store

# Messages stored in one transaction, and by one statement. The disk writes one transaction while
# the next is read.
TRANSACTION = 2000
CHUNK = 250
# Labels that are this similar to a known one ("sapm", "hamm") are taken for typing errors.
_SIMILAR = 0.7


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        nargs="*",
        type=Path,
        metavar="PATH",
        help="a message, mail file, Maildir or folder",
    )
    parser.add_argument(
        "--as", dest="label", metavar="LABEL", help="label: spam, ham, or a class of your own"
    )
    parser.add_argument(
        "--index",
        type=Path,
        metavar="FILE",
        help="file with lines LABEL PATH, learned in this order",
    )
    add_scoring(parser)


def _run(arguments: argparse.Namespace) -> int:
    began = time.perf_counter()
    if _changes_only_settings(arguments):
        return _change_settings(arguments)

    sources = _sources(arguments)
    read: Counter[str] = Counter()
    with (
        start_tokenizing(sources, whole=True, trusted=arguments.trusted_servers) as tokenizer,
        open_store(arguments.home, options=arguments) as store,
    ):
        # From all spam before all ham, the model would learn little more than the order.
        is_shuffled = arguments.index is None
        learned = _learn(store, tokenizer, read, shuffled=is_shuffled)

    classes = dict(sorted(read.items()))
    known = read.total() - learned
    found = {
        "messages": read.total(),
        "classes": classes,
        "learned": learned,
        "known": known,
        "seconds": round(time.perf_counter() - began, 3),
    }
    listed = ", ".join(f"{count} {name}" for name, count in classes.items())
    text = f"Read {read.total()} messages ({listed}), learned {learned}."
    if known:
        text += f" {known} were already labelled."
    report(arguments, found, text)
    return 0


def _learn(store: Store, tokenizer: MessageTokenizer, read: Counter[str], *, shuffled: bool) -> int:
    """Store and learn the messages. Return how many labels changed."""
    from nbmail.core.words.tokenizer import TOKENIZER_VERSION

    learning = store.learning(tokenizer=TOKENIZER_VERSION, moment=time.time(), shuffled=shuffled)
    changed = 0
    chunks = _examples(tokenizer, store.words.vocabulary, read)
    for first in chunks:
        more = islice(chunks, TRANSACTION // CHUNK - 1)
        changed += learning.learn(chain([first], more))
        if not shuffled:
            store.model.learn_deferred()
    return changed


def _examples(
    tokenizer: MessageTokenizer, vocabulary: Vocabulary, read: Counter[str]
) -> Iterator[list[TrainingExample]]:
    """Yield the messages in chunks. `read` counts them by class on the way."""
    from nbmail.store.labels.bulk_learning import TrainingExample
    from nbmail.store.mail.messages import Content

    for chunk in batches(tokenizer.messages(vocabulary), CHUNK):
        examples = []
        for one in chunk:
            label = one.source.label
            read[label] += 1
            content = Content(one.identity, one.heading, one.sample)
            examples.append(TrainingExample(content, label))
        yield examples


def _changes_only_settings(arguments: argparse.Namespace) -> bool:
    """True if the options name a method or costs, and no messages."""
    names_messages = arguments.index or arguments.paths or arguments.label
    return bool(arguments.method or arguments.cost or arguments.costs) and not names_messages


def _change_settings(arguments: argparse.Namespace) -> int:
    with open_store(arguments.home, options=arguments) as store:
        labels = len(store.labels)
        method = store.model.model.method
        spam_from = store.model.model.costs.spam_from

    found = {"labels": labels, "method": method, "spam_from": spam_from}
    text = f"Messages are spam from a chance of {100 * spam_from:.2f} % on"
    if arguments.method:
        text = f"Learned {labels} labels again with this method: {method}"
    report(arguments, found, text)
    return 0


def _sources(arguments: argparse.Namespace) -> list[Source]:
    """Return what is to be learned, in order, with classes."""
    if bool(arguments.index) == bool(arguments.paths):
        arguments.usage_error("give either --as LABEL and PATHs, or --index FILE")
    if bool(arguments.paths) != bool(arguments.label):
        arguments.usage_error(
            "--as requires PATHs and PATHs require --as: nbmail learn --as spam PATH"
        )
    if arguments.index:
        return labelled_sources(arguments.index)
    _refuse_typing_error(arguments)
    return all_sources(arguments.paths, class_named(arguments.label))


def _refuse_typing_error(arguments: argparse.Namespace) -> None:
    spelled = arguments.label.lower()
    if spelled in KNOWN_LABELS:
        return
    near = get_close_matches(spelled, KNOWN_LABELS, 1, _SIMILAR)
    if near:
        arguments.usage_error(
            f"--as {arguments.label}: did you mean {near[0]}? Choose a different name for your "
            f"own class"
        )


LEARN = CliCommand(_add_options, _run)
