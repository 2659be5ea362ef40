"""What compiles the optional parts: tried on a copy of it with a module made up for the purpose."""

import os
import re
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
WARNED_OF = SOUND + "static int unused;\n"
BROKEN = SOUND + "this is not C\n"


@pytest.fixture
def house(tmp_path):
    (tmp_path / "packaging").mkdir()
    (tmp_path / "nbmail" / "core" / "compiled").mkdir(parents=True)
    shutil.copy(ROOT / "packaging" / "compile.py", tmp_path / "packaging")
    return tmp_path


def compile_in(house, *options, path=None, compiler=None):
    """Run it; the exit code and what it printed."""
    command = [sys.executable, str(house / "packaging" / "compile.py"), *options]
    changes = {"PATH": path, "CC": compiler}
    environment = os.environ | {name: str(value) for name, value in changes.items() if value is not None}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    return done.returncode, done.stdout


def put(house, text):
    (house / "nbmail" / "core" / "compiled" / "sound.c").write_text(text)


def made(house):
    return house / "nbmail" / "core" / "compiled" / ("sound" + sysconfig.get_config_var("EXT_SUFFIX"))


def test_a_source_becomes_a_module_beside_it(house):
    need_program("cc")
    put(house, SOUND)
    assert compile_in(house, "--strict") == (0, "")
    code = "import sys; sys.path.insert(0, sys.argv[1]); import sound; print(sound.__name__)"
    command = [sys.executable, "-c", code, str(house / "nbmail" / "core" / "compiled")]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "sound\n"


def is_made_anew(house, *options, **others):
    """Whether running it once more makes the module again, soundly."""
    before = made(house).stat().st_ino
    assert compile_in(house, *options, **others) == (0, "")
    return made(house).stat().st_ino != before


def append(path, text):
    path.write_text(path.read_text() + text)


def keep_open(house):
    """Hold the module, so that the one that replaces it can't get its number in the file system."""
    return made(house).open("rb")


CHANGES = {
    "the source": lambda house: append(house / "nbmail" / "core" / "compiled" / "sound.c", "/* other */\n"),
    "a header": lambda house: append(house / "nbmail" / "core" / "compiled" / "sound.h", "/* other */\n"),
    "the module": lambda house: made(house).write_bytes(made(house).read_bytes() + b"\0"),
    "the note": lambda house: next((house / "build").rglob("sound*")).write_bytes(b"\xff"),
    "no note": lambda house: shutil.rmtree(house / "build"),
    "a folder that takes no note": lambda house: (shutil.rmtree(house / "build"), (house / "build").touch()),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_a_module_is_made_anew_when_anything_has_changed_whatever_the_clock_says(house, change):
    need_program("cc")
    put(house, '#include "sound.h"\n' + SOUND)
    (house / "nbmail" / "core" / "compiled" / "sound.h").touch()
    compile_in(house)
    with keep_open(house):
        assert not is_made_anew(house)
        change(house)
        for path in house.rglob("*.[ch]"):
            os.utime(path, (0, 0))
        assert is_made_anew(house)


def test_a_module_is_made_anew_with_other_flags_or_another_compiler(house):
    need_program("cc")
    put(house, SOUND)
    compile_in(house, "--", "-fsanitize=undefined")
    with keep_open(house):
        assert not is_made_anew(house, "--", "-fsanitize=undefined")
        assert is_made_anew(house)
    with keep_open(house):
        assert is_made_anew(house, compiler="cc -DOTHER")


def test_a_module_made_strictly_is_good_for_both_and_one_made_leniently_is_not(house):
    need_program("cc")
    put(house, SOUND)
    compile_in(house)
    with keep_open(house):
        assert is_made_anew(house, "--strict")
        assert not is_made_anew(house)
    put(house, WARNED_OF)
    assert [compile_in(house)[0], compile_in(house, "--strict")[0]] == [0, 1]


def test_a_compiler_command_that_makes_no_sense_is_passed_over(house):
    need_program("cc")
    put(house, SOUND)
    assert compile_in(house, "--strict", compiler="cc 'x") == (0, "")
    assert made(house).exists()


@pytest.mark.parametrize(("options", "expected"), [((), 0), (("--strict",), 1)])
def test_where_a_module_can_not_be_written_plain_python_serves(house, options, expected):
    """A folder in its place refuses even one who may write everywhere."""
    need_program("cc")
    put(house, SOUND)
    made(house).mkdir()
    code, printed = compile_in(house, *options)
    assert code == expected
    assert printed.endswith("sound.c did not compile: plain Python does the same, but slower.\n")
    assert sorted(made(house).parent.iterdir()) == sorted([made(house), made(house).parent / "sound.c"])


def test_without_a_compiler_it_says_so_and_goes_on(house):
    put(house, SOUND)
    code, printed = compile_in(house, "--strict", path=house)
    assert (code, printed.count("\n")) == (0, 1)
    assert printed.startswith("There is no C compiler here")
    assert not made(house).exists()


@pytest.mark.parametrize("text", [WARNED_OF, BROKEN])
def test_warnings_and_errors_fail_where_strictness_is_asked_for(house, text):
    need_program("cc")
    put(house, text)
    assert compile_in(house)[0] == 0
    assert compile_in(house, "--strict", "--", "-Wall")[0] == 1


def test_a_module_of_an_older_source_goes_when_the_new_one_does_not_compile(house):
    need_program("cc")
    put(house, SOUND)
    compile_in(house)
    put(house, BROKEN)
    assert "sound.c did not compile" in compile_in(house)[1]
    assert sorted(path.name for path in made(house).parent.iterdir()) == ["sound.c"]


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_a_source_is_small_and_built_by_pip_too(source):
    assert source.read_text(encoding="utf-8").count("\n") <= 400
    modules = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["ext-modules"]
    entry = next(one for one in modules if one["sources"] == [source.relative_to(ROOT).as_posix()])
    assert entry["name"] == f"nbmail.core.compiled.{source.stem}"
    assert entry["optional"]
    assert "-ffp-contract=off" in entry["extra-compile-args"]
    assert re.search(r'"VERSION"', source.read_text(encoding="utf-8"))
