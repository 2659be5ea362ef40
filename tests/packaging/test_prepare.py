"""Set-up of a machine, in a copy of the checkout with a Python that only records its arguments."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.needs import need_program

ROOT = Path(__file__).parent.parent.parent
# What it calls on the way. None of it installs anything, and nothing is missing on a system of an
# unknown name.
TOOLS = ["bash", "dirname", "cmp", "cp", "cat", "mkdir", "rmdir", "rm", "sleep", "chmod", "flock"]
UNKNOWN_SYSTEM = "#!/bin/sh\necho Elsewhere\n"
# Makes a folder in two steps, as Python does: first itself, then pip, which takes a while to
# install something.
PYTHON = """#!/bin/sh
case "$*" in
"-m venv"*)
  echo venv >>log
  rm -rf .venv && mkdir -p .venv/bin && cp "$0" .venv/bin/python && echo >.venv/pip
  ;;
"-m pip --version") [ -e .venv/pip ] ;;
"-m pip install"*)
  mkdir installing || echo "two at once" >>log
  echo install >>log
  sleep 0.2
  rmdir installing
  ;;
esac
"""


@pytest.fixture
def checkout(tmp_path):
    """A checkout, and a folder of programs."""
    for folder in ("packaging", "programs"):
        (tmp_path / folder).mkdir()
    for name in ("prepare.sh", "requirements.txt"):
        shutil.copy(ROOT / "packaging" / name, tmp_path / "packaging")
    for name in TOOLS:
        (tmp_path / "programs" / name).symlink_to(need_program(name))
    put(tmp_path / "programs" / "python3.13", PYTHON)
    put(tmp_path / "programs" / "uname", UNKNOWN_SYSTEM)
    return tmp_path


def put(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


def start(checkout):
    command = [checkout / "packaging" / "prepare.sh", "run"]
    return subprocess.Popen(
        command, env={"PATH": str(checkout / "programs")}, stdout=subprocess.DEVNULL
    )


def steps(checkout, runs=1):
    (checkout / "log").write_text("")
    assert [process.wait() for process in [start(checkout) for _ in range(runs)]] == [0] * runs
    return (checkout / "log").read_text().splitlines()


def test_what_is_ready_is_left_alone(checkout):
    assert steps(checkout) == ["venv", "install"]
    assert steps(checkout) == []
    (checkout / "packaging" / "requirements.txt").write_text("other==1\n")
    assert steps(checkout) == ["install"]


def test_what_was_interrupted_is_made_again_and_a_python_that_went_is_replaced(checkout):
    put(checkout / ".venv" / "bin" / "python", PYTHON)
    (checkout / ".venv" / "left-over").touch()
    assert steps(checkout) == ["venv", "install"]
    assert not (checkout / ".venv" / "left-over").exists()
    assert steps(checkout) == []
    (checkout / ".venv" / "bin" / "python").unlink()
    assert steps(checkout) == ["venv", "install"]


def test_two_at_once_do_the_work_once_and_one_needs_no_lock(checkout):
    assert steps(checkout, runs=2) == ["venv", "install"]
    (checkout / "programs" / "flock").unlink()
    shutil.rmtree(checkout / ".venv")
    assert steps(checkout) == ["venv", "install"]


# Copies what was printed before it is called.
APT = """#!/bin/sh
cp said said-before-$1
[ "$1" != install ] || echo "$*" >>installed
"""
FOR_QT = ["libglib2.0-0", "libgl1", "libegl1", "libdbus-1-3", "libfontconfig1", "libxkbcommon0"]
FOR_X = [
    "libxcb-cursor0",
    "libxcb-icccm4",
    "libxcb-keysyms1",
    "libxcb-shape0",
    "libxkbcommon-x11-0",
]


@pytest.mark.parametrize(("display", "more"), [("", []), (":0", FOR_X)])
def test_missing_packages_are_named_before_they_are_installed_and_no_others(
    checkout, display, more
):
    systems = {
        "uname": "echo Linux",
        "id": "echo 0",
        "ldconfig": "echo libnothing.so.1",
        "find": "",
    }
    for name, act in systems.items():
        put(checkout / "programs" / name, f"#!/bin/sh\n{act}\n")
    put(checkout / "programs" / "apt-get", APT)
    with (checkout / "said").open("w") as said:
        environment = {"PATH": str(checkout / "programs"), "DISPLAY": display}
        subprocess.run(
            [checkout / "packaging" / "prepare.sh", "run"], env=environment, stdout=said, check=True
        )
    wanted = [*FOR_QT, *more, "fonts-dejavu-core"]
    [installed] = (checkout / "installed").read_text().splitlines()
    assert [word for word in installed.split()[1:] if word[0] != "-"] == wanted
    assert (checkout / "said-before-update").read_text().split(": ")[1].split() == wanted
