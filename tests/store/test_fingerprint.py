"""A method that learns otherwise than it did has another fingerprint, and what was kept is folded anew."""

from nbmail.core.judging.model import Model
from nbmail.core.methods import registry
from nbmail.pieces import drain
from nbmail.store.labels.journal import By
from nbmail.store.model.current_model import fingerprint
from tests.store.helpers import close_store, fill, open_store
from tests.store.test_kills import is_exact


def test_it_is_the_same_every_time_and_tells_a_change(monkeypatch):
    for method in registry.NAMES:
        assert fingerprint(method) == fingerprint(method)
    before, learn = fingerprint(registry.DEFAULT), Model.learn
    monkeypatch.setattr(Model, "learn", lambda model, sample, label: learn(model, sample, "junk"))
    assert fingerprint(registry.DEFAULT) != before


def test_what_an_earlier_program_learned_is_folded_anew(tmp_path, monkeypatch):
    with monkeypatch.context() as earlier:
        earlier.setattr("nbmail.store.model.current_model.fingerprint", lambda method: "that of another program")
        store = open_store(tmp_path)
        for place, message in enumerate(fill(store, 40)):
            store.marks.mark({message: ("junk", "good")[place % 2]}, by=By.USER, moment=1.0)
        close_store(store)
        with open_store(tmp_path) as store:
            assert drain(store.model.kept_fold()) is not None
    with open_store(tmp_path) as store:
        assert drain(store.model.kept_fold()) is None
        is_exact(store)
