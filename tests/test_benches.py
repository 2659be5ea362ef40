"""The benches, as far as they need nothing."""

import pytest

from tests.bench.__main__ import main


@pytest.mark.parametrize("bench", ["first-marks", "hidden-text", "learn-speed", "score-speed"])
def test_a_bench_without_its_corpus_is_skipped(monkeypatch, capsys, bench):
    monkeypatch.delenv("NBMAIL_CORPORA", raising=False)
    assert main([bench]) == 0
    assert "NOT MEASURED, extra: set NBMAIL_CORPORA" in capsys.readouterr().err
