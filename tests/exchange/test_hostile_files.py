"""Model files that mean harm: their checksums are right and their numbers are not. Refused, or sound all through."""

import csv
import hashlib
import io
import json
import random
import struct
import tracemalloc
import zipfile

import numpy as np
import pytest

from nbmail.core.judging.model import Model
from nbmail.errors import KnownError, Trouble
from nbmail.exchange import nbmodel_reading
from nbmail.exchange.conversion import Knowledge, knowledge_of, merge, tables_of
from nbmail.exchange.model_tables import MOST_MESSAGES
from nbmail.exchange.nbmodel import read_model, write_model
from tests.core.material import mailbox, trained, vocabulary

SOUND = {
    "words.csv": "word,messages junk,occurrences junk,messages good,occurrences good\r\nfree,1,1,0,0\r\n",
    "corrections.csv": "row,0,1\r\n0,5,6\r\n",
    "measures.csv": "class,measure,count,sum,sum of squares\r\njunk,0,1,3,9\r\n",
    "held_out.csv": "log-odds,junk\r\n1.5,1\r\n",
}


def write(path, classes=(("junk", 3), ("good", 3)), words=1, manifest=None, **tables):
    """A file with these tables, by their names without the ending, and the right checksums."""
    texts = SOUND | {f"{name}.csv": text for name, text in tables.items()}
    contents = {name: text if isinstance(text, bytes) else text.encode() for name, text in texts.items()}
    named = [{"name": name, "messages": messages} for name, messages in classes]
    head = {"format": 1, "tokenizer": 3, "method": "balanced", "classes": named, "words": words}
    head |= {"sha256": {name: hashlib.sha256(text).hexdigest() for name, text in contents.items()}}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("manifest.json", json.dumps(head | (manifest or {})))
        for name, content in contents.items():
            archive.writestr(name, content)
    return path


def test_the_sound_one_is_read(tmp_path):
    tables = read_model(write(tmp_path / "m.nbmodel"))
    assert tables.corrections.tolist() == [[5], [6]]


WORDS, CORRECTIONS = SOUND["words.csv"], "row,0,1\r\n"
SUMS = "class,measure,count,sum,sum of squares\r\njunk,0,"
HELD_OUT = "log-odds,junk\r\n"


@pytest.mark.parametrize(
    "wrong",
    [
        {"corrections": ""},
        {"corrections": "\r\n"},
        {"corrections": CORRECTIONS + "1,1,1\r\n"},
        {"corrections": CORRECTIONS + "-1,1,1\r\n"},
        {"corrections": CORRECTIONS + "0,1\r\n"},
        {"corrections": CORRECTIONS + f"0,1,{2**63}\r\n"},
        {"corrections": CORRECTIONS + "0,1,1\r\n" * 2},
        {"words": 2},
        {"words": -1},
        {"words": True},
        {"words": nbmodel_reading.MOST_WORDS + 1},
        {"classes": (("junk", 2**63), ("good", 3))},
        {"classes": (("junk", 2**34), ("good", 3))},
        {"classes": (("junk", MOST_MESSAGES), ("good", 1))},
        {"classes": (("junk", -1), ("good", 3))},
        {"classes": (("junk", 1e400), ("good", 3))},
        {"classes": (("\ud800", 3), ("\ud801", 3))},
        {"classes": (("", 3), ("good", 3))},
        {"classes": (("junk", 3), ("junk", 3))},
        {"classes": ((["junk"], 3), ("good", 3))},
        {"measures": SUMS + "-1,0,0\r\n"},
        {"measures": SUMS + "4,0,0\r\n"},
        {"measures": SUMS + "3,1000,1\r\n"},
        {"measures": SUMS + "0,0,1\r\n"},
        {"measures": SUMS + f"1,0,{2**101}\r\n"},
        {"measures": SUMS + "1\r\n"},
        {"measures": ""},
        {"held_out": HELD_OUT + "1e308,1\r\n"},
        {"held_out": HELD_OUT + "nan,1\r\n"},
        {"held_out": HELD_OUT + "1,2\r\n"},
        {"held_out": ""},
        {"manifest": {"method": None}},
        {"manifest": {"format": -1}},
    ],
)
def test_what_can_not_be_is_refused(tmp_path, wrong):
    with pytest.raises(KnownError) as caught:
        read_model(write(tmp_path / "m.nbmodel", **wrong))
    assert caught.value.trouble is Trouble.BAD_MODEL_FILE


