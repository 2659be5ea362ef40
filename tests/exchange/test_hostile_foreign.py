"""Files that mean harm, of every format: refused with one sentence before anything large is built, or sound."""

import contextlib
import json
import os
import random
import sqlite3
import struct
import tracemalloc
import zipfile

import numpy as np
import pytest

from nbmail.core.counting.sample import Vocabulary
from nbmail.core.judging.model import Model, ModelContent
from nbmail.errors import KnownError, Trouble
from nbmail.exchange.conversion import content_of, merge, tables_of
from nbmail.exchange.formats import writing_model_file
from nbmail.exchange.model_tables import MOST_CLASSES
from nbmail.pieces import drain
from tests.core.material import trained
from tests.exchange import foreign
from tests.exchange.foreign import files, read
from tests.exchange.test_hostile_files import HEADLINE
from tests.exchange.test_hostile_files import write as own_file

MUTATIONS = 20_000 if os.environ.get("NBMAIL_TORTURE") else 120
# What reading may take before it refuses; a bytes object of the largest file alone is more.
MOST_MEMORY = 40_000_000
HUGE = b"\xff\xff\xff\xff"
LISTED = b".MSG_COUNT 3 2 20260101\n"
BACKUP = b"v\t3\tdb_version\nv\t3\tnum_spam\nv\t2\tnum_nonspam\n"


def wrong_lines():
    """For each text format a line, or what stands in its place, that can't be."""
    for count in (
        b"-1 0",
        b"4 0",
        b"0 3",
        b"%d 0" % 2**63,
        b"%d 0" % 2**64,
        b"1e3 0",
        b"\xd9\xa3 0",
        b"1",
        b"1 0 1 1",
        b"",
    ):
        yield "bogofilter", LISTED + b"viagra " + count + b"\n"
        yield "spamassassin", BACKUP + b"t\t" + count.replace(b" ", b"\t") + b"\t99\tbd9d908616\n"
        yield "spambayes", b"3,2\r\nviagra," + count.replace(b" ", b",") + b"\r\n"
    yield from (
        ("bogofilter", LISTED + line) for line in (b"a 1 0\na 1 0\n", b"bad token 1 0\n", b"a 1 0\r\n", b"a\t1\t0\n")
    )
    yield from (("bogofilter", raw) for raw in (b"a 1 0\n", LISTED * 2 + b"a 1 0\n", LISTED + b"x" * 5_000_000))
    same = b"t\t1\t0\t9\tbd9d908616\n"
    yield from (
        ("spamassassin", BACKUP + line)
        for line in (same * 2, same.replace(b"\n", b"\r\n"), b"hello\n", b"t\t1\t0\t9\tno\n")
    )
    yield from (("spamassassin", raw) for raw in (BACKUP[:17], BACKUP + b"v\t9\tnum_spam\n", BACKUP + b"s\tx\tid\n"))
    rows = (
        b"a,1,1\r\na,1,1\r\n",
        b"a,1\r\n",
        b"a,1,1,1\r\n",
        b",1,1\r\n",
        b"a" + b",1" * 2_000_000,
        b'"' + b"\r\n" * 900_000,
    )
    yield from (("spambayes", b"3,2\r\n" + row) for row in (*rows, b'"\n",' * 1_000_000))


def wrong_bytes():
    """Thunderbird's files with sizes and counts that can't be, or broken off at any place."""
    whole = foreign.TRAINING
    yield from (("thunderbird", whole[:length]) for length in range(4, len(whole)))
    yield from (("thunderbird", whole[:place] + HUGE + whole[place + 4 :]) for place in (4, 12, 16, 20, 29))
    yield from (("thunderbird", raw) for raw in (whole + b"\0", whole[:16] + struct.pack(">II", 2, 5) + b"lunch"))
    traits = foreign.TRAITS
    yield from (("thunderbird-traits", traits[:length]) for length in range(4, len(traits)))
    yield from (
        ("thunderbird-traits", raw) for raw in (traits + b"\0", traits[:-4] * 2, traits[:12] + HUGE + traits[16:])
    )
    many = b"".join(struct.pack(">III", number + 1, 1, 0) for number in range(MOST_CLASSES + 1))
    yield "thunderbird-traits", traits[:4] + many + bytes(4)


