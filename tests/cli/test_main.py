"""Output, errors and exit codes of the commands."""

import json
import math
import subprocess
import sys

import numpy as np
import pytest

from nbmail import __main__
from nbmail import cli as command_line
from nbmail.app import main as app
from nbmail.cli import main as cli
from nbmail.cli.opened_store import open_store
from nbmail.cli.scores.texts import score_text
from nbmail.errors import ErrorCode, KnownError
from nbmail.paths import Paths
from nbmail.store.labels.journal import By
from nbmail.store.store import Store
from nbmail.values import Arrival, Delivery
from nbmail.version import read_version
from tests.cli.conftest import write
from tests.worker.conftest import INBOX, EngineHarness
from tests.worker.conftest import mail as mail_of


def learned(nbmail, tmp_path):
    """Return the number of messages of each class, in the order of the first labels."""
    return json.loads(nbmail("export", "--json", tmp_path / "m.nbmodel")[1])["classes"]


def test_learning_then_scoring(mail, nbmail):
    code, out, err = nbmail("learn", "--index", mail / "index", "--json")
    assert (code, err) == (0, "")
    report = json.loads(out)
    assert report.pop("seconds") >= 0
    assert report == {
        "messages": 40,
        "classes": {"ham": 20, "spam": 20},
        "learned": 40,
        "known": 0,
    }
    new = write(mail / "new.eml", "prize", "cash prize for the winner")
    other = write(mail / "other.eml", "minutes", "meeting minutes")
    code, out, err = nbmail("score", "--json", "--why", "3", new, other)
    assert (code, err) == (0, "")
    first, second = (json.loads(line) for line in out.splitlines())
    assert (first["path"], second["path"]) == (str(new), str(other))
    assert first["log_odds"] > second["log_odds"]
    assert len(first["why"]) == 3
    numbers = {"spam", "ham", "log_ratio", "occurrences", "correction", "adds", "contribution"}
    assert first["class_scores"] is None, "the default method has no log p(x, class)"
    assert first["why"][0].keys() == {"word", "place"} | numbers
    assert first["between"][0] < first["probability"] < first["between"][1]
    assert not first.keys() & {"class", "classes", "class_why"}
    verdicts = [
        json.loads(nbmail("score", "--json", "--cost", cost, new)[1])["verdict"]
        for cost in ("2", "1000000")
    ]
    assert verdicts == ["spam", "unsure"]


def test_a_message_likelier_of_another_class_is_not_classified_as_spam(mail, nbmail):
    for number in range(40):
        write(
            mail / "lists" / f"{number}.eml",
            "claim your prize",
            f"winner cash prize digest volume {number}",
        )
    nbmail("learn", "--index", mail / "index")
    new = write(mail / "new.eml", "claim your prize", "winner cash prize digest volume")
    scores = [json.loads(nbmail("score", "--json", "--cost", "1", new)[1])]
    nbmail("learn", "--as", "lists", mail / "lists")
    scores += [
        json.loads(nbmail("score", "--json", "--cost", "1", each)[1])
        for each in (new, mail / "spam/00.eml")
    ]
    assert [(one["verdict"], one.get("class")) for one in scores] == [
        ("spam", None), ("unsure", "lists"), ("spam", "spam"),
    ]  # fmt: skip


