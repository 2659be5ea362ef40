"""Pictures of the window in all its states, to look at: `window-pictures FOLDER [STATE…] [--theme …]`."""

from tests.ui.pictures import SCENES, main


def run(arguments):
    if not arguments:
        print("\n".join(scene.__name__ for scene in SCENES))
        return 0
    return main(arguments)
