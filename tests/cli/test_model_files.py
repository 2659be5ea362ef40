"""The commands `nbmail export` and `nbmail import`."""

import json
import sqlite3

import pytest

from nbmail.exchange import WRITABLE
from nbmail.paths import Paths
from nbmail.settings import Settings
from nbmail.settings_file import save_settings
from tests.cli.conftest import write
from tests.exchange.foreign import popfile


@pytest.fixture
def file(mail, nbmail):
    """A model file of a data folder with forty labels."""
    assert nbmail("learn", "--index", mail / "index")[0] == 0
    assert nbmail("export", mail / "m.nbmodel")[0] == 0
    return mail / "m.nbmodel"


def test_an_import_adds_counts_and_known_files_need_again(file, nbmail, tmp_path):
    before = nbmail("score", "--json", tmp_path / "spam")[1]
    code, _, err = nbmail("import", file)
    assert code == 2
    assert "exported from here. Nothing was changed; use --again" in err
    assert nbmail("score", "--json", tmp_path / "spam")[1] == before
    assert nbmail("import", "--again", file)[0] == 0
    report = json.loads(nbmail("export", "--json", tmp_path / "twice.nbmodel")[1])
    assert report["classes"] == {"spam": 40, "ham": 40}
    assert nbmail("doctor")[0] == 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "can't use this model file"),
        (b"PK\5\6" + bytes(18), "can't use this model file"),
        (None, "bad.nbmodel"),
    ],
)
def test_an_invalid_file_changes_nothing(file, nbmail, tmp_path, content, message):
    if content is not None:
        (tmp_path / "bad.nbmodel").write_bytes(content)
    before = nbmail("score", "--json", tmp_path / "spam")[1]
    code, _, err = nbmail("import", tmp_path / "bad.nbmodel")
    assert code == 2
    assert message in err
    assert nbmail("score", "--json", tmp_path / "spam")[1] == before


def test_a_model_with_many_classes_can_be_imported_again(nbmail, tmp_path):
    for number in range(150):
        write(
            tmp_path / "mail" / f"{number}.eml",
            f"about subject{number}",
            "here is what all of them say",
        )
    (tmp_path / "index").write_text(
        "".join(f"class{number} mail/{number}.eml\n" for number in range(150))
    )
    assert nbmail("learn", "--index", tmp_path / "index")[0] == 0
    assert nbmail("export", tmp_path / "m.nbmodel")[0] == 0
    assert nbmail("import", tmp_path / "m.nbmodel", home=tmp_path / "other")[0] == 0
    assert nbmail("import", tmp_path / "m.nbmodel", "--again")[0] == 0


@pytest.mark.parametrize("method", ["balanced", "multinomial"])
def test_a_model_of_another_method_is_noted(file, nbmail, tmp_path, method):
    fresh = tmp_path / "fresh"
    save_settings(Paths.under(fresh).settings, Settings(method=method))
    assert nbmail("import", file, home=fresh)[1].count("note: ") == (method != "balanced")
    report = json.loads(nbmail("import", "--again", "--json", file, home=fresh)[1])
    assert report["other_method"] == (method != "balanced")


def test_imports_change_the_scores_of_a_well_trained_model(nbmail, tmp_path):
    """From 1,024 labels on, a rebuild continues from the model in memory where it can."""
    lines = []
    for number in range(1030):
        label = "spam" if number % 2 else "ham"
        write(tmp_path / "many" / f"{number}.eml", f"about {label}", f"words of {label} {number}")
        lines.append(f"{label} many/{number}.eml\n")
    (tmp_path / "index").write_text("".join(lines))
    assert nbmail("learn", "--index", tmp_path / "index")[0] == 0
    counts = tmp_path / "words.txt"
    counts.write_text(".MSG_COUNT 3000 3000\nviagra 3000 1\n")
    probe = write(tmp_path / "probe.eml", "viagra", "viagra for the meeting")

    before = nbmail("score", probe)[1]
    assert nbmail("import", counts)[0] == 0
    imported = nbmail("score", probe)[1]
    assert imported != before
    assert nbmail("doctor", "--repair")[0] == 0
    assert nbmail("score", probe)[1] == imported

    assert nbmail("import", "--take-out")[0] == 0
    assert nbmail("score", probe)[1] == before


