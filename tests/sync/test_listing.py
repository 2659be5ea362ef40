"""Lists of the folders of a mailbox."""

import mailbox

import pytest

from nbmail.errors import KnownError
from nbmail.settings import Account, Security
from nbmail.sync.discovery.mailbox_listing import list_mailbox
from nbmail.sync.discovery.server_abilities import examine_server
from nbmail.sync.imap.protocol.imap_connection import MAX_FOLDERS
from nbmail.sync.mailbox_values import FolderCount, FolderLine
from nbmail.sync.wake_signal import WakeSignal
from tests.dovecot import PASSWORDS
from tests.fake_imap import says
from tests.sync.letters import letter, letters


@pytest.fixture
def wake_signal():
    made = WakeSignal()
    yield made
    made.close()


def test_folders_of_a_server_have_uses_and_counts(dovecot, wake_signal):
    client = dovecot.client()
    for name in ("Päckchen/2024", 'say "hi"', "Briefe, alte"):
        client.create_folder(name)
    dovecot.put(letters(12))
    client.append("Päckchen/2024", letter(1))
    found = list_mailbox(dovecot.account(), PASSWORDS["alice"], wake_signal)
    assert found[0] == FolderLine("INBOX", "\\Inbox", 12)
    listed = {each.name: (each.special, each.messages) for each in found}
    assert listed["Päckchen/2024"] == ("", 1)
    assert listed["Junk"] == ("\\Junk", 0)
    assert {'say "hi"', "Briefe, alte", "Trash", "Sent"} <= listed.keys()


def test_folders_without_counts_are_listed(fake, wake_signal):
    server = fake(abilities="IMAP4rev1", hooks={"STATUS": says(b"NO not today")})
    server.hooks["LIST"] = lambda line, tag, arguments: (
        line.say(
            b'* LIST (\\HasChildren) "." INBOX\r\n* LIST (\\Noselect) "." "Public"\r\n',
            b'* LIST () "." {4}\r\n2024\r\n',
            tag + b" OK\r\n",
        )
        or True
    )
    assert list_mailbox(server.account(), "x", wake_signal) == (
        FolderLine("INBOX", "\\Inbox"),
        FolderLine("2024"),
    )


def test_some_of_very_many_folders_are_listed_with_progress(fake, wake_signal):
    """Special and configured folders are always listed."""

    def listing(line, tag, arguments):
        rows = (b'* LIST () "/" "Shared/%06d"\r\n' % number for number in range(50_000))
        last = b'* LIST (\\Junk) "/" "Zap"\r\n* LIST () "/" "Zoo"\r\n* LIST () "/" INBOX\r\n'
        line.say(b"".join(rows) + last + tag + b" OK\r\n")
        return True

    server = fake(abilities="IMAP4rev1", hooks={"LIST": listing, "STATUS": says(b"NO not today")})
    steps = []
    account = server.account(spam_folders=("Zoo",))
    found = list_mailbox(account, "x", wake_signal, steps.append)
    counts = [each.listed for each in steps if isinstance(each, FolderCount)]
    assert counts == [*range(5000, 50_001, 5000), 50_003]
    assert len(found) == MAX_FOLDERS + 3
    assert {"INBOX", "Zap", "Zoo", "Shared/000001"} <= {each.name for each in found}


def test_local_mailboxes_are_listed_with_counts(tmp_path, wake_signal):
    box = mailbox.Maildir(tmp_path / "mail")
    box.add(letter(1))
    box.add_folder("Junk").add(letter(2))
    found = list_mailbox(Account("a", path=str(tmp_path / "mail")), "", wake_signal)
    assert found == (FolderLine("INBOX", "\\Inbox", 1), FolderLine("Junk", "\\Junk", 1))
    with pytest.raises(KnownError):
        list_mailbox(Account("a", path=str(tmp_path / "gone")), "", wake_signal)


def test_used_and_missing_abilities_of_a_server_are_reported(
    dovecot, make_dovecot, fake, wake_signal
):
    report = examine_server(dovecot.account(), PASSWORDS["alice"], wake_signal)
    assert (report.tls, report.mechanism, report.missing) == ("TLSv1.3", "PLAIN", ())
    assert {"IDLE", "MOVE", "CONDSTORE"} <= set(report.used)
    poor = make_dovecot(
        without=("MOVE", "CONDSTORE", "QRESYNC", "SPECIAL-USE", "IDLE"), special_use=False
    )
    account = poor.account(security=Security.PLAIN)
    report = examine_server(account, PASSWORDS["alice"], wake_signal)
    assert (report.tls, {"MOVE", "CONDSTORE"} <= set(report.missing)) == ("", True)
    assert "IDLE" not in report.used
    poorest = fake(abilities="IMAP4rev1")
    poorest.permanent = rb"\Seen \Deleted"
    report = examine_server(poorest.account(), "x", wake_signal)
    assert set(report.missing) == {"MOVE", "CONDSTORE", "KEYWORDS", "SPECIAL-USE"}
