"""Updates of the folder models and of the suggestions in the list."""

from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np

from nbmail.chunks import batches
from nbmail.worker.engine.jobs import AddJob, Emit, JobSteps, Pause, Priority
from nbmail.worker.folders.folder_models import FolderModels
from nbmail.worker.folders.folder_suggestions import SUGGESTED, FolderSuggestions
from nbmail.worker.protocol.events import Changed, Event, FolderRenamed
from nbmail.worker.protocol.folders import FolderChance, FoldersSuggested

# Changed messages whose folders are read in one time slice.
_FOLLOWED = 200

OnSuggested = Callable[[Collection[int], Mapping[int, FolderChance]], None]


class FolderUpdates:
    """Learns from changes of the list, rebuilds stale models, and announces suggestions.

    `models`: of all accounts. `suggested`: called with messages of the inboxes and the first
    suggestion of each that has one.
    """

    def __init__(
        self,
        models: FolderModels,
        suggestions: FolderSuggestions,
        emit: Emit,
        add_job: AddJob,
        suggested: OnSuggested,
    ) -> None:
        self.models = models
        self._suggestions = suggestions
        self._emit = emit
        self._add_job = add_job
        self._suggested = suggested
        self._changed = set[int]()
        self._is_open = False
        self._is_following = False
        self._is_rebuilding = False

    def choose_folders(self, account: str, chosen: Collection[str]) -> None:
        """Suggest these folders of an account, "*" for all of the user's own.

        Callers save the settings.
        """
        made = self.models.choose(account, chosen)
        if made is not None and self._is_open:
            made.is_stale = True
            self.rebuild_stale()

    def opening(self) -> JobSteps[None]:
        """Read or rebuild the models, and announce their suggestions."""
        self._is_open = True
        for account in self.models.all:
            yield from account.opening()
        yield from self._announce(self.models.inbox())

    def forward(self, event: Event) -> None:
        """Emit an event, and learn from changes of the list."""
        self._emit(event)
        if isinstance(event, FolderRenamed):
            account = self.models.account(event.account)
            if account is not None:
                account.is_stale = True
        if isinstance(event, Changed) and self.models:
            self._changed.update(event.gone)
            if event.rows is not None:
                self._changed.update(event.rows.messages.tolist())
            self._schedule_following()

    def rebuild_stale(self, *, threads: bool = False) -> None:
        """Rebuild the models that need it. Called when the engine is idle.

        `threads`: all models, because threads of messages changed.
        """
        for account in self.models.all:
            account.look_for_newer()
            account.is_stale |= threads
        is_any_stale = any(account.is_stale for account in self.models.all)
        if is_any_stale and not self._is_rebuilding:
            self._is_rebuilding = True
            self._add_job(self._rebuild(), Priority.IDLE)

    def _schedule_following(self) -> None:
        if self._changed and not self._is_following:
            self._is_following = True
            self._add_job(self._follow(), Priority.SCORES)

    def _follow(self) -> JobSteps[None]:
        try:
            while self._changed:
                changed = self._changed
                self._changed = set()
                is_any_learned = yield from self._learn(sorted(changed))
                inbox = self.models.inbox()
                if not is_any_learned:
                    inbox = [message for message in inbox if message in changed]
                yield from self._announce(inbox)
        finally:
            self._is_following = False

    def _learn(self, messages: Sequence[int]) -> JobSteps[bool]:
        """Learn the current folders of messages. True if any changed."""
        is_any_learned = False
        for chunk in batches(messages, _FOLLOWED):
            for account in self.models.all:
                is_learned = yield from account.follow(chunk)
                is_any_learned |= is_learned
            yield Pause()
        return is_any_learned

    def _rebuild(self) -> JobSteps[None]:
        try:
            for account in self.models.all:
                if account.is_stale:
                    yield from account.rebuild()
            yield from self._announce(self.models.inbox())
        finally:
            self._is_rebuilding = False

    def _announce(self, messages: Sequence[int]) -> JobSteps[None]:
        for chunk in batches(messages, SUGGESTED):
            likeliest = self._suggestions.likeliest(chunk)
            self._suggested(chunk, likeliest)
            self._emit(_event(chunk, likeliest))
            yield Pause()


def _event(messages: Sequence[int], likeliest: Mapping[int, FolderChance]) -> FoldersSuggested:
    names = tuple(dict.fromkeys(chance.folder for chance in likeliest.values()))
    folders = np.full(len(messages), -1, np.int32)
    chances = np.zeros(len(messages))
    for place, message in enumerate(messages):
        if message in likeliest:
            folders[place] = names.index(likeliest[message].folder)
            chances[place] = likeliest[message].probability
    return FoldersSuggested(np.array(messages, np.int64), folders, chances, names)
