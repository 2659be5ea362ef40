"""The Flatpak manifest: written with the release's version and checked. Flathub's machines build
it.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from make_packages.release import Release


def build(release: Release) -> list[Path]:
    """Copy the manifest and let flatpak-builder parse it. Its runtimes can't be had from a package
    registry.
    """
    path = Path(
        shutil.copy(release.sources / "packaging/flatpak/org.nbmail.nbmail.yaml", release.dist)
    )
    text = path.read_text(encoding="utf-8").replace("@VERSION@", release.version.number)
    path.write_text(text, encoding="utf-8")
    # flatpak-builder leaves a folder of its own where it runs.
    work = release.folder("flatpak")
    with (work / "manifest.json").open("w") as shown:
        subprocess.run(
            ["flatpak-builder", "--show-manifest", str(path)], check=True, cwd=work, stdout=shown
        )
    return [path]
