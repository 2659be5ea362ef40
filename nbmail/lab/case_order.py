"""Orders of labelled messages in which every part has the same share of each class."""

from collections.abc import Iterable, Sequence

import numpy as np

from nbmail.core.evaluation.trials import Case


def stratified(cases: Sequence[Case], seed: int) -> list[Case]:
    """Return the messages in random order, with equal shares of each class in every part."""
    random = np.random.default_rng(seed)
    classes: dict[str, list[Case]] = {}
    for case in cases:
        classes.setdefault(case.label, []).append(case)
    shuffled = []
    for own in classes.values():
        order = random.permutation(len(own)).tolist()
        shuffled.append([own[place] for place in order])
    return interleaved(shuffled)


def interleaved(classes: Iterable[Sequence[Case]]) -> list[Case]:
    """Merge the messages of classes in their order, with equal shares of each in every part."""
    ranked: list[tuple[float, Case]] = []
    for own in classes:
        ranked += [((place + 0.5) / len(own), case) for place, case in enumerate(own)]
    ranked.sort(key=lambda one: one[0])
    return [case for _, case in ranked]
