"""The command `nbmail score`: how likely each message is junk, and why."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nbmail.chunks import drain
from nbmail.cli.command import CliCommand, say
from nbmail.cli.home import add_cost, open_store
from nbmail.cli.reading import SampledMessage, start_reading
from nbmail.cli.sources import all_sources
from nbmail.errors import ErrorCode, KnownError
from nbmail.printable import printable

if TYPE_CHECKING:
    from nbmail.core.scoring.explanation import Reasons
    from nbmail.core.scoring.model import Model
    from nbmail.store.store import Store

# Messages scored in one pass: few enough for what is worked out on the way to stay in the processor's cache.
AT_ONCE = 250
# What is told of the reasons of a score.
_OF_A_WORD = ("word", "place", "junk", "good", "contribution")
_COUNTED = {"junk": "junk", "good": "good"}
_BESIDE_WORDS = ("prior", "weaker_count", "weaker", "calibration")


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "A line a message, or a JSON object: verdict, probability of junk (- while only one kind is learned), "
        "log-odds, path; where classes of your own are learned too, the likeliest with its probability before the "
        "path. Nothing is changed."
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="a message, mail file, Maildir or folder")
    parser.add_argument("--why", type=_count, default=0, metavar="N", help="name the N words that decided most")
    add_cost(parser)


def _run(arguments: argparse.Namespace) -> int:
    sources = all_sources(arguments.paths)
    with start_reading(sources, whole=False) as reading, open_store(arguments.home, arguments.cost) as store:
        model = store.model.model
        if len(model.counts.classes) == 0:
            raise KnownError(ErrorCode.NOT_ENOUGH_YET, "this home has learned nothing")
        model.share = _share_of_junk(store)
        # Words never met count for a message's length, as they do in the window. They are not kept.
        messages = reading.messages(model.vocabulary)
        while some := list(islice(messages, AT_ONCE)):
            lines = _scored(model, some, arguments.why)
            say("\n".join(json.dumps(line) if arguments.json else _in_words(line) for line in lines))
    return 0


def _share_of_junk(store: Store) -> float:
    """As the window takes it; a half in a home that knows no mail but what it was taught, which tells nothing of it."""
    from nbmail.worker.engine.opening import load_word_ids
    from nbmail.worker.scores.scores import MailboxScores, junk_share

    if len(store.messages) == len(store.labels):
        return 0.5
    drain(load_word_ids(store))
    scores = MailboxScores(store.word_ids)
    scores.grow()
    scores.mark_old()
    drain(scores.update(lambda: store.model.model))
    return junk_share(store, store.model.model, scores)


def _count(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError("how many words? 0 or more")
    return number


def _scored(model: Model, messages: Sequence[SampledMessage], why: int) -> Iterator[dict[str, Any]]:
    """What is said of each message. `score` is what ranking goes by, `log_odds` are those of the probability."""
    import numpy as np

    from nbmail.core.scoring.verdict import VERDICTS

    samples = [message.sample for message in messages]
    scores = model.log_odds(model.rows(samples))
    verdicts, own_classes = model.verdicts(scores), None
    if _has_own_classes(model):
        own_classes = np.exp(model.class_log_chances(samples))
        verdicts = model.verdicts_among(scores, own_classes)
    lists = (column.tolist() for column in (scores, model.honest(scores), model.probabilities(scores), verdicts))
    for place, (message, score, log_odds, probability, verdict) in enumerate(zip(messages, *lists, strict=True)):
        line = {
            "path": message.name,
            "verdict": VERDICTS[verdict],
            "probability": None if math.isnan(probability) else probability,
            "log_odds": log_odds,
            "score": score,
        }
        ranked = None if own_classes is None else _ranked(model, own_classes[place].tolist())
        yield line | (ranked or {}) | (_reasons(model, message, ranked, why) if why else {})


def _has_own_classes(model: Model) -> bool:
    return not {label for label, messages in _classes(model) if messages} <= {"junk", "good"}


def _classes(model: Model) -> Iterator[tuple[str, int]]:
    return zip(model.counts.classes, model.counts.messages, strict=True)


def _ranked(model: Model, probabilities: list[float]) -> dict[str, Any]:
    met = (
        (chance, label) for chance, (label, messages) in zip(probabilities, _classes(model), strict=True) if messages
    )
    found = sorted(met, key=lambda one: (-one[0], one[1]))
    return {"class": found[0][1], "classes": {name: probability for probability, name in found}}


def _reasons(model: Model, message: SampledMessage, ranked: dict[str, Any] | None, most: int) -> dict[str, Any]:
    """The log-odds taken apart: prior, words, weaker words together and calibration add up to them. `between` are the
    probabilities between which the true one lies with 95 % confidence.

    Where there are classes of one's own, also what speaks for the likeliest and against the next: `class_why` adds up
    to the log-odds of their probabilities.
    """
    told = model.explain(message.sample, most)
    reasons = {"why": _words(told), **{name: getattr(told, name) for name in (*_BESIDE_WORDS, "between")}}
    if ranked is None or len(ranked["classes"]) < 2:
        return reasons
    wanted, other = list(ranked["classes"])[:2]
    own = model.explain_class(message.sample, wanted, other, most)
    beside = {name: getattr(own, name) for name in _BESIDE_WORDS}
    words = _words(own, {"junk": "in_class", "good": "in_other"})
    return reasons | {"class_why": {"against": other, "why": words, **beside, "log_odds": own.log_odds}}


def _words(told: Reasons, renamed: dict[str, str] | None = None) -> list[dict[str, Any]]:
    """The strongest words; `junk` and `good`, or as they are renamed, count the messages with the word."""
    names = {name: (renamed or {}).get(name, name) for name in _OF_A_WORD}
    return [{shown: getattr(one, name) for name, shown in names.items()} for one in told.contributions]


def _in_words(line: dict[str, Any]) -> str:
    probability = "-" if line["probability"] is None else f"{line['probability']:.4f}"
    own = f"  {printable(line['class'])} {line['classes'][line['class']]:.4f}" if "class" in line else ""
    first = f"{line['verdict']:7}{probability:>7}{line['log_odds']:9.2f}{own}  {printable(line['path'])}"
    reasons = [first, *_reason_lines(line)]
    if "class_why" in line:
        reasons += [f"{'':12}{line['class']} rather than {line['class_why']['against']}:"]
        reasons += _reason_lines(
            line["class_why"], {"in_class": line["class"], "in_other": line["class_why"]["against"]}
        )
    return "\n".join(reasons)


def _reason_lines(line: dict[str, Any], counted: dict[str, str] = _COUNTED) -> Iterator[str]:
    for one in line.get("why", ()):
        counts = f"({', '.join(f'{name} {one[key]}' for key, name in counted.items())})"
        yield f"{one['contribution']:+23.2f}  {printable(one['word'])}  {printable(counts)}"
    if line.get("weaker_count"):
        yield f"{line['weaker']:+23.2f}  and {line['weaker_count']} weaker"
    if line.get("prior"):
        yield f"{line['prior']:+23.2f}  how much mail of each kind there is"
    if line.get("calibration"):
        yield f"{line['calibration']:+23.2f}  corrected by experience"


SCORE = CliCommand(_add_options, _run)
