"""Properties of all methods."""

import copy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbmail.core.counting.counts import Counts
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.counting.word_rows import WordRows
from nbmail.core.explaining.explaining import explain, explain_class
from nbmail.core.scoring.model import Model
from nbmail.method_spec import METHODS
from nbmail.values import HAM, SPAM
from nbmail.worker.model.laboratory import method_named
from tests.core.material import (
    WORDS,
    class_scores,
    mailbox,
    once_trained,
    sample,
    text_sample,
    trained,
    vocabulary,
)

FOLDERS = ("work", "family", "lists")

WITH_ZEROS = (
    "multinomial smoothing=0",
    "complement smoothing=0",
    "bernoulli beta=1,1",
    "bernoulli-complete beta=1,1",
    "categorical virtual=0",
)
"""Maximum likelihood, whose probabilities can be zero."""
every_method = pytest.mark.parametrize("name", (*METHODS, *WITH_ZEROS))


def odds(model, *several):
    return model.log_odds(WordRows.of(several))


def state(model):
    kept = model.content()
    # The times of changes are no part of the state.
    counts = {
        key: value
        for key, value in model.counts.__dict__.items()
        if key not in ("changes", "_steps")
    }
    counts = copy.deepcopy(counts)
    held_out = np.nan_to_num(kept.held_out.parts.ravel(), nan=-99.0), kept.held_out.spam
    return (
        counts,
        kept.corrections,
        *held_out,
        odds(model, *(one for one, _ in mailbox(20, seed=99))),
    )


def assert_same_state(one, other):
    assert one[0].keys() == other[0].keys()
    for key, value in one[0].items():
        if isinstance(value, np.ndarray):
            assert np.array_equal(value[..., : WORDS + 2], other[0][key][..., : WORDS + 2]), key
        else:
            assert value == other[0][key], key
    assert_same_corrections(one[1], other[1])
    assert all(
        np.array_equal(first, second) for first, second in zip(one[2:], other[2:], strict=True)
    )


def assert_same_corrections(one, other):
    """Whole numbers, equal but for rows and columns of zeros at the end."""
    assert np.issubdtype(one.dtype, np.integer) and np.issubdtype(other.dtype, np.integer)
    shape = np.maximum(one.shape, other.shape)
    wide = [np.pad(table, [(0, more) for more in shape - table.shape]) for table in (one, other)]
    assert np.array_equal(*wide)


@every_method
def test_asking_changes_nothing_and_takes_no_memory(name):
    model = trained(name)
    before = state(model)
    far = sample(range(50_000, 90_000), measures=(1, 2, 3))
    odds(model, far)
    class_scores(model, WordRows.of([far]))
    for one, _ in mailbox(15, seed=5):
        odds(model, one)
        class_scores(model, WordRows.of([one]))
        explain(model, one)
        explain_class(model, one, HAM, SPAM)
        model.probabilities(odds(model, one))
    assert_same_state(before, state(model))
    assert model.counts.width <= 1024
    assert model.content().corrections.shape[1] <= 2048


@every_method
def test_the_order_of_words_does_not_matter(name):
    model = once_trained(name)
    forward = WordRows.of([sample([1, 2, 4, 5], [1, 2, 3, 1], (1, 2, 3))])
    backward = WordRows(
        forward.words[::-1].copy(),
        forward.starts,
        forward.occurrences[::-1].copy(),
        forward.measures,
    )
    assert model.log_odds(backward)[0] == pytest.approx(model.log_odds(forward)[0], abs=1e-9)


@every_method
def test_many_score_as_one_by_one_and_piece_after_piece(name):
    model = once_trained(name)
    several = [one for one, _ in mailbox(400, seed=8)]
    many = odds(model, *several)
    assert np.allclose(
        many, np.concatenate([odds(model, one) for one in several]), atol=1e-9, rtol=0
    )
    scorer = model.scorer()
    chunks = [scorer(WordRows.of(several[first : first + 50])) for first in range(0, 400, 50)]
    assert np.allclose(many, np.concatenate(chunks), atol=1e-9, rtol=0)
    classes = class_scores(model, WordRows.of(several))
    assert np.allclose(
        classes, [class_scores(model, WordRows.of([one]))[0] for one in several], atol=1e-9, rtol=0
    )
    # Which of two classes scores higher is the sign of the log-odds.
    clear = np.abs(many) > 1e-6
    spam = model.counts.row(SPAM)
    ham = model.counts.row(HAM)
    assert np.array_equal((classes[:, spam] > classes[:, ham])[clear], (many > 0)[clear])


@every_method
def test_unseen_words_and_untrained_classes_do_not_fail(name):
    unseen = sample([WORDS - 1, WORDS + 5, 3_000_000], [1, 2, 3], (1, 2, 3))
    empty = sample([], measures=(1, 2, 3))
    bare = sample([1, 2])
    model = Model(vocabulary(), method_named(name))
    assert (
        odds(model, unseen, empty).tolist()
        == model.scorer()(WordRows.of([unseen, empty])).tolist()
        == [0.0, 0.0]
    )
    assert class_scores(model, WordRows.of([unseen, empty])).shape == (2, 0)
    assert explain(model, unseen).verdict == "unsure"
    for one, label in mailbox(40):
        if label == SPAM:
            model.learn(one, label)
    assert model.verdicts(odds(model, unseen, empty)).tolist() == [0, 0]
    model.learn(sample([3], measures=(1, 2, 3)), HAM)
    last = model.learn(sample([4], measures=(1, 2, 3)), "work")
    for one in (unseen, empty, bare):
        assert np.isfinite(odds(model, one)).all()
        assert np.isfinite(class_scores(model, WordRows.of([one]))).all()
    contributions = model.implementation.decompose(model.counts, (0, 1), unseen).contributions
    assert contributions[1:].tolist() == [0.0, 0.0]
    model.unlearn(sample([4], measures=(1, 2, 3)), "work", last)
    assert np.isfinite(class_scores(model, WordRows.of([bare, unseen]))).all()
    assert len(model.log_odds(WordRows.join([]))) == 0
    assert class_scores(model, WordRows.of([])).shape == (0, 2)


