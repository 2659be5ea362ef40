"""Suggested folders of the accounts, kept up to date; reports of how well folders are suggested,
and of their words.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np

from nbmail.chunks import batches
from nbmail.core.counting.sample import Sample
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.evaluation.proportion import Proportion
from nbmail.core.evaluation.trials import Case, ScoredCase, Trial
from nbmail.core.folders.folder_model import FolderModel
from nbmail.core.folders.suggestions import PastSuggestion
from nbmail.core.methods.balanced import SMOOTHING_OF_MANY
from nbmail.core.scoring.model import Model
from nbmail.core.words.places import place_of
from nbmail.errors import ErrorCode, KnownError
from nbmail.method_spec import METHODS
from nbmail.store.store import Store
from nbmail.values import INBOX, SPAM, VERDICTS, FolderName
from nbmail.worker.engine.jobs import AddJob, Emit, JobSteps, Pause, Priority
from nbmail.worker.folders.account_folders import AccountFolders
from nbmail.worker.model.laboratory import method_named
from nbmail.worker.protocol import folders
from nbmail.worker.protocol.events import Changed, Event, FolderRenamed
from nbmail.worker.protocol.folders import FolderChance
from nbmail.worker.scores.scores import Scoring

# Messages of an inbox that get a suggestion in the list, the newest.
MOST_LISTED = 2000
# Messages scored in one time slice: about 5 ms.
_CHUNK = 8
# Changed messages whose folders are read in one time slice.
_FOLLOWED = 200

OnSuggested = Callable[[Collection[int], Mapping[int, FolderChance]], None]


class FolderSuggestions:
    """Models of all accounts that suggest folders. Accounts of local mailboxes don't.

    `suggested`: called with messages of the inboxes and the first suggestion of each that has one.
    """

    def __init__(
        self, store: Store, scoring: Scoring, emit: Emit, add_job: AddJob, suggested: OnSuggested
    ) -> None:
        self._store = store
        self._scoring = scoring
        self._emit = emit
        self._add_job = add_job
        self._suggested = suggested
        self._accounts: dict[str, AccountFolders] = {}
        self._changed = set[int]()
        self._is_open = self._is_following = self._is_rebuilding = False

    def choose_folders(self, account: str, chosen: Collection[str]) -> None:
        """Suggest these folders of an account, "*" for all of the user's own.

        Callers save the settings.
        """
        self._accounts.pop(account, None)
        if not chosen:
            self._store.folder_snapshots.delete(account)
            return
        self._accounts[account] = AccountFolders(self._store, account, tuple(chosen))
        if self._is_open:
            self._accounts[account].is_stale = True
            self.rebuild_stale()

    def _model(self, name: str) -> FolderModel | None:
        account = self._accounts.get(name)
        return account.model if account else None

    def past(self, name: str) -> Sequence[PastSuggestion] | None:
        model = self._model(name)
        return model.past if model else None

    def filed(self) -> set[int]:
        return {
            message
            for account in self._accounts.values()
            if account.state
            for message in account.state.filed
        }

    def opening(self) -> JobSteps[None]:
        self._is_open = True
        for account in list(self._accounts.values()):
            yield from account.opening()
        yield from self._announce(self._inbox())

    def forward(self, event: Event) -> None:
        """Emit an event, and learn from changes of the list."""
        self._emit(event)
        if isinstance(event, FolderRenamed) and event.account in self._accounts:
            self._accounts[event.account].is_stale = True
        if isinstance(event, Changed) and self._accounts:
            self._changed.update(
                event.gone, () if event.rows is None else event.rows.messages.tolist()
            )
            if self._changed and not self._is_following:
                self._is_following = True
                self._add_job(self._follow(), Priority.SCORES)

    def forget_samples(self) -> None:
        """Rebuild all models when the engine is idle, because the words of some messages
        changed.
        """
        for account in self._accounts.values():
            account.forget()

    def rebuild_stale(self, *, threads: bool = False) -> None:
        """Rebuild the models that need it. Called when the engine is idle. `threads`: all, with
        other threads.
        """
        for account in self._accounts.values():
            account.look_for_newer()
            account.is_stale |= threads
        if not self._is_rebuilding and any(account.is_stale for account in self._accounts.values()):
            self._is_rebuilding = True
            self._add_job(self._rebuild(), Priority.IDLE)

    def writing(self) -> JobSteps[None]:
        for account in self._accounts.values():
            yield from account.writing()

    def suggest_folders(self, message: int) -> tuple[FolderChance, ...]:
        """Return the folders to suggest for a message, likeliest first.

        None of them is too improbable to show; there may be none.
        """
        return next((found for _, found in self.suggestions([message])), ())

    def explain_folder(
        self, message: int, folder: FolderName, strongest: int = 12
    ) -> folders.FolderReasons:
        """Explain why a suggested folder of a message is likelier than the next likeliest one."""
        model = self._model(folder.account)
        mail = self._accounts[folder.account].mails([message]).get(message) if model else None
        suggestion = model.suggest([mail])[0] if model and mail else None
        if not (model and mail and suggestion and folder.folder in suggestion.folders):
            raise KnownError(ErrorCode.NOT_ENOUGH_YET, "the folder is not suggested")
        first = suggestion.folders.index(folder.folder)
        chances = [
            FolderChance(FolderName(folder.account, name), chance)
            for name, chance in zip(suggestion.folders, suggestion.probabilities, strict=True)
        ]
        one = chances[first]
        other = chances[(first + 1) % len(chances)]
        why = model.explain(mail, one.folder.folder, other.folder.folder, strongest)
        return folders.FolderReasons(one, other, why)

    def preview_filing(self) -> JobSteps[folders.FilingPreview]:
        """List the messages of the inboxes whose likeliest folder is at least `NEARLY_SURE`."""
        found = dict[int, FolderChance]()
        inbox = self._inbox()
        least = folders.NEARLY_SURE
        for first in range(0, len(inbox), _CHUNK):
            suggested = self.suggestions(inbox[first : first + _CHUNK])
            found |= {
                message: chances[0]
                for message, chances in suggested
                if chances[0].probability >= least
            }
            yield Pause(first, len(inbox))
        heads = self._store.messages.headings(found)
        proposals = dict(
            sorted(found.items(), key=lambda one: (-one[1].probability, -heads[one[0]].date))
        )
        past = [
            one
            for name in self._accounts
            for one in self.past(name) or ()
            if one.probability >= least
        ]
        return folders.FilingPreview(
            proposals, Proportion(sum(one.place == 0 for one in past), len(past))
        )

    def report_folders(self) -> tuple[folders.FolderReport, ...]:
        """Report how well folders were suggested, for each account."""
        models = ((name, self._model(name)) for name in self._accounts)
        return tuple(report_of(name, model) for name, model in models if model)

    def list_folder_words(
        self, folder: FolderName, limit: int = 200
    ) -> tuple[folders.FolderWord, ...]:
        """List the words of a folder, those that separate it best first."""
        account = self._accounts.get(folder.account)
        return (
            words_of(account.state.model, folder.folder, limit) if account and account.state else ()
        )

    def compare_folder_methods(self, name: str) -> JobSteps[dict[str, Proportion]]:
        """Test all methods on the newest filed messages of an account.

        The key "" has the result of the suggestions themselves.
        """
        account = self._accounts.get(name)
        if account is None or account.state is None:
            raise KnownError(ErrorCode.NOT_ENOUGH_YET)
        filed = list(account.state.filed.items())[-MOST_COMPARED:]
        samples = list[tuple[str, Sample]]()
        for chunk in map(dict, batches(filed, _CHUNK)):
            samples += [
                (chunk[message][0], mail.sample)
                for message, mail in account.mails(list(chunk)).items()
            ]
            yield Pause()
        return (yield from comparing(account.state.model, samples, self._store.words.vocabulary))

    def _follow(self) -> JobSteps[None]:
        try:
            while self._changed:
                changed = sorted(self._changed)
                self._changed = set()
                learned = False
                for chunk in batches(changed, _FOLLOWED):
                    for account in list(self._accounts.values()):
                        learned = (yield from account.follow(chunk)) or learned
                    yield Pause()
                inbox = self._inbox()
                yield from self._announce(
                    inbox if learned else [each for each in inbox if each in set(changed)]
                )
        finally:
            self._is_following = False

    def _rebuild(self) -> JobSteps[None]:
        try:
            for account in list(self._accounts.values()):
                if account.is_stale:
                    yield from account.rebuild()
            yield from self._announce(self._inbox())
        finally:
            self._is_rebuilding = False

    def _inbox(self) -> list[int]:
        """Return the newest messages of the inboxes of all accounts with a model."""
        inboxes = [
            name for name in self._store.folders.names(INBOX) if name.account in self._accounts
        ]
        return [
            each for name in inboxes for each in self._store.folders.messages(name)[-MOST_LISTED:]
        ]

    def _announce(self, messages: Sequence[int]) -> JobSteps[None]:
        for chunk in batches(messages, _CHUNK):
            found = {message: chances[0] for message, chances in self.suggestions(chunk)}
            names = tuple(dict.fromkeys(chance.folder for chance in found.values()))
            self._suggested(chunk, found)
            places = np.array(
                [names.index(found[each].folder) if each in found else -1 for each in chunk],
                np.int32,
            )
            chances = np.array(
                [found[each].probability if each in found else 0.0 for each in chunk], np.float64
            )
            self._emit(folders.FoldersSuggested(np.array(chunk, np.int64), places, chances, names))
            yield Pause()

    def suggestions(
        self, messages: Sequence[int]
    ) -> Iterator[tuple[int, tuple[FolderChance, ...]]]:
        """Yield the messages to suggest folders for: mail that is in none of these folders, and is
        no spam.
        """
        scores = self._scoring.scores_of(list(messages))
        labels = self._store.labels.of(messages)
        verdicts = dict(zip(messages, scores.verdicts.tolist(), strict=True))
        wanted = [each for each in messages if labels.get(each, VERDICTS[verdicts[each]]) != SPAM]
        for account in self._accounts.values():
            model = account.model
            chosen = set(account.folders())
            if model is None:
                continue
            counts = dict(zip(model.counts.classes, model.counts.messages, strict=True))
            mails = account.mails(self._located(wanted, account.account, chosen))
            for message, suggestion in zip(mails, model.suggest(list(mails.values())), strict=True):
                pairs = (
                    zip(suggestion.folders, suggestion.probabilities, strict=True)
                    if suggestion
                    else ()
                )
                chances = tuple(
                    FolderChance(FolderName(account.account, folder), probability)
                    for folder, probability in pairs
                    if counts[folder] >= folders.ENOUGH_MESSAGES
                    and probability >= folders.LEAST_SHOWN
                )
                if sum(each.probability for each in chances) >= folders.ENOUGH_TOGETHER:
                    yield message, chances

    def _located(self, messages: Sequence[int], account: str, chosen: Collection[str]) -> list[int]:
        """Return the messages that are in the inbox, or in a folder that is not suggested, and are
        not being moved.
        """
        filed = {each.message for each in self._store.filed.shown(messages).values()}
        places: dict[int, None] = {}
        for each in self._store.folders.locations(messages):
            if each.account == account and each.folder in chosen:
                filed.add(each.message)
            elif each.account == account and each.special in ("", INBOX):
                places[each.message] = None
        return [message for message in places if message not in filed]


# Points of the curve, as ends of intervals.
FEWEST = 40
"""Filed messages to learn from without which methods are not compared."""
MOST_COMPARED = 1000
# Messages learned or scored in one time slice of a comparison: the slower methods take 8 ms for
# them.
_COMPARED = 4
CURVE = (50, 100, 200, 300, 500, 700, 1000, 1500, 2000, 3000, 5000, 10_000, 20_000, 50_000)


def report_of(account: str, model: FolderModel) -> folders.FolderReport:
    counts = model.counts
    past = model.past
    messages = {
        name: found for name, found in zip(counts.classes, counts.messages, strict=True) if found
    }
    names = sorted(messages)
    pairs = Counter((one.filed, one.first) for one in past)
    known = [one for one in past if one.filed in messages and one.first in messages]
    figures = (
        folders.FolderFigures(
            name, messages[name], *_rates([one for one in known if one.filed == name])
        )
        for name in names
    )
    ends = (0, *(end for end in CURVE if end < len(past)), len(past))
    curve = (
        folders.FolderCurvePoint(end, *_rates(past[first:end]))
        for first, end in pairwise(ends)
        if end > first
    )
    table = tuple(tuple(pairs[filed, first] for first in names) for filed in names)
    return folders.FolderReport(account, tuple(figures), table, tuple(curve), *_rates(past))


def _rates(past: Sequence[PastSuggestion]) -> tuple[Proportion, Proportion]:
    places = [one.place for one in past]
    return Proportion(places.count(0), len(places)), Proportion(
        sum(place >= 0 for place in places), len(places)
    )


def words_of(model: FolderModel, folder: str, limit: int) -> tuple[folders.FolderWord, ...]:
    """Return the words that contribute most to a folder altogether, and those that contribute most
    against it.
    """
    row = model.counts.row(folder)
    counts = model.counts
    if row is None or not counts.messages[row]:
        return ()
    inside = counts.documents[row]
    numbers = np.flatnonzero(counts.holders)
    outside = counts.holders[numbers] - inside[numbers]
    totals = counts.messages[row], sum(counts.messages) - counts.messages[row]
    shares = [
        np.log((found + SMOOTHING_OF_MANY) / (total + 2 * SMOOTHING_OF_MANY))
        for found, total in zip((inside[numbers], outside), totals, strict=True)
    ]
    ratios = shares[0] - shares[1]
    weights = np.abs(ratios) * np.sqrt(
        np.maximum(inside[numbers], outside * totals[0] / max(1, totals[1]))
    )
    order = np.argsort(-weights, kind="stable")[:limit]
    return tuple(
        folders.FolderWord(
            word, place_of(word), int(inside[numbers[one]]), int(outside[one]), float(ratios[one])
        )
        for one in order.tolist()
        for word in [model.vocabulary.word(int(numbers[one]))]
    )


def comparing(
    model: FolderModel, filed: Sequence[tuple[str, Sample]], words: Vocabulary
) -> JobSteps[dict[str, Proportion]]:
    """Train each method on the older filed messages and test it on the newest fifth, as the
    suggestions were.
    """
    cases = [Case(folder, sample) for folder, sample in filed]
    last = len(cases) * 4 // 5
    trial = Trial(spam_or_ham=False)
    if last < FEWEST:
        raise KnownError(ErrorCode.NOT_ENOUGH_YET)
    past = model.past[last - len(cases) :]
    found = {"": Proportion(sum(one.place == 0 for one in past), len(past))}
    done = 0
    total = len(METHODS) * len(cases)
    for name in METHODS:
        tried = Model(words, method_named(name))
        outcomes = list[ScoredCase]()
        for first in (*range(0, last, _COMPARED), *range(last, len(cases), _COMPARED)):
            chunk = cases[first : first + _COMPARED]
            if first < last:
                chunk = cases[first : min(first + _COMPARED, last)]
                tried.learn_many([one.sample for one in chunk], [one.label for one in chunk])
            else:
                outcomes += trial.judge(tried, chunk)
            done += len(chunk)
            yield Pause(done, total)
        found[name] = Proportion(sum(bool(one.right) for one in outcomes), len(outcomes))
    return found
