"""Results of the engine's requests."""

from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from nbmail.core.reading.mail import AttachedFile
from nbmail.core.scoring.explanation import Explanation, Proportion
from nbmail.values import FolderName, StepTaken

MAX_CHANGES = 500
"""Changed verdicts that a result lists at most."""
ALL_LABELS = 10**9
"""Limit above any number of labels."""

# -------------------------------------------------------------------------------------------------
# marks and undo


class Marked(NamedTuple):
    """Result of a mark, undo, redo or restore.

    - `label`: the label that the messages have now; None for none or a mixture.
    - `changed_verdicts`: other messages without a label whose verdict changed; 0 while a rebuild is
      pending.
    - `imported`: the imported counts, the ignored words, the phrases, the method or the costs
      changed.
    - `step`: the step that was undone or redone, or would be if it is `too_large`.
    - `unread`: marked messages that may contain a new phrase, and are read once their text is
      fetched.
    """

    messages: tuple[int, ...]
    label: str | None
    changed_verdicts: int = 0
    imported: bool = False
    step: StepTaken | None = None
    too_large: bool = False
    unread: int = 0


class VerdictChange(NamedTuple):
    """Message whose verdict changed, or would change, with its probability of spam; None before
    calibration.
    """

    message: int
    verdict_before: str
    verdict_after: str
    before: float | None = None
    after: float | None = None


class Simulation(NamedTuple):
    """Verdicts that a change would alter, except those of labelled messages, which show their
    label.

    `changes`: the first `MAX_CHANGES` of `total`. `own`: change of the message named in the
    request; None if the change doesn't concern it.
    """

    changes: tuple[VerdictChange, ...]
    total: int
    own: VerdictChange | None = None


class PlannedMove(NamedTuple):
    """Message that a mark would move out of `folder`, to "spam" or "inbox"."""

    message: int
    sender: str
    subject: str
    folder: FolderName
    target: str


class SuspiciousLabel(NamedTuple):
    """Label that contradicts the log-odds and probability of spam by models without the message."""

    message: int
    label: str
    log_odds: float
    probability: float


# -------------------------------------------------------------------------------------------------------
# messages


class Body(StrEnum):
    """Cached part of a message: all, the first part, none yet (it is being fetched), or none."""

    WHOLE = "whole"
    PART = "part"
    COMING = "coming"
    ABSENT = "absent"


class SenderCheck(NamedTuple):
    """Check of the sender.

    `domain`: domain that the account's mail server confirmed, empty if it confirmed none, None
    without a trusted server. `first`: no earlier message from this address is stored. `lookalikes`:
    letters that look like Latin ones.
    """

    domain: str | None = None
    first: bool = False
    lookalikes: tuple[str, ...] = ()


class MessageText(NamedTuple):
    """Text of a message.

    `html`: empty for plain mail. `attachments`: with names by `foreign_text.clean_file_name`.
    `accounts`: those that fetch a text that is `COMING`.
    """

    message: int
    headers: tuple[tuple[str, str], ...]
    text: str
    html: str
    attachments: tuple[AttachedFile, ...]
    body: Body = Body.WHOLE
    accounts: tuple[str, ...] = ()
    sender: SenderCheck = SenderCheck()


class MessageSource(NamedTuple):
    """Message, or its first part if not `whole`: all headers, decoded and in order, and the raw
    text.
    """

    headers: tuple[tuple[str, str], ...]
    text: str
    whole: bool = True


class ScoredMail(NamedTuple):
    """Text and reasons of a message from a file. Its number is 0 unless a mailbox contains it as
    well.
    """

    text: MessageText
    why: Explanation


class SavedAttachment(NamedTuple):
    """Attachment that was written to `path`. `runs`: it begins like a program, whatever its
    name.
    """

    path: Path
    runs: bool = False


# ----------------------------------------------------------------------------------------------------------
# words


class WordOrder(StrEnum):
    """Order of a list of words. SPAMMIEST and HAMMIEST go by weight, COMMON by the number of
    messages.
    """

    SPAMMIEST = "spammiest"
    HAMMIEST = "hammiest"
    STRONGEST = "strongest"
    COMMON = "common"
    SPAM = "spam"
    HAM = "ham"
    NAME = "name"


class WordFigures(NamedTuple):
    """Word with the numbers of learned messages that contain it, and its weight.

    `log_ratio` comes from the counts, `correction` from past errors, both as if the message had no
    other word; 0 while only one class is known.
    """

    word: str
    place: str
    spam: int
    ham: int
    log_ratio: float = 0.0
    correction: float = 0.0
    ignored: bool = False


