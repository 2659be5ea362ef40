"""Learning a batch in compiled code equals learning one at a time in Python, bit for bit."""

from dataclasses import replace
from itertools import cycle, islice

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from nbmail.core.calibration.family_weights import blend
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.methods import balanced, evidence
from nbmail.core.methods.evidence import LONGEST
from nbmail.core.scoring.model import Model
from nbmail.values import HAM, SPAM
from tests.core.material import mailbox, sample, samples, vocabulary
from tests.needs import need_compiled

COMPILED = balanced.compiled_learning
labels = st.sampled_from([SPAM, HAM, SPAM, HAM, "work"])
mails = st.lists(st.tuples(samples(), labels), max_size=30)


@pytest.fixture(autouse=True, scope="module")
def _compiled():
    need_compiled("learning", evidence.VERSION)


class Plain:
    """While it is open, nothing is compiled."""

    def __enter__(self):
        balanced.compiled_learning = None
        evidence.compiled_scoring = None

    def __exit__(self, *_):
        balanced.compiled_learning = COMPILED
        evidence.compiled_scoring = COMPILED


def learn(model, messages, sizes):
    steps = []
    left = iter(messages)
    for size in cycle(sizes):
        part = list(islice(left, size))
        if not part:
            return steps
        steps += model.learn_many([one for one, _ in part], [label for _, label in part])
    return steps


def state(model):
    counts = model.counts
    kept = model.content()
    tables = [counts.documents, counts.occurrences, kept.corrections]
    cut = [[np.trim_zeros(row, "b").tolist() for row in table if row.any()] for table in tables]
    beside = [counts.classes, counts.messages, counts.measures, counts.words]
    totals = [counts.occurrence_totals, np.trim_zeros(counts.holders, "b").tolist()]
    scores = [score.hex() for score in kept.held_out.parts.ravel().tolist()]
    return [cut, beside, totals, scores, kept.held_out.spam.tolist()]


def both(messages, sizes, words=None, before=()):
    """Learn in both ways, after others were learned and some of those taken back."""
    plain, quick = models = [Model(words or vocabulary()) for _ in range(2)]
    with Plain():
        for model in models:
            learn(model, before, [1])
            for one, label in before[::2]:
                model.unlearn(one, label)
        expected = learn(plain, messages, [1])
    assert learn(quick, messages, sizes) == expected
    assert state(quick) == state(plain)
    return quick


@given(mails, mails, st.lists(st.integers(1, 12), min_size=1, max_size=6))
@example([(sample([]), SPAM), (sample([]), HAM), (sample([]), SPAM)], [], [1])
@example([(sample([1, 2]), HAM)] * 5 + [(sample([1, 2]), SPAM)] * 5, [], [9])
def test_any_messages_in_any_pieces_after_any_others(messages, before, sizes):
    both(messages, sizes, before=before)


@pytest.mark.parametrize(
    "classes", [(SPAM,), (HAM,), (SPAM, HAM), (SPAM, HAM, "work"), ("work", SPAM)]
)
def test_a_mailbox(classes):
    both(mailbox(400, seed=4, labels=classes), [1, 7, 100, 3])


def test_messages_longer_than_one_piece_of_exact_sums():
    chance = np.random.default_rng(3)
    words = Vocabulary(map(str, range(4 * LONGEST)))
    messages = []
    for number in range(12):
        picked = chance.choice(4 * LONGEST, 2 * LONGEST + 1 if number % 3 else 10, replace=False)
        messages.append(
            (sample(picked, chance.integers(1, 2**31 - 1, len(picked))), (SPAM, HAM)[number % 2])
        )
    both(messages, [5], words)


def test_the_stored_score_equals_the_listed_one():
    model = Model(vocabulary())
    for one, label in mailbox(100):
        (listed,), calibrated = model.log_odds(model.rows([one])), model.calibrated
        weights = model.held_out.weights
        model.learn(one, label)
        (kept,) = blend(model.held_out.stored.parts[-1:], weights)
        assert kept == listed or not calibrated


def test_samples_read_from_a_file_need_not_be_writable_nor_aligned():
    def stored(one):
        blob = b"x" + one.words.tobytes()
        return replace(one, words=np.frombuffer(blob, "<i4", offset=1))

    both([(stored(one), label) for one, label in mailbox(60)], [1, 20])


def test_measures_of_any_length_and_size():
    messages = [(sample([1], measures=[2**70, -3]), SPAM), (sample([2], measures=[5]), HAM)] * 2
    model = both(
        [*messages, (sample([1], measures=[1]), SPAM), (sample([1], measures=[1, 2, 3]), SPAM)],
        [2, 9],
    )
    assert model.counts.measures[0] == [[4, 2**71 + 2, 2**141 + 2], [3, -4, 22], [1, 3, 9]]


