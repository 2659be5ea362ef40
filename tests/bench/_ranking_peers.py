"""Peers of the ranking benchmark: bogofilter, and classifiers of scikit-learn on the words of
nbmail.
"""

import subprocess
import tempfile

import numpy as np
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import ComplementNB, MultinomialNB
from sklearn.preprocessing import normalize
from sklearn.svm import LinearSVC

GROWTH = 1.01
"""Batch learners are fitted again after 1 % more messages. After 5 %, logistic regression has 0.56
instead of 0.30 on SpamAssassin by date.
"""


def bogofilter_scores(raw_messages, spam):
    """Score each message, then register it: two runs of bogofilter per message, without
    configuration.
    """
    scores = []
    with tempfile.TemporaryDirectory(prefix="nbmail-bogofilter-") as folder:
        base = ["bogofilter", "-C", "-d", folder]
        # An empty message creates the word list, which scoring needs.
        subprocess.run([*base, "-n"], input=b"\n", check=True)
        subprocess.run([*base, "-N"], input=b"\n", check=True)
        for raw, is_spam in zip(raw_messages, spam, strict=True):
            told = subprocess.run([*base, "-T"], input=raw, capture_output=True, check=False)
            scores.append(float(told.stdout.split()[1]))
            subprocess.run([*base, "-s" if is_spam else "-n"], input=raw, check=True)
    return np.array(scores)


def counted(cases, width):
    starts = np.cumsum([0, *(len(case.sample.words) for case in cases)])
    words = np.concatenate([case.sample.words for case in cases])
    times = np.concatenate([case.sample.occurrences for case in cases]).astype(np.float64)
    return sparse.csr_matrix((times, words, starts), shape=(len(cases), width))


def present(table):
    """Return the table as presence with rows of unit length, like our own logistic regression."""
    flat = table.copy()
    flat.data[:] = 1.0
    return normalize(flat, copy=False)


PEERS = {
    "sklearn MultinomialNB": (lambda: MultinomialNB(alpha=0.01), False),
    "sklearn ComplementNB": (lambda: ComplementNB(alpha=0.01), False),
    "sklearn LogisticRegression": (lambda: LogisticRegression(C=100.0, solver="liblinear"), True),
    "sklearn LinearSVC": (lambda: LinearSVC(C=1.0), True),
}


def fitted(name, table, labels):
    """Return a fitted peer. The fast solver of logistic regression supports two classes."""
    peer = PEERS[name][0]()
    if isinstance(peer, LogisticRegression) and len(set(labels)) > 2:
        peer = OneVsRestClassifier(peer)
    return peer.fit(table, labels)


def spam_scores(peer, table):
    if hasattr(peer, "decision_function"):
        return peer.decision_function(table)
    joint = peer.predict_joint_log_proba(table)
    return joint[:, 1] - joint[:, 0]


def online_scores(name, table, spam):
    """Score each message by the latest fit before it."""
    table = present(table) if PEERS[name][1] else table
    scores = np.zeros(len(spam))
    size = 2
    while size < len(spam):
        until = min(len(spam), max(size + 1, int(size * GROWTH)))
        if len(set(spam[:size])) == 2:
            peer = fitted(name, table[:size], spam[:size])
            scores[size:until] = spam_scores(peer, table[size:until])
        size = until
    return scores


def timeline_rights(name, table, labels, size):
    """Return for each later batch which messages of known classes were correct; fitted for each
    batch.
    """
    table = present(table) if PEERS[name][1] else table
    rights = []
    for first in range(size, len(labels), size):
        peer = fitted(name, table[:first], labels[:first])
        known = set(labels[:first])
        predicted = peer.predict(table[first : first + size])
        batch = zip(predicted, labels[first : first + size], strict=True)
        rights.append([one == other for one, other in batch if other in known])
    return rights
