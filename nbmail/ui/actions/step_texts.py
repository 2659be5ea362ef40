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
    step = done.step
    long = tr("Redone: {step}.") if redone else tr("Undone: {step}.")
    text = tr("Redone.") if redone else tr("Undone.")
    if step is not None and not (step.by == "user" and step.messages == 1):
        text = long.format(step=step_text(step))
    elif step is not None and subject:
        text = long.format(step=_mark_text(done.label, step.label, subject))
    return join_sentences(text, changed_verdicts_text(done.changed_verdicts))


def changed_something(done: Marked) -> bool:
    """True if an undo or redo changed labels or imported counts, or moved sorted messages back."""
    return (
        bool(done.messages)
        or done.imported
        or (done.step is not None and done.step.by == "sorting")
    )


def _mark_text(now: str | None, label: str | None, subject: str) -> str:
    """Return the state of a message after an undo or redo. `label`: assigned by the step."""
    again = {
        "spam": tr("“{subject}” is marked as spam again"),
        "ham": tr("“{subject}” is marked as not spam again"),
    }
    gone = {
        "spam": tr("“{subject}” is no longer marked as spam"),
        "ham": tr("“{subject}” is no longer marked as not spam"),
    }
    other = tr("“{subject}” is no longer marked")
    text = gone.get(label or "", other) if now is None else again.get(now, other)
    return text.format(subject=subject)


def _named_mark(step: StepTaken, subject: str) -> str:
    names = {
        "spam": tr("marking “{subject}” as spam"),
        "ham": tr("marking “{subject}” as not spam"),
    }
    return names.get(step.label or "", tr("clearing the mark of “{subject}”")).format(
        subject=subject
    )


def step_text(step: StepTaken) -> str:
    count = step.messages
    folder = step.folder
    moved = tr_count("moving %n message", "moving %n messages", count)
    learned = tr_count("learning %n message", "learning %n messages", count)
    if folder is not None:
        moved = tr_count("moving %n message to {folder}", "moving %n messages to {folder}", count)
        moved = moved.format(folder=folder_name(folder))
        learned = tr("{learning} from {folder}").format(learning=learned, folder=folder.folder)
    flags = {
        "\\Seen": tr_count("marking %n message as read", "marking %n messages as read", count),
        None: tr_count(
            "removing the flag of %n message", "removing the flags of %n messages", count
        ),
    }
    marks = {
        "spam": tr_count("marking %n message as spam", "marking %n messages as spam", count),
        None: tr_count("clearing %n mark", "clearing %n marks", count),
    }
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
        "move": moved,
        "flag": flags.get(
            step.label or None, tr_count("flagging %n message", "flagging %n messages", count)
        ),
        "folder": learned,
    }
    marked = marks.get(
        step.label,
        tr_count("marking %n message as not spam", "marking %n messages as not spam", count),
    )
    return names.get(step.by, marked)
