"""Rows of newly arrived messages, made from what was just parsed."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

import numpy as np

from nbmail.core.mail.message import Heading
from nbmail.store.files.columns import storable
from nbmail.store.mail.folders import FLAGGED, SEEN
from nbmail.store.mail.listing import no_scores
from nbmail.values import FolderName, Rows


class ArrivedMessage(NamedTuple):
    """New message without a label, in one folder. `verified`: as in `Content`."""

    heading: Heading
    verified: bool | None
    folder: FolderName
    flags: frozenset[str]

    @property
    def is_unread(self) -> bool:
        return SEEN not in self.flags


def rows_of_arrived(
    arrived: Mapping[int, ArrivedMessage], spam_folders: Collection[FolderName]
) -> Rows:
    """Return the rows of new messages by number, newest first, without scores."""
    newest_first = sorted(arrived, key=lambda number: (-arrived[number].heading.date, -number))
    listed = [arrived[number] for number in newest_first]
    messages = np.array(newest_first, np.int64)
    no_labels = np.full(len(listed), -1, np.int16)

    folders = list(dict.fromkeys(each.folder for each in listed))
    locations = [(folders.index(each.folder), each.is_unread) for each in listed]
    sets = list(dict.fromkeys(locations))
    return Rows(
        messages=messages,
        dates=np.array([each.heading.date for each in listed], np.float64),
        senders=tuple(storable(each.heading.sender) for each in listed),
        subjects=tuple(storable(each.heading.subject) for each in listed),
        labels=no_labels,
        label_sources=no_labels,
        locations=np.array([sets.index(each) for each in locations], np.int32),
        attachments=np.array([each.heading.attachments for each in listed], bool),
        flagged=np.array([FLAGGED in each.flags for each in listed], bool),
        verified=np.array([_number(each.verified) for each in listed], np.int8),
        scores=no_scores(messages),
        label_names=(),
        source_names=(),
        folder_names=tuple(folders),
        location_sets=tuple((location,) for location in sets),
        spam_folders=frozenset(spam_folders),
    )


def _number(verified: bool | None) -> int:
    return -1 if verified is None else int(verified)
