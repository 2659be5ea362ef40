"""Style sheets of a page, and their effects on its tags."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import combinations
from typing import NamedTuple

from nbmail.html.effects import INHERITED, OTHER, Effect, read_declarations
from nbmail.html.tags import Tag, read_tag

LONGEST_SHEET = 200_000
"""Letters of a sheet that are read."""
MOST_SELECTORS = 100
"""Selectors of a rule that are read."""
MOST_CLASSES = 20
MOST_PAIRED = 8
"""Classes of an element that are looked up, and those of them in pairs."""
_CSS_COMMENT = re.compile(r"/\*.*?(?:\*/|$)|<!--|-->", re.DOTALL)
_BRACKET = re.compile(r"([{}])")
_EVERY_SCREEN = re.compile(r"@media\s+(?:only\s+)?(?:all|screen)")
_SELECTOR = re.compile(r"([a-zA-Z][a-zA-Z0-9]*|\*)?((?:[.#][\w-]+){0,2})")
_NAME = re.compile(r"[.#][\w-]+")
_NAMED = re.compile(r"(?:class|id)\s*=", re.IGNORECASE)
_SHOWN = re.compile(r"display\s*:\s*(?!none)[a-z]|visibility\s*:\s*visible")


class Rule(NamedTuple):
    """Effect of a rule. `shows`: the rule states that its elements are displayed."""

    effect: Effect
    shows: bool = False


def read_rules(sheets: Sequence[str]) -> dict[str, Rule]:
    """Return the rules of style sheets by their selectors.

    A selector is an element, up to two classes or ids, or both. Rules for some media only are left
    out. Rules with other selectors hide nothing here, because the elements that they select are not
    known. Of their effect it only counts that the last of the selected elements might be shown.
    """
    rules: dict[str, Rule] = {}
    for sheet in sheets:
        for selector, rule in _read_sheet(sheet[:LONGEST_SHEET]):
            before = rules.get(selector)
            rules[selector] = rule if before is None else _merged(before, rule)
    return rules


@lru_cache(64)
def _read_sheet(sheet: str) -> list[tuple[str, Rule]]:
    """Return the rules of a sheet with their selectors, in order."""
    found = list[tuple[str, Rule]]()
    depth = 0
    # Depth of the block that is skipped, 0 for none.
    skipped = 0
    prelude = ""
    chunks = _BRACKET.split(_CSS_COMMENT.sub("", sheet))
    for text, bracket in zip(chunks[::2], chunks[1::2], strict=False):
        if bracket == "{":
            depth += 1
            prelude = text.rpartition(";")[2].strip()
            if not skipped and _is_for_some_media(prelude):
                skipped = depth
            continue
        if prelude and not skipped and not prelude.startswith("@"):
            found += _rules_of(prelude, text.lower())
        prelude = ""
        depth = max(0, depth - 1)
        if depth < skipped:
            skipped = 0
    return found


def _is_for_some_media(prelude: str) -> bool:
    """True for a block that not every screen reads."""
    return prelude.startswith("@") and not _EVERY_SCREEN.fullmatch(prelude.lower())


def _rules_of(prelude: str, declarations: str) -> Iterator[tuple[str, Rule]]:
    """Yield the selectors of a rule, each with its effect."""
    effect = read_declarations(declarations)
    shows = bool(_SHOWN.search(declarations))
    if effect == INHERITED and not shows:
        return
    for selector in prelude.split(",")[:MOST_SELECTORS]:
        *around, last = selector.replace(">", " ").split() or [""]
        found = _SELECTOR.fullmatch(last)
        if found is None:
            continue
        name = (found[1] or "").lower().strip("*")
        key = name + "".join(sorted(_NAME.findall(found[2])))
        if around:
            # Only some of the elements with this name are selected.
            yield key, Rule(_uncertain(effect), shows or effect.gone)
        else:
            yield key, Rule(effect, shows)


def _uncertain(effect: Effect) -> Effect:
    """Return an effect that hides nothing, with unknown colors."""
    return Effect(
        tiny=None if effect.tiny is None else False,
        color=effect.color and OTHER,
        background=effect.background and OTHER,
    )


def _merged(before: Rule, after: Rule) -> Rule:
    """Return the common effect of two rules, of which the second is the stronger."""
    one = before.effect
    other = after.effect
    effect = Effect(
        gone=other.gone or (one.gone and not after.shows),
        tiny=one.tiny if other.tiny is None else other.tiny,
        color=other.color or one.color,
        background=other.background or one.background,
    )
    return Rule(effect, (before.shows or after.shows) and not effect.gone)


def effects_of(
    tags: Iterable[str], inline: Mapping[str, Effect], rules: Mapping[str, Rule]
) -> Mapping[str, Effect]:
    """Return the effects of the start tags that have one. `inline`: by the tags alone."""
    if not rules:
        return inline
    effects = {}
    for written in dict.fromkeys(tags):
        if written[0].isalpha():
            own = inline.get(written, INHERITED)
            effect = _with_rules(read_tag(written), own, rules)
            if effect != INHERITED:
                effects[written] = effect
    return effects


def _with_rules(tag: Tag, inline: Effect, rules: Mapping[str, Rule]) -> Effect:
    """Return the effect of a start tag by the rules of the page's style sheets and by itself."""
    if tag.name not in rules and not _NAMED.search(tag.written):
        return inline
    given = tag.attributes()
    found = [rules[key] for key in _keys_of(tag.name, given) if key in rules]
    if not found:
        return inline
    shows = bool(_SHOWN.search(given.get("style", "").lower()))
    return reduce(_merged, [*found, Rule(inline, shows)]).effect


def _keys_of(name: str, given: Mapping[str, str]) -> list[str]:
    """Return the selectors of an element, from the weakest to the strongest."""
    names = [f".{each}" for each in given.get("class", "").split()[:MOST_CLASSES]]
    if "id" in given:
        names.append(f"#{given['id'].strip()}")
    pairs = combinations(sorted(names[:MOST_PAIRED]), 2)
    names += [one + other for one, other in pairs]
    return [name, *names, *(name + each for each in names)]
