"""Rules of the architecture that a machine can check: allowed imports, sizes, docstrings, paths in
the documents.
"""

import ast
import re
import subprocess
import sys
import tokenize
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "nbmail"
MODULES = sorted(PACKAGE.rglob("*.py"))

# Packages, or single modules of a package, that each package may import.
ALLOWED_IMPORTS = {
    "text": {"text"},
    "html": {"html"},
    "core": {
        "core",
        "errors",
        "text",
        "html",
        "method_spec",
        "chunks",
        "values",
    },
    "lab": {"lab", "core", "chunks", "method_spec", "values"},
    "store": {"store", "core", "errors", "chunks", "paths", "private_files", "text", "values"},
    "sync": {"sync", "core", "chunks", "errors", "settings", "text", "values"},
    "worker": {
        "worker",
        "store",
        "core",
        "lab.laboratory",
        "exchange",
        "sync.account_backend",
        "errors",
        "method_spec",
        "text",
        "chunks",
        "paths",
        "private_files",
        "settings",
        "values",
    },
    "exchange": {"exchange", "core", "errors", "chunks", "method_spec", "values"},
    "ui": {
        "ui",
        # Requests; their results, and events.
        "worker.engine.engine.Engine",
        "worker.protocol",
        # Values without logic that the engine passes on unchanged, and the cost setting's
        # arithmetic.
        "core.explaining.explanation",
        "core.scoring.typicality.Typicality",
        "core.scoring.verdict.Costs",
        "core.evaluation.proportion.Proportion",
        "core.evaluation.tested_models.Candidate",
        "core.evaluation.tested_models.LearningPoint",
        "core.evaluation.tested_models.MethodChoice",
        "core.sorting.sorted_message.SortedMessage",
        "core.sorting.sorted_message.SortedState",
        "core.sorting.exemptions.Stay",
        # Which folders are the user's own, for the choice of suggested folders.
        "core.folders.own_folders",
        "core.folders.suggestions",
        "core.folders.filing_record",
        # Names of formats of model files, their programs, and what the names of such files end
        # with.
        "exchange.FORMATS",
        "exchange.OWN",
        "exchange.WRITABLE",
        # Values of the search for a mailbox.
        "sync.mailbox_values",
        "version",
        "errors",
        "html",
        "text",
        "method_spec",
        "settings",
        "paths",
        "values",
    },
}

# Modules at C, SQLite, JSON and imaplib, whose values have no types. No package shows these types
# to another one.
UNTYPED = {
    *("core.compiled", "store.files.connection", "store.files.derived_file"),
    *("store.model.array_file", "store.model.model_arrays"),
    *("sync.imap.protocol.imap_connection", "sync.imap.protocol.open_folder"),
}

PACKAGES = ALLOWED_IMPORTS.keys()
TOP = {"app", "cli", "demo"}

