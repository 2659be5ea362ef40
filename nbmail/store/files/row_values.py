"""Between values and what a row holds."""

import numpy as np

from nbmail.core.counting.sample import Sample


def storable(text: str) -> str:
    """The text with what UTF-8 can't hold (lone halves of surrogate pairs) replaced."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text


def joined(flags: frozenset[str]) -> str:
    """Flags as one text, always in the same order. Flags hold no spaces."""
    return " ".join(sorted(flags))


def parted(flags: str) -> frozenset[str]:
    """The way back."""
    return frozenset(flags.split())


def row_of(sample: Sample) -> tuple[bytes, bytes, str]:
    """What a sample's row holds: numbers as little-endian int32, whatever the machine."""
    words, times = (np.ascontiguousarray(each, "<i4").tobytes() for each in (sample.words, sample.occurrences))
    # Measures as `json.dumps` writes them, in a third of its time.
    return words, times, f"[{', '.join(map(str, map(int, sample.measures)))}]"


def sample_from(words: bytes, occurrences: bytes, measures: str) -> Sample:
    """The way back."""
    # A list of whole numbers, read in a fifth of the time that JSON takes: of a fold the half.
    numbers = tuple(map(int, measures[1:-1].split(","))) if len(measures) > len("[]") else ()
    return Sample(np.frombuffer(words, "<i4"), np.frombuffer(occurrences, "<i4"), numbers)


def is_sample(words: bytes, occurrences: bytes, measures: str, *, known: int) -> bool:
    """Whether a row holds a sample of a vocabulary of so many words."""
    try:
        sample = sample_from(words, occurrences, measures)
    except (ValueError, TypeError):
        return False
    if measures[:1] + measures[-1:] != "[]":
        return False
    numbers, times = sample.words, sample.occurrences
    rising = bool(np.all(numbers[1:] > numbers[:-1]))
    inside = not len(numbers) or bool(numbers[0] >= 0 and numbers[-1] < known)
    return len(numbers) == len(times) and rising and inside and (not len(times) or int(times.min()) > 0)
