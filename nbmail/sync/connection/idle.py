"""Waiting for news: IDLE where the server has it, asking now and then where it hasn't."""

from __future__ import annotations

import time

from nbmail.sync.connection.imap_protocol import Refusal
from nbmail.sync.connection.session import Session
from nbmail.sync.connection.waker import Bell
from nbmail.sync.imap.idle_connections import RENEWAL, WATCHDOG, Lookouts


def rest(session: Session, bell: Bell, lookouts: Lookouts, seconds: float) -> bool:
    """Wait for news of the open folder, of one that a lookout listens to, or a ring, at most so long.

    News is left in `session.talk.news` and `lookouts.told`. Whether the server told of it by itself: some have IDLE
    and say what happened only when it ends.
    """
    if session.can("IDLE"):
        return _idle(session, bell, lookouts, min(seconds, RENEWAL))
    _hear(session, bell, lookouts, time.monotonic() + seconds)
    session.talk.ask(b"NOOP")
    return False


def _idle(session: Session, bell: Bell, lookouts: Lookouts, seconds: float) -> bool:
    talk = session.talk
    patience = talk.wire.patience
    talk.wire.patience = min(patience, WATCHDOG)
    tag = talk.begin(b"IDLE")
    try:
        talk.expect_go_ahead(tag)
        lasted = _hear(session, bell, lookouts, time.monotonic() + seconds, tag)
    except Refusal:
        lasted = False
    told = bool(talk.news)
    if lasted:
        talk.wire.send(b"DONE\r\n")
        talk.rest(tag)
    else:
        # Refused, or ended by the server: asking for it again would go round and round.
        session.abilities -= {"IDLE"}
    talk.wire.patience = patience
    return told


def _hear(session: Session, bell: Bell, lookouts: Lookouts, deadline: float, tag: bytes = b"") -> bool:
    """Read what comes, until there is news, a ring or the deadline: False if the server ended IDLE itself."""
    talk = session.talk
    while not (talk.news or lookouts.hear()) and (left := deadline - time.monotonic()) > 0:
        talk.wire.listen(left, *lookouts.sockets())
        while talk.wire.holds_line():
            line = talk.receive()[0]
            if tag and line.startswith(tag + b" "):
                talk.judge(line)
                return False
            talk.notice(line)
        if bell.quiet():
            break
    return True
