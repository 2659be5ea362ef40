"""Wait for changes on a server."""

import time

from nbmail.sync.imap.idle.idle_connection import IDLE_TIMEOUT, RENEWAL
from nbmail.sync.imap.idle.idle_connections import IdleConnections
from nbmail.sync.imap.protocol.refusals import Refusal
from nbmail.sync.imap.session import Session


def wait_for_changes(session: Session, others: IdleConnections, seconds: float) -> None:
    """Wait for a change of the open folder or of `others`, at most `seconds`, or for a wake-up."""
    connection = session.connection
    if not session.can("IDLE"):
        _wait(session, others, time.monotonic() + seconds)
        connection.noop()
        return
    timeout = connection.sock.timeout
    connection.sock.timeout = min(timeout, IDLE_TIMEOUT)
    try:
        tag = connection.begin_idle()
        _wait(session, others, time.monotonic() + min(seconds, RENEWAL), tag)
    except Refusal:
        # Refused, or ended by the server: another attempt would loop.
        session.capabilities -= {"IDLE"}
    else:
        connection.end_idle(tag)
    connection.sock.timeout = timeout


def _wait(session: Session, others: IdleConnections, deadline: float, tag: bytes = b"") -> None:
    """Process received data until a change, a wake-up or the deadline."""
    connection = session.connection
    while not connection.unsolicited and not others.check():
        left = deadline - time.monotonic()
        if left <= 0:
            return
        connection.sock.wait_for_data(left, *others.sockets())
        connection.process_received(tag)
        # The wake-up is left to the next synchronization.
        if session.client.wake_signal.wait_for_wake(0.0):
            return