def refused(path, name=""):
    """Read it: the reason why not, told in one sentence, within the memory that reading may take."""
    tracemalloc.start()
    try:
        with pytest.raises(KnownError) as caught:
            read(path, name)
        assert tracemalloc.get_traced_memory()[1] < MOST_MEMORY
    finally:
        tracemalloc.stop()
    assert caught.value.trouble in (Trouble.BAD_MODEL_FILE, Trouble.BAD_INPUT)
    assert "\n" not in caught.value.detail
    return caught.value.detail


@pytest.mark.parametrize("kind", [wrong_lines, wrong_bytes])
def test_what_can_not_be_is_refused(tmp_path, kind):
    path = tmp_path / "file"
    for name, raw in kind():
        path.write_bytes(raw)
        refused(path, name)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE matrix SET times = -1",
        f"UPDATE matrix SET times = {2**62}",
        "UPDATE matrix SET times = 'many'",
        "UPDATE words SET word = NULL",
        "DROP TABLE matrix; CREATE VIEW matrix AS SELECT 1 AS id, 1 AS wordid, 1 AS bucketid, 1 AS times",
        "DROP TABLE words",
        "CREATE TABLE w AS SELECT 1 AS id, word FROM words; DROP TABLE words; ALTER TABLE w RENAME TO words;"
        "UPDATE matrix SET wordid = 1",
    ],
)
def test_a_database_that_can_not_be_is_refused(tmp_path, change):
    foreign.popfile(tmp_path / "popfile.db")
    connection = sqlite3.connect(tmp_path / "popfile.db")
    connection.executescript(change)
    connection.close()
    refused(tmp_path / "popfile.db")


@pytest.mark.parametrize(
    "start", [b"", b"PK\x03\x04", b"\xfe\xed\xfa\xce", b"SQLite format 3\0", LISTED, BACKUP, b"3,2\r\n"]
)
def test_a_file_of_four_gigabytes_is_refused_unread(tmp_path, start):
    path = tmp_path / "file"
    path.write_bytes(start)
    os.truncate(path, 4 << 30)
    assert "more than 200,000,000 bytes" in refused(path)


@pytest.mark.skipif(os.name != "posix", reason="files of POSIX")
def test_only_a_regular_file_is_read_or_written_over(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "mine.nbmodel").write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path / "mine.nbmodel")
    (tmp_path / "folder").mkdir()
    (tmp_path / "other.nbmodel.new").mkdir()
    tables = tables_of(trained("balanced"), 3)
    for path in (tmp_path / "pipe", tmp_path / "link", tmp_path / "folder", "/dev/zero"):
        refused(tmp_path / path)
        for name in ("nbmail", "bogofilter"):
            with pytest.raises(KnownError) as caught:
                drain(writing_model_file(tmp_path / path, tables, name))
            assert caught.value.trouble is Trouble.READ_ONLY
    assert (tmp_path / "mine.nbmodel").read_text() == "mine"
    drain(writing_model_file(tmp_path / "other.nbmodel", tables))
    names = sorted(each.name for each in tmp_path.iterdir())
    assert names == ["folder", "link", "mine.nbmodel", "other.nbmodel", "other.nbmodel.new", "pipe"]


@pytest.mark.parametrize(
    "raw", [b"hello\n" * 9, b"\x80\x04\x95" + b"x" * 99, "v\t3\tdb_version\n".encode("utf-16"), b"\0" * 99, b""]
)
@pytest.mark.parametrize(
    "name", ["a.nbmodel", "training.dat", "words.csv", "bogofilter.txt", "popfile.db", "model.css"]
)
def test_what_is_something_else_is_refused_under_every_name(tmp_path, raw, name):
    (tmp_path / name).write_bytes(raw)
    refused(tmp_path / name)


