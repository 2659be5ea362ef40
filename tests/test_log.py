"""What reaches the log file holds neither addresses nor secrets."""

import logging

import pytest

from nbmail.log import redact, start_log, stop_log


@pytest.mark.parametrize(
    "text",
    ["LOGIN anna hunter2", "password: hunter2", "token=hunter2", "AUTHENTICATE PLAIN hunter2", "Bearer hunter2"],
)
def test_secrets_are_redacted(text):
    assert "hunter2" not in redact(text)
    assert "<secret>" in redact(text)


def test_addresses_are_redacted_and_the_rest_stays():
    assert redact("mail from anna.b+x@mail.example.org refused") == "mail from <address> refused"


@pytest.mark.expects_log
def test_the_file_holds_the_redacted_stack(tmp_path):
    handler = start_log(tmp_path / "log")
    try:
        raise ValueError("for anna@example.org")
    except ValueError:
        logging.getLogger("nbmail.test").exception("it broke")
    finally:
        stop_log(handler)
    text = (tmp_path / "log" / "nbmail.log").read_text()
    assert "it broke" in text
    assert "ValueError: for <address>" in text
    assert "anna" not in text


@pytest.mark.expects_log
def test_after_stopping_nothing_is_written(tmp_path):
    handler = start_log(tmp_path)
    stop_log(handler)
    logging.getLogger("nbmail.test").warning("late")
    assert not (tmp_path / "nbmail.log").exists()
