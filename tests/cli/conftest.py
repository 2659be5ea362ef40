"""Mail as files, and commands run on them."""

import pytest

from nbmail.cli.main import main
from nbmail.demo.mail import demo_folder, demo_mailbox


def write(path, subject, body):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"From: someone@example.org\nMessage-ID: <{path.name}@example.org>\nSubject: {subject}\n\n{body}\n")
    return path


@pytest.fixture
def demo_folders(tmp_path):
    """Some of the demo's mail as files: a folder of junk, one of good mail, one of both to score."""
    placed = demo_mailbox(demo_folder(), 1_790_000_000.0)
    for number, one in enumerate(placed):
        name = "new" if number % 3 == 0 else "junk" if one.is_junk else "good"
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        (folder / f"{number}.eml").write_bytes(one.raw)
    return tmp_path


@pytest.fixture
def mail(tmp_path):
    """Forty messages of two kinds, and their index."""
    lines = []
    for number in range(20):
        write(tmp_path / "junk" / f"{number:02}.eml", "claim your prize", f"winner cash prize number{number}")
        write(tmp_path / "good" / f"{number:02}.eml", "minutes", f"the meeting minutes are ready number{number}")
        lines += [f"spam junk/{number:02}.eml\n", f"ham good/{number:02}.eml\n"]
    (tmp_path / "index").write_text("".join(lines))
    return tmp_path


@pytest.fixture
def nbmail(tmp_path, capsys):
    """`nbmail(command, …)` on the home of this test, or on the one named: exit code, output and complaints."""

    def run(command, *arguments, home=None):
        code = main([command, "--home", str(home or tmp_path / "home"), *map(str, arguments)])
        return code, *capsys.readouterr()

    return run
