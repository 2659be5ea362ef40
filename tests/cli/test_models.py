"""`nbmail export` and `import`: what was learned travels whole."""

import json

import pytest

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
