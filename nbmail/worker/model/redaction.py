"""Redacted models for sharing: without rare words, and without words that name people, employers or
numbers.
"""

import re
from collections.abc import Sequence
from dataclasses import replace as changed
from typing import NamedTuple

import numpy as np

from nbmail.chunks import batches
from nbmail.core.counting.sample import IntArray, LongArray
from nbmail.core.evaluation.metrics import false_negative_rate_at
from nbmail.core.reading.people import KNOWN, THREAD
from nbmail.core.reading.tokenizer import TOKENIZER_VERSION
from nbmail.core.reading.words import mailboxes_in
from nbmail.core.scoring.model import Model
from nbmail.exchange.conversion import content_of, tables_of
from nbmail.exchange.tables import ModelTables
from nbmail.store.labels.labels import Labelled, in_pieces
from nbmail.store.store import Store
from nbmail.text.web_addresses import domain_of
from nbmail.values import HAM, SPAM
from nbmail.worker.engine.job_queue import JobSteps, Pause

# Labelled messages read in one time slice: about 5 ms.
_CHUNK = 64

# Places whose words are addresses, names, servers and memberships.
_PRIVATE_PLACES = frozenset(
    (
        "from",
        "to",
        "reply",
        "return",
        "sender",
        "received",
        "origin",
        "id",
        "signed",
        "list-id",
        "path",
    )
)
_PEOPLE = ("from:", "to:", "reply:", "return:", "sender:")
_NUMBER_OR_ADDRESS = re.compile(r"[@\d]")
_PARTS = re.compile(r"[^\W\d_]+")
_TO_DOMAIN = "to:@"
_HOST = re.compile(r"[\w-]+(?:\.[\w-]+)+")
# A domain to which one in this many messages is addressed is one of the user's own.
_OWN = 10
# Names of own domains with this many letters are left out within other words, too.
_DISTINCT = 4
# Domains of mail providers. They don't name an employer, and their names are common words.
_PROVIDERS = frozenset(
    (
        "126.com", "163.com", "aol.com", "att.net", "btinternet.com", "comcast.net", "fastmail.com", "free.fr",
        "freenet.de", "gmail.com", "gmx.at", "gmx.ch", "gmx.com", "gmx.de", "gmx.net", "googlemail.com",
        "hotmail.co.uk",
        "hotmail.com", "hotmail.de", "hotmail.fr", "icloud.com", "laposte.net", "libero.it", "live.com", "live.de",
        "mac.com", "mail.com", "mail.ru", "mailbox.org", "me.com", "msn.com", "online.de", "online.no", "orange.fr",
        "outlook.com", "outlook.de", "posteo.de", "proton.me", "protonmail.com", "qq.com", "sbcglobal.net", "sky.com",
        "t-online.de", "verizon.net", "wanadoo.fr", "web.de", "yahoo.co.uk", "yahoo.com", "yahoo.de", "yahoo.fr",
        "yandex.ru", "zoho.com",
    )
)  # fmt: skip
# Names that Thunderbird gives to the classes of its add-ons.
_TRAIT = re.compile(r"trait \d+")
# The cost of redaction is measured on the latest fifth of the labels, if each class has enough of
# them.
_MEASURED = 5
_ENOUGH = 20
# Share of good mail that may be lost where the share of recognized spam is measured.
_LOST = 0.005

Recognized = tuple[float, float]
"""Share of recognized spam before and after redaction."""


class _Domains(NamedTuple):
    """Domains of the user's own addresses, and these together with the domains of recipients."""

    own: frozenset[str]
    written_to: frozenset[str]


def redact_model(
    store: Store, whole: ModelTables, fewest: int
) -> JobSteps[tuple[ModelTables, Recognized | None]]:
    """Leave out words of fewer than `fewest` messages or senders, and words that name people or
    employers.

    The senders of imported counts are unknown: words that no labelled message here contains are
    left out.
    """
    domains = yield from _find_domains(store, whole)
    labelled = list[Labelled]()
    total = len(store.labels)
    for chunk in in_pieces(store.labels, _CHUNK):
        labelled += chunk
        yield Pause(len(labelled), max(total, len(labelled)))
    senders = yield from _count_senders(store, labelled)
    numbers = np.array(store.model.model.vocabulary.numbers_of(whole.words), np.int64)
    enough = (whole.documents.sum(axis=0) >= fewest) & (senders[numbers] >= fewest)
    kept = whole.only(enough & ~np.array(_personal(whole, domains), np.bool_))
    # Names of classes that the user chose become numbers.
    classes = tuple(
        name if name in (SPAM, HAM) or _TRAIT.fullmatch(name) else f"class-{number}"
        for number, name in enumerate(kept.classes, 1)
    )
    # Held-out scores of a model with all words don't apply to a model without some of them.
    kept = changed(kept.without_scores(), classes=classes)
    return kept, (yield from _measure_redaction(store, labelled, set(kept.words)))


def _count_senders(store: Store, labelled: Sequence[Labelled]) -> JobSteps[LongArray]:
    """Count the senders of labelled messages that used each word of the vocabulary."""
    by_sender: dict[str, list[IntArray]] = {}
    for some in batches(labelled, _CHUNK):
        chunk = {one.message: one.sample.words for one in some}
        for message, heading in store.messages.headings(chunk).items():
            sender = next(iter(mailboxes_in(heading.sender)), heading.sender)
            by_sender.setdefault(sender, []).append(chunk[message])
        yield Pause()
    counts = np.zeros(len(store.words.vocabulary), np.int64)
    for number, words in enumerate(by_sender.values()):
        counts[np.unique(np.concatenate(words))] += 1
        if number % _CHUNK == 0:
            yield Pause()
    return counts


