"""`nbmail learn`, `export`, `import` and `score`: an imported model gives identical scores."""

import json

import pytest

from tests.demo_letters import lay_out
from tests.e2e.running import run_nbmail


@pytest.fixture
def letters(tmp_path):
    (tmp_path / "letters").mkdir()
    return lay_out(tmp_path / "letters")


def run_well(tmp_path, *words):
    """Run a command that must succeed, and return its output."""
    code, shown, complaints = run_nbmail(tmp_path, *words)
    assert (code, complaints) == (0, ""), (words, shown, complaints)
    return shown


def scores(tmp_path, home, letters):
    """Return the output about the test messages."""
    code, shown, _ = run_nbmail(tmp_path, "score", "--home", home, "--json", "--why", "5", letters / "new")
    assert code in (0, 1)
    lines = [json.loads(line) for line in shown.splitlines()] if shown.startswith('{"') else json.loads(shown)
    assert len(json.dumps(lines)) > 10_000
    return lines


def test_an_imported_model_gives_identical_scores(tmp_path, letters):
    first, second, third = (tmp_path / name for name in ("first", "second", "third"))
    for label in ("junk", "good"):
        run_well(tmp_path, "learn", "--home", first, "--as", label, letters / label)
    expected = scores(tmp_path, first, letters)
    run_well(tmp_path, "export", "--home", first, tmp_path / "one.nbmodel")
    assert scores(tmp_path, first, letters) == expected, "exporting changes nothing"
    for before, after, name in ((first, second, "one"), (second, third, "two")):
        run_well(tmp_path, "export", "--home", before, tmp_path / f"{name}.nbmodel")
        run_well(tmp_path, "import", "--home", after, tmp_path / f"{name}.nbmodel")
        assert scores(tmp_path, after, letters) == expected
        run_well(tmp_path, "doctor", "--home", after)
