"""What paths and the lines of an index name."""

import os

import pytest

from nbmail.cli import sources
from nbmail.cli.main import main
from nbmail.cli.sources import Source, all_sources, indexed_messages, labelled_sources
from nbmail.errors import ErrorCode, KnownError

MAIL = b"Subject: x\n\n"
FROM = b"From a@example.org Mon Jan  1 10:00:00 2024\n"


def write(folder, **contents):
    for name, content in contents.items():
        (folder / name).write_bytes(content)


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize(("large", "part"), [(10**6, 1), (0, 1), (0, 2), (0, 3), (0, 7), (0, 100)])
def test_an_mbox_file_holds_its_messages_each_once_however_it_is_cut(tmp_path, monkeypatch, large, part, end):
    monkeypatch.setattr(sources, "LARGE", large)
    monkeypatch.setattr(sources, "PART", part)
    raws = [(b"Subject: %d\n\n>From me\n" % number).replace(b"\n", end) for number in range(7)]
    write(tmp_path, box=b"".join((FROM + b"\n").replace(b"\n", end)[: -len(end)] + raw + end for raw in raws))
    found = all_sources([tmp_path / "box"], "junk")
    expected = [raw.replace(b">From", b"From") for raw in raws]
    assert [one for source in found for one in source.read()] == list(enumerate(expected, 1))
    assert {source.label for source in found} == {"junk"}
    assert len(found) == (1 if large or part == 100 else -(-7 // part))
    assert sum(source.messages for source in found) == (1 if large else 7)


@pytest.mark.parametrize("large", [0, 10**6])
@pytest.mark.parametrize(("raw", "message"), [(FROM + MAIL + b"x", MAIL + b"x"), (MAIL + FROM, MAIL + FROM)])
def test_a_file_with_one_message_is_that_message(tmp_path, monkeypatch, large, raw, message):
    monkeypatch.setattr(sources, "LARGE", large)
    write(tmp_path, one=raw)
    [source] = all_sources([tmp_path / "one"])
    assert list(source.read()) == [(0, message)]


def test_folders_hold_all_their_messages_by_name(tmp_path):
    (tmp_path / "b" / "cur").mkdir(parents=True)
    (tmp_path / "b" / "new").mkdir()
    (tmp_path / "loop").symlink_to(".")
    os.mkfifo(tmp_path / "pipe")
    write(tmp_path / "b", **{"cur/20.x:2,S": FROM + MAIL + FROM, "new/10.y": MAIL})
    write(tmp_path, **{"a.eml": FROM + MAIL + FROM, "c.mbox": FROM + MAIL + FROM + MAIL, "d.jpg": b"\0" * 9, "e": b""})
    found = [(source.path.name, number) for source in all_sources([tmp_path]) for number, _ in source.read()]
    assert found == [("a.eml", 0), ("10.y", 0), ("20.x:2,S", 0), ("c.mbox", 1), ("c.mbox", 2)]


def test_labels_of_an_index(tmp_path):
    names = ("a", "b", "c", "d", "e", "with space")
    write(tmp_path, **dict.fromkeys(names, MAIL))
    (tmp_path / "index").write_text("spam a\nJUNK b\n\nham c\n Good d\nReceipts e\nspam with space\n")
    labels = ("junk", "junk", "good", "good", "Receipts", "junk")
    expected = [Source(tmp_path / name, label) for name, label in zip(names, labels, strict=True)]
    assert labelled_sources(tmp_path / "index") == expected


def test_what_is_gone_since_it_was_named_is_told(tmp_path):
    for source in (Source(tmp_path / "gone"), Source(tmp_path / "gone", single=True)):
        with pytest.raises(KnownError) as error:
            list(source.read())
        assert error.value.error_code is ErrorCode.NOT_FOUND


def test_a_pipe_that_is_named_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(KnownError) as error:
        all_sources([tmp_path / "pipe"])
    assert error.value.error_code is ErrorCode.BAD_INPUT


@pytest.mark.parametrize("line", [b"spam a\0b", b"spam \0", b"\xff a", b"spam"])
def test_lines_of_an_index_that_name_nothing_are_told(tmp_path, line):
    write(tmp_path, a=MAIL, index=b"ham a\n" + line + b"\n")
    with pytest.raises(KnownError) as error:
        labelled_sources(tmp_path / "index")
    assert error.value.error_code is ErrorCode.BAD_INPUT


def test_labels_that_are_only_measured_may_be_any_bytes(tmp_path):
    write(tmp_path, index=b"\xff a\n\xfe b\n")
    assert len({source.label for source in indexed_messages(tmp_path / "index")}) == 2


def test_a_class_whose_name_is_no_text_is_refused(tmp_path, capsys):
    write(tmp_path, a=MAIL)
    assert main(["learn", "--home", str(tmp_path / "home"), "--as", "\udcff", str(tmp_path / "a")]) == 2
    assert "no UTF-8" in capsys.readouterr().err


def test_bare_from_lines_are_no_mail(tmp_path):
    (tmp_path / "lines.mbox").write_bytes(b"From \n" * 200_000)
    with pytest.raises(KnownError):
        all_sources([tmp_path / "lines.mbox"])
    (tmp_path / "one.mbox").write_bytes(b"From x\n\nFrom x\nSubject: a\n\nb\n\nFrom x\n")
    assert [raw for source in all_sources([tmp_path / "one.mbox"]) for _, raw in source.read()] == [
        b"Subject: a\n\nb\n"
    ]


def test_of_a_bare_message_the_headers_that_writers_choose_are_left(tmp_path):
    head = b"Received: by x\n\tfrom y\nFROM: a@b\nSubject: long\n and longer\nX-To: z\nContent-Type: text/plain"
    write(tmp_path, one=head + b"\n\nTo: body\n\nend", index=b"spam one\n")
    ((_, read),) = indexed_messages(tmp_path / "index", bare=True)[0].read()
    assert read == b"FROM: a@b\nSubject: long\n and longer\nContent-Type: text/plain\n\nTo: body\n\nend"
