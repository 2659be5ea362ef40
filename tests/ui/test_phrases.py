"""Texts of numbers, dates, errors and states."""

import math
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbmail.errors import ErrorCode
from nbmail.ui.accounts.state_texts import state_color, state_text
from nbmail.ui.kit.theme import LIGHT
from nbmail.ui.texts.date_texts import NO_BREAK, date_text
from nbmail.ui.texts.error_texts import error_notice
from nbmail.ui.texts.mark_texts import calibration_text, changed_verdicts_text, lean_text, mark_text
from nbmail.ui.texts.number_texts import THIN, exact_percent, near_percent, percent, signed
from nbmail.values import AccountState, Phase


def value(probability):
    return float(percent(probability).replace(THIN, "").strip("<>%"))


@given(st.floats(0, 1), st.floats(0, 1))
def test_percentages_are_never_0_or_100_and_monotone(one, other):
    low, high = sorted((one, other))
    assert 0 < value(low) < 100
    assert abs(value(low) - 100 * low) <= 0.5
    assert value(low) <= value(high) or abs(high - low) < 0.01


def test_an_unknown_chance():
    assert percent(math.nan) == "too few marks"
    assert lean_text(math.nan) == "too few marks"


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0.00"), (-0.001, "0.00"), (1.234, "+1.23"), (-2.5, "−2.50"), (1234.5, "+1,234.50")],
)
def test_signed_numbers(value, text):
    assert signed(value) == text


def moment(*parts):
    return datetime(*parts).timestamp()


@pytest.mark.parametrize(
    ("then", "text"),
    [
        ((2026, 11, 18, 9, 5), "09:05"),
        ((2026, 11, 17, 23, 59), "Yesterday 23:59"),
        ((2026, 11, 13, 8, 0), "Fri 08:00"),
        ((2026, 5, 3, 8, 0), "3 May"),
        ((2024, 5, 3, 8, 0), "3 May 2024"),
        ((2026, 11, 19, 8, 0), "19 Nov"),
    ],
)
def test_dates(then, text):
    now = moment(2026, 11, 18, 12, 0)
    assert date_text(moment(*then), now).replace(NO_BREAK, " ") == text


@pytest.mark.parametrize(
    ("figures", "text"),
    [
        ((0, 0, (0, 0), False), "To begin, mark some spam and some good messages"),
        ((0, 4, (0, 3), False), "Mark some spam too: only good messages are learned so far"),
        ((4, 0, (3, 0), False), "Mark some good messages too: only spam is learned so far"),
        ((9, 40, (8, 39), True), "Chance of spam is still rough: mark 22 more spam messages"),
        (
            (9, 9, (29, 8), True),
            "Chance of spam is still rough: mark 1 more spam message and 22 more good messages",
        ),
        ((40, 40, (30, 30), False), "Updating the chance of spam…"),
        ((40, 40, (35, 36), True), "Chance of spam checked on 71 messages"),
    ],
)
def test_calibration_texts(figures, text):
    assert calibration_text(*figures) == text


def test_mark_texts():
    assert mark_text("spam", 1) == "Marked as spam."
    assert mark_text("ham", 1200) == "1,200 messages marked as not spam."
    assert mark_text(None, 1) == "Mark cleared."
    assert changed_verdicts_text(0) == ""
    assert changed_verdicts_text(1) == "1 other message changed its verdict."
    assert changed_verdicts_text(4) == "4 other messages changed their verdict."


@pytest.mark.parametrize("error_code", ErrorCode)
def test_every_error_has_a_sentence_and_an_advice(error_code):
    advice = error_notice(error_code, "the fact")
    assert advice.sentence.endswith(".")
    assert advice.advice.endswith(".")
    assert advice.detail == "the fact"
    others = {error_notice(other).sentence for other in ErrorCode if other is not error_code}
    assert advice.sentence not in others | {error_notice(None).sentence}


def test_a_refused_model_file_is_not_called_unreadable():
    assert error_notice(ErrorCode.BAD_MODEL_FILE).sentence == "nbmail can't use this model file."


@pytest.mark.parametrize(
    ("state", "text"),
    [
        (AccountState("home", Phase.CONNECTING, 0), "Connecting…"),
        (AccountState("home", Phase.WORKING, 0, "Lists", 40, 1200), "Lists: 40 of 1,200"),
        (AccountState("home", Phase.WORKING, 0), "Checking mail…"),
        (AccountState("home", Phase.SYNCED, 880), "Up to date (2 minutes ago)"),
        (AccountState("home", Phase.SYNCED, 999), "Up to date (just now)"),
        (AccountState("home", Phase.OFFLINE, 0, retry_at=1030), "Offline, retrying in 30 seconds"),
        (AccountState("home", Phase.OFFLINE, 0, retry_at=1600), "Offline, retrying in 10 minutes"),
        (AccountState("home", Phase.OFFLINE, 0), "Offline, reconnecting…"),
        (AccountState("home", Phase.STOPPED, 0), "Stopped"),
    ],
)
def test_states_of_an_account(state, text):
    assert state_text(state, 1000.0) == text
    assert state_color(state) in LIGHT.names


def test_a_state_that_needs_the_user_names_its_reason():
    state = AccountState("home", Phase.NEEDS_YOU, 0, error_code=ErrorCode.WRONG_PASSWORD)
    assert "rejected the user name or password" in state_text(state, 0)


@pytest.mark.parametrize(
    ("chance", "words"),
    [(0.5, "50"), (0.95, "95"), (0.995, "99.5"), (0.9999, "99.99"), (0.99995, "99.995")],
)
def test_exact_percentages(chance, words):
    assert exact_percent(chance) == f"{words}\u202f%"


@pytest.mark.parametrize(
    ("chance", "words"), [(0.980198, "98"), (0.995, "99.5"), (0.9996, "99.96"), (0.5, "50")]
)
def test_rounded_percentages(chance, words):
    assert near_percent(chance) == f"{words}\u202f%"
