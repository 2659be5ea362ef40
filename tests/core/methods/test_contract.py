"""What holds for every method there is."""

import copy

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import Sample, Vocabulary, WordRows
from nbmail.core.judging.model import GOOD, JUNK, Learned, Model
from nbmail.core.methods import registry
from tests.core.material import WORDS, mailbox, sample, samples, text_sample, trained, vocabulary

PAIR = (JUNK, GOOD)
FOLDERS = ("work", "family", "lists")

every_method = pytest.mark.parametrize("name", registry.NAMES)


def odds(model, *several):
    return model.log_odds(WordRows.of(several))


def state(model):
    """Everything a model holds that scores depend on."""
    kept = model.keep()
    counts = copy.deepcopy(model.counts.__dict__)
    # When something was changed says nothing about what it is now.
    del counts["changes"], counts["_steps"]
    return (
        counts,
        kept.corrections.copy(),
        kept.held_out_scores,
        kept.held_out_junk,
        odds(model, *(one for one, _ in mailbox(20, seed=99))),
    )


def assert_same_state(one, other):
    assert one[0].keys() == other[0].keys()
    used = WORDS + 2
    for key, value in one[0].items():
        if isinstance(value, np.ndarray):
            assert np.array_equal(value[..., :used], other[0][key][..., :used]), key
        else:
            assert value == other[0][key], key
    assert_same_corrections(one[1], other[1])
    assert np.array_equal(one[2], other[2])
    assert np.array_equal(one[3], other[3])
    assert np.array_equal(one[4], other[4])


def assert_same_corrections(one, other):
    """Whole numbers, equal but for rows and columns of zeros at the end."""
    assert np.issubdtype(one.dtype, np.integer) and np.issubdtype(other.dtype, np.integer)
    shape = np.maximum(one.shape, other.shape)
    wide = [np.pad(table, [(0, more) for more in shape - table.shape]) for table in (one, other)]
    assert np.array_equal(*wide)


@every_method
def test_predicting_changes_nothing(name):
    model = trained(name)
    before = state(model)
    for one, _ in mailbox(15, seed=5):
        odds(model, one)
        model.class_scores(WordRows.of([one]))
        model.explain(one)
        model.explain(one, wanted=GOOD, other=JUNK)
        model.verdicts(odds(model, one))
        model.probabilities(odds(model, one))
    assert_same_state(before, state(model))


@every_method
def test_the_order_of_words_does_not_matter(name):
    clues = [(("w1", "w2", "w4", "fact:shade0=v0"), (1, 2, 3, 1)), (("w4", "fact:shade0=v0", "w2", "w1"), (3, 1, 2, 1))]
    found = []
    for words, times in clues:
        model = trained(name)
        place = model.vocabulary.numbers_of(words)
        order = np.argsort(place)
        one = sample(place, np.array(times)[order], (1, 2, 3))
        found.append(odds(model, one)[0])
        forward = WordRows.of([one])
        backward = WordRows(
            forward.words[::-1].copy(), forward.starts, forward.occurrences[::-1].copy(), forward.measures
        )
        assert model.log_odds(backward)[0] == pytest.approx(found[-1], abs=1e-9)
    assert found[0] == found[1]


@every_method
def test_scoring_many_equals_scoring_one_by_one(name):
    model = trained(name)
    several = [one for one, _ in mailbox(400, seed=8)]
    many = odds(model, *several)
    ones = np.concatenate([odds(model, one) for one in several])
    assert np.allclose(many, ones, atol=1e-9, rtol=0)
    classes = model.class_scores(WordRows.of(several))
    assert np.allclose(classes, [model.class_scores(WordRows.of([one]))[0] for one in several], atol=1e-9, rtol=0)
    junk, good = model.counts.row(JUNK), model.counts.row(GOOD)
    assert classes.shape == (400, 2)
    # Which of two classes scores higher is the sign of the log-odds.
    clear = np.abs(many) > 1e-6
    assert np.array_equal((classes[:, junk] > classes[:, good])[clear], (many > 0)[clear])


@every_method
def test_a_scorer_says_what_the_model_says_for_piece_after_piece(name):
    model = trained(name)
    scorer = model.scorer()
    for seed in (5, 6):
        rows = WordRows.of([one for one, _ in mailbox(30, seed=seed)])
        assert np.allclose(scorer(rows), model.log_odds(rows), atol=1e-9, rtol=0)
    rows = WordRows.of([sample([1, 2])])
    only_one = Model(vocabulary(), name)
    assert only_one.scorer()(rows).tolist() == [0.0]
    only_one.learn(sample([1]), JUNK)
    assert np.array_equal(only_one.scorer()(rows), only_one.log_odds(rows))


@every_method
@settings(max_examples=25)
@given(one=samples(), seed=st.integers(0, 5))
def test_shares_add_up_to_the_odds(name, one, seed):
    model = trained(name, messages=50, seed=seed)
    pair = model.counts.row(JUNK), model.counts.row(GOOD)
    shares = model._method.shares(model.counts, pair, one)
    assert shares.log_odds == pytest.approx(odds(model, one)[0], abs=1e-9)
    assert len(shares.contributions) == len(shares.ratios) == len(shares.corrections) == len(one.words)
    turned = model._method.shares(model.counts, pair[::-1], one)
    assert turned.log_odds == pytest.approx(-shares.log_odds, abs=1e-9)


