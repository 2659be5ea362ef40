"""Texts about automatic sorting."""

from nbmail.core.sorting.sorted_message import SortedMessage, SortedState, Stay
from nbmail.ui.accounts.sidebar import folder_name
from nbmail.ui.texts.language import format_count, tr, tr_count
from nbmail.ui.texts.number_texts import percent
from nbmail.ui.texts.plain_text import join_sentences
from nbmail.values import FolderName
from nbmail.worker.protocol.sorting import SortingPhase, SortingPreview, SortingStatus


def status_text(status: SortingStatus) -> str:
    """Return what sorting does now, with the test result that it rests on, and how many folders
    fill.
    """
    missing = status.readiness.marks_missing
    filling = len(status.account.automatic_folders)
    spam = {
        SortingPhase.OFF: tr("Spam stays in the inbox and is only shown as spam."),
        SortingPhase.REHEARSING: tr("Nothing is moved. The list shows what would be moved."),
        SortingPhase.WAITING: tr_count(
            "Sorting begins after about %n more mark.",
            "Sorting begins after about %n more marks.",
            missing,
        ),
        SortingPhase.SORTING: tr("Arriving spam is moved to the spam folder."),
    }[status.phase]
    folders = tr_count(
        "%n folder is chosen to fill automatically.",
        "%n folders are chosen to fill automatically.",
        filling,
    )
    tested = tested_text(status) if status.phase is not SortingPhase.OFF else ""
    return join_sentences(spam, tested, folders if filling else "")


def tested_text(status: SortingStatus) -> str:
    text = tr(
        "Tested on {tested} good messages: {lost} classified as spam (95 % interval: up to {high})."
    )
    return _with_figures(text, status)


def early_text(status: SortingStatus) -> str:
    """Return the question whether to sort before the model is tested well enough."""
    text = tr(
        "The model was tested on {tested} good messages so far, and {lost} of them were "
        "classified as spam. In the "
        "worst case, {high} of your good mail could be moved. About {marks} more marks make "
        "this safer."
    )
    return _with_figures(text, status)


def _with_figures(text: str, status: SortingStatus) -> str:
    ready = status.readiness
    counts = (format_count(each) for each in (ready.tested, ready.lost, ready.marks_missing))
    return text.format(
        **dict(zip(("tested", "lost", "marks"), counts, strict=True)), high=percent(ready.high)
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
    text = tr_count(
        "%n message in the inbox is classified as spam.",
        "%n messages in the inbox are classified as spam.",
        len(preview.moving),
    )
    stays = (
        tr_count("%n more stays there.", "%n more stay there.", preview.stayed)
        if preview.stayed
        else ""
    )
    return join_sentences(text, stays)


def away_text(moved: int, near: int, filed: int = 0) -> str:
    """Return what was sorted while the window was closed. `filed`: messages that went into
    folders.
    """
    folders = (
        tr_count("%n message filed in a folder.", "%n messages filed in folders.", filed)
        if filed
        else ""
    )
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


def result_text(message: SortedMessage) -> str:
    states = {
        SortedState.NEW: tr("Waiting"),
        SortedState.MOVING: tr("Moving…"),
        SortedState.REHEARSED: tr("Would be moved"),
        SortedState.MOVED: tr("Moved to spam folder"),
        SortedState.PUT_BACK: tr("Put back"),
        SortedState.CONFIRMED: tr("Confirmed as spam"),
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
