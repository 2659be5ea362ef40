"""bogofilter and SpamAssassin score as before with their words imported and exported again."""

import os
import random
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from nbmail.core.counting.sampling import sample_of
from nbmail.core.mail.parser import parse
from nbmail.core.scoring.model import Model
from nbmail.exchange.conversion import content_of, tables_of
from tests.demo_letters import demo_letters
from tests.exchange.foreign import read, write
from tests.needs import need_program

SCRIPT = Path(__file__).parent / "bayes_scores.pl"
SCORED = 500
PREFERENCES = """use_bayes 1
bayes_path {home}/bayes
bayes_auto_expire 0
bayes_learn_to_journal 0
bayes_min_ham_num 1
bayes_min_spam_num 1
"""


@pytest.fixture(scope="module")
def mail(tmp_path_factory):
    """Files to learn as spam, files to learn as ham, and 500 to score.

    They are from a corpus in long runs, otherwise from the demo.
    More files of the demo are made by combining the header of one message with the body of another.
    """
    corpus = Path(os.environ.get("NBMAIL_CORPORA", "/nowhere")) / "spamassassin"
    if os.environ.get("NBMAIL_TORTURE") and corpus.is_dir():
        lines = [line.split(None, 1) for line in (corpus / "index").read_text().splitlines()]
        found = [(corpus / path.strip(), label == "spam") for label, path in lines]
        random.Random(1).shuffle(found)
        learned = 1000
    else:
        folder = tmp_path_factory.mktemp("mail")
        learned = 100
        demo = demo_letters()
        random.Random(1).shuffle(demo)
        parted = [one.raw.replace(b"\r\n", b"\n").partition(b"\n\n") for one in demo]
        mixed = [
            head + gap + body
            for (head, gap, _), (*_, body) in zip(parted, parted[::-1], strict=True)
        ]
        found = [(folder / f"{number}.eml", one.is_spam) for number, one in enumerate(demo + demo)]
        for (path, _), raw in zip(found, [*(one.raw for one in demo), *mixed], strict=True):
            path.write_bytes(raw)
    first = found[:learned]
    kinds = [[path for path, is_spam in first if is_spam == wanted] for wanted in (True, False)]
    return *kinds, [path for path, _ in found[learned : learned + SCORED]]


def run(*command, feed=b"", home="/nonexistent"):
    """Return the output of a program. SpamAssassin always writes files to the home folder."""
    done = subprocess.run(
        list(map(str, command)),
        input=feed,
        capture_output=True,
        check=True,
        timeout=300,
        env=os.environ | {"HOME": home},
    )
    return done.stdout


def through_a_model(path, back, name, known=()):
    """Import a file to a model that has the words of some mail, and export it again."""
    model = Model()
    for one in known:
        sample_of(parse(one.read_bytes()), model.vocabulary)
    found = read(path, own=model.vocabulary.words_from(0))
    content = content_of(
        read(write(path.with_suffix(".nbmodel"), found.tables)).tables, model.vocabulary
    )
    model.restore(content)
    write(back, tables_of(model, 3), name)
    return found


@pytest.mark.parametrize("unicode", ["yes", "no"])
def test_bogofilter_scores_as_before(mail, tmp_path, unicode):
    for name in ("bogofilter", "bogoutil"):
        need_program(name)
    spam, ham, others = mail
    (tmp_path / "before").mkdir()
    (tmp_path / "after").mkdir()

    def scores(home):
        shown = subprocess.run(
            ["bogofilter", "-C", "-d", home, "-T", "-B", *others],
            capture_output=True,
            check=False,
            timeout=300,
        )
        return shown.stdout.splitlines()

    for flag, paths in (("-s", spam), ("-n", ham)):
        run(
            "bogofilter",
            "-C",
            f"--unicode={unicode}",
            "-d",
            tmp_path / "before",
            flag,
            "-B",
            *paths,
        )
    dump = tmp_path / "words.txt"
    dump.write_bytes(run("bogoutil", "-d", tmp_path / "before" / "wordlist.db"))
    found = through_a_model(dump, tmp_path / "back.txt", "bogofilter")
    assert found.tables.messages == (len(spam), len(ham))
    assert found.ours > len(found.tables.words) // 8
    # The database gives the same as its dump.
    assert (
        read(tmp_path / "before" / "wordlist.db").tables.fingerprint() == found.tables.fingerprint()
    )
    run(
        "bogoutil",
        "-l",
        tmp_path / "after" / "wordlist.db",
        feed=(tmp_path / "back.txt").read_bytes(),
    )
    before = scores(tmp_path / "before")
    assert len(set(before)) > len(others) // 2
    assert scores(tmp_path / "after") == before


