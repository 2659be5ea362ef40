"""Reading back a model file is exact, and invalid files are refused without changes."""

import random
from dataclasses import fields
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from nbmail.chunks import drain
from nbmail.core.calibration.family_weights import without_families
from nbmail.core.calibration.held_out import HeldOut
from nbmail.errors import ErrorCode, KnownError
from nbmail.exchange.model_tables import MeasureSums, ModelTables
from nbmail.exchange.nbmodel.writing import writing_model
from tests.exchange.foreign import read_model


def write_model(path, model):
    drain(writing_model(path, model))


def plain(model):
    """Return all fields as comparable values."""
    found = [getattr(model, field.name) for field in fields(model) if field.name != "held_out"]
    parts = np.nan_to_num(model.held_out.parts, nan=1e99)
    found += [parts, model.held_out.spam, model.held_out.asked]
    return [each.tolist() if isinstance(each, np.ndarray) else each for each in found]


words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


@st.composite
def sums(draw, most):
    """Draw the sums of at most `most` values."""
    values = draw(st.lists(st.integers(-(2**40), 2**40), max_size=min(most, 4)))
    return MeasureSums(len(values), sum(values), sum(value * value for value in values))


@st.composite
def models(draw):
    classes = draw(st.lists(words, max_size=3, unique=True))
    known = draw(st.lists(words, max_size=6, unique=True))
    messages = [draw(st.integers(0, 1000)) for _ in classes]
    shape = (len(classes), len(known))
    documents = np.array(
        [[draw(st.integers(0, most)) for _ in known] for most in messages], np.int64
    ).reshape(shape)
    more = draw(arrays.arrays(np.int64, shape, elements=st.integers(0, 2**39)))
    measures = tuple((draw(sums(most)), draw(sums(most))) for most in messages)
    scores = np.array(
        draw(st.lists(st.floats(-1e9, 1e9), max_size=min(5, sum(messages)))), np.float64
    )
    parts = without_families(scores)
    if draw(st.booleans()):
        parts[:, 1:] = scores[:, None] / 3
    return ModelTables(
        tokenizer=draw(st.integers(1, 9)),
        method=draw(words),
        classes=tuple(classes),
        messages=tuple(messages),
        words=tuple(known),
        documents=documents,
        occurrences=np.where(documents > 0, documents + more, 0),
        corrections=draw(arrays.arrays(np.int64, shape)),
        measures=draw(st.sampled_from([(), measures])) if classes else (),
        held_out=HeldOut(parts, scores > 0, scores > 1),
    )


@given(model=models())
def test_reading_back_is_exact_and_equal_models_give_equal_bytes(tmp_path_factory, model):
    folder = tmp_path_factory.mktemp("model")
    write_model(folder / "a", model)
    found = read_model(folder / "a")
    assert plain(found) == plain(model)
    write_model(folder / "b", found)
    assert (folder / "a").read_bytes() == (folder / "b").read_bytes()
    assert sorted(each.name for each in folder.iterdir()) == ["a", "b"]


def small_model():
    return ModelTables(
        tokenizer=1,
        method="balanced",
        classes=("spam", "ham"),
        messages=(2, 3),
        words=("cheap", 'a,"b"'),
        documents=np.array([[2, 0], [1, 3]], np.int64),
        occurrences=np.array([[5, 0], [1, 4]], np.int64),
        corrections=np.array([[7, 0], [0, 0]], np.int64),
        held_out=HeldOut(
            np.array([[0.1, 0.5, -1.0, 2.25], [-2.5, np.nan, np.nan, np.nan]]),
            np.array([True, False]),
            np.array([False, True]),
        ),
    )


def test_every_damaged_byte_is_detected_or_harmless(tmp_path):
    path = tmp_path / "m.nbmodel"
    write_model(path, small_model())
    whole = path.read_bytes()
    chance = random.Random(4)
    for _ in range(200):
        broken = bytearray(whole)
        broken[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
        path.write_bytes(broken)
        try:
            assert plain(read_model(path)) == plain(small_model())
        except KnownError as error:
            assert error.error_code in {ErrorCode.BAD_MODEL_FILE, ErrorCode.BAD_INPUT}
    for length in (1, 30, *range(0, len(whole), 97), len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(KnownError) as caught:
            read_model(path)
        assert caught.value.error_code is ErrorCode.BAD_MODEL_FILE


def test_an_aborted_export_leaves_the_old_file(tmp_path):
    path = tmp_path / "m.nbmodel"
    path.write_text("the old one")
    for chunks in range(9):
        writing = writing_model(path, small_model())
        assert len(list(islice(writing, chunks))) == chunks
        writing.close()
        assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [
            ("m.nbmodel", "the old one")
        ]


@pytest.mark.parametrize("place", [".", "..", "folder", "missing/m.nbmodel"])
def test_an_export_neither_replaces_nor_creates_folders(tmp_path, monkeypatch, place):
    (tmp_path / "here" / "folder").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here")
    with pytest.raises(KnownError) as caught:
        write_model(Path(place), small_model())
    assert caught.value.error_code is ErrorCode.READ_ONLY
    assert [each.name for each in tmp_path.rglob("*")] == ["here", "folder"]
