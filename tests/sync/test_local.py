"""Local mailboxes are synchronized, watched, used for training, and never written."""

import mailbox
import os
import time
from pathlib import Path

import pytest

from nbmail.errors import ErrorCode
from nbmail.settings import Account
from nbmail.sync.local.mailbox_places import boxes_at
from nbmail.sync.local.maildir_box import MaildirBox
from nbmail.sync.local.mbox_box import MboxBox
from nbmail.sync.local.thunderbird_profiles import thunderbird_places
from nbmail.values import Outcome, Phase
from tests.sync.letters import letter
from tests.sync.memory_backend import leave

LARGEST = 1_000_000


def plain(number):
    """Return a letter with Unix line ends."""
    return letter(number).replace(b"\r\n", b"\n")


def make_maildir(path, numbers):
    box = mailbox.Maildir(path)
    for number in numbers:
        box.add(plain(number))
    box.close()
    return path


def make_mbox(path, numbers, separator=b"From - Mon Nov  2 10:00:00 2026"):
    with path.open("wb") as file:
        for number in numbers:
            file.write(separator + b"\n" + plain(number) + b"\n")
    return path


def make_letters(path, numbers):
    (path / "below").mkdir(parents=True)
    for number in numbers:
        (path / ("below" if number % 2 else "") / f"{number}.eml").write_bytes(plain(number))
    return path


MAKERS = {"maildir": make_maildir, "mbox": make_mbox, "letters": make_letters}


@pytest.fixture(params=MAKERS)
def made(request, tmp_path):
    return MAKERS[request.param](tmp_path / "box", range(30))


def account(path, **more):
    return Account(**{"name": "alice", "path": str(path), "poll_seconds": 0.05, **more})


def content(path):
    """Return names, contents and times of all files below a path."""
    files = [path, *path.rglob("*")] if path.is_dir() else [path]
    return {
        each: (each.stat().st_mtime_ns, each.read_bytes() if each.is_file() else b"")
        for each in files
    }


def test_messages_are_stored_verbatim_and_files_never_written(made, backend, watch):
    before = content(made)
    watch(account(made))
    backend.wait_synced()
    assert sorted(backend.messages().values()) == sorted(plain(number) for number in range(30))
    assert content(made) == before


def test_after_a_restart_no_message_is_read_again(made, backend, watch):
    first = watch(account(made))
    backend.wait_synced()
    leave(first)
    delivered = len(backend.deliveries)
    watch(account(made))
    backend.wait_synced(after=len(backend.states))
    assert len(backend.deliveries) == delivered


def test_changes_of_a_maildir_are_noticed(tmp_path, backend, watch):
    box = mailbox.Maildir(make_maildir(tmp_path / "box", range(3)))
    watch(account(tmp_path / "box"))
    backend.wait_synced()
    key = box.add(plain(50))
    backend.wait(lambda: plain(50) in backend.messages().values())
    message = box[key]
    message.set_flags("S")
    message.set_subdir("cur")
    box[key] = message
    backend.wait(lambda: frozenset({"\\Seen"}) in backend.flags().values())
    box.remove(key)
    backend.wait(lambda: len(backend.flags()) == 3)
    box.close()


@pytest.mark.parametrize("make", [make_maildir, make_mbox])
def test_a_change_with_the_time_of_the_one_before_is_noticed(tmp_path, monkeypatch, make):
    monkeypatch.setattr("nbmail.sync.local.local_mailbox.SETTLED", 3600.0)

    def write(numbers):
        make(tmp_path / "box", numbers)
        for each in (tmp_path / "box", *(tmp_path / "box").rglob("*")):
            os.utime(each, ns=(moment, moment))

    moment = time.time_ns()
    write([1])
    [box] = boxes_at(tmp_path / "box", LARGEST).values()
    assert raws(box) == [plain(1)]
    write([2])
    assert plain(2) in raws(box)