@every_method
def test_unseen_words_and_untrained_classes_do_not_fail(name):
    unseen = sample([WORDS - 1, WORDS + 5, 3_000_000], [1, 2, 3], (1, 2, 3))
    empty, bare = sample([], measures=(1, 2, 3)), sample([1, 2])
    model = Model(vocabulary(), name)
    assert odds(model, unseen, empty).tolist() == [0.0, 0.0]
    assert model.class_scores(WordRows.of([unseen, empty])).shape == (2, 0)
    assert model.explain(unseen).verdict == "unsure"
    only_junk = [(one, label) for one, label in mailbox(40) if label == JUNK]
    for one, label in only_junk:
        model.learn(one, label)
    assert model.verdicts(odds(model, unseen, empty)).tolist() == [0, 0]
    model.learn(sample([3], measures=(1, 2, 3)), GOOD)
    last = model.learn(sample([4], measures=(1, 2, 3)), "work")
    for one in (unseen, empty, bare):
        assert np.isfinite(odds(model, one)).all()
        assert np.isfinite(model.class_scores(WordRows.of([one]))).all()
    model.unlearn(sample([4], measures=(1, 2, 3)), "work", last)
    assert np.isfinite(model.class_scores(WordRows.of([bare, unseen]))).all()


@every_method
def test_words_never_learned_say_nothing(name):
    model = trained(name)
    with_new = sample([1, 2, WORDS + 1, 900_000], measures=(1, 2, 3))
    contributions = model._method.shares(model.counts, (0, 1), with_new).contributions
    assert contributions[2:].tolist() == [0.0, 0.0]


