"""Whatever folder is taught first, the same is learned."""

import json

from nbmail.cli.main import main


def scores_after(demo_folders, *labels, capsys):
    home = demo_folders / "-".join(labels)
    for label in labels:
        assert main(["learn", "--home", str(home), "--as", label, str(demo_folders / label)]) == 0
    capsys.readouterr()
    assert main(["score", "--json", "--home", str(home), str(demo_folders / "new")]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_it_does_not_matter_which_folder_is_taught_first(demo_folders, capsys):
    junk_first = scores_after(demo_folders, "junk", "good", capsys=capsys)
    assert [one["log_odds"] for one in junk_first] == [
        one["log_odds"] for one in scores_after(demo_folders, "good", "junk", capsys=capsys)
    ]
    assert {one["verdict"] for one in junk_first} >= {"junk", "good"}
    assert all(one["probability"] is not None for one in junk_first)
