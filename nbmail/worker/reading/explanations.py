"""Reasons for the scores of stored messages."""

from dataclasses import replace

from nbmail.core.explaining.explaining import explain
from nbmail.core.explaining.explanation import Explanation
from nbmail.core.mail.parser import parse
from nbmail.core.senders.people import KNOWN, Acquaintance
from nbmail.core.words.tokenizer import collect
from nbmail.core.words.word_places import BODY
from nbmail.core.words.word_table import PlainTable
from nbmail.store.store import Store
from nbmail.worker.reading.typicality import typicality_of
from nbmail.worker.scores.scores import Scoring

ATTACHED = "attached"
"""Place, in an explanation, of words that only an attached page contains."""


class Explanations:
    """Explains scores by the current model."""

    def __init__(self, store: Store, scoring: Scoring) -> None:
        self._store = store
        self._scoring = scoring

    def explain(self, message: int, strongest: int = 12) -> Explanation:
        """Explain the score of a message by its `strongest` words and the sum of all others."""
        store = self._store
        model = self._scoring.model
        why = explain(model, store.samples.one(message), strongest)
        why = replace(
            why,
            typicality=typicality_of(store, model, message),
            chance_at_arrival=store.messages.chance_at_arrival(message),
        )
        known = store.people.stored([message]).get(message)
        if known is not None:
            why = _with_acquaintance(why, known)

        heading = store.messages.headings([message])[message]
        raw = store.cached_mail(message) if heading.attachments else None
        return _with_attached_words(why, raw) if raw else why


def _with_acquaintance(why: Explanation, known: Acquaintance) -> Explanation:
    """Add to the fact about the sender how often the user wrote to them."""
    contributions = [
        each._replace(written=known.written) if each.word.startswith(KNOWN) else each
        for each in why.contributions
    ]
    return replace(why, contributions=tuple(contributions))


def _with_attached_words(why: Explanation, raw: bytes) -> Explanation:
    """Set the place of words that only attached pages contain to `ATTACHED`."""
    mail = parse(raw)
    if not any(part.attached for part in mail.texts):
        return why
    own_texts = tuple(part for part in mail.texts if not part.attached)
    table = PlainTable()
    collect(mail._replace(texts=own_texts), table)
    own = set(table.words_from(0))

    contributions = [
        each._replace(place=ATTACHED) if each.place == BODY and each.word not in own else each
        for each in why.contributions
    ]
    return replace(why, contributions=tuple(contributions))