def _measure_redaction(
    store: Store, labelled: Sequence[Labelled], words: set[str]
) -> JobSteps[Recognized | None]:
    """Train on the older labels and measure the recognized spam of the latest, with all words and
    with `words` only.
    """
    border = len(labelled) - len(labelled) // _MEASURED
    latest = [one for one in labelled[border:] if one.label in (SPAM, HAM)]
    is_spam = np.array([one.label == SPAM for one in latest], np.bool_)
    if min(np.count_nonzero(is_spam), np.count_nonzero(~is_spam)) < _ENOUGH:
        return None
    model = store.model.without_labels()
    for first in range(0, border, _CHUNK):
        chunk = labelled[first : min(first + _CHUNK, border)]
        model.learn_many([one.sample for one in chunk], [one.label for one in chunk])
        yield Pause(first, len(labelled))
    whole = tables_of(model, TOKENIZER_VERSION)
    cut = whole.only(np.array([word in words for word in whole.words], np.bool_))
    other = model_of(cut, model)
    yield Pause()
    scores = (each.log_odds(each.rows([one.sample for one in latest])) for each in (model, other))
    missed = (false_negative_rate_at(each, is_spam, _LOST) for each in scores)
    before, after = (1 - share for share in missed)
    return before, after


def model_of(tables: ModelTables, like: Model) -> Model:
    model = like.fresh()
    model.restore(content_of(tables, model.vocabulary))
    return model


def _personal(tables: ModelTables, domains: _Domains) -> list[bool]:
    """Flag each word that is an address, a number, a trace of transport, or names a person or an
    employer.
    """
    names = _names(tables) | {
        part for domain in domains.written_to - _PROVIDERS for part in _labels(domain)
    }
    own = [
        label
        for domain in domains.own - _PROVIDERS
        for label in _labels(domain)
        if len(label) >= _DISTINCT
    ]
    employers = re.compile("|".join(map(re.escape, own)) or "(?!)")
    return [_is_personal(word, names, domains.written_to, employers) for word in tables.words]


def _is_personal(
    word: str, names: set[str], domains: frozenset[str], employers: re.Pattern[str]
) -> bool:
    place, colon, text = word.partition(":")
    if word.startswith((KNOWN, THREAD)):
        return True
    if not colon:
        place = ""
        text = word
    if place in _PRIVATE_PLACES or (
        place not in ("fact", "measure") and _NUMBER_OR_ADDRESS.search(text)
    ):
        return True
    text = text.lower()
    if any(domain_of(host) in domains for host in _HOST.findall(text)) or employers.search(text):
        return True
    return not names.isdisjoint(_PARTS.findall(text))


def _labels(domain: str) -> list[str]:
    """Return the name in a domain without hyphens, and its parts."""
    label = domain.partition(".")[0]
    return [part for part in {label.replace("-", ""), *_PARTS.findall(label)} if len(part) > 1]


def _find_domains(store: Store, tables: ModelTables) -> JobSteps[_Domains]:
    """Find the domains in recipients of mail that is not spam, and in sent mail.

    A domain is the user's own if a tenth of the messages of a class is addressed to it, or if it
    sent mail.
    """
    own = {domain_of(address.rpartition("@")[2]) for address in store.people.own_addresses()}
    written_to = {domain_of(address.rpartition("@")[2]) for address in store.people.recipients()}
    for place, word in enumerate(tables.words):
        if word.startswith(_TO_DOMAIN):
            domain = word.removeprefix(_TO_DOMAIN)
            counts = tables.documents[:, place].tolist()
            if any(
                count and name != SPAM for count, name in zip(counts, tables.classes, strict=True)
            ):
                written_to.add(domain)
            if any(
                _OWN * count >= total > 0
                for count, total in zip(counts, tables.messages, strict=True)
            ):
                own.add(domain)
    yield Pause()
    folders = store.folders.names("\\Sent")
    vocabulary = store.model.model.vocabulary
    sent = [message for folder in folders for message in store.folders.messages(folder)]
    for chunk in batches(sent, _CHUNK):
        for heading in store.messages.headings(chunk).values():
            own.update(
                domain_of(address.rpartition("@")[2]) for address in mailboxes_in(heading.sender)
            )
        for sample in store.messages.samples(chunk).values():
            words = map(vocabulary.word, sample.words.tolist())
            written_to.update(
                word.removeprefix(_TO_DOMAIN) for word in words if word.startswith(_TO_DOMAIN)
            )
        yield Pause()
    return _Domains(frozenset(own - {""}), frozenset((own | written_to) - {""}))


def _names(tables: ModelTables) -> set[str]:
    """Return the words in and next to the addresses of senders and recipients of mail that is not
    spam.
    """
    others = [row for row, name in enumerate(tables.classes) if name != SPAM]
    contained: Sequence[int] = np.flatnonzero(tables.documents[others].any(axis=0)).tolist()
    people = (tables.words[place] for place in contained if tables.words[place].startswith(_PEOPLE))
    parts = (
        part
        for word in people
        for part in _PARTS.findall(word.partition(":")[2].partition("@")[0].lower())
    )
    return {part for part in parts if len(part) > 1 or not part.isascii()}
