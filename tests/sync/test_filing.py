"""Moves that the user requests, on real and on difficult servers: one copy remains."""

import os
import random
import threading
from collections import Counter

import pytest
from imapclient.exceptions import IMAPClientError

from nbmail.settings import Security
from nbmail.values import FolderName, ServerFolderUse
from nbmail.worker.protocol.events import MoveRefused
from tests.fake_imap import says
from tests.sync.homes import Home, number_of
from tests.sync.letters import LETTERS, letters
from tests.waiting import wait_for

ARCHIVE = FolderName("", "\\Archive")
TRASH = FolderName("", "\\Trash")
FOLDERS = ("Archive", "Trash", "Travel", "Lists/linux", "lists/Linux", "Bills 2026")
INBOX = [*range(1, 11)]
MANY = 200 if os.environ.get("NBMAIL_TORTURE") else 20
"""Letters that are filed while lines break."""
ALL_MAIL = b"[Gmail]/All Mail"
ALL_SERVERS = pytest.mark.parametrize(
    "running_server", ["dovecot", "poor", "cyrus", "courier"], indirect=True
)


def folder(name):
    return FolderName("home", name)


class Filer(Home):
    """Computer that files letters, and a look at its server by another client."""

    def __init__(self, path, account, server, count):
        self.client = server.client()
        self._prefix = server.spam.removesuffix("Junk")
        for name in (self.name(each).folder for each in FOLDERS):
            if not self.client.folder_exists(name):
                self.client.create_folder(name)
        server.put(letters(count))
        super().__init__(path, account)
        wait_for(lambda: self.count() == count)
        self.look()
        self.ids = self.numbers()

    def name(self, name):
        """Return the name of a folder on the server, with Courier below the inbox."""
        return folder(self._prefix + name.replace("/", ".") if self._prefix else name)

    def move(self, letters, target, **more):
        return self.do.move(tuple(self.ids[each] for each in letters), target, **more)

    def settle(self):
        """Wait until no action is pending; the user looks for new mail twice a second."""
        wait_for(lambda: self.call("home") or not self.is_pending(), timeout=120, every=0.5)

    def everything(self):
        """Return all letters on the server by folder."""
        names = [
            name
            for flags, _, name in self.client.list_folders()
            if not {*flags} & {b"\\Noselect", b"\\NonExistent"}
        ]
        found = {
            name: sorted(number for number, _ in self.client.letters(name).values())
            for name in names
        }
        return {name: held for name, held in found.items() if held}

    def read_letters(self):
        """Return the letters that the list shows as read."""
        rows = self.do.list_mail()
        return {
            number_of(subject)
            for row, subject in enumerate(rows.subjects)
            if not rows.folders_of(row)[0][1]
        }

    def listed(self):
        """Return letters by folder as the list shows them."""
        rows = self.do.list_mail()
        found = {}
        for row, subject in enumerate(rows.subjects):
            found.setdefault(rows.folders_of(row)[0][0].folder, []).append(number_of(subject))
        return {name: sorted(letters) for name, letters in found.items()}


@pytest.fixture
def filer(install, server):
    """Factory of a computer with ten letters in the inbox of the server."""

    def start(count=10, **more):
        return install(server.account(name="home", **more), Filer, server=server, count=count)

    return start


