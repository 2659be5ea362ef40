import contextlib
import json
import math
import os
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

from nbmail import __main__, __version__
from nbmail.app import main as app
from nbmail.cli import main as cli
from nbmail.cli.troubles import explain
from nbmail.errors import KnownError, Trouble
from nbmail.paths import Paths
from nbmail.store.store import Store


def write(path, subject, body):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"From: someone@example.org\nMessage-ID: <{path.name}@example.org>\nSubject: {subject}\n\n{body}\n")
    return path


@pytest.fixture
def mail(tmp_path):
    """Forty messages of two kinds, their index, and a home."""
    lines = []
    for number in range(20):
        write(tmp_path / "junk" / f"{number:02}.eml", "claim your prize", f"winner cash prize number{number}")
        write(tmp_path / "good" / f"{number:02}.eml", "minutes", f"the meeting minutes are ready number{number}")
        lines += [f"spam junk/{number:02}.eml\n", f"ham good/{number:02}.eml\n"]
    (tmp_path / "index").write_text("".join(lines))
    return tmp_path


def nbmail(capsys, home, *arguments):
    """Exit code, output and complaints of a command."""
    code = cli.main([arguments[0], "--home", str(home), *map(str, arguments[1:])])
    out, err = capsys.readouterr()
    return code, out, err


def test_learning_then_scoring(mail, capsys):
    home = mail / "home"
    code, out, err = nbmail(capsys, home, "learn", "--index", mail / "index", "--json")
    assert (code, err) == (0, "")
    report = json.loads(out)
    assert report.pop("seconds") >= 0
    assert report == {"messages": 40, "classes": {"good": 20, "junk": 20}, "learned": 40, "known": 0}
    new = write(mail / "new.eml", "prize", "cash prize for the winner")
    other = write(mail / "other.eml", "minutes", "meeting minutes")
    code, out, err = nbmail(capsys, home, "score", "--json", "--why", "3", new, other)
    assert (code, err) == (0, "")
    first, second = (json.loads(line) for line in out.splitlines())
    assert (first["path"], second["path"]) == (str(new), str(other))
    assert first["log_odds"] > second["log_odds"]
    assert len(first["why"]) == 3
    assert first["why"][0].keys() == {"word", "place", "junk", "good", "contribution"}


def test_reasons_add_up_to_the_log_odds_of_the_probability(demo_folders, tmp_path, capsys):
    home = tmp_path / "home"
    for label in ("junk", "good"):
        nbmail(capsys, home, "learn", "--as", label, demo_folders / label)
    _, out, _ = nbmail(capsys, home, "score", "--json", "--why", "5", demo_folders / "new")
    lines = [json.loads(line) for line in out.splitlines()]
    assert any(abs(line["calibration"]) > 0.1 for line in lines)
    for line in lines:
        words = sum(one["contribution"] for one in line["why"])
        total = line["prior"] + words + line["weaker"] + line["calibration"]
        assert total == pytest.approx(line["log_odds"], abs=1e-9)
        assert 1 / (1 + math.exp(-line["log_odds"])) == pytest.approx(line["probability"], abs=1e-9)


def test_for_a_person_scores_are_lines(mail, capsys):
    home = mail / "home"
    code, out, _ = nbmail(capsys, home, "learn", "--as", "SPAM", mail / "junk")
    assert (code, out) == (0, "Read 20 messages (20 junk), learned 20.\n")
    nbmail(capsys, home, "learn", "--as", "good", mail / "good")
    code, out, _ = nbmail(capsys, home, "score", "--why", "1", mail / "junk" / "00.eml")
    head, *reasons = out.splitlines()
    assert head.split()[0] in ("junk", "good", "unsure")
    assert head.endswith(str(mail / "junk" / "00.eml"))
    assert "(junk " in reasons[0]
    assert "weaker" in reasons[1]


def test_a_message_is_learned_once_and_a_new_label_takes_the_place_of_the_old(mail, capsys):
    home = mail / "home"
    nbmail(capsys, home, "learn", "--as", "junk", mail / "junk")
    code, out, _ = nbmail(capsys, home, "learn", "--as", "junk", mail / "junk", mail / "junk" / "00.eml")
    assert (code, out) == (0, "Read 21 messages (21 junk), learned 0. 21 of them were known already.\n")
    nbmail(capsys, home, "learn", "--as", "good", mail / "junk" / "00.eml")
    with Store(Paths.under(home), 0.0) as store:
        assert sorted(store.labels.all().values()) == ["good"] + ["junk"] * 19
        counts = store.counts.load()
        assert dict(zip(counts.classes, counts.messages, strict=True)) == {"junk": 19, "good": 1}


