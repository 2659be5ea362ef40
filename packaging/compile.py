"""Compile the parts that also exist in C: every `nbmail/core/compiled/*.c` becomes a module beside it.

They are optional. Without a compiler or Python's headers, or where nothing can be written, this says so in a line, and
the program runs in plain Python with the same results; what tests need is asked for there. `--strict` makes every
warning an error and fails with it. Flags behind `--` are the compiler's: `compile.py -- -fsanitize=address,undefined`.

What a module was made of is noted under `build/`: it is made anew when a source, a header, the compiler or a flag is
another, and whenever something else put it there.
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
# Without contraction sums of products round as Python's and numpy's do.
FLAGS = ("-std=c11", "-O2", "-g0", "-fPIC", "-ffp-contract=off", "-fstack-protector-strong", "-Wall", "-Wextra")
SHARED = ("-bundle", "-undefined", "dynamic_lookup") if sys.platform == "darwin" else ("-shared",)


def main(arguments: list[str]) -> int:
    """Compile what isn't there as it would be made now; 1 if something is wrong that may not be."""
    own, extra = arguments, []
    if "--" in arguments:
        own, extra = arguments[: arguments.index("--")], arguments[arguments.index("--") + 1 :]
    strict = "--strict" in own
    compiler, headers = find_compiler(), Path(sysconfig.get_paths()["include"])
    missing = "no C compiler" if not compiler else "" if (headers / "Python.h").is_file() else "no headers of Python"
    if missing:
        print(f"There is {missing} here: nbmail runs in plain Python, with the same results but slower.")
        return 0
    command = [*compiler, *FLAGS, *extra, f"-I{headers}"]
    stale = [source for source in sorted(CORE.glob("*.c")) if is_stale(command, source, strict)]
    failed = [source for source in stale if not compile_one(command, source, strict)]
    if failed:
        print(f"{', '.join(source.name for source in failed)} did not compile: plain Python does the same, but slower.")
    return 1 if failed and strict else 0


def find_compiler() -> list[str]:
    """The command that compiles: $CC, what Python was compiled with, or the system's."""
    for command in (os.environ.get("CC"), sysconfig.get_config_var("CC"), "cc", "gcc", "clang"):
        # A command with a quote that isn't closed is none.
        with suppress(ValueError):
            words = shlex.split(command or "")
            if words and shutil.which(words[0]):
                return words
    return []


def module_of(source: Path) -> Path:
    """The file that Python imports."""
    return source.with_suffix(sysconfig.get_config_var("EXT_SUFFIX"))


def note_of(source: Path) -> Path:
    """The file that tells what the module was made of."""
    return NOTES / module_of(source).name


def is_stale(command: list[str], source: Path, strict: bool) -> bool:
    """Whether the module isn't the one that this command makes; made with warnings as errors, it is good for both."""
    try:
        noted, made = note_of(source).read_bytes(), digest_of(module_of(source))
    except OSError:
        return True
    return noted not in {ingredients(command, source, way) + made for way in ([True] if strict else [True, False])}


def ingredients(command: list[str], source: Path, strict: bool) -> bytes:
    """All that a module is made of, in a line each."""
    told = f"{shlex.join([*command, *SHARED])}\nwarnings {'are errors' if strict else 'are told'}\n"
    return told.encode() + b"".join(map(digest_of, [source, *sorted(CORE.glob("*.h"))]))


def digest_of(path: Path) -> bytes:
    """A line that tells a file's content from all others."""
    return f"{hashlib.sha256(path.read_bytes()).hexdigest()} {path.name}\n".encode()


def compile_one(command: list[str], source: Path, strict: bool) -> bool:
    """Compile beside and move into place: a program that runs keeps the module that it has loaded."""
    module, before = module_of(source), ingredients(command, source, strict)
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
    # What doesn't compile anew may not be used as it was; where nothing can be removed, its version still tells.
    for path in (made, module):
        with suppress(OSError):
            path.unlink()
    return False


def take_note(source: Path, before: bytes) -> None:
    """Note what the module was made of; where that can't be written, it is made anew each time."""
    with suppress(OSError):
        NOTES.mkdir(parents=True, exist_ok=True)
        note_of(source).write_bytes(before + digest_of(module_of(source)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
