"""Texts about automatic sorting."""

from nbmail.core.scoring.sorting import SortedState, Stay
from nbmail.ui.accounts.sidebar import folder_name
from nbmail.ui.kit.phrases import format_count, percent, tr, tr_count
from nbmail.values import FolderName
from nbmail.worker.protocol.sorting import SortedMessage, SortingPhase, SortingPreview, SortingStatus


def status_text(status: SortingStatus) -> str:
    """Return what sorting does now, with the test result that it rests on, and how many folders fill."""
    filling = len(status.choice.folders)
    text = tr_count(
        "%n folder is chosen to fill automatically.", "%n folders are chosen to fill automatically.", filling
    )
    text = text if filling else ""
    return f"{_junk_text(status)} {text}".rstrip()


def _junk_text(status: SortingStatus) -> str:
    ready, tested = status.readiness, tested_text(status)
    if status.phase is SortingPhase.OFF:
        return tr("Junk stays in the inbox and is only shown as junk.")
    if status.phase is SortingPhase.REHEARSING:
        return tr("Nothing is moved. The list shows what would be moved.") + " " + tested
    if status.phase is SortingPhase.WAITING:
        missing = tr_count(
            "Sorting begins after about %n more mark.", "Sorting begins after about %n more marks.", ready.marks_missing
        )
        return missing + " " + tested
    return tr("Arriving junk is moved to the junk folder.") + " " + tested


def tested_text(status: SortingStatus) -> str:
    """Return how many good messages the model took for junk in its test."""
    ready = status.readiness
    return tr("Tested on {tested} good messages: {lost} classified as junk (95 % interval: up to {high}).").format(
        tested=format_count(ready.tested), lost=format_count(ready.lost), high=percent(ready.high)
    )


def early_text(status: SortingStatus) -> str:
    """Return the question whether to sort before the model is tested well enough."""
    ready = status.readiness
    return tr(
        "The model was tested on {tested} good messages so far, and {lost} of them were classified as junk. In the "
        "worst case, {high} of your good mail could be moved. About {marks} more marks make this safer."
    ).format(
        tested=format_count(ready.tested),
        lost=format_count(ready.lost),
        high=percent(ready.high),
        marks=format_count(ready.marks_missing),
    )


def rehearsal_text(preview: SortingPreview) -> str:
    """Return what sorting would have done in the last 30 days."""
    if not preview.messages:
        return tr("The inbox has no mail of the last 30 days. Nothing would have been moved.")
    return tr(
        "Of {all} messages of the last 30 days, {moving} would have been moved. You marked {good} of them as not junk."
    ).format(
        all=format_count(preview.messages),
        moving=format_count(len(preview.moving)),
        good=format_count(len(preview.good)),
    )


def filing_rehearsal_text(preview: SortingPreview, folder: str) -> str:
    """Return what automatic filing would have done in the last 30 days."""
    text = tr("Of {all} messages of the last 30 days in the inbox, {moving} would have gone to {folder}.")
    counts = format_count(preview.messages), format_count(len(preview.moving))
    return text.format(all=counts[0], moving=counts[1], folder=folder)


def sort_now_text(preview: SortingPreview) -> str:
    """Return what sorting the inbox moves."""
    text = tr_count(
        "%n message in the inbox is classified as junk.",
        "%n messages in the inbox are classified as junk.",
        len(preview.moving),
    )
    stayed = sum(count for _, count in preview.stayed)
    stays = tr_count("%n more stays there.", "%n more stay there.", stayed) if stayed else ""
    return f"{text} {stays}".rstrip()


def summary_text(count: int, moved: int, near: int) -> str:
    """Return the line below the list."""
    if not count:
        return tr("Nothing was sorted in the last 7 days.")
    return tr("{moved} moved, {near} near the junk threshold.").format(
        moved=format_count(moved), near=format_count(near)
    )


def away_text(moved: int, near: int, filed: int = 0) -> str:
    """Return what was sorted while the window was closed. `filed`: messages that went into folders."""
    folders = tr_count("%n message filed in a folder.", "%n messages filed in folders.", filed) if filed else ""
    if not moved:
        return tr("While you were away: {filed}").format(filed=folders)
    text = tr_count(
        "While you were away: %n message sorted to Junk", "While you were away: %n messages sorted to Junk", moved
    )
    junk = tr("{sorted}, {near} near the junk threshold.").format(sorted=text, near=format_count(near))
    return f"{junk} {folders}".rstrip()


def result_text(message: SortedMessage) -> str:
    """Return what happened to a message."""
    states = {
        SortedState.NEW: tr("Waiting"),
        SortedState.MOVING: tr("Moving…"),
        SortedState.REHEARSED: tr("Would be moved"),
        SortedState.MOVED: tr("Moved to junk folder"),
        SortedState.PUT_BACK: tr("Put back"),
        SortedState.CONFIRMED: tr("Confirmed as junk"),
        SortedState.GONE: tr("Removed by another program"),
    }
    reasons = {
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
    if message.reason is not None:
        return reasons[message.reason]
    if message.target:
        states |= {
            SortedState.REHEARSED: tr("Would be filed in {folder}"),
            SortedState.MOVED: tr("Filed in {folder}"),
            SortedState.PUT_BACK: tr("Moved away from {folder}"),
            SortedState.CONFIRMED: tr("Confirmed in {folder}"),
        }
        name = folder_name(FolderName(message.account, message.target))
        return states.get(message.state, tr("Stays")).format(folder=name)
    return states.get(message.state, tr("Stays"))
