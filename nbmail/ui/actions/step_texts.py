"""Texts about undo steps."""

from nbmail.ui.sidebar.list_names import folder_name
from nbmail.ui.texts.language import tr, tr_count
from nbmail.ui.texts.mark_texts import changed_verdicts_text
from nbmail.ui.texts.plain_text import join_sentences
from nbmail.values import StepTaken
from nbmail.worker.protocol.marks import Marked


def undone_text(done: Marked, subject: str = "", *, redone: bool = False) -> str:
    """Return the message after an undo or a redo. `subject`: of the only message that changed."""
    if not changed_something(done):
        return tr("There is nothing to redo.") if redone else tr("There is nothing to undo.")
    name = _undone_name(done, subject)
    if name:
        text = tr("Redone: {step}.") if redone else tr("Undone: {step}.")
        text = text.format(step=name)
    else:
        text = tr("Redone.") if redone else tr("Undone.")
    return join_sentences(text, changed_verdicts_text(done.changed_verdicts))


def _undone_name(done: Marked, subject: str) -> str:
    """Return what the step did; for the mark of one message its state, if `subject` is known."""
    step = done.step
    if step is None:
        return ""
    is_one_mark = step.by == "user" and step.messages == 1
    if not is_one_mark:
        return step_text(step)
    if not subject:
        return ""
    if done.label is None:
        return _gone_text(step.label).format(subject=subject)
    return _again_text(done.label).format(subject=subject)


def changed_something(done: Marked) -> bool:
    """True if an undo or redo changed labels or imported counts, or moved sorted messages back."""
    if done.messages or done.imported:
        return True
    return done.step is not None and done.step.by == "sorting"


def _again_text(label: str) -> str:
    """Return the state of a message that has a label again."""
    if label == "spam":
        return tr("“{subject}” is marked as spam again")
    if label == "ham":
        return tr("“{subject}” is marked as not spam again")
    return tr("“{subject}” is no longer marked")


def _gone_text(label: str | None) -> str:
    """Return the state of a message that has lost this label."""
    if label == "spam":
        return tr("“{subject}” is no longer marked as spam")
    if label == "ham":
        return tr("“{subject}” is no longer marked as not spam")
    return tr("“{subject}” is no longer marked")


def named_mark_text(step: StepTaken, subject: str) -> str:
    """Return the name of a step that marked one message."""
    if step.label == "spam":
        text = tr("marking “{subject}” as spam")
    elif step.label == "ham":
        text = tr("marking “{subject}” as not spam")
    else:
        text = tr("clearing the mark of “{subject}”")
    return text.format(subject=subject)


def step_text(step: StepTaken) -> str:
    """Return the name of a step."""
    if step.by == "move":
        return _move_text(step)
    if step.by == "flag":
        return _flag_text(step)
    if step.by == "folder":
        return _folder_text(step)
    count = step.messages
    names = {
        "import": tr("importing a model"),
        "words": tr("ignoring or restoring a word"),
        "phrases": tr("adding or removing a phrase"),
        "rule": tr("changing a rule for a sender"),
        "start": tr("resetting the training"),
        "method": tr("changing the method"),
        "costs": tr("changing the costs of mistakes"),
        "sorting": tr("sorting the inbox"),
        "restore": tr_count("restoring %n earlier mark", "restoring %n earlier marks", count),
    }
    return names.get(step.by) or _mark_text(step)


def _move_text(step: StepTaken) -> str:
    count = step.messages
    if step.folder is None:
        return tr_count("moving %n message", "moving %n messages", count)
    text = tr_count("moving %n message to {folder}", "moving %n messages to {folder}", count)
    return text.format(folder=folder_name(step.folder))


def _flag_text(step: StepTaken) -> str:
    count = step.messages
    if step.label == "\\Seen":
        return tr_count("marking %n message as read", "marking %n messages as read", count)
    if step.label:
        return tr_count("flagging %n message", "flagging %n messages", count)
    return tr_count("removing the flag of %n message", "removing the flags of %n messages", count)


def _folder_text(step: StepTaken) -> str:
    learned = tr_count("learning %n message", "learning %n messages", step.messages)
    if step.folder is None:
        return learned
    text = tr("{learning} from {folder}")
    return text.format(learning=learned, folder=step.folder.folder)


def _mark_text(step: StepTaken) -> str:
    count = step.messages
    if step.label == "spam":
        return tr_count("marking %n message as spam", "marking %n messages as spam", count)
    if step.label is None:
        return tr_count("clearing %n mark", "clearing %n marks", count)
    return tr_count("marking %n message as not spam", "marking %n messages as not spam", count)
