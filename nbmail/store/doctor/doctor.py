"""The check-up: is everything that is derived equal to what it is derived from? Mends what can be derived anew.

Findings are named file, words, samples, journal, outbox, bodies, disk, private, counts and learned.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Sequence

from nbmail.core.judging.model import Model
from nbmail.errors import KnownError, Trouble
from nbmail.store.doctor.examination import FOLDED_LOOKS, LOOKS
from nbmail.store.doctor.mending import mend_counts
from nbmail.store.labels.journal import Line
from nbmail.store.model.label_fold import Fold
from nbmail.store.store import Store
from nbmail.store.values import By, Diagnosis, Finding

_FILE = frozenset({"file"})
SOURCES = frozenset({"file", "words", "samples"})
"""What counts and corrections are derived from: where that is damaged they can't be told, nor made anew."""
# What must be sound before something can be mended.
_NEEDED = {"private": frozenset[str](), "counts": SOURCES, "learned": SOURCES}


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
        findings = tuple((yield from self._look()))
        repaired = (yield from self.mending(findings)) if repair else ()
        if repaired:
            findings = tuple((yield from self._look()))
        return Diagnosis(findings, repaired)

    def mending(self, findings: Sequence[Finding], but: Collection[str] = ()) -> Generator[None, None, tuple[str, ...]]:
        """Mend in pieces what was found, `but` these, as far as can be; what was. Labels may change meanwhile."""
        ill = {finding.name for finding in findings if not finding.sound}
        repaired = []
        for name, mend in self._remedies().items():
            if name in ill - set(but) and not ill & _NEEDED.get(name, _FILE):
                yield from mend()
                repaired.append(name)
        return tuple(repaired)

    def _look(self) -> Generator[None, None, list[Finding]]:
        findings = []
        store = self._store
        for name, look in LOOKS.items():
            findings.append((yield from _examine(name, lambda look=look: look(store))))  # type: ignore[misc]
        damaged = [finding.name for finding in findings if not finding.sound and finding.name in SOURCES]
        if damaged:
            return findings + [Finding(name, False, f"unknown: {', '.join(damaged)}") for name in FOLDED_LOOKS]
        fold = store.fold(self._model())
        for name, compare in FOLDED_LOOKS.items():
            findings.append((yield from _examine(name, lambda compare=compare: compare(store, fold))))  # type: ignore[misc]
        return findings

    def _remedies(self) -> dict[str, Callable[[], Generator[None, None, None]]]:
        """What can be mended, in the order in which it must be. A damaged file or a full disk can't be, from here."""
        return {
            "journal": self._mend_journal,
            "outbox": self._mend_outbox,
            "bodies": self._mend_bodies,
            "private": self._mend_private,
            "counts": self._mend_counts,
            "learned": self._mend_learned,
        }

    def _mend_journal(self) -> Generator[None, None, None]:
        """Labels are believed, the journal is brought after them."""
        store = self._store
        with store.transaction():
            store.labels.order.heal()
            then, now = store.labels.places_at(store.journal.last_line()), store.labels.all_places()
            for message in sorted(then.keys() | now.keys()):
                if then.get(message) != now.get(message):
                    line = Line(message, then.get(message), now.get(message))
                    store.journal.write([line], By.REPAIR, self._moment, None)
        yield

    def _mend_outbox(self) -> Generator[None, None, None]:
        store = self._store
        known = {account for account, _ in store.folders.names()}
        for account in set(store.outbox.accounts()) - known:
            store.outbox.close_all(account, "unknown account")
            yield

    def _mend_bodies(self) -> Generator[None, None, None]:
        for identities in self._store.bodies.identities():
            known = self._store.messages.find(identities)
            self._store.bodies.drop(identity for identity in identities if identity not in known)
            yield

    def _mend_private(self) -> Generator[None, None, None]:
        self._store.paths.data.chmod(0o700)
        for path in (self._store.paths.database, self._store.bodies.path):
            path.chmod(0o600)
        yield

    def _mend_counts(self) -> Generator[None, None, None]:
        while True:
            fold = yield from self._folded()
            if (yield from mend_counts(self._store, fold.model.counts)):
                return

    def _mend_learned(self) -> Generator[None, None, None]:
        (yield from self._folded()).keep()

    def _folded(self) -> Generator[None, None, Fold]:
        """A fold of all labels as they are."""
        while True:
            fold = self._store.fold(self._model())
            while fold.advance():
                yield
            if not fold.disturbed:
                return fold

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