def test_a_file_of_another_filter_is_previewed_imported_and_exported(file, nbmail, tmp_path):
    path = tmp_path / "words.txt"
    lines = [
        ".MSG_COUNT 30 40",
        "Viagra 2 0",
        "prize 25 1",
        "meeting 0 30",
        "rcvd:localhost 30 40",
        "head:a 9 9",
    ]
    lines.append("nothing 0 0")
    path.write_text("".join(f"{line}\n" for line in lines))
    before = nbmail("score", "--json", tmp_path / "spam")[1]
    code, shown, _ = nbmail("import", "--preview", path)
    assert code == 0
    assert shown.splitlines()[1:-1] == [
        "words: 5 (4 usable by nbmail, 2 already known)",
        "stored for exports to bogofilter: 1 words without effect here",
        "agrees with 40 of your 40 labels: 20 of 20 spam, 20 of 20 ham",
    ]
    report = json.loads(
        nbmail("import", "--preview", "--json", "--as-format", "bogofilter", path)[1]
    )
    assert (report["format"], report["classes"], report["known"]) == (
        "bogofilter",
        [["spam", 30], ["ham", 40]],
        2,
    )
    assert nbmail("score", "--json", tmp_path / "spam")[1] == before
    assert nbmail("import", "--merge", path)[0] == 0
    assert nbmail("export", "--format", "bogofilter", tmp_path / "back.txt")[0] == 0
    back = set((tmp_path / "back.txt").read_text().splitlines())
    assert {".MSG_COUNT 50 60", "Viagra 2 0", "prize 45 1", "rcvd:localhost 30 40"} <= back
    code, shown, _ = nbmail("import", "--replace", file, "--json", "--again")
    assert code == 0
    backup = json.loads(shown)["backup"]
    for known in (file, backup):
        assert nbmail("import", "--replace", known)[0] == 2
    assert json.loads(nbmail("export", "--json", tmp_path / "two.nbmodel")[1])["classes"] == {
        "spam": 40,
        "ham": 40,
    }
    assert nbmail("import", backup, home=tmp_path / "fresh")[0] == 0
    assert nbmail("import", "--take-out")[:2] == (
        0,
        "All imports were removed. Labels were not changed.\n",
    )
    assert nbmail("score", "--json", tmp_path / "spam")[1] == before
    assert nbmail("import", "--take-out")[:2] == (1, "Nothing was imported.\n")
    for wrong in (["import"], ["import", "--take-out", file]):
        assert nbmail(*wrong)[0] == 2
    assert nbmail("doctor")[0] == 0


def test_a_model_is_exported_in_every_format(file, nbmail, tmp_path):
    for name in WRITABLE:
        path = tmp_path / f"out.{name}"
        code, shown, _ = nbmail("export", "--format", name, path)
        assert code == 0
        assert shown.startswith("Exported ")
        assert "as private as the mail" in shown
        assert json.loads(nbmail("import", "--preview", "--json", path)[1])["format"] == name


def test_figures_count_the_words_of_the_file(file, nbmail, tmp_path):
    """Entries that are not words, and other spellings of a word, are not counted as words."""
    backup = (
        "v\t3\tdb_version\nv\t3\tnum_spam\nv\t2\tnum_nonspam\n"
        "t\t1\t0\t9\tbd9d908616\ns\ts\tid@x\ns\th\tid@y\n"
    )
    listed = ".ENCODING 2 0\n.MSG_COUNT 30 40\nViagra 2 0\nHello 1 1\nhello, 2 2\nhead:a 9 9\n"
    for name, text, words in (("spamassassin", backup, 1), ("bogofilter", listed, 4)):
        (tmp_path / name).write_text(text)
        assert (
            json.loads(nbmail("import", "--preview", "--json", tmp_path / name)[1])["words"]
            == words
        )
        home = tmp_path / f"home-{name}"
        assert (
            json.loads(nbmail("import", "--json", tmp_path / name, home=home)[1])["words"] == words
        )
        found = json.loads(
            nbmail("export", "--json", "--format", name, tmp_path / "back", home=home)[1]
        )
        assert (found["words"], found["left_out"]) == (words, 0)


def test_the_buckets_of_popfile_are_listed_and_its_words_counted_once(nbmail, tmp_path):
    popfile(tmp_path / "popfile.db")
    with sqlite3.connect(tmp_path / "popfile.db") as connection:
        connection.execute("UPDATE buckets SET name = 'unerwünscht' WHERE id = 1")
    connection.close()
    out = nbmail("import", "--preview", tmp_path / "popfile.db")[1]
    assert "buckets: unerwünscht as ham; work as ham; home as ham\n" in out
    assert "stored" not in out
    assert "they are estimated from its words" in out
