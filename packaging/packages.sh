#!/usr/bin/env bash
# Build the packages into dist/: `packages.sh [wheels] [deb] [windows] [flatpak]`, all of them without a name.
set -euo pipefail
cd "$(dirname "$0")/.."
environment=build/packages-environment
if ! cmp -s packaging/requirements-packages.txt $environment/ready; then
  .venv/bin/python -m venv --clear $environment
  $environment/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes \
    --requirement packaging/requirements-packages.txt
  cp packaging/requirements-packages.txt $environment/ready
fi
PYTHONPATH=packaging:. $environment/bin/python -m make_packages "$@"
