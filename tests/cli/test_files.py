import os

import pytest

from nbmail.cli import files as cli_files
from nbmail.cli.files import Source, all_sources, indexed_messages, labelled_sources, messages_of, sources_in
from nbmail.cli.main import main
from nbmail.errors import KnownError, Trouble

FIRST = b"From a@example.org Mon Jan  1 10:00:00 2024\nSubject: one\n\nhello\n>From here on\n"
SECOND = b"From b@example.org Mon Jan  1 11:00:00 2024\nSubject: two\n\n\nFrom now on it is better\n"


def read(path, label=""):
    return [(str(source.path), raw) for source in sources_in(path, label) for raw in messages_of(source)]


@pytest.mark.parametrize("large", [0, 10**6])
def test_a_mail_file_holds_several_messages(tmp_path, monkeypatch, large):
    monkeypatch.setattr(cli_files, "LARGE", large)
    path = tmp_path / "box"
    path.write_bytes(FIRST + b"\n" + SECOND)
    sources = list(sources_in(path, "junk"))
    found = [one for source in sources for one in messages_of(source)]
    assert found == [(1, FIRST.replace(b">From", b"From")), (2, SECOND)]
    assert [(source.label, source.messages) for source in sources] == [("junk", 1 if large else 2)]


@pytest.mark.parametrize("large", [0, 10**6])
@pytest.mark.parametrize("span", [1, 2])
def test_a_mail_file_with_the_line_ends_of_windows_holds_the_same(tmp_path, monkeypatch, large, span):
    monkeypatch.setattr(cli_files, "LARGE", large)
    monkeypatch.setattr(cli_files, "SPAN", span)
    path = tmp_path / "box"
    path.write_bytes((FIRST + b"\n" + SECOND + b"\n" + FIRST).replace(b"\n", b"\r\n"))
    raws = [raw.replace(b"\n", b"\r\n").replace(b">From", b"From") for raw in (FIRST, SECOND, FIRST)]
    assert [one for source in sources_in(path) for one in messages_of(source)] == list(enumerate(raws, 1))


@pytest.mark.parametrize("span", [1, 2, 3, 7, 100])
def test_spans_of_a_large_mail_file_hold_every_message_once(tmp_path, monkeypatch, span):
    monkeypatch.setattr(cli_files, "LARGE", 0)
    monkeypatch.setattr(cli_files, "SPAN", span)
    raws = [b"From a@example.org Mon Jan  1 10:00:00 2024\nSubject: %d\n\nFrom me\n" % number for number in range(7)]
    (tmp_path / "box").write_bytes(b"\n".join(raws))
    sources = list(sources_in(tmp_path / "box"))
    assert [one for source in sources for one in messages_of(source)] == list(enumerate(raws, 1))
    assert sum(source.messages for source in sources) == 7


@pytest.mark.parametrize("large", [0, 10**6])
@pytest.mark.parametrize("raw", [FIRST, SECOND, b"Subject: x\n\nFrom a b 10:00\n"])
def test_a_file_with_one_message_is_that_message(tmp_path, monkeypatch, large, raw):
    monkeypatch.setattr(cli_files, "LARGE", large)
    (tmp_path / "one.eml").write_bytes(raw)
    assert read(tmp_path / "one.eml") == [(str(tmp_path / "one.eml"), (0, raw))]


def test_an_empty_file_holds_nothing(tmp_path):
    (tmp_path / "empty").write_bytes(b"")
    assert read(tmp_path / "empty") == []


def test_a_maildir_in_the_order_of_delivery(tmp_path):
    for name in ("cur/20.x:2,S", "new/10.y", "cur/30.z:2,", "cur/.hidden", "tmp/5.unfinished"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"Subject: x\n\n")
    assert [source.path.name for source in sources_in(tmp_path)] == ["10.y", "20.x:2,S", "30.z:2,"]


def test_folders_in_folders_by_name(tmp_path):
    for name in ("b/2.eml", "a.eml", "b/1.eml", ".git/x", "c.mbox"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(FIRST + b"\n" + SECOND if name == "c.mbox" else b"Subject: x\n\n")
    assert [name.removeprefix(f"{tmp_path}/") for name, _ in read(tmp_path)] == [
        "a.eml", "b/1.eml", "b/2.eml", "c.mbox", "c.mbox",
    ]  # fmt: skip
    assert len(all_sources([tmp_path / "b", tmp_path / "a.eml"])) == 3


def test_labels_of_an_index(tmp_path):
    for name in "abcde":
        (tmp_path / name).write_bytes(b"Subject: x\n\n")
    (tmp_path / "with space").write_bytes(b"Subject: x\n\n")
    (tmp_path / "index").write_text("spam a\nJUNK b\n\nham c\n Good d\nReceipts e\nspam with space\n")
    assert labelled_sources(tmp_path / "index") == [
        Source(tmp_path / "a", "junk"),
        Source(tmp_path / "b", "junk"),
        Source(tmp_path / "c", "good"),
        Source(tmp_path / "d", "good"),
        Source(tmp_path / "e", "Receipts"),
        Source(tmp_path / "with space", "junk"),
    ]


def test_a_missing_path_is_told(tmp_path):
    with pytest.raises(KnownError) as error:
        list(sources_in(tmp_path / "gone"))
    assert error.value.trouble is Trouble.NOT_FOUND
    with pytest.raises(KnownError) as error:
        list(messages_of(Source(tmp_path / "gone")))
    assert error.value.trouble is Trouble.NOT_FOUND


def test_what_is_no_file_is_told(tmp_path):
    with pytest.raises(KnownError) as error:
        list(messages_of(Source(tmp_path)))
    assert error.value.trouble is Trouble.BAD_INPUT


def test_what_is_no_mail_is_passed_over(tmp_path):
    (tmp_path / "a.eml").write_bytes(FIRST)
    (tmp_path / "b.jpg").write_bytes(b"\xff\xd8\0\x10JFIF" * 100)
    (tmp_path / "c.eml").write_bytes(b"Subject: a NUL is no reason\n\n\0\0")
    (tmp_path / "d").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "e")
    found = [raw for source in all_sources([tmp_path]) for _, raw in messages_of(source)]
    assert [raw[:12] for raw in found] == [FIRST[:12], b"Subject: a N"]


def test_a_pipe_that_is_named_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(KnownError) as error:
        all_sources([tmp_path / "pipe"])
    assert error.value.trouble is Trouble.BAD_INPUT


@pytest.mark.parametrize("line", [b"spam a\0b", b"spam \0", b"\xff a", b"spam"])
def test_lines_of_an_index_that_name_nothing_are_told(tmp_path, line):
    (tmp_path / "a").write_bytes(b"Subject: x\n\n")
    (tmp_path / "index").write_bytes(b"ham a\n" + line + b"\n")
    with pytest.raises(KnownError) as error:
        labelled_sources(tmp_path / "index")
    assert error.value.trouble is Trouble.BAD_INPUT


def test_labels_that_are_only_measured_may_be_any_bytes(tmp_path):
    (tmp_path / "index").write_bytes(b"\xff a\n\xfe b\n")
    assert len({source.label for source in indexed_messages(tmp_path / "index")}) == 2


def test_a_class_whose_name_is_no_text_is_refused(tmp_path, capsys):
    (tmp_path / "a").write_bytes(b"Subject: x\n\n")
    assert main(["learn", "--home", str(tmp_path / "home"), "--as", "\udcff", str(tmp_path / "a")]) == 2
    assert "no UTF-8" in capsys.readouterr().err