def test_phrases_count_in_learned_files_and_in_model_files(mail, nbmail, tmp_path):
    """Of the forty messages "cash prize" is in all spam, "meeting minutes" in all ham."""

    def phrases(home):
        listed = json.loads(nbmail("phrase", "list", "--json", home=home)[1])["phrases"]
        return {one["phrase"]: (one["spam"], one["ham"]) for one in listed}

    home = tmp_path / "home"
    other = tmp_path / "other"
    nbmail("phrase", "add", "Cash  PRIZE")
    nbmail("learn", "--index", mail / "index")
    assert phrases(home) == {"cash prize": (20, 0)}
    # The text of files isn't stored: they have to be read again.
    assert json.loads(nbmail("phrase", "add", "meeting minutes", "--json")[1])["unread"] == 20
    assert phrases(home) == {"cash prize": (20, 0), "meeting minutes": (0, 0)}
    assert json.loads(nbmail("learn", "--index", mail / "index", "--json")[1])["learned"] == 0
    assert phrases(home) == {"cash prize": (20, 0), "meeting minutes": (0, 20)}
    write(mail / "new.eml", "more", "a cash prize, another cash prize")
    why = json.loads(nbmail("score", "--json", "--why", "99", mail / "new.eml")[1])["why"]
    (phrase,) = (one for one in why if one["place"] == "phrase")
    assert (phrase["word"], phrase["spam"], phrase["occurrences"]) == ("phrase:cash prize", 20, 2)
    nbmail("export", tmp_path / "m.nbmodel")
    nbmail("import", tmp_path / "m.nbmodel", home=other)
    assert phrases(other) == phrases(home)
    nbmail("phrase", "remove", "cash prize")
    assert phrases(home) == {"meeting minutes": (0, 20)}
    assert nbmail("doctor")[0] == 0
    assert nbmail("phrase", "add", "alone")[0] != 0


def test_the_order_of_folders_makes_no_difference_and_reasons_add_up(demo_folders, nbmail):
    """The lines of a score add up to the log-odds of its probability."""
    found = []
    for labels in (("spam", "ham"), ("ham", "spam")):
        for label in labels:
            nbmail(
                "learn",
                "--as",
                label,
                demo_folders / label,
                home=demo_folders / f"home-{labels[0]}",
            )
        _, out, _ = nbmail(
            "score",
            "--json",
            "--why",
            "5",
            demo_folders / "new",
            home=demo_folders / f"home-{labels[0]}",
        )
        found.append([json.loads(line) for line in out.splitlines()])
    assert [one["log_odds"] for one in found[0]] == [one["log_odds"] for one in found[1]]
    assert {one["verdict"] for one in found[0]} >= {"spam", "ham"}
    assert any(abs(line["calibration"]) > 0.1 for line in found[0])
    for line in found[0]:
        words = sum(one["adds"] for one in line["why"])
        total = line["prior"] + words + line["weaker"] + line["calibration"]
        assert total == pytest.approx(line["log_odds"], abs=1e-9)
        assert 1 / (1 + math.exp(-line["log_odds"])) == pytest.approx(line["probability"], abs=1e-9)


def test_scores_of_stored_mail_equal_those_of_the_window(tmp_path, nbmail):
    """The share of spam is estimated from all stored mail: a seventh, unlike the labels."""
    raws = [mail_of(number, number % 7 == 0) for number in range(140)]
    kinds = {"spam": tuple(range(1, 141, 7)[:8]), "ham": (2, 3, 4, 5, 6, 7, 9, 10)}
    with EngineHarness(tmp_path / "home").ready() as harness:
        arrivals = tuple(
            Arrival(place, frozenset(), 1000.0, raw, len(raw)) for place, raw in enumerate(raws, 1)
        )
        harness.engine.backend.deliver(Delivery(INBOX, 1, arrivals=arrivals, complete=True))
        for label, messages in kinds.items():
            harness.do.mark(messages, label)
        harness.again()
        shown = harness.on_engine(lambda parts: parts.scoring.stored_scores(range(1, 141)))
        assert harness.on_engine(lambda parts: parts.scoring.model.base_rate) < 0.3
    for place, raw in enumerate(raws, 1):
        (tmp_path / f"{place:03}.eml").write_bytes(raw)
    lines = nbmail("score", "--json", *sorted(tmp_path.glob("*.eml")))[1].splitlines()
    probabilities = [json.loads(line)["probability"] for line in lines]
    # The window applies a new share if it differs by more than a twentieth.
    assert probabilities == pytest.approx(shown.probabilities.tolist(), rel=0.06)


