"""Settings are restored from the file. A broken file is reported and kept."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbmail.errors import ErrorCode, KnownError
from nbmail.method_spec import DEFAULT, METHODS, MethodSpec, is_method, parameter_choices
from nbmail.settings import Account, Security, Settings
from nbmail.settings_file import load_settings, save_settings

accounts = st.builds(
    Account,
    name=st.text(),
    host=st.text(),
    port=st.integers(1, 65535),
    security=st.sampled_from(Security),
    folders=st.lists(st.text()).map(tuple),
    poll_seconds=st.floats(1, 1e6),
)


@given(
    settings=st.builds(
        Settings, accounts=st.lists(accounts, max_size=3).map(tuple), move_mail=st.booleans()
    )
)
def test_what_is_saved_is_loaded(tmp_path_factory, settings):
    path = tmp_path_factory.mktemp("settings") / "settings.json"
    save_settings(path, settings)
    assert load_settings(path) == settings
    assert path.stat().st_mode & 0o077 == 0


def test_no_file_means_defaults(tmp_path):
    assert load_settings(tmp_path / "settings.json") == Settings()


def test_an_unknown_choice_is_passed_over(tmp_path):
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"format": 1, "move_mail": True, "colour": "blue"}))
    assert load_settings(path) == Settings(move_mail=True)


WRONG_VALUES = [
    *(
        '"move_mail": 3',
        '"accounts": {"a": 1}',
        '"method": "oracle"',
        '"method": ""',
        '"cache_megabytes": -5',
    ),
    *(
        f'"spam_seen_per_lost": {each}'
        for each in ("NaN", "-Infinity", "1e999", "-1", "1" + "0" * 400, "1" + "0" * 5000)
    ),
    '"accounts": [{"port": 1}]',
    *(
        f'"accounts": [{{"name": "a", {each}}}]'
        for each in (
            *('"security": "none"', '"port": 65536', '"poll_seconds": 0', '"poll_seconds": 1e300'),
            '"largest_message": 0',
        )
    ),
]
BROKEN = [
    *("", "[]", "{", "{}", '{"format": "x"}', '{"format": NaN}', "[" * 200_000),
    '{"format": 1, "theme": ' + '{"a":' * 200_000,
    *(f'{{"format": 1, {each}}}' for each in WRONG_VALUES),
]


@pytest.mark.parametrize("text", BROKEN, ids=range(len(BROKEN)))
def test_a_broken_file_is_refused_and_kept(tmp_path, text):
    path = tmp_path / "settings.json"
    path.write_text(text)
    with pytest.raises(KnownError) as caught:
        load_settings(path)
    assert caught.value.error_code is ErrorCode.BAD_INPUT
    assert str(path) in caught.value.detail
    assert path.read_text() == text


@pytest.mark.parametrize(
    ("asked", "given"), [(1, 600_000), (599_999, 600_000), (600_001, 600_001), (1 << 40, 1 << 40)]
)
def test_less_of_a_message_than_tells_it_from_others_is_not_taken(tmp_path, asked, given):
    path = tmp_path / "settings.json"
    path.write_text(
        json.dumps({"format": 1, "accounts": [{"name": "a", "largest_message": asked}]})
    )
    assert load_settings(path).accounts[0].largest_message == given


def test_a_file_of_a_newer_version_is_refused(tmp_path):
    path = tmp_path / "settings.json"
    path.write_text('{"format": 2, "shape": "unknown"}')
    with pytest.raises(KnownError) as caught:
        load_settings(path)
    assert caught.value.error_code is ErrorCode.SETTINGS_TOO_NEW


def test_a_place_that_cannot_be_written_is_said(tmp_path):
    (tmp_path / "taken").write_text("a file where a folder should be")
    with pytest.raises(KnownError) as caught:
        save_settings(tmp_path / "taken" / "settings.json", Settings())
    assert caught.value.error_code is ErrorCode.READ_ONLY


PARAMETERS = (
    "complement smoothing=0",
    "bernoulli beta=1,3.5",
    "bernoulli-complete beta=0.5,0.5 estimate=mean",
)


@pytest.mark.parametrize("text", [*METHODS, *PARAMETERS])
def test_a_method_is_saved_with_its_parameters(tmp_path, text):
    save_settings(tmp_path / "settings.json", Settings(method=text))
    assert load_settings(tmp_path / "settings.json").method == str(MethodSpec.parse(text)) == text
    assert METHODS[0] == DEFAULT


@pytest.mark.parametrize(
    "text",
    [
        *(
            "multinomial smoothing=-1",
            "multinomial smoothing=nan",
            "bernoulli beta=0.5,2",
            "bernoulli beta=2",
        ),
        *(
            "gaussian smoothing=1",
            "multinomial  smoothing=1",
            "bernoulli estimate=median",
            "categorical virtual=x",
            "",
        ),
    ],
)
def test_impossible_parameters_are_refused(text):
    assert not is_method(text)


@pytest.mark.parametrize("name", METHODS)
def test_a_comparison_of_parameters_begins_with_the_defaults(name):
    choices = parameter_choices(name)
    assert choices[0] == name
    assert all(is_method(choice) for choice in choices)
    assert len(set(choices)) == len(choices)
