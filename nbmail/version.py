"""Version of the program: its number, date and commit."""

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
HEADING = re.compile(r"^## (\d\S*)(?: · (\d{4}-\d\d-\d\d))?", re.MULTILINE)


class Version(NamedTuple):
    """Newest entry of CHANGELOG.md, and the short hash of the commit, empty if unknown."""

    number: str
    date: str = ""
    commit: str = ""

    @property
    def line(self) -> str:
        """All parts in one line, as `version.txt` stores them."""
        return " ".join(part for part in self if part)


def read_version(root: Path = ROOT) -> Version:
    """Return the version that was stamped into a package, or that of a checkout."""
    for resources in (root / "nbmail" / "resources", root / "resources"):
        stamped = resources / "version.txt"
        if stamped.is_file():
            return Version(*stamped.read_text(encoding="utf-8").split())
    heading = HEADING.search((root / "CHANGELOG.md").read_text(encoding="utf-8"))
    if heading is None:
        raise ValueError("CHANGELOG.md names no version")
    return Version(heading[1], heading[2] or "", _commit(root / ".git"))


def _commit(git: Path) -> str:
    """Return the short hash of the checked-out commit; empty if git's files don't contain it."""
    try:
        return _full_hash(git)[:10]
    except OSError:
        return ""


def _full_hash(git: Path) -> str:
    if git.is_file():  # A linked worktree.
        git = git.parent / _line(git).removeprefix("gitdir:").strip()
    head = _line(git / "HEAD")
    if not head.startswith("ref: "):
        return head
    name = head.removeprefix("ref: ")
    common = git / "commondir"
    shared = git / _line(common) if common.is_file() else git
    if (shared / name).is_file():
        return _line(shared / name)
    packed = (shared / "packed-refs").read_text(encoding="utf-8")
    for line in packed.splitlines():
        if line.endswith(f" {name}"):
            return line
    return ""


def _line(path: Path) -> str:
    return path.read_text(encoding="utf-8").strip()
