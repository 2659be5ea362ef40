"""Genuine mail of SpamAssassin's senders that is called spam after imitations of them were learned.

Needs NBMAIL_CORPORA. The victims are the twelve senders of most good mail. Learned are 100 good
messages of others and 100 spam, then imitations as spam: the headers of one of the victim's first
five messages, sent from elsewhere, above one line with a link. Tested are the next 25 messages.
First without checks of the sender, then with checks by the account's own server: genuine mail
passes them, imitations fail.
"""

import random
from collections import defaultdict

import numpy as np

from nbmail.cli.messages.index_files import indexed_messages
from nbmail.core.counting.sampling import sample_of
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.mail.addresses import author_in
from nbmail.core.mail.parser import parse
from nbmail.core.scoring.model import Model
from nbmail.core.senders.trusted_servers import NO_TRUST, Trust
from nbmail.values import HAM, SPAM, VERDICTS
from tests.bench._frame import options_of, show
from tests.needs import need_corpus

VICTIMS = 12
COPIED, TESTED, OTHERS = 5, 25, 100
COPIES = (0, 1, 10, 30, 100)
SERVER = "mx.account.example"
TRUST = Trust(frozenset((SERVER,)), "account.example")
LINE = "Your account is limited, please confirm it at http://confirm.example.net/login now."


def run(arguments):
    options = options_of(arguments, __doc__)
    ham = defaultdict(list)
    spam = []
    for entry in indexed_messages(need_corpus("spamassassin") / "index"):
        raw = entry.path.read_bytes().replace(b"\r\n", b"\n")
        if entry.label == SPAM:
            spam.append(raw)
        else:
            ham[author_in(parse(raw).header("from"))].append(raw)
    victims = sorted(filter(None, ham), key=lambda sender: -len(ham[sender]))[:VICTIMS]

    for checks in (False, True):
        called = np.array([called_spam(ham, victim, spam, checks) for victim in victims])
        for place, copies in enumerate(COPIES):
            row = {
                "checks": "confirmed senders" if checks else "no checks",
                "copies": copies,
                "called_spam_percent": round(100 * float(called[:, place].mean()), 1),
                "worst_percent": round(100 * float(called[:, place].max())),
            }
            words = "{checks:18} {copies:4} imitations: {called_spam_percent:5} % called spam"
            show(options, row, words + ", worst sender {worst_percent} %")
    return 0


def called_spam(ham, victim, spam, checks):
    """Return the share of the victim's mail that is called spam after each number of copies."""
    chance = random.Random(victim)
    others = [raw for sender, raws in ham.items() if sender != victim for raw in raws]
    learned = [(HAM, raw, "pass") for raw in chance.sample(others, OTHERS)]
    learned += [(SPAM, raw, chance.choice(("pass", "fail"))) for raw in chance.sample(spam, OTHERS)]
    chance.shuffle(learned)
    words = Vocabulary()
    trust = TRUST if checks else NO_TRUST

    def read(raw, result):
        return sample_of(parse(with_result(raw, result) if checks else raw), words, trust)

    model = Model(words)
    for label, raw, result in learned:
        model.learn(read(raw, result), label)
    seen = ham[victim][:COPIED]
    genuine = [read(raw, "pass") for raw in ham[victim][COPIED : COPIED + TESTED]]

    found = []
    made = 0
    for copies in COPIES:
        for number in range(made, copies):
            raw = imitation(seen[number % COPIED], number)
            model.learn(read(raw, "fail"), SPAM)
        made = copies
        for _ in model.cross_validating():
            pass
        verdicts = model.verdicts(model.log_odds(model.rows(genuine)))
        found.append(np.mean(verdicts == VERDICTS.index(SPAM)))
    return found


def with_result(raw, result):
    """Return the message with the result of a check of its sender by the account's server."""
    domain = author_in(parse(raw).header("from")).rpartition("@")[2] or "unknown.example"
    field = f"Authentication-Results: {SERVER}; dmarc={result} header.from={domain}\n"
    way = f"Received: from relay.example by {SERVER} id 1; Mon, 1 Jan 2024 00:00:00 +0000\n"
    return (way + field).encode() + without_envelope(raw)


def without_envelope(raw):
    return raw.partition(b"\n")[2] if raw.startswith(b"From ") else raw


def imitation(raw, number):
    """Return a copy sent from elsewhere at another time, with one line instead of its text."""
    head = without_envelope(raw).partition(b"\n\n")[0].decode("latin-1").split("\n")
    fields = []
    for line in head:
        if line[:1] in " \t" and fields:
            fields[-1] += f"\n{line}"
        else:
            fields.append(line)
    elsewhere = f"Received: from host{number}.example.net (10.9.8.{number}) by relay.example"
    kept = []
    for field in fields:
        name = field.partition(":")[0].lower()
        if name == "received" and elsewhere:
            kept.append(elsewhere)
            elsewhere = ""
        elif name == "message-id":
            kept.append(f"Message-ID: <{number}.copy@host{number}.example.net>")
        elif name not in ("content-type", "content-transfer-encoding", "mime-version"):
            kept.append(field)
    return ("\n".join(kept) + f"\n\n{LINE}\n").encode("latin-1")
