"""Names of files as a person reads them."""

from hypothesis import given
from hypothesis import strategies as st

from nbmail.ui.message.message_pane import ENDING, MAX_NAME, file_name, tidy_spaces


def plain(name):
    return file_name(name).replace("\u200b", "")


def test_the_ending_of_a_long_name_is_shown():
    assert plain("invoice" + " " * 200 + ".pdf.exe") == "invoice .pdf.exe"
    shown = plain("invoice_" * 40 + ".pdf.exe")
    assert shown.endswith(".pdf.exe")
    assert len(shown) == MAX_NAME + 1


def test_a_name_that_turns_its_ending_round_is_shown_as_it_is():
    assert plain("photo\u202egnp.exe") == "photognp.exe"


@given(st.text(max_size=200))
def test_names_stay_short_breakable_and_true(name):
    shown = file_name(name)
    assert len(shown.replace("\u200b", "")) <= MAX_NAME + 1
    assert all(len(chunk) <= 30 for chunk in shown.replace("\u200b", " ").split(" "))
    assert tidy_spaces(name) or not shown
    if tidy_spaces(name).isalnum():
        assert tidy_spaces(name)[-ENDING:] in plain(name) or len(name) < ENDING
