"""Folders suggested for messages."""

from collections.abc import Collection, Iterator, Sequence

from nbmail.core.evaluation.proportion import Proportion
from nbmail.errors import ErrorCode, KnownError
from nbmail.store.store import Store
from nbmail.values import INBOX, SPAM, VERDICTS, FolderName
from nbmail.worker.engine.jobs import JobSteps, Pause
from nbmail.worker.folders.account_folders import AccountFolders
from nbmail.worker.folders.folder_models import FolderModels
from nbmail.worker.protocol.folders import (
    ENOUGH_MESSAGES,
    ENOUGH_TOGETHER,
    LEAST_SHOWN,
    NEARLY_SURE,
    FilingPreview,
    FolderChance,
    FolderReasons,
)
from nbmail.worker.scores.scores import Scoring

SUGGESTED = 8
"""Messages that get suggestions in one time slice: about 5 ms."""

Chances = tuple[FolderChance, ...]
"""Suggested folders of a message, likeliest first."""


class FolderSuggestions:
    """Suggests folders by the `models` of all accounts."""

    def __init__(self, store: Store, scoring: Scoring, models: FolderModels) -> None:
        self._store = store
        self._scoring = scoring
        self.models = models

    def suggest_folders(self, message: int) -> Chances:
        """Return the folders to suggest for a message, likeliest first.

        None of them is too improbable to show; there may be none.
        """
        for _, chances in self.suggestions([message]):
            return chances
        return ()

    def likeliest(self, messages: Sequence[int]) -> dict[int, FolderChance]:
        """Return the first suggestion of each message that has one."""
        return {message: chances[0] for message, chances in self.suggestions(messages)}

    def explain_folder(
        self, message: int, folder: FolderName, strongest: int = 12
    ) -> FolderReasons:
        """Explain why a suggested folder of a message is likelier than the next likeliest one."""
        account = self.models.account(folder.account)
        model = self.models.model(folder.account)
        mail = account.mails([message]).get(message) if account else None
        suggestion = model.suggest([mail])[0] if model and mail else None
        if model is None or mail is None or suggestion is None:
            raise KnownError(ErrorCode.NOT_ENOUGH_YET, "the folder is not suggested")
        if folder.folder not in suggestion.folders:
            raise KnownError(ErrorCode.NOT_ENOUGH_YET, "the folder is not suggested")

        chances = [
            FolderChance(FolderName(folder.account, name), chance)
            for name, chance in zip(suggestion.folders, suggestion.probabilities, strict=True)
        ]
        place = suggestion.folders.index(folder.folder)
        one = chances[place]
        other = chances[(place + 1) % len(chances)]
        why = model.explain(mail, one.folder.folder, other.folder.folder, strongest)
        return FolderReasons(one, other, why)

    def preview_filing(self) -> JobSteps[FilingPreview]:
        """List the messages of the inboxes whose likeliest folder is at least `NEARLY_SURE`."""
        proposals = dict[int, FolderChance]()
        inbox = self.models.inbox()
        for first in range(0, len(inbox), SUGGESTED):
            for message, chance in self.likeliest(inbox[first : first + SUGGESTED]).items():
                if chance.probability >= NEARLY_SURE:
                    proposals[message] = chance
            yield Pause(first, len(inbox))

        headings = self._store.messages.headings(proposals)
        in_order = sorted(
            proposals, key=lambda each: (-proposals[each].probability, -headings[each].date)
        )
        sorted_proposals = {message: proposals[message] for message in in_order}
        return FilingPreview(sorted_proposals, self._record())

    def suggestions(self, messages: Sequence[int]) -> Iterator[tuple[int, Chances]]:
        """Yield the messages to suggest folders for, with these folders.

        They are in none of the suggested folders, and are no spam.
        """
        wanted = self._no_spam(messages)
        for account in self.models.all:
            model = account.model
            if model is None:
                continue
            chosen = set(account.folders())
            mails = account.mails(self._unfiled(wanted, account.account, chosen))
            suggested = model.suggest(list(mails.values()))
            for message, suggestion in zip(mails, suggested, strict=True):
                if suggestion is None:
                    continue
                pairs = zip(suggestion.folders, suggestion.probabilities, strict=True)
                chances = _to_show(account, pairs)
                if sum(chance.probability for chance in chances) >= ENOUGH_TOGETHER:
                    yield message, chances

    def _record(self) -> Proportion:
        """Return how many past suggestions were as probable as those of a preview, and right."""
        past = list[bool]()
        for name in self.models.names:
            for suggestion in self.models.past(name) or ():
                if suggestion.probability >= NEARLY_SURE:
                    past.append(suggestion.place == 0)
        return Proportion(past.count(True), len(past))

    def _no_spam(self, messages: Sequence[int]) -> list[int]:
        """Return the messages without those labelled or classified as spam."""
        labels = self._store.labels.of(messages)
        scores = self._scoring.scores_of(list(messages))
        wanted = list[int]()
        for message, verdict in zip(messages, scores.verdicts.tolist(), strict=True):
            if labels.get(message, VERDICTS[verdict]) != SPAM:
                wanted.append(message)
        return wanted

    def _unfiled(self, messages: Sequence[int], account: str, chosen: Collection[str]) -> list[int]:
        """Return the messages in the inbox, or in a folder that is not suggested.

        Messages that are being moved are left out.
        """
        filed = {moved.message for moved in self._store.filed.shown(messages).values()}
        found: dict[int, None] = {}
        for location in self._store.folders.locations(messages):
            if location.account != account:
                continue
            if location.folder in chosen:
                filed.add(location.message)
            elif location.special in ("", INBOX):
                found[location.message] = None
        return [message for message in found if message not in filed]


def _to_show(account: AccountFolders, pairs: Iterator[tuple[str, float]]) -> Chances:
    """Return the folders that are probable enough, and have enough messages."""
    assert account.model is not None
    counts = account.model.counts
    messages = dict(zip(counts.classes, counts.messages, strict=True))
    chances = list[FolderChance]()
    for folder, probability in pairs:
        if messages[folder] >= ENOUGH_MESSAGES and probability >= LEAST_SHOWN:
            chances.append(FolderChance(FolderName(account.account, folder), probability))
    return tuple(chances)
