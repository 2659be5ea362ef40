"""Where nothing was compiled the same program runs in plain Python, and says the same."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.demo_letters import lay_out

COMPILED = Path(__file__).parents[2] / "nbmail" / "core" / "compiled"
MODULES = [f"nbmail.core.compiled.{source.stem}" for source in COMPILED.glob("*.c")]
WITHOUT = f"sys.modules.update(dict.fromkeys({MODULES!r})); "
# Several processes read also what is little.
START = "import nbmail.cli.tokenizing as tokenizing; tokenizing.WORTH_FORKING = 0; "
START += "from nbmail.__main__ import main; sys.exit(main(sys.argv[1:]))"


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = lay_out(tmp_path_factory.mktemp("mail"))
    (folder / "index").write_text("junk junk\ngood good\n")
    return folder / "index"


def run(before, *arguments):
    command = [sys.executable, "-c", f"import sys; {before}{START}", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def said(index, home, before):
    run(before, "learn", "--home", home, "--index", index)
    return run(before, "score", "--json", "--why", 5, "--home", home, index.parent / "junk", index.parent / "good")


def test_compiled_and_plain_say_the_same(index, tmp_path):
    plain = said(index, tmp_path / "plain", WITHOUT)
    assert plain.count("\n") > 100
    assert said(index, tmp_path / "compiled", "") == plain
    # Each reads what the other wrote.
    assert run("", "score", "--home", tmp_path / "plain", index.parent) == run(
        WITHOUT, "score", "--home", tmp_path / "compiled", index.parent
    )
