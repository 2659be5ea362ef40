"""Junk of SpamAssassin with 1,000 good words in the title and in hidden text: how much is still
classified as junk.

Needs NBMAIL_CORPORA. The first two thirds of the messages by date are learned. Tested are the HTML
pages among the junk of the last third, unchanged and with the words added in two ways.
"""

from itertools import islice

import numpy as np

from nbmail.cli.sources import indexed_messages
from nbmail.core.counting.sample import Vocabulary, sample_of
from nbmail.core.evaluation.trials import Case, Trial, learn_all
from nbmail.core.reading.mail import parse
from nbmail.core.scoring.model import Model
from nbmail.values import GOOD, JUNK
from tests.bench._frame import options_of, show
from tests.needs import need_corpus

WORDS = 1000
PLACES = {
    "hidden": "<head><title>{first}</title></head><div style='display:none'>{last}</div>",
    "shown": "<p>{first}</p><div>{last}</div>",
}


def run(arguments):
    options = options_of(arguments, __doc__)
    entries = indexed_messages(need_corpus("spamassassin") / "index")
    words = Vocabulary()
    raws = [entry.path.read_bytes() for entry in entries]
    cases = [
        Case(entry.label, sample_of(parse(raw), words))
        for entry, raw in zip(entries, raws, strict=True)
    ]
    learned = 2 * len(cases) // 3
    model = Model(words)
    learn_all(model, cases[:learned])
    junk = [
        raw
        for entry, raw in zip(entries[learned:], raws[learned:], strict=True)
        if entry.label == JUNK and b"<html" in raw.lower() and b"base64" not in raw.lower()
    ]
    good = best_words(model, words)
    pages = {"first": " ".join(good[: WORDS // 2]), "last": " ".join(good[WORDS // 2 :])}
    report = {"pages": len(junk), "alone": caught(model, words, junk)}
    for name, place in PLACES.items():
        text = place.format(**pages).encode()
        report[name] = caught(model, words, [with_text(raw, text) for raw in junk])
    show(options, report, "pages: {pages} · alone: {alone} · hidden: {hidden} · shown: {shown}")
    return 0


def with_text(raw, text):
    """Return the message with text behind its first `<html>` tag."""
    place = raw.index(b">", raw.lower().index(b"<html")) + 1
    return raw[:place] + text + raw[place:]


def best_words(model, words):
    """Return the plain words that are frequent in good mail and rare in junk."""
    counts = model.counts.documents
    row = {name: counts[place] for place, name in enumerate(model.counts.classes)}
    order = np.argsort(row[JUNK] * 20 - row[GOOD].astype(np.int64))
    plain = (word for number in order.tolist() if (word := words.word(number)).isalpha())
    return list(islice(plain, WORDS))


def caught(model, words, raws):
    cases = [Case(JUNK, sample_of(parse(raw), words)) for raw in raws]
    return sum(each.verdict == JUNK for each in Trial(junk_or_good=True).judge(model, cases))