# Packages that may import these libraries.
LIBRARIES = {
    "PySide6": {"ui", "app"},
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

MOST_MODULES = 15
MOST_METHODS = 15
# Tokens a line of code: in the mean of all modules, and in any module of 15 lines or more.
MOST_TOKENS = 9
MOST_TOKENS_OF_A_MODULE = 13
FEW_LINES = 15
LAYOUT = {
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
    tokenize.COMMENT,
}


def name_of(path):
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")


def package_of(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@cache
def tree_of(path):
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports_of(path):
    """Return all imports of a module, also those inside functions, as dotted names."""
    here = ("nbmail." + name_of(path)).split(".")
    package = here if path.name == "__init__.py" else here[:-1]
    found = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) + "." if node.level else ""
            module = (base + (node.module or "")).strip(".")
            found.update([module, *(f"{module}.{alias.name}" for alias in node.names)])
    return found


def own_imports_of(path):
    """Return the imports from this program, without its name."""
    return {name.removeprefix("nbmail.") for name in imports_of(path) if name.startswith("nbmail.")}


def packages_imported_by(path):
    return {name.partition(".")[0] for name in own_imports_of(path)}


def violations(check, modules=MODULES):
    """Return what `check` finds by module."""
    return {name_of(path): found for path in modules if (found := check(path))}


def test_packages_import_only_what_is_allowed():
    def check(path):
        allowed = ALLOWED_IMPORTS[package_of(path)]
        # `from nbmail.worker import protocol` also names the package above an allowed module.
        return {
            name
            for name in own_imports_of(path)
            if not any(
                name == each or name.startswith(each + ".") or each.startswith(name + ".")
                for each in allowed
            )
        }

    assert violations(check, [path for path in MODULES if package_of(path) in PACKAGES]) == {}


def test_one_function_of_the_engine_imports_the_laboratory():
    modules = [path for path in MODULES if package_of(path) == "worker"]
    loading = [name_of(path) for path in modules if "lab" in packages_imported_by(path)]
    assert loading == ["worker.model.laboratory"]
    tree = tree_of(PACKAGE / "worker/model/laboratory.py")
    functions = [
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and any(isinstance(each, ast.ImportFrom) for each in node.body)
    ]
    assert functions == ["load_laboratory"]


def test_modules_have_no_import_cycle():
    """Imports inside functions and for types count, too."""
    known = {name_of(path) for path in MODULES if path.name != "__init__.py"}
    wanted = {name_of(path): own_imports_of(path) & known - {name_of(path)} for path in MODULES}
    while ends := {name for name, names in wanted.items() if not names & wanted.keys()}:
        wanted = {name: names for name, names in wanted.items() if name not in ends}
    while starts := wanted.keys() - {name for names in wanted.values() for name in names}:
        wanted = {name: names for name, names in wanted.items() if name not in starts}
    assert sorted(wanted) == []


def test_libraries_are_imported_only_by_their_packages():
    def check(path):
        heads = {found.partition(".")[0] for found in imports_of(path)}
        return {
            head for head in heads & LIBRARIES.keys() if package_of(path) not in LIBRARIES[head]
        }

    assert violations(check) == {}


def test_shared_modules_import_no_package_and_no_module_imports_the_top():
    def check(path):
        heads = {name.split(".")[0] for name in own_imports_of(path)}
        is_shared = path.parent == PACKAGE and path.stem not in ("__main__", "__init__")
        # The demo is a data folder with a server: the program imports it.
        allowed = {"__main__": TOP, "app": {"app", "demo"}}.get(
            package_of(path), {package_of(path)}
        )
        return heads & (TOP | PACKAGES - {"text"} if is_shared else TOP) - allowed

    assert violations(check) == {}


def test_classes_and_folders_are_small():
    def check(path):
        classes = [node for node in ast.walk(tree_of(path)) if isinstance(node, ast.ClassDef)]
        found = []
        for node in classes:
            public = [
                each
                for each in node.body
                if isinstance(each, ast.FunctionDef) and not each.name.startswith("_")
            ]
            if len(public) > MOST_METHODS:
                found.append(f"{node.name}: {len(public)} methods")
        return found

    assert violations(check) == {}
    folders = {path.parent for path in MODULES}
    sizes = {folder.name: len([*folder.glob("*.py")]) - 1 for folder in folders}
    assert {name: size for name, size in sizes.items() if size > MOST_MODULES} == {}


def code_tokens(path):
    """Return the tokens of a module's code, without docstrings and comments."""
    strings = [
        node
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    ]
    documented = {line for node in strings for line in range(node.lineno, node.end_lineno + 1)}
    with path.open(encoding="utf-8") as file:
        tokens = list(tokenize.generate_tokens(file.readline))
    return [
        token for token in tokens if token.type not in LAYOUT and token.start[0] not in documented
    ]


def test_lines_are_not_packed():
    """A mean of tokens a line that everybody can read, and no module far above it."""
    tokens = {path: code_tokens(path) for path in MODULES}
    lines = {path: {token.start[0] for token in tokens[path]} for path in MODULES}
    packed = {
        name_of(path): round(len(tokens[path]) / len(lines[path]), 1)
        for path in MODULES
        if len(lines[path]) >= FEW_LINES
        and len(tokens[path]) / len(lines[path]) > MOST_TOKENS_OF_A_MODULE
    }
    assert packed == {}
    mean = sum(map(len, tokens.values())) / sum(map(len, lines.values()))
    assert mean <= MOST_TOKENS


def test_a_statement_assigns_one_value():
    """Swaps and pairs that are one thing, such as x and y, are few. Triples are none."""
    widths = [
        len(node.value.elts)
        for path in MODULES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Tuple)
        and isinstance(node.targets[0], ast.Tuple)
    ]
    lines = sum(path.read_text(encoding="utf-8").count("\n") for path in MODULES)
    assert max(widths, default=0) <= 2
    assert 1000 * len(widths) <= lines


def public_types(body):
    """Yield the public names of a module and of its classes, each with its types."""
    for node in body:
        if isinstance(node, ast.ClassDef) and node.name[0] != "_":
            yield from public_types(node.body)
        elif isinstance(node, ast.FunctionDef) and (node.name[0] != "_" or node.name == "__init__"):
            yield node.name, [node.args, node.returns or node.args]
        elif isinstance(node, ast.Assign | ast.AnnAssign) and ast.unparse(node)[0] != "_":
            yield ast.unparse(node), [node]


def test_public_types_of_the_packages_below_the_window_are_known():
    def check(path):
        types = public_types(tree_of(path).body)
        return [
            name
            for name, parts in types
            if any("Any" in re.findall(r"\w+", ast.unparse(each)) for each in parts)
        ]

    below = [
        path
        for path in MODULES
        if package_of(path) not in TOP | {"ui"} and name_of(path) not in UNTYPED
    ]
    assert violations(check, below) == {}


