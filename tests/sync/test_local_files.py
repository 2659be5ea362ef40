"""Reader of mail files, compared with `mailbox` of the standard library."""

import mailbox
import os

import pytest
from hypothesis import given
from hypothesis import strategies as some

from nbmail.store.mail.identity import identify
from nbmail.sync.local import mbox_files
from nbmail.sync.local.mail_files import files_below
from nbmail.sync.local.mbox_box import MboxBox
from nbmail.sync.local.mbox_files import messages_in, unquoted
from tests.needs import need_corpus
from tests.sync.letters import letter

FROM = b"From a@example.org Mon Nov  2 10:00:00 2026"
LINES = b"From - |From |From\there||>From me|>>From you|> From|Subject: a|Status: RO|text|\r".split(
    b"|"
)
LINES += [
    FROM,
    b"X-Mozilla-Status: 0001",
    b"X-Mozilla-Keys: Junk",
    b"x" * 50,
    bytes(range(128, 150)),
]


def as_the_library_does(content, folder):
    """Return the messages found by `mailbox.mbox`, with Unix line ends."""
    (folder / "judge").write_bytes(content.replace(b"\r\n", b"\n"))
    box = mailbox.mbox(folder / "judge", create=False)
    try:
        return [box.get_bytes(key) for key in box.iterkeys()]
    finally:
        box.close()


def check_alike(content, folder):
    (folder / "box").write_bytes(content)
    found = list(messages_in(folder / "box"))
    assert [one.stored.replace(b"\r\n", b"\n") for one in found] == as_the_library_does(
        content, folder
    )
    for one in found:
        assert content[one.place :].startswith(one.from_line + one.stored)
        assert one.raw == unquoted(one.stored)


@given(
    lines=some.lists(some.sampled_from(LINES) | some.binary(max_size=9)),
    end=some.sampled_from([b"\n", b"\r\n"]),
    before=some.sampled_from([b"", b"\n", b"\r\n\n"]),
    last=some.booleans(),
    block=some.integers(20, 90),
)
def test_an_mbox_file_holds_what_the_standard_library_finds(
    tmp_path_factory, lines, end, before, last, block
):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mbox_files, "BLOCK", block)
        check_alike(before + end.join([FROM, *lines]) + end * last, tmp_path_factory.mktemp("any"))


def test_real_mbox_files_hold_what_the_standard_library_finds(tmp_path):
    files = [path for path in need_corpus("mime-torture").rglob("*") if path.is_file()]
    boxes = [content for path in files if (content := path.read_bytes()).startswith(b"From ")]
    assert len(boxes) > 50
    for content in boxes:
        check_alike(content, tmp_path)


QUOTED = b"Subject: a\n\nFrom me to you.\n>From here on\nand\n\nFrom the next: 2026\n"


@pytest.mark.parametrize(
    "raw", [letter(1), letter(2, size=5000), QUOTED, b"Subject: no body\n", b"\n\n\nno head", b""]
)
def test_a_message_is_the_same_by_server_file_maildir_and_mbox(tmp_path, raw):
    plain = raw.replace(b"\r\n", b"\n")
    (tmp_path / "one.eml").write_bytes(plain)
    with (tmp_path / "rd").open("wb") as file:
        for _ in range(2):
            quoted = plain.replace(b"\n>From ", b"\n>>From ").replace(b"\nFrom ", b"\n>From ")
            file.write(FROM + b"\n" + quoted + b"\n" * (2 - quoted.endswith(b"\n")))
    maildir = mailbox.Maildir(tmp_path / "maildir")
    maildir.add(plain)
    maildir.close()
    found = {
        path: [one.raw for one in messages_in(path, single=single)]
        for path, single in files_below(tmp_path)
    }
    assert sorted(map(len, found.values())) == [1, 1, 2]
    assert {identify(one) for raws in found.values() for one in raws} == {identify(raw)}
    # Programs that quote fewer lines, as the standard library does.
    box = mailbox.mbox(tmp_path / "o")
    box.add(plain.replace(b"\n>From ", b"\n"))
    box.close()
    [again] = messages_in(tmp_path / "o")
    assert identify(again.raw) == identify(plain.replace(b"\n>From ", b"\n"))


def test_another_file_is_one_message_if_it_looks_like_mail(tmp_path):
    mail = b"Subject: a NUL is no reason\n\nFrom me\n\0\0"
    for content, messages in (
        (mail, [mail]),
        (b"", []),
        (b"\xff\xd8\0\x10JFIF" * 100, []),
        (b"any text", [b"any text"]),
    ):
        (tmp_path / "file").write_bytes(content)
        assert [one.raw for one in messages_in(tmp_path / "file")] == messages
        assert [one.raw for one in messages_in(tmp_path / "file", single=True)] == [content]


def test_reading_can_begin_at_any_message(tmp_path):
    (tmp_path / "box").write_bytes(b"".join(FROM + b"\n\n%d\n\n" % number for number in range(9)))
    found = list(messages_in(tmp_path / "box"))
    for number, one in enumerate(found):
        assert list(messages_in(tmp_path / "box", one.place)) == found[number:]


def test_messages_deleted_in_thunderbird_are_skipped_and_mail_cannot_forge_it(tmp_path):
    head = (
        b"X-Account-Key: account1\nX-Mozilla-Status: %s\nX-Mozilla-Keys: \nSubject: a\n\nbody\n\n"
    )
    spam = b"Subject: b\nX-Mozilla-Status: 0009\n\nX-Mozilla-Status: 0009\n"
    (tmp_path / "Inbox").write_bytes(
        (FROM + b"\n").join([b"", head % b"0001", head % b"0009", spam])
    )
    assert [one.mozilla_status for one in messages_in(tmp_path / "Inbox")] == [1, 0]


def test_many_equal_messages_get_uids_quickly(tmp_path):
    """Probing for a free UID would take minutes."""
    (tmp_path / "box").write_bytes(b"From \n" * 50_000)
    assert len(MboxBox(tmp_path / "box", 1000).entries()) == 50_000
    (tmp_path / "box").write_bytes(b"From " * 50_000 + b"\n" + b">From " * 50_000)
    assert len(list(messages_in(tmp_path / "box"))) == 1


def test_folders_are_walked_by_name_and_no_link_is_followed(tmp_path):
    folder = tmp_path / "mail"
    other = tmp_path / "other"
    for name in [
        "b/2.eml",
        "b/1.EML",
        "a.eml",
        "c",
        ".git/x",
        "m/new/30.x",
        "m/cur/20.y:2,S",
        "m/tmp/1",
        "m/cur/.hidden",
    ]:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"Subject: x\n\n")
    other.mkdir()
    (other / "z.eml").touch()
    links = {"here": ".", "b/up": "..", "out": other, "f.eml": other / "z.eml", "gone": "nowhere"}
    for link, target in links.items():
        (folder / link).symlink_to(target)
    os.mkfifo(folder / "pipe")
    expected = [("a.eml", True), ("b/1.EML", True), ("b/2.eml", True), ("c", False)]
    expected += [("m/cur/20.y:2,S", True), ("m/new/30.x", True)]
    assert [
        (str(path.relative_to(folder)), single) for path, single in files_below(folder)
    ] == expected
    (tmp_path / "named").symlink_to(folder)
    assert len(list(files_below(tmp_path / "named"))) == 6
