"""The committed sources of a release, exported to a temporary folder, with the version stamped into
them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from nbmail.version import Version, read_version

ROOT = Path(__file__).resolve().parent.parent.parent


@dataclass(frozen=True)
class Release:
    """Exported sources and the folders to work in. `epoch`: time of the commit, used for every
    file's date.
    """

    sources: Path
    work: Path
    dist: Path
    version: Version
    epoch: int

    def run(self, *command: str | Path, cwd: Path | None = None, **environment: str) -> None:
        """Run a command with the release's date in its environment. Raise if it fails."""
        variables = (
            os.environ
            | {"SOURCE_DATE_EPOCH": str(self.epoch), "LC_ALL": "C.UTF-8", "TZ": "UTC"}
            | environment
        )
        subprocess.run(
            [str(word) for word in command], check=True, cwd=cwd or self.sources, env=variables
        )

    def folder(self, name: str) -> Path:
        """Return an empty folder for intermediate files."""
        folder = self.work / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder

    def set_dates(self, folder: Path) -> None:
        """Give every file below `folder` the release's date and plain permissions."""
        for path in [folder, *folder.rglob("*")]:
            if not path.is_symlink():
                path.chmod(0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644)
            os.utime(path, (self.epoch, self.epoch), follow_symlinks=False)


@contextmanager
def exported_release() -> Iterator[Release]:
    """Export the committed sources, without what the working tree has changed since."""
    epoch = int(_git("log", "-1", "--format=%ct"))
    with tempfile.TemporaryDirectory(prefix="nbmail-packages-") as name:
        work = Path(name)
        sources = work / "sources"
        archive = work / "sources.tar"
        subprocess.run(["git", "archive", "--output", str(archive), "HEAD"], check=True, cwd=ROOT)
        with tarfile.open(archive) as tar:
            tar.extractall(sources, filter="data")
        version = read_version(ROOT)
        (sources / "resources" / "version.txt").write_text(version.line + "\n", encoding="utf-8")
        dist = ROOT / "dist"
        dist.mkdir(exist_ok=True)
        yield Release(sources, work, dist, version, epoch)


def _git(*arguments: str) -> str:
    return subprocess.run(
        ["git", *arguments], check=True, cwd=ROOT, capture_output=True, text=True
    ).stdout.strip()
