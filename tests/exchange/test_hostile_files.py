"""Hostile model files with valid checksums and impossible numbers."""

import hashlib
import json
import struct
import zipfile

import pytest

from nbmail.chunks import drain
from nbmail.errors import ErrorCode, KnownError
from nbmail.exchange.conversion import tables_of
from nbmail.exchange.model_tables import MOST_MESSAGES, MOST_WORDS
from nbmail.exchange.nbmodel.manifest import FORMAT
from nbmail.exchange.nbmodel.writing import writing_model
from tests.core.material import mailbox, trained
from tests.exchange.foreign import read_model
from tests.exchange.merging import merge

VALID = {
    "words.csv": (
        "word,messages spam,occurrences spam,messages ham,occurrences ham\r\nfree,1,1,0,0\r\n"
    ),
    "corrections.csv": "row,0,1\r\n0,5,6\r\n",
    "measures.csv": "class,measure,count,sum,sum of squares\r\nspam,0,1,3,9\r\n",
    "held_out.csv": "log-odds,spam,asked\r\n1.5,1,0\r\n",
}


def pack(path, contents, method=zipfile.ZIP_DEFLATED):
    """Write an archive with these files."""
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
    return path


def unpack(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def summed(contents):
    """Return the checksums of the tables for the manifest."""
    return {
        name: hashlib.sha256(content).hexdigest()
        for name, content in contents.items()
        if name != "manifest.json"
    }


def write(
    path, classes=(("spam", 3), ("ham", 3)), manifest=(), method=zipfile.ZIP_DEFLATED, **tables
):
    """Write a model file with these tables and valid checksums. Tables are named without suffix."""
    texts = VALID | {f"{name}.csv": text for name, text in tables.items()}
    contents = {
        name: text if isinstance(text, bytes) else text.encode() for name, text in texts.items()
    }
    named = [{"name": name, "messages": messages} for name, messages in classes]
    head = {
        "format": FORMAT,
        "tokenizer": 3,
        "method": "balanced",
        "classes": named,
        "words": 1,
        "sha256": summed(contents),
    }
    return pack(path, {"manifest.json": json.dumps(head | dict(manifest)), **contents}, method)


HEADER = VALID["words.csv"].splitlines()[0] + "\r\n"
CORRECTIONS = "row,0,1\r\n"
HELD_OUT = "log-odds,spam,asked\r\n"
SUMS = "class,measure,count,sum,sum of squares\r\nspam,0,"
IMPOSSIBLE_COUNTS = (
    "0,5,0,0",
    "3,0,0,0",
    "4,4,0,0",
    "-1,1,0,0",
    f"1,{2**41},0,0",
    "1,1,0",
    "x,1,0,0",
)


@pytest.mark.parametrize(
    "wrong",
    [
        *({"words": f"{HEADER}free,{numbers}\r\n"} for numbers in IMPOSSIBLE_COUNTS),
        {"words": ""},
        {"corrections": ""},
        {"corrections": "\r\n"},
        {"corrections": CORRECTIONS + "1,1,1\r\n"},
        {"corrections": CORRECTIONS + "-1,1,1\r\n"},
        {"corrections": CORRECTIONS + "0,1\r\n"},
        {"corrections": CORRECTIONS + f"0,1,{2**63}\r\n"},
        {"corrections": CORRECTIONS + "0,1,1\r\n" * 2},
        {"measures": SUMS + "-1,0,0\r\n"},
        {"measures": SUMS + "4,0,0\r\n"},
        {"measures": SUMS + "3,1000,1\r\n"},
        {"measures": SUMS + "0,0,1\r\n"},
        {"measures": SUMS + f"1,0,{2**101}\r\n"},
        {"measures": SUMS + "1\r\n"},
        {"measures": ""},
        {"held_out": HELD_OUT + "1e308,1,0\r\n"},
        {"held_out": HELD_OUT + "nan,1,0\r\n"},
        {"held_out": HELD_OUT + "1,2,0\r\n"},
        {"held_out": HELD_OUT + "1,0,2\r\n"},
        {"held_out": HELD_OUT + "1,0\r\n"},
        {"held_out": HELD_OUT + "1,1,0,2\r\n"},
        {"held_out": HELD_OUT + "1,1,0,2,3,\r\n"},
        {"held_out": HELD_OUT + "1,1,0,2,3,nan\r\n"},
        {"held_out": ""},
        {"classes": (("spam", 2**63), ("ham", 3))},
        {"classes": (("spam", MOST_MESSAGES), ("ham", 1))},
        {"classes": (("spam", -1), ("ham", 3))},
        {"classes": (("spam", 1e400), ("ham", 3))},
        {"classes": (("\ud800", 3), ("\ud801", 3))},
        {"classes": (("", 3), ("ham", 3))},
        {"classes": (("spam", 3), ("spam", 3))},
        {"classes": ((["spam"], 3), ("ham", 3))},
        {"classes": (("spam", 3),)},
        *({"manifest": {"words": words}} for words in (2, -1, True, MOST_WORDS + 1)),
        *({"manifest": {"format": number}} for number in (-1, FORMAT + 1, "one", None)),
        {"manifest": {"method": None}},
        {"manifest": {"classes": None}},
        {"manifest": {"sha256": {name: "0" for name in VALID}}},
        {"method": zipfile.ZIP_LZMA},
        {"method": zipfile.ZIP_BZIP2},
    ],
)
def test_impossible_values_are_refused(tmp_path, wrong):
    assert read_model(write(tmp_path / "m.nbmodel")).corrections.tolist() == [[5], [6]]
    with pytest.raises(KnownError) as caught:
        read_model(write(tmp_path / "m.nbmodel", **wrong))
    assert caught.value.error_code is ErrorCode.BAD_MODEL_FILE


@pytest.mark.parametrize("number", range(FORMAT))
def test_a_file_of_an_older_format_is_refused_with_a_sentence(tmp_path, number):
    path = write(tmp_path / "m.nbmodel", manifest={"format": number})
    with pytest.raises(KnownError, match=f"its format {number} is older") as caught:
        read_model(path)
    assert caught.value.error_code is ErrorCode.BAD_MODEL_FILE


def test_columns_of_removed_classes_are_ignored(tmp_path):
    path = write(tmp_path / "m.nbmodel", corrections="row,0,1,2\r\n0,5,6,7\r\n")
    assert read_model(path).corrections.tolist() == [[5], [6]]


def test_a_false_declared_size_is_refused(tmp_path):
    path = write(tmp_path / "m.nbmodel", held_out=HELD_OUT.encode() + b"1,1,0\r\n" * 200_000)
    whole = path.read_bytes()
    place = whole.rindex(b"held_out.csv") - 46
    path.write_bytes(whole[: place + 24] + struct.pack("<I", 100) + whole[place + 28 :])
    with pytest.raises(KnownError):
        read_model(path)


def test_merging_models_with_too_many_messages_is_refused():
    contents = [trained("balanced", seed=seed).content() for seed in (1, 2)]
    contents[0].counts.messages[0] = MOST_MESSAGES - 50
    with pytest.raises(KnownError, match="together"):
        merge(*contents)


def test_the_row_of_a_removed_class_is_not_exported(tmp_path):
    model = trained("balanced")
    extra = mailbox(1, seed=3, labels=("lists",))[0]
    step = model.learn(*extra)
    model.unlearn(*extra, step)
    tables = tables_of(model, 3)
    assert len(tables.corrections) == len(tables.classes) == 2
    drain(writing_model(tmp_path / "m.nbmodel", tables))
    assert len(read_model(tmp_path / "m.nbmodel").corrections) == 2
