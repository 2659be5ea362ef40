"""Mail as files."""

import pytest

from nbmail.demo.mail import demo_folder, demo_mailbox


@pytest.fixture
def demo_folders(tmp_path):
    """Some of the demo's mail as files: a folder of junk, one of good mail, one of both to score."""
    placed = demo_mailbox(demo_folder(), 1_790_000_000.0)
    for number, one in enumerate(placed):
        name = "new" if number % 3 == 0 else "junk" if one.is_junk else "good"
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        (folder / f"{number}.eml").write_bytes(one.raw)
    return tmp_path
