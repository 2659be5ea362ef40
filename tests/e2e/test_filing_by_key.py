"""An inbox that is emptied by keys alone, over a real server."""

import os
import random
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.utils import parsedate_to_datetime

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from nbmail.settings import Settings
from nbmail.ui.list.list_choice import Choice
from nbmail.values import FolderName
from tests.dovecot import PASSWORDS
from tests.needs import need_corpus

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

NAMES = [
    *(
        "Invoices",
        "Travel",
        "Lists/linux",
        "Lists/python",
        "Family",
        "School",
        "Choir",
        "Garden",
        "Insurance",
    ),
    *("Taxes", "Recipes", "Sport", "Project", "Health", "Books"),
]
EACH = 40
FILED = 48
OTHERS = 12
# Learned messages of each folder. The generated ones differ more than real mail.
FEW = EACH if os.environ.get("NBMAIL_TORTURE") else 16
COMMON = [
    "the",
    "and",
    "you",
    "for",
    "with",
    "this",
    "that",
    "have",
    "from",
    "your",
    "will",
    "are",
    "about",
    "time",
]
KEYS = {"Archive": Qt.Key.Key_A, "Trash": Qt.Key.Key_Delete, "Junk": Qt.Key.Key_Exclam}


def letter(number, kind, subject):
    """Return a letter with words of its kind, most of them common."""
    chance = random.Random(number)
    own = [f"{kind.lower().replace('/', '')}{each}" for each in range(25)]
    words = chance.choices(own, k=8) + chance.choices(COMMON, k=12)
    chance.shuffle(words)
    sender = f"{kind.lower().replace('/', '')}{number % 3}@example.org"
    head = (
        f"From: {sender}\r\nTo: me@example.com\r\nSubject: {subject}\r\nMessage-ID: "
        f"<{number}@filing.example>\r\n"
    )
    return f"{head}Date: Mon, 2 Nov 2026 10:00:00 +0000\r\n\r\n{' '.join(words)}\r\n".encode()


def generated():
    """Return filed letters with their folders, and new ones with the folders they belong in."""
    filed = [(NAMES[number % len(NAMES)], number) for number in range(FEW * len(NAMES))]
    random.Random(1).shuffle(filed)
    goals = [NAMES[number % len(NAMES)] for number in range(FILED)]
    goals += [list(KEYS)[number % len(KEYS)] for number in range(OTHERS)]
    random.Random(2).shuffle(goals)
    new = [(goal, letter(number, goal, f"new {number}")) for number, goal in enumerate(goals, 1000)]
    return [(kind, letter(number, kind, f"filed {number}")) for kind, number in filed], new


