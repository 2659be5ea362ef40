"""Several processes tokenize many messages like one process does, even if some are killed."""

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from nbmail.cli.main import main
from nbmail.cli.messages.token_batches import BATCH
from tests.cli.conftest import write
from tests.waiting import wait_for

MESSAGES = 1000
ALONE = "tokenizing.WORTH_FORKING = 10 ** 9\n"
# Few batches ahead, so that the processes still work when a test interferes.
TOGETHER = "tokenizing.AHEAD = 2\n"
LOSING = """
counts = iter(range(10 ** 6))
def lose(self, number, received=tokenizing.TokenProcesses.receive):
    if next(counts) == {after} and self._running:
        self._running[0][0].kill()
        self._running[0][0].join()
    return received(self, number)
tokenizing.TokenProcesses.receive = lose
"""
SPAWNING = "tokenizing._start_method, tokenizing.WORTH_SPAWNING = lambda: 'spawn', 0\n"
REFUSED = """
calls, fork = iter(range(10)), os.fork
def refuse():
    if next(calls) == {calls}:
        raise BlockingIOError(11, "Resource temporarily unavailable")
    return fork()
os.fork = refuse
"""
TAKEN_AWAY = """
from nbmail.cli.commands import learn
listed = learn.labelled_sources
def list_then_take_away(index):
    found = listed(index)
    os.unlink(found[-1].path)
    return found
learn.labelled_sources = list_then_take_away
"""


def program(meanwhile, *arguments):
    """Return the command line of a command that runs after other code."""
    imports = (
        "import os, sys, nbmail.cli.main as cli, nbmail.cli.messages.token_processes as tokenizing"
    )
    code = f"{imports}\n{meanwhile}\nsys.exit(cli.main(sys.argv[1:]))"
    return [sys.executable, "-c", code, *map(str, arguments)]


def learn(index, home, meanwhile):
    command = program(meanwhile, "learn", "--home", home, "--index", index)
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("many")
    lines = []
    for number in range(MESSAGES):
        kind = "spam" if number % 3 else "ham"
        write(
            folder / f"{number}.eml",
            f"{kind} {number % 50}",
            f"{kind} word{number} word{number % 7} 中文 " * 30,
        )
        lines.append(f"{kind} {number}.eml\n")
    (folder / "index").write_text("".join(lines))
    return folder / "index"


def model_of(home, capsys):
    """Return the exported model: all words in order and all numbers."""
    assert main(["doctor", "--home", str(home)]) == 0
    assert main(["export", "--home", str(home), str(home / "m.nbmodel")]) == 0
    capsys.readouterr()
    return (home / "m.nbmodel").read_bytes()


@pytest.fixture(scope="module")
def home_alone(index, tmp_path_factory):
    home = tmp_path_factory.mktemp("alone")
    assert learn(index, home, ALONE).returncode == 0
    return home


MEANWHILE = {
    "together": "",
    "spawned": SPAWNING,
    "one is killed": LOSING.format(after=7),
    "one is given": REFUSED.format(calls=1),
}
if os.environ.get("NBMAIL_TORTURE"):
    MEANWHILE |= {
        "one is killed at once": LOSING.format(after=0),
        "none is given": REFUSED.format(calls=0),
    }


@pytest.mark.parametrize("meanwhile", MEANWHILE.values(), ids=MEANWHILE.keys())
def test_several_processes_learn_what_one_learns(index, home_alone, tmp_path, capsys, meanwhile):
    found = learn(index, tmp_path, TOGETHER + meanwhile)
    assert (found.returncode, found.stderr) == (0, "")
    assert f"{MESSAGES} messages" in found.stdout
    assert model_of(tmp_path, capsys) == model_of(home_alone, capsys)


def test_an_error_in_another_process_is_reported(index, tmp_path):
    lost = write(index.parent / "lost.eml", "a", "b")
    (index.parent / "longer").write_text(index.read_text() + f"spam {lost.name}\n")
    found = learn(index.parent / "longer", tmp_path, TAKEN_AWAY)
    assert found.returncode == 2
    assert "lost.eml: No such file" in found.stderr
    assert found.stderr.count("\n") == 1


STALLING = """
import signal, time
# In background processes SIGINT is ignored, and child processes inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
def stall(self, number, received=tokenizing.TokenProcesses.receive):
    if number == {last}:
        print("learned nearly all", flush=True)
        time.sleep(600)
    return received(self, number)
tokenizing.TokenProcesses.receive = stall
"""


def test_ctrl_c_prints_one_line_and_leaves_valid_data(index, tmp_path, capsys):
    (index.parent / "again").write_text(index.read_text() * 3)
    last = 3 * MESSAGES // BATCH - 1
    command = program(
        STALLING.format(last=last), "learn", "--home", tmp_path, "--index", index.parent / "again"
    )
    learning = subprocess.Popen(
        command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert learning.stdout.readline() == "learned nearly all\n"
    os.killpg(learning.pid, signal.SIGINT)
    out, err = learning.communicate()
    assert (learning.returncode, out) == (130, "")
    assert len(err.splitlines()) == 1
    assert "stopped" in err
    assert main(["doctor", "--home", str(tmp_path)]) == 0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for processes in /proc")
def test_no_process_is_left_when_the_command_is_killed(index, tmp_path):
    command = program(TOGETHER, "learn", "--home", tmp_path, "--index", index)
    running = subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL)

    def left():
        found = []
        for place in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                state, _, group = place.read_text().rpartition(")")[2].split()[:3]
                if int(group) == running.pid and state != "Z":
                    found.append(place)
        return found

    # With one processor there are no other processes.
    wait_for(lambda: len(left()) > 1 or running.poll() is not None)
    running.kill()
    running.wait()
    wait_for(lambda: not left())


def test_numpy_waits_until_the_processes_are_forked():
    commands = "nbmail.cli.commands.learn, nbmail.cli.commands.score, nbmail.cli.commands.evaluate"
    code = f"import sys, nbmail.cli.main, {commands}; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
