"""Snapshot of the folder model of an account: derived data, which saves a rebuild at the next start.

The snapshot has the folders of each message that the model learned. It fits while the samples are the same; later
filings are learned on top of it.
"""

import hashlib
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from nbmail.core.counting.sample import Vocabulary
from nbmail.core.folders.folder_model import FolderContent, FolderModel
from nbmail.core.folders.habits import Uses
from nbmail.core.folders.suggestions import PastSuggestion, SuggestionLine, SuggestionLines
from nbmail.core.scoring.calibration import HeldOut
from nbmail.core.scoring.model import LearnedTables, ModelContent
from nbmail.store.files.array_file import map_file, parse, writing
from nbmail.store.mail.messages import Messages
from nbmail.store.model.filings import Filed
from nbmail.store.model.imported_counts import pack, unpack

# Raised when the model computes something else from the same filings.
_VERSION = 1
# The latest messages whose samples are compared.
_COMPARED = 16


class FolderState(NamedTuple):
    """Model of an account, and what it has learned, in the order of learning."""

    model: FolderModel
    filed: Filed


class FolderSnapshots:
    """Files with the models, one for each account."""

    def __init__(self, folder: Path, messages: Messages) -> None:
        self._folder, self._messages = folder, messages

    def writing(self, account: str, state: FolderState) -> Generator[None, None, None]:
        """Write the snapshot in chunks."""
        content = state.model.content()
        about, arrays = pack(ModelContent(content.counts, LearnedTables(content.corrections, HeldOut.none())))
        about |= {
            "stamp": self._stamp(list(state.filed)),
            "words": content.words,
            "uses": content.uses,
            "lines": [
                [line.intercept, line.slope, line.precision] for line in (content.lines.first, content.lines.three)
            ],
            "past": content.past,
            "filed": list(state.filed.values()),
        }
        arrays["learned"] = [np.fromiter(state.filed, np.int64)]
        yield
        yield from writing(self._path(account), about, arrays)

    def reading(self, account: str, words: Vocabulary) -> Generator[None, None, FolderState | None]:
        """Return the state of the snapshot; None if there is none that fits."""
        found = yield from parse(map_file(self._path(account)) or b"")
        if found is None or found.about["stamp"] != self._stamp(found.arrays["learned"].tolist()):
            return None
        about, packed = found.about, unpack(found)
        first, three = (SuggestionLine(line[0], line[1], tuple(line[2])) for line in about["lines"])
        content = FolderContent(
            packed.counts,
            packed.learned.corrections,
            about["words"],
            {key: Uses(*uses) for key, uses in about["uses"].items()},
            SuggestionLines(first, three),
            [PastSuggestion(*each) for each in about["past"]],
        )
        filed = zip(found.arrays["learned"].tolist(), map(tuple, about["filed"]), strict=True)
        return FolderState(FolderModel.of(words, content), dict(filed))

    def delete(self, account: str) -> None:
        self._path(account).unlink(missing_ok=True)

    def _path(self, account: str) -> Path:
        return self._folder / f"folders-{hashlib.blake2b(account.encode(), digest_size=8).hexdigest()}"

    def _stamp(self, learned: Sequence[int]) -> list[Any]:
        samples = self._messages.samples(learned[-_COMPARED:])
        texts = [f"{message} {sample.words.tolist()}" for message, sample in sorted(samples.items())]
        return [_VERSION, hashlib.blake2b("\n".join(texts).encode(), digest_size=8).hexdigest()]
