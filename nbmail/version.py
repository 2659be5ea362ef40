"""Version of the program, the date of its release, and the commit it was built from."""

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
HEADING = re.compile(r"^## (\d\S*)(?: · (\d{4}-\d\d-\d\d))?", re.MULTILINE)


class Version(NamedTuple):
    """`number` and `date` of the newest entry of CHANGELOG.md, and the short hash of the commit,
    empty if unknown.
    """

    number: str
    date: str = ""
    commit: str = ""

    @property
    def line(self) -> str:
        """All parts in one line, as `version.txt` stores them."""
        return " ".join(part for part in self if part)


def read_version(root: Path = ROOT) -> Version:
    """Return the version that was stamped into a package, or that of a checkout."""
    for stamped in (
        root / "nbmail" / "resources" / "version.txt",
        root / "resources" / "version.txt",
    ):
        if stamped.is_file():
            return Version(*stamped.read_text(encoding="utf-8").split())
    heading = HEADING.search((root / "CHANGELOG.md").read_text(encoding="utf-8"))
    if heading is None:
        raise ValueError("CHANGELOG.md names no version")
    return Version(heading[1], heading[2] or "", _commit(root / ".git"))


def _commit(git: Path) -> str:
    """Return the short hash of the checked-out commit, read from git's files; empty if they don't
    contain it.
    """
    try:
        if git.is_file():  # A linked worktree.
            git = git.parent / git.read_text(encoding="utf-8").removeprefix("gitdir:").strip()
        head = (git / "HEAD").read_text(encoding="utf-8").strip()
        if not head.startswith("ref: "):
            return head[:10]
        name = head.removeprefix("ref: ")
        common = git / "commondir"
        shared = (git / common.read_text(encoding="utf-8").strip()) if common.is_file() else git
        if (shared / name).is_file():
            return (shared / name).read_text(encoding="utf-8").strip()[:10]
        packed = (shared / "packed-refs").read_text(encoding="utf-8")
        return next((line[:10] for line in packed.splitlines() if line.endswith(f" {name}")), "")
    except OSError:
        return ""
