"""The score breakdown adds up as shown, and the sentences agree with the numbers."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt

from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.explaining.explaining import explain
from nbmail.core.explaining.explanation import Contribution, Explanation, PriorFrom
from nbmail.core.scoring.model import Model
from nbmail.core.scoring.typicality import Typicality
from nbmail.ui.evidence import reason_texts as texts
from nbmail.ui.evidence import score_texts
from nbmail.ui.evidence.breakdown.breakdown_lines import Group, LineKind, line_cells
from nbmail.ui.evidence.breakdown.breakdown_model import Detail
from nbmail.ui.evidence.breakdown.score_breakdown import break_down, part_texts, round_to_sum
from nbmail.ui.evidence.reasons_panel import ReasonsPanel
from nbmail.ui.kit.sizes import header_width
from nbmail.ui.texts.number_texts import THIN, percent, signed
from nbmail.worker.model.laboratory import method_named
from tests.core.material import text_sample
from tests.ui.made import make_explanation

amounts = st.floats(-9, 9) | st.floats(0.332, 0.334) | st.just(0.0)
words = st.sampled_from(
    [
        "free",
        "subject:free",
        "from:@a.example",
        "id:@a.example",
        "link:a.example",
        "html:td",
        "fact:reply=yes",
    ]
)


@st.composite
def explanations(draw):
    """Any explanation that adds up."""
    found = []
    for word, counted, learned in draw(st.lists(st.tuples(words, amounts, amounts), max_size=12)):
        place = word.partition(":")[0] if ":" in word else "body"
        found.append(Contribution(word, place, 1, 2, counted, learned, counted + learned))
    weaker = draw(amounts)
    prior = draw(amounts)
    calibration = draw(amounts)
    total = sum(each.contribution for each in found) + weaker + prior + calibration
    return Explanation(prior, tuple(found), 7, weaker, calibration, total, 0.5, "unsure")


@given(explanations())
def test_all_shown_amounts_add_up(why):
    breakdown = break_down(why)
    assert (
        breakdown.prior.adds
        + sum(line.adds for line, _ in breakdown.groups)
        + breakdown.calibration.adds
        == breakdown.total.adds
    )
    assert sum(amount for _, amount, _ in part_texts(breakdown)) == breakdown.total.adds
    for group, lines in breakdown.groups:
        assert (group.counted, group.learned) == (
            sum(e.counted for e in lines),
            sum(e.learned for e in lines),
        )
    words = [line for line in breakdown.all_lines(())[:-1] if line.kind is not LineKind.GROUP]
    for shown in (breakdown.compact_lines(), words):
        assert sum(line.adds for line in shown) == breakdown.total.adds == round(100 * why.log_odds)
    start = 0
    for line in breakdown.all_lines(())[:-1]:
        assert line.start == start or line.kind is LineKind.PRIOR
        start += line.adds if line.kind is not LineKind.GROUP else 0


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=40))
def test_what_is_rounded_stays_near(values):
    total = round(100 * sum(values))
    shown = round_to_sum(values, total)
    assert sum(shown) == total or not any(values)
    assert all(abs(100 * value - each) <= 1.0001 for value, each in zip(values, shown, strict=True))


def test_one_fact_found_in_several_places_is_one_line():
    breakdown = break_down(make_explanation(3.0, strongest=1000))
    lines = [
        line
        for line in breakdown.words
        if line.text == "rewards.example" and line.group is Group.SENDER
    ]
    assert [line.place for line in lines] == ["sender, bounce address, origin, message ID"]
    assert [line.group for line, _ in breakdown.groups] == [
        group for group in Group if group is not Group.ABSENT
    ]
    parts = (
        "to:robin.hale@home.example",
        "to:@home.example",
        "to:robin.hale@",
        "to:robin",
        "to:hale",
    )
    found = [Contribution(word, "to", 3, 9, 0.1, 0.0, 0.1) for word in (*parts, "to:other")]
    joined = break_down(
        replace(make_explanation(0.6), contributions=tuple(found), prior=0.0, calibration=0.0)
    )
    assert [(line.text, line.count) for line in joined.words if line.kind is LineKind.WORD] == [
        ("robin.hale@home.example", 5),
        ("other", 1),
    ]


def test_every_number_of_a_line_is_true_of_all_its_places():
    """A number that differs between the places is left out; their occurrences are added up."""
    several = 0
    for line in break_down(make_explanation(3.0, strongest=1000)).words:
        _, _, spam, ham, ratio, times, *_ = line_cells(line)
        features = [each for each in line.features if not each.measure]
        several += len(features) > 1
        for each in features:
            assert spam in ("", f"{each.spam}")
            assert ham in ("", f"{each.ham}")
            assert ratio in ("", signed(each.log_ratio))
            assert times == str(sum(one.occurrences for one in features))
            assert len(features) > 1 or (spam and ham and ratio)
    assert several

    places = ("from", "sender", "reply", "return", "received", "origin")
    equal = [Contribution(f"{one}:a.example", one, 0, 9, -5.08, 0.0, -5.08) for one in places]
    unlike = [one._replace(ham=number) for number, one in enumerate(equal)]
    for found, shown in ((equal, ("0", "9", "−5.08", "6")), (unlike, ("", "", "−5.08", "6"))):
        why = replace(make_explanation(0.6), contributions=tuple(found), prior=0.0, calibration=0.0)
        (line,) = (one for one in break_down(why).words if one.kind is LineKind.WORD)
        assert line_cells(line)[2:6] == shown
        assert ("in 0 spam and 9 good" in line.accessible_text()) == (found is equal)


def reason_of(why):
    return texts.reason_text(why, break_down(why).words if why.contributions else ())


SPAM = make_explanation(3.0, strongest=1000)
SILENT = replace(SPAM, contributions=(), flip_without=(), marks_to_flip=None, log_odds=0.0)
SMALL = tuple(Contribution(f"w{number}", "body", 1, 0, 0.2, 0.0, 0.2) for number in range(40))
REASONS = (
    (SPAM, "“claim” (subject), “rewards.example” (link) and “free” point to spam."),
    (
        replace(SPAM, contributions=SMALL, prior=0.0, calibration=0.0, log_odds=8.0),
        "40 mostly weak reasons point to spam. The strongest: “w0” and “w1”.",
    ),
    (SILENT, "nbmail doesn't know any word of this message yet."),
    (replace(SILENT, log_odds=-4.0), "nbmail has learned only good messages so far."),
    (replace(SILENT, log_odds=4.0), "nbmail has learned only spam so far."),
)
FREE = replace(SPAM, flip_without=("free", "subject:claim"))
CHANGES = (
    (FREE, "Without “free” and “claim”, it would be classified as not spam."),
    (replace(FREE, verdict="spam"), "Without “free” and “claim”, it would not be spam."),
    (
        replace(make_explanation(-3.0), flip_without=("minutes", "from:anna"), verdict="unsure"),
        "Without “minutes” and “anna”, it would be spam.",
    ),
    (
        replace(SPAM, flip_without=tuple("abcdefgh")),
        "No single word decides: the verdict would change only without 8",
    ),
    (replace(SPAM, flip_without=("x",) * 90), "No single word decides: many words agree"),
)


def test_sentences_name_the_reasons_and_what_would_change_the_verdict():
    for why, text in REASONS:
        assert reason_of(why).startswith(text)
    for why, text in CHANGES:
        assert texts.change_text(why).startswith(text)
    assert texts.change_text(SPAM).endswith(
        "2 opposite marks on messages like this would change the verdict."
    )
    assert texts.change_text(SILENT) == ""
    assert score_texts.sum_text(SPAM) == "Total +3.00: 95.3\u202f% chance of spam."
    assert (
        score_texts.sum_text(SPAM, expanded=True)
        == "Spam threshold: +4.60, 99\u202f% chance of spam."
    )


def test_the_chance_at_arrival_follows_the_total():
    arrived = replace(SPAM, chance_at_arrival=0.374)
    assert score_texts.sum_text(arrived).endswith(" chance of spam. 37\u202f% when it arrived.")
    expanded = score_texts.sum_text(arrived, expanded=True)
    assert expanded.endswith(" Its chance of spam was 37\u202f% when it arrived.")


def test_an_unsure_message_states_what_holds_it_back():
    why = replace(SPAM, verdict="unsure")
    begins = "Below the spam threshold of 99\u202f%"
    whole = f"{begins}, which weighs a false alarm like checking 100 messages yourself."
    assert (texts.held_back_text(why, 100), texts.held_back_text(why, 0)) == (whole, f"{begins}.")
    assert texts.held_back_text(why, 100, compact=True) == "Threshold 99\u202f%"
    for other in (
        replace(why, verdict="spam"),
        replace(why, probability=0.2),
        replace(why, probability=None),
    ):
        assert texts.held_back_text(other, 100) == ""


SIMILAR = {
    (0, 0): "",
    (1, 0): "The tested message with the nearest score was not spam.",
    (1, 1): "The tested message with the nearest score was spam.",
    (2, 2): "Of the 2 tested messages with the nearest scores, all were spam.",
    (12, 0): "Of the 12 tested messages with the nearest scores, none was spam.",
    (12, 1): "Of the 12 tested messages with the nearest scores, one was spam.",
    (1400, 1399): "Of the 1,400 tested messages with the nearest scores, 1,399 were spam.",
}


@pytest.mark.parametrize("nearest", SIMILAR)
def test_a_percentage_names_the_tests_that_it_rests_on(nearest):
    why = replace(make_explanation(3.0), nearest=nearest)
    assert score_texts.similar_scores_text(why) == SIMILAR[nearest]
    assert score_texts.similar_scores_text(replace(why, probability=None)) == ""
    assert "%" not in score_texts.sum_text(replace(why, probability=None))


@pytest.fixture
def panel(qtbot):
    panel = ReasonsPanel()
    qtbot.addWidget(panel)
    panel.resize(420, 700)
    panel.show()
    return panel


def test_the_panel_shows_every_number(panel):
    panel.show_evidence(make_explanation(3.0, strongest=1000))
    first = [panel.table.model().index(0, detail).data() for detail in Detail]
    assert first == ["claim", "", "38", "0", "+5.45", "1", "+1.36", "", "+1.36"]
    accessible = panel.table.model().index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert (
        accessible == "claim, subject: in 38 spam and 0 good messages; log-ratio +5.45; adds +1.36"
    )
    assert (
        panel.reason.text() and panel.sum.text() and not panel.change.text() + panel.similar.text()
    )
    panel.set_expanded(True)
    assert (
        panel.similar.text() == "Of the 200 tested messages with the nearest scores, 191 were spam."
    )
    assert panel.table.accessibleName()


def test_a_reason_that_is_no_word_has_no_counts_and_no_window(panel):
    absent = Contribution("absent:words", "absent", 0, 0, 1.5, 0.0, 1.5, 0)
    panel.show_evidence(
        replace(make_explanation(1.5), contributions=(absent,), weaker=0.0, weaker_count=0)
    )
    opened = []
    panel.word_opened.connect(opened.append)
    cells = [panel.table.model().index(0, detail) for detail in Detail]
    assert [cell.data() for cell in cells][:6] == ["absent words", "", "", "", "", ""]
    assert cells[0].data(Qt.ItemDataRole.AccessibleTextRole).startswith("absent words, adds +")
    panel.table.clicked.emit(cells[0])
    assert not opened


def learned_reasons(method, words=3):
    """Return the reasons of one message by a model of this method."""
    random = np.random.default_rng(3)
    model = Model(Vocabulary(), method_named(method))
    known = [
        "claim",
        "received:8.11.6",
        "measure:recipients=0",
        "lunch",
        "subject:hello",
        "fact:reply=yes",
    ]
    for number in range(60):
        present = [
            word
            for place, word in enumerate(known)
            if random.random() < (0.9 if (place + number) % 2 else 0.2)
        ]
        model.learn(
            text_sample(model.vocabulary, present, measures=(900 + number, number)),
            ("spam", "ham")[number % 2],
        )
    return explain(model, text_sample(model.vocabulary, known[:words], measures=(950, 40)), 100)


def lines_of(panel):
    return {line.text: line for line in panel.table.lines}


def test_absent_words_are_one_line_that_opens(panel):
    why = learned_reasons("bernoulli-complete")
    panel.show_evidence(why)
    row, line = next(
        (row, line) for row, line in enumerate(panel.table.lines) if line.group is Group.ABSENT
    )
    assert line.text == "3 absent words"
    panel.table.clicked.emit(panel.table.model().index(row, 0))
    assert not panel.table.content.folded, "a click opens them"
    panel.set_expanded(True)
    named = [line for line in panel.table.lines if line.group is Group.ABSENT]
    assert {each.text for each in named[1:]} == {"lunch", "hello", "reply"}
    assert sum(each.adds for each in named[1:]) == named[0].adds == line.adds
    cells = [
        panel.table.model().index(panel.table.lines.index(named[1]), detail).data()
        for detail in Detail
    ]
    lacked = next(one for one in why.absent.words if one.word == named[1].features[0].word)
    counts = str(lacked.spam), str(lacked.ham), signed(lacked.log_ratio), "0"
    assert (*cells[Detail.SPAM : Detail.OCCURRENCES + 1],) == counts


def test_pairs_and_measures_have_readable_names_and_real_figures(panel):
    panel.set_expanded(True)
    panel.show_evidence(learned_reasons("tree", words=6))
    pairs = [line for line in panel.table.lines if line.features and line.features[0].pair]
    assert pairs
    for line in pairs:
        assert " with " in line.text and ":" not in line.text and "=" not in line.text
        cells = [
            panel.table.model().index(panel.table.lines.index(line), detail).data()
            for detail in Detail
        ]
        assert int(cells[Detail.SPAM]) + int(cells[Detail.HAM]) > 0
    panel.show_evidence(learned_reasons("gaussian"))
    words = lines_of(panel)["40 words"]
    cells = [
        panel.table.model().index(panel.table.lines.index(words), detail).data()
        for detail in Detail
    ]
    assert cells[Detail.SPAM : Detail.LOG_RATIO] == ["29.0 ± 17.3", "30.0 ± 17.3"], (
        "even and odd numbers below 60"
    )


def test_the_starting_point_and_the_methods_own_chance_are_named(panel):
    panel.set_expanded(True)
    why = replace(learned_reasons("multinomial"), score=13.0)
    mail = replace(why, prior_from=PriorFrom.MAIL, prior=math.log(0.2 / 0.8))
    for each, start, chance in (
        (
            why,
            f"starting point: {percent(0.5)} spam",
            f"Plain Naive Bayes would say 99.9998{THIN}%.",
        ),
        (
            learned_reasons("balanced"),
            "starting point: even odds",
            "Before calibration it would be",
        ),
        (mail, f"starting point: {percent(0.2)} spam", ""),
    ):
        panel.show_evidence(each)
        assert panel.table.lines[0].text == start
        assert chance in panel.sum.text()
    assert f"share of spam in your mail, {percent(0.2)}" in part_texts(panel.breakdown)[0][2]


def test_each_class_has_its_compatibility_score(panel):
    model = Model(Vocabulary(), method_named("multinomial"))
    for words, label in ((["claim", "prize"], "spam"), (["claim"], "spam"), (["lunch"], "ham")):
        model.learn(text_sample(model.vocabulary, words), label)
    why = explain(model, text_sample(model.vocabulary, ["claim", "lunch"]))
    spam = math.log(2 / 3) + math.log((2 + 1) / (3 + 3)) + math.log((0 + 1) / (3 + 3))
    ham = math.log(1 / 3) + math.log((0 + 1) / (1 + 3)) + math.log((1 + 1) / (1 + 3))
    assert why.class_scores == pytest.approx((spam, ham), abs=1e-12)
    assert spam - ham == pytest.approx(why.score, abs=1e-12)
    panel.show_evidence(why)
    assert "log p(x" not in panel.sum.text()
    panel.set_expanded(True)
    assert (
        "Compatibility scores: log p(x, spam) = −2.89, log p(x, not spam) = −3.18."
        in panel.sum.text()
    )
    panel.show_evidence(learned_reasons("balanced"))
    assert "log p(x" not in panel.sum.text(), "its scores are no probabilities of the message"


def test_a_message_unlike_most_mail_is_noted_in_all_reasons(panel):
    why = replace(learned_reasons("balanced"), typicality=Typicality(-11.25, 999, 999))
    panel.show_evidence(why)
    assert "Unlike" not in panel.change.text()
    panel.set_expanded(True)
    assert (
        "log p(x) per word is −11.25, lower than in 999 of your latest 999 messages."
        in panel.change.text()
    )
    panel.show_evidence(replace(why, typicality=Typicality(-11.25, 980, 999)))
    assert "Unlike" not in panel.change.text()


def test_groups_are_folded_and_words_opened_by_mouse_and_keyboard(panel, qtbot):
    panel.show_evidence(make_explanation(3.0, strongest=1000))
    opened = []
    panel.word_opened.connect(opened.append)
    row = next(row for row, line in enumerate(panel.table.lines) if line.kind is LineKind.WEAKER)
    with qtbot.waitSignal(panel.expand.clicked):
        panel.table.clicked.emit(panel.table.model().index(row, 0))
    with qtbot.waitSignal(panel.expand.clicked):
        qtbot.mouseClick(panel.verdict, Qt.MouseButton.LeftButton)
    panel.set_expanded(True)
    lines = lambda: panel.table.lines  # noqa: E731
    shown = len(lines())
    row = next(row for row, line in enumerate(lines()) if line.group is Group.SUBJECT)
    panel.table.clicked.emit(panel.table.model().index(row, 0))
    assert len(lines()) < shown
    assert not [
        line for line in lines() if line.group is Group.SUBJECT and line.kind is LineKind.WORD
    ]
    panel.table.setFocus()
    qtbot.keyClick(panel.table, Qt.Key.Key_Right)
    assert len(lines()) == shown
    qtbot.keyClick(panel.table, Qt.Key.Key_Down)
    qtbot.keyClick(panel.table, Qt.Key.Key_Return)
    assert [line.text for line in opened] == ["claim"]


def test_an_explained_part_is_shown_below_its_button_until_another_answer(panel, qtbot):
    panel.show_evidence(make_explanation(3.0, strongest=1000))
    panel.set_expanded(True)
    pressed = lambda: [button.isChecked() for button in panel.parts]  # noqa: E731
    for release in (
        lambda: panel.show_answer("An answer."),
        panel.scroll_to_top,
        panel.parts[2].click,
    ):
        panel.parts[2].click()
        assert "Adjustments to single words" in panel.part.text()
        buttons = panel.parts[2].parentWidget()
        qtbot.waitUntil(
            lambda buttons=buttons: buttons.geometry().bottom() < panel.part.y() < panel.table.y()
        )
        assert pressed() == [False, False, True, False]
        release()
        assert pressed() == [False] * 4
        assert not panel.part.isVisible()
    row = next(row for row, line in enumerate(panel.table.lines) if line.kind is LineKind.PRIOR)
    panel.table.clicked.emit(panel.table.model().index(row, 0))
    assert pressed() == [True, False, False, False]


def test_outside_the_mailbox_all_lines_are_shown_without_query_buttons(qtbot):
    panel = ReasonsPanel(outside=True)
    qtbot.addWidget(panel)
    panel.show()
    why = make_explanation(3.0, strongest=1000)
    for size in ((420, 700), (900, 400)):
        panel.show_evidence(replace(why, verdict="unsure"))
        panel.resize(*size)
        words = [line for line in panel.table.lines if line.kind is LineKind.WORD]
        assert sum(line.count for line in words) == len(why.contributions)
        assert panel.held_back.isVisible()
        for button in (
            panel.expand,
            panel.dial,
            panel.if_spam,
            panel.if_ham,
            panel.see,
        ):
            assert not button.isVisible()


def test_with_one_learned_class_the_panel_shows_the_tendency_of_its_row(panel):
    why = replace(make_explanation(-4.0, calibrated=False), contributions=(), verdict="unsure")
    panel.show_evidence(why)
    assert panel.verdict.text() == "Unsure · leaning not spam"


@pytest.mark.parametrize("width", [300, 376, 430, 520, 600, 900])
def test_columns_fit_the_table_at_every_width(panel, width):
    panel.show_evidence(make_explanation(3.0))
    panel.table.resize(width, 300)
    columns = sum(
        panel.table.columnWidth(detail)
        for detail in Detail
        if not panel.table.isColumnHidden(detail)
    )
    assert columns <= panel.table.viewport().width()
    word = panel.table.columnWidth(Detail.WORD)
    bar = panel.table.columnWidth(Detail.BAR)
    letters = max(len(line.text + line.place) for line in panel.table.lines)
    assert word >= 8 * letters or bar <= max(
        header_width(panel.table, Detail.BAR), 0.21 * (word + bar)
    )
    assert panel.table.isColumnHidden(Detail.COUNTED) == (width < 720)
    assert panel.table.isColumnHidden(Detail.HAM) == (width < 430)
    assert not panel.table.isColumnHidden(Detail.LOG_RATIO)
    panel.table.set_expanded(True)
    shown = [detail for detail in Detail if not panel.table.isColumnHidden(detail)]
    assert (shown == list(Detail)) == (width > 600), "a window of 1,280 pixels shows every number"
    assert sum(map(panel.table.columnWidth, shown)) <= panel.table.viewport().width()