def test_the_share_of_spam_among_labels_is_not_that_of_the_mailbox(mail, nbmail, tmp_path):
    nbmail("learn", "--as", "ham", mail / "ham")
    nbmail("learn", "--as", "spam", *sorted((mail / "spam").iterdir())[:3])
    found = json.loads(nbmail("score", "--json", mail / "spam" / "19.eml")[1])
    with open_store(tmp_path / "home") as store:
        even = store.model.model.calibrate(np.array([found["score"]]), 0.5)
    assert found["log_odds"] == pytest.approx(even[0])


def test_without_json_scores_are_lines_of_text(mail, nbmail):
    assert nbmail("learn", "--as", "SPAM", mail / "spam")[:2] == (
        0,
        "Read 20 messages (20 spam), learned 20.\n",
    )
    nbmail("learn", "--as", "ham", mail / "ham")
    _, out, _ = nbmail("score", "--why", "1", mail / "spam" / "00.eml")
    head, *reasons = out.splitlines()
    assert head.split()[0] in ("spam", "ham", "unsure")
    assert head.endswith(str(mail / "spam" / "00.eml"))
    assert "(spam " in reasons[0]
    assert "weaker" in reasons[1]


def test_a_message_is_learned_once_and_a_new_label_replaces_the_old_one(mail, nbmail):
    nbmail("learn", "--as", "spam", mail / "spam")
    code, out, _ = nbmail("learn", "--as", "spam", mail / "spam", mail / "spam" / "00.eml")
    assert (code, out) == (0, "Read 21 messages (21 spam), learned 0. 21 were already labelled.\n")
    nbmail("learn", "--as", "ham", mail / "spam" / "00.eml")
    assert learned(nbmail, mail) == {"spam": 19, "ham": 1}


@pytest.mark.parametrize("label", ["junk", "Good"])
def test_former_names_of_spam_and_ham_are_refused(mail, nbmail, label):
    code, out, err = nbmail("learn", "--as", label, mail / "spam")
    assert (code, out) == (2, "")
    assert "say spam / ham" in err
    assert learned(nbmail, mail) == {}


def test_a_message_is_recognized_in_an_mbox_file(mail, nbmail):
    (mail / "1.eml").write_text("Subject: a\nMessage-ID: <1@x>\n\nhello\n\nFrom here on: quoted\n")
    (mail / "box").write_text(
        "From - \nSubject: a\nMessage-ID: <1@x>\n\nhello\n\n>From here on: quoted\n\nFrom - \n\nb\n"
    )
    nbmail("learn", "--as", "spam", mail / "1.eml")
    assert json.loads(nbmail("learn", "--json", "--as", "spam", mail / "box")[1])["known"] == 1
    assert [line.split()[-1] for line in nbmail("score", mail / "box")[1].splitlines()] == [
        f"{mail / 'box'}:1",
        f"{mail / 'box'}:2",
    ]


def test_labels_follow_the_order_of_the_index_and_any_label_is_a_class(mail, nbmail):
    (mail / "index").write_text("Work ham/01.eml\nspam spam/00.eml\nham ham/00.eml\n")
    nbmail("learn", "--index", mail / "index")
    assert list(learned(nbmail, mail).items()) == [("Work", 1), ("spam", 1), ("ham", 1)]


