"""Waiting for news: IDLE where the server has it, asking now and then where it hasn't."""

from __future__ import annotations

import time

from nbmail.sync.bell import Bell
from nbmail.sync.session import Session
from nbmail.sync.talk import Refusal

# A server may drop who says nothing for 30 minutes, and a box on the way for 5.
RENEWAL = 290.0
# A server that doesn't answer DONE within this is gone, however open its line looks.
WATCHDOG = 30.0


def rest(session: Session, bell: Bell, seconds: float) -> None:
    """Wait for news of the open folder or a ring, at most so long. News is left in `session.talk.news`."""
    if session.can("IDLE"):
        _idle(session, bell, min(seconds, RENEWAL))
    else:
        _hear(session, bell, time.monotonic() + seconds, b"")
        session.talk.ask(b"NOOP")


def _idle(session: Session, bell: Bell, seconds: float) -> None:
    talk = session.talk
    patience = talk.wire.patience
    talk.wire.patience = min(patience, WATCHDOG)
    tag = talk.begin(b"IDLE")
    try:
        talk.expect_go_ahead(tag)
        lasted = _hear(session, bell, time.monotonic() + seconds, tag)
    except Refusal:
        lasted = False
    if lasted:
        talk.wire.send(b"DONE\r\n")
        talk.rest(tag)
    else:
        # Refused, or ended by the server: asking for it again would go round and round.
        session.abilities -= {"IDLE"}
    talk.wire.patience = patience


def _hear(session: Session, bell: Bell, deadline: float, tag: bytes) -> bool:
    """Read what comes, until there is news, a ring or the deadline: False if the server ended IDLE itself."""
    talk = session.talk
    while not talk.news and (left := deadline - time.monotonic()) > 0:
        talk.wire.listen(left)
        while talk.wire.holds_line():
            line = talk.receive()[0]
            if tag and line.startswith(tag + b" "):
                talk.judge(line)
                return False
            talk.notice(line)
        if bell.quiet():
            break
    return True
