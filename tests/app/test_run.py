"""Uncaught exceptions of any thread are logged and shown."""

import sys
import threading

import pytest

from nbmail.app.bug_reports import report_bugs


@pytest.mark.expects_log
def test_exceptions_of_both_kinds_of_threads_are_shown(caplog, monkeypatch):
    shown = []
    printed = []
    monkeypatch.setattr(sys, "excepthook", lambda *fault: printed.append(fault[1]))
    monkeypatch.setattr(threading, "excepthook", lambda fault: printed.append(fault.exc_value))
    before = sys.excepthook, threading.excepthook
    with report_bugs(shown.append):
        sys.excepthook(ValueError, ValueError("in the window"), None)
        thread = threading.Thread(target=lambda: 1 / 0, name="worker")
        thread.start()
        thread.join()
    assert shown == ["ValueError: in the window", "ZeroDivisionError: division by zero"]
    assert [type(fault) for fault in printed] == [ValueError, ZeroDivisionError]
    assert "worker" in caplog.text
    assert (sys.excepthook, threading.excepthook) == before


def test_an_interrupt_is_no_bug(monkeypatch):
    shown = []
    monkeypatch.setattr(sys, "excepthook", lambda *fault: None)
    with report_bugs(shown.append):
        sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert shown == []
