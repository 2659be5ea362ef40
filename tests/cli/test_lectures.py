"""The columns of the reasons equal the lectures' formulas, worked out without nbmail."""

import argparse
import ast
import contextlib
import copy
import io
import os
import random
import sys
from pathlib import Path

import pytest

from nbmail.cli.main import main
from nbmail.cli.opened_store import open_store
from nbmail.core.counting.sampling import sample_of
from nbmail.core.explaining.explaining import explain
from nbmail.core.mail.parser import parse
from nbmail.ui.evidence.breakdown.breakdown_lines import line_cells
from nbmail.ui.evidence.breakdown.breakdown_model import Detail
from nbmail.ui.evidence.breakdown.score_breakdown import break_down
from nbmail.ui.evidence.features.feature_texts import class_texts
from nbmail.ui.texts.number_texts import signed
from tests import lectures
from tests.needs import need_corpus

CLOSE = 1e-9
# Messages that are learned, and as many that are scored; of EVERY scored ones, parameters and the
# columns of the window are compared for one.
COUNT, EVERY = (100, 1) if os.environ.get("NBMAIL_TORTURE") else (60, 6)
SENDERS = ("anna@home.example", "bob@work.example", "win@prize.example", "shop@deals.example")


def write_mail(folder, count):
    """Write made-up messages, some of them HTML, and return their labels and paths."""
    chance = random.Random(5)
    entries = []
    words = [f"word{chr(97 + number // 26)}{chr(97 + number % 26)}" for number in range(60)]
    for number in range(count):
        spam = chance.random() < 0.4
        picked = [
            words[min(59, int(chance.expovariate(0.08)) + 10 * spam)]
            for _ in range(chance.randint(5, 40))
        ]
        body = " ".join(picked) + "!" * chance.randint(0, 4)
        kind = ""
        if chance.random() < 0.3:
            kind = "Content-Type: text/html; charset=utf-8\n"
            body = f"<p>{body}</p><a href='http://{chance.choice('abc')}.example/x'>go</a>"
        sender = chance.choice(SENDERS)
        hour = chance.randint(0, 23)
        heads = (
            f"From: {sender}\nTo: me@home.example\nSubject: "
            f"{' '.join(picked[: chance.randint(1, 4)])}\n"
            f"Date: {1 + number % 28} Jan 2024 {hour:02}:00:00 +0000\nMessage-ID: "
            f"<{number}@{sender[-12:]}>\n"
        )
        path = folder / f"{number}.eml"
        path.write_text(f"{heads}{kind}\n{body}\n")
        entries.append(("spam" if spam else "ham", str(path)))
    return entries


class Nbmail(lectures.Nbmail):
    """The command, run in this process."""

    def __init__(self, home):
        super().__init__([], home)

    def _run(self, name, *arguments):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            assert main([name, "--home", str(self._home), *map(str, arguments)]) == 0
        return printed.getvalue()


@pytest.fixture(scope="module")
def trial(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lectures")
    entries = write_mail(folder, 2 * COUNT)
    return lectures.Trial(entries[:COUNT], entries[COUNT:], Nbmail, folder)


@pytest.fixture(scope="module")
def few(trial):
    """Some of the tested messages."""
    found = copy.copy(trial)
    found.test = trial.test[::EVERY]
    found.tested = trial.tested[::EVERY]
    return found


def test_the_program_imports_nothing_of_nbmail():
    tree = ast.parse(Path(lectures.__file__).read_text())
    names = [
        each.name for node in ast.walk(tree) if isinstance(node, ast.Import) for each in node.names
    ]
    names += [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert set(names) <= sys.stdlib_module_names


@pytest.mark.parametrize("method", lectures.METHODS)
def test_the_columns_in_json_equal_the_formulas(trial, method):
    assert len(trial.tested) == COUNT
    assert trial.largest_difference(method) < CLOSE


@pytest.mark.parametrize(
    ("method", "options", "parameters"),
    [
        ("multinomial", ("--smoothing", "0.01"), {"alpha": 0.01}),
        ("complement", ("--smoothing", "0.5"), {"alpha": 0.5}),
        ("bernoulli", ("--beta", "3", "2.5"), {"beta": (2.0, 1.5)}),
        ("bernoulli-complete", ("--beta", "0.5", "1", "--estimate", "mean"), {"beta": (0.5, 1.0)}),
        ("categorical", ("--virtual", "3"), {"virtual": 3.0}),
    ],
)
def test_parameters_are_those_of_the_formulas(few, method, options, parameters):
    assert few.largest_difference(method, options, **parameters) < CLOSE
    assert few.largest_difference(method, options) > 0.01, "other parameters give other columns"


def test_the_tree_holds_the_most_conditional_information(trial):
    assert lectures.lacking_information(trial) == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("method", lectures.METHODS)
def test_the_columns_of_the_window_equal_the_formulas(few, method):
    by_hand = lectures.Lectures(few.learned, few.parents)
    options = argparse.Namespace(
        method=method, smoothing=None, beta=None, estimate=None, virtual=None
    )
    with open_store(few.home, read_only=True, options=options) as store:
        for (_, path), mail in zip(few.test, few.tested, strict=True):
            model = store.model.model
            why = explain(
                model,
                sample_of(parse(Path(path).read_bytes()), model.vocabulary),
                1_000_000,
                1_000_000,
            )
            expected = getattr(by_hand, method.replace("-", "_"))(mail)
            breakdown = break_down(why)
            lines = [line for line in breakdown.all_lines(()) if line.kind not in {"sum", "group"}]
            assert sum(line.adds for line in lines) == breakdown.total.adds
            found = [abs(why.prior - expected.prior)]
            seen = set()
            for line in lines:
                for each in line.features:
                    adds = expected.absent if each.word in expected.absent else expected.adds
                    if each.word in adds:
                        found.append(abs(each.contribution - adds[each.word]))
                        seen.add(each.word)
                    if each.word in expected.ratios:
                        found.append(abs(each.log_ratio - expected.ratios[each.word]))
                        found.append(abs(each.correction - expected.corrections[each.word]))
                if line.kind == "word":
                    check_cells(line)
            assert max(found) < CLOSE
            assert {
                word
                for word, adds in (expected.adds | expected.absent).items()
                if abs(adds) > CLOSE
            } <= seen


def check_cells(line):
    """The texts of a line are those that all its features share, and it adds what they add."""
    cells = line_cells(line)
    counts = {class_texts(each) for each in line.features}
    ratios = {signed(each.log_ratio) for each in line.features}
    assert cells[Detail.SPAM : Detail.HAM + 1] == (counts.pop() if len(counts) == 1 else ("", ""))
    assert cells[Detail.LOG_RATIO] == (ratios.pop() if len(ratios) == 1 else "")
    assert line.adds / 100 == pytest.approx(
        sum(each.contribution for each in line.features), abs=0.0201
    ), "two rounded parts"


def test_the_columns_agree_on_real_mail(tmp_path):
    """One hundred messages of the corpus, which are learned, beside one hundred others."""
    corpus = need_corpus("spamassassin")
    entries = [line.split(" ", 1) for line in (corpus / "index").read_text().splitlines()]
    chosen = random.Random(3).sample(entries, 200)
    entries = [("spam" if label == "spam" else "ham", str(corpus / path)) for label, path in chosen]
    real = lectures.Trial(entries[:100], entries[100:], Nbmail, tmp_path)
    for method in lectures.METHODS:
        assert real.largest_difference(method) < CLOSE, method
