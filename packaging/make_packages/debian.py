"""The package for Debian 13 and Ubuntu 25.10: Qt, numpy and the keyring come from the
distribution.
"""

from __future__ import annotations

import gzip
import shutil
import subprocess
import zipfile
from datetime import date
from pathlib import Path

from make_packages.pins import download
from make_packages.release import ROOT, Release

# Commands import libraries that only this environment has.
PYTHON = str(ROOT / ".venv" / "bin" / "python")
# imapclient before 4.1 retries STARTTLS without end; the others are in no release of Debian.
INSIDE = {"imapclient", "pymap", "pysasl", "proxy-protocol"}
DEPENDS = (
    "python3 (>= 3.11), python3-numpy, python3-keyring, python3-platformdirs, python3-oauthlib, "
    "python3-dnspython, python3-typing-extensions, "
    "python3-pyside6.qtcore, python3-pyside6.qtgui, python3-pyside6.qtwidgets, "
    "python3-pyside6.qtnetwork, "
    "python3-pyside6.qtsvg, python3-pyside6.qtprintsupport"
)


def build(release: Release) -> list[Path]:
    """Build the package from a folder laid out as the installed system."""
    root = release.folder("deb") / "root"
    _put_program(release, root / "usr/share/nbmail")
    _put_desktop_files(release, root)
    _put_documents(release, root)
    _put_control_files(release, root)
    release.set_dates(root)
    path = release.dist / f"nbmail_{release.version.number}_all.deb"
    release.run("dpkg-deb", "--root-owner-group", "-Zxz", "--build", root, path)
    return [path]


def _put_program(release: Release, folder: Path) -> None:
    """Store pure Python: parts compiled for another Python would not load."""
    skip = shutil.ignore_patterns("*.c", "*.h", "*.so", "pictures")
    shutil.copytree(release.sources / "nbmail", folder / "nbmail", ignore=skip)
    shutil.copytree(release.sources / "resources", folder / "nbmail" / "resources", ignore=skip)
    wheels = release.folder("deb-wheels")
    download(release, INSIDE, wheels, "--only-binary=:all:")
    for wheel in sorted(wheels.glob("*.whl")):
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
    start = _copy(release, "debian/nbmail", folder.parent.parent / "bin" / "nbmail")
    start.chmod(0o755)


def _put_desktop_files(release: Release, root: Path) -> None:
    share = root / "usr/share"
    _copy(release, "debian/nbmail.desktop", share / "applications/nbmail.desktop")
    _copy(
        release, "../resources/icons/nbmail.svg", share / "icons/hicolor/scalable/apps/nbmail.svg"
    )
    metainfo = _copy(
        release,
        "debian/org.nbmail.nbmail.metainfo.xml",
        share / "metainfo/org.nbmail.nbmail.metainfo.xml",
    )
    fill(metainfo, release)
    if (release.sources / "packaging/debian/nbmail-watch.service").exists():
        _copy(
            release,
            "debian/nbmail-watch.service",
            root / "usr/lib/systemd/user/nbmail-watch.service",
        )


def _put_documents(release: Release, root: Path) -> None:
    documents = root / "usr/share/doc/nbmail"
    _copy(release, "debian/copyright", documents / "copyright")
    _pack(release.sources.joinpath("CHANGELOG.md").read_bytes(), documents / "changelog.gz")
    _pack(_manual_page(release, root / "usr/share/nbmail"), root / "usr/share/man/man1/nbmail.1.gz")


def _manual_page(release: Release, python: Path) -> bytes:
    """Make the manual page from what `--help` prints, each command's options included."""
    commands = subprocess.run(
        [PYTHON, "-B", "-c", "from nbmail.cli import COMMANDS; print(*COMMANDS)"],
        cwd=python, check=True, capture_output=True, text=True,
    ).stdout.split()  # fmt: skip
    environment = {"COLUMNS": "78", "PATH": "/usr/bin:/bin"}
    helps = {
        name: subprocess.run(
            [PYTHON, "-B", "-m", "nbmail", name, "--help"],
            cwd=python, check=True, capture_output=True, text=True, env=environment,
        ).stdout
        for name in ("--demo", *commands)
    }  # fmt: skip
    lines = [
        f'.TH NBMAIL 1 "{release.version.date}" "nbmail {release.version.number}" "User commands"',
        ".SH NAME",
    ]
    lines += [
        "nbmail \\- sort mail with a model that you train by sorting it",
        ".SH SYNOPSIS",
        ".B nbmail",
    ]
    lines += [
        "[\\-\\-home DIR] [\\-\\-minimized] [\\-\\-demo] [FILE ...]",
        ".br",
        ".B nbmail",
        "COMMAND [OPTION ...]",
    ]
    lines += [".SH OPTIONS OF THE WINDOW", *_literal(helps.pop("--demo")), ".SH COMMANDS"]
    for name, text in helps.items():
        lines += [f".SS {name}", *_literal(text)]
    return ("\n".join(lines) + "\n").encode()


def _literal(text: str) -> list[str]:
    """Return a text that roff neither fills nor interprets."""
    return [".nf", *(_roff(line) for line in text.rstrip().splitlines()), ".fi"]


def _roff(line: str) -> str:
    """Escape what roff takes for a command or a hyphen."""
    escaped = line.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + escaped if escaped[:1] in (".", "'") else escaped


def _put_control_files(release: Release, root: Path) -> None:
    installed = sum(path.stat().st_size for path in root.rglob("*") if path.is_file()) // 1024
    control = root / "DEBIAN/control"
    control.parent.mkdir()
    control.write_text(
        f"Package: nbmail\nVersion: {release.version.number}\nArchitecture: all\nSection: "
        f"mail\nPriority: optional\n"
        "Maintainer: The nbmail developers <nbmail@localhost>\n"
        f"Installed-Size: {installed}\nDepends: {DEPENDS}\n"
        "Recommends: python3-secretstorage, qt6-image-formats-plugins\n"
        "Description: mail sorter that shows why\n"
        " nbmail sorts your mail with a Naive Bayes model that you train by sorting it.\n"
        " It keeps an IMAP inbox in step, shows how likely each message is spam and which\n"
        " words decided, and learns from each mark at once.\n",
        encoding="utf-8",
    )
    for script in ("postinst", "prerm"):
        _copy(release, f"debian/{script}", root / "DEBIAN" / script).chmod(0o755)


def _copy(release: Release, source: str, target: Path) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copy(release.sources / "packaging" / source, target))


def _pack(content: bytes, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(gzip.compress(content, mtime=0))


def fill(path: Path, release: Release) -> None:
    """Replace @VERSION@ and @DATE@ in a file."""
    text = path.read_text(encoding="utf-8").replace("@VERSION@", release.version.number)
    text = text.replace(
        "@DATE@", release.version.date or date.fromtimestamp(release.epoch).isoformat()
    )
    path.write_text(text, encoding="utf-8")