def spamassassin(home):
    """Return `sa-learn` with an empty data folder."""
    need_program("sa-learn")
    (home / "rules").mkdir(parents=True)
    (home / "rules" / "init.pre").write_text("loadplugin Mail::SpamAssassin::Plugin::Bayes\n")
    (home / "prefs").write_text(PREFERENCES.format(home=home))
    places = ("-C", home / "rules", "--siteconfigpath", home / "rules", "-p", home / "prefs", "-L")
    return lambda *options: run("sa-learn", *places, *options)


def test_spamassassin_scores_as_before(mail, tmp_path):
    spam, ham, others = mail
    homes = [tmp_path / name for name in ("before", "after")]
    before_learn, after_learn = map(spamassassin, homes)

    def scores(home):
        # The order of hash tables in Perl is random, and sums of rounded numbers depend on it.
        listed = "\n".join(map(str, others)).encode()
        return run("env", "PERL_HASH_SEED=0", "perl", SCRIPT, home, feed=listed).splitlines()

    for kind, paths in (("--spam", spam), ("--ham", ham)):
        (tmp_path / "list").write_text("\n".join(map(str, paths)))
        before_learn(kind, "-f", tmp_path / "list")
    backup = tmp_path / "backup.txt"
    backup.write_bytes(before_learn("--backup"))
    with ThreadPoolExecutor(1) as scoring:
        earlier = scoring.submit(scores, homes[0])
        found = through_a_model(backup, tmp_path / "back.txt", "spamassassin", [*spam, *ham])
        assert found.tables.messages == (len(spam), len(ham))
        assert found.ours > len(found.tables.words) // 8
        after_learn("--restore", tmp_path / "back.txt")
        after = scores(homes[1])
        before = earlier.result()
    assert len(before) == len(others)
    assert len(set(before)) > len(others) // 5
    assert after == before


def test_spamassassin_uses_exported_words_of_nbmail(tmp_path):
    """SpamAssassin finds exported plain words in bodies and subjects."""
    model = Model()
    for number in range(40):
        word, label = ("viagra", "spam") if number % 2 else ("minutes", "ham")
        raw = f"Subject: hello\n\nhere is {word} and more {word} for everybody\n".encode()
        model.learn(sample_of(parse(raw), model.vocabulary), label)
    path = write(tmp_path / "back.txt", tables_of(model, 3), "spamassassin")
    assert path.read_bytes().startswith(b"v\t2\t")
    spamassassin(tmp_path / "home")("--restore", path)
    for word in ("viagra", "minutes"):
        (tmp_path / word).write_text(f"Subject: news\n\nsome {word} again\n")
        (tmp_path / f"{word} above").write_text(f"Subject: about {word}\n\nsome again\n")
    listed = "\n".join(
        f"{tmp_path}/{name}" for name in ("viagra", "viagra above", "minutes", "minutes above")
    )
    out = run("perl", SCRIPT, tmp_path / "home", feed=listed.encode())
    assert [float(one) > 0.5 for one in out.split()] == [True, True, False, False]


def test_words_of_the_subject_in_spamassassin_are_words_of_the_body(tmp_path):
    learn = spamassassin(tmp_path / "home")
    (tmp_path / "mail").write_text("Subject: zebracorn sale\n\nsomething else entirely\n")
    learn("--spam", tmp_path / "mail")
    (tmp_path / "backup").write_bytes(learn("--backup"))
    found = read(tmp_path / "backup", own=["zebracorn", "subject:zebracorn", "something"]).tables
    assert {"zebracorn", "something"} <= set(found.words)
    assert "subject:zebracorn" not in found.words