@every_method
def test_taking_back_every_step_leaves_nothing(name):
    model = Model(vocabulary(), name)
    messages = mailbox(150, labels=(JUNK, GOOD, "work"))
    states, steps = [], []
    for place, (one, label) in enumerate(messages):
        if place % 30 == 0:
            states.append(state(model))
        steps.append(model.learn(one, label))
    for place in reversed(range(len(messages))):
        model.unlearn(*messages[place], steps[place])
        if place % 30 == 0:
            emptied = state(model)
            if place == 0:
                assert model.counts == Counts()
                assert_same_corrections(emptied[1], np.zeros((0, 0), np.int64))
            else:
                assert_same_state(states.pop(), emptied)
        else:
            states = states[: place // 30 + 1]
    assert model.settled


@every_method
def test_ten_thousand_random_operations_equal_learning_what_is_left(name):
    random = np.random.default_rng(11)
    pool = mailbox(60, seed=3)
    model, learned, out_of_order = Model(vocabulary(), name), [], False
    for _ in range(10_000):
        if learned and random.random() < 0.5:
            # Mostly the latest label is taken back; now and then one from the middle, which unsettles the model.
            latest = random.random() < 0.999
            place = len(learned) - 1 if latest else int(random.integers(len(learned)))
            one, label, step = learned.pop(place)
            model.unlearn(one, label, step if place == len(learned) else None)
            out_of_order |= place != len(learned)
            if not model.settled:
                model, learned = refolded(model, learned)
        else:
            one, label = pool[int(random.integers(len(pool)))]
            learned.append((one, label, model.learn(one, label)))
    assert out_of_order
    again, _ = refolded(model, learned)
    assert_same_state(state(again), state(model))


def refolded(model, learned):
    fresh = model.fresh()
    return fresh, [(one, label, fresh.learn(one, label)) for one, label, _ in learned]


@every_method
def test_one_pass_equals_three_partial_ones(name):
    messages = mailbox(90)
    whole = trained(name, messages=0)
    for one, label in messages:
        whole.learn(one, label)
    parts = Model(vocabulary(), name)
    for part in (messages[:20], messages[20:70], messages[70:]):
        for one, label in part:
            parts.learn(one, label)
        parts = stored_and_restored(parts, [message for message in messages if message in part])
    if parts.settled:
        assert_same_state(state(whole), state(parts))


def stored_and_restored(model, _):
    """The same model as another run of the program finds it."""
    again = Model(model.vocabulary, model.method)
    kept = model.keep()
    copied = Learned(kept.corrections.copy(), kept.held_out_scores, kept.held_out_junk)
    counts = model.counts
    tables = counts.documents.copy(), counts.occurrences.copy()
    again.restore(Counts.build(counts.classes, counts.messages, *tables, counts.measures), copied)
    return again


@every_method
def test_what_is_kept_brings_the_model_back_or_says_that_it_cannot(name):
    model = trained(name)
    again = stored_and_restored(model, None)
    if again.settled:
        assert_same_state(state(model), state(again))
    else:
        assert name == "tree", "pairs are not in counts"
    nothing = stored_and_restored(Model(vocabulary(), name), None)
    assert nothing.settled


@every_method
def test_what_is_kept_of_some_words_are_their_columns(name):
    model = trained(name)
    whole, words = model.keep(), np.array([3, 50, 59, 5_000_000], np.int32)
    part = model.keep(words)
    assert part.held_out_scores.tolist() == whole.held_out_scores.tolist()
    for row, column in zip(whole.corrections, part.corrections, strict=True):
        assert column.tolist() == [row[word] if word < len(row) else 0 for word in words.tolist()]


@every_method
def test_words_met_after_the_method_was_made_are_heard(name):
    known, empty = Model(vocabulary(), name), Model(Vocabulary(), name)
    messages = mailbox(120)
    spelled = [[known.vocabulary.word(int(word)) for word in one.words] for one, _ in messages]
    numbered = []
    for words, (one, label) in zip(spelled, messages, strict=True):
        numbered.append(text_sample(empty.vocabulary, words, one.occurrences, one.measures))
        empty.learn(numbered[-1], label)
        known.learn(one, label)
        assert np.isfinite(odds(empty, numbered[-1])).all()
    # The tree breaks ties between words by their numbers, which differ here.
    tolerance = 1e-9 if name != "tree" else 5.0
    assert np.allclose(odds(known, *(one for one, _ in messages)), odds(empty, *numbered), atol=tolerance)
    assert empty.explain(numbered[0]).contributions


@every_method
def test_memory_is_bounded_by_what_was_learned(name):
    model = trained(name, messages=50)
    for _ in range(3):
        model.log_odds(WordRows.of([sample(range(50_000, 90_000))]))
        model.class_scores(WordRows.of([sample(range(50_000, 90_000))]))
        model.explain(sample([1, 2]))
    assert model.counts.width <= 1024
    assert model.keep().corrections.shape[1] <= 2048


@every_method
def test_more_than_two_classes(name):
    model = trained(name, messages=300, labels=FOLDERS)
    rows = WordRows.of([one for one, _ in mailbox(30, seed=4)])
    scores = model.class_scores(rows)
    assert scores.shape == (30, 3)
    assert np.isfinite(scores).all()
    assert model.log_odds(rows).tolist() == [0.0] * 30


def test_methods_have_names_and_sources():
    assert tuple(registry._METHODS) == registry.NAMES
    assert len(set(registry.NAMES)) == len(registry.NAMES) == 9
    assert registry.DEFAULT in registry.NAMES
    for name in registry.NAMES:
        method = registry.create(name, Vocabulary())
        assert method.name == name
        assert method.source
    with pytest.raises(ValueError, match="no method 'magic'"):
        Model(method="magic")


def test_samples_without_measures_are_heard():
    model = trained("gaussian")
    assert odds(model, sample([1])).tolist() == [pytest.approx(odds_of_priors(model))]
    assert model.log_odds(WordRows.join([np.array([1], np.int32)])).tolist() == [pytest.approx(odds_of_priors(model))]
    assert isinstance(sample([1]), Sample)


def odds_of_priors(model):
    junk, good = (model.counts.messages[model.counts.row(label)] for label in PAIR)
    return np.log(junk / good)


def test_what_was_derived_before_a_change_is_not_used_after_it():
    messages = mailbox(40, labels=FOLDERS)
    model, rows = Model(vocabulary(), "bernoulli-complete"), WordRows.of([sample([1, 30, 50])])
    for one, label in messages:
        model.learn(one, label)
        fresh = Model(vocabulary(), "bernoulli-complete")
        fresh.restore(model.counts, model.keep())
        assert np.array_equal(model.class_scores(rows), fresh.class_scores(rows))
    for one, label in messages[:35]:
        model.unlearn(one, label)
        fresh.restore(model.counts, model.keep())
        assert np.allclose(model.class_scores(rows), fresh.class_scores(rows), atol=1e-12)
    other = trained("bernoulli-complete", labels=FOLDERS)
    fresh.restore(other.counts, other.keep())
    assert np.array_equal(fresh.class_scores(rows), other.class_scores(rows))


STATES = st.integers(-(2**63), 2**63 - 1)
MESSAGES = st.integers(1, 2**30 - 1)


@every_method
@given(messages=st.tuples(MESSAGES, MESSAGES), pairs=st.lists(st.tuples(STATES, STATES), min_size=1, max_size=20))
def test_what_two_models_remember_is_averaged_exactly(name, messages, pairs):
    """By Python's whole numbers, which never overflow: undivided, or the two halves of a correction apart."""
    one, other = (np.array([[pair[place] for pair in pairs]], np.int64) for place in (0, 1))
    found = registry.create(name, Vocabulary()).average(one, other, messages)

    def mean(first, second):
        return (first * messages[0] + second * messages[1]) // sum(messages)

    halves = [(mean(a >> 32, b >> 32) << 32) + mean(a % 2**32, b % 2**32) for a, b in pairs]
    assert found.tolist()[0] == (halves if name == "balanced" else [mean(a, b) for a, b in pairs])
