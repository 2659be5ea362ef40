"""A method that learns otherwise than it did has another fingerprint, and what was kept is folded anew."""

from nbmail.core.judging.model import Model
from nbmail.core.methods import registry
from nbmail.store.doctor.doctor import Doctor
from nbmail.store.model.method_fingerprint import fingerprint
from nbmail.store.values import By
from tests.store.helpers import fill, learned, open_model, open_store, rebuilt


def test_it_is_the_same_every_time_and_tells_a_change(monkeypatch):
    for method in registry.NAMES:
        assert fingerprint(method) == fingerprint(method)
    before, learn = fingerprint(registry.DEFAULT), Model.learn
    monkeypatch.setattr(Model, "learn", lambda model, sample, label: learn(model, sample, "junk"))
    assert fingerprint(registry.DEFAULT) != before


def test_what_an_earlier_program_learned_is_folded_anew(tmp_path):
    with open_store(tmp_path) as store:
        messages, model = fill(store, 40), open_model(store)
        for place, message in enumerate(messages):
            store.marks.mark(model, [message], ("junk", "good")[place % 2], by=By.USER, moment=1.0)
        assert open_model(store).settled
        store.settings.set("fingerprint", "that of another program")
    with open_store(tmp_path) as store:
        model = open_model(store)
        assert not model.settled
        assert Doctor(store, 0.0).check().sound, "a fold is still to come"
        model = store.fold(model).keep()
        assert learned(model) == learned(rebuilt(store, model))
        assert open_model(store).settled