@ALL_SERVERS
def test_moves_are_undone_and_redone_on_the_server(filer):
    """Three moves reach the server at once, two wait until the program was started again.

    Names of folders differ in case, contain a space, or hold the separator.
    """
    one = filer()
    names = [
        one.name(name).folder
        for name in ("Bills 2026", "Lists/linux", "lists/Linux", "Archive", "Trash")
    ]
    moved = {"INBOX": [8, 9, 10]} | dict(zip(names, ([1, 2], [3], [7], [4, 5], [6]), strict=True))
    assert set(one.move([1, 2], folder(names[0])).messages) == {one.ids[1], one.ids[2]}
    one.move([3], folder(names[1]))
    one.move([7], folder(names[2]))
    assert one.listed()["INBOX"] == [4, 5, 6, 8, 9, 10]
    one.settle()
    one.sleep()
    one.move([4, 5], ARCHIVE)
    one.move([6], TRASH)
    one.restart()
    one.settle()
    assert one.everything() == moved
    assert one.labels() == dict.fromkeys((1, 2, 3, 7), "ham")
    for _ in names:
        one.undo()
    assert one.listed()["INBOX"] == INBOX
    one.settle()
    assert one.everything() == {"INBOX": INBOX}
    assert one.labels() == {}
    for _ in names:
        one.redo()
    one.settle()
    assert one.everything() == moved
    assert one.move([8], FolderName("", "\\Important")).missing == ("home",)


@pytest.mark.parametrize("running_server", ["dovecot"], indirect=True)
def test_moves_wait_until_the_account_is_connected(filer):
    """A message is moved twice and the second move undone before any of them is sent."""
    one = filer(folders=("INBOX", "Travel"))
    one.sleep()
    one.move([1, 2, 3], one.name("Travel"))
    one.move([2, 3], one.name("Bills 2026"))
    one.undo()
    one.move([3], ARCHIVE)
    assert one.listed() == {"INBOX": [*range(4, 11)], "Travel": [1, 2]}
    one.restart()
    one.settle()
    assert one.everything() == {"INBOX": [*range(4, 11)], "Travel": [1, 2], "Archive": [3]}
    one.undo()
    one.undo()
    one.settle()
    assert one.everything() == {"INBOX": INBOX}
    wait_for(lambda: one.listed() == {"INBOX": INBOX})


def test_a_message_stays_if_the_target_folder_vanished(filer):
    one = filer()
    one.client.delete_folder(one.name("Travel").folder)
    one.move([1], one.name("Travel"))
    wait_for(lambda: any(isinstance(each, MoveRefused) for each in one.events))
    refused = next(each for each in one.events if isinstance(each, MoveRefused))
    assert refused.target == one.name("Travel") and refused.messages == 1
    assert one.listed() == one.everything() == {"INBOX": INBOX}


