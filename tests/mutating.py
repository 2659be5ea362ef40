"""Files and mail with faults, at random but from a seed."""

import struct


def mutated(chance, raw, chunks):
    """Bytes, fields or lines changed, moved, doubled or lost, replaced by one of these pieces, or broken off."""
    raw = bytearray(raw)
    for _ in range(chance.choice((1, 1, 2, 5))):
        place, length = chance.randrange(len(raw) + 1), chance.randrange(12)
        deed = chance.randrange(6)
        if deed == 0 and place < len(raw):
            raw[place] = chance.randrange(256)
        elif deed == 1:
            raw[place : place + length] = chance.choice(chunks)
        elif deed == 2:
            raw[place:place] = raw[place : place + length]
        elif deed == 3:
            raw[place : place + length] = struct.pack(">I", chance.choice((0, 1, 3, 1 << 31, (1 << 32) - 1)))
        elif deed == 4:
            lines = raw.splitlines(keepends=True)
            raw = bytearray(b"".join(chance.sample(lines, len(lines)) + lines[: chance.randrange(2)]))
        else:
            del raw[place + length :]
    return bytes(raw)
