"""Moves that the user requests, on a real server: nothing is lost and nothing is there twice."""

import os
import random
import threading
from collections import Counter

import pytest

from nbmail.settings import Security
from nbmail.values import FolderName
from nbmail.worker.protocol.events import MoveRefused
from tests.faulty_line import FaultyLine
from tests.other_servers import Courier, Cyrus
from tests.sync.homes import Home
from tests.waiting import wait_for

ARCHIVE, TRASH = FolderName("", "\\Archive"), FolderName("", "\\Trash")
FOLDERS = ("Archive", "Trash", "Travel", "Lists/linux", "lists/Linux", "Bills 2026")


def letter(number):
    head = f"From: a{number % 7}@example.org\r\nSubject: letter {number}\r\nMessage-ID: <{number}@x>"
    return f"{head}\r\n\r\nText.\r\n".encode()


def folder(name):
    return FolderName("home", name)


class Filer:
    """One computer that files letters, and a look at its server by another client."""

    def __init__(self, server, path, letters, **more):
        self.server, self.client = server, server.client()
        self._prefix = server.junk.removesuffix("Junk")
        for name in FOLDERS:
            self.client.create_folder(self.name(name).folder)
        server.put([letter(number) for number in range(1, letters + 1)])
        self.home = Home(path, server.account(name="home", **more))
        self.account = self.home._account
        wait_for(lambda: self.home.count() == letters)
        self.home.look()
        self.numbers = {number: message for number, message in self._numbered()}

    def _numbered(self):
        rows = self.home.read("SELECT subject, number FROM messages")
        return [(int(subject.split()[1]), number) for subject, number in rows]

    def name(self, name):
        """Return the name of a folder on the server. Courier has its folders below the inbox, with dots."""
        return folder(self._prefix + name.replace("/", ".") if self._prefix else name)

    def move(self, letters, target, **more):
        return self.home.do.move(tuple(self.numbers[each] for each in letters), target, **more)

    def settle(self):
        """Wait until the server has been told everything; the user looks for new mail twice a second."""
        wait_for(lambda: self.home.call("home") or not self.home.is_pending(), timeout=120, every=0.5)

    def everything(self):
        """All letters on the server by folder."""
        found = {}
        for attributes, _, name in self.client.list_folders():
            if {b"\\Noselect", b"\\NonExistent"}.intersection(attributes):
                continue
            self.client.select_folder(name, readonly=True)
            uids = self.client.search("ALL")
            subjects = self.client.fetch(uids, ["BODY.PEEK[HEADER.FIELDS (SUBJECT)]"]) if uids else {}
            texts = [next(v for k, v in data.items() if k.startswith(b"BODY")).decode() for data in subjects.values()]
            if texts:
                found[name] = sorted(int(text.split()[-1]) for text in texts)
        return found

    def listed(self):
        """Letters by folder as the list shows them."""
        rows = self.home.do.list_mail()
        found = {}
        subjects = dict(zip(rows.messages.tolist(), rows.subjects, strict=True))
        for message, index in zip(rows.messages.tolist(), rows.folders.tolist(), strict=True):
            found.setdefault(rows.folder_names[index].folder, []).append(int(subjects[message].split()[1]))
        return {name: sorted(letters) for name, letters in found.items()}


MANY = 200 if os.environ.get("NBMAIL_TORTURE") else 40
"""Letters that are filed while lines break."""


@pytest.fixture
def filer(tmp_path):
    made = []

    def make(server, letters=10, **more):
        made.append(Filer(server, tmp_path, letters, **more))
        return made[-1]

    yield make
    for each in made:
        each.home.close()


@pytest.fixture
def faulty_line():
    """Factory of proxies before servers."""
    made = []

    def make(port, chance):
        made.append(FaultyLine(port, chance, 0))
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.fixture(params=["all", "without MOVE"])
def any_server(request, dovecot, make_dovecot):
    return dovecot if request.param == "all" else make_dovecot(without=("MOVE",))


def _running(kind):
    made = kind()
    yield made
    made.close()


@pytest.fixture(params=[Cyrus, Courier])
def other_server(request):
    yield from _running(request.param)


