"""`nbmail export` and `import`: what was learned travels whole."""

import json
import os

import pytest

from nbmail.exchange.format_names import WRITABLE
from nbmail.paths import Paths
from nbmail.settings import Settings
from nbmail.settings_file import save_settings
from tests.cli.conftest import write


@pytest.fixture
def file(mail, nbmail):
    """A model file of a home that has learned a little."""
    assert nbmail("learn", "--index", mail / "index")[0] == 0
    assert nbmail("export", mail / "m.nbmodel")[0] == 0
    return mail / "m.nbmodel"


def test_a_fresh_home_scores_the_same_after_an_import(file, nbmail, tmp_path):
    new = write(tmp_path / "new", "prize minutes", "claim the meeting")
    assert nbmail("import", file, home=tmp_path / "fresh")[0] == 0
    mine = nbmail("score", "--json", new)[1]
    assert json.loads(mine)["log_odds"] != 0
    assert nbmail("score", "--json", new, home=tmp_path / "fresh")[1] == mine


def test_an_import_adds_to_what_is_there_and_what_is_counted_already_only_when_told(file, nbmail, tmp_path):
    before = nbmail("score", "--json", tmp_path / "junk")[1]
    code, _, told = nbmail("import", file)
    assert code == 2
    assert "exported from here. Nothing was changed; --again" in told
    assert nbmail("score", "--json", tmp_path / "junk")[1] == before
    assert nbmail("import", "--again", file)[0] == 0
    report = json.loads(nbmail("export", "--json", tmp_path / "twice.nbmodel")[1])
    assert report["classes"] == {"junk": 40, "good": 40}
    assert nbmail("doctor")[0] == 0


@pytest.mark.parametrize(
    ("content", "complaint"), [(b"", "no model file"), (b"no zip at all", "no model file"), (None, "bad.nbmodel")]
)
def test_what_is_no_model_file_changes_nothing(file, nbmail, tmp_path, content, complaint):
    if content is not None:
        (tmp_path / "bad.nbmodel").write_bytes(content)
    before = nbmail("score", "--json", tmp_path / "junk")[1]
    code, _, told = nbmail("import", tmp_path / "bad.nbmodel")
    assert code == 2
    assert complaint in told
    assert nbmail("score", "--json", tmp_path / "junk")[1] == before


@pytest.mark.parametrize("method", ["balanced", "multinomial"])
def test_that_another_method_made_it_is_told(file, nbmail, tmp_path, method):
    fresh = tmp_path / "fresh"
    save_settings(Paths.under(fresh).settings, Settings(method=method))
    assert nbmail("import", file, home=fresh)[1].count("note: ") == (method != "balanced")
    report = json.loads(nbmail("import", "--again", "--json", file, home=fresh)[1])
    assert report["other_method"] == (method != "balanced")


def test_another_filters_file_is_told_of_taken_and_given_back(file, nbmail, tmp_path):
    path = tmp_path / "words.txt"
    lines = [".MSG_COUNT 30 40", "Viagra 2 0", "prize 25 1", "meeting 0 30", "rcvd:localhost 30 40", "head:a 9 9"]
    lines.append("nothing 0 0")
    path.write_text("".join(f"{line}\n" for line in lines))
    before = nbmail("score", "--json", tmp_path / "junk")[1]
    code, told, _ = nbmail("import", "--preview", path)
    assert code == 0
    assert told.splitlines()[1:-1] == [
        "words: 5, 4 of them words of nbmail's too, 2 known here",
        "kept to be given back: 1 words that only bogofilter has",
        "not taken: 1 words without a count",
        "alone it would have judged 40 of your 40 labelled messages as you did: 20 of 20 junk, 20 of 20 good",
    ]
    report = json.loads(nbmail("import", "--preview", "--json", "--as-format", "bogofilter", path)[1])
    assert (report["format"], report["classes"], report["known"]) == ("bogofilter", [["junk", 30], ["good", 40]], 2)
    assert nbmail("score", "--json", tmp_path / "junk")[1] == before
    assert nbmail("import", "--merge", path)[0] == 0
    assert nbmail("export", "--format", "bogofilter", tmp_path / "back.txt")[0] == 0
    back = set((tmp_path / "back.txt").read_text().splitlines())
    assert {".MSG_COUNT 50 60", "Viagra 2 0", "prize 45 1", "rcvd:localhost 30 40"} <= back
    code, told, _ = nbmail("import", "--replace", file, "--json", "--again")
    assert code == 0
    backup = json.loads(told)["backup"]
    for known in (file, backup):
        assert nbmail("import", "--replace", known)[0] == 2
    assert json.loads(nbmail("export", "--json", tmp_path / "two.nbmodel")[1])["classes"] == {"junk": 40, "good": 40}
    assert nbmail("import", backup, home=tmp_path / "fresh")[0] == 0
    assert nbmail("import", "--take-out")[:2] == (0, "What was imported is taken out; the labels stay.\n")
    assert nbmail("score", "--json", tmp_path / "junk")[1] == before
    assert nbmail("import", "--take-out")[:2] == (1, "Nothing was imported.\n")
    for wrong in (["import"], ["import", "--take-out", file]):
        assert nbmail(*wrong)[0] == 2
    assert nbmail("doctor")[0] == 0


def test_what_was_learned_goes_out_in_every_format(file, nbmail, tmp_path):
    for name in WRITABLE:
        path = tmp_path / f"out.{name}"
        code, told, _ = nbmail("export", "--format", name, path)
        assert code == 0
        assert told.startswith("Exported ")
        assert json.loads(nbmail("import", "--preview", "--json", path)[1])["format"] == name
    told = nbmail("export", "--redact", "3", tmp_path / "given.nbmodel")[1]
    assert "left out: " in told
    with pytest.raises(SystemExit):
        nbmail("export", "--redact", "0", tmp_path / "given.nbmodel")


@pytest.mark.skipif(os.name != "posix", reason="devices of POSIX")
def test_devices_are_neither_read_nor_replaced(file, nbmail):
    for command in (["import", "/dev/zero"], ["export", "/dev/null"], ["import", "--preview", "/dev/zero"]):
        code, _, told = nbmail(*command)
        assert code == 2
        assert "no regular file" in told
        assert told.count("\n") == 1
