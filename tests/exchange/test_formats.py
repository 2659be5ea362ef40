"""Import of files of other filters, and their unchanged export."""

import pickle
import random
import sqlite3
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.scoring.model import Model
from nbmail.errors import ErrorCode, KnownError
from nbmail.exchange import READABLE, WRITABLE
from nbmail.exchange.conversion import content_of, tables_of
from nbmail.exchange.formats import _LAYOUTS
from nbmail.exchange.model_tables import ModelTables
from tests.core.material import once_trained
from tests.exchange import foreign
from tests.exchange.foreign import counted, files, read, write
from tests.exchange.merging import merge


def test_the_names_are_those_of_the_formats():
    assert set(READABLE) == {"nbmail", *_LAYOUTS}
    assert set(WRITABLE) == {
        "nbmail",
        *(name for name, layout in _LAYOUTS.items() if layout.two_way),
    }


@pytest.mark.parametrize(
    ("name", "classes", "words"),
    [
        (
            "bogofilter",
            {"spam": 3, "ham": 2},
            {
                "bogofilter+:Hello": (1, 0), "from:anna": (0, 2), "bogofilter:head:plain": (1, 1),
                "subject:FREE": (2, 0), "viagra": (3, 0), "hello": (1, 0),
                "bogofilter:.ENCODING 2 0": (1, 0),
            },
        ),
        (
            "spamassassin",
            {"spam": 3, "ham": 2},
            {
                "viagra": (3, 0), "spamassassin:#0123456789": (1, 1),
                "spamassassin:=abc@sa_generated": (1, 0),
            },
        ),
        (
            "spambayes",
            {"spam": 3, "ham": 2},
            {"subject:café": (2, 0), "viagra": (3, 0), "cmd": (0, 1)},
        ),
        (
            "thunderbird",
            {"spam": 1, "ham": 1},
            {"lunch": (0, 1), "viagra": (1, 0), "subject:cheap": (1, 0)},
        ),
        ("thunderbird-traits", {"trait 7": 3}, {"lunch": (2,)}),
        (
            "popfile",
            {"spam": 9, "ham": 6},
            {"viagra": (9, 0), "subject:lunch": (0, 3), "lunch": (0, 6)},
        ),
    ],
)  # fmt: skip
def test_each_format_is_detected_and_read(tmp_path, name, classes, words):
    path = tmp_path / "file"
    path.write_bytes(files(tmp_path)[name])
    found = read(path, own=["lunch", "viagra"])
    assert found.format == name
    assert dict(zip(found.tables.classes, found.tables.messages, strict=True)) == classes
    assert counted(found.tables) == words
    notes = (f"{name}:.ENCODING", f"{name}:=")
    kept = sum(word.startswith(f"{name}:") and not word.startswith(notes) for word in words)
    dropped = name in ("spambayes", "popfile")
    assert (found.kept, found.ours) == (kept, found.words - kept - dropped)
    assert found.is_estimated == (name == "popfile")
    assert found.words == {
        "bogofilter": 5,
        "spamassassin": 2,
        "thunderbird-traits": 1,
        "thunderbird": 3,
    }.get(name, 4)
    assert found.parts == (
        {"spam": "spam", "work": "ham", "home": "ham"} if name == "popfile" else {}
    )
    assert counted(read(path, name, ["viagra"]).tables) == words


@pytest.mark.parametrize("name", ["thunderbird", "thunderbird-traits"])
def test_files_of_thunderbird_are_exported_byte_for_byte(tmp_path, name):
    path = tmp_path / "file"
    path.write_bytes(files(tmp_path)[name])
    assert write(tmp_path / "back", read(path).tables, name).read_bytes() == path.read_bytes()


def test_words_that_a_spreadsheet_changes_are_not_shared_with_spambayes(tmp_path):
    (tmp_path / "file").write_bytes(b"5,5\r\nplain,5,0\r\n-cut,1,0\r\n")
    assert counted(read(tmp_path / "file").tables) == {"plain": (0, 5)}


def test_spamassassin_gets_plain_words_without_imported_hashes(tmp_path):
    tables = ModelTables(
        3, "balanced", ("spam", "ham"), (3, 2), ("viagra", "subject:FREE", "link:evil"),
        *[np.array([[3, 1, 1], [0, 1, 0]], np.int64)] * 2, np.zeros((2, 3), np.int64),
    )  # fmt: skip
    path = write(tmp_path / "plain", tables, "spamassassin")
    assert path.read_bytes() == (
        b"v\t2\tdb_version # this must be the first line!!!\nv\t3\tnum_spam\nv\t2\tnum_nonspam\n"
        b"t\t3\t0\t1790000000\tviagra\n"
    )
    assert counted(read(path).tables) == {"viagra": (3, 0)}


