"""Tree-augmented Bayes against sums over all cases, done slowly."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbmail.core.counting.sample import Vocabulary, WordRows
from nbmail.core.methods import tree_augmented
from nbmail.core.methods.tree_augmented import NO_PARENT, TreeAugmented, information, pair_weights
from nbmail.core.scoring.explaining import explain
from nbmail.core.scoring.model import Model
from nbmail.values import GOOD, JUNK
from tests.core.material import class_scores, mailbox, sample, trained

SEEDS = st.integers(0, 2**32 - 1)


def presences(seed, classes=2, words=5):
    random = np.random.default_rng(seed)
    return [random.random((int(random.integers(1, 30)), words)) < random.random(words) for _ in range(classes)]


@settings(max_examples=20)
@given(SEEDS)
def test_weights_are_the_log_chances_of_the_whole_message(seed):
    tables = presences(seed)
    parents = np.array([NO_PARENT, 0, 0, 1, NO_PARENT])
    ones = np.stack([table.sum(axis=0) for table in tables])
    both = np.stack([(table & table[:, parents] & (parents != NO_PARENT)).sum(axis=0) for table in tables])
    weights = pair_weights(np.array([len(table) for table in tables]), ones, both, parents)
    for row, table in enumerate(tables):
        for message in itertools.product((0, 1), repeat=5):
            slow = sum(log_chance(table, message, word, parents[word]) for word in range(5))
            pairs = [message[word] * message[parent] * (parent >= 0) for word, parent in enumerate(parents)]
            fast = weights.base[row] + weights.words[row] @ message + weights.pairs[row] @ pairs
            assert fast == pytest.approx(slow, abs=1e-9)


def log_chance(table, message, word, parent):
    """Of the word being present or not, given its parent, smoothed by one message each way."""
    like = table if parent == NO_PARENT else table[table[:, parent] == message[parent]]
    return math.log(((like[:, word] == message[word]).sum() + 1) / (len(like) + 2))


def test_a_pair_that_always_comes_together_counts_once():
    """Naive Bayes believes two copies of one word twice; the tree knows better."""
    random = np.random.default_rng(2)
    names = [f"w{i}" for i in range(4)]
    tree, naive = Model(Vocabulary(names), "tree"), Model(Vocabulary(names), "bernoulli-complete")
    for _ in range(400):
        label = JUNK if random.random() < 0.5 else GOOD
        twins = [0, 1] if random.random() < (0.8 if label == JUNK else 0.2) else []
        others = [word for word in (2, 3) if random.random() < 0.5]
        for model in (tree, naive):
            model.learn(sample([*twins, *others]), label)
    rows = WordRows.of([sample([0, 1])])
    once = math.log(0.8 / 0.2)
    assert tree.log_odds(rows)[0] == pytest.approx(once, abs=0.6)
    assert naive.log_odds(rows)[0] > 1.5 * once
    pairs = [one for one in explain(tree, sample([0, 1])).contributions if one.place == "pair"]
    assert [pair.word for pair in pairs] in (["pair:w0 w1"], ["pair:w1 w0"])


def test_the_tree_holds_the_most_informative_words_alone():
    method = TreeAugmented(most_words=8)
    model = trained("tree", messages=0)
    model.implementation = method
    for one, label in mailbox(100):
        model.learn(one, label)
    model.log_odds(WordRows.of([sample([1])]))
    assert len(method._words) == 8
    worth = information(model.counts.documents, np.array(model.counts.messages))
    # Chosen from the first 64 messages: nearly the same words as from all hundred.
    assert len(set(method._words.tolist()) & set(np.argsort(-worth)[:12].tolist())) >= 5


def test_many_messages_are_laid_out_in_pieces(monkeypatch):
    whole = trained("tree")
    several = WordRows.of([one for one, _ in mailbox(40, seed=6)])
    expected = class_scores(whole, several)
    monkeypatch.setattr(tree_augmented, "_CHUNK", 7)
    assert np.array_equal(class_scores(trained("tree"), several), expected)


def test_the_prior_the_words_and_all_absent_words_are_separate_parts():
    """Each present word contributes its chance without its parent; a pair adds the difference made by the parent."""
    model = Model(Vocabulary([f"w{i}" for i in range(5)]), "tree")
    random = np.random.default_rng(5)
    mail = [
        (np.flatnonzero(random.random(5) < 0.5).tolist(), (JUNK, GOOD)[int(random.random() < 0.4)]) for _ in range(80)
    ]
    for words, label in mail:
        model.learn(sample(words), label)
    pair = model.counts.row(JUNK), model.counts.row(GOOD)
    tables = [
        np.array([[i in words for i in range(5)] for words, its in mail if its == label]) for label in (JUNK, GOOD)
    ]
    for words in ([], [0, 1, 2, 3, 4], [1, 3], [0, 2, 4]):
        parts = model.implementation.decompose(model.counts, pair, sample(words))
        assert parts.prior == pytest.approx(math.log(len(tables[0]) / len(tables[1])))
        message, parents = [i in words for i in range(5)], model.implementation._parents.tolist()

        def ratio(word, message=message, parents=parents):
            return log_chance(tables[0], message, word, parents[word]) - log_chance(
                tables[1], message, word, parents[word]
            )

        absent = sum(ratio(word) for word in range(5) if word not in words)
        assert parts.others[0][:2] == ("absent:words", pytest.approx(absent, abs=1e-9))
        assert parts.log_odds - parts.prior == pytest.approx(sum(map(ratio, range(5))), abs=1e-9)
        lonely = [word for word in words if parents[word] == NO_PARENT or parents[word] not in words]
        assert [parts.ratios[words.index(word)] for word in lonely] == pytest.approx([ratio(word) for word in lonely])
        explained = explain(model, sample(words), 100)
        lacked = {int(one.word[1:]): one.contribution for one in explained.absent.words}
        assert lacked == {word: pytest.approx(ratio(word), abs=1e-9) for word in range(5) if word not in words}
        pairs = {int(one.pair[1].word[1:]): one for one in explained.contributions if one.pair}
        assert pairs.keys() == set(words) - set(lonely)
        for word, one in pairs.items():
            assert one.pair[0].word == f"w{parents[word]}"
            both = [int((table[:, word] & table[:, parents[word]]).sum()) for table in tables]
            assert [one.junk, one.good] == both
