"""Compilation of the optional parts, in a copy of the checkout with an invented module."""

import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

import pytest

from tests.needs import need_program

ROOT = Path(__file__).parent.parent.parent
SOURCES = sorted((ROOT / "nbmail").rglob("*.c"))
SOUND = """
#include <Python.h>
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, .m_name = "sound", .m_size = 0};
PyMODINIT_FUNC PyInit_sound(void) { return PyModule_Create(&module); }
"""
BROKEN = SOUND + "this is not C\n"


class Checkout:
    def __init__(self, folder):
        self.folder = folder
        self.core = folder / "nbmail" / "core" / "compiled"
        (folder / "packaging").mkdir()
        self.core.mkdir(parents=True)
        shutil.copy(ROOT / "packaging" / "compile.py", folder / "packaging")
        self.made = self.core / ("sound" + sysconfig.get_config_var("EXT_SUFFIX"))

    def put(self, text):
        (self.core / "sound.c").write_text(text)

    def compile(self, *options, path=None, compiler=None):
        command = [sys.executable, str(self.folder / "packaging" / "compile.py"), *options]
        changes = {"PATH": path, "CC": compiler}
        environment = os.environ | {
            name: str(value) for name, value in changes.items() if value is not None
        }
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
        return done.returncode, done.stdout

    def is_made_again(self, *options, **others):
        # Held open, so that the one that replaces it can't get its number in the file system.
        with self.made.open("rb"):
            before = self.made.stat().st_ino
            assert self.compile(*options, **others) == (0, "")
            return self.made.stat().st_ino != before


@pytest.fixture
def checkout(tmp_path):
    need_program("cc")
    return Checkout(tmp_path)


def append(path, text):
    path.write_text(path.read_text() + text)


def test_a_source_becomes_a_module_beside_it(checkout):
    checkout.put(SOUND)
    assert checkout.compile("--strict") == (0, "")
    code = "import sys; sys.path.insert(0, sys.argv[1]); import sound; print(sound.__name__)"
    command = [sys.executable, "-c", code, str(checkout.core)]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "sound\n"
    checkout.made.unlink()
    assert checkout.compile("--strict", compiler="cc 'x") == (0, ""), (
        "a command that makes no sense is passed over"
    )
    assert checkout.made.exists()


CHANGES = {
    "the source": lambda checkout: append(checkout.core / "sound.c", "/* other */\n"),
    "a header": lambda checkout: append(checkout.core / "sound.h", "/* other */\n"),
    "the module": lambda checkout: checkout.made.write_bytes(checkout.made.read_bytes() + b"\0"),
    "the note": lambda checkout: next((checkout.folder / "build").rglob("sound*")).write_bytes(
        b"\xff"
    ),
    "no note": lambda checkout: shutil.rmtree(checkout.folder / "build"),
    "no place for it": lambda checkout: (
        shutil.rmtree(checkout.folder / "build"),
        (checkout.folder / "build").touch(),
    ),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_module_is_made_again_when_anything_has_changed_whatever_the_clock_says(checkout, change):
    checkout.put('#include "sound.h"\n' + SOUND)
    (checkout.core / "sound.h").touch()
    checkout.compile()
    assert not checkout.is_made_again()
    change(checkout)
    for path in checkout.core.rglob("*.[ch]"):
        os.utime(path, (0, 0))
    assert checkout.is_made_again()


def test_a_module_is_made_again_with_other_flags_another_compiler_or_more_strictness(checkout):
    checkout.put(SOUND)
    checkout.compile("--", "-fsanitize=undefined")
    assert not checkout.is_made_again("--", "-fsanitize=undefined")
    assert checkout.is_made_again()
    assert checkout.is_made_again(compiler="cc -DOTHER")
    assert checkout.is_made_again("--strict")
    assert not checkout.is_made_again(), "what was made strictly is good for both"


@pytest.mark.parametrize("strict", [False, True])
def test_where_a_module_can_not_be_written_plain_python_serves(checkout, strict):
    """A folder in its place refuses even one who may write everywhere."""
    checkout.put(SOUND)
    checkout.made.mkdir()
    code, printed = checkout.compile(*["--strict"] * strict)
    assert code == strict
    assert printed.endswith("sound.c did not compile: plain Python does the same, but slower.\n")
    assert sorted(checkout.core.iterdir()) == sorted([checkout.made, checkout.core / "sound.c"])


def test_without_a_compiler_it_says_so_and_goes_on(checkout):
    checkout.put(SOUND)
    code, printed = checkout.compile("--strict", path=checkout.folder)
    assert (code, printed.count("\n")) == (0, 1)
    assert printed.startswith("There is no C compiler here")
    assert not checkout.made.exists()


@pytest.mark.parametrize("text", [SOUND + "static int unused;\n", BROKEN])
def test_warnings_and_errors_fail_if_strictness_is_requested(checkout, text):
    checkout.put(text)
    assert checkout.compile()[0] == 0
    assert checkout.compile("--strict")[0] == 1


def test_a_module_of_an_older_source_goes_when_the_new_one_does_not_compile(checkout):
    checkout.put(SOUND)
    checkout.compile()
    checkout.put(BROKEN)
    assert "sound.c did not compile" in checkout.compile()[1]
    assert [path.name for path in checkout.core.iterdir()] == ["sound.c"]


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_a_source_has_a_version_and_is_built_by_pip_too(source):
    text = source.read_text(encoding="utf-8")
    assert '"VERSION"' in text
    modules = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
        "setuptools"
    ]["ext-modules"]
    entry = next(one for one in modules if one["sources"] == [source.relative_to(ROOT).as_posix()])
    assert entry["name"] == f"nbmail.core.compiled.{source.stem}"
    assert entry["optional"]
    assert "-ffp-contract=off" in entry["extra-compile-args"]
