"""Columns of the mail list, compared with the tables row by row."""

import random

import numpy as np
import pytest

from nbmail.store.labels.journal import By
from nbmail.values import FolderName
from tests.store.helpers import ACCOUNT, INBOX, SPAM, fill, take

ARCHIVE = FolderName(ACCOUNT, "Archive")
SEEN = frozenset({"\\Seen"})


@pytest.fixture
def full(store):
    messages = fill(store, 30)
    take(store, [3, 4, 40], SPAM, flags={4: SEEN})
    take(store, (), SPAM, flags={40: SEEN})
    take(store, [4, 5], ARCHIVE)
    take(store, (), flags={5: SEEN, 6: SEEN | {"$Junk"}})
    # The third has one location left, the seventh none.
    taken = take(store, (), gone=frozenset({7, 3}))
    assert (taken.unlocated, taken.displaced) == ({messages[6]}, {messages[2]})
    store.marks.mark(dict.fromkeys(messages[10:14], "spam"), by=By.USER, moment=1.0)
    store.marks.mark(dict.fromkeys(messages[12:16], "ham"), by=By.USER, moment=1.0)
    store.connection.execute(
        "INSERT INTO locations SELECT folder, uid + 50, message, flags FROM locations WHERE uid = 8"
    )
    return store


def rows(heads):
    """Return all columns of each row, with the read flag in every folder."""
    found = []
    for place, number in enumerate(heads.messages.tolist()):
        label = heads.labels[place]
        here = heads.folders_of(place)
        found.append(
            (
                number,
                *(
                    heads.dates[place],
                    heads.senders[place],
                    heads.subjects[place],
                    bool(heads.attachments[place]),
                ),
                None if label < 0 else heads.label_names[label],
                {folder: not unread for folder, unread in here},
                here[0][0],
            )
        )
    return found


def expected(store):
    found = {}
    labels = store.labels.all()
    for one in store.folders.locations(range(1, 100)):
        head = store.messages.headings([one.message])[one.message]
        row = (
            one.message,
            head.date,
            head.sender,
            head.subject,
            head.attachments,
            labels.get(one.message),
            {},
            one.name,
        )
        found.setdefault(one.message, row)[6].setdefault(one.name, "\\Seen" in one.flags)
    return sorted(found.values(), key=lambda row: (-row[1], -row[0]))


def test_columns_equal_the_tables(full):
    listed = rows(full.listing.newest(9999))
    assert listed == expected(full)
    assert 7 not in [row[0] for row in listed]
    wanted = random.Random(1).sample(range(1, 32), 12)
    for some in (wanted, range(3, 9), [4]):
        assert rows(full.listing.some(some)) == [row for row in listed if row[0] in some]
    assert rows(full.listing.newest(5)) == listed[:5]
    assert full.listing.newest(9999).spam_folders == frozenset()
    take(full, (50,), SPAM, special="\\Junk")
    assert full.listing.newest(9999).spam_folders == {SPAM}
    assert INBOX in full.listing.newest(9999).folder_names


def test_a_list_without_messages(store):
    heads = store.listing.newest(9999)
    assert rows(heads) == rows(store.listing.some([1, 2])) == []
    assert (heads.labels.dtype, heads.locations.dtype, heads.attachments.dtype) == (
        np.int16,
        np.int32,
        bool,
    )
