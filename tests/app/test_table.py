"""The terminal's table: every row as wide as its head, whatever script a sender writes in."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from nbmail.app.walkthrough.terminal_table import WIDTHS, TerminalLine, fit, table


def columns(text):
    """How many columns a terminal gives to a text."""
    wide = sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)
    return wide - sum(bool(unicodedata.combining(letter)) for letter in text)


@given(st.text(st.characters(exclude_categories=["Cc", "Cf", "Cs", "Mn", "Me", "Mc"])), st.integers(1, 60))
def test_a_text_fits_exactly(text, width):
    fitted = fit(text, width)
    assert columns(fitted) == width
    assert fitted.rstrip() == text.rstrip() or fitted.rstrip().endswith("…")


def test_scripts_stand_under_their_heads():
    lines = [
        TerminalLine(("97 %", "Junk", "财务部", "代开发票"), ["+发票"]),
        TerminalLine(("3 %", "Good", "Jonas", "Maße"), ["-und", "-die"]),
    ]
    shown = table(lines)
    assert columns(shown[2].removesuffix("+发票")) == columns(shown[3].removesuffix("-und  -die"))
    assert columns(shown[3].removesuffix("-und  -die")) == sum(WIDTHS) + 2 * len(WIDTHS)
