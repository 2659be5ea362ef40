"""The ledger adds up as shown, and the sentences say what the numbers say."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt

from nbmail.ui.evidence.evidence_ledger import Detail, ledger
from nbmail.ui.evidence.evidence_panel import EvidencePanel
from nbmail.ui.evidence.evidence_sentences import alike_words, change_words, reason_words, sum_words
from nbmail.ui.kit.theme import DARK, LIGHT
from nbmail.worker.protocol import Contribution, Explanation
from tests.ui.scripted import make_explanation

shares = st.lists(st.floats(-9, 9) | st.floats(0.332, 0.334), max_size=12)


def explanation(values, weaker, prior, calibration):
    words = tuple(Contribution(f"w{i}", "body", 1, 2, value, 0.0, value) for i, value in enumerate(values))
    total = sum(values) + weaker + prior + calibration
    return Explanation("junk", "good", prior, words, 7, weaker, calibration, total, 0.5, "unsure")


@given(shares, st.floats(-5, 5), st.floats(-2, 2), st.floats(-2, 2))
def test_the_lines_shown_add_up_to_the_sum_shown(values, weaker, prior, calibration):
    lines = ledger(explanation(values, weaker, prior, calibration))
    assert lines[-1].is_sum
    assert round(sum(line.shown for line in lines[:-1]), 2) == pytest.approx(round(lines[-1].shown, 2), abs=1e-9)
    assert sum(line.adds for line in lines[:-1]) == pytest.approx(lines[-1].adds, abs=1e-9)
    words = [abs(line.shown) for line in lines if line.word is not None]
    assert words == sorted(words, reverse=True)


def test_every_part_has_its_line():
    lines = [line.text for line in ledger(make_explanation(3.0)) if line.word is None]
    assert lines == ["112 weaker words", "before reading", "from experience", "together"]


def test_why_in_plain_words():
    why = make_explanation(3.0)
    assert reason_words(why) == (
        "“free”, “claim” (subject) and “rewards.example” (link) speak for junk. “thank” speaks for good mail."
    )
    assert change_words(why) == "Without “free” and “claim” it would be good. 2 marks the other way would turn it."
    assert change_words(replace(why, verdict="junk")).startswith("Without “free” and “claim” it would not be junk.")
    assert change_words(replace(why, flip_without=tuple("abcdefgh"))).startswith("No few words decide it: 8 would have")
    assert change_words(replace(why, flip_without=("x",) * 90)).startswith("No few words decide it: a great many say")
    held = make_explanation(-3.0)
    assert change_words(replace(held, verdict="unsure")).startswith("Without “minutes” and “anna” it would be junk.")
    assert sum_words(why) == "Together +3.00, which is a 95.3\u202f% chance of junk."
    silent = replace(why, contributions=(), flip_without=(), marks_to_flip=None, log_odds=0.0)
    assert reason_words(silent) == (
        "Nothing in this message has been learned yet. Mark some mail, and the words that decide appear here."
    )
    assert change_words(silent) == ""
    assert reason_words(replace(silent, log_odds=-4.0)).startswith("So far only good mail was learned.")
    assert reason_words(replace(silent, log_odds=4.0)).startswith("So far only junk was learned.")


@pytest.mark.parametrize(
    ("alike", "words"),
    [
        ((0, 0), ""),
        ((1, 0), "The one message that scored like this was good."),
        ((1, 1), "The one message that scored like this was junk."),
        ((2, 2), "Of 2 messages that scored like this, all were junk."),
        ((12, 0), "Of 12 messages that scored like this, none was junk."),
        ((12, 1), "Of 12 messages that scored like this, one was junk."),
        ((214, 209), "Of 214 messages that scored like this, 209 were junk."),
        ((1400, 1399), "Of 1,400 messages that scored like this, 1,399 were junk."),
    ],
)
def test_what_a_percentage_rests_on(alike, words):
    why = replace(make_explanation(3.0), alike=alike)
    assert alike_words(why) == words
    assert alike_words(replace(why, probability=None)) == ""
    assert "%" not in sum_words(replace(why, probability=None))


@pytest.fixture
def panel(qtbot):
    panel = EvidencePanel(LIGHT)
    qtbot.addWidget(panel)
    panel.resize(420, 400)
    panel.show()
    return panel


def test_the_panel_shows_every_figure(panel):
    why = make_explanation(3.0)
    panel.show_evidence(why)
    first = [panel.model.index(0, detail).data() for detail in Detail]
    assert first == ["claim", "", "38", "0", "+5.45", "", "+1.36"]
    spoken = panel.model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert panel._alike.text() == "Of 200 messages that scored like this, 191 were junk."
    assert spoken == "claim, subject: in 38 of your junk and 0 of your good messages; adds +1.36"
    assert panel.table.accessibleName()


def test_the_panel_leans_as_its_row_does_while_one_kind_is_known(panel):
    why = replace(make_explanation(-4.0, calibrated=False), contributions=(), verdict="unsure")
    panel.show_evidence(why)
    assert panel._verdict.text() == "Unsure · leans good"


def test_ratio_and_correction_have_columns_where_there_is_room(panel, qtbot):
    panel.show_evidence(make_explanation(3.0))
    assert panel.table.isColumnHidden(Detail.RATIO)
    panel.resize(900, 400)
    qtbot.waitUntil(lambda: not panel.table.isColumnHidden(Detail.RATIO))
    assert not panel.table.isColumnHidden(Detail.CORRECTION)


@pytest.mark.parametrize("width", [300, 376, 430, 520, 600, 900])
def test_every_number_is_within_the_table_however_narrow(panel, width):
    panel.show_evidence(make_explanation(3.0))
    panel.table.resize(width, 300)
    columns = sum(panel.table.columnWidth(detail) for detail in Detail if not panel.table.isColumnHidden(detail))
    assert columns <= panel.table.viewport().width()
    assert panel.table.columnWidth(Detail.WORD) >= 2 * panel.table.columnWidth(Detail.BAR) or width > 520


def test_the_panel_paints_in_both_themes_and_falls_silent(panel):
    panel.show_evidence(make_explanation(-8.0))
    light = panel.grab().toImage()
    panel.wear(DARK)
    assert panel.grab().toImage() != light
    panel.clear()
    assert panel.model.rowCount() == 0
    assert panel.why is None