@pytest.fixture(params=["dovecot", Cyrus, Courier])
def server(request):
    is_dovecot = request.param == "dovecot"
    yield from [request.getfixturevalue("dovecot")] if is_dovecot else _running(request.param)


def test_a_move_its_undo_and_its_redo(any_server, filer):
    one = filer(any_server)
    travel = one.name("Travel")
    assert set(one.move([2, 3], travel).messages) == {one.numbers[2], one.numbers[3]}
    assert one.listed() == {"INBOX": [1, 4, 5, 6, 7, 8, 9, 10]}
    one.settle()
    assert one.everything() == {"INBOX": [1, 4, 5, 6, 7, 8, 9, 10], "Travel": [2, 3]}
    assert one.home.labels() == {2: "good", 3: "good"}
    one.home.undo()
    assert one.listed() == {"INBOX": [*range(1, 11)]}
    one.settle()
    assert one.everything() == {"INBOX": [*range(1, 11)]}
    assert one.home.labels() == {}
    one.home.redo()
    one.settle()
    assert one.everything()["Travel"] == [2, 3]
    assert one.home.count() == 8


def test_other_servers_file_archive_delete_and_undo(other_server, filer):
    one = filer(other_server)
    names = [one.name(name).folder for name in ("Travel", "Lists/linux", "Archive", "Trash")]
    one.move([1, 2], folder(names[0]))
    one.move([3], folder(names[1]))
    one.home.sleep()
    one.move([4, 5], ARCHIVE)
    one.move([6], TRASH)
    one.home.restart()
    one.settle()
    assert one.everything() == {"INBOX": [7, 8, 9, 10]} | dict(zip(names, ([1, 2], [3], [4, 5], [6]), strict=True))
    for _ in names:
        one.home.undo()
    one.settle()
    assert one.everything() == {"INBOX": [*range(1, 11)]}


def test_archive_and_delete_use_the_account_s_own_folders(dovecot, filer):
    one = filer(dovecot)
    one.move([1], ARCHIVE)
    one.move([2], TRASH)
    one.settle()
    assert one.everything() == {"INBOX": [*range(3, 11)], "Archive": [1], "Trash": [2]}
    assert one.home.labels() == {}
    assert one.move([3], FolderName("", "\\Important")).missing == ("home",)


def test_moves_wait_until_the_account_is_connected(dovecot, filer):
    """Two moves of the same message, and an undo of the second, before any of them reaches the server."""
    one = filer(dovecot, folders=("INBOX", "Travel"))
    one.home.sleep()
    one.move([1, 2, 3], one.name("Travel"))
    one.move([2, 3], one.name("Bills 2026"))
    one.home.undo()
    one.move([3], ARCHIVE)
    assert one.listed() == {"INBOX": [*range(4, 11)], "Travel": [1, 2]}
    one.home.restart()
    one.settle()
    assert one.everything() == {"INBOX": [*range(4, 11)], "Travel": [1, 2], "Archive": [3]}
    one.home.undo()
    one.home.undo()
    one.settle()
    assert one.everything() == {"INBOX": [*range(1, 11)]}
    wait_for(lambda: one.listed() == {"INBOX": [*range(1, 11)]})


def test_names_that_differ_in_case_or_hold_the_separator(server, filer):
    one = filer(server)
    for number, name in enumerate(("Lists/linux", "lists/Linux", "Bills 2026"), 1):
        one.move([number], one.name(name))
    one.settle()
    found = one.everything()
    assert [found[one.name(name).folder] for name in ("Lists/linux", "lists/Linux", "Bills 2026")] == [[1], [2], [3]]


def test_a_folder_that_vanished_keeps_the_message_where_it_is(server, filer):
    one = filer(server)
    one.client.delete_folder(one.name("Travel").folder)
    one.move([1], one.name("Travel"))
    wait_for(lambda: any(isinstance(each, MoveRefused) for each in one.home.events))
    refused = next(each for each in one.home.events if isinstance(each, MoveRefused))
    assert refused.target == one.name("Travel") and refused.messages == 1
    assert one.listed() == {"INBOX": [*range(1, 11)]}
    assert one.everything() == {"INBOX": [*range(1, 11)]}


