"""The check-up: is everything that is derived equal to what it is derived from? Mends what can be derived anew.

Findings are named file, words, samples, journal, outbox, bodies, disk, private, counts and learned.
"""

from __future__ import annotations

from collections.abc import Callable, Generator

from nbmail.core.model import Model
from nbmail.errors import KnownError, Trouble
from nbmail.store.examination import FOLDED_LOOKS, LOOKS
from nbmail.store.journal import Line
from nbmail.store.store import Store
from nbmail.store.values import By, Diagnosis, Finding

_FILE = frozenset({"file"})
# What counts and corrections are derived from: where that is damaged they can't be told, nor made anew.
_SOURCES = frozenset({"file", "words", "samples"})
# What must be sound before something can be mended.
_NEEDED = {"private": frozenset[str](), "counts": _SOURCES, "learned": _SOURCES}


class Doctor:
    """Looks at a store and, if told to, repairs it. `moment` is what the journal will say of repairs."""

    def __init__(self, store: Store, moment: float) -> None:
        self._store = store
        self._moment = moment

    def check(self, *, repair: bool = False) -> Diagnosis:
        """Look at everything."""
        walk = self.walk(repair=repair)
        while True:
            try:
                next(walk)
            except StopIteration as end:
                found: Diagnosis = end.value
                return found

    def walk(self, *, repair: bool = False) -> Generator[None, None, Diagnosis]:
        """The same in pieces. Labels must not change in between: they would look like damage."""
        findings = yield from self._look()
        ill = {finding.name for finding in findings if not finding.sound}
        repaired = []
        for name, mend in self._remedies().items() if repair else ():
            if name in ill and not ill & _NEEDED.get(name, _FILE):
                mend()
                repaired.append(name)
                yield
        if repaired:
            findings = yield from self._look()
        return Diagnosis(tuple(findings), tuple(repaired))

    def _look(self) -> Generator[None, None, list[Finding]]:
        findings = []
        store = self._store
        for name, look in LOOKS.items():
            findings.append((yield from _examine(name, lambda look=look: look(store))))  # type: ignore[misc]
        damaged = [finding.name for finding in findings if not finding.sound and finding.name in _SOURCES]
        if damaged:
            return findings + [Finding(name, False, f"unknown: {', '.join(damaged)}") for name in FOLDED_LOOKS]
        fold = store.fold(self._model())
        for name, compare in FOLDED_LOOKS.items():
            findings.append((yield from _examine(name, lambda compare=compare: compare(store, fold))))  # type: ignore[misc]
        return findings

    def _remedies(self) -> dict[str, Callable[[], object]]:
        """What can be mended, in the order in which it must be. A damaged file or a full disk can't be, from here."""
        return {
            "journal": self._mend_journal,
            "outbox": self._mend_outbox,
            "bodies": self._mend_bodies,
            "private": self._mend_private,
            "counts": self._mend_counts,
            "learned": self._mend_learned,
        }

    def _mend_journal(self) -> None:
        """Labels are believed, the journal is brought after them."""
        store = self._store
        with store.transaction():
            store.labels.order.heal()
            then, now = store.labels.places_at(store.journal.last_line()), store.labels.all_places()
            for message in sorted(then.keys() | now.keys()):
                if then.get(message) != now.get(message):
                    line = Line(message, then.get(message), now.get(message))
                    store.journal.write([line], By.REPAIR, self._moment, None)

    def _mend_outbox(self) -> None:
        store = self._store
        known = {account for account, _ in store.folders.names()}
        for account in set(store.outbox.accounts()) - known:
            store.outbox.close_all(account, "unknown account")

    def _mend_bodies(self) -> None:
        for identities in self._store.bodies.identities():
            known = self._store.messages.find(identities)
            self._store.bodies.drop(identity for identity in identities if identity not in known)

    def _mend_private(self) -> None:
        self._store.paths.data.chmod(0o700)
        for path in (self._store.paths.database, self._store.bodies.path):
            path.chmod(0o600)

    def _mend_counts(self) -> None:
        with self._store.transaction():
            fold = self._store.fold(self._model())
            while fold.advance():
                pass
            self._store.counts.replace(fold.model.counts, self._store.labels)
            fold.keep()

    def _mend_learned(self) -> None:
        self._store.fold(self._model()).keep()

    def _model(self) -> Model:
        vocabulary = self._store.words.vocabulary
        method = self._store.settings.get("method")
        return Model(vocabulary, method) if method else Model(vocabulary)


def _examine(name: str, look: Callable[[], Generator[None, None, str]]) -> Generator[None, None, Finding]:
    try:
        wrong = yield from look()
    except KnownError as error:
        if error.trouble is not Trouble.DATABASE_DAMAGED:
            raise
        wrong = error.detail
    return Finding(name, not wrong, wrong)
