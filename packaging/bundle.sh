#!/usr/bin/env bash
# Build dist/nbmail, a folder that runs without Python, and start it once to see that it does.
set -euo pipefail
cd "$(dirname "$0")/.."
.venv/bin/python -m PyInstaller --noconfirm --clean --log-level WARN --name nbmail --windowed \
  --distpath dist --workpath build --specpath build \
  --add-data "$PWD/resources:resources" --collect-submodules nbmail --collect-submodules pymap \
  --collect-submodules keyring.backends \
  --collect-submodules pysasl --copy-metadata keyring --copy-metadata pymap --copy-metadata pysasl \
  nbmail/__main__.py
dist/nbmail/nbmail --self-test
du -sh dist/nbmail
