"""The columns of the list equal what the tables say, row by row."""

import random

import numpy as np
import pytest

from nbmail.store.labels.journal import By
from nbmail.values import FolderName
from tests.store.helpers import ACCOUNT, INBOX, SPAM, fill, take

ARCHIVE = FolderName(ACCOUNT, "Archive")


@pytest.fixture
def full(store):
    messages = fill(store, 30)
    take(store, [3, 4, 40], SPAM)
    take(store, (), flags={5: frozenset({"\\Seen"}), 6: frozenset({"$Junk", "\\Seen"})})
    take(store, (), gone=frozenset({7, 3}))
    store.marks.mark(dict.fromkeys(messages[10:14], "junk"), by=By.USER, moment=1.0)
    store.marks.mark(dict.fromkeys(messages[12:16], "good"), by=By.USER, moment=1.0)
    return store


def rows(heads):
    return [
        (
            number,
            heads.dates[place],
            heads.senders[place],
            heads.subjects[place],
            None if heads.labels[place] < 0 else heads.label_names[heads.labels[place]],
            heads.folder_names[heads.folders[place]],
            bool(heads.unread[place]),
            bool(heads.attachments[place]),
        )
        for place, number in enumerate(heads.messages.tolist())
    ]


def expected(store):
    found = {}
    labels = store.labels.all()
    for location in reversed(store.folders.locations(range(1, 100))):
        head = store.messages.headings([location.message])[location.message]
        found[location.message] = (
            location.message,
            head.date,
            head.sender,
            head.subject,
            labels.get(location.message),
            FolderName(location.account, location.folder),
            "\\Seen" not in location.flags,
            head.attachments,
        )
    return sorted(found.values(), key=lambda row: (-row[1], -row[0]))


def test_all(full):
    listed = rows(full.listing.all())
    assert listed == expected(full)
    assert 7 not in [row[0] for row in listed]
    assert next(row for row in listed if row[0] == 3)[5] == SPAM
    assert next(row for row in listed if row[0] == 4)[5] == INBOX


def test_some(full):
    wanted = random.Random(1).sample(range(1, 32), 12)
    assert rows(full.listing.some(wanted)) == [row for row in expected(full) if row[0] in wanted]
    assert rows(full.listing.some(range(3, 9))) == [row for row in expected(full) if 3 <= row[0] < 9]


def test_nothing(store):
    heads = store.listing.all()
    assert rows(heads) == []
    assert heads.labels.dtype == heads.folders.dtype == np.int16
    assert heads.unread.dtype == heads.attachments.dtype == bool
    assert rows(store.listing.some([1, 2])) == []


def places(heads):
    """Every folder of each message, with whether it is unread there."""
    found = {}
    for place, number in enumerate(heads.messages.tolist()):
        first = (heads.folders[place], bool(heads.unread[place]))
        found[number] = {heads.folder_names[index]: unread for index, unread in [first, *_others(heads, place)]}
    return found


def _others(heads, place):
    return heads.other_places[heads.others[place]]


def test_a_row_knows_every_folder_its_message_lies_in(store):
    seen = {2: frozenset({"\\Seen"})}
    first, second, third = fill(store, 3)
    take(store, [2, 3], SPAM)
    take(store, (), SPAM, flags=seen)
    take(store, [3], ARCHIVE)
    lies = places(store.listing.all())
    assert lies == {
        first: {INBOX: True},
        second: {INBOX: True, SPAM: False},
        third: {INBOX: True, SPAM: True, ARCHIVE: True},
    }
    assert places(store.listing.some([third])) == {third: lies[third]}


def test_a_message_twice_in_a_folder_is_there_once(store):
    (message,) = fill(store, 1)
    take(store, [1], SPAM)
    store.connection.execute("INSERT INTO locations SELECT folder, uid + 50, message, flags FROM locations")
    heads = store.listing.all()
    assert heads.messages.tolist() == [message]
    assert heads.other_places == ((), ((1, True),))


def test_what_lost_one_of_its_places_is_named(store):
    first, second = fill(store, 2)
    take(store, [2], SPAM)
    taken = take(store, (), gone=frozenset({1, 2}))
    assert (taken.unlocated, taken.displaced) == ({first}, {second})


def test_the_list_names_the_junk_folders(full):
    assert full.listing.all().junk_folders == frozenset()
    take(full, (50,), SPAM, special="\\Junk")
    assert full.listing.all().junk_folders == {SPAM}