@pytest.mark.parametrize("encoding", [b"1", b"2", None])
def test_the_encoding_of_a_bogofilter_list_is_unchanged(tmp_path, encoding):
    line = b".ENCODING %b 0 20050101\n" % encoding if encoding else b""
    (tmp_path / "list").write_bytes(line + b".MSG_COUNT 0 2 20050101\ncaf\xe9 0 1 20050101\n")
    tables = read(tmp_path / "list").tables
    assert "caf" not in tables.words, "part of a word of an older encoding"
    both = write(tmp_path / "own", tables), write(tmp_path / "back", tables, "bogofilter")
    for path in (both[1], write(tmp_path / "again", read(both[0]).tables, "bogofilter")):
        assert path.read_bytes() == b".ENCODING %b 0\n.MSG_COUNT 0 2\ncaf\xe9 0 1\n" % (
            encoding or b"2"
        )
        assert counted(read(path).tables) == counted(tables)


def test_words_of_older_encodings_are_read_as_spambayes_reads_them(tmp_path):
    rows = (
        b"2,3\r\ncaf\xe9,1,0\r\n\x93hey\x94,1,1\r\n\x81x,0,1\r\n"
        b"na\xefve,1,0\r\nna\xc3\xafve,0,2\r\n"
    )
    (tmp_path / "list").write_bytes(rows)
    found = counted(read(tmp_path / "list").tables)
    assert (found["café"], found["hey"], found["naïve"]) == ((0, 1), (1, 1), (2, 0))
    assert not {"caf", "na", "ve"} & found.keys()


