"""The check-up: is everything that is derived equal to what it is derived from? Mends what can be derived anew.

Findings are named file, words, samples, journal, reached, outbox, texts, disk, private and model. Damage may make any
exception of what is read: while examining, each is a finding.
"""

from collections.abc import Callable

from nbmail.errors import KnownError
from nbmail.store.doctor.examination import LOOKS, open_to_others
from nbmail.store.labels.journal import By, LabelMove
from nbmail.store.store import Store
from nbmail.values import Diagnosis, Finding

_FILE = frozenset({"file"})
SOURCES = frozenset({"file", "words", "samples"})
"""What the model is derived from: where that is damaged, what can be read is to be saved into a new file."""
# What must be sound before something can be looked at or mended, where that is more or less than the file. Where the
# journal should end is counted in saving what can be read, too.
_NEEDED = {"private": frozenset[str](), "model": SOURCES}
_TO_MEND = {**_NEEDED, "reached": SOURCES}


class Doctor:
    """Looks at a store and, if told to, repairs it. `moment` is what the journal will say of repairs."""

    def __init__(self, store: Store, moment: float) -> None:
        self._store, self._moment = store, moment

    def check(self, *, repair: bool = False) -> Diagnosis:
        """Look at everything; mend what can be, and look again."""
        findings = self._look()
        repaired = self._mend({one.name for one in findings if not one.sound}) if repair else ()
        return Diagnosis(self._look() if repaired else findings, repaired)

    def _look(self) -> tuple[Finding, ...]:
        findings: list[Finding] = []
        for name, look in LOOKS.items():
            damaged = [one.name for one in findings if not one.sound and one.name in _NEEDED.get(name, ())]
            wrong = f"unknown: {', '.join(damaged)}" if damaged else _examine(look, self._store)
            findings.append(Finding(name, not wrong, wrong))
        return tuple(findings)

    def _mend(self, ill: set[str]) -> tuple[str, ...]:
        """What was mended. A damaged file or a full disk can't be, from here."""
        remedies = {
            "journal": self._mend_journal,
            "reached": self._mend_reached,
            "outbox": self._mend_outbox,
            "texts": self._store.texts.begin_anew,
            "private": self._mend_private,
            "model": self._store.model.forget_kept,
        }
        able = [name for name in remedies if name in ill and not ill & _TO_MEND.get(name, _FILE)]
        for name in able:
            remedies[name]()
        return tuple(able)

    def _mend_journal(self) -> None:
        """Labels are believed, the journal is brought after them."""
        store = self._store
        with store.transaction():
            store.order.heal()
            then, now = store.labels.places_at(store.journal.last_line()), store.labels.all_places()
            wrong = sorted(one for one in then.keys() | now.keys() if then.get(one) != now.get(one))
            moves = [LabelMove(message, then.get(message), now.get(message)) for message in wrong]
            store.journal.write(moves, By.REPAIR, self._moment, None)

    def _mend_reached(self) -> None:
        """What is missing is missing: from here on the journal is believed again."""
        self._store.reached.note(self._store.journal.last_line())

    def _mend_outbox(self) -> None:
        known = {name.account for name in self._store.folders.names()}
        for account in set(self._store.outbox.accounts()) - known:
            self._store.outbox.close_all(account, "unknown account")

    def _mend_private(self) -> None:
        for path in open_to_others(self._store):
            path.chmod(0o700 if path.is_dir() else 0o600)


def _examine(look: Callable[[Store], str], store: Store) -> str:
    try:
        return look(store)
    except Exception as error:  # noqa: BLE001 - damage raises what it will
        return error.detail if isinstance(error, KnownError) else f"{type(error).__name__}: {error}"
