"""Marks, undo, redo, restore and imports: one step each, and exact."""

import pytest

from nbmail.errors import ErrorCode, KnownError
from nbmail.store.doctor import diagnose
from nbmail.store.labels.journal import By
from nbmail.store.labels.marks import LabelChanges
from nbmail.values import LabelSource, SourcedLabel
from tests.store.helpers import ACCOUNT, fill, keywords, learned, moved_to_spam, open_store, rebuilt
from tests.store.test_kills import is_exact


class Home:
    """A store with thirty messages."""

    def __init__(self, store):
        self.store = store
        self.messages = fill(store, 30)
        self.moment = 10.0

    def mark(self, which, label, by=By.USER, **more):
        self.moment += 1.0
        labels = {self.messages[place]: label for place in which}
        return self.store.marks.mark(labels, by=by, moment=self.moment, **more)

    def undo(self):
        self.moment += 1.0
        return self.store.marks.undo(moment=self.moment)

    def redo(self):
        self.moment += 1.0
        return self.store.marks.redo(moment=self.moment)

    @property
    def line(self):
        return self.store.journal.last_entry()

    @property
    def labels(self):
        return {
            self.messages.index(message): label
            for message, label in self.store.labels.all().items()
        }

    def picture(self):
        """Return everything that an undo must bring back."""
        return self.store.labels.positions(), learned(rebuilt(self.store))

    def check(self):
        self.store.model.make_exact()
        is_exact(self.store)
        assert diagnose(self.store, 0.0).sound


def changes(marked):
    return [(change.message, change.before, change.after) for change in marked.changes]


@pytest.fixture
def home(store):
    return Home(store)


def test_a_mark_returns_its_changes(home):
    home.mark([1], "ham")
    marked = home.mark([1, 2, 2, 3], "spam")
    one, two, three = home.messages[1:4]
    assert changes(marked) == [(one, "ham", "spam"), (two, None, "spam"), (three, None, "spam")]
    assert marked.step == 2
    before = home.line, home.store.steps.depth()
    for which, label in (([1, 2], "spam"), ([5], None)):
        assert home.mark(which, label, actions=keywords(home.store)) == LabelChanges()
    assert (home.line, home.store.steps.depth(), pending_kinds(home)) == (*before, set())
    home.check()


def test_undoing_the_latest_marks_needs_no_rebuild(home):
    for place in range(20):
        home.mark([place], "spam" if place % 3 else "ham")
    home.store.model.make_exact()
    kept = learned(home.store.model.model)
    home.mark([20, 21, 22], "spam")
    home.undo()
    assert home.store.model.is_exact
    assert learned(home.store.model.model) == kept
    home.mark([4], "ham")
    assert not home.store.model.is_exact
    assert home.store.model.model.counts == rebuilt(home.store).counts, "counts follow at once"
    home.check()


def test_another_clients_marks_are_no_steps_and_are_respected(home):
    home.mark([1, 2], "spam")
    assert home.mark([1, 3], "ham", by=By.SERVER).step == 0
    assert home.store.steps.depth() == (1, 0)
    home.undo()
    assert home.labels == {1: "ham", 3: "ham"}, "what the other client said of 1 stays"
    home.redo()
    assert home.labels == {1: "ham", 2: "spam", 3: "ham"}
    home.mark([4], "spam")
    home.mark([4], "ham", by=By.SERVER)
    assert {change.message for change in home.undo().changes} == {home.messages[2]}, (
        "nothing is left of the last step"
    )
    home.check()


def test_the_source_of_a_label_is_found_with_what_brought_it_back(home):
    find = home.store.label_sources.find
    messages = home.messages
    home.mark([0, 1], "spam")
    home.mark([0], "ham", by=By.SERVER)
    home.mark([1], "ham")
    home.undo()
    assert find(messages[0]) == SourcedLabel("ham", LabelSource("server"), 12.0)
    assert find(messages[1]) == SourcedLabel("spam", LabelSource("user"), 11.0, "undo", 14.0)
    assert find(messages[2]) is find(999) is None
    rows = home.store.listing.some([messages[0], messages[29]])
    assert [int(source) for source in rows.label_sources] == [
        -1,
        rows.source_names.index(LabelSource("server")),
    ]
    home.store.connection.execute("DELETE FROM journal WHERE message = ?", (messages[0],))
    assert find(messages[0]) == SourcedLabel("ham", LabelSource())


def test_a_restore_that_would_change_only_positions_changes_nothing(home):
    """Its undo would change nothing visible, before the step that the user means."""
    home.mark(range(30), "work")
    line = home.line
    home.mark(range(3), None)
    home.mark(range(3), "work")
    assert home.store.marks.restore(line, moment=50.0) == LabelChanges()
    home.undo()
    assert home.labels == dict.fromkeys(range(3, 30), "work")


@pytest.mark.parametrize("failures", [1, 2])
@pytest.mark.parametrize("name", ["spam", "work"])
def test_a_failed_change_leaves_model_and_file_unchanged(store, monkeypatch, name, failures):
    home = Home(store)

    def full(*_):
        raise KnownError(ErrorCode.DISK_FULL)

    breaks = (lambda patch: patch.setattr(store.connection, "_commit", full), lambda patch: None)
    for break_it in breaks[:failures]:
        before = home.picture()
        kept = learned(store.model.model)
        with monkeypatch.context() as patch:
            break_it(patch)
            with pytest.raises(KnownError):
                home.mark([0], name, actions=full)
        assert (home.picture(), learned(store.model.model)) == (before, kept)
    assert changes(home.mark([1], "ham")) == [(home.messages[1], None, "ham")]
    assert store.model.model.counts.classes == ["ham"]
    home.check()


def pending_kinds(home):
    tables = home.store.outbox, home.store.filed
    return {action.kind for table in tables for action in table.pending_actions(ACCOUNT)}


def test_a_restore_reverts_pending_actions(home):
    home.mark([3], "ham")
    line = home.line
    home.mark([1], "spam", actions=moved_to_spam(home.store))
    home.mark([2], "spam")
    assert pending_kinds(home) == {"keywords", "move"}
    home.moment = 50.0
    home.store.marks.restore(line, moment=50.0)
    assert pending_kinds(home) == set(), "the server never heard of it"
    home.undo()
    assert pending_kinds(home) == {"keywords", "move"}


def test_a_rebuild_includes_concurrent_marks(home):
    home.mark(range(20), "spam")
    home.mark([3], "ham")
    fold = home.store.model.begin_rebuild()
    fold.advance(most=5)
    home.mark([25], "ham")
    assert not fold.is_obsolete
    while fold.advance():
        pass
    home.store.model.adopt(fold)
    is_exact(home.store)
    fold = home.store.model.begin_rebuild()
    fold.advance(most=5)
    home.mark([2], "ham")
    assert fold.is_obsolete
    with pytest.raises(ValueError, match="changed under"):
        home.store.model.adopt(fold)


def test_folders_are_learned_as_if_shuffled_in_any_order(tmp_path):
    found = []
    for order in (("spam", "ham"), ("ham", "spam")):
        with open_store(tmp_path / order[0]) as store:
            home = Home(store)
            for label in order:
                home.mark(
                    range(12) if label == "spam" else range(12, 24), label, By.FOLDER, shuffled=True
                )
            home.check()
            found.append((home.labels, learned(store.model.model)))
    assert found[0] == found[1]
