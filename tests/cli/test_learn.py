"""Whatever folder is taught first, the same is learned."""

import json

from nbmail.cli.main import main
from nbmail.store.mail.identity import identities


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


def test_a_large_message_that_an_earlier_version_learned_is_known(tmp_path, capsys, monkeypatch):
    folder = tmp_path / "mail"
    folder.mkdir()
    (folder / "1.eml").write_bytes(b"Subject: x\nMessage-ID: <1@x>\n\n" + b"line of an attachment\n" * 60_000)
    learn = ["learn", "--json", "--home", str(tmp_path / "home"), "--as", "junk", str(folder)]
    with monkeypatch.context() as before:
        before.setattr("nbmail.cli.taking.identities", lambda raw: (identities(raw)[1], b""))
        assert main(learn) == 0
    assert json.loads(capsys.readouterr().out)["learned"] == 1
    assert main(learn) == 0
    assert json.loads(capsys.readouterr().out)["known"] == 1
