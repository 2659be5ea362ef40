"""Small different letters for mailboxes."""


def letter(number, size=0, subject=""):
    """Return a letter; `size`: bytes to reach by an attachment."""
    head = (
        f"From: Anna Example <anna{number % 7}@example.org>\r\nTo: me@example.com\r\n"
        f"Subject: {subject or f'letter {number}'}\r\nMessage-ID: <{number}@letters.example>\r\n"
        "Date: Mon, 2 Nov 2026 10:00:00 +0000\r\n"
    )
    text = f"This is letter {number}.\r\nUID 99 FLAGS (\\Seen) {{3}}\r\n"
    if size <= 0:
        return (head + "\r\n" + text).encode()
    start = (
        head + 'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n'
        "--b\r\nContent-Type: text/plain\r\n\r\n"
        + text
        + "--b\r\nContent-Type: application/octet-stream\r\n\r\n"
    ).encode()
    end = b"\r\n--b--\r\n"
    return start + (b"A" * 76 + b"\r\n") * max(0, (size - len(start) - len(end)) // 78) + end


def letters(count, first=1):
    return [letter(number) for number in range(first, first + count)]


LETTERS = {uid: letter(uid) for uid in (3, 5, 8)}
"""Default inbox of a fake server."""