def test_with_other_classes_the_likeliest_is_printed_with_its_reasons(mail, nbmail):
    words = {
        "work": "budget agenda review",
        "lists": "digest unsubscribe volume",
        "family": "birthday cake garden",
    }
    lines = []
    for number in range(60):
        label = list(words)[number % 3]
        write(
            mail / f"own{number}.eml",
            words[label].split()[0],
            f"{words[label]} {words[label].split()[number % 2]}",
        )
        lines.append(f"{label} own{number}.eml\n")
    (mail / "own").write_text("".join(lines))
    nbmail("learn", "--index", mail / "own")
    new = write(mail / "new.eml", "budget", "agenda of the budget review, with cake")
    line = json.loads(nbmail("score", "--json", "--why", "4", new)[1])
    assert (line["class"], next(iter(line["classes"])), line["verdict"]) == (
        "work",
        "work",
        "unsure",
    )
    assert sum(line["classes"].values()) == pytest.approx(1)
    why = line["class_why"]
    found = (
        sum(one["adds"] for one in why["why"]) + why["prior"] + why["weaker"] + why["calibration"]
    )
    assert found == pytest.approx(why["log_odds"], abs=1e-9)
    assert why["log_odds"] == pytest.approx(
        math.log(line["classes"]["work"] / line["classes"][why["against"]])
    )
    assert {one["word"] for one in why["why"]} & {"agenda", "budget", "subject:budget"}
    shown = nbmail("score", "--why", "2", new)[1]
    assert f"work rather than {why['against']}:" in shown
    assert "(work " in shown