def test_of_a_growing_mbox_new_messages_are_delivered(tmp_path, backend, watch):
    path = make_mbox(tmp_path / "Inbox", range(5))
    watch(account(path))
    backend.wait_synced()
    with path.open("ab") as file:
        file.write(b"From - Mon Nov  2 11:00:00 2026\n" + plain(70) + b"\n")
    backend.wait(lambda: plain(70) in backend.messages().values())
    assert sum(len(delivery.arrivals) for delivery in backend.deliveries) == 6


def raws(box):
    return [arrival.raw for arrival in box.arrivals(box.entries())]


def test_actions_are_refused_and_training_continues(tmp_path, backend, watch):
    root = make_maildir(tmp_path / "box", range(3))
    make_maildir(root / ".Junk", range(10, 14))
    thread = watch(account(root, spam_folders=("Junk",)))
    backend.wait_synced()
    assert {each.folder.folder: (each.special, each.role) for each in backend.deliveries} == {
        "INBOX": ("\\Inbox", ""),
        "Junk": ("\\Junk", "spam"),
    }
    backend.keywords(next(iter(backend.flags())), {"$Junk"})
    thread.wake()
    backend.wait(lambda: backend.outcomes() == [Outcome.REFUSED])


def test_a_missing_path_is_reported(tmp_path, backend, watch):
    watch(account(tmp_path / "nowhere"))
    backend.wait(lambda: backend.of("alice", Phase.OFFLINE))
    assert backend.of("alice", Phase.OFFLINE)[0].error_code is ErrorCode.NOT_FOUND
    make_maildir(tmp_path / "made", range(2)).rename(tmp_path / "nowhere")
    backend.wait(lambda: len(backend.flags()) == 2)


@pytest.fixture
def thunderbird(tmp_path):
    """Home directory with a Thunderbird profile."""
    mail = tmp_path / ".thunderbird" / "x1.default" / "Mail" / "Local Folders"
    (mail / "Inbox.sbd").mkdir(parents=True)
    make_mbox(mail / "Inbox", range(4))
    make_mbox(mail / "Inbox.sbd" / "Lists", range(10, 12))
    for name in ("Inbox.msf", "Junk.msf", "Junk", "msgFilterRules.dat"):
        (mail / name).touch()
    (tmp_path / ".thunderbird" / "profiles.ini").write_text(
        "[Install1]\nDefault=x1.default\n\n[Profile0]\nName=default\nIsRelative=1\nPath=x1.default\n"
    )
    return tmp_path


def test_mail_of_thunderbird_is_found(thunderbird, backend, watch):
    [place] = thunderbird_places(thunderbird)
    assert place.folders == ("Inbox", "Inbox/Lists", "Junk")
    watch(account(place.path))
    backend.wait_synced()
    assert sorted(backend.messages(folder="Inbox").values()) == sorted(
        plain(number) for number in range(4)
    )
    assert len(backend.messages(folder="Inbox/Lists")) == 2


def test_a_missing_or_damaged_thunderbird_profile_is_ignored(tmp_path):
    assert thunderbird_places(tmp_path) == []
    (tmp_path / ".thunderbird").mkdir()
    (tmp_path / ".thunderbird" / "profiles.ini").write_bytes(b"\xff\xfe not an ini file [[[")
    assert thunderbird_places(tmp_path) == []


def test_status_headers_of_thunderbird_do_not_change_the_uid(tmp_path):
    def box(status, keys):
        head = b"X-Mozilla-Status: %s\nX-Mozilla-Keys: %s\n" % (status, keys)
        path = tmp_path / "Inbox"
        path.write_bytes(b"From - Mon Nov  2 10:00:00 2026\n" + head + plain(1) + b"\n")
        return {uid: entry.flags for uid, entry in MboxBox(path, LARGEST).entries().items()}

    fresh = box(b"0000", b"          ")
    read = box(b"0001", b"NonJunk   ")
    assert list(fresh) == list(read)
    assert list(fresh.values()) == [frozenset()]
    assert list(read.values()) == [{"\\Seen", "NonJunk"}]
    assert box(b"0009", b"") == {}


