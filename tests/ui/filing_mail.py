"""A mailbox with mail in folders of the user's own, and an inbox to file."""

import random
import time

from nbmail.settings import Account
from nbmail.values import Arrival, Delivery, FolderName, ServerFolderUse
from tests.ui.real import ACCOUNT

WORDS = {
    "Invoices": "invoice amount payment due account transfer order customer",
    "Travel": "train ticket hotel booking journey seat platform arrival",
    "Lists/linux": "kernel patch driver module compile branch merge commit",
    "Family": "birthday dinner grandma weekend photos garden school visit",
}
SENDERS = {
    "Invoices": "billing@shop.example",
    "Travel": "tickets@rail.example",
    "Family": "anna@family.example",
}
REMOTE = Account(ACCOUNT, host="mail.example.org", suggested_folders=("*",))
EACH = 12
WAITING = 12


def raw(number, kind):
    """Return a message of a folder's kind."""
    chance = random.Random(number)
    words = " ".join(chance.choices(WORDS[kind].split(), k=9))
    sender = SENDERS.get(kind, f"member{number % 3}@lists.example")
    head = (
        f"From: {sender}\r\nTo: me@example.org\r\nSubject: "
        f"{words[:30].rpartition(' ')[0]}\r\nMessage-ID: <{number}@x>"
    )
    return f"{head}\r\nDate: Mon, 2 Nov 2026 10:00:00 +0000\r\n\r\n{words}\r\n".encode()


def kind_of(number):
    return list(WORDS)[number % len(WORDS)]


def fill(mailbox, now=None):
    """Deliver mail in all folders, and unfiled mail with the UIDs from 1001 on in the inbox."""
    now = now or time.time()
    folders = {
        "INBOX": "\\Inbox",
        "Junk": "\\Junk",
        "Trash": "\\Trash",
        "Archive": "\\Archive",
    } | dict.fromkeys(WORDS, "")
    mailbox.backend.list_folders(
        ACCOUNT,
        [ServerFolderUse(FolderName(ACCOUNT, name), special) for name, special in folders.items()],
    )
    for kind in WORDS:
        filed = [number for number in range(1, EACH * len(WORDS)) if kind_of(number) == kind]
        put(mailbox, kind, filed, now - 30 * 86400)
    put(mailbox, "INBOX", range(1001, 1001 + WAITING), now - 86400, "\\Inbox")


def put(mailbox, folder, numbers, moment, special=""):
    arrivals = []
    for number in numbers:
        text = raw(number, kind_of(number))
        arrivals.append(
            Arrival(number, frozenset(), moment + 600 * (number % 1000), text, len(text))
        )
    name = FolderName(ACCOUNT, folder)
    mailbox.backend.deliver(
        Delivery(name, 1, arrivals=tuple(arrivals), complete=True, special=special)
    )
