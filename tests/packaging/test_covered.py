"""When the coverage of nbmail/core is held to 100 %: tried with a Python that only tells what it is asked."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PYTHON = """#!/bin/sh
case "$*" in
"-c import nbmail.core.compiled."*) [ -e "made/${2##*.}" ] ;;
*) echo "$*" ;;
esac
"""


@pytest.mark.parametrize(
    ("made", "ci", "least"),
    [(["one", "two"], "", 100), (["one"], "", 0), ([], "", 0), (["one"], "true", 100), (["one", "two"], "true", 100)],
)
def test_without_the_compiled_parts_a_desk_is_only_told(tmp_path, made, ci, least):
    for folder in ("packaging", "nbmail/core/compiled", "made", ".venv/bin"):
        (tmp_path / folder).mkdir(parents=True)
    shutil.copy(ROOT / "packaging" / "covered.sh", tmp_path / "packaging")
    for path in ("nbmail/core/compiled/one.c", "nbmail/core/compiled/two.c", *(f"made/{name}" for name in made)):
        (tmp_path / path).touch()
    python = tmp_path / ".venv" / "bin" / "python"
    python.write_text(PYTHON)
    python.chmod(0o755)
    environment = os.environ | {"CI": ci}
    command = [tmp_path / "packaging" / "covered.sh"]
    told = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.splitlines()
    assert f"--fail-under={least} " in told[-1]
    assert [line.partition(":")[0] for line in told[:-1]] == (
        [] if least else ["Not all C parts of nbmail/core are compiled here"]
    )


def test_the_suite_ends_with_it():
    assert "\t@packaging/covered.sh\n" in (ROOT / "Makefile").read_text()
