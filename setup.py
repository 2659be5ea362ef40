"""Version and resources of the package; everything else stands in pyproject.toml."""

import sys
from pathlib import Path

from setuptools import find_namespace_packages, setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT))

from nbmail.version import read_version  # noqa: E402


class StampedBuild(build_py):
    """Stores the version among the resources, where an installed program finds it."""

    def run(self) -> None:
        super().run()
        stamp = Path(self.build_lib, "nbmail", "resources", "version.txt")
        stamp.write_text(read_version(ROOT).line + "\n", encoding="utf-8")


folders = find_namespace_packages(str(ROOT / "resources"), exclude=["pictures"])
setup(
    version=read_version(ROOT).number,
    packages=[
        *find_namespace_packages(
            str(ROOT), include=["nbmail", "nbmail.*"], exclude=["nbmail.resources*"]
        ),
        "nbmail.resources",
        *(f"nbmail.resources.{folder}" for folder in folders),
    ],
    cmdclass={"build_py": StampedBuild},
    package_dir={"nbmail.resources": "resources"},
)
