"""The states of the reasons that pictures are made of."""

from nbmail.ui.evidence.evidence_ledger import LineKind
from tests.ui import scenes


def why_all():
    """Every line of a score, in groups."""
    window = scenes.open_window()
    window.table.go_to(scenes.junk_row(window))
    scenes.wait(200)
    window.actions_by_name["explain"].trigger()
    return window


def why_folded():
    """Groups folded, and one of the four parts explained."""
    window = why_all()
    scenes.wait(100)
    panel = window.evidence
    for group, _ in panel.ledger.groups:
        panel.model.fold(group.group, True)
    panel._parts[1].click()
    return window


def why_supposed():
    """What a mark would move, and what the score was when the message came."""
    window = why_all()
    window.evidence.if_good.click()
    return window


def why_then():
    """The score of then and of now."""
    window = why_all()
    window.evidence.then.click()
    return window


def why_held_back():
    """An unsure message whose chance is high."""
    window = scenes.open_window()
    mail = window.model.mail
    chances = [mail.probabilities[place] for place in mail.order]
    window.table.go_to(next(row for row, chance in enumerate(chances) if 0.9 < chance < 0.99))
    return window


def why_moved():
    """The messages that a mark moved."""
    window = why_all()
    window.reasons.show_latest()
    scenes.wait_for(lambda: scenes.place_of(window) is not window)
    return window


def why_word():
    """All about one word, and what would be without it."""
    window = why_all()
    scenes.wait(100)
    panel = window.evidence
    row = next(row for row, line in enumerate(panel.model.lines) if line.about.kind is LineKind.WORD)
    panel.table.clicked.emit(panel.model.index(row, 0))
    scenes.wait(50)
    word = scenes.wait_for(lambda: window.findChild(scenes.QDialog))
    word.suppose.click()
    return window


def why_same_sender():
    """One fact that was found in several places."""
    window = why_all()
    scenes.wait(100)
    panel = window.evidence
    line = next(line.about for line in panel.model.lines if len(line.about.clues) > 1)
    window.reasons.open_words([each.word for each in line.clues])
    return window


SCENES = scenes.all_scenes(globals())
