"""Memory that was let go of goes back to the system."""

import sys
from pathlib import Path

import pytest

from nbmail.worker.engine.engine_state import trim_memory


def resident_pages() -> int:
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux is asked for it")
def test_pages_between_pieces_still_in_use_go_back() -> None:
    pieces = [bytes(4000) for _ in range(20_000)]
    still_used = pieces[::100]
    del pieces
    before = resident_pages()
    trim_memory()
    assert resident_pages() < before - 10_000
    assert len(still_used) == 200