@ALL_SERVERS
def test_broken_lines_and_a_second_client_lose_no_filed_letter(server, filer, faulty_line):
    """Another client files some letters at the same moment."""
    chance = random.Random(7)
    letters_ = range(1, MANY + 1)
    line = faulty_line(server.port, 7)
    one = filer(MANY, port=line.port, security=Security.PLAIN)
    line.faults = 10
    targets = [one.name("Travel"), one.name("Lists/linux"), ARCHIVE, TRASH]
    chosen = {number: chance.choice(targets) for number in letters_}
    theirs = set(chance.sample(letters_, MANY // 10))
    other = threading.Thread(
        target=file_elsewhere, args=(server, theirs, one.name("Bills 2026").folder)
    )
    for number in letters_:
        one.move([number], chosen[number])
        if number == MANY * 3 // 10:
            other.start()
        if number % (MANY // 5) == 0:
            line.drop()
        if number == MANY // 2:
            one.restart()
    other.join()
    line.drop()
    one.settle()
    places = {
        number: [name for name, held in one.everything().items() if number in held]
        for number in letters_
    }
    assert all(places.values())
    # What two clients copy at the same moment, no client can keep from being there twice.
    names = {ARCHIVE: one.name("Archive").folder, TRASH: one.name("Trash").folder}
    wanted = {number: [names.get(target, target.folder)] for number, target in chosen.items()}
    assert {number for number in letters_ if places[number] != wanted[number]} <= theirs
    line.faults = 5
    for _ in letters_:
        one.undo()
    line.drop()
    one.settle()
    found = one.everything()
    times = Counter(number for held in found.values() for number in held)
    assert (
        times.keys() == set(letters_)
        and {number for number in letters_ if times[number] > 1} <= theirs
    )
    assert set(letters_) - set(found["INBOX"]) <= theirs


def file_elsewhere(server, letters, target):
    """Another client files letters from the inbox."""
    client = server.client()
    for wanted in letters:
        try:
            if uids := client.uids("INBOX", wanted):
                client.carry(uids, target)
        except (OSError, IMAPClientError):
            client = server.client()


def test_permanent_deletion_only_in_trash_and_spam(server, filer):
    trash = server.spam.replace("Junk", "Trash")
    one = filer(folders=("INBOX", trash))
    one.move([1, 2, 3], TRASH)
    one.settle()
    one.look()
    done = one.do.delete(tuple(one.ids[each] for each in (1, 2, 5)))
    assert set(done.messages) == {one.ids[1], one.ids[2]} and done.stayed == (one.ids[5],)
    one.settle()
    assert one.everything() == one.listed() == {"INBOX": [*range(4, 11)], trash: [3]}


def test_flags_are_set_undone_and_read_from_the_server(filer):
    one = filer()
    one.do.flag((one.ids[1], one.ids[2]))
    one.do.read_folder(folder("INBOX"))
    one.settle()
    flags = [found for _, found in one.client.letters("INBOX").values()]
    assert sum("\\Flagged" in each for each in flags) == 2
    assert all("\\Seen" in each for each in flags)
    one.undo()
    one.undo()
    one.settle()
    assert not any(
        {"\\Seen", "\\Flagged"} & found for _, found in one.client.letters("INBOX").values()
    )
    one.do.mark_read((one.ids[3], one.ids[6]))
    one.settle()
    one.client.select_folder("INBOX")
    uids = {number: uid for number, _, uid in one.places()}
    one.client.add_flags(uids[4], ["\\Seen"])
    one.client.remove_flags(uids[6], ["\\Seen"])
    wait_for(lambda: one.look() or one.read_letters() == {3, 4})
    one.sleep()
    one.do.mark_read((one.ids[3], one.ids[5]), read=False)
    one.do.mark_read((one.ids[5],))
    assert one.read_letters() == {4, 5}
    one.wake()
    one.settle()
    there = {number for number, found in one.client.letters("INBOX").values() if "\\Seen" in found}
    assert there == one.read_letters() == {4, 5}


def test_a_chosen_archive_that_does_not_exist_is_created(server, filer):
    archive = "INBOX.Kept.2026" if server.spam == "INBOX.Junk" else "Kept/2026"
    one = filer(archive_folder=archive)
    one.move([1, 2], ARCHIVE)
    one.settle()
    assert one.everything() == {"INBOX": [*range(3, 11)], archive: [1, 2]}
    one.undo()
    one.settle()
    assert one.everything() == {"INBOX": INBOX}


def test_a_message_in_ten_folders_is_moved_out_of_one(server, filer):
    names = tuple(server.spam.replace("Junk", f"Copy {number}") for number in range(10))
    client = server.client()
    for name in names:
        client.create_folder(name)
    one = filer(folders=("INBOX", *names))
    client.select_folder("INBOX")
    first = client.search("ALL")[:1]
    for name in names:
        client.copy(first, name)
    one.look()
    wait_for(lambda: one.count() == 20)
    (moved,) = one.everything()[names[0]]
    one.move([moved], TRASH, origin=folder(names[4]))
    one.settle()
    trash = server.spam.replace("Junk", "Trash")
    assert one.everything() == {"INBOX": INBOX, trash: [moved]} | {
        each: [moved] for each in names if each != names[4]
    }


# -----------------------------------------------------------------------------------------------
# difficult servers


@pytest.fixture
def at_fake(install):
    """Factory of a home at a fake server that has stored all letters."""

    def start(server, **more):
        home = install(server.account(name="home", **more))
        wait_for(lambda: home.count() >= len(LETTERS))
        home.look()
        home.ids = home.numbers()
        return home

    return start


@pytest.mark.parametrize("code", ["NOPERM", "OVERQUOTA", "TRYCREATE", "CANNOT"])
@pytest.mark.parametrize(
    "abilities", ["IMAP4rev1 IDLE UIDPLUS MOVE", "IMAP4rev1 IDLE UIDPLUS", "IMAP4rev1 IDLE"]
)
def test_a_refused_move_leaves_the_message_and_is_reported(fake, at_fake, code, abilities):
    refuse = says(b"NO [%s] not here" % code.encode())
    server = fake(abilities=abilities, hooks={"UID MOVE": refuse, "UID COPY": refuse})
    server.folders[b"Travel"] = {}
    home = at_fake(server)
    home.do.move((home.ids[5],), folder("Travel"))
    wait_for(lambda: any(isinstance(each, MoveRefused) for each in home.events))
    assert server.folders[b"INBOX"] == LETTERS and server.folders[b"Travel"] == {}
    assert not home.is_pending()
    assert len(home.do.list_mail().messages) == len(LETTERS)


def test_a_move_without_a_reported_location_can_be_undone(fake, at_fake):
    """The copy is found by its properties, so that an undo moves it back."""
    server = fake()
    server.folders[b"Travel"] = {}
    home = at_fake(server)
    home.do.move((home.ids[5], home.ids[8]), folder("Travel"))
    wait_for(lambda: not home.is_pending())
    assert sorted(server.folders[b"Travel"].values()) == sorted((LETTERS[5], LETTERS[8]))
    home.undo()
    wait_for(lambda: not home.is_pending())
    assert sorted(server.folders[b"INBOX"].values()) == sorted(LETTERS.values())
    assert server.folders[b"Travel"] == {}


def test_archiving_removes_the_label_of_the_inbox(fake, at_fake):
    """The server is like Gmail: All Mail has every message, the inbox is a label."""
    server = fake(abilities="IMAP4rev1 IDLE UIDPLUS MOVE X-GM-EXT-1 SPECIAL-USE")
    server.folders[ALL_MAIL] = {uid + 100: raw for uid, raw in LETTERS.items()}
    listed = (
        b'* LIST (%s) "/" "%s"' % (rb"\All" * (name == ALL_MAIL), name) for name in server.folders
    )

    def move(line, tag, arguments):
        uid = int(arguments.split(b" ")[0])
        target = arguments.partition(b" ")[2].strip(b'"')
        raw = server.folders[line.selected][uid]
        source = line.selected
        known = [each for each, content in server.folders[target].items() if content == raw]
        new = known[0] if known else server._next_uid(target)
        server.folders[target][new] = raw
        line.say_line(b"* OK [COPYUID %d %d %d] moved" % (server.validity, uid, new))
        if source != ALL_MAIL:
            server._remove(line, [uid])
        return says(b"OK done")(line, tag, arguments)

    server.hooks.update({"LIST": says(*listed, b"OK listed"), "UID MOVE": move})
    home = at_fake(server)
    home.do.move((home.ids[5],), ARCHIVE)
    wait_for(lambda: not home.is_pending())
    assert sorted(server.folders[b"INBOX"]) == [3, 8] and len(server.folders[ALL_MAIL]) == 3
    home.undo()
    wait_for(lambda: not home.is_pending())
    assert sorted(server.folders[b"INBOX"].values()) == sorted(LETTERS.values())
    assert len(server.folders[ALL_MAIL]) == 3


def test_many_folders_are_all_read_between_looks_at_the_inbox(fake, at_fake, monkeypatch):
    monkeypatch.setattr("nbmail.sync.imap.folders.watched_folders.SUGGESTED_AT_ONCE", 4)
    server = fake()
    server.folders |= {b"Project %02d" % number: {1: LETTERS[5]} for number in range(15)}
    home = at_fake(server, suggested_folders=("*",), poll_seconds=60.0)
    wait_for(lambda: home.count() == len(LETTERS) + 15)
    many = [ServerFolderUse(folder(f"Year {n}/Project {n % 40}")) for n in range(2000)]
    home.engine.backend.list_folders("home", many)
    assert len(home.do.list_folders()) == 2000