def flooded(path, kind):
    """An archive of ours that unfolds to much more than it is."""
    if kind == "entries":
        with zipfile.ZipFile(path, "w") as archive:
            for number in range(2_000):
                archive.writestr(str(number), b"")
    elif kind == "manifest":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("manifest.json", b"[" * 50_000_000)
    elif kind == "classes":
        own_file(path, classes=[(f"c{number}", 1) for number in range(400)])
    elif kind == "deep":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("manifest.json", b"[" * 900_000)
    else:
        own_file(path, words=HEADLINE.encode() + {"commas": b"," * 30_000_000, "quotes": b'"\n",' * 6_000_000}[kind])
    return path


@pytest.mark.parametrize("kind", ["entries", "manifest", "deep", "classes", "commas", "quotes"])
def test_a_small_archive_that_unfolds_to_much_is_refused(tmp_path, kind):
    assert flooded(tmp_path / "m.nbmodel", kind).stat().st_size < 3_000_000
    refused(tmp_path / "m.nbmodel")


# ------------------------------------------------------------------------------------------------ mutations

HOSTILE = [
    b"",
    b"0",
    b"-1",
    b"4294967296",
    b"9" * 30,
    b"9" * 5000,
    b" ",
    b"\t",
    b",",
    b'"',
    b"\r\n",
    b"\0",
    b"\xff",
    b"\n",
    b"viagra",
]


def mutated(chance, raw):
    """A file with bytes, fields or lines changed, moved, doubled or lost, or broken off."""
    raw = bytearray(raw)
    for _ in range(chance.choice((1, 1, 2, 5))):
        place, length = chance.randrange(len(raw) + 1), chance.randrange(12)
        deed = chance.randrange(6)
        if deed == 0 and place < len(raw):
            raw[place] = chance.randrange(256)
        elif deed == 1:
            raw[place : place + length] = chance.choice(HOSTILE)
        elif deed == 2:
            raw[place:place] = raw[place : place + length]
        elif deed == 3:
            raw[place : place + length] = struct.pack(">I", chance.choice((0, 1, 3, 1 << 31, (1 << 32) - 1)))
        elif deed == 4:
            lines = raw.splitlines(keepends=True)
            raw = bytearray(b"".join(chance.sample(lines, len(lines)) + lines[: chance.randrange(2)]))
        else:
            del raw[place + length :]
    return bytes(raw)


@pytest.mark.parametrize(
    "name", ["bogofilter", "spamassassin", "spambayes", "thunderbird", "thunderbird-traits", "popfile"]
)
def test_of_many_mutations_each_is_refused_or_sound(tmp_path, name):
    chance, path, whole = random.Random(16), tmp_path / "file", files(tmp_path)[name]
    home, taken = ModelContent.of(trained("balanced", 40)), 0
    for _ in range(MUTATIONS):
        path.write_bytes(mutated(chance, whole))
        try:
            tables = read(path, name, ["viagra"]).tables
        except KnownError as error:
            assert error.trouble is Trouble.BAD_MODEL_FILE
            continue
        taken += 1
        assert len(set(tables.words)) == len(tables.words)
        assert (tables.documents >= 0).all()
        assert (tables.documents <= np.array(tables.messages, np.int64)[:, None]).all()
        json.dumps(tables.words).encode()
        model = Model(Vocabulary())
        merged = merge(home, content_of(tables, model.vocabulary))
        model.restore(merged.counts, merged.learned)
        for back in {"nbmail", name} - {"popfile"}:
            drain(writing_model_file(tmp_path / "back", tables, back))
            again = read(tmp_path / "back", back, ["viagra"]).tables
            assert dict(foreign.counted(again)) == {word: n for word, n in foreign.counted(tables).items() if any(n)}
    assert taken > MUTATIONS // 100
    with contextlib.suppress(FileNotFoundError):
        (tmp_path / "back").unlink()
    assert {each.name for each in tmp_path.iterdir()} == {"file", "popfile.db"}
