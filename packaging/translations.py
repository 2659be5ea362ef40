"""Update `resources/translations` from the texts of the window, and compile them with PySide6's
lrelease.

New texts are added without translation, unused ones are removed. With `--check` nothing is written.
Exit code 1 means that a text is new, unused or not translated, or that a compiled file is outdated.
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
"""Number of texts among the first arguments of each translating function."""


def main(arguments: list[str]) -> int:
    """Update or check all languages."""
    wanted = find_texts()
    wrong = []
    for source in sorted(FOLDER.glob("nbmail_*.ts")):
        translated = read_translations(source)
        wrong += [f"{source.name}: {problem}" for problem in find_problems(wanted, translated)]
        if "--check" in arguments:
            if compile_source(source) != source.with_suffix(".qm").read_bytes():
                wrong.append(f"{source.name}: the .qm file is outdated")
            continue
        write_translations(source, {text: translated.get(text, "") for text in wanted})
        source.with_suffix(".qm").write_bytes(compile_source(source))
    for line in wrong:
        print(line)
    return 1 if wrong else 0


def find_texts() -> list[str]:
    """Return all texts of the window in alphabetical order, so that moved code changes no
    translation file.
    """
    texts = set[str]()
    for module in sorted((HOUSE / "nbmail" / "ui").rglob("*.py")):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                for argument in node.args[: NUMBERS_OF_TEXTS.get(node.func.id, 0)]:
                    if isinstance(argument, ast.Constant):
                        texts.add(str(argument.value))
    return sorted(texts)


def find_problems(wanted: list[str], translated: dict[str, str]) -> list[str]:
    """Return the problems of a translation."""
    found = [f"new: {text!r}" for text in wanted if text not in translated]
    found += [f"unused: {text!r}" for text in translated if text not in wanted]
    for text, translation in translated.items():
        if not translation:
            found.append(f"not translated: {text!r}")
        elif placeholders(text) != placeholders(translation):
            found.append(f"different placeholders: {text!r}, {translation!r}")
    return found


def placeholders(text: str) -> list[str]:
    """Return the placeholders and mnemonic marks of a text. They must be the same in every
    language.
    """
    return sorted(re.findall(r"\{\w*\}|%n|&(?=\w)", text))


def read_translations(source: Path) -> dict[str, str]:
    """Return each text with its translation, empty if it has none."""
    messages = tree.parse(source).getroot().iter("message")
    return {
        message.findtext("source", ""): message.findtext("translation", "") for message in messages
    }


def write_translations(source: Path, translated: dict[str, str]) -> None:
    """Write the translations in the format of Qt Linguist."""
    language = source.stem.partition("_")[2]
    root = tree.Element("TS", version="2.1", language=language, sourcelanguage="en")
    context = tree.SubElement(root, "context")
    tree.SubElement(context, "name").text = CONTEXT
    for text, translation in translated.items():
        message = tree.SubElement(context, "message")
        tree.SubElement(message, "source").text = text
        element = tree.SubElement(
            message, "translation", {} if translation else {"type": "unfinished"}
        )
        element.text = translation
    tree.indent(root, " ")
    words = tree.tostring(root, encoding="unicode")
    source.write_text(
        f'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n{words}\n', encoding="utf-8"
    )


def compile_source(source: Path) -> bytes:
    """Return the compiled translations."""
    import PySide6

    tool = next(Path(PySide6.__file__).parent.glob("**/lrelease*"))
    with tempfile.TemporaryDirectory() as folder:
        compiled = Path(folder) / "compiled.qm"
        subprocess.run([tool, "-silent", source, "-qm", compiled], check=True, capture_output=True)
        return compiled.read_bytes()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
