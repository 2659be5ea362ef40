"""The command `nbmail phrase`: phrases that count like words."""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING, Any

from nbmail.chunks import drain
from nbmail.cli.command import CliCommand
from nbmail.cli.opened_store import count_phrases, open_store
from nbmail.cli.output import report
from nbmail.errors import ErrorCode, KnownError

if TYPE_CHECKING:
    from nbmail.store.store import Store

_LISTED = 1000
_LINE = "{phrase}: spam {spam}, ham {ham}, log-ratio {log_ratio:+.2f}"


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "A phrase is two words or more that follow each other in the text of a message. It counts "
        "like a word, in addition to its words, in all mail whose text is stored."
    )
    parser.add_argument("way", choices=("add", "remove", "list"))
    parser.add_argument(
        "phrase", nargs="?", default="", metavar="PHRASE", help='as in "be your own boss"'
    )


def _run(arguments: argparse.Namespace) -> int:
    phrase = _phrase_of(arguments)
    with open_store(arguments.home, read_only=not phrase) as store:
        unread = 0
        if phrase:
            unread = _change(store, phrase, added=arguments.way == "add")
        found: dict[str, Any] = {"phrases": _phrases_of(store)}
        if phrase:
            found["unread"] = unread

    lines = [_LINE.format(**one) for one in found["phrases"]] or ["No phrases."]
    if unread:
        lines += [
            f"{unread:,} labelled messages may contain it, but their text is not stored here.",
            "`nbmail learn` reads files again.",
        ]
    report(arguments, found, "\n".join(lines))
    return 0


def _phrase_of(arguments: argparse.Namespace) -> str:
    """Return the phrase to add or remove; empty to list all."""
    from nbmail.core.words.phrases import phrase_of

    is_list = arguments.way == "list"
    if bool(arguments.phrase) == is_list:
        arguments.usage_error("add and remove need a PHRASE, list needs none")
    if is_list:
        return ""
    phrase = phrase_of(arguments.phrase)
    if not phrase:
        raise KnownError(ErrorCode.BAD_INPUT, f"{arguments.phrase}: not two words or more")
    return phrase


def _change(store: Store, phrase: str, *, added: bool) -> int:
    """Add or remove a phrase. Return the number of labelled messages that can't be read again."""
    if (phrase in store.phrases.now()) == added:
        return 0
    store.phrases.set(phrase, added=added, moment=time.time())
    return count_phrases(store)


def _phrases_of(store: Store) -> list[dict[str, Any]]:
    from nbmail.worker.words.word_list import WordListing

    page = drain(WordListing(store).list_words(phrases=True, limit=_LISTED))
    return [
        {
            "phrase": one.word.partition(":")[2],
            "spam": one.spam,
            "ham": one.ham,
            "log_ratio": one.log_ratio,
        }
        for one in page.words
    ]


PHRASE = CliCommand(_add_options, _run)