def real():
    """Return mail of a user of the Enron corpus: filed messages, and new ones."""
    folder = need_corpus("enron")
    lines = [line.split() for line in (folder / "index.farmer-d").read_text().splitlines()]
    names = [name for name, _ in Counter(name for name, _ in lines).most_common(len(NAMES))]
    mail = [(name, (folder / path).read_bytes()) for name, path in lines]
    known = [each for each in mail if each[0] in names]
    known.sort(
        key=lambda each: parsedate_to_datetime(message_from_bytes(each[1])["date"]).timestamp()
    )
    known = known[-FILED - EACH * len(NAMES) :]
    others = [raw for name, raw in mail if name not in names][:OTHERS]
    new = known[:: len(known) // FILED][:FILED]
    new += [(list(KEYS)[place % len(KEYS)], raw) for place, raw in enumerate(others)]
    random.Random(2).shuffle(new)
    return [each for each in known if each not in new], new


def fill(server, filed, new):
    """Fill the folders and the inbox. Return the right folders of new messages by date."""
    client = server.client()
    began = datetime(2026, 10, 1, tzinfo=UTC)
    for name in ("Archive", *dict.fromkeys(name for name, _ in filed)):
        client.create_folder(name)
    dates = [began + timedelta(hours=hours) for hours in range(len(filed) + len(new))]
    for (kind, raw), date in zip(filed, dates, strict=False):
        client.append(kind, raw, msg_time=date)
    for (_, raw), date in zip(new, dates[len(filed) :], strict=True):
        client.append("INBOX", raw, msg_time=date)
    return {
        date.timestamp(): goal for (goal, _), date in zip(new, dates[len(filed) :], strict=True)
    }


def on_server(server, dates):
    """Return the folders of each new message on the server, by its date of arrival."""
    client = server.hand
    found = {}
    for flags, _, name in client.list_folders():
        if b"\\Noselect" in flags or b"\\NonExistent" in flags:
            continue
        client.select_folder(name, readonly=True)
        for data in (
            client.fetch(client.search(), ["INTERNALDATE"]).values() if client.search() else ()
        ):
            date = data[b"INTERNALDATE"].replace(tzinfo=UTC).timestamp()
            if date in dates:
                found.setdefault(date, []).append(name)
    return found


# Shares of the mail that get suggestions, and whose folder is the first one; milliseconds for a
# suggestion.
@pytest.mark.parametrize(
    ("mail", "suggested", "first", "patience"),
    [(generated, 1.0, 0.8, 60_000), (real, 0.85, 0.7, 2000)],
)
def test_an_inbox_of_sixty_messages_is_emptied_by_keys_into_fifteen_folders(
    dovecot, start_program, qtbot, mail, suggested, first, patience
):
    goals = fill(dovecot, *mail())
    dovecot.hand = dovecot.client()
    dovecot.hand.normalise_times = False
    filed = sum(goal not in KEYS for goal in goals.values())
    missed = 0
    account = replace(dovecot.account(), name="mail", suggested_folders=("*",), poll_seconds=60.0)
    settings = Settings(accounts=(account,), opened_is_read="never", move_mail=True)
    window = start_program(settings=settings, passwords={"mail": PASSWORDS["alice"]}).window
    parts = window.parts
    model = parts.model
    table = parts.table
    buttons = parts.message.folders
    inbox = Choice(folder=FolderName("mail", "INBOX"))
    qtbot.waitUntil(lambda: model.loaded and len(model.mail) >= len(goals))
    parts.updates.show_choice(inbox)

    def well_suggested():
        shown = model.mail
        numbers = [
            shown.suggested[place] for place in shown.order if goals[shown.dates[place]] not in KEYS
        ]
        names = {shown.folder_names[number - 1].folder for number in numbers if number}
        return sum(map(bool, numbers)) >= suggested * filed and len(names) > 5

    qtbot.waitUntil(well_suggested)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    table.setFocus()
    order = []
    by_first = 0
    while model.rowCount():
        left = model.rowCount()
        table.go_to(0)
        message = model.message_at(0)
        date = float(model.mail.dates[model.mail.find([message])[0]])
        qtbot.waitUntil(
            lambda message=message: (
                parts.message.shown_message and parts.message.shown_message.message == message
            )
        )
        key = KEYS.get(goals[date])
        if key is None:
            with suppress(qtbot.TimeoutError):
                qtbot.waitUntil(lambda: goals[date] in offered(buttons), timeout=patience)  # noqa: B023
            if goals[date] in offered(buttons):
                place = offered(buttons).index(goals[date])
                key = (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3)[place]
                by_first = by_first + (place == 0)
            else:
                # The three keys lead nowhere else.
                goals[date] = "Archive"
                key = KEYS["Archive"]
                missed = missed + 1
        QTest.keyClick(table, key)
        order.append(date)
        qtbot.waitUntil(lambda: model.rowCount() == left - 1)  # noqa: B023
    assert by_first >= first * filed and missed <= (1 - suggested) * filed
    for count in range(1, 6):
        QTest.keyClick(table, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        qtbot.waitUntil(lambda: model.rowCount() == count)  # noqa: B023
    expected = {date: ["INBOX" if date in order[-5:] else goal] for date, goal in goals.items()}
    qtbot.waitUntil(lambda: on_server(dovecot, goals) == expected)


def offered(buttons):
    return [each.folder.folder for each in buttons.chances]
