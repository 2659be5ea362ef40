"""Small mailboxes of two kinds of real mail, of which one stands for spam: tasks to judge the first
marks by.

All ordered pairs of newsgroups, of an Enron user's larger folders, and SpamAssassin's mail as it
is, with bare headers, and with one kind of its good mail.
"""

import itertools
import zlib
from collections import defaultdict
from typing import NamedTuple

from nbmail.cli.messages.index_files import indexed_messages
from nbmail.core.counting.renumbering import with_own_words
from nbmail.core.counting.sampling import sample_of
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.evaluation.trials import Case
from nbmail.core.mail.parser import parse
from tests.needs import need_corpus

FEWEST = 150
"""Messages of a folder, so that a hundred marks leave enough to test."""
_ENRON = ("beck-s", "farmer-d", "lokay-m")


class Task(NamedTuple):
    """Samples of what stands for spam and for good mail, and the vocabulary of their words.

    `mail`: their names in order, alike for both directions.
    """

    family: str
    mail: tuple[str, str]
    spam: list
    ham: list
    vocabulary: Vocabulary

    @property
    def name(self):
        return f"{self.family}: {' '.join(self.mail)}"

    @property
    def number(self):
        """A fixed hash, the same for both directions of a pair. Tasks with an odd one are not
        fitted on.
        """
        return zlib.crc32(" ".join(sorted(self.mail)).encode())

    def cases(self):
        """Return the messages with their classes, over words of their own."""
        samples, vocabulary = with_own_words([*self.spam, *self.ham], self.vocabulary)
        labels = ["spam"] * len(self.spam) + ["ham"] * len(self.ham)
        return vocabulary, [
            Case(label, sample) for label, sample in zip(labels, samples, strict=True)
        ]


def tasks():
    """Return all tasks below NBMAIL_CORPORA, each message tokenized once."""
    vocabulary = Vocabulary()

    def kinds(corpus, index, kind_of, bare=False):
        found = defaultdict(list)
        for source in indexed_messages(need_corpus(corpus) / index, bare=bare):
            found[kind_of(source)] += [sample_of(parse(raw), vocabulary) for raw in source.read()]
        return {kind: samples for kind, samples in found.items() if len(samples) >= FEWEST}

    groups = kinds("20news", "index", lambda source: source.label)
    found = list(pairs("newsgroups", groups, vocabulary))
    for user in _ENRON:
        folders = kinds("enron", f"index.{user}", lambda source: source.label)
        found += pairs(
            "Enron",
            {f"{user}/{folder}": samples for folder, samples in folders.items()},
            vocabulary,
        )
    for bare in (False, True):
        mail = kinds("spamassassin", "index", lambda source: source.path.parent.name, bare)
        found += against_spam("bare" if bare else "as it is", mail, vocabulary)
    return found


def pairs(family, kinds, vocabulary):
    for pair in itertools.permutations(kinds, 2):
        yield Task(family, pair, *(kinds[kind] for kind in pair), vocabulary)


def against_spam(form, kinds, vocabulary):
    """Return the tasks of all spam against all good mail, and against each kind of it."""
    spam = [
        sample for kind, samples in kinds.items() if kind.startswith("spam") for sample in samples
    ]
    ham = {kind: samples for kind, samples in kinds.items() if not kind.startswith("spam")}
    whole = {"all good mail": [sample for samples in ham.values() for sample in samples]}
    for kind, samples in (whole | ham).items():
        yield Task("SpamAssassin", (form, kind), spam, samples, vocabulary)
