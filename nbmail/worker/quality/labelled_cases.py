"""Labelled messages that take part in comparisons of models."""

from nbmail.core.evaluation.trials import Case
from nbmail.errors import ErrorCode, KnownError
from nbmail.store.labels.labels import in_pieces
from nbmail.store.store import Store
from nbmail.values import HAM, SPAM
from nbmail.worker.engine.jobs import JobSteps, Pause
from nbmail.worker.model.laboratory import load_laboratory

# Labels read in one time slice.
_READ = 64
MOST = 2000
"""Labelled messages that take part, the newest of each class."""
FEWEST = 40
"""Labelled messages without which there is no comparison."""

DatedCase = tuple[float, Case]


def read_cases(store: Store, *, own_classes: bool = False) -> JobSteps[list[Case]]:
    """Return the newest labelled messages, oldest first. `own_classes`: not only spam and ham.

    Each class is sorted by its own dates, so that every part of the list has the same share of
    both. Otherwise the oldest part would be mostly good mail, because spam is deleted sooner.
    """
    classes = yield from _read_classes(store, own_classes)
    total = sum(map(len, classes.values()))
    if not _are_enough(classes, own_classes):
        raise KnownError(ErrorCode.NOT_ENOUGH_YET)

    newest = list[list[Case]]()
    for dated in classes.values():
        if dated:
            share = max(1, MOST * len(dated) // total)
            in_order = sorted(dated, key=lambda one: one[0])
            newest.append([case for _, case in in_order[-share:]])
    return load_laboratory().interleaved(newest)


def _read_classes(store: Store, own_classes: bool) -> JobSteps[dict[str, list[DatedCase]]]:
    classes: dict[str, list[DatedCase]] = {SPAM: [], HAM: []}
    for chunk in in_pieces(store.labels, _READ):
        headings = store.messages.headings(one.message for one in chunk)
        for one in chunk:
            if own_classes or one.label in classes:
                case = Case(one.label, one.sample)
                classes.setdefault(one.label, []).append((headings[one.message].date, case))
        yield Pause()
    return classes


def _are_enough(classes: dict[str, list[DatedCase]], own_classes: bool) -> bool:
    filled = [name for name, cases in classes.items() if cases]
    if sum(map(len, classes.values())) < FEWEST or len(filled) < 2:
        return False
    return own_classes or len(filled) == len(classes)
