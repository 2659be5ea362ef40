"""The commands `nbmail export` and `nbmail import`."""

import json
import re
import sqlite3
import zipfile
from dataclasses import replace

import numpy as np
import pytest

from nbmail.exchange import WRITABLE
from nbmail.paths import Paths
from nbmail.settings import Settings
from nbmail.settings_file import save_settings
from nbmail.worker.model.label_files import read_labels
from tests.cli.conftest import write
from tests.exchange.foreign import popfile, read_model
from tests.exchange.foreign import write as write_model


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


def test_the_number_of_exported_changes_is_the_number_of_lines(mail, nbmail, tmp_path):
    assert nbmail("learn", "--index", mail / "index")[0] == 0
    assert nbmail("learn", "--as", "spam", mail / "ham" / "00.eml")[0] == 0
    code, text, _ = nbmail("labels", "export", tmp_path / "changes", "--journal")
    lines = len((tmp_path / "changes").read_bytes().splitlines())
    assert (code, text) == (0, f"Wrote {lines} label changes to {tmp_path / 'changes'}.\n")
    assert lines > int(nbmail("labels", "export", tmp_path / "labels.csv")[1].split()[1])


@pytest.mark.parametrize("method", ["balanced", "multinomial"])
def test_a_model_of_another_method_is_noted(file, nbmail, tmp_path, method):
    fresh = tmp_path / "fresh"
    save_settings(Paths.under(fresh).settings, Settings(method=method))
    assert nbmail("import", file, home=fresh)[1].count("note: ") == (method != "balanced")
    report = json.loads(nbmail("import", "--again", "--json", file, home=fresh)[1])
    assert report["other_method"] == (method != "balanced")


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
    assert shown.splitlines()[1:-4] == [
        "words: 5 (4 usable by nbmail, 2 already known)",
        "stored for exports to bogofilter: 1 words without effect here",
        "not imported: 1 words without a count",
        "agrees with 40 of your 40 labels: 20 of 20 spam, 20 of 20 good",
    ]
    assert "  viagra  (in the file 2 spam, 0 good; your labels: none)" in shown
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


BACK_DOOR = ("from:eve@evil.example", "link:evil.example", "zyxtrigger")


@pytest.fixture
def back_door(nbmail, tmp_path, file):
    """A model that agrees with all labels and makes mail of one sender good."""
    tables = read_model(file)
    rows = np.zeros((2, len(BACK_DOOR)), np.int64)
    rows[tables.classes.index("ham")] = 40
    documents = tables.documents.copy()
    documents[:, tables.words.index("prize")] = [0, 40] if tables.classes[1] == "ham" else [40, 0]
    strong = np.where(rows, (60 << 17) << 32, 0)
    evil = replace(
        tables,
        messages=(40, 40),
        words=(*tables.words, *BACK_DOOR),
        documents=np.hstack([documents, rows]),
        occurrences=np.hstack([documents, rows]),
        corrections=np.hstack([tables.corrections, strong]),
    )
    return write_model(tmp_path / "evil.nbmodel", evil)


def test_a_back_door_is_named_by_the_preview_and_can_be_left_out(back_door, nbmail, tmp_path):
    mail = write(
        tmp_path / "eve.eml",
        "claim your prize",
        "winner cash prize zyxtrigger http://evil.example/now",
    )
    mail.write_text(mail.read_text().replace("someone@example.org", "eve@evil.example"))

    def verdict():
        return json.loads(nbmail("score", "--json", mail)[1])["verdict"]

    assert verdict() == "spam"
    report = json.loads(nbmail("import", "--preview", "--json", back_door)[1])
    words = [one["word"] for one in report["doubtful"]]
    assert set(words[:2]) == set(BACK_DOOR[:2]), "senders and hosts first"
    assert words[2] == BACK_DOOR[2]
    assert "prize" in words, "contradicts the labels"
    assert not {"winner", "minutes"} & set(words)
    assert report["agreement"]["spam_right"] == 20
    shown = nbmail("import", "--preview", back_door)[1]
    assert re.search(
        r"-\d+\.\d\d  from:eve@evil\.example  \(in the file 0 spam, 40 good; your labels: none\)\n",
        shown,
    )
    assert re.search(
        r"[+-]\d+\.\d\d  prize  \(in the file 0 spam, 40 good; your labels: 20 spam, 0 good\)\n",
        shown,
    )
    code, output, _ = nbmail("import", "--leave-out", back_door)
    assert (code, f"omitted: {report['doubtful_words']} words" in output) == (0, True)
    assert verdict() == "spam"
    assert nbmail("import", back_door)[0] == 2, "imported before"
    assert nbmail("import", "--take-out")[0] == 0
    assert nbmail("import", back_door)[0] == 0
    assert verdict() == "ham"


def test_a_model_is_exported_in_every_format(file, nbmail, tmp_path):
    for name in WRITABLE:
        path = tmp_path / f"out.{name}"
        code, shown, _ = nbmail("export", "--format", name, path)
        assert code == 0
        assert shown.startswith("Exported ")
        assert json.loads(nbmail("import", "--preview", "--json", path)[1])["format"] == name
    shown = nbmail("export", "--redact", "3", tmp_path / "given.nbmodel")[1]
    assert "omitted: " in shown
    with pytest.raises(SystemExit):
        nbmail("export", "--redact", "0", tmp_path / "given.nbmodel")


PEOPLE = "hugo", "winterstein", "karl", "li", "bärbel", "tietze", "dora"


