"""Keep `resources/translations` in step with the texts of the window, and compile them: needs PySide6's lrelease.

A text that is new is added without its translation, for somebody to write; one that is gone leaves. With `--check`
nothing is written; 1 if a text is new, gone or not translated, or if a compiled file is not that of its source.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree
from pathlib import Path

HOUSE = Path(__file__).resolve().parent.parent
FOLDER = HOUSE / "resources" / "translations"
CONTEXT = "nbmail"
NUMBERS_OF_TEXTS = {"tr": 1, "tr_count": 2}
"""The functions a text passes through, and how many each takes."""


def main(arguments: list[str]) -> int:
    """Bring every language up to date, or with `--check` say what is not."""
    wanted, wrong = find_texts(), []
    for source in sorted(FOLDER.glob("nbmail_*.ts")):
        translated = read_translations(source)
        wrong += [f"{source.name}: {error_code}" for error_code in find_troubles(wanted, translated)]
        if "--check" in arguments:
            if compile_source(source) != source.with_suffix(".qm").read_bytes():
                wrong.append(f"{source.name}: the .qm file beside it is an older one")
            continue
        write_translations(source, {text: translated.get(text, "") for text in wanted})
        source.with_suffix(".qm").write_bytes(compile_source(source))
    for line in wrong:
        print(line)
    return 1 if wrong else 0


def find_texts() -> list[str]:
    """Every text of the window, in the order of its modules."""
    texts: dict[str, None] = {}
    for module in sorted((HOUSE / "nbmail" / "ui").rglob("*.py")):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                for argument in node.args[: NUMBERS_OF_TEXTS.get(node.func.id, 0)]:
                    if isinstance(argument, ast.Constant):
                        texts[str(argument.value)] = None
    return list(texts)


def find_troubles(wanted: list[str], translated: dict[str, str]) -> list[str]:
    """What a translator still has to do."""
    found = [f"new: {text!r}" for text in wanted if text not in translated]
    found += [f"gone: {text!r}" for text in translated if text not in wanted]
    for text, translation in translated.items():
        if not translation:
            found.append(f"not translated: {text!r}")
        elif places(text) != places(translation):
            found.append(f"other places to fill in: {text!r}, {translation!r}")
    return found


def places(text: str) -> list[str]:
    """What is filled in later: these have to be the same in every language. So has the mark of a key."""
    return sorted(re.findall(r"\{\w*\}|%n|&(?=\w)", text))


def read_translations(source: Path) -> dict[str, str]:
    """Each text with its translation, empty where there is none."""
    messages = tree.parse(source).getroot().iter("message")
    return {message.findtext("source", ""): message.findtext("translation", "") for message in messages}


def write_translations(source: Path, translated: dict[str, str]) -> None:
    """In the form of Qt Linguist, so that it can be edited there, too."""
    language = source.stem.partition("_")[2]
    root = tree.Element("TS", version="2.1", language=language, sourcelanguage="en")
    context = tree.SubElement(root, "context")
    tree.SubElement(context, "name").text = CONTEXT
    for text, translation in translated.items():
        message = tree.SubElement(context, "message")
        tree.SubElement(message, "source").text = text
        element = tree.SubElement(message, "translation", {} if translation else {"type": "unfinished"})
        element.text = translation
    tree.indent(root, " ")
    words = tree.tostring(root, encoding="unicode")
    source.write_text(f'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n{words}\n', encoding="utf-8")


def compile_source(source: Path) -> bytes:
    """What the window reads."""
    import PySide6

    tool = next(Path(PySide6.__file__).parent.glob("**/lrelease*"))
    with tempfile.TemporaryDirectory() as folder:
        compiled = Path(folder) / "compiled.qm"
        subprocess.run([tool, "-silent", source, "-qm", compiled], check=True, capture_output=True)
        return compiled.read_bytes()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
