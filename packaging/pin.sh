#!/usr/bin/env bash
# Write the exact versions and hashes that `make` installs: requirements.txt to run, requirements-test.txt to test.
# requirements-packages.txt and requirements-windows.txt, a few lines each, are kept by hand.
# Needs pip-tools on the PATH. The files name no package index.
set -euo pipefail
cd "$(dirname "$0")/.."
pin() {
  pip-compile --quiet --generate-hashes --strip-extras --allow-unsafe --no-header --no-annotate \
    --no-emit-index-url --no-emit-trusted-host --no-emit-find-links "$@" pyproject.toml
}
pin --extra demo --output-file packaging/requirements.txt
pin --extra demo --extra dev --output-file packaging/requirements-test.txt
