"""The check-up: is everything that is derived equal to what it is derived from? Mends what can be derived anew.

Findings are named file, words, samples, journal, reached, outbox, texts, disk, private and model. Damage may make any
exception of what is read: while examining, each is a finding.
"""

from collections.abc import Callable, Collection, Generator, Sequence

from nbmail.errors import KnownError
from nbmail.pieces import drain
from nbmail.store.doctor.examination import LOOKS
from nbmail.store.labels.journal import By, LabelMove
from nbmail.store.store import Store
from nbmail.values import Diagnosis, Finding

_FILE = frozenset({"file"})
SOURCES = frozenset({"file", "words", "samples"})
"""What the model is derived from: where that is damaged, what can be read is to be saved into a new file."""
# What must be sound before something can be mended, where that is more or less than the file.
_NEEDED = {"private": frozenset[str](), "model": SOURCES}


class Doctor:
    """Looks at a store and, if told to, repairs it. `moment` is what the journal will say of repairs."""

    def __init__(self, store: Store, moment: float) -> None:
        self._store = store
        self._moment = moment

    def check(self, *, repair: bool = False) -> Diagnosis:
        """Look at everything."""
        return drain(self.walk(repair=repair))

    def walk(self, *, repair: bool = False) -> Generator[object, None, Diagnosis]:
        """Look at everything piece by piece. Labels must not change in between: they would look like damage."""
        findings = tuple((yield from self._look()))
        repaired = (yield from self.mending(findings)) if repair else ()
        if repaired:
            findings = tuple((yield from self._look()))
        return Diagnosis(findings, repaired)

    def mending(
        self, findings: Sequence[Finding], but: Collection[str] = ()
    ) -> Generator[object, None, tuple[str, ...]]:
        """Mend in pieces what was found, `but` these, as far as can be; what was. Labels may change meanwhile."""
        ill = {finding.name for finding in findings if not finding.sound}
        repaired = []
        for name, mend in self._remedies().items():
            if name in ill - set(but) and not ill & _NEEDED.get(name, _FILE):
                yield from mend()
                repaired.append(name)
        return tuple(repaired)

    def _look(self) -> Generator[object, None, list[Finding]]:
        findings: list[Finding] = []
        for name, look in LOOKS.items():
            damaged = [one.name for one in findings if not one.sound and one.name in _NEEDED.get(name, ())]
            if damaged:
                findings.append(Finding(name, False, f"unknown: {', '.join(damaged)}"))
            else:
                findings.append((yield from _examine(name, look(self._store))))
        return findings

    def _remedies(self) -> dict[str, Callable[[], Generator[None, None, None]]]:
        """What can be mended, in the order in which it must be. A damaged file or a full disk can't be, from here."""
        return {
            "journal": self._mend_journal,
            "reached": self._mend_reached,
            "outbox": self._mend_outbox,
            "texts": self._mend_texts,
            "private": self._mend_private,
            "model": self._mend_model,
        }

    def _mend_journal(self) -> Generator[None, None, None]:
        """Labels are believed, the journal is brought after them."""
        store = self._store
        with store.transaction():
            store.order.heal()
            then, now = store.labels.places_at(store.journal.last_line()), store.labels.all_places()
            wrong = sorted(one for one in then.keys() | now.keys() if then.get(one) != now.get(one))
            moves = [LabelMove(message, then.get(message), now.get(message)) for message in wrong]
            store.journal.write(moves, By.REPAIR, self._moment, None)
        yield

    def _mend_reached(self) -> Generator[None, None, None]:
        """What is missing is missing: from here on the journal is believed again."""
        self._store.reached.note(self._store.journal.last_line())
        yield

    def _mend_outbox(self) -> Generator[None, None, None]:
        store = self._store
        known = {name.account for name in store.folders.names()}
        for account in set(store.outbox.accounts()) - known:
            store.outbox.close_all(account, "unknown account")
            yield

    def _mend_texts(self) -> Generator[None, None, None]:
        """They are read in anew when there is time, or somebody searches."""
        self._store.texts.begin_anew()
        yield

    def _mend_private(self) -> Generator[None, None, None]:
        self._store.paths.data.chmod(0o700)
        for path in (self._store.paths.database, self._store.raw_mail.path):
            path.chmod(0o600)
        yield

    def _mend_model(self) -> Generator[None, None, None]:
        """What is on the disk goes; whoever has the model in memory folds it anew."""
        self._store.model.forget_kept()
        yield


def _examine(name: str, look: Generator[object, None, str]) -> Generator[object, None, Finding]:
    try:
        wrong = yield from look
    except Exception as error:  # noqa: BLE001 - damage raises what it will
        wrong = error.detail if isinstance(error, KnownError) else f"{type(error).__name__}: {error}"
    return Finding(name, not wrong, wrong)
