"""The wheels, one with compiled parts and one of pure Python, and the source archive."""

from __future__ import annotations

import gzip
import re
import shutil
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path

from make_packages.release import Release

EXTENSIONS = re.compile(r"\[\[tool\.setuptools\.ext-modules\]\]\n(?:[^\[\n][^\n]*\n|\n)*")


def build(release: Release) -> list[Path]:
    """Build the source archive and both wheels."""
    return [_source_archive(release), _wheel(release, "pure"), _wheel(release, "compiled")]


def _wheel(release: Release, kind: str) -> Path:
    """Build a wheel from a copy of the sources. Without its extension modules the wheel runs
    everywhere.
    """
    folder = release.folder(f"wheel-{kind}")
    sources = folder / "sources"
    shutil.copytree(release.sources, sources)
    if kind == "pure":
        project = sources / "pyproject.toml"
        text, count = EXTENSIONS.subn("", project.read_text(encoding="utf-8"))
        if not count:
            raise RuntimeError("pyproject.toml has no extension modules to leave out")
        project.write_text(text, encoding="utf-8")
    release.set_dates(sources)
    made = folder / "made"
    # Debug information would hold the name of the temporary folder.
    flags = {"CFLAGS": f"-g0 -ffile-prefix-map={sources}=."}
    release.run(
        sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation",
        "--no-index",
        "--disable-pip-version-check", "--wheel-dir", made, ".", cwd=sources, **flags,
    )  # fmt: skip
    [wheel] = made.glob("*.whl")
    if wheel.name.endswith("-any.whl") != (kind == "pure"):
        raise RuntimeError(f"{wheel.name} is not the {kind} wheel")
    return shutil.copy(wheel, release.dist / wheel.name)


def _source_archive(release: Release) -> Path:
    """Pack the exported sources: everything that is committed, and the version."""
    name = f"nbmail-{release.version.number}"
    path = release.dist / f"{name}.tar.gz"
    release.set_dates(release.sources)
    metadata = f"Metadata-Version: 2.1\nName: nbmail\nVersion: {release.version.number}\n"
    (release.sources / "PKG-INFO").write_text(metadata, encoding="utf-8")
    with (
        path.open("wb") as file,
        gzip.GzipFile("", "wb", fileobj=file, mtime=release.epoch) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar,
    ):
        for source in sorted(release.sources.rglob("*")):
            if source.is_file():
                tar.add(
                    source,
                    f"{name}/{source.relative_to(release.sources)}",
                    filter=_plain_entries(release.epoch),
                )
    return path


def _plain_entries(epoch: int) -> Callable[[tarfile.TarInfo], tarfile.TarInfo]:
    """Return a filter that gives every entry the same owner and date."""

    def plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = "root"
        entry.mtime = epoch
        return entry

    return plain
