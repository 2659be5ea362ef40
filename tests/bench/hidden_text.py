"""Spam of SpamAssassin with 1,000 good words in the title and in hidden text: how much is still
classified as spam.

Needs NBMAIL_CORPORA. The first two thirds of the messages by date are learned. Tested are the HTML
pages among the spam of the last third, unchanged and with the words added in two ways.
"""

from itertools import islice

import numpy as np

from nbmail.cli.messages.index_files import indexed_messages
from nbmail.core.counting.sampling import sample_of
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.evaluation.trials import Case, Trial, learn_all
from nbmail.core.mail.parser import parse
from nbmail.core.scoring.model import Model
from nbmail.values import HAM, SPAM
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
    spam = [
        raw
        for entry, raw in zip(entries[learned:], raws[learned:], strict=True)
        if entry.label == SPAM and b"<html" in raw.lower() and b"base64" not in raw.lower()
    ]
    ham = best_words(model, words)
    pages = {"first": " ".join(ham[: WORDS // 2]), "last": " ".join(ham[WORDS // 2 :])}
    report = {"pages": len(spam), "alone": caught(model, words, spam)}
    for name, place in PLACES.items():
        text = place.format(**pages).encode()
        report[name] = caught(model, words, [with_text(raw, text) for raw in spam])
    show(options, report, "pages: {pages} · alone: {alone} · hidden: {hidden} · shown: {shown}")
    return 0


def with_text(raw, text):
    """Return the message with text behind its first `<html>` tag."""
    place = raw.index(b">", raw.lower().index(b"<html")) + 1
    return raw[:place] + text + raw[place:]


def best_words(model, words):
    """Return the plain words that are frequent in good mail and rare in spam."""
    counts = model.counts.documents
    row = {name: counts[place] for place, name in enumerate(model.counts.classes)}
    order = np.argsort(row[SPAM] * 20 - row[HAM].astype(np.int64))
    plain = (word for number in order.tolist() if (word := words.word(number)).isalpha())
    return list(islice(plain, WORDS))


def caught(model, words, raws):
    cases = [Case(SPAM, sample_of(parse(raw), words)) for raw in raws]
    return sum(each.verdict == SPAM for each in Trial(spam_or_ham=True).judge(model, cases))