def test_labels_follow_the_order_of_the_index_and_any_label_is_a_class(mail, capsys):
    (mail / "index").write_text("Work good/01.eml\njunk junk/00.eml\nham good/00.eml\n")
    nbmail(capsys, mail / "home", "learn", "--index", mail / "index")
    with Store(Paths.under(mail / "home"), 0.0) as store:
        assert list(store.labels.all().values()) == ["Work", "junk", "good"]
        assert store.journal.depth() == (1, 0)


def test_scoring_changes_nothing(mail, capsys):
    home = mail / "home"
    nbmail(capsys, home, "learn", "--index", mail / "index")
    before = Paths.under(home).database.read_bytes()
    nbmail(capsys, home, "score", mail / "good")
    assert Paths.under(home).database.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("learn", "--as", "junk", "nowhere.eml"), "nowhere.eml"),
        (("learn", "--index", "nowhere"), "nowhere"),
        (("score", "nowhere.eml"), "nowhere.eml"),
        (("score", "here.eml"), "Teach it some mail first"),
        (("learn", "--index", "bad.index"), "line 2: not LABEL PATH"),
        (("learn", "--index", "empty.index"), "empty.index: no messages"),
        (("learn", "--as", "good", "empty"), "no messages in empty"),
        (("score", "empty"), "no messages in empty"),
    ],
)
def test_what_the_world_got_wrong_is_one_sentence(tmp_path, monkeypatch, capsys, arguments, complaint):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "here.eml", "a", "b")
    (tmp_path / "bad.index").write_text("junk here.eml\nlonely\n")
    (tmp_path / "empty.index").write_text("\n")
    (tmp_path / "empty").mkdir()
    code, out, err = nbmail(capsys, tmp_path / "home", *arguments)
    assert (code, out) == (2, "")
    assert complaint in err
    assert err.count("\n") == 1


def test_bad_input_in_the_middle_loses_nothing(mail, capsys):
    home = mail / "home"
    nbmail(capsys, home, "learn", "--as", "junk", mail / "junk")
    (mail / "index").write_text("ham good/00.eml\nham good/missing.eml\n")
    assert nbmail(capsys, home, "learn", "--index", mail / "index")[0] == 2
    with Store(Paths.under(home), 0.0) as store:
        assert list(store.labels.all().values()) == ["junk"] * 20