def test_words_that_do_not_rise_are_refused_and_change_nothing():
    model = Model(vocabulary())
    learn(model, mailbox(40), [40])
    before = state(model)
    for words in ([3, 3], [4, 2], [-1, 2]):
        wrong = replace(sample([1, 2]), words=np.array(words, np.int32))
        with pytest.raises(ValueError, match="don't fit"):
            model.learn_many([sample([1]), wrong], [SPAM, SPAM])
        assert state(model) == before


# ------------------------------------------------------------------------------------ the compiled
# function


def tables():
    """Sound arguments: two messages of one word each."""

    def side():
        return np.zeros(4, np.int32), np.zeros(4, np.int64), np.zeros(4, np.int64), 1

    mail = (
        np.ones(2, np.int32),
        np.ones(2, np.int32),
        np.arange(3, dtype=np.int64),
        np.array([True, False]),
    )
    return [
        *mail,
        side(),
        side(),
        np.zeros(4, np.int32),
        np.zeros(8),
        np.zeros(8),
        np.zeros(8),
        np.zeros(2, np.int64),
        np.array([0, 2, 1, 0], np.int8),
    ]


class Number:
    """An integer of its own kind, whose conversion runs code that could change the arrays."""

    def __index__(self):
        raise AssertionError("no code of the caller may run")


def side_with(place, value):
    return lambda side: (*side[:place], value(side[place]), *side[place + 1 :])


def frozen(array):
    array.flags.writeable = False
    return array


WRONG = {
    "words beyond the tables": (0, lambda words: words + 3),
    "negative words": (0, lambda words: -words),
    "words of another kind": (0, lambda words: words.astype(np.int64)),
    "floats for words": (0, lambda words: words.astype(np.float32)),
    "words with gaps": (0, lambda words: np.repeat(words, 2)[::2]),
    "words of the other byte order": (0, lambda words: words.astype(">i4")),
    "no array": (0, lambda words: None),
    "too few occurrences": (1, lambda times: times[:1]),
    "starts beyond the words": (2, lambda starts: starts + 1),
    "negative starts": (2, lambda starts: starts - 1),
    "falling starts": (2, lambda starts: starts[[0, 2, 1]]),
    "a start far outside between": (2, lambda starts: starts * np.array([0, 2**60, 1])),
    "too few starts": (2, lambda starts: starts[:1]),
    "no starts": (2, lambda starts: starts[:0]),
    "too many labels": (3, lambda labels: np.ones(9, np.bool_)),
    "labels that are numbers": (3, lambda labels: labels.astype(np.int8)),
    "a class not met": (5, lambda side: None),
    "a class with too few parts": (5, lambda side: side[:3]),
    "a class that is no tuple": (5, list),
    "a class of negative size": (5, side_with(3, lambda messages: -1)),
    "a class too large for the logarithms": (5, side_with(3, lambda messages: 7)),
    "a class of a size that is no whole number": (5, side_with(3, lambda messages: Number())),
    "a class of a size beyond 64 bits": (5, side_with(3, lambda messages: 2**70)),
    "narrow documents": (4, side_with(0, lambda row: row[:1])),
    "narrow occurrences": (4, side_with(1, lambda row: row[:1])),
    "narrow corrections": (5, side_with(2, lambda row: row[:1])),
    "corrections that may not change": (5, side_with(2, frozen)),
    "narrow holders": (6, lambda holders: holders[:1]),
    "no logarithms": (7, lambda logs: logs[:0]),
    "too few levels": (8, lambda levels: levels[:2]),
    "scores of another kind": (9, lambda scores: scores.astype(np.float32)),
    "too few scores": (9, lambda scores: scores[:7]),
    "scores that may not change": (9, frozen),
    "too few errors": (10, lambda errors: errors[:1]),
    "narrow families": (11, lambda families: families[:1]),
    "families of another kind": (11, lambda families: families.astype(np.int32)),
    "a family beyond the last": (11, lambda families: families + 2),
    "a negative family": (11, lambda families: -families),
}


@pytest.mark.parametrize(("place", "value"), WRONG.values(), ids=WRONG)
def test_what_does_not_fit_is_refused_before_anything_changes(place, value):
    arguments = tables()
    arguments[place] = value(arguments[place])
    with pytest.raises((TypeError, ValueError, BufferError, OverflowError)):
        COMPILED.learn(*arguments)
    for side in arguments[4:6]:
        assert side is None or not any(np.any(row) for row in side[:3])
    assert not np.any(arguments[6])


