"""Mail for benchmarks: from a corpus if there is one, otherwise generated."""

import os
import random
from pathlib import Path

WORDS = 4000


def corpus_mail(count):
    """Return `count` pairs of label and raw mail, in the order of a mailbox."""
    corpora = os.environ.get("NBMAIL_CORPORA", "")
    index = Path(corpora) / "spamassassin" / "index" if corpora else None
    if index is None or not index.exists():
        return [made_up(number) for number in range(count)], "made-up mail"
    lines = index.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    mail = []
    for number in range(count):
        copy, place = divmod(number, len(lines))
        line = lines[place]
        label, path = line.split(None, 1)
        raw = (index.parent / path.strip()).read_bytes()
        mail.append(("junk" if label.lower() in ("junk", "spam") else "good", on_the_wire(raw, copy)))
    return mail, "the spamassassin corpus"


def on_the_wire(raw, copy):
    """Return mail without the line of an mbox file. Copies are different messages."""
    if raw.startswith(b"From "):
        raw = raw.partition(b"\n")[2]
    return raw + b"\ncopy %d\n" % copy if copy else raw


def made_up(number):
    """Return a message with a realistic distribution of words, which differs between junk and good mail."""
    chance = random.Random(number)
    label = "junk" if number % 3 == 0 else "good"
    shift = WORDS // 2 if label == "junk" else 0
    words = [f"word{(int(WORDS * chance.random() ** 3) + shift) % WORDS}" for _ in range(300)]
    text = "\n".join(" ".join(words[start : start + 10]) for start in range(0, len(words), 10))
    head = f"From: someone{number % 50}@example.org\nSubject: {' '.join(words[:5])}\nMessage-ID: <{number}@made.up>\n"
    return label, f"{head}Date: Mon, 2 Nov 2026 10:00:00 +0000\n\n{text}\n".encode()
