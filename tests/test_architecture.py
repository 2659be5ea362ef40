"""The house rules that a machine can check: doors between rooms, sizes, docstrings, what the README's map says."""

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "nbmail"
MODULES = sorted(PACKAGE.rglob("*.py"))

ROOMS = {"core", "store", "sync", "worker", "exchange", "ui"}
SHELVES = {
    *("chunks", "errors", "html_hiding", "html_tags", "foreign_text", "log", "paths"),
    *("method_spec", "settings", "values", "version"),
}
FRONT = {"app", "cli", "demo", "__main__"}

# Which rooms, or single modules of a room, each room may import.
ALLOWED_IMPORTS = {
    "core": {"core", "errors", "foreign_text", "html_hiding", "html_tags", "method_spec", "chunks", "values"},
    "store": {"store", "core", "errors", "chunks", "paths", "foreign_text", "values"},
    "sync": {"sync", "core", "errors", "log", "settings", "values"},
    "worker": {
        "worker",
        "store",
        "core",
        "exchange",
        "sync.account_backend",
        "errors",
        "method_spec",
        "foreign_text",
        "chunks",
        "paths",
        "settings",
        "values",
    },
    "exchange": {"exchange", "core", "errors", "chunks", "method_spec", "values"},
    "ui": {
        "ui",
        "worker.protocol",
        # Values without logic that the engine passes on unchanged, and the cost setting's arithmetic.
        "core.scoring.explanation",
        "core.scoring.sorting.SortedState",
        "core.scoring.sorting.Stay",
        # Which folders are the user's own, for the choice of suggested folders.
        "core.folders.suggestions",
        # Names of formats of model files, and what the names of such files end with.
        "exchange.OWN",
        "exchange.SUFFIXES",
        # Values of the search for a mailbox.
        "sync.mailbox_values",
        "version",
        "errors",
        "html_hiding",
        "html_tags",
        "foreign_text",
        "method_spec",
        "settings",
        "paths",
        "values",
    },
}

# Which rooms may import these packages of others.
OUTSIDE = {
    "PySide6": {"ui", "app"},
    # What another filter keeps in a database is read where all formats are.
    "sqlite3": {"store", "exchange"},
    "imapclient": {"sync"},
    "imaplib": {"sync"},
    "socket": {"sync"},
    "ssl": {"sync"},
    "mailbox": {"sync", "cli"},
    "keyring": {"sync"},
    "dns": {"sync"},
    "oauthlib": {"sync"},
    "pymap": {"demo"},
    "pickle": set(),
}

# The engine is a thread for the program and a protocol for the window, which may not know the thread.
SAME_ON_PURPOSE = {"Engine"}

MOST_MODULES = 15


def name_of(path):
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")


def room_of(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@cache
def tree_of(path):
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports_of(path):
    """All imports of a module, those inside functions included, as dotted names."""
    here = ("nbmail." + name_of(path)).split(".")
    package, found = here if path.name == "__init__.py" else here[:-1], set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) + "." if node.level else ""
            module = (base + (node.module or "")).strip(".")
            found.update([module, *(f"{module}.{alias.name}" for alias in node.names)])
    return found


def inside(target):
    """The part behind `nbmail.` of a dotted name, None for other packages and the package itself."""
    head, _, rest = target.partition(".")
    return rest if head == "nbmail" and rest else None


def may_open(room, target):
    return any(target == door or target.startswith(door + ".") for door in ALLOWED_IMPORTS[room])


def targets_of(path):
    """What it imports of this program."""
    return {target for found in imports_of(path) if (target := inside(found))}


def wrong_in(modules, look):
    """What this look finds wrong, by module."""
    return {name_of(path): found for path in modules if (found := look(path))}


def test_only_doors_are_opened():
    def look(path):
        doors = ALLOWED_IMPORTS[room_of(path)]
        wrong = {target for target in targets_of(path) if not may_open(room_of(path), target)}
        # `from nbmail.worker import protocol` names the room on the way to the module behind the door.
        return {target for target in wrong if not any(door.startswith(target + ".") for door in doors)}

    assert wrong_in([path for path in MODULES if room_of(path) in ROOMS], look) == {}


def test_no_modules_import_each_other_in_a_ring():
    """Neither directly nor over others, imports inside functions and for types included."""
    known = {name_of(path) for path in MODULES if path.name != "__init__.py"}
    wanted = {name_of(path): targets_of(path) & known - {name_of(path)} for path in MODULES}
    while ends := {name for name, targets in wanted.items() if not targets & wanted.keys()}:
        wanted = {name: targets for name, targets in wanted.items() if name not in ends}
    while starts := wanted.keys() - {target for targets in wanted.values() for target in targets}:
        wanted = {name: targets for name, targets in wanted.items() if name not in starts}
    assert sorted(wanted) == [], "rings among these"


def test_folders_are_seen_at_a_glance():
    folders = {path.parent for path in MODULES}
    sizes = {folder.name: len([*folder.glob("*.py")]) - 1 for folder in folders}
    assert {name: size for name, size in sizes.items() if size > MOST_MODULES} == {}


