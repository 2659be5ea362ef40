"""Screenshots of all scenes: `python -m tests.ui.pictures FOLDER [SCENE…]`.

Options: `--theme`, `--language`, `--size 800x600`, `--font 1.5` (factor of the font size) and
`--ratio 2` (device pixels for each pixel of the window).
"""

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from tests.ui import dialog_scenes, helpers, model_scenes, reading_scenes, scenes

SCENES = {
    name: show
    for module in (scenes, dialog_scenes, model_scenes, reading_scenes)
    for name, show in module.SCENES.items()
}


def main(arguments):
    """Draw the named scenes, or all."""
    chosen = read(arguments)
    chosen.folder.mkdir(parents=True, exist_ok=True)
    app = QApplication.instance() or make_application(chosen)
    font = app.font()
    font.setPointSizeF(font.pointSizeF() * chosen.font)
    app.setFont(font)
    scenes.LOOK = scenes.Look(chosen.theme, chosen.language, chosen.size)
    for name in chosen.states or SCENES:
        draw(name, chosen, app)
    return 0


def read(arguments):
    """Parse the command line."""
    reader = argparse.ArgumentParser(prog="window-pictures")
    reader.add_argument("folder", type=Path)
    reader.add_argument("states", nargs="*")
    reader.add_argument("--theme", choices=("light", "dark"))
    reader.add_argument("--language", choices=("en", "de"))
    reader.add_argument("--size", type=lambda text: tuple(map(int, text.split("x"))))
    reader.add_argument("--font", type=float, default=1.0)
    reader.add_argument("--ratio", type=int, default=1)
    return reader.parse_intermixed_args(arguments)


def make_application(chosen):
    """Create the application, with a screen of the requested size."""
    if chosen.ratio != 1:
        os.environ["QT_SCALE_FACTOR"] = str(chosen.ratio)
    if chosen.size and os.environ["QT_QPA_PLATFORM"] == "offscreen":
        width, height = (side * chosen.ratio for side in chosen.size)
        screen = {
            "name": "one",
            "x": 0,
            "y": 0,
            "width": width,
            "height": height,
            "logicalDpi": 96,
            "dpr": 1,
        }
        with tempfile.NamedTemporaryFile("w", suffix=".json") as described:
            json.dump({"screens": [screen]}, described)
            described.flush()
            os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={described.name}"
            return QApplication([])
    return QApplication([])


def draw(name, chosen, app):
    began = time.perf_counter()
    window = SCENES[name]()
    helpers.wait(250)
    path = str(chosen.folder / f"{name}.png")
    if os.environ["QT_QPA_PLATFORM"] == "xcb":
        app.primaryScreen().grabWindow(0).save(path)
    else:
        helpers.place_of(window).grab().save(path)
    sys.stdout.write(f"{name}: {time.perf_counter() - began:.1f} s\n")
    helpers.put_away(window)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
