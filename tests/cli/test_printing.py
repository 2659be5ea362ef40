"""Nothing that a command prints is obeyed by the terminal, and nothing that mail or files are named keeps it silent."""

import io
import json
import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbmail.cli.main import main
from nbmail.cli.printing import printable, say

ANY = st.text(st.characters(exclude_categories=[]) | st.sampled_from("\x1b\x9b\x07\r\n\u202e\udcff\u0085"))


@given(ANY)
def test_only_what_is_visible_is_left(text):
    found = printable(text)
    assert found.isprintable()
    assert text.isprintable() == (found == text)


@given(ANY, st.sampled_from(["ascii", "utf-8", "latin-1", "cp1252", "koi8-r"]))
def test_every_output_can_hold_it(text, encoding):
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="strict", newline="")
    say(text, stream)
    stream.flush()
    lines = stream.buffer.getvalue().decode(encoding).split("\n")
    assert len(lines) == text.count("\n") + 2
    assert all(line.isprintable() for line in lines)


def test_lines_stay_lines(capsys):
    say("one\ntwo Grüße 日本語")
    assert capsys.readouterr().out == "one\ntwo Grüße 日本語\n"


EVIL = b"From: a\x1b]0;owned\x07@evil.example\nSubject: x\nMessage-ID: <e@x>\n\nsee http://\x1b[31mred\x9b2J/ now\n"
ODD = b"\xff\x1b[2J\n.eml"


@pytest.fixture
def home(tmp_path, capsys):
    """A home that has learned mail with control characters, beside which a file lies whose name is no text."""
    (tmp_path / "evil.eml").write_bytes(EVIL)
    (tmp_path / "good.eml").write_text("Subject: lunch\nMessage-ID: <g@x>\n\nsee you now\n")
    for label, name in (("junk", "evil.eml"), ("good", "good.eml")):
        assert main(["learn", "--home", str(tmp_path / "home"), "--as", label, str(tmp_path / name)]) == 0
    (tmp_path / "odd").mkdir()
    with open(os.fsencode(tmp_path / "odd") + b"/" + ODD, "wb") as file:
        file.write(EVIL)
    capsys.readouterr()
    return tmp_path / "home"


def test_reasons_and_paths_are_printed_in_visible_characters(home, capsys):
    assert main(["score", "--why", "40", "--home", str(home), str(home.parent / "odd")]) == 0
    shown = capsys.readouterr().out
    assert all(line.isprintable() for line in shown.split("\n"))
    assert "\\x1b[2J\\n.eml" in shown
    assert main(["score", "--json", "--why", "40", "--home", str(home), str(home.parent / "odd")]) == 0
    line = json.loads(capsys.readouterr().out)
    assert os.fsencode(line["path"]).endswith(ODD)
    assert line["why"]


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_a_strict_output_gets_names_that_are_no_text(home, more):
    command = [sys.executable, "-m", "nbmail", "score", *more, "--home", str(home), str(home.parent / "odd")]
    strict = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
    done = subprocess.run(command, capture_output=True, env=strict, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout


def test_what_went_wrong_is_told_in_visible_characters_on_one_line(tmp_path, capsys):
    assert main(["score", "--home", str(tmp_path), str(tmp_path / "\x1b[2J\nnbmail: all is well \udcff")]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert told.rstrip("\n").isprintable()


def test_an_exported_file_is_named_in_visible_characters(home, tmp_path, capsys):
    odd = str(tmp_path / "\x1b[2J.nbmodel")
    assert main(["export", "--home", str(home), odd]) == 0
    assert "\x1b" not in capsys.readouterr().out
    assert main(["export", "--json", "--home", str(home), odd]) == 0
    assert json.loads(capsys.readouterr().out)["file"] == odd
