import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbmail.core.reading import word_splitting
from nbmail.core.reading.word_splitting import split_and_judge, split_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Hello, World!", ["hello", "world!"]),
        ("save $100 (50% off) -- don't_wait", ["save", "$100", "50%", "off", "--", "don't_wait"]),
        ("a\x00b\nc\td", ["a", "b", "c", "d"]),
        ("Grüße, Ökonomie", ["grüße", "ökonomie"]),
        ("it’s “free” – now… V\u200bia\xadgra", ["it's", "free", "-", "now", "viagra"]),
        ("ＦＲＥＥ ｍｏｎｅｙ", ["free", "money"]),
        ("𝐅𝐫𝐞𝐞 𝓶𝓸𝓷𝓮𝔂", ["free", "money"]),
        ("Vi\u0301a\u0300gra", ["viagra"]),
        ("Привет, мир", ["привет", "мир"]),
        ("€50 £20", ["€50", "£20"]),
        ("win 🎁 now", ["win", "🎁", "now"]),
        ("①②", ["12"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("中", ["中"]),
        ("中文邮件", ["中文", "文邮", "邮件"]),
        ("免费abc领取 now", ["abc", "now", "免费", "领取"]),
        ("カタカナ", ["カタ", "タカ", "カナ"]),
        ("ภาษา", ["ภา", "าษ", "ษา"]),
        ("한국어", ["한국", "국어"]),
        ("", []),
    ],
)
def test_words(text, words):
    assert split_words(text) == words


@pytest.mark.parametrize(
    ("text", "words"), [("pаypаl аccount", ["paypal", "account"]), ("αpple", ["apple"]), ("ΡΑypal", ["paypal"])]
)
def test_words_that_imitate_latin_are_read_as_latin(text, words):
    assert split_and_judge(text) == (words, True)


@pytest.mark.parametrize("text", ["paypal", "счет в банке", "bank банк", "αβγ abc", "中文 abc"])
def test_several_scripts_in_a_text_are_no_imitation(text):
    assert not split_and_judge(text)[1]


@given(st.text(st.characters(max_codepoint=255)))
def test_western_text_splits_alike_by_the_byte_and_by_the_character(text):
    slow = text.translate(word_splitting._FOLD).lower()
    assert split_words(text) == slow.split()


@given(st.text())
def test_words_hold_no_space_and_no_invisible_character(text):
    for word in split_words(text):
        assert word.split() == [word]
        assert not set(word) & set("\u200b\u200d\ufeff\u00ad\u2060")