def test_libraries_stay_in_their_rooms():
    def look(path):
        heads = {found.partition(".")[0] for found in imports_of(path)}
        return {head for head in heads & OUTSIDE.keys() if room_of(path) not in OUTSIDE[head]}

    assert wrong_in(MODULES, look) == {}


def test_shelves_know_no_room():
    def look(path):
        return {target for target in targets_of(path) if target.split(".")[0] in ROOMS | FRONT}

    assert wrong_in([path for path in MODULES if room_of(path) in SHELVES], look) == {}


def test_nobody_imports_the_front():
    def look(path):
        fronts = {target.split(".")[0] for target in targets_of(path)}
        # The demo is a home and a server for it: the program knows it, it doesn't know the program.
        allowed = {room_of(path), *(["demo"] if room_of(path) == "app" else [])}
        return fronts & {"app", "cli", "demo"} - allowed

    assert wrong_in([path for path in MODULES if name_of(path) != "__main__"], look) == {}


def test_pieces_are_small():
    def look(path):
        lines = path.read_text(encoding="utf-8").count("\n")
        found = [f"{lines} lines"] if lines > 400 else []
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or 0) - node.lineno + 1
                found += [f"{node.name}: {length} lines"] if length > 50 else []
            if isinstance(node, ast.ClassDef):
                public = [each for each in node.body if isinstance(each, ast.FunctionDef) and each.name[0] != "_"]
                found += [f"{node.name}: {len(public)} methods"] if len(public) > 15 else []
        return found

    assert wrong_in(MODULES, look) == {}


def test_modules_and_public_classes_have_docstrings():
    def look(path):
        tree = tree_of(path)
        classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]
        return [getattr(node, "name", "the module") for node in (tree, *classes) if not ast.get_docstring(node)]

    assert wrong_in(MODULES, look) == {}


def test_one_class_name_means_one_thing():
    places = {}
    for path in MODULES:
        for node in tree_of(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(name_of(path))
    assert {name: where for name, where in places.items() if len(where) > 1 and name not in SAME_ON_PURPOSE} == {}


def test_broad_catches_stand_only_where_a_thread_begins_or_damage_is_looked_for():
    def look(path):
        handlers = [node for node in ast.walk(tree_of(path)) if isinstance(node, ast.ExceptHandler)]
        return [one.lineno for one in handlers if _catches_all(one) and not _passes_on(one)]

    assert wrong_in(MODULES, look).keys() <= {"worker.engine.engine", "sync.account", "store.doctor"}


def _catches_all(handler):
    kind = handler.type
    return kind is None or (isinstance(kind, ast.Name) and kind.id in {"Exception", "BaseException"})


def _passes_on(handler):
    """Whether it only cleans up: its last statement raises the same error again."""
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None


@pytest.mark.parametrize(
    "module",
    ["nbmail.worker.protocol", "nbmail.worker.engine.engine", "nbmail.sync.account_backend", "nbmail.cli.main"],
)
def test_no_qt_is_loaded_below_the_window(module):
    code = f"import sys, {module}; sys.exit(any(name.startswith('PySide6') for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_readme_draws_the_house_as_it_is():
    text = (PACKAGE / "README.md").read_text(encoding="utf-8")
    house = text.partition("nbmail/\n")[2].partition("```")[0]
    drawn = dict(re.findall(r"^  (\w+)/ .*\n((?:    [\w/ ]+\n)?)", house, re.MULTILINE))
    assert drawn.keys() == ROOMS | {"app", "cli", "demo"}
    for room in ROOMS:
        inside = {path.parent.name for path in (PACKAGE / room).glob("*/__init__.py")}
        assert {name.strip("/") for name in drawn[room].split()} == inside, room
    assert set(re.findall(r"^(\w+)/", house, re.MULTILINE)) == {"resources", "tests", "packaging"}


DOCUMENTS = ["README.md", "CONTRIBUTING.md", "nbmail/README.md", "tests/bench/MEASUREMENTS.md"]


def test_every_path_in_the_documents_exists():
    named = {
        path
        for document in DOCUMENTS
        for path in re.findall(r"`((?:\w+/)+(?:\w+\.\w+)?)`", (ROOT / document).read_text(encoding="utf-8"))
    }
    assert len(named) > 5
    assert sorted(path for path in named if not any((root / path).exists() for root in (ROOT, PACKAGE))) == []


def test_the_top_level_holds_nothing_else():
    code = {"pyproject.toml", "setup.py", "MANIFEST.in", "Makefile"}
    texts = {"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE"}
    allowed = code | texts | {"nbmail", "resources", "tests", "packaging"}
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    top = {line.split("/")[0] for line in listed.stdout.splitlines()}
    assert {name for name in top if not name.startswith(".")} <= allowed


def test_no_index_address_and_no_foreign_path_is_committed():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    suspicious = re.compile(rb"--(?:extra-)?index-url|pythonhosted|pypi\.org/simple|/work/main|/root/")
    for name in listed.stdout.splitlines():
        if name != "tests/test_architecture.py" and (ROOT / name).is_file():
            found = suspicious.search((ROOT / name).read_bytes())
            assert found is None, f"{name}: {found.group()!r}"