def test_keywords_of_a_local_mailbox_are_labels_only_if_it_was_chosen_for_training(
    tmp_path, backend, watch
):
    """In a message, the headers of Thunderbird's block count and not those of the sender."""
    path = tmp_path / "Inbox"
    own = (
        b"X-Account-Key: account1\nX-Mozilla-Status: 0001\nX-Mozilla-Status2: "
        b"00000000\nX-Mozilla-Keys: Junk $label1\n"
    )
    forged = (
        b"Received: by mail.example\nX-Mozilla-Status: 0004\nX-Mozilla-Keys: NonJunk\nStatus: RO\n"
    )
    start = b"From - Mon Nov  2 10:00:00 2026\n"
    path.write_bytes(start + own + plain(1) + b"\n" + start + forged + plain(2) + b"\n")

    def flags():
        return list(backend.flags(folder="INBOX").values())

    thread = watch(account(path))
    backend.wait_synced()
    assert flags() == [{"\\Seen"}, {"\\Seen", "$label1"}] or flags() == [
        {"\\Seen", "$label1"},
        {"\\Seen"},
    ]
    leave(thread)
    watch(account(path, ham_folders=("INBOX",)))
    backend.wait(lambda: {"\\Seen", "Junk", "$label1"} in flags())
    assert {"\\Seen"} in flags()


def test_a_single_file_is_a_mailbox_too(tmp_path):
    (tmp_path / "one.eml").write_bytes(b"From me\n" + plain(1))
    (tmp_path / "one").write_bytes(plain(1) + b">From me\n")
    for name, raw in (("one.eml", b"From me\n" + plain(1)), ("one", plain(1) + b">From me\n")):
        [box] = boxes_at(tmp_path / name, LARGEST).values()
        assert raws(box) == [raw]


def test_links_inside_a_place_are_not_followed(tmp_path):
    place = tmp_path / "place"
    (place / "Inbox.sbd").mkdir(parents=True)
    make_mbox(place / "Inbox.sbd" / "Lists", [1])
    for link, target in (("again", "Inbox.sbd"), ("here.sbd", "."), ("Copy", "Inbox.sbd/Lists")):
        (place / link).symlink_to(target)
    assert list(boxes_at(place, LARGEST)) == ["Inbox/Lists"]
    root = make_maildir(tmp_path / "maildir", [1])
    (root / ".Loop").symlink_to(root)
    assert list(boxes_at(root, LARGEST)) == ["INBOX"]


def test_a_changed_file_yields_no_wrong_message(tmp_path):
    path = make_mbox(tmp_path / "box", [1, 2])
    box = MboxBox(path, LARGEST)
    uids = list(box.entries())
    make_mbox(path, [3, 2])
    os.utime(path, (1, 1))
    assert [arrival.raw for arrival in box.arrivals(uids)] == [plain(2)]
    assert set(raws(box)) == {plain(3), plain(2)}


@pytest.mark.parametrize(
    "date",
    [
        "Mon Nov 99 99:00:00 2026",
        f"Mon Nov {'9' * 500} 10:00:00 2026",
        "Mon, 2 Nov 0000 1:1:1",
        ":",
    ],
)
def test_an_impossible_date_is_ignored(tmp_path, date):
    (tmp_path / "box").write_text(f"From a {date}\nDate: {date}\n\n")
    [entry] = MboxBox(tmp_path / "box", LARGEST).entries().values()
    assert 0 <= entry.received < 2**31


def test_a_message_that_vanishes_while_it_is_read_is_left_out(tmp_path):
    box = MaildirBox(make_maildir(tmp_path / "box", range(3)), LARGEST)
    uids = list(box.entries())
    for each in os.scandir(tmp_path / "box" / "new"):
        Path(each.path).unlink()
    assert list(box.arrivals(uids)) == []
