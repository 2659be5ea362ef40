"""The command `nbmail score`: show the chance of spam of messages, and the reasons."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nbmail.chunks import batches, drain
from nbmail.cli.main import CliCommand, add_scoring, number, open_store, say
from nbmail.cli.sources import SampledMessage, all_sources, start_tokenizing
from nbmail.errors import ErrorCode, KnownError
from nbmail.text.terminal_text import printable

if TYPE_CHECKING:
    from nbmail.core.explaining.explanation import Contribution, Reasons
    from nbmail.core.scoring.model import Model
    from nbmail.store.store import Store

# Messages scored at once: few enough for the intermediate results to fit into the processor's
# cache.
CHUNK = 250
# Fields of a word in JSON, and their attributes. `contribution` is the former name of `adds`.
_WORD_FIELDS = {
    name: name
    for name in (
        "word",
        "place",
        "spam",
        "ham",
        "log_ratio",
        "occurrences",
        "correction",
        "contribution",
    )
} | {"adds": "contribution"}
_COUNTS = {"spam": "spam", "ham": "ham"}
_OTHER_FIELDS = ("prior", "prior_from", "prior_share", "weaker_count", "weaker", "calibration")
_PRIORS = {
    "labels": "starting point: {share:.1%} of the learned messages",
    "mail": "starting point: about {share:.1%} of the mail is spam",
    "even odds": "starting point: even odds",
}


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Prints one line (or JSON object) per message: verdict, probability of spam (- while "
        "only one class is known), "
        "log-odds, path. With classes of your own, the likeliest class and its probability "
        "precede the path."
    )
    parser.add_argument(
        "paths",
        nargs="+",
        type=Path,
        metavar="PATH",
        help="a message, mail file, Maildir or folder",
    )
    parser.add_argument(
        "--why",
        type=number(int, "must be 0 or more", 0),
        default=0,
        metavar="N",
        help="show the N strongest reasons",
    )
    add_scoring(parser)


def _run(arguments: argparse.Namespace) -> int:
    sources = all_sources(arguments.paths)
    with (
        start_tokenizing(sources, whole=False, trusted=arguments.trusted_servers) as tokenizer,
        open_store(arguments.home, read_only=True, options=arguments) as store,
    ):
        model = store.model.model
        if len(model.counts.classes) == 0:
            raise KnownError(ErrorCode.NOT_ENOUGH_YET, "no labelled messages in this data folder")
        model.base_rate = _share_of_spam(store)
        # New words count for the length of a message, as they do in the window. They are not
        # stored.
        messages = tokenizer.messages(model.vocabulary)
        for chunk in batches(messages, CHUNK):
            lines = _scored(model, chunk, arguments.why)
            say("\n".join(json.dumps(line) if arguments.json else _text(line) for line in lines))
    return 0


def _share_of_spam(store: Store) -> float:
    """Return the share of spam in the whole mailbox, as the window does; 0.5 if all stored messages
    are labelled.
    """
    if len(store.messages) == len(store.labels):
        return 0.5
    from nbmail.worker.engine.opening import load_word_ids
    from nbmail.worker.scores.scores import Scoring

    drain(load_word_ids(store))
    scoring = Scoring(store, store.model.model.costs)
    scoring.invalidate()
    drain(scoring.update())
    return scoring.model.base_rate


def _scored(model: Model, messages: Sequence[SampledMessage], why: int) -> Iterator[dict[str, Any]]:
    """Yield the JSON object of each message.

    `score` is the one for ranking, `log_odds` are those of `probability`, and `posterior` is the
    probability before calibration.
    """
    import numpy as np

    from nbmail.core.scoring.log_odds import sigmoid
    from nbmail.values import VERDICTS

    samples = [message.sample for message in messages]
    scores = model.log_odds(model.rows(samples))
    verdicts = model.verdicts(scores)
    own_classes = None
    learned = {
        name: row for row, name in enumerate(model.counts.classes) if model.counts.messages[row]
    }
    if not learned.keys() <= _COUNTS.keys():
        own_classes = np.exp(model.class_log_chances(samples))
        verdicts = model.verdicts(scores, own_classes)
    lists = (
        column.tolist()
        for column in (scores, model.calibrate(scores), model.probabilities(scores), verdicts)
    )
    for place, (message, score, log_odds, probability, verdict) in enumerate(
        zip(messages, *lists, strict=True)
    ):
        line = {
            "path": message.name,
            "verdict": VERDICTS[verdict],
            "probability": None if math.isnan(probability) else probability,
            "log_odds": log_odds,
            "score": score,
            "posterior": None if math.isnan(probability) else sigmoid(score),
        }
        ranked = list[str]()
        if own_classes is not None:
            chances = {name: float(own_classes[place, row]) for name, row in learned.items()}
            ranked = sorted(chances, key=lambda name: (-chances[name], name))
            line |= {"class": ranked[0], "classes": {name: chances[name] for name in ranked}}
        yield line | (_reasons(model, message, ranked, why) if why else {})


def _reasons(model: Model, message: SampledMessage, ranked: list[str], most: int) -> dict[str, Any]:
    """Return the log-odds as a sum: prior, words, all weaker words and calibration.

    `between`: 95 % interval of the probability. `class_scores`: log p(x, class), null if the method
    has none. With classes of the user's own, `ranked`, `class_why` decomposes the log-odds of the
    likeliest one against the second.
    """
    from nbmail.core.explaining.explaining import explain, explain_class

    found = explain(model, message.sample, most, most)
    both = found.class_scores and dict(zip(_COUNTS, found.class_scores, strict=True))
    reasons = _sum(found) | {"between": found.between, "method": found.method, "class_scores": both}
    if len(ranked) < 2:
        return reasons
    wanted, other = ranked[:2]
    own = explain_class(model, message.sample, wanted, other, most)
    against = {"against": other, "log_odds": own.log_odds}
    return reasons | {"class_why": against | _sum(own, {"spam": "in_class", "ham": "in_other"})}


def _sum(found: Reasons, renamed: dict[str, str] | None = None) -> dict[str, Any]:
    """Return the terms of the log-odds. `absent` are the words of the term "absent:words", if there
    are any.

    `spam` and `ham`, renamed if requested, count the messages that contain a word.
    """
    names = {(renamed or {}).get(shown, shown): name for shown, name in _WORD_FIELDS.items()}

    def term(one: Contribution) -> dict[str, Any]:
        pair = {"pair": one.pair} if one.pair else {}
        parent = {"parent": one.parent} if one.parent else {}
        measure = one.measure._asdict() if one.measure else {}
        return (
            {shown: getattr(one, name) for shown, name in names.items()} | pair | parent | measure
        )

    why, absent = (list(map(term, each)) for each in (found.contributions, found.absent.words))
    terms = {"why": why, **{name: getattr(found, name) for name in _OTHER_FIELDS}}
    if absent:
        more = {"weaker_count": found.absent.weaker_count, "weaker": found.absent.weaker}
        terms["absent"] = {"count": found.absent.total, "words": absent} | more
    return terms


def _text(line: dict[str, Any]) -> str:
    probability = "-" if line["probability"] is None else f"{line['probability']:.4f}"
    own = (
        f"  {printable(line['class'])} {line['classes'][line['class']]:.4f}"
        if "class" in line
        else ""
    )
    first = (
        f"{line['verdict']:7}{probability:>7}{line['log_odds']:9.2f}{own}  "
        f"{printable(line['path'])}"
    )
    reasons = [first, *_reason_lines(line)]
    if "why" in line and line["posterior"] is not None:
        posterior = (
            f"{min(max(line['posterior'], 1e-6), 1 - 1e-6):.4%} (log-odds {line['score']:+.2f})"
        )
        reasons.append(f"{'':12}before calibration, {line['method']} says {posterior}")
    if "class_why" in line:
        against = line["class_why"]["against"]
        reasons += [f"{'':12}{line['class']} rather than {against}:"]
        reasons += _reason_lines(
            line["class_why"], {"in_class": line["class"], "in_other": against}
        )
    return "\n".join(reasons)


def _reason_lines(line: dict[str, Any], counted: dict[str, str] = _COUNTS) -> Iterator[str]:
    for one in line.get("why", ()):
        counts = ""
        if one["occurrences"]:
            counts = ", ".join(f"{name} {one[key]}" for key, name in counted.items())
            counts = f"({counts}, log-ratio {one['log_ratio']:+.2f})"
        elif "value" in one:
            bells = (
                f"{name} {one[f'{name}_mean']:.1f} ± {one[f'{name}_deviation']:.1f}"
                for name in _COUNTS
            )
            counts = f"({one['value']}; {', '.join(bells)})"
        yield f"{one['adds']:+23.2f}  {printable(one['word'])}  {printable(counts)}".rstrip()
    if line.get("weaker_count"):
        yield f"{line['weaker']:+23.2f}  {line['weaker_count']} weaker words"
    if "prior" in line:
        yield (
            f"{line['prior']:+23.2f}  "
            f"{_PRIORS[line['prior_from']].format(share=line['prior_share'])}"
        )
    if line.get("calibration"):
        yield f"{line['calibration']:+23.2f}  calibration"


SCORE = CliCommand(_add_options, _run)
