"""Whatever folder is taught first, the same is learned."""

import json

import pytest

from nbmail.cli.main import main
from nbmail.demo.mail import demo_folder, demo_mailbox


@pytest.fixture
def folders(tmp_path):
    """Some of the demo's mail as files: a folder of junk, one of good mail, one of both to score."""
    placed = demo_mailbox(demo_folder(), 1_790_000_000.0)
    for number, one in enumerate(placed):
        name = "new" if number % 3 == 0 else "junk" if one.is_junk else "good"
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        (folder / f"{number}.eml").write_bytes(one.raw)
    return tmp_path


def scores_after(folders, *labels, capsys):
    home = folders / "-".join(labels)
    for label in labels:
        assert main(["learn", "--home", str(home), "--as", label, str(folders / label)]) == 0
    capsys.readouterr()
    assert main(["score", "--json", "--home", str(home), str(folders / "new")]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_it_does_not_matter_which_folder_is_taught_first(folders, capsys):
    junk_first = scores_after(folders, "junk", "good", capsys=capsys)
    assert [one["log_odds"] for one in junk_first] == [
        one["log_odds"] for one in scores_after(folders, "good", "junk", capsys=capsys)
    ]
    assert {one["verdict"] for one in junk_first} >= {"junk", "good"}
    assert all(one["probability"] is not None for one in junk_first)
