"""Rescoring uses the current model, also if it is replaced during a pass."""

import numpy as np
import pytest

from nbmail.store.labels.journal import By
from nbmail.worker.model import scores
from nbmail.worker.model.scores import MailboxScores
from tests.store.helpers import fill, open_store, rebuilt


@pytest.mark.parametrize("slices", range(5))
def test_a_replaced_model_rescores_everything(tmp_path, monkeypatch, slices):
    monkeypatch.setattr(scores, "CHUNK", 10)
    with open_store(tmp_path / "home") as store:
        messages = fill(store, 40)
        for which, label in ((messages[:10], "junk"), (messages[10:20], "good"), (messages[:1], "good")):
            store.marks.mark(dict.fromkeys(which, label), by=By.USER, moment=1.0)
        samples = store.messages.samples(messages)
        store.word_ids.append(list(messages), [samples[message] for message in messages])
        mailbox, used = MailboxScores(store.word_ids), [store.model.model]
        rows = used[0].rows([samples[message] for message in messages])
        before = used[0].log_odds(rows)
        mailbox.grow()
        mailbox.invalidate()
        update = mailbox.update(lambda: used[-1])
        for _ in range(slices):
            next(update)
        used.append(rebuilt(store))
        mailbox.invalidate()
        assert len(list(update)) >= 4
        assert mailbox.is_current
        expected = used[-1].log_odds(rows)
        assert np.array_equal(mailbox.scores(messages).log_odds, expected)
        assert not np.array_equal(before, expected)
