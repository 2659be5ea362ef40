"""`python -m make_packages [wheels] [deb] [windows] [flatpak]`: build these packages, or all of
them.
"""

from __future__ import annotations

import sys

from make_packages import debian, flatpak, wheels, windows
from make_packages.release import Release, exported_release

BUILDERS = {
    "wheels": wheels.build,
    "deb": debian.build,
    "windows": windows.build,
    "flatpak": flatpak.build,
}


def main(names: list[str]) -> int:
    """Build the packages named `names`. Return 2 for an unknown name."""
    if unknown := [name for name in names if name not in BUILDERS]:
        print(f"No such package: {', '.join(unknown)}. There are {', '.join(BUILDERS)}.")
        return 2
    with exported_release() as release:
        for name in names or BUILDERS:
            _build(release, name)
    return 0


def _build(release: Release, name: str) -> None:
    for path in BUILDERS[name](release):
        print(f"{path.relative_to(release.dist.parent)}  {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
