"""Sorting where it fails: the message stays in the inbox without a mark."""

from dataclasses import replace

import pytest

from nbmail.core.sorting.exemptions import Stay
from nbmail.core.sorting.sorted_message import SortedState
from nbmail.errors import ErrorCode
from nbmail.settings import Security
from nbmail.values import AccountState
from tests.dovecot import Dovecot
from tests.sync.homes import SortingHome, spam
from tests.waiting import wait_for

RIGHTS = "mail_plugins = acl\nplugin {\n  acl = vfile\n}\n"
# A move counts for nothing, a copy does.
QUOTA = (
    "mail_plugins = quota\nplugin {\n  quota = count:all\n  quota_vsizes = yes\n  quota_rule = "
    "*:messages=1\n}\n"
)


@pytest.fixture
def server(request):
    """A server without a folder that it calls a spam folder, or another one."""
    made = Dovecot(**getattr(request, "param", {"spam": "Elsewhere", "special_use": False}))
    yield made
    made.close()


@pytest.fixture
def start(server, install):
    def run(**more):
        account = server.account(name="home", security=Security.PLAIN, poll_seconds=0.3, **more)
        return install(account, SortingHome)

    return run


@pytest.fixture
def other(server):
    """Another client."""
    return server.client()


def flags(client, folder):
    """Return the flags of each message of a folder, in a list."""
    return [found for _, found in client.letters(folder).values()]


def is_in_inbox(client):
    """True if one message is in the inbox, without a mark."""
    found = flags(client, "INBOX")
    return len(found) == 1 and not any(flag.startswith("nbmail") for flag in found[0])


def test_without_a_spam_folder_mail_waits_until_one_is_created(server, other, start):
    home = start()
    server.put(spam(301))
    missing = ("synced", ErrorCode.FOLDER_MISSING, "\\Junk")
    home.until(
        lambda event: (
            isinstance(event, AccountState)
            and (event.phase, event.error_code, event.detail) == missing
        )
    )
    assert is_in_inbox(other)
    # As a click on “Create “Junk”” does.
    home.sleep()
    home.account = replace(home.account, spam_folder="Junk")
    home.wake()
    wait_for(lambda: other.folder_exists("Junk") and len(flags(other, "Junk")) == 1)
    wait_for(lambda: flags(other, "INBOX") == [])


@pytest.mark.parametrize("how", ["rename_folder", "delete_folder"])
def test_a_spam_folder_that_is_gone_keeps_the_message_in_the_inbox(server, other, start, how):
    other.create_folder("Spam")
    home = start(spam_folder="Spam")
    other.rename_folder("Spam", "Old spam") if how == "rename_folder" else other.delete_folder(
        "Spam"
    )
    server.put(spam(301))
    wait_for(lambda: any(each.state is SortedState.STAYED for each in home.do.list_sorted()))
    (stayed,) = home.do.list_sorted()
    assert stayed.reason is Stay.REFUSED and stayed.detail
    assert is_in_inbox(other)


@pytest.mark.parametrize(
    ("server", "folder", "rights", "detail"),
    [
        ({"more": QUOTA, "without": ("MOVE",)}, "", "", "OVERQUOTA"),
        ({"more": RIGHTS}, "Junk", "lrwstekxa", "NOPERM"),
        ({"more": RIGHTS}, "INBOX", "lrwsk", "NOPERM"),
        ({"more": RIGHTS}, "INBOX", "lr", "read"),
    ],
    indirect=["server"],
    ids=["quota", "no insertion", "no deletion", "read-only"],
)
def test_a_refused_move_leaves_the_message_and_the_reason(
    server, other, start, folder, rights, detail
):
    if folder:
        server.restrict(folder, rights)
    home = start()
    server.put(spam(301))
    wait_for(lambda: any(each.state is SortedState.STAYED for each in home.do.list_sorted()))
    (stayed,) = home.do.list_sorted()
    assert stayed.reason is Stay.REFUSED and detail.lower() in stayed.detail.lower()
    home.look()
    assert is_in_inbox(other)
    assert flags(other, "Junk") == []
