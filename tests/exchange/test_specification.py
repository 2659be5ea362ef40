"""`FORMAT.md` is correct: its reader reads exported files, and no cell is a formula."""

import csv
import io
import re
import zipfile
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from nbmail import exchange
from nbmail.exchange.model_tables import ModelTables
from nbmail.exchange.nbmodel.manifest import FORMAT
from tests.exchange.foreign import read, write

PAGE = (Path(exchange.__file__).parent / "FORMAT.md").read_text(encoding="utf-8")
READER = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)[1]
WORDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1) | st.sampled_from(
    [
        "=cmd|' /C calc'!A0",
        "+1",
        "-2+3",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        "'",
        "'=1",
        "''",
        "＝1",
        "-foo",
    ]
)


def reader():
    """Return the function in the page."""
    names = {}
    exec(compile(READER, "FORMAT.md", "exec"), names)
    return names["read"]


def model(words, classes):
    counts = np.arange(len(words) * len(classes), dtype=np.int64).reshape(len(classes), len(words))
    messages = tuple(int(row.max(initial=0)) + 1 for row in counts)
    return ModelTables(
        3,
        "balanced",
        tuple(classes),
        messages,
        tuple(words),
        counts,
        counts * 2,
        np.zeros_like(counts),
    )


@given(
    words=st.lists(WORDS, unique=True, max_size=8), classes=st.lists(WORDS, unique=True, max_size=3)
)
def test_the_documented_reader_reads_an_export(tmp_path_factory, words, classes):
    tables = model(words, classes)
    path = write(tmp_path_factory.mktemp("model") / "m.nbmodel", tables)
    found, counted = reader()(path)
    assert found == dict(zip(classes, tables.messages, strict=True))
    expected = zip(tables.documents.T.tolist(), tables.occurrences.T.tolist(), strict=True)
    assert list(counted) == words
    assert [list(each.values()) for each in counted.values()] == [
        list(zip(*both, strict=True)) for both in expected
    ]
    assert read(path).tables.words == tuple(words)


@given(words=st.lists(WORDS, unique=True, max_size=8))
def test_no_cell_is_a_formula(tmp_path_factory, words):
    path = write(tmp_path_factory.mktemp("model") / "m.nbmodel", model(words, ["spam", *words[:2]]))
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if name.endswith(".csv"):
                for row in csv.reader(io.StringIO(archive.read(name).decode(), newline="")):
                    assert not [
                        cell
                        for cell in row
                        if cell[:1] in tuple("=+@\t\r\n＝＋－＠") or re.match(r"-(?!\d)", cell)
                    ]


def test_the_tables_have_the_documented_headings(tmp_path):
    path = write(tmp_path / "m.nbmodel", model(["free"], ["spam", "ham"]))
    with zipfile.ZipFile(path) as archive:
        first = {
            name: archive.read(name).decode().partition("\r\n")[0]
            for name in archive.namelist()
            if name.endswith(".csv")
        }
    assert first == {
        "words.csv": "word,messages spam,occurrences spam,messages ham,occurrences ham",
        "corrections.csv": "row,0,1",
        "measures.csv": "class,measure,count,sum,sum of squares",
        "held_out.csv": "log-odds,spam,asked,says,who,how",
    }
    headings = [*first["measures.csv"].split(","), *first["held_out.csv"].split(",")]
    for heading in ("word", "row", *headings):
        assert f"`{heading}`" in PAGE


def test_the_page_has_this_version_and_the_reader_is_short():
    assert f"format, version {FORMAT}\n" in PAGE
    body = [line for line in READER.splitlines() if line.strip()]
    assert len(body) <= 22