def test_a_redacted_model_names_nobody_whatever_the_classes(nbmail, tmp_path):
    """Names of senders, recipients and Reply-To addresses, in other classes and with short
    names.
    """
    for number in range(12):
        for kind in ("divorce-annamueller", "work", "spam"):
            path = tmp_path / kind / f"{number}.eml"
            path.parent.mkdir(exist_ok=True)
            path.write_text(
                f"From: Hugo Winterstein <karl{number % 4}@{kind}.example>\nTo: Li Po "
                f"<bärbel@example.org>\n"
                f"Reply-To: Dora Tietze <d.tietze@example.org>\nMessage-ID: "
                f"<{number}{kind}@example.org>\n"
                f"Subject: meeting with Hugo and Li\n\n{' '.join(PEOPLE)} will meet for "
                f"lunch in town today\n"
                if kind != "spam"
                else (
                    f"From: cash{number}@shop.example\nSubject: prize\n\ncash prize for lunch "
                    f"today\n"
                ),
                encoding="utf-8",
            )
    for kind in ("divorce-annamueller", "work", "spam"):
        assert nbmail("learn", "--as", kind, tmp_path / kind)[0] == 0
    code, out, _ = nbmail("export", "--redact", "2", tmp_path / "given.nbmodel")
    assert code == 0
    assert "the loss of accuracy is unknown" in out
    given = json.loads(nbmail("export", "--redact", "2", "--json", tmp_path / "given.nbmodel")[1])
    assert given["caught"] is None
    assert sorted(name[:5] for name in given["classes"]) == ["class", "class", "spam"]
    words = read_model(tmp_path / "given.nbmodel").words
    assert {"meet", "lunch", "subject:meeting", "today"} <= set(words)
    held = " ".join(words).lower()
    assert not [name for name in PEOPLE if re.search(rf"\b{name}\b", held)]
    assert b"annamueller" not in b"".join(unpacked(tmp_path / "given.nbmodel"))


@pytest.mark.parametrize("least", [1, 2, 3])
def test_a_redacted_model_never_names_an_employer(nbmail, tmp_path, least):
    """Own addresses and those written to, in bodies, subjects, links and parts of words."""
    for number in range(40):
        for kind in ("work", "ham", "spam"):
            path = tmp_path / kind / f"{number}.eml"
            path.parent.mkdir(exist_ok=True)
            to = "me@initech.example" if kind != "work" else "boss@hr.big-corp.example"
            body = (
                "Initech and initechportal meet BigCorp for lunch at "
                "http://intranet.initech.example/menu "
                "or http://www.big-corp.example/menu or at the hotel, see "
                "http://hotel.example/menu"
            )
            path.write_text(
                f"From: cash{number}@shop.example\nTo: {to}\nMessage-ID: "
                f"<{number}{kind}@example.org>\n"
                f"Subject: Initech lunch at "
                f"BIG-CORP\n\n{body if kind != 'spam' else 'cash prize'}\n"
            )
    for kind in ("work", "ham", "spam"):
        assert nbmail("learn", "--as", kind, tmp_path / kind)[0] == 0
    assert nbmail("export", "--redact", least, tmp_path / "given.nbmodel")[0] == 0
    words = read_model(tmp_path / "given.nbmodel").words
    assert {"lunch", "meet", "hotel", "link:hotel.example", "subject:lunch"} <= set(words)
    assert [word for word in words if re.search(r"initech|big|corp", word.lower())] == []


def unpacked(path):
    with zipfile.ZipFile(path) as archive:
        return [archive.read(name) for name in archive.namelist()]


def test_figures_count_the_words_of_the_file(file, nbmail, tmp_path):
    """Entries that are not words, and other spellings of a word, are not counted as words."""
    backup = "v\t3\tdb_version\nv\t3\tnum_spam\nv\t2\tnum_nonspam\nt\t1\t0\t9\tbd9d908616\ns\ts\tid@x\ns\th\tid@y\n"
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
    assert "buckets: unerwünscht as good; work as good; home as good\n" in out
    assert "stored" not in out
    assert "not imported: 1 words that only that filter has" in out


@pytest.mark.parametrize("journal", [(), ("--journal",)])
def test_labels_learned_here_are_written_with_their_message_ids_and_come_back(
    mail, nbmail, tmp_path, journal
):
    assert nbmail("learn", "--index", mail / "index")[0] == 0
    copy = tmp_path / "copy"
    assert nbmail("labels", "export", copy, *journal)[0] == 0
    if journal:
        assert copy.read_bytes() == (tmp_path / "home" / "data" / "labels.log").read_bytes()
    lines = [line._replace(entry=0, step=0, position=0) for line in read_labels(copy)]
    assert {line.message_id for line in lines} == {
        f"<{number:02}.eml@example.org>" for number in range(20)
    }
    assert {(line.label, line.by, line.folder) for line in lines} == {
        ("spam", "folder", ""),
        ("ham", "folder", ""),
    }
    assert nbmail("labels", "import", copy, home=tmp_path / "new")[1] == (
        "Gave 0 labels. 40 apply to mail that is not stored yet.\n"
    )
    code, out, _ = nbmail("labels", "export", tmp_path / "again.csv", home=tmp_path / "new")
    assert code == 0
    assert out.endswith("In addition, 40 labels for mail that is not stored yet.\n")
    again = [line._replace(position=0) for line in read_labels(tmp_path / "again.csv")]
    assert sorted(again, key=str) == sorted(lines, key=str)
