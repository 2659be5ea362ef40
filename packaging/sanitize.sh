#!/usr/bin/env bash
# Compile the C modules in a copy with AddressSanitizer and UndefinedBehaviorSanitizer, and run the tests that compare
# them with plain Python there. Needs gcc or clang on Linux.
set -euo pipefail
cd "$(dirname "$0")/.."
python=$PWD/.venv/bin/python
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -r nbmail tests packaging pyproject.toml "$copy"
cd "$copy"
"$python" packaging/compile.py --strict -- -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
# Python itself is compiled without sanitizers: their library is loaded first and provides all memory. Memory that Python
# keeps until its end is no leak.
LD_PRELOAD=$(${CC:-cc} -print-file-name=libasan.so) ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc \
  "$python" -m pytest -p no:cacheprovider tests/core/test_word_table.py tests/core/test_header_words.py tests/core/test_html_text.py tests/core/test_mail.py \
  tests/core/test_mail_hostile.py tests/core/test_runs.py