def test_scoring_changes_nothing(mail, nbmail):
    nbmail("learn", "--index", mail / "index")
    before = Paths.under(mail / "home").database.read_bytes()
    nbmail("score", mail / "ham")
    assert Paths.under(mail / "home").database.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("learn", "--as", "spam", "nowhere.eml"), "nowhere.eml"),
        (("learn", "--index", "nowhere"), "nowhere"),
        (("score", "nowhere.eml"), "nowhere.eml"),
        (("score", "here.eml"), "Too few labelled messages"),
        (("learn", "--index", "bad.index"), "line 2: not LABEL PATH"),
        (("learn", "--index", "empty.index"), "no messages in empty.index"),
        (("learn", "--as", "ham", "empty"), "no messages in empty"),
        (("score", "empty"), "no messages in empty"),
        (("learn", "--as", "spam", "nothing"), "no messages"),
        (("learn", "--as", "spam", "picture"), "no messages"),
    ],
)
def test_an_expected_error_is_one_line(tmp_path, monkeypatch, nbmail, arguments, message):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "here.eml", "a", "b")
    (tmp_path / "bad.index").write_text("spam here.eml\nlonely\n")
    (tmp_path / "empty.index").write_text("\n")
    (tmp_path / "empty").mkdir()
    (tmp_path / "nothing").touch()
    (tmp_path / "picture").write_bytes(b"\xff\xd8\0\x10JFIF" * 100)
    code, out, err = nbmail(*arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_bad_input_after_valid_input_changes_nothing(mail, nbmail):
    nbmail("learn", "--as", "spam", mail / "spam")
    (mail / "index").write_text("ham ham/00.eml\nham ham/missing.eml\n")
    assert nbmail("learn", "--index", mail / "index")[0] == 2
    assert learned(nbmail, mail) == {"spam": 20}


@pytest.mark.parametrize(
    "arguments",
    [
        ["learn"],
        ["learn", "--as", "spam"],
        ["learn", "x.eml"],
        ["learn", "--as", "spam", "--index", "i"],
        ["learn", "--index", "i", "x.eml"],
        ["learn", "--as", "sapm", "x.eml"],
        ["learn", "--as", "Hams", "x.eml"],
        ["score"],
        ["score", "--why", "-1", "x.eml"],
        ["score", "--why"],
        ["score", "--why", "3"],
        ["phrase", "add"],
        ["phrase", "list", "--home", "x", "be your own boss"],
        ["frobnicate"],
        ["--home", "x", "frobnicate"],
    ],
)
def test_usage_errors(arguments, capsys):
    with pytest.raises(SystemExit) as ended:
        __main__.main(arguments)
    assert ended.value.code == 2
    assert "usage: nbmail" in capsys.readouterr().err


def test_a_data_folder_in_use_is_not_changed(mail, nbmail):
    with Store(Paths.under(mail / "home"), 0.0):
        code, _, err = nbmail("learn", "--as", "spam", mail / "spam")
    assert code == 2
    assert "already using this data folder" in err


def test_commands_that_only_read_work_beside_the_window(mail, nbmail, tmp_path):
    """They read what was committed until then, and change nothing."""
    home = mail / "home"
    letters = (mail / "spam", mail / "ham")
    assert nbmail("learn", "--as", "spam", mail / "spam")[0] == 0
    before = nbmail("score", *letters)
    with Store(Paths.under(home), 0.0) as store:
        spam = [one.message for one in store.labels.in_order(0, 99)]
        store.marks.mark(dict.fromkeys(spam[:10], "ham"), by=By.USER, moment=1.0)
        files = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
        beside = nbmail("score", *letters)
        assert beside[0] == 0
        assert beside != before
        assert nbmail("phrase", "list")[0] == 0
        assert nbmail("export", tmp_path / "m.nbmodel")[0] == 0
        assert nbmail("phrase", "add", "cash prize")[0] == 2
        assert {path: path.read_bytes() for path in home.rglob("*") if path.is_file()} == files
    assert nbmail("score", *letters) == beside


def test_options_may_stand_before_and_behind_the_arguments(mail, nbmail, capsys):
    home = ("--home", str(mail / "home"))
    assert cli.main(["phrase", "add", *home, "be your own boss"]) == 0
    assert cli.main(["phrase", "add", "--json", f"--home={mail / 'home'}", "cash prize"]) == 0
    assert nbmail("learn", "--index", mail / "index")[0] == 0
    capsys.readouterr()
    one = str(mail / "spam" / "00.eml")
    other = str(mail / "ham" / "00.eml")
    shown = set()
    for given in (["--why", one, other], [one, other, "--why"], ["--why", "12", one, other]):
        for options in ([*home, *given], [*given, *home]):
            assert cli.main(["score", *options]) == 0
            shown.add(capsys.readouterr().out)
    (text,) = shown
    assert text.count("before calibration") == 2


@pytest.mark.parametrize(
    ("log_odds", "text"),
    [
        (0.0, "50 %"),
        (-6.0, "0.2 %"),
        (12.0, "99.9994 %"),
        (-60.0, "< 0.000001 %"),
        (900.0, "> 99.999999 %"),
    ],
)
def test_a_posterior_is_never_clipped(log_odds, text):
    found = {
        "path": "x",
        "verdict": "ham",
        "probability": 0.1,
        "log_odds": -2.0,
        "score": log_odds,
        "posterior": 0.5,
        "method": "multinomial",
        "why": [],
    }
    assert f"multinomial says {text} (" in score_text(found)


def test_help_lists_every_command(capsys):
    with pytest.raises(SystemExit) as ended:
        __main__.main(["--help"])
    assert ended.value.code == 0
    out = capsys.readouterr().out
    assert all(command in out for command in cli.COMMANDS)


@pytest.mark.parametrize("entry_point", [__main__.main, cli.main, app.main])
def test_every_entry_point_prints_the_version(entry_point, capsys):
    with pytest.raises(SystemExit) as ended:
        entry_point(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"nbmail {read_version().line}\n"


@pytest.mark.parametrize("named", [["--home", "HOME"], ["--home=HOME"]])
def test_home_can_precede_the_command(mail, capsys, named):
    home = [one.replace("HOME", str(mail / "home")) for one in named]
    assert __main__.main([*home, "learn", "--as", "spam", str(mail / "spam")]) == 0
    assert Paths.under(mail / "home").database.exists()
    assert __main__.main(["--home", "elsewhere", *home, "doctor", "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["labels"] == 20


def test_without_a_command_the_window_opens(monkeypatch):
    monkeypatch.setattr(app, "main", list)
    for arguments in (
        [],
        ["--home", "x"],
        ["--home=x"],
        ["--home"],
        ["--demo"],
        ["--home", "x", "--version"],
    ):
        assert __main__.main(arguments) == arguments
    monkeypatch.setattr(sys, "argv", ["nbmail", "--demo"])
    assert __main__.main() == ["--demo"]


@pytest.mark.parametrize("error_code", list(ErrorCode))
def test_every_error_code_has_a_text(error_code):
    found = cli.explain(KnownError(error_code, "the detail {0}"))
    assert "(the detail {0})" in found
    assert found.endswith(".")
    assert "(" not in cli.explain(KnownError(error_code))


def run(*arguments):
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_closed_output_is_not_an_error(mail, nbmail):
    nbmail("learn", "--index", mail / "index")
    program = (
        f"{sys.executable} -m nbmail score --home {mail / 'home'} --why 50 {mail / 'ham'} | "
        f"head -n 1"
    )
    found = subprocess.run(program, shell=True, capture_output=True, text=True, check=False)
    assert found.stderr == ""
    assert len(found.stdout.splitlines()) == 1


def test_no_command_loads_qt(mail):
    learn = run(
        "-X",
        "importtime",
        "-m",
        "nbmail",
        "learn",
        "--home",
        mail / "home",
        "--index",
        mail / "index",
    )
    assert learn.returncode == 0
    score = run("-X", "importtime", "-m", "nbmail", "score", "--home", mail / "home", mail / "ham")
    assert len(score.stdout.splitlines()) == 20
    for found in (learn, score):
        assert "nbmail.core.words.tokenizer" in found.stderr
        assert "PySide6" not in found.stderr


def test_control_characters_of_arguments_are_escaped(capsys):
    for arguments in (["score\x1b[31m"], ["score", "--cost", "\x1b[31m", "x"]):
        with pytest.raises(SystemExit):
            cli.main(arguments)
    assert cli.main(["score", "no\x1b[2Jsuch"]) == 2
    said = capsys.readouterr().err
    assert "\x1b" not in said
    assert "\\x1b[31m" in said


def test_existing_files_are_arguments_of_the_window(tmp_path):
    (tmp_path / "one.eml").touch()
    assert command_line.command_in([str(tmp_path / "one.eml")]) == []
    assert command_line.command_in(["--home", "x", str(tmp_path / "one.eml")]) == []
    assert command_line.command_in([str(tmp_path / "two.eml")]) != []


def test_checks_of_senders_count_only_from_servers_that_are_named(nbmail, tmp_path):
    for number, (label, result) in enumerate([("spam", "fail"), ("ham", "pass")] * 10):
        path = write(tmp_path / label / f"{number}.eml", "minutes", "the meeting")
        path.write_text(
            f"Authentication-Results: mx.home.example; dmarc={result}\n{path.read_text()}"
        )

    def facts(*trusted):
        home = tmp_path / f"home{len(trusted)}"
        for label in ("spam", "ham"):
            assert nbmail("learn", "--as", label, *trusted, tmp_path / label, home=home)[0] == 0
        out = nbmail(
            "score", "--json", "--why", "500", *trusted, tmp_path / "spam" / "0.eml", home=home
        )[1]
        return {
            one["word"] for one in json.loads(out)["why"] if one["word"].startswith("fact:dmarc")
        }

    assert facts() == set()
    assert facts("--trust-server", "MX.home.example") == {"fact:dmarc=fail"}


def test_an_account_on_this_computer_names_the_servers_it_trusts(nbmail, tmp_path):
    write(tmp_path / "mail" / "a.eml", "hello", "text")
    assert nbmail("account", "add", tmp_path / "mail", "--name", "mail")[0] == 0
    for names, wanted in ((["MX.example", "b.example"], ["mx.example", "b.example"]), ([""], [])):
        options = [word for name in names for word in ("--trust-server", name)]
        assert nbmail("account", "set", "mail", *options)[0] == 0
        (account,) = json.loads(nbmail("account", "list", "--json")[1])["accounts"]
        assert account["trusted_servers"] == wanted
