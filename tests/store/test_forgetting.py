"""Letting go of words changes nothing but those words: counts stay the labels' sum, labels and other words stay."""

import pytest

from nbmail.core.judging.model import Model
from nbmail.store.doctor.doctor import Doctor
from nbmail.store.doctor.forgetting import LetGo, let_go
from nbmail.store.values import By
from tests.store.helpers import content, fill, learned, open_model, open_store, rebuilt


def spoken(store, messages):
    """Every message's words as text with their occurrences."""
    vocabulary, samples = store.words.vocabulary, store.messages.samples(messages)
    return {
        message: {
            vocabulary.word(int(word)): int(times) for word, times in zip(one.words, one.occurrences, strict=True)
        }
        for message, one in samples.items()
    }


@pytest.fixture
def home(tmp_path):
    """Sixty messages dated by their numbers, forty of them labelled."""
    with open_store(tmp_path) as store:
        messages, model = fill(store, 60), open_model(store)
        for place in range(40):
            label = ("junk", "good")[place % 2]
            store.marks.mark(model, [messages[place]], label, by=By.USER, moment=float(place))
    return tmp_path


def test_only_old_words_of_one_message_go(home):
    with open_store(home) as store:
        messages = range(1, 61)
        before, labels = spoken(store, messages), store.labels.all()
        size = len(store.words.vocabulary)
        result = let_go(store, before=30.0)
        after = spoken(store, messages)
        holders = {}
        for message, words in before.items():
            for word in words:
                holders.setdefault(word, []).append(message)
        gone = {word for word, held in holders.items() if len(held) == 1 and held[0] < 30}
        assert len(gone) >= 29
        assert result == LetGo(len(gone), size - len(gone)) == LetGo(len(gone), len(store.words.vocabulary))
        wanted = {one: {word: n for word, n in words.items() if word not in gone} for one, words in before.items()}
        assert after == wanted
        assert store.labels.all() == labels


def test_everything_is_sound_and_goes_on(home):
    with open_store(home) as store:
        let_go(store, before=50.0)
        assert Doctor(store, 0.0).check().sound
        model = open_model(store)
        assert not model.settled
        model = store.fold(model).keep()
        fill(store, 10, first=100)
        store.marks.mark(model, [50, 51], "junk", by=By.USER, moment=99.0)
        for _ in range(20):
            store.marks.undo(model, moment=100.0)
        assert len(store.labels) == 21
        assert let_go(store, before=50.0).gone >= 0
    with open_store(home) as store:
        model = store.fold(open_model(store)).keep()
        assert learned(model) == learned(rebuilt(store, model))
        assert Doctor(store, 0.0).check().sound
        assert let_go(store, before=50.0).gone == 0


def test_imported_words_stay(home):
    with open_store(home) as store:
        other = Model(store.words.vocabulary)
        for number in range(200, 220):
            other.learn(content(store, number).sample, ("junk", "good")[number % 2])
        with store.transaction():
            store.words.write()
        model = open_model(store)
        store.marks.take_base(model, other.counts, other.keep(), moment=1.0)
        let_go(store, before=1e9)
        assert Doctor(store, 0.0).check().sound
        vocabulary = store.words.vocabulary
        assert {f"only{number}" for number in range(200, 220)} <= {vocabulary.word(n) for n in range(len(vocabulary))}
        assert "only1" not in vocabulary
        model = store.fold(open_model(store)).keep()
        store.marks.undo(model, moment=2.0)
        assert Doctor(store, 0.0).check().sound


def test_all_or_nothing(home):
    with open_store(home) as store:
        before = spoken(store, range(1, 61))
        with pytest.raises(ZeroDivisionError), store.transaction():
            let_go(store, before=30.0)
            raise ZeroDivisionError
        assert spoken(store, range(1, 61)) == before
        assert Doctor(store, 0.0).check().sound
