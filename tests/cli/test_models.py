"""`nbmail export` and `import`: what was learned travels whole."""

import json

import pytest

from nbmail.cli.main import main
from nbmail.paths import Paths
from nbmail.settings import Settings
from nbmail.settings_file import save_settings


def write_mail(folder, name, subject, body):
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"From: a@example.org\nSubject: {subject}\nMessage-ID: <{name}@example.org>\n\n{body}\n")


@pytest.fixture
def taught(tmp_path):
    """A home that has learned a little."""
    for number in range(4):
        write_mail(tmp_path / "junk", f"j{number}", "cheap pills", f"buy cheap pills now {number}")
        write_mail(tmp_path / "good", f"g{number}", "lunch", f"see you at lunch on day {number}")
    home = tmp_path / "home"
    for label in ("junk", "good"):
        assert main(["learn", "--home", str(home), "--as", label, str(tmp_path / label)]) == 0
    return home


def scores_of(home, folder, capsys):
    capsys.readouterr()
    assert main(["score", "--json", "--home", str(home), str(folder)]) in (0, 1)
    return capsys.readouterr().out


def test_a_fresh_home_scores_the_same_after_an_import(taught, tmp_path, capsys):
    assert main(["export", "--home", str(taught), str(tmp_path / "m.nbmodel")]) == 0
    assert main(["import", "--home", str(tmp_path / "fresh"), str(tmp_path / "m.nbmodel")]) == 0
    write_mail(tmp_path / "new", "n", "cheap lunch", "buy lunch now")
    mine = scores_of(taught, tmp_path / "new", capsys)
    assert json.loads(mine.splitlines()[0])["log_odds"] != 0
    assert scores_of(tmp_path / "fresh", tmp_path / "new", capsys) == mine


def test_an_import_adds_to_what_is_there_and_what_is_counted_already_only_when_told(taught, tmp_path, capsys):
    main(["export", "--home", str(taught), str(tmp_path / "m.nbmodel")])
    before = scores_of(taught, tmp_path / "junk", capsys)
    assert main(["import", "--home", str(taught), str(tmp_path / "m.nbmodel")]) == 2
    assert "exported from here. Nothing was changed; --again" in capsys.readouterr().err
    assert scores_of(taught, tmp_path / "junk", capsys) == before
    assert main(["import", "--again", "--home", str(taught), str(tmp_path / "m.nbmodel")]) == 0
    capsys.readouterr()
    assert main(["export", "--json", "--home", str(taught), str(tmp_path / "twice.nbmodel")]) == 0
    assert json.loads(capsys.readouterr().out)["classes"] == {"junk": 8, "good": 8}
    assert main(["doctor", "--home", str(taught)]) == 0


@pytest.mark.parametrize("content", [b"", b"no zip at all"])
def test_a_file_that_is_no_model_changes_nothing(taught, tmp_path, capsys, content):
    (tmp_path / "bad.nbmodel").write_bytes(content)
    before = scores_of(taught, tmp_path / "junk", capsys)
    assert main(["import", "--home", str(taught), str(tmp_path / "bad.nbmodel")]) == 2
    assert "no model file" in capsys.readouterr().err
    assert scores_of(taught, tmp_path / "junk", capsys) == before


def test_a_file_that_is_not_there_is_named(taught, tmp_path, capsys):
    assert main(["import", "--home", str(taught), str(tmp_path / "none.nbmodel")]) == 2
    assert "none.nbmodel" in capsys.readouterr().err


@pytest.mark.parametrize("method", ["balanced", "multinomial"])
def test_that_another_method_made_it_is_told(taught, tmp_path, capsys, method):
    home, file = tmp_path / "fresh", tmp_path / "m.nbmodel"
    main(["export", "--home", str(taught), str(file)])
    save_settings(Paths.under(home).settings, Settings(method=method))
    capsys.readouterr()
    assert main(["import", "--home", str(home), str(file)]) == 0
    assert capsys.readouterr().out.count("note: ") == (method != "balanced")
    assert main(["import", "--again", "--json", "--home", str(home), str(file)]) == 0
    assert json.loads(capsys.readouterr().out)["other_method"] == (method != "balanced")
