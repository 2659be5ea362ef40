"""Ranking quality of all methods on real mail, compared with bogofilter and scikit-learn.

Needs NBMAIL_CORPORA (the folder with spamassassin, 20news and enron unpacked). All get the same
messages in the same order and score each message before learning it. bogofilter reads the raw mail,
scikit-learn the words of nbmail. `--alone`: without bogofilter and scikit-learn, which take long.
"""

import json
import random
import time

import numpy as np

from nbmail.cli.messages.index_files import indexed_messages
from nbmail.core.counting.sampling import sample_of
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.evaluation.metrics import false_negative_rate_at, one_minus_auc
from nbmail.core.evaluation.trials import Case, Trial, learn_all
from nbmail.core.mail.parser import parse
from nbmail.core.scoring.model import Model
from nbmail.method_spec import METHODS
from nbmail.values import SPAM
from nbmail.worker.model.laboratory import method_named
from tests.bench import _ranking_peers as peers
from tests.bench._frame import parser_of, unless_missing
from tests.needs import need_corpus

BATCH = 100
BOGOFILTER = "bogofilter"
RANKED = (
    "one_minus_auc_percent",
    "fn_percent_at_fp_0_1",
    "fn_percent_at_fp_1",
    "calibration_error_percent",
)


class Corpus:
    """Tokenized messages in order."""

    def __init__(self, index, shuffled=False):
        self.entries = indexed_messages(index)
        if shuffled:
            random.Random(1).shuffle(self.entries)
        self.raw = [entry.path.read_bytes() for entry in self.entries]
        self.labels = np.array([entry.label for entry in self.entries])
        self.vocabulary = Vocabulary()
        samples = (sample_of(parse(raw), self.vocabulary) for raw in self.raw)
        self.cases = [
            Case(entry.label, sample) for entry, sample in zip(self.entries, samples, strict=True)
        ]

    def table(self):
        return peers.counted(self.cases, len(self.vocabulary))


def online(corpus, methods, others):
    trial = Trial(True)
    spam = corpus.labels == SPAM
    for name in methods:
        began = time.perf_counter()
        figures = trial.figures(
            list(trial.online(Model(corpus.vocabulary, method_named(name)), corpus.cases))
        )
        yield line(name, began, **{each: figures[each] for each in RANKED})
    if BOGOFILTER in others:
        began = time.perf_counter()
        yield scored(BOGOFILTER, peers.bogofilter_scores(corpus.raw, spam), spam, began)
    table = corpus.table()
    for name in sorted(others & peers.PEERS.keys()):
        began = time.perf_counter()
        yield scored(name, peers.online_scores(name, table, spam), spam, began)


def scored(name, scores, spam, began):
    missed = (false_negative_rate_at(scores, spam, lost) for lost in (0.001, 0.01))
    shares = (100 * share for share in (one_minus_auc(scores, spam), *missed))
    return line(name, began, **dict(zip(RANKED, (*shares, None), strict=True)))


def line(name, began, **figures):
    return {"who": name, **figures, "seconds": time.perf_counter() - began}


def accuracy(name, began, share):
    return line(name, began, accuracy_percent=100 * float(share))


def split(corpus, methods, others, learn):
    """Learn the first messages, classify the others."""
    trial = Trial(False)
    for name in methods:
        began = time.perf_counter()
        model = Model(corpus.vocabulary, method_named(name))
        learn_all(model, corpus.cases[:learn])
        outcomes = list(trial.judge(model, corpus.cases[learn:]))
        yield accuracy(name, began, trial.figures(outcomes)["accuracy_percent"] / 100)
    table = corpus.table()
    for name in sorted(others & peers.PEERS.keys()):
        began = time.perf_counter()
        given = peers.present(table) if peers.PEERS[name][1] else table
        predicted = peers.fitted(name, given[:learn], corpus.labels[:learn]).predict(given[learn:])
        yield accuracy(name, began, np.mean(predicted == corpus.labels[learn:]))


def timeline(corpus, methods, others):
    """Learn the first 100 k messages, classify the next 100. The accuracy is the mean over k."""
    trial = Trial(False)
    for name in methods:
        began = time.perf_counter()
        figures = trial.figures(
            list(trial.timeline(Model(corpus.vocabulary, method_named(name)), corpus.cases, BATCH))
        )
        yield accuracy(name, began, figures["accuracy_percent"] / 100)
    table = corpus.table()
    for name in sorted(others & peers.PEERS.keys()):
        began = time.perf_counter()
        rights = peers.timeline_rights(name, table, corpus.labels, BATCH)
        yield accuracy(name, began, np.mean([np.mean(batch) for batch in rights if batch]))


RUNS = {
    "spamassassin, by date, online": ("spamassassin", "index", False, online),
    "spamassassin, shuffled, online": ("spamassassin", "index", True, online),
    "20news, bydate": ("20news", "index", False, lambda *given: split(*given, 11_314)),
    "20news, random two thirds": (
        "20news",
        "index",
        True,
        lambda corpus, *given: split(corpus, *given, 2 * len(corpus.cases) // 3),
    ),
    "enron farmer-d, timeline": ("enron", "index.farmer-d", False, timeline),
    "enron lokay-m, timeline": ("enron", "index.lokay-m", False, timeline),
}


def show(name, lines):
    """Print the table of a run, best first."""
    keys = [key for key in lines[0] if key != "who"]
    better = -1 if "accuracy_percent" in lines[0] else 1
    print(f"\n{name}\n  {'':28}" + "".join(f"{key.removesuffix('_percent'):>22}" for key in keys))
    for each in sorted(lines, key=lambda each: better * each[keys[0]]):
        values = ("" if each[key] is None else f"{each[key]:.3f}" for key in keys)
        print(f"  {each['who']:28}" + "".join(f"{value:>22}" for value in values), flush=True)


def run(arguments):
    parser = parser_of(__doc__, alone=False)
    parser.add_argument(
        "--only", action="append", default=[], help="only runs whose name contains this"
    )
    parser.add_argument("--methods", nargs="*", default=METHODS, choices=METHODS)
    chosen = parser.parse_args(arguments)
    others = set() if chosen.alone else {BOGOFILTER, *peers.PEERS}
    report = {}
    for name, (folder, index, shuffled, protocol) in RUNS.items():
        if chosen.only and not any(word in name for word in chosen.only):
            continue
        with unless_missing(name):
            corpus = Corpus(need_corpus(folder) / index, shuffled)
            report[name] = list(protocol(corpus, chosen.methods, others))
            if not chosen.json:
                show(name, report[name])
    if chosen.json:
        print(json.dumps(report, indent=2))
    return 0