def test_many_letters_with_broken_lines_and_a_second_client(any_server, filer, faulty_line):
    """Each letter is filed with its own key while the line breaks; another client files some at the same moment."""
    _file_with_a_second_client(any_server, filer, faulty_line, MANY)


def test_broken_lines_and_a_second_client_at_other_servers(other_server, filer, faulty_line):
    _file_with_a_second_client(other_server, filer, faulty_line, 40)


def _file_with_a_second_client(server, filer, faulty_line, count):
    chance, letters = random.Random(7), range(1, count + 1)
    line = faulty_line(server.port, chance)
    one = filer(server, count, port=line.port, security=Security.PLAIN)
    line.faults = 10
    targets = [one.name("Travel"), one.name("Lists/linux"), ARCHIVE, TRASH]
    chosen = {number: chance.choice(targets) for number in letters}
    theirs = set(chance.sample(letters, count // 10))
    other = threading.Thread(target=_files, args=(server, theirs, one.name("Bills 2026").folder))
    for number in letters:
        one.move([number], chosen[number])
        if number == count * 3 // 10:
            other.start()
        if number % (count // 5) == 0:
            line.drop()
        if number == count // 2:
            one.home.restart()
    other.join()
    line.drop()
    one.settle()
    places = {number: [name for name, held in one.everything().items() if number in held] for number in letters}
    assert all(places.values())
    # What two clients copy at the same moment, no client can keep from being there twice.
    assert {number for number, held in places.items() if len(held) != 1} <= theirs
    names = {ARCHIVE: one.name("Archive").folder, TRASH: one.name("Trash").folder}
    wanted = {number: names.get(target, target.folder) for number, target in chosen.items()}
    assert {number for number in letters if places[number] != [wanted[number]]} <= theirs
    line.faults = 5
    for _ in letters:
        one.home.undo()
    line.drop()
    one.settle()
    found = one.everything()
    times = Counter(number for held in found.values() for number in held)
    assert times.keys() == set(letters) and {number for number in letters if times[number] > 1} <= theirs
    assert set(letters) - set(found["INBOX"]) <= theirs


def _files(server, letters, target):
    """Another client that files letters from the inbox."""
    client = server.client()
    for number in letters:
        try:
            client.select_folder("INBOX")
            if uids := client.search(
                ["HEADER", "SUBJECT", f"letter {number}", "HEADER", "MESSAGE-ID", f"<{number}@x>"]
            ):
                client.copy(uids, target)
                client.delete_messages(uids)
                client.uid_expunge(uids)
        except Exception:  # noqa: BLE001 - the line was broken
            client = server.client()


def test_permanent_deletion_only_in_trash_and_junk(server, filer):
    trash = server.junk.replace("Junk", "Trash")
    one = filer(server, folders=("INBOX", trash))
    one.move([1, 2, 3], TRASH)
    one.settle()
    one.home.look()
    done = one.home.do.delete(tuple(one.numbers[each] for each in (1, 2, 5)))
    assert set(done.messages) == {one.numbers[1], one.numbers[2]} and done.stayed == (one.numbers[5],)
    one.settle()
    assert one.everything() == {"INBOX": [*range(4, 11)], trash: [3]}
    assert one.listed() == {"INBOX": [*range(4, 11)], trash: [3]}


def test_flags_reach_the_server_and_are_undone(server, filer):
    one = filer(server)
    one.home.do.flag((one.numbers[1], one.numbers[2]))
    one.home.do.read_folder(folder("INBOX"))
    one.settle()
    one.client.select_folder("INBOX", readonly=True)
    flags = one.client.get_flags(one.client.search())
    assert sum(b"\\Flagged" in each for each in flags.values()) == 2
    assert all(b"\\Seen" in each for each in flags.values())
    one.home.undo()
    one.home.undo()
    one.settle()
    one.client.select_folder("INBOX", readonly=True)
    assert not any({b"\\Seen", b"\\Flagged"}.intersection(each) for each in one.client.get_flags([*flags]).values())
