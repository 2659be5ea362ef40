import pytest

from tests.store.helpers import open_store

PLAIN = ["free", 'quo"ted\\u0000', "", "1", "null", "\u2028", "\U0001f600", "\x01\x1f\x7f", "fact:type=a b"]


@pytest.mark.parametrize("odd", [[], ["\0x"], ["x\0y"], ["a\nb"], ["\n"], ["\n", "\n\n"]])
def test_words_come_back_with_their_numbers(tmp_path, odd):
    words = PLAIN + odd
    with open_store(tmp_path) as store:
        for some in (words[:4], words[4:]):
            with store.transaction():
                store.words.vocabulary.numbers_of(some)
                store.words.write()
    with open_store(tmp_path) as store:
        assert store.words.vocabulary.words_from(0) == words


@pytest.mark.parametrize("count", [1, 399, 400, 401, 900])
def test_very_many_words_at_once(tmp_path, count):
    words = [f"word{number}" for number in range(count)]
    with open_store(tmp_path) as store:
        for some in (words, ["one"], [f"more{number}" for number in range(count)]):
            with store.transaction():
                store.words.vocabulary.numbers_of(some)
                store.words.write()
    with open_store(tmp_path) as store:
        assert store.words.vocabulary.words_from(0) == [*words, "one", *(f"more{number}" for number in range(count))]