class WordPage(NamedTuple):
    """Some of the `total` matching words."""

    total: int
    words: tuple[WordFigures, ...]


class WordCounts(NamedTuple):
    """Counts of a word after a mark at `moment`: learned spam and ham messages that contain it."""

    moment: float
    spam: int
    ham: int


class WordDescription(NamedTuple):
    """Word with its history. `spam_messages` and `ham_messages` are all learned messages of each
    class.

    `history` has an entry for each labelled message that contains the word, or a selection of many.
    `messages` contain the word, newest numbers first, `message_count` in total. `prior`: Beta prior
    of the word's probability.
    """

    figures: WordFigures
    spam_messages: int
    ham_messages: int
    history: tuple[WordCounts, ...] = ()
    messages: tuple[int, ...] = ()
    message_count: int = 0
    prior: tuple[float, float] = (2.0, 2.0)


# -----------------------------------------------------------------------------------------------
# quality of the model


class TrainingReport(NamedTuple):
    """Held-out classification of labelled messages with the current cost setting. All 0 or empty
    without both classes.

    `false_positives`: ham messages classified as spam, the surest first. `false_negatives`: spam
    messages classified as ham. `classified`: all messages of the report.
    """

    spam: int = 0
    ham: int = 0
    true_positives: int = 0
    false_positives: tuple[int, ...] = ()
    false_negatives: tuple[int, ...] = ()
    classified: tuple[int, ...] = ()

    @property
    def messages(self) -> int:
        return self.spam + self.ham

    @property
    def recall(self) -> Proportion:
        return Proportion(self.true_positives, self.spam)


class ModelReset(NamedTuple):
    """Number of removed labels, and the backup of the former model."""

    labels: int
    backup: Path


# -----------------------------------------------------------------------------------------------------
# model files


class Exported(NamedTuple):
    """Written or previewed model file: its words, and the learned messages of each class.

    `left_out`: words that the format can't store, or that were redacted. `recall`: share of spam
    that is recognized before and after redaction; None if not `redacted`, or with too few labels.
    `examples`: the most frequent addresses that are left out, in a preview.
    """

    path: Path
    words: int
    classes: tuple[tuple[str, int], ...]
    left_out: int = 0
    redacted: bool = False
    recall: tuple[float, float] | None = None
    examples: tuple[str, ...] = ()

    @property
    def messages(self) -> int:
        return sum(messages for _, messages in self.classes)


class Imported(NamedTuple):
    """Imported model file: its words, and the learned messages of each class.

    `other_method`: the file's method if it is another one, so that only its counts were imported.
    `backup`: the former model, if earlier imports were replaced. `left_out`: number of omitted
    doubtful words.
    """

    path: Path
    words: int
    classes: tuple[tuple[str, int], ...]
    other_method: str = ""
    backup: Path | None = None
    left_out: int = 0

    @property
    def messages(self) -> int:
        return sum(messages for _, messages in self.classes)


class Agreement(NamedTuple):
    """Labelled messages that a file alone classifies correctly, and all labelled messages, by
    class.
    """

    spam_right: int
    spam: int
    ham_right: int
    ham: int


class DoubtfulWord(NamedTuple):
    """Word of a model file, with its weight after an import. `spam`, `ham`: in the file; `own_…`:
    labelled here.
    """

    word: str
    place: str
    weight: float
    spam: int
    ham: int
    own_spam: int
    own_ham: int


class ImportReport(NamedTuple):
    """Content of a model file, and the effect of importing it.

    - `classes`: names and numbers of messages.
    - `parts`: the filter's own classes, each with the class that it becomes.
    - `words`: all words; `ours` of them have nbmail's form, `known` are known here, `kept` only
      that filter uses.
    - `dropped`: kinds and numbers of parts that are not imported. "dates": dates of last use.
      "zero": words without a
      count. "foreign": words of that filter only. "magnets": rules. "robx": bogoutil's prior.
      "reckoned": numbers of
      messages, estimated from those of words.
    - `counted`: the file was imported before, or exported from here.
    - `other_method`: only the counts would be imported.
    - `doubtful`: the strongest of the `doubtful_words`, senders and hosts first. No labelled
      message contains these
      words, or their weight contradicts the labels.
    """

    path: Path
    format: str
    classes: tuple[tuple[str, int], ...]
    parts: tuple[tuple[str, str], ...]
    words: int
    ours: int
    kept: int
    known: int
    dropped: tuple[tuple[str, int], ...]
    agreement: Agreement
    counted: bool
    other_method: bool
    doubtful: tuple[DoubtfulWord, ...] = ()
    doubtful_words: int = 0
