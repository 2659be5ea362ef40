"""The laboratory is loaded for its methods alone, and these promise what the default promises."""

import shutil
import subprocess
import sys

import numpy as np
import pytest

from nbmail.errors import ErrorCode
from nbmail.method_spec import DEFAULT, METHODS
from nbmail.settings import Settings
from nbmail.worker.model.laboratory import method_named
from tests.demo_letters import lay_out
from tests.worker.conftest import EngineHarness
from tests.worker.test_marking import labels, scores

DEFAULT_HOME = """
import sys
from pathlib import Path
from tests.worker.conftest import EngineHarness

with EngineHarness(Path(sys.argv[1])) as harness:
    harness.ready().deliver(range(1, 41))
    harness.do.mark((1, 3, 5), "spam")
    harness.do.mark((2, 4, 6), "ham")
    harness.settle()
    harness.do.list_mail()
    harness.do.explain(7)
    harness.do.rebuild()
    harness.do.undo()
    harness.again()
    harness.until_exact()
sys.exit(any(name.startswith("nbmail.lab") for name in sys.modules))
"""
COMMAND = """
import sys
from nbmail.__main__ import main

code = main(sys.argv[1:])
is_loaded = any(name.startswith("nbmail.lab") for name in sys.modules)
sys.exit(code or 7 * is_loaded)
"""
LOADED = 7


def run(code, *arguments):
    """Return the exit code of Python code in a process of its own."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, check=False, stdout=subprocess.DEVNULL).returncode


def test_a_default_data_folder_never_loads_the_laboratory(tmp_path):
    assert run(DEFAULT_HOME, tmp_path / "home") == 0


def test_commands_on_a_default_data_folder_never_load_the_laboratory(tmp_path):
    folders = lay_out(tmp_path)
    home = ("--home", tmp_path / "home")
    assert run(COMMAND, "learn", *home, "--as", "spam", folders / "spam") == 0
    assert run(COMMAND, "learn", *home, "--as", "ham", folders / "ham") == 0
    assert run(COMMAND, "score", *home, "--why", 3, folders / "new") == 0
    assert run(COMMAND, "learn", *home, "--method", "bernoulli") == LOADED


@pytest.mark.parametrize("method", [name for name in METHODS if name != DEFAULT])
def test_every_method_survives_start_kill_undo_and_import(labelled_harness, tmp_path, method):
    harness = labelled_harness
    harness.stop()
    harness.settings = Settings(method=method)
    harness.ready()
    harness.until_exact()
    marked = labels(harness)
    before = scores(harness)

    harness.do.mark((77,), "spam")
    harness.until_exact()
    killed = tmp_path / "killed"
    harness.on_engine(lambda _: shutil.copytree(harness.paths.data, killed / "data"))
    expected = scores(harness)
    harness.do.undo()
    harness.until_exact()
    assert labels(harness) == marked
    assert np.array_equal(scores(harness), before)

    with EngineHarness(killed, harness.settings) as again:
        again.ready()
        again.until_exact()
        assert np.array_equal(scores(again), expected)
        assert again.check_up().sound

    words = tmp_path / "words.txt"
    words.write_text(".MSG_COUNT 30 40\nlottery 20 1\nmeeting 1 25\n")
    if method_named(method).create(None).counts_suffice:
        harness.do.import_model(words)
        harness.until_exact()
        harness.do.undo()
        harness.until_exact()
        assert np.array_equal(scores(harness), before)
    else:
        refused = harness.attempt.import_model(words)
        assert refused.error_code is ErrorCode.BAD_MODEL_FILE
    assert harness.check_up().sound
