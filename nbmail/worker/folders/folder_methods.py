"""Comparison of methods for suggesting folders."""

from collections.abc import Sequence

from nbmail.chunks import batches
from nbmail.core.counting.sample import Sample
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.evaluation.proportion import Proportion
from nbmail.core.evaluation.trials import Case, Trial
from nbmail.core.folders.folder_model import FolderModel
from nbmail.core.scoring.model import Model
from nbmail.errors import ErrorCode, KnownError
from nbmail.method_spec import METHODS
from nbmail.store.store import Store
from nbmail.worker.engine.jobs import JobSteps, Pause
from nbmail.worker.folders.account_folders import AccountFolders
from nbmail.worker.folders.folder_models import FolderModels
from nbmail.worker.model.laboratory import method_named

FEWEST = 40
"""Filed messages to learn from without which methods are not compared."""
MOST_COMPARED = 1000
# Messages read in one time slice.
_READ = 8
# Messages learned or scored in one time slice: the slower methods take 8 ms for them.
_COMPARED = 4


class FolderMethods:
    """Tests methods on the filed messages of an account."""

    def __init__(self, store: Store, models: FolderModels) -> None:
        self._store = store
        self._models = models

    def compare_folder_methods(self, name: str) -> JobSteps[dict[str, Proportion]]:
        """Test all methods on the newest filed messages of an account.

        The key "" has the result of the suggestions themselves.
        """
        account = self._models.account(name)
        if account is None or account.state is None:
            raise KnownError(ErrorCode.NOT_ENOUGH_YET)
        cases = yield from _newest_cases(account)
        return (yield from _compare(account.state.model, cases, self._store.words.vocabulary))


def _newest_cases(account: AccountFolders) -> JobSteps[list[Case]]:
    """Return the newest filed messages, by their first folders."""
    assert account.state is not None
    filed = list(account.state.filed.items())[-MOST_COMPARED:]
    cases = list[Case]()
    for chunk in batches(filed, _READ):
        folders = dict(chunk)
        for message, mail in account.mails(list(folders)).items():
            cases.append(Case(folders[message][0], mail.sample))
        yield Pause()
    return cases


def _compare(
    model: FolderModel, cases: Sequence[Case], words: Vocabulary
) -> JobSteps[dict[str, Proportion]]:
    """Train each method on the older messages and test it on the newest fifth."""
    last = len(cases) * 4 // 5
    if last < FEWEST:
        raise KnownError(ErrorCode.NOT_ENOUGH_YET)
    past = model.past[last - len(cases) :]
    found = {"": Proportion(sum(one.place == 0 for one in past), len(past))}

    total = len(METHODS) * len(cases)
    for place, name in enumerate(METHODS):
        done = place * len(cases)
        tried = Model(words, method_named(name))
        yield from _learn(tried, cases[:last], done, total)
        found[name] = yield from _test(tried, cases[last:], done + last, total)
    return found


def _learn(model: Model, cases: Sequence[Case], done: int, total: int) -> JobSteps[None]:
    for first in range(0, len(cases), _COMPARED):
        chunk = cases[first : first + _COMPARED]
        samples: list[Sample] = [one.sample for one in chunk]
        model.learn_many(samples, [one.label for one in chunk])
        yield Pause(done + first + len(chunk), total)


def _test(model: Model, cases: Sequence[Case], done: int, total: int) -> JobSteps[Proportion]:
    """Return how many messages the model assigns to their folder."""
    trial = Trial(spam_or_ham=False)
    right = 0
    for first in range(0, len(cases), _COMPARED):
        chunk = cases[first : first + _COMPARED]
        right += sum(bool(one.right) for one in trial.judge(model, list(chunk)))
        yield Pause(done + first + len(chunk), total)
    return Proportion(right, len(cases))
