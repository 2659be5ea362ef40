"""Words that separate a folder from the others."""

import numpy as np

from nbmail.core.counting.arrays import FloatArray, IntArray
from nbmail.core.folders.folder_model import FolderModel
from nbmail.core.methods.balanced import SMOOTHING_OF_MANY
from nbmail.core.words.word_places import place_of
from nbmail.values import FolderName
from nbmail.worker.folders.folder_models import FolderModels
from nbmail.worker.protocol.folders import FolderWord


class FolderWords:
    """Words of the folders of all accounts."""

    def __init__(self, models: FolderModels) -> None:
        self._models = models

    def list_folder_words(self, folder: FolderName, limit: int = 200) -> tuple[FolderWord, ...]:
        """List the words of a folder, those that separate it best first."""
        account = self._models.account(folder.account)
        if account is None or account.state is None:
            return ()
        return words_of(account.state.model, folder.folder, limit)


def words_of(model: FolderModel, folder: str, limit: int) -> tuple[FolderWord, ...]:
    """Return the words that contribute most to a folder altogether, or against it."""
    counts = model.counts
    row = counts.row(folder)
    if row is None or not counts.messages[row]:
        return ()
    numbers = np.flatnonzero(counts.holders)
    inside = counts.documents[row][numbers]
    outside = counts.holders[numbers] - inside
    messages_inside = counts.messages[row]
    messages_outside = sum(counts.messages) - messages_inside

    ratios = _log_share(inside, messages_inside) - _log_share(outside, messages_outside)
    expected = outside * messages_inside / max(1, messages_outside)
    weights = np.abs(ratios) * np.sqrt(np.maximum(inside, expected))
    strongest = np.argsort(-weights, kind="stable")[:limit]

    words = list[FolderWord]()
    for one in strongest.tolist():
        word = model.vocabulary.word(int(numbers[one]))
        words.append(
            FolderWord(
                word, place_of(word), int(inside[one]), int(outside[one]), float(ratios[one])
            )
        )
    return tuple(words)


def _log_share(found: IntArray, total: int) -> FloatArray:
    """Return the logarithm of the smoothed share of messages with each word."""
    share = (found + SMOOTHING_OF_MANY) / (total + 2 * SMOOTHING_OF_MANY)
    logarithms: FloatArray = np.log(share)
    return logarithms
