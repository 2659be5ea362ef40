"""Compile the optional C modules: every `nbmail/core/compiled/*.c` becomes an extension module in
the same folder.

Without a compiler or Python's headers, or in a read-only folder, this prints one line: the program
then runs in plain Python with the same results. `--strict` makes every warning an error and fails
with it. Flags behind `--` go to the compiler: `compile.py -- -fsanitize=address,undefined`.

The ingredients of a module are stored under `build/`. A module is compiled again if a source, a
header, the compiler or a flag changed, or if something else replaced the module.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CORE = ROOT / "nbmail" / "core" / "compiled"
NOTES = ROOT / "build" / "compiled"
# Without contraction, sums of products are rounded like in Python and numpy.
FLAGS = (
    "-std=c11",
    "-O2",
    "-g0",
    "-fPIC",
    "-ffp-contract=off",
    "-fstack-protector-strong",
    "-Wall",
    "-Wextra",
)
SHARED = ("-bundle", "-undefined", "dynamic_lookup") if sys.platform == "darwin" else ("-shared",)


def main(arguments: list[str]) -> int:
    """Compile stale modules. 1 if that fails and `--strict` is given."""
    own = arguments
    extra = []
    if "--" in arguments:
        own = arguments[: arguments.index("--")]
        extra = arguments[arguments.index("--") + 1 :]
    strict = "--strict" in own
    compiler = find_compiler()
    headers = Path(sysconfig.get_paths()["include"])
    missing = (
        "no C compiler"
        if not compiler
        else ""
        if (headers / "Python.h").is_file()
        else "no headers of Python"
    )
    if missing:
        print(
            f"There is {missing} here: nbmail runs in plain Python, with the same results "
            f"but slower."
        )
        return 0
    command = [*compiler, *FLAGS, *extra, f"-I{headers}"]
    stale = [source for source in sorted(CORE.glob("*.c")) if is_stale(command, source, strict)]
    failed = [source for source in stale if not compile_one(command, source, strict)]
    if failed:
        print(
            f"{', '.join(source.name for source in failed)} did not compile: plain Python "
            f"does the same, but slower."
        )
    return 1 if failed and strict else 0


def find_compiler() -> list[str]:
    """Return the compiler: $CC, that of Python, or that of the system; empty if there is none."""
    for command in (os.environ.get("CC"), sysconfig.get_config_var("CC"), "cc", "gcc", "clang"):
        # A command with an unclosed quote is invalid.
        with suppress(ValueError):
            words = shlex.split(command or "")
            if words and shutil.which(words[0]):
                return words
    return []


def module_of(source: Path) -> Path:
    """Return the file that Python imports."""
    return source.with_suffix(sysconfig.get_config_var("EXT_SUFFIX"))


def note_of(source: Path) -> Path:
    """Return the file with the ingredients of the module."""
    return NOTES / module_of(source).name


def is_stale(command: list[str], source: Path, strict: bool) -> bool:
    """Return whether the module must be compiled again. A module compiled with `--strict` is valid
    without it too.
    """
    try:
        noted = note_of(source).read_bytes()
        made = digest_of(module_of(source))
    except OSError:
        return True
    return noted not in {
        ingredients(command, source, way) + made for way in ([True] if strict else [True, False])
    }


def ingredients(command: list[str], source: Path, strict: bool) -> bytes:
    """Return all ingredients of a module, one per line."""
    told = f"{shlex.join([*command, *SHARED])}\nwarnings {'are errors' if strict else 'are told'}\n"
    return told.encode() + b"".join(map(digest_of, [source, *sorted(CORE.glob("*.h"))]))


def digest_of(path: Path) -> bytes:
    """Return a line with the hash and the name of a file."""
    return f"{hashlib.sha256(path.read_bytes()).hexdigest()} {path.name}\n".encode()


def compile_one(command: list[str], source: Path, strict: bool) -> bool:
    """Compile to a temporary file and replace the module, so that running programs keep theirs."""
    module = module_of(source)
    before = ingredients(command, source, strict)
    made = module.with_name(f"{module.name}.{os.getpid()}")
    whole = [*command, *(["-Werror"] if strict else []), *SHARED, str(source), "-o", str(made)]
    try:
        done = os.access(CORE, os.W_OK) and subprocess.run(whole, check=False).returncode == 0
        if done:
            os.replace(made, module)
    except OSError as error:
        print(f"{module.name}: {error.strerror}")
        done = False
    if done:
        take_note(source, before)
        return True
    # A stale module must not be used. If it can't be removed, its version shows that it is stale.
    for path in (made, module):
        with suppress(OSError):
            path.unlink()
    return False


def take_note(source: Path, before: bytes) -> None:
    """Store the ingredients of the module. Without them it is compiled again each time."""
    with suppress(OSError):
        NOTES.mkdir(parents=True, exist_ok=True)
        note_of(source).write_bytes(before + digest_of(module_of(source)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
