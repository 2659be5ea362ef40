"""Compiled code and plain Python give equal results."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.demo_letters import lay_out

COMPILED = Path(__file__).parents[2] / "nbmail" / "core" / "compiled"
MODULES = [f"nbmail.core.compiled.{source.stem}" for source in COMPILED.glob("*.c")]
WITHOUT = f"sys.modules.update(dict.fromkeys({MODULES!r})); "
# Several processes are used for few messages too.
START = "import nbmail.cli.messages.token_processes as processes; processes.WORTH_FORKING = 0; "
START += "from nbmail.__main__ import main; sys.exit(main(sys.argv[1:]))"


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = lay_out(tmp_path_factory.mktemp("mail"))
    (folder / "index").write_text("spam spam\nham ham\n")
    return folder / "index"


def run(before, *arguments):
    command = [sys.executable, "-c", f"import sys; {before}{START}", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def output(index, home, before):
    run(before, "learn", "--home", home, "--index", index)
    return run(
        before,
        "score",
        "--json",
        "--why",
        5,
        "--home",
        home,
        index.parent / "spam",
        index.parent / "ham",
    )


def test_compiled_and_plain_python_give_equal_results(index, tmp_path):
    plain = output(index, tmp_path / "plain", WITHOUT)
    assert plain.count("\n") > 100
    assert output(index, tmp_path / "compiled", "") == plain
    # Each can use the data of the other.
    assert run("", "score", "--home", tmp_path / "plain", index.parent) == run(
        WITHOUT, "score", "--home", tmp_path / "compiled", index.parent
    )