@pytest.mark.parametrize(
    "arguments",
    [
        ["learn"],
        ["learn", "--as", "junk"],
        ["learn", "x.eml"],
        ["learn", "--as", "junk", "--index", "i"],
        ["learn", "--index", "i", "x.eml"],
        ["learn", "--as", "jnuk", "x.eml"],
        ["learn", "--as", "Goods", "x.eml"],
        ["score"],
        ["score", "--why", "-1", "x.eml"],
        ["frobnicate"],
    ],
)
def test_asked_wrongly(arguments, capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main(arguments)
    assert ended.value.code == 2
    assert "usage: nbmail" in capsys.readouterr().err


@pytest.mark.parametrize("content", [b"", b"\xff\xd8\0\x10JFIF" * 100])
def test_a_file_without_a_message_is_told(mail, capsys, content):
    (mail / "box").write_bytes(content)
    code, _, err = nbmail(capsys, mail / "home", "learn", "--as", "junk", mail / "box")
    assert code == 2
    assert "no messages" in err


def test_a_home_in_use_is_left_alone(mail, capsys):
    home = mail / "home"
    with Store(Paths.under(home), 0.0):
        code, _, err = nbmail(capsys, home, "learn", "--as", "junk", mail / "junk")
    assert code == 2
    assert "already running" in err


def test_help_names_every_command(capsys):
    with pytest.raises(SystemExit) as ended:
        __main__.main(["--help"])
    assert ended.value.code == 0
    out = capsys.readouterr().out
    assert all(command in out for command in cli.COMMANDS)


@pytest.mark.parametrize("door", [__main__.main, cli.main, app.main])
def test_every_door_tells_the_version(door, capsys):
    with pytest.raises(SystemExit) as ended:
        door(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"nbmail {__version__}\n"


def test_the_version_is_the_packages_own():
    project = tomllib.loads((Path(__file__).parent.parent.parent / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["version"] == __version__


def test_without_a_command_the_window_opens(monkeypatch):
    monkeypatch.setattr(app, "main", len)
    assert __main__.main([]) == 0
    assert __main__.main(["--home", "x"]) == 2
    monkeypatch.setattr(sys, "argv", ["nbmail", "--demo"])
    assert __main__.main() == 1


@pytest.mark.parametrize("trouble", list(Trouble))
def test_every_trouble_has_its_sentence(trouble):
    sentence = explain(KnownError(trouble, "the detail"))
    assert "(the detail)" in sentence
    assert sentence.endswith(".")
    assert explain(KnownError(trouble)).count("(the detail)") == 0


def run(*arguments, **options):
    return subprocess.run(
        [sys.executable, *map(str, arguments)], capture_output=True, text=True, check=False, **options
    )


def test_a_reader_that_goes_away_is_no_error(mail, capsys):
    home = mail / "home"
    nbmail(capsys, home, "learn", "--index", mail / "index")
    program = f"{sys.executable} -m nbmail score --home {home} --why 50 {mail / 'good'} | head -n 1"
    found = subprocess.run(program, shell=True, capture_output=True, text=True, check=False)
    assert found.stderr == ""
    assert len(found.stdout.splitlines()) == 1


@pytest.mark.parametrize("named", ["--index", "--as"])
def test_stopped_by_hand_it_says_one_line_and_nothing_is_half_done(tmp_path, named):
    for number in range(300):
        write(tmp_path / "mail" / f"{number}.eml", f"about {number}", f"word{number} {number % 7} " * 500)
    (tmp_path / "index").write_text("".join(f"junk mail/{number % 300}.eml\n" for number in range(30_000)))
    what = {"--index": [tmp_path / "index"], "--as": ["junk", *[tmp_path / "mail"] * 100]}[named]
    home = tmp_path / "home"
    # Whoever runs the tests in the background has Ctrl+C turned off, for the children too.
    listening = (
        "import signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from nbmail.__main__ import main\n"
        "sys.exit(main())"
    )
    learning = subprocess.Popen(
        [sys.executable, "-c", listening, "learn", "--home", home, named, *what],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while not Paths.under(home).database.exists() and learning.poll() is None:
        time.sleep(0.01)
    os.killpg(learning.pid, signal.SIGINT)
    out, err = learning.communicate(timeout=60)
    # A shell says 130 for both: Python ends by the signal itself if a dataclass was being made when it came.
    assert learning.returncode in (130, -signal.SIGINT)
    assert out == ""
    assert len(err.splitlines()) == 1
    assert "stopped" in err
    assert run("-m", "nbmail", "doctor", "--home", home).returncode == 0


def test_no_command_loads_qt(mail):
    learn = run("-X", "importtime", "-m", "nbmail", "learn", "--home", mail / "home", "--index", mail / "index")
    assert learn.returncode == 0
    score = run("-X", "importtime", "-m", "nbmail", "score", "--home", mail / "home", mail / "good")
    assert len(score.stdout.splitlines()) == 20
    for found in (learn, score):
        assert "nbmail.core.reading.tokenizer" in found.stderr
        assert "PySide6" not in found.stderr


def test_many_messages_are_read_by_several_processes_as_by_one(tmp_path):
    """The same vocabulary, samples and counts, in the same order."""
    lines = []
    for number in range(900):
        kind = "junk" if number % 3 else "good"
        write(tmp_path / f"{number}.eml", f"{kind} {number % 50}", f"{kind} word{number} word{number % 7} 中文 " * 3)
        lines.append(f"{kind} {number}.eml\n")
    (tmp_path / "index").write_text("".join(lines))
    assert run("-m", "nbmail", "learn", "--home", tmp_path / "many", "--index", tmp_path / "index").returncode == 0
    one = (
        "import sys, nbmail.cli.reading as reading, nbmail.cli.main as cli\n"
        "reading.processes_for = lambda sources: 0\n"
        "sys.exit(cli.main(sys.argv[1:]))"
    )
    assert run("-c", one, "learn", "--home", tmp_path / "one", "--index", tmp_path / "index").returncode == 0
    with Store(Paths.under(tmp_path / "many"), 0.0) as many, Store(Paths.under(tmp_path / "one"), 0.0) as alone:
        assert many.words.vocabulary.words_from(0) == alone.words.vocabulary.words_from(0)
        assert many.counts.load() == alone.counts.load()
        assert many.labels.all() == alone.labels.all()
        assert many.messages.samples(range(1, 901)) == alone.messages.samples(range(1, 901))


@pytest.fixture(scope="module")
def many_messages(tmp_path_factory):
    """An index of more messages than one pipe holds."""
    folder = tmp_path_factory.mktemp("many")
    lines = []
    for number in range(2500):
        kind = "junk" if number % 3 else "good"
        write(folder / f"{number}.eml", f"{kind} {number}", " ".join(f"{kind}{number}x{word}" for word in range(60)))
        lines.append(f"{kind} {number}.eml\n")
    (folder / "index").write_text("".join(lines))
    return folder


LOSING = """
import sys, nbmail.cli.main as cli, nbmail.cli.reading as reading
counts = iter(range(10 ** 6))
def lose(self, helper, reply=reading.Reading._reply):
    if next(counts) == {after} and helper >= 0:
        process = self._helpers[helper][0]
        process.kill()
        process.join()
    return reply(self, helper)
reading.Reading._reply = lose
sys.exit(cli.main(sys.argv[1:]))
"""


@pytest.mark.parametrize("after", [0, 1, 20])
def test_a_process_that_is_killed_costs_nothing_but_time(many_messages, tmp_path, after):
    index = ("--index", many_messages / "index")
    assert run("-m", "nbmail", "learn", "--home", tmp_path / "sound", *index).returncode == 0
    found = run("-c", LOSING.format(after=after), "learn", "--home", tmp_path / "lost", *index)
    assert (found.returncode, found.stderr) == (0, "")
    with Store(Paths.under(tmp_path / "sound"), 0.0) as sound, Store(Paths.under(tmp_path / "lost"), 0.0) as lost:
        assert sound.words.vocabulary.words_from(0) == lost.words.vocabulary.words_from(0)
        assert sound.counts.load() == lost.counts.load()
        assert sound.messages.samples(range(1, 2501)) == lost.messages.samples(range(1, 2501))


REFUSED = """
import os, sys, nbmail.cli.main as cli
calls, fork = iter(range(10)), os.fork
def refuse():
    if next(calls) == {calls}:
        raise BlockingIOError(11, "Resource temporarily unavailable")
    return fork()
os.fork = refuse
sys.exit(cli.main(sys.argv[1:]))
"""


@pytest.mark.parametrize("calls", [0, 1])
def test_messages_are_read_without_processes_where_the_system_gives_none(many_messages, tmp_path, calls):
    code = REFUSED.format(calls=calls)
    found = run("-c", code, "learn", "--home", tmp_path / "home", "--index", many_messages / "index")
    assert (found.returncode, found.stderr) == (0, "")
    assert "2500 messages" in found.stdout


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for processes in /proc")
def test_no_process_is_left_when_the_command_is_killed(many_messages, tmp_path):
    command = [sys.executable, "-m", "nbmail", "learn", "--home", tmp_path / "home"]
    running = subprocess.Popen(
        [*command, "--index", many_messages / "index"], start_new_session=True, stdout=subprocess.DEVNULL
    )

    def left():
        found = []
        for place in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                state, _, group = place.read_text().rpartition(")")[2].split()[:3]
                if int(group) == running.pid and state != "Z":
                    found.append(place)
        return found

    def wait_for(come):
        deadline = time.monotonic() + 20
        while not come():
            assert time.monotonic() < deadline
            time.sleep(0.01)

    # Where there is one processor, nobody helps.
    wait_for(lambda: len(left()) > 1 or running.poll() is not None)
    running.kill()
    running.wait()
    wait_for(lambda: not left())


def test_a_file_lost_on_the_way_is_told_by_the_process_that_reads(tmp_path):
    lines = []
    for number in range(500):
        write(tmp_path / f"{number}.eml", "a", f"b{number}")
        lines.append(f"junk {number}.eml\n")
    (tmp_path / "index").write_text("".join(lines))
    (tmp_path / "499.eml").chmod(0)
    gone = (
        "import os, sys, nbmail.cli.learn as learn, nbmail.cli.main as cli\n"
        "listed = learn.labelled_sources\n"
        "def list_then_lose(index):\n"
        "    found = listed(index)\n"
        "    os.unlink(found[-1].path)\n"
        "    return found\n"
        "learn.labelled_sources = list_then_lose\n"
        "sys.exit(cli.main(sys.argv[1:]))"
    )
    found = run("-c", gone, "learn", "--home", tmp_path / "home", "--index", tmp_path / "index")
    assert found.returncode == 2
    assert "499.eml: No such file" in found.stderr
    assert found.stderr.count("\n") == 1
