"""After any operation and after opening again, the model equals a rebuild from the labels."""

import contextlib
import shutil
import tempfile
from pathlib import Path

from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from nbmail.chunks import drain
from nbmail.store.doctor import diagnose
from tests.store.helpers import (
    INBOX,
    SPAM,
    Driver,
    fill,
    learned,
    logged_labels,
    open_store,
    quick_folder,
    rebuilt,
    stored_labels,
    take,
)

NAMES = st.sampled_from(["spam", "ham", "work"])
LABELS = st.one_of(NAMES, st.none())
MESSAGES = st.lists(st.integers(0, 29), min_size=1, max_size=5)


class Operations(RuleBasedStateMachine):
    """All kinds of marks on thirty messages."""

    def __init__(self):
        super().__init__()
        self.home = Path(tempfile.mkdtemp(prefix="nbmail-operations-", dir=quick_folder()))
        self.open()
        self.driver = Driver(self.store, self.ticking)
        self.messages = fill(self.store, 30)
        self.past = []

    def open(self):
        self.store = open_store(self.home)

    @contextlib.contextmanager
    def ticking(self):
        yield
        self.driver.moment += 1.0
        self.past.append((self.store.journal.last_entry(), self.driver.given))

    def teardown(self):
        try:
            diagnosis = diagnose(self.store, 1.0)
            assert diagnosis.sound, diagnosis
        finally:
            self.store.close()
            shutil.rmtree(self.home)

    @rule(places=MESSAGES, label=LABELS)
    def mark(self, places, label):
        self.driver.mark([self.messages[place] for place in places], label)

    @rule(
        lessons=st.lists(st.tuples(st.integers(1, 36), NAMES), max_size=8), shuffled=st.booleans()
    )
    def learn_in_bulk(self, lessons, shuffled):
        self.driver.learn(lessons, shuffled=shuffled)

    @rule(label=LABELS, shuffled=st.booleans())
    def mark_a_folder_in_pieces(self, label, shuffled):
        self.driver.mark_in_pieces(self.store.folders.messages(INBOX), label, 7, shuffled=shuffled)

    @rule()
    def undo(self):
        self.driver.undo()

    @rule()
    def redo(self):
        self.driver.redo()

    @rule(data=st.data())
    def go_back(self, data):
        self.driver.go_back(*data.draw(st.sampled_from([(0, {}), *self.past])))

    @rule()
    def fold_anew(self):
        self.store.model.make_exact()
        assert self.store.model.is_exact

    @rule(validity=st.integers(2, 9))
    def change_validity(self, validity):
        take(self.store, range(1, 31), SPAM, validity, self.driver.moment)

    @rule(kept=st.booleans())
    def reopen(self, kept):
        if kept:
            drain(self.store.model.write_snapshot())
        self.store.close()
        self.open()
        self.driver.store = self.store
        assert self.store.model.is_exact

    @invariant()
    def labels_are_as_expected(self):
        assert self.store.labels.all() == self.driver.labels

    @invariant()
    def sources_are_as_expected(self):
        heads = self.store.listing.newest(9999)
        listed = {
            message: heads.source_names[source]
            for message, source in zip(
                heads.messages.tolist(), heads.label_sources.tolist(), strict=True
            )
            if source >= 0
        }
        # Messages of files have no location.
        assert listed == {
            one: source for one, (_, source, _) in self.driver.given.items() if one in self.messages
        }
        found = {one: self.store.label_sources.find(one) for one in self.driver.given}
        assert {one: [*its[:3]] for one, its in found.items()} == self.driver.given

    @invariant()
    def the_log_has_all_labels(self):
        assert logged_labels(self.store) == stored_labels(self.store)

    @invariant()
    def the_model_equals_a_rebuild(self):
        anew = rebuilt(self.store)
        model = self.store.model
        assert model.is_stale or anew.counts == model.model.counts
        assert not model.is_exact or learned(anew) == learned(model.model)


# Shrinking a failure here takes minutes; the printed blob finds it again, and `Phase.shrink` can be
# added then.
Operations.TestCase.settings = settings(
    max_examples=12, stateful_step_count=40, phases=(Phase.generate,)
)
TestOperations = Operations.TestCase


def test_two_restores_to_one_entry_with_rebuilds_between_are_undone_one_at_a_time():
    machine = Operations()
    for label, shuffled in (("spam", True), ("work", False)):
        machine.mark_a_folder_in_pieces(label=label, shuffled=shuffled)
    machine.mark([3, 5, 8], None)
    then = machine.past[-1]
    machine.mark([5, 11], "ham")

    def there():
        return machine.driver.go_back(*then)

    back = machine.undo
    again = machine.redo
    for step in (
        there,
        back,
        there,
        back,
        again,
        machine.fold_anew,
        machine.fold_anew,
        back,
        back,
        again,
        back,
    ):
        step()
        machine.labels_are_as_expected()
        machine.the_model_equals_a_rebuild()
    machine.teardown()
