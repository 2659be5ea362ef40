"""Moves in mailboxes that are unlike others: refusals, labels instead of folders, many folders and many copies."""

import pytest

from nbmail.values import FolderName, ServerFolderUse
from nbmail.worker.protocol.events import MoveRefused
from tests.fake_imap import says
from tests.sync.homes import Home
from tests.sync.letters import LETTERS
from tests.sync.test_filing import ARCHIVE, TRASH, filer, folder, server
from tests.waiting import wait_for

__all__ = ["filer", "server"]

ALL_MAIL = b"[Gmail]/All Mail"


@pytest.fixture
def at_fake(tmp_path):
    """Factory of a home at a fake server that has stored all letters."""
    made = []

    def make(server, **more):
        home = Home(tmp_path, server.account(name="home", **more))
        made.append(home)
        wait_for(lambda: home.count() >= len(LETTERS))
        home.look()
        home.numbers = {int(name.split()[1]): n for name, n in home.read("SELECT subject, number FROM messages")}
        return home

    yield make
    for home in made:
        home.close()


@pytest.mark.parametrize("code", ["NOPERM", "OVERQUOTA", "TRYCREATE", "CANNOT"])
@pytest.mark.parametrize("abilities", ["IMAP4rev1 IDLE UIDPLUS MOVE", "IMAP4rev1 IDLE UIDPLUS", "IMAP4rev1 IDLE"])
def test_a_refused_move_leaves_the_message_and_is_told(fake, at_fake, code, abilities):
    refuse = says(b"NO [%s] not here" % code.encode())
    server = fake(abilities=abilities, hooks={"UID MOVE": refuse, "UID COPY": refuse})
    server.folders[b"Travel"] = {}
    home = at_fake(server)
    home.do.move((home.numbers[5],), folder("Travel"))
    wait_for(lambda: any(isinstance(each, MoveRefused) for each in home.events))
    assert server.folders[b"INBOX"] == LETTERS and server.folders[b"Travel"] == {}
    assert not home.is_pending()
    assert len(home.do.list_mail().messages) == len(LETTERS)


def test_a_server_that_reports_no_new_location(fake, at_fake):
    """The copy is found by its properties, so that an undo moves it back."""
    server = fake()
    server.folders[b"Travel"] = {}
    home = at_fake(server)
    home.do.move((home.numbers[5], home.numbers[8]), folder("Travel"))
    wait_for(lambda: not home.is_pending())
    assert sorted(server.folders[b"Travel"].values()) == sorted((LETTERS[5], LETTERS[8]))
    home.undo()
    wait_for(lambda: not home.is_pending())
    assert sorted(server.folders[b"INBOX"].values()) == sorted(LETTERS.values())
    assert server.folders[b"Travel"] == {}


def labels(server):
    """Let a fake server behave like Gmail: All Mail has every message, the inbox is a label."""
    server.folders[ALL_MAIL] = {uid + 100: raw for uid, raw in LETTERS.items()}

    def list_folders(line, tag, arguments):
        for name in server.folders:
            use = rb"\All" if name == ALL_MAIL else b""
            line.say_line(b'* LIST (%s) "/" "%s"' % (use, name))
        line.say_line(tag + b" OK listed")
        return True

    def move(line, tag, arguments):
        uid, target = int(arguments.split(b" ")[0]), arguments.partition(b" ")[2].strip(b'"')
        raw, source = server.folders[line.selected][uid], line.selected
        known = [each for each, content in server.folders[target].items() if content == raw]
        new = known[0] if known else server._next_uid(target)
        server.folders[target][new] = raw
        line.say_line(b"* OK [COPYUID %d %d %d] moved" % (server.validity, uid, new))
        if source != ALL_MAIL:
            server._remove(line, [uid])
        line.say_line(tag + b" OK done")
        return True

    server.hooks.update({"LIST": list_folders, "UID MOVE": move})


def test_archiving_takes_the_label_of_the_inbox_away(fake, at_fake):
    server = fake(abilities="IMAP4rev1 IDLE UIDPLUS MOVE X-GM-EXT-1 SPECIAL-USE")
    labels(server)
    home = at_fake(server)
    home.do.move((home.numbers[5],), ARCHIVE)
    wait_for(lambda: not home.is_pending())
    assert sorted(server.folders[b"INBOX"]) == [3, 8] and len(server.folders[ALL_MAIL]) == 3
    home.undo()
    wait_for(lambda: not home.is_pending())
    assert sorted(server.folders[b"INBOX"].values()) == sorted(LETTERS.values())
    assert len(server.folders[ALL_MAIL]) == 3


def test_a_chosen_archive_that_does_not_exist_is_created(server, filer):
    archive = "INBOX.Kept.2026" if server.junk == "INBOX.Junk" else "Kept/2026"
    one = filer(server, archive_folder=archive)
    one.move([1, 2], ARCHIVE)
    one.settle()
    assert one.everything() == {"INBOX": [*range(3, 11)], archive: [1, 2]}
    one.home.undo()
    one.settle()
    assert one.everything() == {"INBOX": [*range(1, 11)]}


def test_a_message_in_ten_folders_leaves_only_one(server, filer):
    names = tuple(server.junk.replace("Junk", f"Copy {number}") for number in range(10))
    client = server.client()
    for name in names:
        client.create_folder(name)
    one = filer(server, folders=("INBOX", *names))
    client.select_folder("INBOX")
    for name in names:
        client.copy([1], name)
    one.home.look()
    wait_for(lambda: one.home.count() == 20)
    before = one.everything()
    moved = sorted(before[names[0]])[0]
    one.move([moved], TRASH, origin=folder(names[4]))
    one.settle()
    found = one.everything()
    assert found[server.junk.replace("Junk", "Trash")] == [moved] and names[4] not in found
    assert moved in found["INBOX"] and all(found[name] == [moved] for name in names if name != names[4])


def test_many_folders_are_all_read_between_looks_at_the_inbox(fake, at_fake, monkeypatch):
    monkeypatch.setattr("nbmail.sync.imap.imap_sync.LOOKED_AT", 4)
    server = fake()
    for number in range(15):
        server.folders[b"Project %02d" % number] = {1: LETTERS[5]}
    home = at_fake(server, suggested_folders=("*",), poll_seconds=60.0)
    wait_for(lambda: home.count() == len(LETTERS) + 15)


def test_two_thousand_folders(fake, at_fake):
    server = fake()
    home = at_fake(server)
    many = [ServerFolderUse(FolderName("home", f"Year {n}/Project {n % 40}")) for n in range(2000)]
    home.engine.backend.list_folders("home", many)
    home.engine.backend.list_folders("home", many)
    assert len(home.do.list_folders()) == 2000
