"""A home that holds messages read by an older tokenizer beside those of today's: exact, and of use to each other."""

import pytest

from nbmail.core.counting.sample import Clues
from nbmail.core.reading.clues import TOKENIZER_VERSION, gather
from nbmail.core.reading.mail import parse
from nbmail.store.doctor.doctor import Doctor
from nbmail.store.mail.identity import identify
from nbmail.store.values import Batch, By, Content, Head, Placed
from tests.store.helpers import open_model, open_store, rebuilt

BEFORE = TOKENIZER_VERSION - 1
JUNK = b"Win money with cheap pills today, order now http://shop%d.example/pills/order?x=%d"
GOOD = b"Minutes of the garden club meeting on tuesday, see http://club.example/minutes/%d/%d"


def raw_mail(number, junk):
    return (
        b"Received: from host%d.example by mx.example.org; Mon\nMessage-ID: <%d.%d@example.org>\n"
        b"From: writer%d@example.com\nTo: anna@example.org\nSubject: no. %d\n\n"
        % (number, number, number, number, number)
    ) + (JUNK if junk else GOOD) % (number, number)


def clues_of(raw, version):
    """The second version knew neither pairs nor ways, but named the tags of pages."""
    clues = gather(parse(raw))
    if version == TOKENIZER_VERSION:
        return clues
    new = ("start:", "origin:", "path:", "subject:^", "fact:message-id")
    kept = [word for word in clues.words if not word.startswith(new) and ">" not in word and " " not in word]
    return Clues((*kept, "html:p"), (1,) * (len(kept) + 1), clues.measures)


def take(store, numbers, version, junk):
    placed = []
    for number in numbers:
        raw = raw_mail(number, junk)
        sample = store.words.vocabulary.sample(clues_of(raw, version))
        head = Head("writer@example.com", f"no. {number}", float(number), len(raw), False)
        placed.append(Placed(number, frozenset(), Content(identify(raw), head, sample, raw)))
    return store.take(Batch("anna", "INBOX", 1, version, placed=tuple(placed)), 1.0).messages


class Home:
    """Junk and good mail, read by both versions; the places of the first half are labelled."""

    def __init__(self, store):
        self.store, self.model = store, open_model(store)
        self.messages = {
            (version, junk): take(store, range(start, start + 20), version, junk)
            for start, (version, junk) in zip(
                (100, 200, 300, 400),
                [(BEFORE, True), (BEFORE, False), (TOKENIZER_VERSION, True), (TOKENIZER_VERSION, False)],
                strict=True,
            )
        }

    def mark(self, version, label=True):
        for junk in (True, False):
            name = ("junk" if junk else "good") if label else None
            self.store.marks.mark(self.model, self.messages[version, junk][:10], name, by=By.USER, moment=5.0)

    def scores(self, version, junk):
        samples = self.store.messages.samples(self.messages[version, junk][10:])
        return self.model.log_odds(self.model.rows(list(samples.values())))


@pytest.fixture
def home(store):
    return Home(store)


def test_counts_stay_exact_in_a_mixed_home_over_a_restart(home, tmp_path):
    home.mark(BEFORE)
    home.mark(TOKENIZER_VERSION)
    assert rebuilt(home.store, home.model).counts == home.model.counts == home.store.counts.load()
    home.store.close()
    with open_store(tmp_path / "home") as store:
        home.store, home.model = store, open_model(store)
        home.mark(BEFORE, label=False)
        assert rebuilt(store, home.model).counts == home.model.counts == store.counts.load()
        assert Doctor(store, 0.0).check().sound
        tags = store.words.vocabulary.number("html:p")
        assert tags is not None
        assert not home.model.counts.documents[:, tags].any()


@pytest.mark.parametrize("taught", [BEFORE, TOKENIZER_VERSION])
@pytest.mark.parametrize("asked", [BEFORE, TOKENIZER_VERSION])
def test_what_one_version_taught_the_other_understands(home, taught, asked):
    home.mark(taught)
    assert home.scores(asked, junk=True).min() > home.scores(asked, junk=False).max()
