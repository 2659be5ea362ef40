"""What counts have gained since a moment is what was learned since, class by class."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from nbmail.core.counting.counts import Counts
from nbmail.store.model.gains import Moment
from tests.core.material import samples

LESSONS = st.lists(st.tuples(samples(), st.sampled_from(["junk", "good", "work"])), max_size=12)


def counted(lessons):
    counts = Counts()
    for one, label in lessons:
        counts.learn(one, label)
    return counts


@given(LESSONS, LESSONS)
def test_gains_are_what_was_learned_since(before, since):
    counts = counted(before)
    moment = Moment(counts)
    for one, label in since:
        counts.learn(one, label)
    alone = counted(since)
    gained = {gain.label: gain for gain in moment.gains(counts)}
    assert gained.keys() == {label for _, label in since}
    for row, label in enumerate(alone.classes):
        gain = gained[label]
        words = np.flatnonzero(alone.documents[row])
        assert (gain.messages, gain.measures) == (alone.messages[row], alone.measures[row])
        assert gain.words.tolist() == words.tolist()
        assert gain.documents.tolist() == alone.documents[row][words].tolist()
        assert gain.occurrences.tolist() == alone.occurrences[row][words].tolist()
