"""The command `nbmail phrase`: phrases that count like words."""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING, Any

from nbmail.chunks import drain
from nbmail.cli.main import CliCommand, count_phrases, open_store, report
from nbmail.errors import ErrorCode, KnownError

if TYPE_CHECKING:
    from nbmail.store.store import Store


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "A phrase is two words or more that follow each other in the text of a message. It counts like a word, in "
        "addition to its words, in all mail whose text is stored."
    )
    parser.add_argument("way", choices=("add", "remove", "list"))
    parser.add_argument("phrase", nargs="?", default="", metavar="PHRASE", help='as in "be your own boss"')


def _run(arguments: argparse.Namespace) -> int:
    from nbmail.core.reading.tokenizer import phrase_of

    phrase = phrase_of(arguments.phrase)
    if bool(arguments.phrase) == (arguments.way == "list"):
        arguments.usage_error("add and remove need a PHRASE, list needs none")
    if arguments.phrase and not phrase:
        raise KnownError(ErrorCode.BAD_INPUT, f"{arguments.phrase}: not two words or more")
    with open_store(arguments.home, reading=arguments.way == "list") as store:
        is_added, unread = arguments.way == "add", 0
        if phrase and (phrase in store.phrases.now()) != is_added:
            store.phrases.set(phrase, added=is_added, moment=time.time())
            unread = count_phrases(store)
        found: dict[str, Any] = {"phrases": _listed(store)} | ({"unread": unread} if phrase else {})
    text = "\n".join(
        f"{one['phrase']}: junk {one['junk']}, good {one['good']}, log-ratio {one['log_ratio']:+.2f}"
        for one in found["phrases"]
    )
    if unread:
        text += f"\n{unread:,} labelled messages may contain it, but their text is not stored here."
        text += "\n`nbmail learn` reads files again."
    report(arguments, found, text or "No phrases.")
    return 0


def _listed(store: Store) -> list[dict[str, Any]]:
    from nbmail.worker.model.word_statistics import WordStatistics

    page = drain(WordStatistics(store).list_words(phrases=True, limit=1000))
    return [
        {"phrase": one.word.partition(":")[2], "junk": one.junk, "good": one.good, "log_ratio": one.log_ratio}
        for one in page.words
    ]


PHRASE = CliCommand(_add_options, _run)
