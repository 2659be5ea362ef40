"""The commands `nbmail learn`: label messages and learn them; and `nbmail phrase`: phrases that
count like words.

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
from typing import TYPE_CHECKING, Any

from nbmail.chunks import batches, drain
from nbmail.cli.main import CliCommand, add_scoring, count_phrases, open_store, report
from nbmail.cli.sources import (
    KNOWN_LABELS,
    MessageTokenizer,
    Source,
    all_sources,
    class_named,
    labelled_sources,
    start_tokenizing,
)
from nbmail.errors import ErrorCode, KnownError

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
    if not (sources := _sources(arguments)):
        return _change_settings(arguments)
    read: Counter[str] = Counter()
    with (
        start_tokenizing(sources, whole=True, trusted=arguments.trusted_servers) as tokenizer,
        open_store(arguments.home, options=arguments) as store,
    ):
        from nbmail.core.words.tokenizer import TOKENIZER_VERSION

        # From all spam before all good mail, the model would learn little more than the order.
        shuffled = arguments.index is None
        learning = store.learning(
            tokenizer=TOKENIZER_VERSION, moment=time.time(), shuffled=shuffled
        )
        changed = 0
        chunks = _examples(tokenizer, store.words.vocabulary, read)
        for first in chunks:
            changed += learning.learn(chain([first], islice(chunks, TRANSACTION // CHUNK - 1)))
            if not shuffled:
                store.model.learn_deferred()
    classes = dict(sorted(read.items()))
    known = read.total() - changed
    found = {"messages": read.total(), "classes": classes, "learned": changed, "known": known}
    listed = ", ".join(f"{count} {name}" for name, count in classes.items())
    text = f"Read {read.total()} messages ({listed}), learned {changed}."
    text += f" {known} were already labelled." if known else ""
    report(arguments, found | {"seconds": round(time.perf_counter() - began, 3)}, text)
    return 0


def _change_settings(arguments: argparse.Namespace) -> int:
    with open_store(arguments.home, options=arguments) as store:
        costs = store.model.model.costs
        found = {
            "labels": len(store.labels),
            "method": store.model.model.method,
            "spam_from": costs.spam_from,
        }
    text = f"Messages are spam from a chance of {100 * costs.spam_from:.2f} % on"
    if arguments.method:
        text = f"Learned {found['labels']} labels again with this method: {found['method']}"
    report(arguments, found, text)
    return 0


def _sources(arguments: argparse.Namespace) -> list[Source]:
    """Return what is to be learned, in order, with classes; nothing if only the method or the costs
    are to change.
    """
    changes = arguments.method or arguments.cost or arguments.costs
    if changes and not (arguments.index or arguments.paths or arguments.label):
        return []
    if bool(arguments.index) == bool(arguments.paths):
        arguments.usage_error("give either --as LABEL and PATHs, or --index FILE")
    if bool(arguments.paths) != bool(arguments.label):
        arguments.usage_error(
            "--as requires PATHs and PATHs require --as: nbmail learn --as spam PATH"
        )
    if arguments.index:
        return labelled_sources(arguments.index)
    spelled = arguments.label.lower()
    if spelled not in KNOWN_LABELS and (
        near := get_close_matches(spelled, KNOWN_LABELS, 1, _SIMILAR)
    ):
        arguments.usage_error(
            f"--as {arguments.label}: did you mean {near[0]}? Choose a different name for "
            f"your own class"
        )
    return all_sources(arguments.paths, class_named(arguments.label))


def _examples(
    tokenizer: MessageTokenizer, vocabulary: Vocabulary, read: Counter[str]
) -> Iterator[list[TrainingExample]]:
    """Yield the messages in chunks. `read` counts them by class on the way."""
    from nbmail.store.labels.bulk_learning import TrainingExample
    from nbmail.store.mail.messages import Content

    messages = tokenizer.messages(vocabulary)
    for chunk in batches(messages, CHUNK):
        read.update(one.source.label for one in chunk)
        contents = [Content(one.identity, one.heading, one.sample) for one in chunk]
        yield [
            TrainingExample(each, one.source.label)
            for each, one in zip(contents, chunk, strict=True)
        ]


LEARN = CliCommand(_add_options, _run)


# ----------------------------------------------------------------------------------------------------------
# phrases


def _add_phrase_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "A phrase is two words or more that follow each other in the text of a message. It "
        "counts like a word, in "
        "addition to its words, in all mail whose text is stored."
    )
    parser.add_argument("way", choices=("add", "remove", "list"))
    parser.add_argument(
        "phrase", nargs="?", default="", metavar="PHRASE", help='as in "be your own boss"'
    )


def _run_phrase(arguments: argparse.Namespace) -> int:
    from nbmail.core.words.phrases import phrase_of

    phrase = phrase_of(arguments.phrase)
    if bool(arguments.phrase) == (arguments.way == "list"):
        arguments.usage_error("add and remove need a PHRASE, list needs none")
    if arguments.phrase and not phrase:
        raise KnownError(ErrorCode.BAD_INPUT, f"{arguments.phrase}: not two words or more")
    with open_store(arguments.home, read_only=arguments.way == "list") as store:
        is_added = arguments.way == "add"
        unread = 0
        if phrase and (phrase in store.phrases.now()) != is_added:
            store.phrases.set(phrase, added=is_added, moment=time.time())
            unread = count_phrases(store)
        found: dict[str, Any] = {"phrases": _listed(store)} | ({"unread": unread} if phrase else {})
    line = "{phrase}: spam {spam}, ham {ham}, log-ratio {log_ratio:+.2f}"
    text = "\n".join(line.format(**one) for one in found["phrases"])
    if unread:
        text += f"\n{unread:,} labelled messages may contain it, but their text is not stored here."
        text += "\n`nbmail learn` reads files again."
    report(arguments, found, text or "No phrases.")
    return 0


def _listed(store: Store) -> list[dict[str, Any]]:
    from nbmail.worker.words.word_list import WordListing

    page = drain(WordListing(store).list_words(phrases=True, limit=1000))
    return [
        {
            "phrase": one.word.partition(":")[2],
            "spam": one.spam,
            "ham": one.ham,
            "log_ratio": one.log_ratio,
        }
        for one in page.words
    ]


PHRASE = CliCommand(_add_phrase_options, _run_phrase)
