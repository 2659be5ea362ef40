"""Fixture: an open store in a new data folder."""

import pytest

from tests.store.helpers import open_store


@pytest.fixture
def store(tmp_path):
    with open_store(tmp_path / "home") as opened:
        yield opened
