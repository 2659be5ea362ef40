"""Random mutations of bytes, reproducible from a seed."""

import struct


def mutated(chance, raw, chunks):
    """Return bytes with parts changed, moved, repeated, deleted, truncated, or `chunks`
    inserted.
    """
    raw = bytearray(raw)
    for _ in range(chance.choice((1, 1, 2, 5))):
        place = chance.randrange(len(raw) + 1)
        length = chance.randrange(12)
        action = chance.randrange(6)
        if action == 0 and place < len(raw):
            raw[place] = chance.randrange(256)
        elif action == 1:
            raw[place : place + length] = chance.choice(chunks)
        elif action == 2:
            raw[place:place] = raw[place : place + length]
        elif action == 3:
            raw[place : place + length] = struct.pack(
                ">I", chance.choice((0, 1, 3, 1 << 31, (1 << 32) - 1))
            )
        elif action == 4:
            lines = raw.splitlines(keepends=True)
            raw = bytearray(
                b"".join(chance.sample(lines, len(lines)) + lines[: chance.randrange(2)])
            )
        else:
            del raw[place + length :]
    return bytes(raw)
