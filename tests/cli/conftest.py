"""Mail files and commands for tests."""

import pytest

from nbmail.cli.main import main
from tests.demo_letters import lay_out


def write(path, subject, body):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        f"From: someone@example.org\nMessage-ID: <{path.name}@example.org>\nSubject: "
        f"{subject}\n\n{body}\n"
    )
    return path


@pytest.fixture
def demo_folders(tmp_path):
    return lay_out(tmp_path)


@pytest.fixture
def mail(tmp_path):
    """Forty messages of two kinds, and their index."""
    lines = []
    for number in range(20):
        write(
            tmp_path / "spam" / f"{number:02}.eml",
            "claim your prize",
            f"winner cash prize number{number}",
        )
        write(
            tmp_path / "ham" / f"{number:02}.eml",
            "minutes",
            f"the meeting minutes are ready number{number}",
        )
        lines += [f"spam spam/{number:02}.eml\n", f"ham ham/{number:02}.eml\n"]
    (tmp_path / "index").write_text("".join(lines))
    return tmp_path


@pytest.fixture
def nbmail(tmp_path, capsys):
    """`nbmail(command, …)` runs a command on the data folder of the test.

    It returns exit code, output and errors.
    """

    def run(command, *arguments, home=None):
        code = main([command, "--home", str(home or tmp_path / "home"), *map(str, arguments)])
        return code, *capsys.readouterr()

    return run
