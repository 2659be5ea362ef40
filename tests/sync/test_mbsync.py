"""In step with a mailbox that mbsync, the real one, and a scripted client change all the while."""

import mailbox
import os
import random
import re
import subprocess
import threading

import pytest

from nbmail.values import Outcome, Phase
from tests.dovecot import PASSWORDS
from tests.needs import need_program
from tests.sync.letters import letter, letters
from tests.sync.memory_desk import until
from tests.sync.test_profiles import known, truth

TORTURE = bool(os.environ.get("NBMAIL_TORTURE"))
ROUNDS = 60 if TORTURE else 3
SETTINGS = """
IMAPAccount server
Host 127.0.0.1
Port {port}
SSLType None
AuthMechs LOGIN
User alice
Pass {password}

IMAPStore far
Account server

MaildirStore near
Path {folder}/
Inbox {folder}/INBOX

Channel mail
Far :far:
Near :near:
Patterns INBOX Junk
Sync All
Create Both
Expunge Both
SyncState *
"""


class Copy:
    """A Maildir that mbsync keeps in step with the server, changed by its owner between two runs."""

    def __init__(self, server, folder, chance):
        self.program = need_program("mbsync")
        self.folder = folder / "copy"
        self.folder.mkdir()
        self.settings = folder / "mbsyncrc"
        self.settings.write_text(SETTINGS.format(port=server.port, password=PASSWORDS["alice"], folder=self.folder))
        self.written, self.removed = set(), set()
        self._chance = chance

    def sync(self):
        """One run; a message that goes away under it is its own affair and mended by the next."""
        command = [self.program, "-q", "-c", str(self.settings), "-a"]
        return subprocess.run(command, check=False, timeout=60, capture_output=True).returncode

    def change(self, number):
        """Write a letter, flag one, delete one: as a program that reads the Maildir does."""
        inbox = mailbox.Maildir(self.folder / "INBOX", create=False)
        inbox.add(mailbox.MaildirMessage(letter(5000 + number).replace(b"\r\n", b"\n")))
        self.written.add(5000 + number)
        keys = [key for key, message in inbox.items() if message.get_subdir() == "cur"]
        if len(keys) > 4:
            flagged, doomed = self._chance.sample(sorted(keys), 2)
            message = inbox.get_message(flagged)
            message.add_flag("F")
            inbox[flagged] = message
            self.removed.add(number_of(inbox.get_bytes(doomed)))
            inbox.remove(doomed)


@pytest.mark.parametrize("without", [(), ("QRESYNC", "CONDSTORE", "MOVE")], ids=["everything", "poor"])
def test_mbsync_and_a_client_change_it_all_the_while(make_dovecot, desk, watch, tmp_path, without):
    server = make_dovecot(without=without)
    chance = random.Random(7)
    server.put(letters(80))
    thread = watch(server.account(poll_seconds=0.2))
    client, copy = server.client(), Copy(server, tmp_path, chance)
    assert copy.sync() == 0
    over = threading.Event()
    other = threading.Thread(target=_scripted, args=(server.client(), random.Random(8), over), name="other-client")
    other.start()
    try:
        for number in range(ROUNDS):
            copy.change(number)
            _mark_and_move(desk, thread, chance)
            copy.sync()
    finally:
        over.set()
        other.join(30)
    desk.wait(lambda: not desk.outbox)
    until(lambda: known(desk) == truth(client) and known(desk, "Junk") == truth(client, "Junk"))
    until(lambda: copy.sync() == 0)
    until(lambda: known(desk) == truth(client) and known(desk, "Junk") == truth(client, "Junk"))
    everywhere = [number_of(raw) for raw in (*truth(client)[0].values(), *truth(client, "Junk")[0].values())]
    assert len(everywhere) == len(set(everywhere)), "something is there twice"
    assert not (set(range(1, 81)) | copy.written) - set(everywhere) - copy.removed
    assert [each for each in desk.settled if each[1] is Outcome.REFUSED] == []
    assert len([state for state in desk.states if state.phase is Phase.CONNECTING]) == 1


def number_of(raw):
    """Which letter it is: mbsync puts a header of its own into what it brings."""
    return int(re.search(rb"Subject: letter (\d+)", raw).group(1))


def _mark_and_move(desk, thread, chance):
    fresh = sorted(set(desk.flags()) - {errand.uid for errand, _, _ in desk.settled if errand.kind == "move"})
    if len(fresh) > 10:
        moved, marked = chance.sample(fresh, 2)
        desk.move(moved)
        desk.keywords(marked, {"$Junk"})
        thread.wake()


def _scripted(client, chance, over):
    """Flags only: what it deleted, nobody could tell from what was lost."""
    while not over.wait(0.05):
        client.select_folder(chance.choice(["INBOX", "Junk"]))
        uids = client.search("ALL")
        if uids:
            client.add_flags([chance.choice(uids)], [chance.choice(["\\Seen", "work", "$NotJunk"])])
