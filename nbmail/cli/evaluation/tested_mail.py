"""Labelled messages of an index or of a data folder, to test methods on."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from nbmail.cli.messages.index_files import index_lines, indexed_messages
from nbmail.cli.messages.tokenizing import start_tokenizing
from nbmail.cli.opened_store import open_store
from nbmail.cli.scoring_options import chosen_costs, chosen_method
from nbmail.errors import ErrorCode, KnownError

if TYPE_CHECKING:
    from nbmail.core.counting.vocabulary import Vocabulary
    from nbmail.core.evaluation.trials import Case, Trial
    from nbmail.core.scoring.model import Model
    from nbmail.core.scoring.verdict import Costs
    from nbmail.store.store import Store

_READ = 1000


class TestedMail(NamedTuple):
    """Messages with their classes, in order. `spelled`: the unchanged labels of the index."""

    spelled: Sequence[str]
    classes: Sequence[str]
    vocabulary: Vocabulary
    cases: Iterator[Case]
    method: str
    costs: Costs

    def fresh(self, method: str = "") -> Model:
        """Return an empty model with the cost setting of the command line or of the data folder."""
        from nbmail.core.scoring.model import Model
        from nbmail.worker.model.laboratory import method_named

        model = Model(self.vocabulary, method_named(method or self.method))
        model.costs = self.costs
        return model

    @property
    def trial(self) -> Trial:
        """Trial of the classes, whose protocols judge by spam and ham if there are no others."""
        from nbmail.core.evaluation.trials import Trial, only_spam_and_ham

        return Trial(only_spam_and_ham(self.classes))


@contextmanager
def opened_mail(arguments: argparse.Namespace) -> Iterator[TestedMail]:
    """Read the labelled messages that the options name."""
    if arguments.home:
        by_date = arguments.protocol in ("split", "incremental")
        with open_store(arguments.home, read_only=True, options=arguments) as store:
            yield _mail_of_store(store, by_date=by_date)
        return
    sources = indexed_messages(arguments.index, bare=arguments.bare)
    classes = [source.label for source in sources]
    with start_tokenizing(sources, whole=False, trusted=arguments.trusted_servers) as tokenizer:
        # Not before the processes are forked: this imports numpy, which starts threads.
        from nbmail.core.counting.vocabulary import Vocabulary
        from nbmail.core.evaluation.trials import Case
        from nbmail.core.scoring.verdict import Costs

        vocabulary = Vocabulary()
        yield TestedMail(
            spelled=[label for label, _ in index_lines(arguments.index)],
            classes=classes,
            vocabulary=vocabulary,
            cases=(Case(one.source.label, one.sample) for one in tokenizer.messages(vocabulary)),
            method=chosen_method(arguments),
            costs=Costs(*chosen_costs(arguments, Costs().values)),
        )


def _mail_of_store(store: Store, *, by_date: bool) -> TestedMail:
    """Return all labelled messages in learning order.

    `by_date`: in the order of their dates, with the same share of each class in every part.
    Messages that were learned from folders are in random order, so that no class comes first.
    """
    from nbmail.core.evaluation.trials import Case
    from nbmail.lab.case_order import interleaved
    from nbmail.store.labels.labels import in_pieces

    labelled = [one for chunk in in_pieces(store.labels, _READ) for one in chunk]
    if not labelled:
        raise KnownError(ErrorCode.NOT_ENOUGH_YET, "no labelled messages in this data folder")
    cases = [Case(one.label, one.sample) for one in labelled]
    if by_date:
        headings = store.messages.headings(one.message for one in labelled)
        labelled.sort(key=lambda one: (headings[one.message].date, one.message))
        classes: dict[str, list[Case]] = {}
        for one in labelled:
            classes.setdefault(one.label, []).append(Case(one.label, one.sample))
        cases = interleaved(classes.values())
    labels = [case.label for case in cases]
    model = store.model.model
    return TestedMail(
        spelled=labels,
        classes=labels,
        vocabulary=model.vocabulary,
        cases=iter(cases),
        method=model.method,
        costs=model.costs,
    )
