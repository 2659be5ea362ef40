"""Data is readable by its owner only, whatever the umask and earlier permissions are."""

import logging
import os
import stat

import pytest

from nbmail.chunks import drain
from nbmail.exchange.conversion import tables_of
from nbmail.exchange.nbmodel.writing import writing_model
from nbmail.log import start_log, stop_log
from nbmail.paths import Paths
from tests.core.material import trained

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")


@pytest.fixture(autouse=True)
def open_habits():
    """umask that makes new files readable for all users."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def modes(folder):
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.rglob("*")}


@pytest.mark.parametrize("before", [(), ("config", "data", "cache", "state", "log"), ("data",)])
def test_folders_are_private_also_those_that_were_there(tmp_path, before):
    for name in before:
        (tmp_path / "home" / name).mkdir(parents=True, mode=0o755)
    Paths.under(tmp_path / "home").make()
    assert modes(tmp_path / "home") == dict.fromkeys(
        ("config", "data", "cache", "state", "log"), 0o700
    )


@pytest.mark.expects_log
def test_the_log_is_private_before_and_after_it_rotates(tmp_path):
    folder = tmp_path / "log"
    folder.mkdir(mode=0o755)
    (folder / "nbmail.log").write_text("old\n")
    (folder / "nbmail.log.1").write_text("older\n")
    handler = start_log(folder)
    logging.getLogger("nbmail.test").warning("new")
    handler.doRollover()
    logging.getLogger("nbmail.test").warning("newer")
    stop_log(handler)
    assert modes(tmp_path) == {
        "log": 0o700,
        "nbmail.log": 0o600,
        "nbmail.log.1": 0o600,
        "nbmail.log.2": 0o600,
    }
    assert "new" in (folder / "nbmail.log.1").read_text()


def test_an_exported_model_is_private_also_in_the_place_of_one_that_was_not(tmp_path):
    (tmp_path / "m.nbmodel").write_text("before")
    drain(writing_model(tmp_path / "m.nbmodel", tables_of(trained("balanced"), 3)))
    assert modes(tmp_path) == {"m.nbmodel": 0o600}
