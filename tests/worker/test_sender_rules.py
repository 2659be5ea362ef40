"""Rules about senders: they decide verdicts, are one step to undo, and teach nothing."""

import numpy as np
import pytest

from nbmail.values import VERDICTS, SenderRule
from tests.worker.conftest import INBOX, delivery


@pytest.fixture
def ruled(labelled_harness):
    return labelled_harness


def verdicts(harness):
    rows = harness.do.list_mail()
    shown = zip(rows.scores.verdicts, rows.senders, strict=True)
    found = {}
    for verdict, sender in shown:
        found.setdefault(sender, set()).add(VERDICTS[verdict])
    return found


def test_a_rule_decides_and_is_undone(ruled):
    before, odds = verdicts(ruled), ruled.do.list_mail().scores.log_odds
    sender = next(sender for sender, found in before.items() if "good" in found)
    done = ruled.do.set_rule(SenderRule(sender, "junk"))
    assert done.changed_verdicts >= 0 and verdicts(ruled)[sender] == {"junk"}
    assert np.array_equal(ruled.do.list_mail().scores.log_odds, odds), "it teaches nothing"
    assert ruled.do.list_rules() == (SenderRule(sender, "junk"),)
    ruled.again()
    assert verdicts(ruled)[sender] == {"junk"}
    ruled.engine.backend.deliver(delivery([900, 902, 904, 906, 908], INBOX))
    assert verdicts(ruled)[sender] == {"junk"}, "it counts for new mail"
    ruled.do.undo()
    assert verdicts(ruled)[sender] == before[sender] or "junk" not in before[sender]
    assert ruled.do.list_rules() == ()
    ruled.do.redo()
    assert verdicts(ruled)[sender] == {"junk"}
    ruled.do.set_rule(SenderRule(sender, ""))
    assert ruled.do.list_rules() == ()


def test_never_junk_counts_only_where_the_sender_is_verified(ruled):
    sender = next(sender for sender, found in verdicts(ruled).items() if "junk" in found)
    domain = sender.partition("@")[2]
    ruled.do.set_rule(SenderRule(domain, "good"))
    assert "junk" in verdicts(ruled)[sender], "anybody can write this name"
    ruled.on_engine(
        lambda parts: parts.store.connection.execute("UPDATE messages SET verified = 1 WHERE sender = ?", (sender,))
    )
    ruled.do.set_rule(SenderRule(domain, "good"))
    assert verdicts(ruled)[sender] == {"good"}
    ruled.do.set_rule(SenderRule(sender, "junk"))
    assert verdicts(ruled)[sender] == {"junk"}, "the rule for an address goes before the one for its domain"
