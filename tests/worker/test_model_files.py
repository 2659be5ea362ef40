"""Model files of other versions: taken in where their words mean the same, refused where not."""

from dataclasses import replace

import pytest

from nbmail.core.words import FITTING_VERSIONS, TOKENIZER_VERSION, Choices
from nbmail.errors import KnownError, Trouble
from nbmail.exchange.nbmodel import write_model
from nbmail.worker.model_files import read_in, write_out
from tests.core.material import trained


@pytest.fixture
def tables(tmp_path):
    return write_out(trained("balanced"), Choices(), tmp_path / "own.nbmodel")


@pytest.mark.parametrize("version", FITTING_VERSIONS)
def test_files_of_fitting_versions_are_read(tables, version, tmp_path):
    path = tmp_path / "m.nbmodel"
    write_model(path, replace(tables, tokenizer=version))
    assert read_in(path) == replace(tables, tokenizer=version)
    assert TOKENIZER_VERSION in FITTING_VERSIONS


@pytest.mark.parametrize("version", [1, TOKENIZER_VERSION + 1])
def test_files_of_others_are_refused(tables, version, tmp_path):
    path = tmp_path / "m.nbmodel"
    write_model(path, replace(tables, tokenizer=version))
    with pytest.raises(KnownError, match="in another way") as caught:
        read_in(path)
    assert caught.value.trouble is Trouble.BAD_MODEL_FILE
