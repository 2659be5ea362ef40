"""Hostile files of every format are refused with one sentence before large objects are created."""

import json
import os
import re
import shutil
import sqlite3
import struct
import subprocess
import sys
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from nbmail.chunks import drain
from nbmail.errors import ErrorCode, KnownError
from nbmail.exchange import READABLE
from nbmail.exchange.conversion import tables_of
from nbmail.exchange.formats import writing_model_file
from nbmail.exchange.model_tables import MOST_CLASSES
from tests.core.material import trained
from tests.exchange import foreign
from tests.exchange.foreign import read
from tests.exchange.test_hostile_files import HEADER
from tests.exchange.test_hostile_files import write as own_file

# Memory that reading may use before an error. A bytes object of the largest file needs more.
MOST_MEMORY = 40_000_000
HUGE = b"\xff\xff\xff\xff"
LISTED = b".MSG_COUNT 3 2 20260101\n"
BACKUP = b"v\t3\tdb_version\nv\t3\tnum_spam\nv\t2\tnum_nonspam\n"


def wrong_lines():
    """Yield impossible lines of each text format."""
    for count in (
        b"-1 0", b"4 0", b"0 3", b"%d 0" % 2**63, b"%d 0" % 2**64, b"1e3 0", b"\xd9\xa3 0", b"1",
        b"1 0 1 1", b"",
    ):  # fmt: skip
        yield "bogofilter", LISTED + b"viagra " + count + b"\n"
        yield "spamassassin", BACKUP + b"t\t" + count.replace(b" ", b"\t") + b"\t99\tbd9d908616\n"
        yield "spambayes", b"3,2\r\nviagra," + count.replace(b" ", b",") + b"\r\n"
    yield from (
        ("bogofilter", LISTED + line)
        for line in (b"a 1 0\na 1 0\n", b"bad token 1 0\n", b"a 1 0\r\n", b"a\t1\t0\n")
    )
    yield from (
        ("bogofilter", raw)
        for raw in (b"a 1 0\n", LISTED * 2 + b"a 1 0\n", LISTED + b"x" * 5_000_000)
    )
    same = b"t\t1\t0\t9\tbd9d908616\n"
    yield from (
        ("spamassassin", BACKUP + line)
        for line in (same * 2, same.replace(b"\n", b"\r\n"), b"hello\n", b"t\t1\t0\t9\tno\n")
    )
    yield from (
        ("spamassassin", raw)
        for raw in (BACKUP[:17], BACKUP + b"v\t9\tnum_spam\n", BACKUP + b"s\tx\tid\n")
    )
    rows = (
        b"a,1,1\r\na,1,1\r\n",
        b"a,1\r\n",
        b"a,1,1,1\r\n",
        b",1,1\r\n",
        b"a" + b",1" * 2_000_000 + b"\n",
    )
    long = (b'"' + b"\r\n" * 900_000, b'"\n",' * 900_000 + b"\n")
    yield from (("spambayes", b"3,2\r\n" + row) for row in (*rows, *long))


def wrong_bytes():
    """Yield files of Thunderbird with impossible sizes and counts."""
    whole = foreign.TRAINING
    yield from (
        ("thunderbird", whole[:place] + HUGE + whole[place + 4 :]) for place in (4, 12, 16, 20, 29)
    )
    yield from (
        ("thunderbird", raw)
        for raw in (whole + b"\0", whole[:16] + struct.pack(">II", 2, 5) + b"lunch")
    )
    traits = foreign.TRAITS
    yield from (
        ("thunderbird-traits", raw)
        for raw in (traits + b"\0", traits[:-4] * 2, traits[:12] + HUGE + traits[16:])
    )
    many = b"".join(struct.pack(">III", number + 1, 1, 0) for number in range(MOST_CLASSES + 1))
    yield "thunderbird-traits", traits[:4] + many + bytes(4)


