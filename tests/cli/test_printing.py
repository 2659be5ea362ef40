"""Output has no control characters, and unusual names of files don't prevent it."""

import io
import json
import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbmail.cli.output import say
from nbmail.cli.watching.decision import Decision
from nbmail.cli.watching.notices import warn
from nbmail.text.terminal_text import printable

ANY = st.text(
    st.characters(exclude_categories=[]) | st.sampled_from("\x1b\x9b\x07\r\n\u202e\udcff\u0085")
)


@given(ANY)
def test_printable_text_has_only_visible_characters(text):
    found = printable(text)
    assert found.isprintable()
    assert text.isprintable() == (found == text)


@given(ANY, st.sampled_from(["ascii", "utf-8", "latin-1", "cp1252", "koi8-r"]))
def test_output_fits_every_encoding(text, encoding):
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="strict", newline="")
    say(text, stream)
    stream.flush()
    lines = stream.buffer.getvalue().decode(encoding).split("\n")
    assert len(lines) == text.count("\n") + 2
    assert all(line.isprintable() for line in lines)


@given(ANY, ANY, ANY)
def test_a_decision_of_watch_is_one_line(sender, subject, word):
    """Headers of strangers can contain encoded line breaks."""
    decision = Decision(
        message=1,
        account="anna",
        sender=sender,
        subject=subject,
        verdict="ham",
        probability=0.5,
        reasons=((word, 1.0),),
        action=f"moved to {word}",
    )
    assert decision.text.isprintable()


def test_a_notice_of_watch_is_one_line(capsys):
    warn("anna: refused\n 99.9%  spam  forged")
    assert capsys.readouterr().err == "nbmail: anna: refused\\n 99.9%  spam  forged\n"


def test_lines_stay_lines(capsys):
    say("one\ntwo Grüße 日本語")
    assert capsys.readouterr().out == "one\ntwo Grüße 日本語\n"


EVIL = (
    b"From: a\x1b]0;owned\x07@evil.example\nSubject: x\nMessage-ID: <e@x>\n\nsee "
    b"http://\x1b[31mred\x9b2J/ now\n"
)
ODD = b"\xff\x1b[2J\n.eml"


@pytest.fixture
def odd(tmp_path, nbmail):
    """A folder with a learned message in a file whose name can't be decoded."""
    (tmp_path / "evil.eml").write_bytes(EVIL)
    (tmp_path / "good.eml").write_text("Subject: lunch\nMessage-ID: <g@x>\n\nsee you now\n")
    for label, name in (("spam", "evil.eml"), ("ham", "good.eml")):
        assert nbmail("learn", "--as", label, tmp_path / name)[0] == 0
    (tmp_path / "odd").mkdir()
    with open(os.fsencode(tmp_path / "odd") + b"/" + ODD, "wb") as file:
        file.write(EVIL)
    return tmp_path / "odd"


def test_reasons_and_paths_are_printed_in_visible_characters(odd, nbmail):
    code, shown, _ = nbmail("score", "--why", "40", odd)
    assert code == 0
    assert all(line.isprintable() for line in shown.split("\n"))
    assert "\\x1b[2J\\n.eml" in shown
    line = json.loads(nbmail("score", "--json", "--why", "40", odd)[1])
    assert os.fsencode(line["path"]).endswith(ODD)
    assert line["why"]


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_undecodable_names_are_printed_to_a_strict_output(odd, more):
    command = [
        sys.executable,
        "-m",
        "nbmail",
        "score",
        *more,
        "--home",
        str(odd.parent / "home"),
        str(odd),
    ]
    strict = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
    done = subprocess.run(command, capture_output=True, env=strict, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout


def test_an_error_is_one_line_of_visible_characters(tmp_path, nbmail):
    code, _, err = nbmail("score", tmp_path / "\x1b[2J\nnbmail: all is well \udcff")
    assert (code, err.count("\n")) == (2, 1)
    assert err.rstrip("\n").isprintable()


def test_the_name_of_an_exported_file_is_printed_in_visible_characters(odd, nbmail):
    file = odd / "\x1b[2J.nbmodel"
    code, out, _ = nbmail("export", file)
    assert (code, "\x1b" in out) == (0, False)
    assert json.loads(nbmail("export", "--json", file)[1])["file"] == str(file)
