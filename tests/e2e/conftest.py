"""What the end-to-end tests share: a screen and real servers."""

from tests.dovecot import dovecot, make_dovecot, session_dovecot
from tests.e2e.screen import screen

__all__ = ["dovecot", "make_dovecot", "screen", "session_dovecot"]
