"""Mail of the demo, always the same, for tests that need mail as people write it."""

from datetime import UTC

from nbmail.demo.mail import demo_folder, demo_mailbox


def demo_letters():
    return demo_mailbox(demo_folder(), 1_790_000_000.0, UTC)


def raw_letters():
    return [one.raw for one in demo_letters()]


def lay_out(folder):
    """Write the mail into files: a folder of spam, one of good mail, and one of new mail."""
    for number, one in enumerate(demo_letters()):
        name = "new" if number % 3 == 0 else "spam" if one.is_spam else "ham"
        (folder / name).mkdir(exist_ok=True)
        (folder / name / f"{number}.eml").write_bytes(one.raw)
    return folder
