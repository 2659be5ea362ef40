#!/usr/bin/env bash
# Compile the C parts in a copy with the compiler's checks for memory and undefined behaviour, and run there the tests
# that hold them to plain Python, hostile mail and mutations among them. Needs gcc or clang on Linux.
set -euo pipefail
cd "$(dirname "$0")/.."
python=$PWD/.venv/bin/python
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -r nbmail tests packaging pyproject.toml "$copy"
cd "$copy"
"$python" packaging/compile.py --strict -- -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
# Python itself wasn't compiled so: the checks' library comes first, and memory comes from it alone. What Python keeps
# until its end is no leak.
LD_PRELOAD=$(${CC:-cc} -print-file-name=libasan.so) ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc \
  "$python" -m pytest -p no:cacheprovider tests/core/test_word_table.py \
  tests/core/test_mail_hostile.py tests/core/methods/test_runs.py