@pytest.mark.parametrize("numbers", ["0,5,0,0", "3,0,0,0", "4,4,0,0", "-1,1,0,0", f"1,{2**41},0,0", "1,1,0", "x,1,0,0"])
def test_words_counted_as_none_can_be_are_refused(tmp_path, numbers):
    table = f"{SOUND['words.csv'].splitlines()[0]}\r\nfree,{numbers}\r\n".encode()
    contents = {"words.csv": table, **{name: text.encode() for name, text in SOUND.items() if name != "words.csv"}}
    path = tmp_path / "m.nbmodel"
    write(path)
    with zipfile.ZipFile(path) as archive:
        head = json.loads(archive.read("manifest.json"))
    head["sha256"] = {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in {"manifest.json": json.dumps(head).encode(), **contents}.items():
            archive.writestr(name, content)
    with pytest.raises(KnownError):
        read_model(path)


def test_columns_of_forgotten_classes_are_passed_over(tmp_path):
    path = write(tmp_path / "m.nbmodel", corrections="row,0,1,2\r\n0,5,6,7\r\n")
    assert read_model(path).corrections.tolist() == [[5], [6]]


def test_what_unfolds_beyond_all_bounds_is_refused_before_it_does(tmp_path):
    path = write(tmp_path / "m.nbmodel", held_out=HELD_OUT.encode() + b"1,1\r\n" * 2_000_000)
    assert path.stat().st_size < 100_000
    tracemalloc.start()
    try:
        with pytest.MonkeyPatch.context() as patch, pytest.raises(KnownError, match="too large"):
            patch.setattr(nbmodel_reading, "LARGEST_TABLE", 1_000_000)
            read_model(path)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


def test_a_declared_size_is_not_believed(tmp_path, monkeypatch):
    path = write(tmp_path / "m.nbmodel", held_out=HELD_OUT.encode() + b"1,1\r\n" * 200_000)
    whole = path.read_bytes()
    place = whole.rindex(b"held_out.csv") - 46
    path.write_bytes(whole[: place + 24] + struct.pack("<I", 100) + whole[place + 28 :])
    with pytest.raises(KnownError):
        read_model(path)


def test_a_flood_of_words_is_refused_at_the_first_too_many(tmp_path):
    flood = b"word\r\n" + b"x\r\n" * 2_000_000
    path = write(tmp_path / "m.nbmodel", classes=(), words=1, **{"corrections": "row\r\n", "measures": "a\r\n"})
    with zipfile.ZipFile(path) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()} | {"words.csv": flood}
    head = json.loads(contents["manifest.json"])
    head["sha256"]["words.csv"] = hashlib.sha256(flood).hexdigest()
    contents["manifest.json"] = json.dumps(head).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
    tracemalloc.start()
    try:
        with pytest.raises(KnownError, match="stands twice"):
            read_model(path)
        assert tracemalloc.get_traced_memory()[1] < 5 * len(flood)
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_other_kinds_of_packing_are_refused(tmp_path, method):
    path = write(tmp_path / "m.nbmodel")
    with zipfile.ZipFile(path) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
    with pytest.raises(KnownError):
        read_model(path)


def test_models_that_are_too_large_together_are_refused():
    knowledge = [Knowledge(one.counts, one.keep()) for one in (trained("balanced"), trained("balanced", seed=2))]
    knowledge[0].counts.messages[0] = MOST_MESSAGES - 50
    with pytest.raises(KnownError, match="together"):
        merge(*knowledge)