def test_modules_and_public_classes_have_docstrings():
    def check(path):
        tree = tree_of(path)
        classes = [
            node
            for node in tree.body
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
        ]
        return [
            getattr(node, "name", "the module")
            for node in (tree, *classes)
            if not ast.get_docstring(node)
        ]

    assert violations(check) == {}


def test_names_of_public_classes_are_unique():
    places = {}
    for path in MODULES:
        for node in tree_of(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(name_of(path))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_all_exceptions_are_caught_only_where_a_thread_begins_or_damage_is_examined():
    def check(path):
        handlers = [node for node in ast.walk(tree_of(path)) if isinstance(node, ast.ExceptHandler)]
        broad = [
            one
            for one in handlers
            if one.type is None or ast.unparse(one.type) in ("Exception", "BaseException")
        ]
        # A handler that ends with `raise` only cleans up.
        return [
            one.lineno
            for one in broad
            if not (isinstance(one.body[-1], ast.Raise) and one.body[-1].exc is None)
        ]

    assert violations(check).keys() <= {
        "worker.engine.engine_thread",
        "sync.accounts.account_thread",
        "store.doctor",
    }


@pytest.mark.parametrize(
    "module",
    [
        "worker.protocol",
        "worker.engine.engine",
        "sync.account_backend",
        "cli.main",
        "cli.commands.watch",
    ],
)
def test_qt_is_not_imported_below_the_window(module):
    code = (
        f"import sys, nbmail.{module}; sys.exit(any(name.startswith('PySide6') for name in "
        f"sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_readme_lists_all_packages():
    text = (PACKAGE / "README.md").read_text(encoding="utf-8")
    tree = text.partition("nbmail/\n")[2].partition("```")[0]
    listed = dict(re.findall(r"^  (\w+)/ .*\n((?:    [\w/ ]+\n)?)", tree, re.MULTILINE))
    assert listed.keys() == PACKAGES | TOP
    for package in PACKAGES:
        inside = {path.parent.name for path in (PACKAGE / package).glob("*/__init__.py")}
        assert {name.strip("/") for name in listed[package].split()} == inside, package
    deeper = {path.parent.relative_to(PACKAGE).as_posix() for path in MODULES}
    deeper = {f"{name}/" for name in deeper if name.count("/") > 1}
    assert deeper <= set(re.findall(r"^\| `([\w/]+/)` \|", text, re.MULTILINE))
    assert set(re.findall(r"^(\w+)/", tree, re.MULTILINE)) == {"resources", "tests", "packaging"}


def declared_requests():
    """Return the names of the engine's requests by subject, as its class declares them."""
    source = (PACKAGE / "worker/engine/engine.py").read_text(encoding="utf-8")
    subjects = {}
    for subject, name in re.findall(r"^    (?:# (.+)|(\w+) = )", source, re.MULTILINE):
        if subject:
            subjects[subject] = []
        else:
            [*subjects.values()][-1].append(name)
    return subjects


def test_the_readme_lists_all_requests():
    text = (PACKAGE / "README.md").read_text(encoding="utf-8")
    section = text.partition("## Requests\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (.+) \| (`.+`) \|$", section, re.MULTILINE)
    listed = {subject: re.findall(r"`(\w+)`", names) for subject, names in rows}
    assert listed == declared_requests()


def test_the_window_uses_only_requests_of_the_engine():
    known = {name for names in declared_requests().values() for name in names}

    def check(path):
        uses = re.findall(r"\bengine\.(\w+)", path.read_text(encoding="utf-8"))
        return set(uses) - known - {"engine"}

    windows = [path for path in MODULES if package_of(path) == "ui"]
    assert violations(check, windows) == {}


DOCUMENTS = ["README.md", "CONTRIBUTING.md", "nbmail/README.md", "tests/bench/MEASUREMENTS.md"]


def test_paths_in_the_documents_exist():
    texts = [(ROOT / document).read_text(encoding="utf-8") for document in DOCUMENTS]
    named = {path for text in texts for path in re.findall(r"`((?:\w+/)+(?:\w+\.\w+)?)`", text)}
    assert len(named) > 5
    assert (
        sorted(
            path for path in named if not any((root / path).exists() for root in (ROOT, PACKAGE))
        )
        == []
    )


def test_committed_files_are_at_their_place_and_name_no_index_and_no_machine():
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    names = listed.stdout.splitlines()
    code = {
        "pyproject.toml",
        "setup.py",
        "MANIFEST.in",
        "Makefile",
        "nbmail",
        "resources",
        "tests",
        "packaging",
    }
    texts = {"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE"}
    assert {top for name in names if (top := name.split("/")[0])[0] != "."} <= code | texts
    suspicious = re.compile(
        rb"--(?:extra-)?index-url|pythonhosted|pypi\.org/simple|/work/main|/root/"
    )
    for name in names:
        if name != "tests/test_architecture.py" and (ROOT / name).is_file():
            found = suspicious.search((ROOT / name).read_bytes())
            assert found is None, f"{name}: {found.group()!r}"
