"""Libraries that are put inside a package: exactly the versions and hashes of
packaging/requirements*.txt.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from make_packages.release import Release

PIN = re.compile(r"^([a-z0-9][a-z0-9._-]*)==.*(?:\n[ ]+--hash.*)*", re.MULTILINE)


def download(
    release: Release, names: set[str], target: Path, *options: str, pins: str = "requirements.txt"
) -> None:
    """Download the named libraries as `pins` gives them, without what they depend on."""
    text = (release.sources / "packaging" / pins).read_text(encoding="utf-8")
    wanted = {found[1]: found[0] for found in PIN.finditer(text) if found[1] in names}
    if missing := names - wanted.keys():
        raise RuntimeError(f"{pins} has no pins for {', '.join(sorted(missing))}")
    requirements = target / "requirements.txt"
    target.mkdir(parents=True, exist_ok=True)
    requirements.write_text("\n".join(wanted.values()) + "\n", encoding="utf-8")
    release.run(
        sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check",
        "--no-deps",
        "--require-hashes", "--requirement", requirements, "--dest", target, *options,
    )  # fmt: skip
    requirements.unlink()
