"""Messages that were taken apart elsewhere are what the vocabulary would have made of them itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbmail.core.counting.sample import Vocabulary
from nbmail.core.reading import tokenized_mail, word_table
from nbmail.core.reading.clues import gather, sample_of
from nbmail.core.reading.mail import parse
from nbmail.core.reading.plain_word_table import PlainTable
from nbmail.core.reading.tokenized_mail import Binder, heading_of
from nbmail.core.reading.vocabulary_joining import Joiner
from nbmail.core.reading.word_table import LONGEST_WORD, WORDTABLE_VERSION
from tests.core.test_mail_hostile import SOUND
from tests.needs import need_compiled

texts = st.lists(st.text("abc \xe9\u4e2d\u20ac,", max_size=40).map(lambda text: b"Subject: x\n\n" + text.encode()))
known = st.lists(st.sampled_from(["a", "b", "ab", "subject:x", "\u4e2d"]), unique=True)


@pytest.fixture(params=["plain", "compiled"])
def kind_of_table(request, monkeypatch):
    if request.param == "plain":
        monkeypatch.setattr(tokenized_mail, "new_table", lambda: PlainTable(LONGEST_WORD))
        monkeypatch.setattr("nbmail.core.counting.sample.new_table", lambda: PlainTable(LONGEST_WORD))
    else:
        need_compiled("wordtable", WORDTABLE_VERSION)
        assert word_table.wordtable is not None


def bound(raws, size):
    """Sheaves of so many messages each, of one binder."""
    binder = Binder()
    for first in range(0, len(raws), size):
        for raw in raws[first : first + size]:
            binder.add(parse(raw))
        yield binder.bind()


@pytest.mark.usefixtures("kind_of_table")
def test_joining_is_reading():
    @given(texts, known, st.integers(1, 4))
    def check(raws, words, size):
        here, there = Vocabulary(words), Vocabulary(words)
        joiner = Joiner(there, grow=True)
        joined = [sample for one in bound(raws, size) for sample in joiner.join(one)]
        assert joined == [sample_of(parse(raw), here) for raw in raws]
        assert there.words_from(0) == here.words_from(0)

    check()


@pytest.mark.usefixtures("kind_of_table")
def test_words_never_met_are_dropped_where_nothing_may_grow():
    @given(texts, known, st.integers(1, 4))
    def check(raws, words, size):
        vocabulary = Vocabulary(words)
        joiner = Joiner(vocabulary, grow=False)
        joined = [sample for one in bound(raws, size) for sample in joiner.join(one)]
        assert joined == [vocabulary.known_sample(gather(parse(raw))) for raw in raws]
        assert len(vocabulary) == len(words)

    check()


@pytest.mark.parametrize("raw", SOUND)
def test_a_heading_is_what_the_list_shows(raw):
    mail = parse(raw)
    heading = heading_of(mail)
    assert (heading.sender, heading.subject, heading.size) == (mail.header("from"), mail.header("subject"), len(raw))
    assert heading.attachments == bool(mail.files)
