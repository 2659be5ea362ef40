"""The window on a real X server."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from tests.needs import need_program

ROOT = Path(__file__).parents[2]


@pytest.fixture
def display():
    """A new display. The server selects a free number."""
    server = need_program("Xvfb")
    reading, writing = os.pipe()
    command = [
        server,
        "-displayfd",
        str(writing),
        "-screen",
        "0",
        "1280x800x24",
        "-nolisten",
        "tcp",
    ]
    process = subprocess.Popen(
        command, pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    os.close(writing)
    with os.fdopen(reading) as numbers:
        number = numbers.readline().strip()
    yield f":{number}"
    process.terminate()
    process.wait(60)


def test_the_window_is_drawn_by_an_x_server(display, tmp_path):
    environment = {**os.environ, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb"}
    command = [
        sys.executable,
        "-m",
        "tests.ui.pictures",
        str(tmp_path),
        "light",
        "dark",
        "after_mark",
    ]
    subprocess.run(command, cwd=ROOT, env=environment, check=True, timeout=600)
    images = [QImage(str(tmp_path / f"{name}.png")) for name in ("light", "dark", "after_mark")]
    assert all((image.width(), image.height()) == (1280, 800) for image in images)
    colors = [image.pixelColor(640, 90).lightness() for image in images]
    assert colors[0] > 200
    assert colors[1] < 80
    colours = {
        images[2].pixelColor(x, y).name() for x in range(0, 1280, 3) for y in range(0, 800, 3)
    }
    assert len(colours) > 40