def refused(path, name=""):
    """Read an invalid file and return the error. Check its length and the memory used."""
    tracemalloc.start()
    try:
        with pytest.raises(KnownError) as caught:
            read(path, name)
        assert tracemalloc.get_traced_memory()[1] < MOST_MEMORY
    finally:
        tracemalloc.stop()
    assert caught.value.error_code in (ErrorCode.BAD_MODEL_FILE, ErrorCode.BAD_INPUT)
    assert "\n" not in caught.value.detail
    return caught.value.detail


@pytest.mark.parametrize("kind", [wrong_lines, wrong_bytes])
def test_impossible_values_are_refused(tmp_path, kind):
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
        (
            "DROP TABLE matrix; CREATE VIEW matrix AS SELECT 1 AS id, 1 AS wordid, 1 AS "
            "bucketid, 1 AS times"
        ),
        "DROP TABLE words",
        "CREATE TABLE w AS SELECT 1 AS id, word FROM words; DROP TABLE words; ALTER TABLE w "
        "RENAME TO words;"
        "UPDATE matrix SET wordid = 1",
    ],
)
def test_an_impossible_database_is_refused(tmp_path, change):
    foreign.popfile(tmp_path / "popfile.db")
    connection = sqlite3.connect(tmp_path / "popfile.db")
    connection.executescript(change)
    connection.close()
    refused(tmp_path / "popfile.db")


@pytest.mark.parametrize(
    "start",
    [b"", b"PK\x03\x04", b"\xfe\xed\xfa\xce", b"SQLite format 3\0", LISTED, BACKUP, b"3,2\r\n"],
)
def test_a_file_of_four_gigabytes_is_refused_without_reading_it(tmp_path, start):
    path = tmp_path / "file"
    path.write_bytes(start)
    os.truncate(path, 4 << 30)
    assert "more than 200,000,000 bytes" in refused(path)


@pytest.mark.skipif(os.name != "posix", reason="files of POSIX")
def test_only_a_regular_file_is_read_or_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "mine.nbmodel").write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path / "mine.nbmodel")
    (tmp_path / "folder").mkdir()
    (tmp_path / "other.nbmodel.new").mkdir()
    with pytest.raises(KnownError) as caught:
        read(tmp_path / "none.nbmodel")
    assert caught.value.error_code is ErrorCode.NOT_FOUND
    tables = tables_of(trained("balanced"), 3)
    for path in (tmp_path / "pipe", tmp_path / "link", tmp_path / "folder", "/dev/zero"):
        refused(tmp_path / path)
        for name in ("nbmail", "bogofilter"):
            with pytest.raises(KnownError) as caught:
                drain(writing_model_file(tmp_path / path, tables, name))
            assert caught.value.error_code is ErrorCode.READ_ONLY
    assert (tmp_path / "mine.nbmodel").read_text() == "mine"
    drain(writing_model_file(tmp_path / "other.nbmodel", tables))
    names = sorted(each.name for each in tmp_path.iterdir())
    assert names == ["folder", "link", "mine.nbmodel", "other.nbmodel", "other.nbmodel.new", "pipe"]


@pytest.mark.parametrize(
    "raw",
    [
        b"hello\n" * 9,
        b"\x80\x04\x95" + b"x" * 99,
        "v\t3\tdb_version\n".encode("utf-16"),
        b"\0" * 99,
        b"",
    ],
)
@pytest.mark.parametrize(
    "name", ["a.nbmodel", "training.dat", "words.csv", "bogofilter.txt", "popfile.db", "model.css"]
)
def test_other_files_are_refused_under_every_name(tmp_path, raw, name):
    (tmp_path / name).write_bytes(raw)
    for asked in ("", *READABLE):
        message = refused(tmp_path / name, asked)
        assert not re.search(
            r"\bError\b|Errno|invalid literal|Expecting|codec|object|__|\binput\b", message
        ), message