@every_method
def test_taking_back_every_step_leaves_nothing(name):
    model = Model(vocabulary(), method_named(name))
    messages = mailbox(120, labels=(SPAM, HAM, "work"))
    states = {}
    steps = []
    for place, (one, label) in enumerate(messages):
        if place % 30 == 0:
            states[place] = state(model)
        steps.append(model.learn(one, label))
    for place in reversed(range(len(messages))):
        model.unlearn(*messages[place], steps[place])
        if place and place in states:
            assert_same_state(states[place], state(model))
    assert model.counts == Counts()
    assert not model.content().corrections.any()
    assert model.is_exact


@every_method
def test_thousands_of_random_operations_equal_learning_what_is_left(name):
    random = np.random.default_rng(11)
    pool = mailbox(60, seed=3)
    model = Model(vocabulary(), method_named(name))
    learned = []
    out_of_order = 0
    for _ in range(2500):
        if learned and random.random() < 0.5:
            # Mostly the latest label is taken back; now and then one from the middle, which
            # unsettles the model.
            place = (
                len(learned) - 1 if random.random() < 0.99 else int(random.integers(len(learned)))
            )
            one, label, step = learned.pop(place)
            model.unlearn(one, label, step if place == len(learned) else None)
            if not model.is_exact:
                out_of_order += 1
                assert np.isfinite(odds(model, pool[0][0])).all()
                model, learned = refolded(model, learned)
        else:
            one, label = pool[int(random.integers(len(pool)))]
            learned.append((one, label, model.learn(one, label)))
    assert out_of_order
    assert_same_state(state(refolded(model, learned)[0]), state(model))


def refolded(model, learned):
    fresh = model.fresh()
    return fresh, [(one, label, fresh.learn(one, label)) for one, label, _ in learned]


@every_method
def test_stored_state_restores_the_model_or_reports_that_it_cannot(name):
    messages = mailbox(90)
    whole = trained(name, messages=90)
    parts = Model(vocabulary(), method_named(name))
    for part in (messages[:20], messages[20:70], messages[70:]):
        for one, label in part:
            parts.learn(one, label)
        parts = stored_and_restored(parts)
    assert parts.is_exact == (name != "tree"), "pairs are not in counts"
    if parts.is_exact:
        assert_same_state(state(whole), state(parts))
    assert stored_and_restored(Model(vocabulary(), method_named(name))).is_exact


def stored_and_restored(model):
    again = Model(model.vocabulary, model.factory)
    again.restore(model.content())
    return again


@every_method
def test_words_learned_after_the_method_was_created_are_scored(name):
    known = Model(vocabulary(), method_named(name))
    empty = Model(Vocabulary(), method_named(name))
    messages = mailbox(120)
    numbered = []
    for one, label in messages:
        words = [known.vocabulary.word(int(word)) for word in one.words]
        numbered.append(text_sample(empty.vocabulary, words, one.occurrences, one.measures))
        empty.learn(numbered[-1], label)
        known.learn(one, label)
        assert np.isfinite(odds(empty, numbered[-1])).all()
    # The tree breaks ties between words by their numbers, which differ here.
    tolerance = 1e-9 if name != "tree" else 5.0
    assert np.allclose(
        odds(known, *(one for one, _ in messages)), odds(empty, *numbered), atol=tolerance
    )
    assert explain(empty, numbered[0]).contributions


def test_an_unknown_method_is_refused():
    with pytest.raises(ValueError, match="no method 'magic'"):
        method_named("magic")


def test_samples_without_measures_are_scored():
    model = once_trained("gaussian")
    spam, ham = (model.counts.messages[model.counts.row(label)] for label in (SPAM, HAM))
    for rows in (WordRows.of([sample([1])]), WordRows.join([np.array([1], np.int32)])):
        assert model.log_odds(rows).tolist() == [pytest.approx(np.log(spam / ham))]


STATES = st.integers(-(2**63), 2**63 - 1)
MESSAGES = st.integers(1, 2**30 - 1)


@pytest.mark.parametrize("name", ["balanced", "logistic"])
@given(
    messages=st.tuples(MESSAGES, MESSAGES),
    pairs=st.lists(st.tuples(STATES, STATES), min_size=1, max_size=20),
)
def test_what_two_models_remember_is_averaged_exactly(name, messages, pairs):
    """Sums in Python's integers, which never overflow: undivided, or in halves of a correction."""
    one, other = (np.array([[pair[place] for pair in pairs]], np.int64) for place in (0, 1))
    found = method_named(name).create(Vocabulary()).average(one, other, messages)

    def mean(first, second):
        return (first * messages[0] + second * messages[1]) // sum(messages)

    halves = [(mean(a >> 32, b >> 32) << 32) + mean(a % 2**32, b % 2**32) for a, b in pairs]
    assert found.tolist()[0] == (halves if name == "balanced" else [mean(a, b) for a, b in pairs])
