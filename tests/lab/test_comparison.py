"""Choice of a method on messages that it did not learn."""

import pytest

from nbmail.chunks import drain
from nbmail.core.counting.word_rows import WordRows
from nbmail.core.evaluation.trials import Trial, learn_all, only_spam_and_ham
from nbmail.lab.comparison import choosing
from nbmail.lab.rates import figures_of
from nbmail.values import HAM, SPAM
from tests.core.material import cases, fresh

FOLDERS = ("work", "family", "lists")


def split(names, data, learn, choose):
    trial = Trial(only_spam_and_ham(case.label for case in data))
    return drain(choosing(trial, fresh, names, data, (learn, choose), at_once=7))


def test_a_split_never_learns_what_it_reports():
    data = cases(200)
    choice = split(["bernoulli"], data, 140, 30)
    assert choice.best.method == "bernoulli"
    assert [outcome.label for outcome in choice.outcomes] == [case.label for case in data[170:]]
    model = fresh()
    learn_all(model, data[:170])
    expected = model.log_odds(WordRows.of([case.sample for case in data[170:]]))
    assert [outcome.score for outcome in choice.outcomes] == pytest.approx(expected.tolist())


@pytest.mark.parametrize("labels", [(SPAM, HAM), FOLDERS])
def test_a_split_chooses_by_its_second_part_alone(labels):
    data = cases(300, labels)
    trial = Trial(only_spam_and_ham(labels))
    assert trial.spam_or_ham == (labels is not FOLDERS)
    merits = {}
    for name in ("gaussian", "bernoulli-complete", "categorical"):
        model = fresh(name)
        learn_all(model, data[:200])
        figures = trial.figures(list(trial.judge(model, data[200:250])))
        merits[name] = (
            -figures["one_minus_auc_percent"] if trial.spam_or_ham else figures["accuracy_percent"]
        )
    choice = split(list(merits), data, 200, 50)
    assert [one.method for one in choice.candidates] == list(merits)
    assert choice.best.method == max(merits, key=merits.get)
    assert len(choice.outcomes) == 50
    assert split(["gaussian", "bernoulli"], data, 200, 0).best.method == "gaussian", (
        "nothing to choose by"
    )


def test_rates_of_spam_and_ham_are_counted_apart():
    figures = figures_of(split(["bernoulli"], cases(200), 140, 30).best.rates, True)
    assert figures.keys() == {
        f"{name}_{figure}"
        for name in ("accuracy", "arg_max", "spam_caught", "ham_lost")
        for figure in ("percent", "interval")
    }
    low, high = figures["spam_caught_interval"]
    assert low <= figures["spam_caught_percent"] <= high
