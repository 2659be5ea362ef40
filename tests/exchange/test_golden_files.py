"""Files of other filters stay as they are, byte for byte."""

from pathlib import Path

import numpy as np
import pytest

from nbmail.core.words.tokenizer import TOKENIZER_VERSION
from nbmail.exchange.model_tables import ModelTables
from tests.exchange.foreign import counted, read, write

GOLDEN = Path(__file__).parent / "golden"
COUNTS = {
    "viagra": (5, 0),
    "meeting": (0, 6),
    "subject:free": (2, 1),
    "subject:FREE": (1, 0),
    "from:anna": (0, 4),
    "to:bob": (1, 1),
    "received:mx": (3, 2),
    "café": (1, 3),
    "prize": (4, 1),
    "bogofilter:head:plain": (2, 1),
    "bogofilter+:Prize": (1, 0),
    "bogofilter:.ENCODING 2 0": (1, 0),
    "spamassassin:=id@sa_generated": (1, 0),
    "thunderbird:x:y": (2, 1),
}
HASH = {"spamassassin:#0123456789": (2, 3)}


def model(counts, classes=("spam", "ham")):
    documents = np.array([*counts.values()], np.int64).T
    return ModelTables(
        tokenizer=TOKENIZER_VERSION,
        method="balanced",
        classes=classes,
        messages=(7, 9),
        words=tuple(counts),
        documents=documents,
        occurrences=documents,
        corrections=np.zeros_like(documents),
    )


@pytest.mark.parametrize(
    ("name", "file", "tables"),
    [
        ("bogofilter", "bogofilter.txt", model(COUNTS)),
        ("spamassassin", "spamassassin-2.txt", model(COUNTS)),
        ("spamassassin", "spamassassin-3.txt", model(COUNTS | HASH)),
        ("thunderbird", "training.dat", model(COUNTS)),
        ("thunderbird-traits", "traits.dat", model(COUNTS, ("trait 7", "ham"))),
    ],
)
def test_an_export_equals_the_golden_file(tmp_path, name, file, tables):
    written = write(tmp_path / "file", tables, name)
    assert written.read_bytes() == (GOLDEN / file).read_bytes()


@pytest.mark.parametrize(
    ("file", "sizes", "counts"),
    [
        (
            "spambayes.csv",
            (("spam", 3), ("ham", 2)),
            {"subject:café": (2, 0), "viagra": (3, 0), "cmd": (0, 1)},
        ),
        (
            "popfile.db",
            (("spam", 9), ("ham", 3)),
            {"viagra": (9, 0), "subject:lunch": (0, 3), "lunch": (4, 2)},
        ),
    ],
)
def test_a_golden_file_is_read(file, sizes, counts):
    found = read(GOLDEN / file).tables
    assert found.sizes == sizes
    assert counted(found) == counts


def test_buckets_of_popfile_named_spam_or_junk_are_spam():
    assert read(GOLDEN / "popfile.db").parts == {"spam": "spam", "work": "ham", "Junk": "spam"}