def test_a_hash_is_exported_with_the_count_of_its_word(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(foreign.SPAMASSASSIN)
    for own in ((), ("viagra",)):
        back = write(tmp_path / "back", read(path, own=own).tables, "spamassassin").read_bytes()
        assert b"\nt\t3\t0\t1790000000\tbd9d908616\n" in back
        assert back.count(b"\n") == foreign.SPAMASSASSIN.count(b"\n")


# Possible words of each filter, as bytes.
_ANY = st.binary(min_size=1, max_size=20)
_NO_SPACE = _ANY.filter(
    lambda token: not set(token) & set(b"\0\t\n\v\f\r \x1c\x1d\x1e\x1f") and token[:1] != b"."
)
_TOKENS = {
    "bogofilter": _NO_SPACE,
    "spamassassin": _NO_SPACE.filter(lambda token: token[:1] not in b"#="),
    "thunderbird": _ANY,
}
_WORDS = st.sampled_from(
    ["viagra", "subj:free", "subject:free", "Viagra", "café", "from:anna", "a.b", "-x", "=1"]
)


def is_valid(token):
    """True if the token has none of the private characters that stand for other bytes."""
    return not any(0x10FF80 <= ord(one) <= 0x10FFFF for one in token.decode("utf-8", "replace"))


@pytest.mark.parametrize("name", _TOKENS)
@settings(max_examples=40)
@given(data=st.data())
def test_an_import_is_exported_unchanged_through_a_model_and_the_own_format(
    tmp_path_factory, name, data
):
    folder = tmp_path_factory.mktemp("file")
    tokens = data.draw(st.lists(_TOKENS[name] | _WORDS.map(str.encode), unique=True, max_size=8))
    tokens = [
        token for token in tokens if is_valid(token) and (name, token[:1]) != ("spamassassin", b"=")
    ]
    counts = [
        data.draw(st.tuples(st.integers(0, 5), st.integers(0, 7)).filter(any)) for _ in tokens
    ]
    raw = laid_out(name, dict(zip(tokens, counts, strict=True)))
    (folder / "in").write_bytes(raw)
    found = read(folder / "in", name)
    write(folder / "own", found.tables)
    model = Model(Vocabulary(["viagra", "here"]))
    mine = once_trained("balanced", 20)
    content = content_of(read(folder / "own").tables, model.vocabulary)
    model.restore(content)
    write(folder / "out", tables_of(model, 3), name)
    assert parsed(name, (folder / "out").read_bytes()) == parsed(name, raw)
    # Counts are added to those of a model.
    both = merge(mine.content(), content_of(found.tables, mine.vocabulary))
    assert sum(both.counts.messages) == sum(mine.counts.messages) + 12


def laid_out(name, counts):
    """Return a file with tokens of five spam and seven ham messages, made without nbmail."""
    if name == "bogofilter":
        lines = [b"%b %d %d 20260101\n" % (token, *both) for token, both in counts.items()]
        return b"".join([b".MSG_COUNT 5 7 20260101\n", *lines])
    if name == "spamassassin":
        lines = [b"t\t%d\t%d\t99\t%b\n" % (*both, token) for token, both in counts.items()]
        return b"".join([b"v\t2\tdb_version\nv\t5\tnum_spam\nv\t7\tnum_nonspam\n", *lines])
    lists = [[(token, both[row]) for token, both in counts.items() if both[row]] for row in (1, 0)]
    number = lambda value: value.to_bytes(4, "big")  # noqa: E731
    packed = [
        number(len(one)) + b"".join(number(n) + number(len(token)) + token for token, n in one)
        for one in lists
    ]
    return b"\xfe\xed\xfa\xce" + number(7) + number(5) + b"".join(packed)


def parsed(name, raw):
    """Return the contents of a file without dates and the order of words."""
    if name == "bogofilter":
        lines = [
            line.split(b" ") for line in raw.split(b"\n") if line and not line.startswith(b".ENC")
        ]
        return sorted(tuple(line[:3]) for line in lines)
    if name == "spamassassin":
        lines = [
            line.split(b"\t", 4)
            for line in raw.split(b"\n")
            if line.startswith((b"t", b"v\t5", b"v\t7"))
        ]
        return sorted(tuple(line[:3] + line[4:]) for line in lines)
    return sorted(raw), len(raw)


# The tables of a constant database follow each other up to the end of the file.
CDB = struct.pack("<512I", 2048, 2, *(2064, 0) * 255) + bytes(16)

KNOWN = [
    ("SQLite 2", b"** This file contains an SQLite 2.1 database **"),
    ("before 0.20", b"__CORPUS__ __VERSION__ 1\nviagra 3\n"),
    *(("pickle", pickle.dumps((5, {"viagra": (1, 0)}, 3, 2), protocol)) for protocol in range(6)),
    ("pickle", b"cposix\nsystem\n(S'true'\ntR."),
    (
        "rspamd",
        (
            b'{"pattern": "RS", "meta": {"learns_spam": 3, "learns_ham": 4}, "elts": {"RS_123": '
            b'{"S": "1"}}}'
        ),
    ),
    ("rspamd", CDB),
    ("DSPAM", b"insert into dspam_token_data (uid, token, spam_hits) values (1, 2, 3);"),
    ("CRM114", b"CRM114 OSB css 1.0\0"),
    ("CRM114", random.Random(1).randbytes(12 * 1_048_577)),
    ("Berkeley DB", bytes(12) + b"\x62\x31\x05\x00" + bytes(4000)),
    ("as on Windows", b".MSG_COUNT 3 2 20260101\r\nviagra 1 0 20260101\r\n"),
    ("rspamd's and DSPAM's", "CREATE TABLE tokens (token INTEGER, hits INTEGER)"),
    ("bogofilter's database of SQLite", "CREATE TABLE bogofilter (key BLOB, value BLOB)"),
]


@pytest.mark.parametrize(("message", "content"), KNOWN)
def test_known_formats_that_can_not_be_read_are_refused_by_name(tmp_path, message, content):
    path = tmp_path / "model.nbmodel"
    if isinstance(content, str):
        with sqlite3.connect(path) as connection:
            connection.execute(content)
        connection.close()
    else:
        path.write_bytes(content)
    with pytest.raises(KnownError, match=message) as caught:
        read(path)
    assert caught.value.error_code is ErrorCode.BAD_MODEL_FILE


@pytest.mark.parametrize(
    "name", ["bogofilter", "spamassassin", "spambayes", "thunderbird", "thunderbird-traits"]
)
def test_a_file_cut_off_anywhere_in_a_line_is_refused(tmp_path, name):
    whole = files(tmp_path)[name]
    for length in range(1, len(whole)):
        if name.startswith("thunder") or whole[length - 1 : length] != b"\n":
            (tmp_path / "file").write_bytes(whole[:length])
            with pytest.raises(KnownError):
                read(tmp_path / "file", name)
