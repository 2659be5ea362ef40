"""Snapshots of the folder models of accounts, which save a rebuild at the next start."""

import hashlib
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from nbmail.core.calibration.held_out import HeldOut
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.folders.filing_habits import Uses
from nbmail.core.folders.folder_model import FolderContent, FolderModel
from nbmail.core.folders.suggestion_lines import SuggestionLine, SuggestionLines
from nbmail.core.folders.suggestions import PastSuggestion
from nbmail.core.scoring.model_content import ModelContent
from nbmail.store.actions.filed_moves import Filed
from nbmail.store.mail.samples import Samples
from nbmail.store.model.array_file import map_file, parse, writing
from nbmail.store.model.model_arrays import pack, unpack

# Raised when the model computes something else from the same filings.
_VERSION = 1
# The latest messages whose samples are compared.
_COMPARED = 16


class FolderState(NamedTuple):
    """Model of an account, and what it has learned, in the order of learning."""

    model: FolderModel
    filed: Filed


class FolderSnapshots:
    """Files of derived data, one for each account.

    A snapshot has the folders of each message that the model learned. It fits while the samples are
    the same; later filings are learned on top of it.
    """

    def __init__(self, folder: Path, samples: Samples) -> None:
        self._folder = folder
        self._samples = samples

    def write(self, account: str, state: FolderState) -> Generator[None, None, None]:
        content = state.model.content()
        about, arrays = pack(ModelContent(content.counts, content.corrections, HeldOut.none()))
        lines = (content.lines.first, content.lines.three)
        about["stamp"] = self._stamp(list(state.filed))
        about["words"] = content.words
        about["uses"] = content.uses
        about["lines"] = [[line.intercept, line.slope, line.precision] for line in lines]
        about["past"] = content.past
        about["filed"] = list(state.filed.values())
        arrays["learned"] = [np.fromiter(state.filed, np.int64)]
        yield
        yield from writing(self._path(account), about, arrays)

    def read(self, account: str, words: Vocabulary) -> Generator[None, None, FolderState | None]:
        """Return the state of the snapshot; None if there is none that fits."""
        found = yield from parse(map_file(self._path(account)) or b"")
        if found is None:
            return None
        about = found.about
        learned = found.arrays["learned"].tolist()
        if about["stamp"] != self._stamp(learned):
            return None
        packed = unpack(found)
        first, three = about["lines"]
        content = FolderContent(
            packed.counts,
            packed.corrections,
            about["words"],
            {key: Uses(*uses) for key, uses in about["uses"].items()},
            SuggestionLines(_line(*first), _line(*three)),
            [PastSuggestion(*each) for each in about["past"]],
        )
        filed = dict(zip(learned, map(tuple, about["filed"]), strict=True))
        return FolderState(FolderModel.of(words, content), filed)

    def delete(self, account: str) -> None:
        self._path(account).unlink(missing_ok=True)

    def _path(self, account: str) -> Path:
        digest = hashlib.blake2b(account.encode(), digest_size=8).hexdigest()
        return self._folder / f"folders-{digest}"

    def _stamp(self, learned: Sequence[int]) -> list[Any]:
        samples = self._samples.of(learned[-_COMPARED:])
        texts = []
        for message, sample in sorted(samples.items()):
            texts.append(f"{message} {sample.words.tolist()}")
        digest = hashlib.blake2b("\n".join(texts).encode(), digest_size=8).hexdigest()
        return [_VERSION, digest]


def _line(intercept: float, slope: float, precision: tuple[float, float, float]) -> SuggestionLine:
    # JSON has lists instead of tuples.
    xx, x1, one = precision
    return SuggestionLine(intercept, slope, (xx, x1, one))
