"""The columns of the list equal what the tables say, row by row."""

import random

import numpy as np
import pytest

from nbmail.store.values import By
from tests.store.helpers import ACCOUNT, INBOX, SPAM, batch, fill, open_model


@pytest.fixture
def full(store):
    messages = fill(store, 30)
    store.take(batch(store, [3, 4, 40], SPAM), 1.0)
    store.take(batch(store, (), flags={5: frozenset({"\\Seen"}), 6: frozenset({"$Junk", "\\Seen"})}), 1.0)
    store.take(batch(store, (), gone=frozenset({7, 3})), 1.0)
    model = open_model(store)
    store.marks.mark(model, messages[10:14], "junk", by=By.USER, moment=1.0)
    store.marks.mark(model, messages[12:16], "good", by=By.USER, moment=1.0)
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
        head = store.messages.heads([location.message])[location.message]
        found[location.message] = (
            location.message,
            head.date,
            head.sender,
            head.subject,
            labels.get(location.message),
            (location.account, location.folder),
            "\\Seen" not in location.flags,
            head.attachments,
        )
    return sorted(found.values(), key=lambda row: (-row[1], -row[0]))


def test_all(full):
    listed = rows(full.listing.all())
    assert listed == expected(full)
    assert 7 not in [row[0] for row in listed]
    assert next(row for row in listed if row[0] == 3)[5] == (ACCOUNT, SPAM)
    assert next(row for row in listed if row[0] == 4)[5] == (ACCOUNT, INBOX)


def test_newest(full):
    assert rows(full.listing.newest(5)) == expected(full)[:5]


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
