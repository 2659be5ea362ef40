"""The house rules that a machine can check: doors between rooms, sizes, docstrings, what the README's map says."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "nbmail"
MODULES = sorted(PACKAGE.rglob("*.py"))

ROOMS = {"core", "store", "sync", "worker", "exchange", "ui"}
SHELVES = {"errors", "pieces", "paths", "settings", "settings_file", "log", "values"}
FRONT = {"app", "cli", "demo", "__main__"}

# Which rooms, or single modules of a room, each room may import.
DOORS = {
    "core": {"core", "errors", "pieces"},
    "store": {"store", "core", "errors", "pieces", "paths", "values"},
    "sync": {"sync", "core", "errors", "settings", "values"},
    "worker": {"worker", "store", "core", "exchange", "sync.desk", "errors", "pieces", "paths", "settings", "values"},
    "exchange": {"exchange", "core", "errors", "pieces", "values"},
    "ui": {"ui", "worker.protocol", "errors", "settings", "paths", "values"},
}

# Which rooms may import these packages of others.
OUTSIDE = {
    "PySide6": {"ui", "app"},
    "sqlite3": {"store"},
    "imapclient": {"sync"},
    "imaplib": {"sync"},
    "socket": {"sync"},
    "ssl": {"sync"},
    "mailbox": {"sync", "cli"},
    "keyring": {"sync"},
    "pymap": {"demo"},
    "pickle": set(),
}

# Larger than the rule allows, each with its reason. The list may only shrink.
LONG_FUNCTIONS: dict[str, str] = {}
LONG_MODULES: dict[str, str] = {
    "worker/protocol.py": "one value after the other, no logic: the whole contract is read in one place",
}
WIDE_CLASSES: dict[str, str] = {}


MOST_MODULES = 14


def name_of(path):
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")


def room_of(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports_of(path):
    """All imports of a module, those inside functions included, as dotted names."""
    here = ("nbmail." + name_of(path)).split(".")
    package = here if path.name == "__init__.py" else here[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) + "." if node.level else ""
            module = (base + (node.module or "")).strip(".")
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def inside(target):
    """The part behind `nbmail.` of a dotted name, None for other packages and the package itself."""
    head, _, rest = target.partition(".")
    return rest if head == "nbmail" and rest and not rest.startswith("__version__") else None


def may_open(room, target):
    return any(target == door or target.startswith(door + ".") for door in DOORS[room])


@pytest.mark.parametrize("path", [path for path in MODULES if room_of(path) in ROOMS], ids=name_of)
def test_every_door_may_be_opened(path):
    targets = {target for found in imports_of(path) if (target := inside(found))}
    wrong = {target for target in targets if not may_open(room_of(path), target)}
    # `from nbmail.worker import protocol` names the room on the way to the module behind the door.
    passing = {target for target in wrong if any(door.startswith(target + ".") for door in DOORS[room_of(path)])}
    assert wrong - passing == set()


def test_no_modules_import_each_other_in_a_ring():
    """Neither directly nor over others, imports inside functions and for types included."""
    known = {name_of(path) for path in MODULES}
    wanted = {
        name_of(path): {
            target
            for found in imports_of(path)
            if (target := inside(found)) in known and target != name_of(path) and not is_package(target)
        }
        for path in MODULES
    }
    while ready := {name for name, targets in wanted.items() if not targets & wanted.keys()}:
        for name in ready:
            del wanted[name]
    assert sorted(wanted) == [], "each of these reaches itself, or a ring"


def is_package(name):
    return (PACKAGE / name.replace(".", "/") / "__init__.py").is_file()


@pytest.mark.parametrize("folder", sorted({path.parent for path in MODULES}), ids=lambda path: path.name)
def test_folders_are_seen_at_a_glance(folder):
    assert len([path for path in folder.glob("*.py") if path.name != "__init__.py"]) <= MOST_MODULES


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_libraries_stay_in_their_rooms(path):
    heads = {found.partition(".")[0] for found in imports_of(path)}
    for head in heads & OUTSIDE.keys():
        assert room_of(path) in OUTSIDE[head], f"{head} does not belong in {name_of(path)}"


@pytest.mark.parametrize("path", [path for path in MODULES if room_of(path) in SHELVES], ids=name_of)
def test_shelves_know_no_room(path):
    targets = {target for found in imports_of(path) if (target := inside(found))}
    assert {target for target in targets if target.split(".")[0] in ROOMS | FRONT} == set()


@pytest.mark.parametrize("path", [path for path in MODULES if name_of(path) != "__main__"], ids=name_of)
def test_nobody_imports_the_front(path):
    fronts = {target.split(".")[0] for found in imports_of(path) if (target := inside(found))}
    # The demo is a home and a server for it: the program knows it, it doesn't know the program.
    assert fronts & {"app", "cli"} <= {room_of(path)}
    assert "demo" not in fronts or room_of(path) in {"app", "demo"}


def functions_of(tree):
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_pieces_are_small(path):
    where = path.relative_to(PACKAGE).as_posix()
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    assert text.count("\n") <= 400 or where in LONG_MODULES
    for function in functions_of(tree):
        lines = (function.end_lineno or 0) - function.lineno + 1
        assert lines <= 50 or f"{where}:{function.name}" in LONG_FUNCTIONS, f"{function.name} has {lines} lines"
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            public = [each for each in node.body if isinstance(each, ast.FunctionDef) and each.name[0] != "_"]
            assert len(public) <= 15 or f"{where}:{node.name}" in WIDE_CLASSES, f"{node.name}: {len(public)} methods"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_everything_public_says_what_it_is(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    public = [tree, *(node for node in tree.body if _is_public_definition(node))]
    for node in [inner for inner in public if isinstance(inner, ast.ClassDef)]:
        public += [inner for inner in node.body if _is_public_definition(inner)]
    silent = [getattr(node, "name", "the module") for node in public if not ast.get_docstring(node)]
    assert silent == []


def _is_public_definition(node):
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return False
    setter = any(isinstance(mark, ast.Attribute) and mark.attr == "setter" for mark in node.decorator_list)
    # Qt's own handlers (paintEvent, rowCount, …) are documented by Qt.
    return not node.name.startswith("_") and not setter and node.name.lower() == node.name


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_broad_catches_stand_only_where_a_thread_begins(path):
    # The last is where a process begins.
    allowed = {"worker/engine/engine.py", "sync/account.py", "worker/intake/parcels.py"}
    tree = ast.parse(path.read_text(encoding="utf-8"))
    broad = [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.ExceptHandler) and _catches_all(node) and not _passes_on(node)
    ]
    assert not broad or path.relative_to(PACKAGE).as_posix() in allowed, f"lines {broad}"


def _catches_all(handler):
    kind = handler.type
    return kind is None or (isinstance(kind, ast.Name) and kind.id in {"Exception", "BaseException"})


def _passes_on(handler):
    """Whether it only cleans up: its last statement raises the same error again."""
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None


@pytest.mark.parametrize(
    "module", ["nbmail.worker.protocol", "nbmail.sync.desk", "nbmail.core.judging.model", "nbmail.cli.main"]
)
def test_no_qt_is_loaded_below_the_window(module):
    code = f"import sys, {module}; sys.exit(any(name.startswith('PySide6') for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_readme_draws_the_house_as_it_is():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    drawn = set(re.findall(r"^  (\w+)/ ", text.partition("nbmail/\n")[2].partition("```")[0], re.MULTILINE))
    assert drawn == ROOMS | {"app", "cli", "demo"}
    top = set(re.findall(r"^(\w+)/", text.partition("nbmail/\n")[2].partition("```")[0], re.MULTILINE))
    assert top == {"resources", "tests", "packaging"}


def test_the_top_level_holds_nothing_else():
    allowed = {"pyproject.toml", "README.md", "LICENSE", "Makefile", "nbmail", "resources", "tests", "packaging"}
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
        if name != "tests/test_house.py" and (ROOT / name).is_file():
            found = suspicious.search((ROOT / name).read_bytes())
            assert found is None, f"{name}: {found.group()!r}"
