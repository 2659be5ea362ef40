"""Random mutations of model files and files of labels are imported completely or refused."""

import csv
import io
import json
import os
import random
import re
import shutil
import subprocess
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import pytest

from nbmail.chunks import drain
from nbmail.core.words.tokenizer import TOKENIZER_VERSION
from nbmail.errors import ErrorCode, KnownError
from nbmail.exchange import READABLE, WRITABLE
from nbmail.exchange.conversion import tables_of
from nbmail.exchange.formats import writing_model_file
from nbmail.exchange.nbmodel.writing import writing_model
from nbmail.store.doctor import diagnose
from nbmail.store.labels.journal import By
from nbmail.worker.model.label_files import import_labels, writing_labels
from nbmail.worker.model.model_import import import_model
from tests.core.material import trained
from tests.exchange.foreign import BOGOFILTER, counted, files, read
from tests.exchange.test_hostile_files import pack, summed, unpack
from tests.mutating import mutated
from tests.needs import need_program
from tests.store.helpers import fill, open_store, quick_folder

MUTATIONS = 20_000 if os.environ.get("NBMAIL_TORTURE") else 150
# Number of imported files that are rebuilt and scored with; each takes some milliseconds.
SCORED = 20
VERSION_2 = (
    b"v\t2\tdb_version # this must be the first line!!!\nv\t3\tnum_spam\nv\t2\tnum_nonspam\n"
    b"t\t3\t0\t1021543432\tviagra\nt\t1\t1\t1031930397\tHTo:anna\ns\ts\tabc@sa_generated\n"
)

# Cells of tables, values of manifests, and parts of any file.
CELLS = [
    "", "0", "-1", "1", "2", "5", "2147483648", str(2**63 - 1), str(2**63), str(-(2**63)),
    "9" * 50, "9" * 5000,
    "1e308", "-1e308", "nan", "inf", "-inf", "1e9", "\x00", "\ufeff", "'", '"', "a,b", "spam",
    "ham", "free", "\r",
    "\n", "x" * 140_000,
]  # fmt: skip
VALUES = [
    None,
    True,
    -1,
    0,
    1,
    2,
    60,
    2**31,
    2**63,
    10**400,
    1e308,
    float("nan"),
    "",
    "spam",
    "\ud800",
    [],
    {},
    [[]],
]


def mutated_rows(chance, content):
    rows = list(csv.reader(io.StringIO(content.decode(), newline="")))
    for _ in range(chance.choice((1, 1, 2, 6))):
        row = chance.choice(rows) if rows else []
        action = chance.randrange(6)
        if action < 3 and row:
            row[chance.randrange(len(row))] = chance.choice(CELLS)
        elif action == 3 and row:
            del row[chance.randrange(len(row))]
        elif action == 4:
            rows.insert(
                chance.randrange(len(rows) + 1),
                [chance.choice(CELLS) for _ in range(chance.randrange(7))],
            )
        elif rows:
            del rows[chance.randrange(len(rows))]
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()


def mutated_bytes(chance, content):
    broken = bytearray(content)
    for _ in range(chance.randrange(1, 5)):
        broken[chance.randrange(len(broken))] = chance.randrange(256)
    return (
        bytes(broken[: chance.randrange(len(broken))])
        if chance.randrange(3) == 0
        else bytes(broken)
    )


def mutate_value(chance, value):
    if isinstance(value, dict | list) and value and chance.randrange(5):
        key = (
            chance.choice(list(value)) if isinstance(value, dict) else chance.randrange(len(value))
        )
        value[key] = mutate_value(chance, value[key])
        return value
    return chance.choice(VALUES)


def mutated_archive(chance, contents):
    """Return the contents with a changed table or manifest and valid checksums."""
    contents = dict(contents)
    head = json.loads(contents.pop("manifest.json"))
    name = chance.choice(["manifest.json", *contents])
    if name in contents:
        contents[name] = chance.choice((mutated_rows, mutated_rows, mutated_bytes))(
            chance, contents[name]
        )
    head["sha256"] = summed(contents)
    if name == "manifest.json":
        head = mutate_value(chance, head)
    return {"manifest.json": json.dumps(head).encode(), **contents}


HOSTILE = [
    b"", b"0", b"-1", b"4294967296", b"9" * 30, b"9" * 5000, b" ", b"\t", b",", b'"', b"\r\n",
    b"\0", b"\xff", b"\n",
    b"viagra",
]  # fmt: skip


