"""Searching texts: the index of words beside SQLite's trigrams, filled with the same mail; time slices of both."""

import os
import time
import zlib
from pathlib import Path

from nbmail.core.reading.mail import parse
from nbmail.store.mail import derived_mail
from nbmail.worker.mailbox.mail_rows import TOGETHER, searched_text
from tests.bench._frame import new_folder, options_of, show

SOUGHT = ("meeting ", '"please let me know"', "fre", "the ", "money free offer ")
OURS = "unicode61 remove_diacritics 0 categories 'L* N* Co Mn Mc'"
MOST_READ = 12_000
GOAL_MILLISECONDS = 300.0


def run(arguments):
    options = options_of(arguments, __doc__, messages=20_000)
    texts = read_texts(Path(os.environ["NBMAIL_CORPORA"]))
    found = {}
    for name, tokenizer in (("words", OURS), ("trigrams", "trigram")):
        with new_folder() as folder:
            found[name] = measure(folder, tokenizer, texts, options.messages)
    show(options, {"messages": options.messages, **found}, "words: {words}\ntrigrams: {trigrams}")
    return int(max(found["words"]["search_ms"].values()) > GOAL_MILLISECONDS)


def read_texts(corpora):
    """Return the searchable texts of some thousand messages of all corpora, in random order."""
    files = sorted(
        (path for path in corpora.rglob("*") if path.is_file()), key=lambda path: zlib.crc32(path.name.encode())
    )
    return [searched_text(parse(path.read_bytes()[:1_000_000])) for path in files[:MOST_READ]]


def measure(folder, tokenizer, texts, count):
    """Fill an index with `count` messages, repeating the texts, then search it."""
    schema, derived_mail.SCHEMA = derived_mail.SCHEMA, derived_mail.SCHEMA.replace(OURS, tokenizer)
    index = derived_mail.TextIndex(folder / "texts.sqlite3")
    derived_mail.SCHEMA = schema
    slices, began = [], time.perf_counter()
    for first in range(0, count, TOGETHER):
        numbers = range(first, min(first + TOGETHER, count))
        some = [(one + 1, *texts[one % len(texts)]) for one in numbers]
        slices.append(timed(lambda some=some: index.add(some)))
        more = True
        while more:
            before = time.process_time()
            more = index.merge()
            slices.append(time.process_time() - before)
    filled = time.perf_counter() - began
    index.tidy()
    size = index.path.stat().st_size
    search = {words: min(timed(lambda words=words: find(index, words)) for _ in range(3)) for words in SOUGHT}
    index.close()
    return {
        "fill_ms_a_message": round(1000 * filled / count, 2),
        "megabytes": round(size / 1e6, 1),
        "slice_p99_ms": round(1000 * sorted(slices)[len(slices) * 99 // 100], 1),
        "search_ms": {words: round(1000 * each, 1) for words, each in search.items()},
    }


def find(index, words):
    return [message for _, some in index.find(derived_mail.sought(words)) for message in some]


def timed(work):
    began = time.process_time()
    work()
    return time.process_time() - began
