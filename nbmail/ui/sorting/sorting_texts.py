"""Texts about automatic sorting."""

from collections.abc import Sequence

from nbmail.core.sorting.exemptions import Stay
from nbmail.core.sorting.sorted_message import SortedMessage, SortedState
from nbmail.ui.sidebar.list_names import folder_name
from nbmail.ui.texts.language import format_count, tr, tr_count
from nbmail.ui.texts.number_texts import percent
from nbmail.ui.texts.plain_text import join_sentences
from nbmail.values import FolderName
from nbmail.worker.protocol.sorting import SortingPhase, SortingPreview, SortingStatus


def status_text(status: SortingStatus) -> str:
    """Return what sorting does now, how it was tested, and how many folders fill."""
    sentences = [_phase_text(status)]
    if status.phase is not SortingPhase.OFF:
        sentences.append(tested_text(status))
    filling = len(status.account.automatic_folders)
    if filling:
        text = tr_count(
            "%n folder is chosen to fill automatically.",
            "%n folders are chosen to fill automatically.",
            filling,
        )
        sentences.append(text)
    return join_sentences(*sentences)


def _phase_text(status: SortingStatus) -> str:
    texts = {
        SortingPhase.OFF: tr("Spam stays in the inbox and is only shown as spam."),
        SortingPhase.REHEARSING: tr("Nothing is moved. The list shows what would be moved."),
        SortingPhase.WAITING: tr_count(
            "Sorting begins after about %n more mark.",
            "Sorting begins after about %n more marks.",
            status.readiness.marks_missing,
        ),
        SortingPhase.SORTING: tr("Arriving spam is moved to the spam folder."),
    }
    return texts[status.phase]


def tested_text(status: SortingStatus) -> str:
    text = tr(
        "Tested on {tested} good messages: {lost} classified as spam (95 % interval: up to {high})."
    )
    return _with_figures(text, status)


def early_text(status: SortingStatus) -> str:
    """Return the question whether to sort before the model is tested well enough."""
    text = tr(
        "The model was tested on {tested} good messages so far, and {lost} of them were "
        "classified as spam. In the worst case, {high} of your good mail could be moved. "
        "About {marks} more marks make this safer."
    )
    return _with_figures(text, status)


def _with_figures(text: str, status: SortingStatus) -> str:
    ready = status.readiness
    return text.format(
        tested=format_count(ready.tested),
        lost=format_count(ready.lost),
        marks=format_count(ready.marks_missing),
        high=percent(ready.high),
    )


def rehearsal_text(preview: SortingPreview) -> str:
    if not preview.messages:
        return tr("The inbox has no mail of the last 30 days. Nothing would have been moved.")
    text = tr(
        "Of {all} messages of the last 30 days, {moving} would have been moved. You marked "
        "{ham} of them as not spam."
    )
    moving = format_count(len(preview.moving))
    ham = format_count(len(preview.ham))
    return text.format(all=format_count(preview.messages), moving=moving, ham=ham)


def sort_now_text(preview: SortingPreview) -> str:
    sentences = [
        tr_count(
            "%n message in the inbox is classified as spam.",
            "%n messages in the inbox are classified as spam.",
            len(preview.moving),
        )
    ]
    if preview.stayed:
        text = tr_count("%n more stays there.", "%n more stay there.", preview.stayed)
        sentences.append(text)
    return join_sentences(*sentences)


def away_text(moved: int, near: int, filed: int = 0) -> str:
    """Return what was sorted while the window was closed.

    `filed`: messages that went into folders.
    """
    folders = ""
    if filed:
        folders = tr_count("%n message filed in a folder.", "%n messages filed in folders.", filed)
    if not moved:
        return tr("While you were away: {filed}").format(filed=folders)

    text = tr_count(
        "While you were away: %n message sorted to Spam",
        "While you were away: %n messages sorted to Spam",
        moved,
    )
    spam = tr("{sorted}, {near} near the spam threshold.").format(
        sorted=text, near=format_count(near)
    )
    return join_sentences(spam, folders)


def sorted_text(messages: Sequence[SortedMessage]) -> str:
    """Return how many of the sorted messages were moved, and how many were close calls."""
    if not messages:
        return tr("Nothing was sorted in the last 7 days.")
    moved = sum(each.state is SortedState.MOVED for each in messages)
    near = sum(each.near for each in messages)
    return tr("{moved} moved, {near} near the spam threshold.").format(
        moved=format_count(moved), near=format_count(near)
    )


def result_text(message: SortedMessage) -> str:
    """Return what came of a message that automatic sorting judged."""
    if message.reason is not None:
        return _stay_text(message.reason)
    if message.target:
        return _filed_text(message)
    texts = {
        **_state_texts(),
        SortedState.REHEARSED: tr("Would be moved"),
        SortedState.MOVED: tr("Moved to spam folder"),
        SortedState.PUT_BACK: tr("Put back"),
        SortedState.CONFIRMED: tr("Confirmed as spam"),
    }
    return texts.get(message.state, tr("Stays"))


def _filed_text(message: SortedMessage) -> str:
    texts = {
        **_state_texts(),
        SortedState.REHEARSED: tr("Would be filed in {folder}"),
        SortedState.MOVED: tr("Filed in {folder}"),
        SortedState.PUT_BACK: tr("Moved away from {folder}"),
        SortedState.CONFIRMED: tr("Confirmed in {folder}"),
    }
    folder = folder_name(FolderName(message.account, message.target))
    return texts.get(message.state, tr("Stays")).format(folder=folder)


def _state_texts() -> dict[SortedState, str]:
    """Return the texts of states that do not depend on the target."""
    return {
        SortedState.NEW: tr("Waiting"),
        SortedState.MOVING: tr("Moving…"),
        SortedState.GONE: tr("Removed by another program"),
    }


def _stay_text(reason: Stay) -> str:
    texts = {
        Stay.FLAGGED: tr("Stays: flagged"),
        Stay.ANSWERED: tr("Stays: answered"),
        Stay.OWN_THREAD: tr("Stays: answers your message"),
        Stay.WRITTEN_TO: tr("Stays: you wrote to this sender"),
        Stay.PUT_BACK: tr("Stays: was put back before"),
        Stay.MARKED: tr("Stays: marked"),
        Stay.INCOMPLETE: tr("Stays: not loaded completely"),
        Stay.CLAIMED: tr("Stays: another program sorts it"),
        Stay.REFUSED: tr("Stays: the server refused"),
    }
    return texts[reason]