def whole_file(folder, kind):
    if kind == "nbmail":
        drain(writing_model(folder / "own", tables_of(trained("balanced", 40), TOKENIZER_VERSION)))
        return unpack(folder / "own")
    if kind == "berkeley":
        need_program("bogoutil")
        lines = b"".join(b"word%d 1 1 20260101\n" % number for number in range(400))
        subprocess.run(["bogoutil", "-l", folder / "list.db"], input=BOGOFILTER + lines, check=True)
        return (folder / "list.db").read_bytes()
    return VERSION_2 if kind == "spamassassin 2" else files(folder)[kind]


@pytest.fixture
def home(tmp_path):
    """A store with some labels, in memory if possible."""
    folder = tempfile.mkdtemp(prefix="nbmail-mutations-", dir=quick_folder() or tmp_path)
    with open_store(Path(folder)) as store:
        messages = fill(store, 12)
        store.marks.mark(dict.fromkeys(messages[:4], "spam"), by=By.USER, moment=1.0)
        store.marks.mark(dict.fromkeys(messages[4:8], "ham"), by=By.USER, moment=2.0)
        store.model.make_exact()
        yield store
    shutil.rmtree(folder)


def stored_data(store):
    """Return all data that a refused file must not change."""
    tables = (
        "messages",
        "labels",
        "journal",
        "steps",
        "bases",
        "words",
        "waiting_labels",
        "message_ids",
        "settings",
    )
    counts = [store.connection.value(f"SELECT count(*) FROM {table}") for table in tables]
    return counts, store.imported.current, len(store.words.vocabulary), store.labels.all()


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        *((name, name) for name in READABLE),
        ("berkeley", "bogofilter"),
        ("spamassassin 2", "spamassassin"),
    ],
)
def test_a_mutated_file_is_imported_completely_or_not_at_all(tmp_path, home, kind, name):
    chance = random.Random(16)
    path = tmp_path / "file"
    whole = whole_file(tmp_path, kind)
    taken = 0
    for number in range(MUTATIONS):
        if kind == "nbmail":
            pack(path, mutated_archive(chance, whole), zipfile.ZIP_STORED)
        else:
            path.write_bytes(mutated(chance, whole, HOSTILE))
        changes = home.connection.value("SELECT total_changes()")
        try:
            drain(import_model(home, path, float(number), again=True, format=name))
        except KnownError as error:
            assert error.error_code is ErrorCode.BAD_MODEL_FILE
            assert not re.search(
                r"\n|invalid literal|Expecting|codec|object|__|Error", error.detail
            ), error.detail
            assert home.connection.value("SELECT total_changes()") == changes
            continue
        taken += 1
        if taken % max(1, MUTATIONS // SCORED) == 0:
            check_import(home, tmp_path, path, name)
        home.marks.undo(moment=float(number))
    assert MUTATIONS // 100 < taken < MUTATIONS
    assert home.imported.current == 0
    home.model.make_exact()
    assert diagnose(home, 1.0).sound


def check_import(home, folder, path, name):
    """Check that an import scores with finite numbers and is exported and imported unchanged."""
    home.model.make_exact()
    model = home.model.model
    samples = list(home.samples.of(range(1, 13)).values())
    log_odds = model.log_odds(model.rows(samples))
    assert np.isfinite(log_odds).all()
    assert np.isfinite(model.probabilities(log_odds)).all() or not model.calibrated
    tables = read(path, name, ["viagra"]).tables
    assert len(set(tables.words)) == len(tables.words)
    assert (tables.documents >= 0).all()
    assert (tables.documents <= np.array(tables.messages, np.int64)[:, None]).all()
    json.dumps(tables.words).encode()
    for back in {"nbmail", name} & {*WRITABLE}:
        drain(writing_model_file(folder / "back", tables, back))
        again = read(folder / "back", back, ["viagra"]).tables
        assert dict(counted(again)) == {word: n for word, n in counted(tables).items() if any(n)}


def test_a_mutated_file_of_labels_is_imported_completely_or_not_at_all(tmp_path, home):
    chance = random.Random(17)
    path = tmp_path / "labels.log"
    taken = 0
    drain(writing_labels(home, path))
    whole = path.read_bytes()
    kept = stored_data(home)
    for number in range(MUTATIONS):
        path.write_bytes(
            mutated_rows(chance, whole) if number % 2 else mutated(chance, whole, HOSTILE)
        )
        try:
            import_labels(home, path, float(number))
        except KnownError as error:
            assert error.error_code is ErrorCode.BAD_INPUT
            assert "\n" not in error.detail
            assert stored_data(home) == kept
            continue
        taken += 1
        kept = stored_data(home)
    assert MUTATIONS // 100 < taken < MUTATIONS
    home.model.make_exact()
    assert diagnose(home, 1.0).sound
