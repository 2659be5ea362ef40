"""Threads of messages."""

from nbmail.core.mail.parser import parse
from nbmail.core.senders.people import hash_of, thread_of


def test_a_thread_has_the_own_message_and_those_it_answers():
    head = b"Message-ID: <3@x>\nIn-Reply-To: <2@x>\nReferences: <1@x> <2@x>\n\n"
    assert thread_of(parse(head)) == tuple(map(hash_of, ("<3@x>", "<2@x>", "<1@x>")))
    assert thread_of(parse(b"References: <1@x>\n\n")) == (hash_of("<1@x>"),)
