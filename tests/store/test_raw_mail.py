"""Cache of raw mail: exact, limited in size, the oldest messages deleted first."""

import random

import pytest

from nbmail.chunks import drain
from nbmail.errors import ErrorCode, KnownError
from nbmail.store.files.connection import Connection
from nbmail.store.mail.raw_mail import RawMail, pack
from tests.store.helpers import fill, open_store


@pytest.fixture
def bodies(tmp_path):
    opened = RawMail(tmp_path / "mail.sqlite3")
    yield opened
    opened.close()


def name(number):
    return number.to_bytes(16, "big")


@pytest.mark.parametrize("size", [500, 3000])
def test_the_oldest_messages_are_deleted_until_the_file_is_small_enough(bodies, size):
    for number in range(400):
        bodies.put(
            [(name(number), pack(random.Random(number).randbytes(size)))], float(number % 10)
        )
    bodies.tidy()
    full = bodies.path.stat().st_size
    for cap in (full, full // 2, full // 5):
        drain(bodies.evicting(cap))
        bodies.tidy()
        assert 0.7 * cap - 20_000 < bodies.path.stat().st_size <= cap
        kept = {number for number in range(400) if bodies.get(name(number)) is not None}
        youngest = min(number % 10 for number in kept)
        assert {number for number in range(400) if number % 10 > youngest} <= kept
    drain(bodies.evicting(0))
    bodies.tidy()
    assert bodies.get(name(9)) is None
    assert bodies.path.stat().st_size < 20_000


@pytest.mark.expects_log
@pytest.mark.parametrize("first_page", [1, 3], ids=["all but the first page", "from the middle on"])
def test_a_damaged_cache_is_recreated_without_an_error(tmp_path, first_page):
    with open_store(tmp_path) as store:
        fill(store, 3)
        store.raw_mail.put(
            [(name(number), pack(random.Random(number).randbytes(3000))) for number in range(400)],
            2.0,
        )
        path = store.raw_mail.path
    with path.open("r+b") as file:
        file.seek(first_page * 4096)
        file.write(b"\xff" * (path.stat().st_size - first_page * 4096))
    with open_store(tmp_path) as store:
        store.raw_mail.put([(name(1), pack(b"new"))], 3.0)
        assert store.raw_mail.get(name(1)) == b"new"
        assert store.raw_mail.get(name(7)) is None
        store.tidy()
        assert len(store.messages) == 3


@pytest.mark.expects_log
@pytest.mark.parametrize("error_code", [ErrorCode.DISK_FULL, ErrorCode.READ_ONLY])
@pytest.mark.parametrize("step", ["unlink", "open", "lay out"])
def test_a_cache_that_the_disk_refused_is_recreated_later(bodies, monkeypatch, error_code, step):
    """Without a file there is no raw mail, and the error is that of the disk."""
    bodies.put([(name(1), pack(b"one"))], 1.0)

    def refuse(*arguments, **more):
        raise KnownError(error_code, "the cache")

    places = {
        "unlink": "nbmail.store.files.derived_file.DerivedFile._remove",
        "open": "nbmail.store.files.derived_file.Connection.__init__",
        "lay out": "nbmail.store.files.derived_file.Connection.transaction",
    }
    with monkeypatch.context() as patch:
        patch.setattr(Connection, "rows", lambda *_: (_ for _ in ()).throw(DAMAGE))
        patch.setattr(places[step], refuse)
        for ask in (bodies.size, lambda: bodies.get(name(1)), bodies.size):
            with pytest.raises(KnownError) as caught:
                ask()
            assert caught.value.error_code is error_code
    bodies.put([(name(3), pack(b"three"))], 3.0)
    assert bodies.get(name(3)) == b"three"
    assert bodies.get(name(1)) in (None, b"one")
    bodies.put(
        [(name(number), pack(random.Random(number).randbytes(3000))) for number in range(100)], 4.0
    )
    drain(bodies.evicting(0))
    bodies.tidy()
    assert bodies.path.stat().st_size < 20_000, "space is freed as in any other cache"


DAMAGE = KnownError(ErrorCode.DATABASE_DAMAGED, "the cache")


@pytest.mark.expects_log
def test_a_message_that_no_longer_unpacks_is_dropped(bodies):
    bodies.put([(name(1), b"not packed at all"), (name(2), pack(b"sound"))], 1.0)
    assert bodies.get(name(1)) is None
    assert bodies.get(name(2)) == b"sound"