@pytest.mark.parametrize(
    "written", [(4, 0), (4, 1), (4, 2), (5, 0), (5, 1), (5, 2), (6, None), (9, None), (10, None)]
)
def test_what_is_written_to_may_share_no_memory_with_anything_else(written):
    every = [(place, None) for place in range(12) if place not in (4, 5)]
    for other in [*every, *((place, part) for place in (4, 5) for part in range(3))]:
        if other == written:
            continue
        arguments = tables()
        one = part_of(arguments, written)
        two = part_of(arguments, other)
        memory = np.zeros(one.nbytes + two.nbytes, np.uint8)
        # The other begins in the last number of the first, at a place where its own numbers may
        # lie.
        beginning = (one.nbytes - 1) // two.itemsize * two.itemsize
        place(arguments, written, memory[: one.nbytes].view(one.dtype), one)
        place(arguments, other, memory[beginning : beginning + two.nbytes].view(two.dtype), two)
        before = memory.copy()
        with pytest.raises(ValueError, match="don't fit"):
            COMPILED.learn(*arguments)
        assert np.array_equal(memory, before)


def part_of(arguments, where):
    return arguments[where[0]] if where[1] is None else arguments[where[0]][where[1]]


def place(arguments, where, array, content):
    array[:] = content
    arguments[where[0]] = (
        array if where[1] is None else side_with(where[1], lambda _: array)(arguments[where[0]])
    )


def test_neighbours_in_one_memory_are_apart_and_the_number_of_arguments_is_checked():
    arguments = tables()
    rows = np.zeros((2, 4), np.int64)
    for where, row in zip((4, 5), rows, strict=True):
        place(arguments, (where, 1), row, row)
    assert COMPILED.learn(*arguments) == (1, 1, 1)
    assert rows.tolist() == [[0, 1, 0, 0], [0, 1, 0, 0]]
    with pytest.raises(TypeError):
        COMPILED.learn(*tables()[:-1])


def test_scoring_in_compiled_code_is_that_of_python():
    model = Model(vocabulary())
    learn(model, mailbox(200, seed=6), [200])
    model.implementation.family_weights = (0.3, 0.1, 0.2)
    asked = [one for one, _ in mailbox(60, seed=7)] + [sample([]), sample(range(60))]
    for some in (asked, asked[:1], asked[-2:-1], []):
        rows = model.rows(some)
        quick = model.log_odds(rows).tolist()
        with Plain():
            assert model.log_odds(rows).tolist() == quick


def scoring_arguments():
    """Sound arguments: two messages of one word each."""
    return [
        np.ones(2, np.int32),
        np.arange(3, dtype=np.int64),
        np.zeros(8),
        np.array([0, 2, 1, 0], np.int8),
        np.zeros(8),
        False,
    ]


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (0, lambda words: words + 3),
        (0, lambda words: -words),
        (0, lambda words: words.astype(np.int64)),
        (1, lambda starts: starts + 1),
        (1, lambda starts: starts - 1),
        (1, lambda starts: starts[[0, 2, 1]]),
        (1, lambda starts: starts[:0]),
        (2, lambda packed: packed[:0]),
        (2, lambda packed: packed[:7]),
        (3, lambda families: families[:1]),
        (3, lambda families: families + 2),
        (3, lambda families: -families),
        (4, lambda scores: scores[:7]),
        (4, frozen),
        (5, lambda aligned: True),
    ],
)
def test_scoring_refuses_what_does_not_fit(place, value):
    arguments = scoring_arguments()
    COMPILED.score(*arguments)
    arguments[place] = value(arguments[place])
    with pytest.raises((TypeError, ValueError, BufferError)):
        COMPILED.score(*arguments)


def test_scores_share_no_memory_with_what_is_read():
    for place in range(4):
        arguments = scoring_arguments()
        memory = np.zeros(16)
        arguments[place] = memory.view(arguments[place].dtype)[: len(arguments[place])]
        arguments[4] = memory[:8]
        with pytest.raises(ValueError, match="don't fit"):
            COMPILED.score(*arguments)
    with pytest.raises(TypeError):
        COMPILED.score()


def test_counts_beyond_the_logarithms_use_the_nearest():
    arguments = tables()
    arguments[4][0][1] = 2**31 - 1
    arguments[5][0][1] = -5
    COMPILED.learn(*arguments)
    assert np.isfinite(arguments[9]).all()
