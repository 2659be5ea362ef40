"""Sources of messages that paths and the lines of an index name."""

import os

import pytest

from nbmail.cli.main import main
from nbmail.cli.messages import sources
from nbmail.cli.messages.index_files import indexed_messages, labelled_sources
from nbmail.cli.messages.sources import Source, all_sources
from nbmail.cli.messages.tokenizing import start_tokenizing
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.errors import ErrorCode, KnownError
from nbmail.store.mail.identity import identify
from nbmail.sync.local import mbox_files

MAIL = b"Subject: x\n\n"
FROM = b"From a@example.org Mon Jan  1 10:00:00 2024\n"


def write(folder, **contents):
    for name, content in contents.items():
        (folder / name).write_bytes(content)


def messages(found):
    with start_tokenizing(found, whole=True) as tokenizer:
        return [
            (one.source.path.name, one.number, one.identity)
            for one in tokenizer.messages(Vocabulary())
        ]


@pytest.mark.parametrize("single", [False, True])
def test_a_source_that_was_deleted_is_an_error(tmp_path, single):
    with pytest.raises(KnownError) as error:
        list(Source(tmp_path / "gone", single=single).read())
    assert error.value.error_code is ErrorCode.NOT_FOUND


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize(
    ("large", "part", "parts"),
    [(10**6, 1, 1), (0, 1, 7), (0, 60, 7), (0, 75, 4), (0, 300, 2), (0, 10**6, 1)],
)
def test_an_mbox_file_contains_each_message_once_however_it_is_cut(
    tmp_path, monkeypatch, large, part, parts, end
):
    monkeypatch.setattr(sources, "LARGE", large)
    monkeypatch.setattr(sources, "PART", part)
    raws = [(b"Subject: %d\n\n>From me\n" % number).replace(b"\n", end) for number in range(7)]
    write(
        tmp_path,
        box=b"".join((FROM + b"\n").replace(b"\n", end)[: -len(end)] + raw + end for raw in raws),
    )
    found = all_sources([tmp_path / "box", tmp_path / "box"], "spam")
    assert len(found) == 2 * parts
    expected = [raw.replace(b">From", b"From") for raw in raws]
    assert [raw for source in found for raw in source.read()] == 2 * expected
    assert messages(found) == 2 * [
        ("box", number, identify(raw)) for number, raw in enumerate(expected, 1)
    ]
    assert {source.label for source in found} == {"spam"}


@pytest.mark.parametrize("size", range(1, 12))
def test_parts_begin_at_from_lines_also_where_a_block_ends_inside_one(tmp_path, monkeypatch, size):
    monkeypatch.setattr(mbox_files, "BLOCK", size)
    content = b"From a\n\nx\nFrom b\n\nFromage\n From c\nFrom d\n\n"
    write(tmp_path, box=content)
    starts = [start for start, _ in mbox_files.mbox_ranges(tmp_path / "box", 1)]
    assert starts == (
        [0, content.index(b"From b"), content.index(b"From d")] if size >= len(b"From ") else [0]
    )


@pytest.mark.parametrize("large", [0, 10**6])
@pytest.mark.parametrize(
    ("raw", "message"), [(FROM + MAIL + b"x", MAIL + b"x"), (MAIL + FROM, MAIL + FROM)]
)
def test_a_file_with_one_message_is_that_message(tmp_path, monkeypatch, large, raw, message):
    monkeypatch.setattr(sources, "LARGE", large)
    write(tmp_path, one=raw)
    [source] = all_sources([tmp_path / "one"])
    assert list(source.read()) == [message]
    assert messages([source]) == [("one", 0, identify(message))]


