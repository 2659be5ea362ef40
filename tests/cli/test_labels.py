"""The command `nbmail labels`."""

import pytest

from nbmail.worker.model.label_files import read_labels


def test_the_number_of_exported_changes_is_the_number_of_lines(mail, nbmail, tmp_path):
    assert nbmail("learn", "--index", mail / "index")[0] == 0
    assert nbmail("learn", "--as", "spam", mail / "ham" / "00.eml")[0] == 0
    code, text, _ = nbmail("labels", "export", tmp_path / "changes")
    lines = len((tmp_path / "changes").read_bytes().splitlines())
    assert lines == 41
    assert (code, text) == (0, f"Wrote {lines} label changes to {tmp_path / 'changes'}.\n")


def test_exported_labels_are_labels_log_and_wait_for_their_mail_elsewhere(mail, nbmail, tmp_path):
    copy = tmp_path / "copy"
    again = tmp_path / "again"
    assert nbmail("learn", "--index", mail / "index")[0] == 0
    assert nbmail("labels", "export", copy)[0] == 0
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
    code, out, _ = nbmail("labels", "export", again, home=tmp_path / "new")
    assert code == 0
    assert out.endswith(" 40 of them apply to mail that is not stored yet.\n")
    others = [line._replace(position=0) for line in read_labels(again)]
    assert sorted(others, key=str) == sorted(lines, key=str)


@pytest.mark.parametrize("content", ["", "message_id,hash,label\n", "{}\n"])
def test_a_file_that_is_no_log_is_refused(mail, nbmail, tmp_path, content):
    (tmp_path / "table").write_text(content)
    code, out, err = nbmail("labels", "import", tmp_path / "table")
    if content:
        assert (code, out) == (2, "")
        assert "line 1: this is no line of a labels.log" in err
    else:
        assert (code, out) == (0, "Gave 0 labels.\n")