def test_the_row_of_a_forgotten_class_is_not_exported(tmp_path):
    model = trained("balanced")
    extra = mailbox(1, seed=3, labels=("lists",))[0]
    step = model.learn(*extra)
    model.unlearn(*extra, step)
    tables = tables_of(model, 3)
    assert len(tables.corrections) == len(tables.classes) == 2
    write_model(tmp_path / "m.nbmodel", tables)
    assert read_model(tmp_path / "m.nbmodel") == tables


# ------------------------------------------------------------------------------------------------ mutations

HOSTILE = [
    "", "0", "-1", "1", "2", "5", "2147483648", str(2**63 - 1), str(2**63), str(-(2**63)), "9" * 50, "9" * 5000,
    "1e308", "-1e308", "nan", "inf", "-inf", "1e9", "\x00", "\ufeff", "'", '"', "a,b", "junk", "good", "free", "\r",
    "\n", "x" * 140_000,
]  # fmt: skip
VALUES = [None, True, -1, 0, 1, 2, 60, 2**31, 2**63, 10**400, 1e308, float("nan"), "", "junk", "\ud800", [], {}, [[]]]


def mutated_rows(chance, content):
    rows = list(csv.reader(io.StringIO(content.decode(), newline="")))
    for _ in range(chance.choice((1, 1, 2, 6))):
        row = chance.choice(rows) if rows else []
        deed = chance.randrange(6)
        if deed < 3 and row:
            row[chance.randrange(len(row))] = chance.choice(HOSTILE)
        elif deed == 3 and row:
            del row[chance.randrange(len(row))]
        elif deed == 4:
            rows.insert(chance.randrange(len(rows) + 1), [chance.choice(HOSTILE) for _ in range(chance.randrange(7))])
        elif rows:
            del rows[chance.randrange(len(rows))]
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()


def mutated_bytes(chance, content):
    broken = bytearray(content)
    for _ in range(chance.randrange(1, 5)):
        broken[chance.randrange(len(broken))] = chance.randrange(256)
    return bytes(broken[: chance.randrange(len(broken))]) if chance.randrange(3) == 0 else bytes(broken)


def mutate_value(chance, value):
    """Something else at a place of a JSON value."""
    if isinstance(value, dict | list) and value and chance.randrange(5):
        key = chance.choice(list(value)) if isinstance(value, dict) else chance.randrange(len(value))
        value[key] = mutate_value(chance, value[key])
        return value
    return chance.choice(VALUES)


def mutated(chance, contents):
    """The contents with a table or the manifest changed, and checksums that fit."""
    contents = dict(contents)
    head = json.loads(contents.pop("manifest.json"))
    name = chance.choice(["manifest.json", *contents])
    if name in contents:
        contents[name] = chance.choice((mutated_rows, mutated_rows, mutated_bytes))(chance, contents[name])
    head["sha256"] = {each: hashlib.sha256(content).hexdigest() for each, content in contents.items()}
    if name == "manifest.json":
        head = mutate_value(chance, head)
    return {"manifest.json": json.dumps(head).encode(), **contents}


def test_of_thousands_of_mutations_each_is_refused_or_sound(tmp_path):
    chance, path = random.Random(16), tmp_path / "m.nbmodel"
    write_model(path, tables_of(trained("balanced", 40), 3))
    with zipfile.ZipFile(path) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    other = trained("balanced", 60, seed=4)
    home = Knowledge(other.counts, other.keep())
    samples = [sample for sample, _ in mailbox(5, seed=6)]
    taken = 0
    for _ in range(3000):
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in mutated(chance, contents).items():
                archive.writestr(name, content)
        try:
            tables = read_model(path)
        except KnownError as error:
            assert error.trouble is Trouble.BAD_MODEL_FILE
            continue
        taken += 1
        merged = merge(home, knowledge_of(tables, vocabulary()))
        model = Model(vocabulary())
        model.restore(merged.counts, merged.learned)
        log_odds = model.log_odds(model.rows(samples))
        assert np.isfinite(log_odds).all()
        assert np.isfinite(model.probabilities(log_odds)).all() or not model.calibrated
        for sample, label in mailbox(3, seed=7):
            model.learn(sample, label)
    assert 50 < taken < 2000