def test_folders_contain_all_their_messages_by_name(tmp_path):
    (tmp_path / "b" / "cur").mkdir(parents=True)
    (tmp_path / "b" / "new").mkdir()
    (tmp_path / "loop").symlink_to(".")
    os.mkfifo(tmp_path / "pipe")
    write(tmp_path / "b", **{"cur/20.x:2,S": FROM + MAIL + FROM, "new/10.y": MAIL})
    write(
        tmp_path,
        **{
            "a.eml": FROM + MAIL + FROM,
            "c.mbox": FROM + MAIL + FROM + MAIL,
            "d.jpg": b"\0" * 9,
            "e": b"",
        },
    )
    found = [(name, number) for name, number, _ in messages(all_sources([tmp_path]))]
    assert found == [("a.eml", 0), ("10.y", 0), ("20.x:2,S", 0), ("c.mbox", 1), ("c.mbox", 2)]


def test_labels_of_an_index(tmp_path):
    names = ("a", "b", "c", "d", "e", "with space")
    write(tmp_path, **dict.fromkeys(names, MAIL))
    (tmp_path / "index").write_text(
        "spam a\nSPAM b\n\nham c\n Ham d\nReceipts e\nspam with space\n"
    )
    labels = ("spam", "spam", "ham", "ham", "Receipts", "spam")
    expected = [Source(tmp_path / name, label) for name, label in zip(names, labels, strict=True)]
    assert labelled_sources(tmp_path / "index") == expected


@pytest.mark.parametrize("label", ["junk", "Junk", "good", "GOOD"])
def test_former_names_of_spam_and_ham_are_refused(tmp_path, label):
    write(tmp_path, a=MAIL)
    (tmp_path / "index").write_text(f"spam a\n{label} a\n")
    for read in (labelled_sources, indexed_messages):
        with pytest.raises(KnownError, match=f"the label {label}: say spam / ham"):
            read(tmp_path / "index")


def test_a_pipe_is_refused_without_waiting(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(KnownError) as error:
        all_sources([tmp_path / "pipe"])
    assert error.value.error_code is ErrorCode.BAD_INPUT


@pytest.mark.parametrize("line", [b"spam a\0b", b"spam \0", b"\xff a", b"spam"])
def test_invalid_lines_of_an_index_are_errors(tmp_path, line):
    write(tmp_path, a=MAIL, index=b"ham a\n" + line + b"\n")
    with pytest.raises(KnownError) as error:
        labelled_sources(tmp_path / "index")
    assert error.value.error_code is ErrorCode.BAD_INPUT


def test_labels_of_an_evaluation_can_be_any_bytes(tmp_path):
    write(tmp_path, index=b"\xff a\n\xfe b\n")
    assert len({source.label for source in indexed_messages(tmp_path / "index")}) == 2


def test_a_label_that_is_not_utf8_is_refused(tmp_path, capsys):
    write(tmp_path, a=MAIL)
    assert (
        main(["learn", "--home", str(tmp_path / "home"), "--as", "\udcff", str(tmp_path / "a")])
        == 2
    )
    assert "no UTF-8" in capsys.readouterr().err


@pytest.mark.parametrize("lines", [10, 200_000])
def test_bare_from_lines_are_no_mail(tmp_path, lines):
    (tmp_path / "lines.mbox").write_bytes(b"From \n" * lines)
    with pytest.raises(KnownError, match="no messages found"):
        messages(all_sources([tmp_path / "lines.mbox"]))
    (tmp_path / "one.mbox").write_bytes(b"From x\n\nFrom x\nSubject: a\n\nb\n\nFrom x\n")
    [source] = all_sources([tmp_path / "one.mbox"])
    assert list(source.read()) == [b"Subject: a\n\nb\n"]


def test_a_bare_message_keeps_the_headers_that_its_writer_chose(tmp_path):
    head = (
        b"Received: by x\n\tfrom y\nFROM: a@b\nSubject: long\n and longer\nX-To: "
        b"z\nContent-Type: text/plain"
    )
    write(tmp_path, one=head + b"\n\nTo: body\n\nend", index=b"spam one\n")
    [read] = indexed_messages(tmp_path / "index", bare=True)[0].read()
    assert (
        read
        == b"FROM: a@b\nSubject: long\n and longer\nContent-Type: text/plain\n\nTo: body\n\nend"
    )