def flooded(path, kind):
    if kind == "entries":
        with zipfile.ZipFile(path, "w") as archive:
            for number in range(2_000):
                archive.writestr(str(number), b"")
    elif kind == "manifest":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("manifest.json", b"[" * 50_000_000)
    elif kind == "rows":
        own_file(path, classes=(), words=b"word\r\n" + b"x\r\n" * 2_000_000, corrections="row\r\n")
    elif kind == "classes":
        own_file(path, classes=[(f"c{number}", 1) for number in range(4000)])
    elif kind == "deep":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("manifest.json", b"[" * 900_000)
    else:
        own_file(
            path,
            words=HEADER.encode()
            + {"commas": b"," * 30_000_000, "quotes": b'"\n",' * 6_000_000}[kind],
        )
    return path


@pytest.mark.parametrize(
    "kind", ["entries", "manifest", "deep", "rows", "classes", "commas", "quotes"]
)
def test_a_small_archive_with_large_contents_is_refused(tmp_path, kind):
    assert flooded(tmp_path / "m.nbmodel", kind).stat().st_size < 3_000_000
    refused(tmp_path / "m.nbmodel")


MANY = 1_000_100
LINES = {
    "bogofilter": (LISTED, b"w%d 1 0\n"),
    "spamassassin": (BACKUP, b"s\ts\tid%d@x\n"),
    "spambayes": (b"3,2\r\n", b"w%d,1,0\r\n"),
}
GENERATED = """
DROP TABLE words; CREATE TABLE words (
  id INTEGER PRIMARY KEY, word TEXT GENERATED ALWAYS AS (hex(zeroblob(9000)) || id) VIRTUAL, q \
TEXT);
WITH RECURSIVE r (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r LIMIT 60000) INSERT INTO words \
(q) SELECT '' FROM r;
DELETE FROM matrix; INSERT INTO matrix SELECT id, id, 1, 1, '' FROM words;
"""


def flood(folder):
    """Yield small files that would need much time and memory, with the expected error."""
    for name, (head, line) in LINES.items():
        (folder / name).write_bytes(head + b"".join([line % number for number in range(MANY)]))
        yield folder / name, "it has more than 1,000,0"
    training = (
        foreign.TRAINING[:12]
        + struct.pack(">I", 999_999)
        + struct.pack(">II4s", 1, 4, b"word") * 10
    )
    (folder / "training").write_bytes(training)
    yield folder / "training", "more words than a file of its size can have"
    foreign.popfile(folder / "popfile.db")
    connection = sqlite3.connect(folder / "popfile.db")
    connection.executescript(GENERATED)
    connection.close()
    yield folder / "popfile.db", "its tables are not as POPFile makes them"
    yield (
        own_file(folder / "scores", held_out=b"log-odds,spam,asked\r\n" + b"1,1,0\r\n" * 9_000_000),
        "more rows",
    )
    rows = b"".join([b"w%d,1,1,0,0\r\n" % number for number in range(MANY)])
    short = own_file(folder / "words", manifest={"words": 2 * MANY}, words=HEADER.encode() + rows)
    yield short, "fewer than there are words"
    if shutil.which("bogoutil"):
        yield ring(folder / "wordlist.db"), "bogoutil can't read this Berkeley DB"


def ring(path):
    """Write a list whose pages are linked in a ring, so that reading never ends."""
    lines = b"".join([b"word%d 1 1 20260101\n" % number for number in range(20_000)])
    subprocess.run(
        ["bogoutil", "-l", path], input=LISTED.replace(b"3 2", b"9 9") + lines, check=True
    )
    raw = bytearray(path.read_bytes())
    (size,) = struct.unpack_from("<I", raw, 20)
    leaves = [place for place in range(size, len(raw), size) if raw[place + 25] == 5]
    struct.pack_into("<I", raw, leaves[10] + 16, leaves[3] // size)
    path.write_bytes(raw)
    return path


@pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux")
def test_no_file_exceeds_the_limits_of_time_and_memory(tmp_path):
    files, reasons = zip(*flood(tmp_path), strict=True)
    found = subprocess.run(
        [sys.executable, "-m", "tests.exchange.hostile_child", tmp_path / "home", *files],
        capture_output=True,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    assert found.returncode == 0, found.stderr.decode()
    for path, reason, message in zip(files, reasons, found.stdout.splitlines(), strict=True):
        assert reason in (json.loads(message) or "it was imported"), path.name
