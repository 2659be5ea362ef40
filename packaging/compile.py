"""Compile the parts that also exist in C: every `nbmail/core/*.c` becomes a module beside it.

They are optional. Without a compiler or Python's headers this says so in a line, and the program runs in plain Python
with the same results; what tests need is asked for there. `--strict` makes every warning an error and fails with it.
Flags behind `--` are the compiler's: `compile.py -- -fsanitize=address,undefined`; with them all is compiled anew.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

CORE = Path(__file__).resolve().parent.parent / "nbmail" / "core"
# Without contraction sums of products round as Python's and numpy's do.
FLAGS = ("-std=c11", "-O2", "-g0", "-fPIC", "-ffp-contract=off", "-fstack-protector-strong", "-Wall", "-Wextra")
SHARED = ("-bundle", "-undefined", "dynamic_lookup") if sys.platform == "darwin" else ("-shared",)


def main(arguments: list[str]) -> int:
    """Compile what is older than its source; 1 if something is wrong that may not be."""
    own, extra = arguments, []
    if "--" in arguments:
        own, extra = arguments[: arguments.index("--")], arguments[arguments.index("--") + 1 :]
    strict = "--strict" in own
    compiler, headers = find_compiler(), Path(sysconfig.get_paths()["include"])
    missing = "no C compiler" if not compiler else "" if (headers / "Python.h").is_file() else "no headers of Python"
    if missing:
        print(f"There is {missing} here: nbmail runs in plain Python, with the same results but slower.")
        return 0
    flags = [*FLAGS, *(["-Werror"] if strict else []), *extra]
    stale = [source for source in sorted(CORE.glob("*.c")) if extra or is_stale(source)]
    failed = [source for source in stale if not compile_one([*compiler, *flags, f"-I{headers}"], source)]
    if failed:
        print(f"{', '.join(source.name for source in failed)} did not compile: plain Python does the same, but slower.")
    return 1 if failed and strict else 0


def find_compiler() -> list[str]:
    """The command that compiles: $CC, what Python was compiled with, or the system's."""
    for command in (os.environ.get("CC"), sysconfig.get_config_var("CC"), "cc", "gcc", "clang"):
        words = shlex.split(command or "")
        if words and shutil.which(words[0]):
            return words
    return []


def module_of(source: Path) -> Path:
    """The file that Python imports."""
    return source.with_suffix(sysconfig.get_config_var("EXT_SUFFIX"))


def is_stale(source: Path) -> bool:
    """Whether there is no module yet, or one older than its source, what that includes, or these flags."""
    module = module_of(source)
    newest = max(path.stat().st_mtime for path in (source, *CORE.glob("*.h"), Path(__file__)))
    return not module.is_file() or module.stat().st_mtime < newest


def compile_one(command: list[str], source: Path) -> bool:
    """Compile beside and move into place: a program that runs keeps the module that it has loaded."""
    module = module_of(source)
    made = module.with_name(f"{module.name}.{os.getpid()}")
    done = subprocess.run([*command, *SHARED, str(source), "-o", str(made)], check=False).returncode == 0
    if done:
        os.replace(made, module)
    else:
        # What doesn't compile anew may not be used as it was.
        module.unlink(missing_ok=True)
        made.unlink(missing_ok=True)
    return done


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
