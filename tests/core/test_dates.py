import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbmail.core.reading.dates import moment_of


@pytest.mark.parametrize(
    ("date", "moment"),
    [
        ("Thu, 1 Jan 1970 01:00:00 +0100", 0.0),
        ("Mon, 1 Jan 2024 10:00:00 -0000 (a comment)", 1704103200.0),
        ("1 Jan 2024 10:00 GMT", 1704103200.0),
        ("", 0.0),
        ("yesterday", 0.0),
        ("Mon, 32 Foo 2024", 0.0),
        ("Mon, 1 Jan 99999999999 10:00:00 +0000", 0.0),
    ],
)
def test_dates(date, moment):
    assert moment_of(date) == moment


@given(st.text(st.sampled_from("0123456789: +-,JanMonFeb()GMT\t"), max_size=40))
def test_any_date_is_some_moment(date):
    assert isinstance(moment_of(date), float)
