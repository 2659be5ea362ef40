"""What letting go of words costs: accuracy and size with and without, on real mail, score first, learn then.

Needs NBMAIL_CORPORA (the folder with spamassassin unpacked). Messages come in the corpus's order and shuffled; after
every thousand, words that a single message holds are let go if that message came more than a thousand messages ago.
"""

import argparse
import json
import os
import random
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from nbmail.cli.files import indexed_messages
from nbmail.core.evaluation.ranking import missed_at, one_minus_auc
from nbmail.core.judging.model import JUNK, Model
from nbmail.core.reading.clues import TOKENIZER_VERSION, gather
from nbmail.core.reading.mail import parse
from nbmail.paths import Paths
from nbmail.store.doctor.doctor import Doctor
from nbmail.store.doctor.forgetting import let_go
from nbmail.store.labels.bulk_learning import BulkLearning, Lesson
from nbmail.store.store import Store
from nbmail.store.values import Content, Head

EVERY, OLD, PIECE = 1000, 1000, 100


def run(arguments):
    """Both orders, with and without letting go."""
    options = argparse.ArgumentParser(prog="letting-go")
    options.add_argument("--json", action="store_true")
    chosen = options.parse_args(arguments)
    corpora = os.environ.get("NBMAIL_CORPORA")
    if not corpora:
        print("letting-go: set NBMAIL_CORPORA to the folder that holds spamassassin", file=sys.stderr)
        return 0
    entries = indexed_messages(Path(corpora) / "spamassassin" / "index")
    mail = [(entry.label, gather(parse(entry.path.read_bytes()))) for entry in entries]
    for order in ("as it came", "shuffled"):
        if order == "shuffled":
            random.Random(1).shuffle(mail)
        for letting in (False, True):
            found = {"order": order, "letting_go": letting, **measure(mail, letting)}
            print(json.dumps(found) if chosen.json else told(found), flush=True)
    return 0


def measure(mail, letting):
    """One run through all messages."""
    began, labels, scores = time.perf_counter(), np.array([label == JUNK for label, _ in mail]), []
    with tempfile.TemporaryDirectory(prefix="nbmail-bench-") as folder, Store(Paths.under(Path(folder)), 0.0) as store:
        model = Model(store.words.vocabulary)
        learning = BulkLearning(store, model, tokenizer=TOKENIZER_VERSION, moment=0.0)
        for first in range(0, len(mail), PIECE):
            if letting and first and first % EVERY == 0:
                let_go(store, before=first - OLD)
                model = Model(store.words.vocabulary)
                store.load_model(model)
                model = store.fold(model).keep()
                learning = BulkLearning(store, model, tokenizer=TOKENIZER_VERSION, moment=0.0)
            for place, (label, clues) in enumerate(mail[first : first + PIECE], first):
                sample = store.words.vocabulary.sample(clues)
                scores.append(float(model.log_odds(model.rows([sample]))[0]))
                learning.learn([Lesson(Content(place.to_bytes(16, "big"), Head("", "", place, 0), sample), label)])
        assert Doctor(store, 0.0).check().sound
        store.tidy()
        words, size = len(store.words.vocabulary), store.paths.database.stat().st_size
    return {
        "one_minus_auc_percent": 100 * one_minus_auc(np.array(scores), labels),
        "fn_percent_at_fp_0_1": 100 * missed_at(np.array(scores), labels, 0.001),
        "words": words,
        "megabytes": size / 1e6,
        "seconds": time.perf_counter() - began,
    }


def told(found):
    """One line."""
    return (
        f"{found['order']:10}  {'letting go' if found['letting_go'] else 'keeping all':11}"
        f"  1-AUC {found['one_minus_auc_percent']:.3f} %  FN@0.1 {found['fn_percent_at_fp_0_1']:5.1f} %"
        f"  {found['words']:7,} words  {found['megabytes']:5.1f} MB  {found['seconds']:.0f} s"
    )
